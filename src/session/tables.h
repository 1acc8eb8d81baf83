/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of sessions, and the service that they are of. */
#ifndef ACI_SESSION_TABLES_H
#define ACI_SESSION_TABLES_H

#include "store/core/sql.h"

enum { ACI_SESSION_SERVICE = 1 }; /* whose statements those of sessions are */
extern const aci_service aci_session_service;
/* Looks through the tables; in check.c. */
agentchat_status aci_session_check(aci_store_check *all, agentchat_error *err);

#endif
