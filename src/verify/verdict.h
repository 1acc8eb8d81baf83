/* SPDX-License-Identifier: Apache-2.0 */
/* What is being checked, by which expectation, and what fails. */
#ifndef ACI_VERIFY_VERDICT_H
#define ACI_VERIFY_VERDICT_H

#include "verify/document.h"

typedef struct aci_verdict {
    const agentchat_env *env;
    agentchat_str expectation; /* a validated object without whitespace around it */
    agentchat_verify_fn each;
    void *user;
    size_t failed;
    agentchat_error *err;
} aci_verdict;

/* A check that failed. */
void aci_verdict_fail(aci_verdict *v, const char *check, agentchat_str path, const char *format, ...)
    AGENTCHAT_PRINTF(4, 5);
/* A member of a raw object; absent when there is none. */
agentchat_str aci_verdict_member(agentchat_str object, const char *name);
/* Whether a raw string has the text. false after out of memory too, which *status shows. */
bool aci_verdict_is(aci_verdict *v, agentchat_str raw, agentchat_str text, agentchat_status *status);

/* All return failures other than those of checks. */
/* Rewrites and conversions. */
agentchat_status aci_verdict_conversions(aci_verdict *v, const agentchat_document *document);
/* Restores a chat with stand-in agents and captures it again. */
agentchat_status aci_verdict_restore(aci_verdict *v, const agentchat_document *document);
/* Kind, format, digest, counts, transcript. */
agentchat_status aci_verdict_facts(aci_verdict *v, const agentchat_document *document, const char *digest);

#endif
