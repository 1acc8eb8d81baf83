/* SPDX-License-Identifier: Apache-2.0 */
/* Checks one document by one expectation (docs/verify.md). */
#include "verify/verdict.h"

#include "base/error.h"
#include "io/stream.h"
#include "json/value.h"
#include "json/walk.h"
#include <string.h>

/* ---- the expectation ------------------------------------------------------------------------------------------ */

/* Whether a name between quotes is that of a member that an expectation may have. The last three are the caller's. */
static bool is_known(agentchat_str key)
{
    static const char *const names[] = {"format", "kind",    "digest",  "digest_all",    "counts",
                                        "losses", "refused", "same_as", "known_failure", "transcript"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (key.len == strlen(names[i]) + 2 && memcmp(key.ptr + 1, names[i], key.len - 2) == 0)
            return true;
    return false;
}

static agentchat_status take_expectation(aci_verdict *v, agentchat_str text, agentchat_error *err)
{
    aci_json_kind kind;
    agentchat_status status;
    aci_walk walk;

    if (text.ptr == NULL)
        text = AGENTCHAT_STR("{}");
    status = aci_json_check(v->env, text, v->env->limits.max_depth, &v->expectation, &kind, err);
    if (status == AGENTCHAT_E_NOMEM)
        return status;
    if (status < 0 || kind != ACI_JSON_OBJECT)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the expectation is no JSON object");
    aci_walk_begin(&walk, v->expectation);
    while (aci_walk_next(&walk)) {
        aci_excerpt excerpt;

        if (!is_known(walk.key))
            return aci_fail(err, AGENTCHAT_E_INVALID, "an expectation has no member %s",
                            aci_error_excerpt(walk.key, &excerpt));
    }
    return AGENTCHAT_OK;
}

/* ---- refusal -------------------------------------------------------------------------------------------------- */

/* Whether a failure is the document's. */
static bool is_refusal(agentchat_status status)
{
    return status == AGENTCHAT_E_SYNTAX || status == AGENTCHAT_E_SCHEMA || status == AGENTCHAT_E_VERSION ||
           status == AGENTCHAT_E_LIMIT || status == AGENTCHAT_E_CORRUPT || status == AGENTCHAT_E_INVALID;
}

static agentchat_status check_refusal(aci_verdict *v, agentchat_status refusal, const agentchat_error *detail)
{
    agentchat_str refused = aci_verdict_member(v->expectation, "refused"), wanted;
    agentchat_str path = agentchat_str_from(detail->path);
    agentchat_status status = AGENTCHAT_OK;

    if (refused.ptr == NULL) {
        aci_verdict_fail(v, "read", path, "%s: %s", agentchat_status_name(refusal), detail->message);
        return status;
    }
    wanted = aci_verdict_member(refused, "status");
    if (wanted.ptr != NULL && !aci_verdict_is(v, wanted, agentchat_str_from(agentchat_status_name(refusal)), &status))
        aci_verdict_fail(v, "refused", path, "it is refused with %s, not " AGENTCHAT_STR_FMT,
                         agentchat_status_name(refusal), AGENTCHAT_STR_ARG(wanted));
    wanted = aci_verdict_member(refused, "path");
    if (status >= 0 && wanted.ptr != NULL && !aci_verdict_is(v, wanted, path, &status))
        aci_verdict_fail(v, "refused", path, "it is refused there, not at " AGENTCHAT_STR_FMT,
                         AGENTCHAT_STR_ARG(wanted));
    return status;
}

/* ---- the verdict ---------------------------------------------------------------------------------------------- */

static agentchat_status check_document(aci_verdict *v, const agentchat_document *document, char *digest)
{
    agentchat_status status = agentchat_document_digest(document, false, digest, v->err);

    if (aci_verdict_member(v->expectation, "refused").ptr != NULL)
        aci_verdict_fail(v, "refused", (agentchat_str){NULL, 0}, "it should be refused, and was read");
    if (status >= 0)
        status = aci_verdict_facts(v, document, digest);
    if (status >= 0)
        status = aci_verdict_conversions(v, document);
    return status < 0 ? status : aci_verdict_restore(v, document);
}

agentchat_status agentchat_verify(const agentchat_env *env, agentchat_source *source, agentchat_str expectation,
                                  agentchat_verify_fn each, void *user, char digest[AGENTCHAT_DIGEST_LEN + 1],
                                  size_t *failed, agentchat_error *err)
{
    aci_verdict v = {.env = aci_env(env), .each = each, .user = user, .err = err};
    char own[AGENTCHAT_DIGEST_LEN + 1] = "";
    agentchat_document *document = NULL;
    agentchat_error detail;
    agentchat_status status;

    agentchat_error_clear(err);
    if (digest != NULL)
        digest[0] = '\0';
    if (failed == NULL)
        return aci_fail_null(err, "failed");
    *failed = 0;
    if (source == NULL)
        return aci_fail_null(err, "source");
    status = take_expectation(&v, expectation, err);
    if (status < 0)
        return status;
    status = agentchat_document_read(env, source, NULL, &document, NULL, &detail);
    if (status >= 0)
        status = check_document(&v, document, own);
    else if (is_refusal(status))
        status = check_refusal(&v, status, &detail);
    else if (err != NULL)
        *err = detail;
    agentchat_document_free(document);
    *failed = v.failed;
    if (digest != NULL)
        memcpy(digest, own, sizeof own);
    return status < 0 ? status : AGENTCHAT_OK;
}
