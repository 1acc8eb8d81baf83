/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the reading half of the semantic-kernel format shares.
 * Nothing is decoded in place, so the span of every value stays comparable: that is how the copies which channels hold
 * of the history's messages are found and shared. All functions that return bool return false after a failure, which
 * then sticks in the JSON reader (out of memory included).
 */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_READER_H
#define ACI_FORMAT_SEMANTIC_KERNEL_READER_H

#include "format/kit/document.h"
#include "format/kit/raw_reader.h"
#include "json/reader.h"

typedef struct aci_sk_reader {
    aci_read *in;
    const agentchat_env *env;
    aci_arena *arena;
    agentchat_report *report; /* NULL: nothing is noted */
    uint64_t messages;        /* met so far, copies included */
    uint64_t decoded;         /* bytes of documents inside strings */
    agentchat_item **items;   /* stack: items of the messages that are being read */
    size_t item_count, item_cap;
    agentchat_message *null_message; /* the one message that stands for every null */
    agentchat_str wrapping;          /* raw: what the sidecar of the message read last says about the item around it */
    /* Reads the items of a result's content, an array, which stands in a sidecar. */
    agentchat_message *(*read_content)(struct aci_sk_reader *s, aci_json_reader *r, const aci_location *path);
    bool skip_type; /* the object that is read next has a $type somewhere, which is known already */
} aci_sk_reader;

bool aci_sk_nomem(aci_json_reader *r);
/* Notes that something was read in another way than it stands. */
bool aci_sk_note(aci_sk_reader *s, aci_json_reader *r, const aci_location *path, const char *format, ...)
    AGENTCHAT_PRINTF(4, 5);
/* A reader over a span of outer's document, whose errors go to err. */
void aci_sk_sub_begin(aci_sk_reader *s, const aci_json_reader *outer, aci_json_reader *sub, agentchat_str span,
                      agentchat_error *err);
/* Ends it; a failure becomes one of the outer reader, with the location in the outer document. name: the property that
   was read, when the outer reader is past its object; else NULL. */
bool aci_sk_sub_end(aci_json_reader *outer, aci_json_reader *sub, agentchat_str span, const char *name);
/* The same in env's memory, for a value that may nest: a reader is too large for the stack of a recursion. NULL after a
   failure, which outer has; aci_sk_sub_free() ends and releases it. */
aci_json_reader *aci_sk_sub_new(aci_sk_reader *s, aci_json_reader *outer, agentchat_str span);
bool aci_sk_sub_free(aci_sk_reader *s, aci_json_reader *outer, aci_json_reader *sub, agentchat_str span,
                     const char *name);
/* Decodes a raw string of the document; into the arena, if it has escapes. */
bool aci_sk_decode(aci_sk_reader *s, aci_json_reader *r, agentchat_str raw, agentchat_str *out);
/* The bytes of base64, in the arena; *valid: whether it is any. */
bool aci_sk_decode_base64(aci_sk_reader *s, aci_json_reader *r, agentchat_str base64, bool *valid, agentchat_str *out);
/* A copy of a decoded string as a document of its own. */
bool aci_sk_decoded(aci_sk_reader *s, aci_json_reader *r, agentchat_str *text);
/* Gives elements of an array their positions: those from `first` on, `count` of them, one each in `at`, which ascend
   but for SIZE_MAX, none. The others keep their order around them. false: out of memory. */
bool aci_sk_interleave(const agentchat_env *env, void *array, size_t elem, size_t first, const size_t *at,
                       size_t count);

#endif
