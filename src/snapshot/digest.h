/* SPDX-License-Identifier: Apache-2.0 */
/* Digests of messages, as comparisons and searches use them. */
#ifndef ACI_SNAPSHOT_DIGEST_H
#define ACI_SNAPSHOT_DIGEST_H

#include "snapshot/canonical.h"
#include <agentchat/snapshot.h>

/* SHA-256 of a message's canonical text, or of its content alone. E_NOMEM only. */
agentchat_status aci_digest_message(const agentchat_env *env, const agentchat_message *message, unsigned char out[32],
                                    agentchat_error *err);
agentchat_status aci_digest_message_content(const agentchat_env *env, const agentchat_message *message,
                                            unsigned char out[32], agentchat_error *err);

/* Ends the digest of what c was given and clears c; out is unchanged on failure. */
agentchat_status aci_digest_end(aci_canonical *c, aci_sha256 *sha, char out[AGENTCHAT_DIGEST_LEN + 1],
                                agentchat_error *err);

#endif
