/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The services that keep something in stores. It stands above them all: the core, which brings their tables up to date,
 * knows none of them.
 */
#include "store/core/sql.h"

#include "memory/memory.h"
#include "session/session.h"
#include "thread/thread.h"

const aci_service *const aci_services[] = {&aci_session_service, &aci_thread_service, &aci_memory_service};
const size_t aci_service_count = sizeof aci_services / sizeof *aci_services;

_Static_assert(sizeof aci_services / sizeof *aci_services <= ACI_SQL_MOST_SERVICES, "drivers have room for no more");
_Static_assert(ACI_SESSION_SERVICE == 1 && ACI_THREAD_SERVICE == 2 && ACI_MEMORY_SERVICE == 3,
               "a service's number is its position, counted from 1");
