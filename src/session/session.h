/* SPDX-License-Identifier: Apache-2.0 */
/* The service that keeps sessions in tables of a store. */
#ifndef ACI_SESSION_SESSION_H
#define ACI_SESSION_SESSION_H

#include "store/core/sql.h"

enum { ACI_SESSION_SERVICE = 1 }; /* whose statements those of sessions are */
extern const aci_service aci_session_service;
/* Looks through the tables; in check.c. */
agentchat_status aci_session_check(aci_store_check *all, agentchat_error *err);

#endif
