/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of threads, and the service that they are of. */
#ifndef ACI_THREAD_TABLES_H
#define ACI_THREAD_TABLES_H

#include "store/core/sql.h"

enum { ACI_THREAD_SERVICE = 2 }; /* whose statements those of threads are */
extern const aci_service aci_thread_service;
/* Looks through the tables; in check.c. */
agentchat_status aci_thread_check(aci_store_check *all, agentchat_error *err);

#endif
