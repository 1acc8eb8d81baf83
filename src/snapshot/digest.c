/* SPDX-License-Identifier: Apache-2.0 */
/* Digests: SHA-256 of canonical text, which is streamed and never held. */
#include "snapshot/digest.h"

#include "base/error.h"
#include "snapshot/canonical.h"

/* Ends the digest of what c was given. */
static agentchat_status finish(aci_canonical *c, aci_sha256 *sha, unsigned char out[32], agentchat_error *err)
{
    agentchat_status status;

    aci_canonical_flush(c);
    status = c->status;
    aci_canonical_clear(c);
    if (!aci_sha256_end(sha, status >= 0 ? out : NULL) && status >= 0)
        status = aci_fail_nomem(err);
    return status;
}

agentchat_status aci_digest_end(aci_canonical *c, aci_sha256 *sha, char out[AGENTCHAT_DIGEST_LEN + 1],
                                agentchat_error *err)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[AGENTCHAT_DIGEST_LEN / 2];
    agentchat_status status = finish(c, sha, bytes, err);

    if (status < 0)
        return status;
    for (size_t i = 0; i < sizeof bytes; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[AGENTCHAT_DIGEST_LEN] = '\0';
    return AGENTCHAT_OK;
}

static agentchat_status digest_message(const agentchat_env *env, const agentchat_message *message, bool content,
                                       unsigned char out[32], agentchat_error *err)
{
    aci_sha256 sha;
    aci_canonical c;

    if (!aci_sha256_begin(&sha))
        return aci_fail_nomem(err);
    aci_canonical_begin(&c, env, &sha, err);
    c.content = content;
    aci_canonical_message(&c, message);
    return finish(&c, &sha, out, err);
}

agentchat_status aci_digest_message(const agentchat_env *env, const agentchat_message *message, unsigned char out[32],
                                    agentchat_error *err)
{
    return digest_message(env, message, false, out, err);
}

agentchat_status aci_digest_message_content(const agentchat_env *env, const agentchat_message *message,
                                            unsigned char out[32], agentchat_error *err)
{
    return digest_message(env, message, true, out, err);
}

agentchat_status agentchat_snapshot_digest(const agentchat_snapshot *snapshot, bool all,
                                           char out[AGENTCHAT_DIGEST_LEN + 1], agentchat_error *err)
{
    aci_sha256 sha;
    aci_canonical c;
    aci_copies copies;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    out[0] = '\0';
    if (snapshot == NULL)
        return aci_fail_null(err, "snapshot");
    copies = (aci_copies){.most = aci_env(snapshot->env)->limits.max_copies, .source = snapshot->source_bytes};
    if (!aci_sha256_begin(&sha))
        return aci_fail_nomem(err);
    aci_canonical_begin(&c, snapshot->env, &sha, err);
    c.copies = &copies;
    if (all)
        aci_canonical_snapshot(&c, snapshot);
    else
        aci_canonical_messages(&c, &snapshot->history);
    return aci_digest_end(&c, &sha, out, err);
}
