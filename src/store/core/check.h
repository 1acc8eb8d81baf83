/* SPDX-License-Identifier: Apache-2.0 */
/* Checking a store: what its services share, which each look through their own tables. */
#ifndef ACI_STORE_CORE_CHECK_H
#define ACI_STORE_CORE_CHECK_H

#include "store/core/sql.h"

typedef struct aci_check_finding {
    char *problem; /* aci_strdup(); NULL: the part is intact */
    char *part;
    size_t problem_len, part_len;
} aci_check_finding;

struct aci_store_check {
    agentchat_store *store;
    aci_sql_call call;
    const agentchat_env *env;
    agentchat_store_check_fn each;
    void *user;
    aci_check_finding *findings;
    size_t count, cap;
    bool stopped; /* the caller has seen enough */
    uint64_t bad; /* problems of the part under way; for who looks at it */
};

/* Notes that a part is intact (problem: NULL), or what is wrong with it. */
agentchat_status aci_check_note(aci_store_check *c, const char *part, const char *problem, agentchat_error *err);
agentchat_status aci_check_problem(aci_store_check *c, const char *part, agentchat_error *err, const char *format, ...)
    AGENTCHAT_PRINTF(4, 5);
/* Reports to the caller what was noted; not while a transaction is open. */
agentchat_status aci_check_report(aci_store_check *c, agentchat_error *err);
/* Forgets what was noted, as when a transaction is tried again. */
void aci_check_drop(aci_store_check *c);

#endif
