/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What our reader would make of a value that strict mode is about to write: the reader itself is asked.
 * Out of memory sticks in the JSON writer; a value that a limit stops is none that would be taken.
 */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_TRIAL_READ_H
#define ACI_FORMAT_SEMANTIC_KERNEL_TRIAL_READ_H

#include "format/semantic_kernel/channel_kind.h"
#include "format/semantic_kernel/reader.h"
#include "format/semantic_kernel/write_message.h"

typedef struct aci_sk_trial { /* in memory of its own, since the readers are large */
    aci_read in;
    aci_sk_reader s;
    aci_json_reader r;
} aci_sk_trial;

/* A reader at the beginning of a value, in an arena of its own. NULL: out of memory. */
aci_sk_trial *aci_sk_trial_begin(aci_sk_writer *wr, agentchat_str raw);
void aci_sk_trial_end(aci_sk_writer *wr, aci_sk_trial *p);

/* A property agentchat: whether it would be taken for a sidecar. */
bool aci_sk_reads_as_sidecar(aci_sk_writer *wr, agentchat_str raw, const aci_sk_object *object);
/* The raw text of an opaque item: whether it would be read as that item again. */
bool aci_sk_reads_as_opaque(aci_sk_writer *wr, const agentchat_item *item);
/* The text of a state: whether it would be read as messages or as a chat. */
bool aci_sk_reads_as_state(aci_sk_writer *wr, agentchat_str text, aci_sk_state kind);

#endif
