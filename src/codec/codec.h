/* SPDX-License-Identifier: Apache-2.0 */
/* Formats: bytes to snapshots and back. Layer 4. One file per format and direction; formats never include each other.
 */
#ifndef ACI_CODEC_CODEC_H
#define ACI_CODEC_CODEC_H

#include "snapshot/report.h"
#include "snapshot/snapshot.h"

/* What a reader gets. The reader owns nothing: data (len bytes and padding behind) may be changed in place and belongs
   to a block that home frees. */
typedef struct aci_read {
    const agentchat_env *env;
    aci_home *home;
    char *data;
    size_t len;
    agentchat_limits limits;
    const char *source;       /* name or NULL */
    agentchat_report *report; /* never NULL: losses are counted there */
} aci_read;

typedef struct aci_write {
    const agentchat_env *env;
    agentchat_sink *sink;
    agentchat_report *report; /* never NULL */
    bool strict;
    uint32_t max_copies;
    bool dry_run; /* report only: the sink drops everything (for fail_on_loss) */
} aci_write;

/* Readers: *out gets a snapshot that holds a reference on in->home. */
agentchat_status aci_agentchat_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err);
agentchat_status aci_encoded_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err);
agentchat_status aci_sk_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err);

/* Writers: no commit. */
agentchat_status aci_agentchat_write(aci_write *out, const agentchat_snapshot *snapshot, agentchat_error *err);
agentchat_status aci_encoded_write(aci_write *out, const agentchat_snapshot *snapshot, agentchat_error *err);
agentchat_status aci_sk_write(aci_write *out, const agentchat_snapshot *snapshot, agentchat_error *err);

/* The format that a document is in, from its beginning; never fails: what is not ours is taken for Semantic Kernel's.
 */
agentchat_format aci_detect(const char *data, size_t len);

#endif
