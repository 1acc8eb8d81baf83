/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of threads, and the service that they are of. */
#ifndef ACI_THREAD_TABLES_H
#define ACI_THREAD_TABLES_H

#include "store/core/sql.h"

enum { ACI_THREAD_SERVICE = 2 }; /* whose statements those of threads are */
extern const aci_service aci_thread_service;

#endif
