/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the writing half of the semantic-kernel format shares.
 * Strict mode writes what .NET would write, and reports as lost what that cannot hold. Default mode also repairs what
 * .NET would refuse, and puts what stood there before into an "agentchat" property, the sidecar, which .NET skips and
 * our reader applies. Failures stick in the JSON writer.
 */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_WRITER_H
#define ACI_FORMAT_SEMANTIC_KERNEL_WRITER_H

#include "format/kit/document.h"
#include "format/kit/raw_reader.h"
#include "format/semantic_kernel/properties.h"
#include "snapshot/copies.h"
#include "json/writer.h"

/* System.Text.Json's limit on nested containers. */
#define ACI_SK_MAX_DEPTH 64u
/* An open-ended value deeper than this goes into the sidecar as text, so that it never adds to .NET's count. */
#define ACI_SK_DEEP_VALUE 16u

typedef struct aci_sk_writer {
    aci_json_writer w;
    const agentchat_env *env;
    agentchat_report *report; /* NULL: nothing is reported */
    agentchat_error *err;
    bool strict;
    bool sidecar; /* sidecars are written */
    bool quoted;  /* inside a document in a string */
    bool bare;    /* messages as in a bare ChatHistory */
    /* Writes the items of a result's content, into a sidecar. */
    void (*write_content)(struct aci_sk_writer *wr, const aci_location *path, const agentchat_message *content);
    aci_buf text; /* room for a repaired text */
    aci_copies copies;
    uint64_t held;       /* bytes written of histories and of states as channels hold them: what is no copy */
    uint64_t copy_start; /* of the copy that is being written */
} aci_sk_writer;

void aci_sk_fail(aci_sk_writer *wr, agentchat_status status);
void aci_sk_loss(aci_sk_writer *wr, const aci_location *path, const char *format, ...) AGENTCHAT_PRINTF(3, 4);
void aci_sk_repaired(aci_sk_writer *wr, const aci_location *path, const char *format, ...) AGENTCHAT_PRINTF(3, 4);
/* Bytes made so far. */
static inline uint64_t aci_sk_made(const aci_sk_writer *wr)
{
    return wr->w.written + wr->w.used;
}
/* Around whatever repeats a history: whether it may begin, and that it ended. Copies do not stand in one another. */
static inline bool aci_sk_copy_begin(aci_sk_writer *wr)
{
    wr->copy_start = aci_sk_made(wr);
    return aci_copies_left(&wr->copies, wr->held);
}
static inline void aci_sk_copy_end(aci_sk_writer *wr)
{
    wr->copies.used += aci_sk_made(wr) - wr->copy_start;
}
/* Fails because a channel names too much of the history. */
void aci_sk_copies_fail(aci_sk_writer *wr, const aci_location *path);
/* Around what stands on one line, in a string of its own if it is quoted. */
void aci_sk_line_begin(aci_sk_writer *wr, bool quoted);
void aci_sk_line_end(aci_sk_writer *wr, bool quoted);
#define ACI_SK_PROP_KEY(wr, prop) aci_writer_fixed_key(&(wr)->w, (prop)->quoted, (size_t)(prop)->len + 3)

#endif
