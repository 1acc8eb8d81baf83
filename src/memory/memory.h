/* SPDX-License-Identifier: Apache-2.0 */
/* The service that keeps documents in tables of a store. */
#ifndef ACI_MEMORY_MEMORY_H
#define ACI_MEMORY_MEMORY_H

#include "store/core/sql.h"

enum { ACI_MEMORY_SERVICE = 3 }; /* whose statements those of memory are */
extern const aci_service aci_memory_service;

#endif
