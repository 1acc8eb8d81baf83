/* SPDX-License-Identifier: Apache-2.0 */
/* Reading messages and lists of them. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_READ_MESSAGE_H
#define ACI_FORMAT_SEMANTIC_KERNEL_READ_MESSAGE_H

#include "format/semantic_kernel/reader.h"

/* Messages of one list as they are read, and where each stood. */
typedef struct aci_sk_list {
    agentchat_message **messages;
    agentchat_str *spans;
    size_t count, cap, span_cap;
    uint32_t *index; /* hash table over the spans, made when it is first needed: position + 1, 0 is free */
    size_t index_size;
} aci_sk_list;

/* Reads an array of messages; those that stand in `known` in the same spelling are shared. */
bool aci_sk_read_messages(aci_sk_reader *s, aci_json_reader *r, const aci_location *path, aci_sk_list *known,
                          aci_sk_list *out);
agentchat_message *aci_sk_read_message(aci_sk_reader *s, aci_json_reader *r, const aci_location *path);
agentchat_message *aci_sk_null_message(aci_sk_reader *s, aci_json_reader *r);
/* The items of a result's content, an array; NULL after a failure. */
agentchat_message *aci_sk_read_content(aci_sk_reader *s, aci_json_reader *r, const aci_location *path);
void aci_sk_list_clear(aci_sk_list *list, const agentchat_env *env);
bool aci_sk_list_add(aci_sk_reader *s, aci_json_reader *r, aci_sk_list *list, agentchat_message *message,
                     agentchat_str span);
/* Position in `list` of a message of the same spelling, SIZE_MAX for none. false: out of memory. */
bool aci_sk_list_find(aci_sk_list *list, const agentchat_env *env, agentchat_str span, size_t *position);

#endif
