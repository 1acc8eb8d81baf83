/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record of what went wrong in one step, before it is told where. Layer 5. It is in env's memory: chats nest, and a
 * record is too large for each level of the stack (docs/limits.md).
 */
#ifndef ACI_RESTORE_CAUSE_H
#define ACI_RESTORE_CAUSE_H

#include "base/env.h"
#include "base/error.h"

/* A cleared record; NULL: out of memory, which err is told. Released by aci_cause_free(). */
static inline agentchat_error *aci_cause_new(const agentchat_env *env, agentchat_error *err)
{
    agentchat_error *cause = aci_alloc(env, sizeof *cause);

    if (cause == NULL)
        (void)aci_fail_nomem(err);
    else
        agentchat_error_clear(cause);
    return cause;
}

static inline void aci_cause_free(const agentchat_env *env, agentchat_error *cause)
{
    aci_free(env, cause, sizeof *cause);
}

/* Hands a failure to err, if that has none yet, with `step` in front of its path. */
static inline void aci_cause_tell(agentchat_error *cause, const char *step, agentchat_error *err)
{
    aci_error_path_prepend(cause, agentchat_str_from(step));
    if (err != NULL && err->code == 0)
        *err = *cause;
}

#endif
