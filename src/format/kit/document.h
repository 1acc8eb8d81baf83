/* SPDX-License-Identifier: Apache-2.0 */
/* What the reader and the writer of a document are given. */
#ifndef ACI_FORMAT_KIT_DOCUMENT_H
#define ACI_FORMAT_KIT_DOCUMENT_H

#include "snapshot/report.h"
#include "snapshot/snapshot.h"

/* What a reader gets. The reader owns nothing: data (len bytes and the padding after them) may be changed in place and
   belongs to a block that arena frees. */
typedef struct aci_read {
    const agentchat_env *env;
    aci_arena *arena;
    char *data;
    size_t len;
    agentchat_limits limits;
    bool sessions;            /* the file of a session is read as the chat of its events */
    const char *source;       /* name or NULL */
    agentchat_report *report; /* never NULL: losses are counted there */
} aci_read;

typedef struct aci_write {
    const agentchat_env *env;
    agentchat_sink *sink;
    agentchat_report *report; /* never NULL */
    bool strict;
    bool lines; /* the messages alone, each on a line */
    uint32_t max_copies;
    bool is_foreign; /* the history is none of the format's own, whatever the extras of the chat are */
    bool dry_run;    /* report only: the sink drops everything (for fail_on_loss) */
} aci_write;

#endif
