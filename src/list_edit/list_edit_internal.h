/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of list edits share. */
#ifndef ACI_LIST_EDIT_LIST_EDIT_INTERNAL_H
#define ACI_LIST_EDIT_LIST_EDIT_INTERNAL_H

#include "base/buf.h"
#include "list_edit/list_edit.h"
#include "model/model.h"
#include <agentchat/list_edit.h>
#include <agentchat/repair.h>
#include <agentchat/str.h>
#include <stdint.h>

/* ==== roles, and calls with their results ======================================================================== */

/* ---- roles (list_edit.c) ---------------------------------------------------------------------------------------- */

/* Whether a role is one of a list with commas, as the field has them; list NULL: any is. */
bool aci_roles_has(const char *list, agentchat_str role);
/* A role as it is compared: user for human, assistant for ai, system for developer. */
agentchat_str aci_roles_plain(agentchat_str role);

/* ---- calls and results (list_edit.c) ---------------------------------------------------------------------------- */

/* Messages that must stay or go together, because a call in one has its result in another. */
typedef struct aci_pairs {
    const agentchat_env *env;
    size_t *first; /* of each message, the first one of its group */
    size_t *next;  /* the next one of its group, and from the last one the first */
    bool *alone;   /* whether it has a call without a result that does not wait for it, or a result without a call */
    size_t count;
} aci_pairs;

agentchat_status aci_pairs_find(aci_pairs *pairs, const agentchat_env *env, const agentchat_messages *messages,
                                agentchat_error *err);
/* Takes the flags of whole groups where one of a group has none. broken: memory for so many flags. */
void aci_pairs_complete(const aci_pairs *pairs, bool *keep, bool *broken);
/* Takes the flag of a message and of its group. */
void aci_pairs_drop(const aci_pairs *pairs, bool *keep, size_t message);
void aci_pairs_clear(aci_pairs *pairs);

/* ==== cutting the message at the border of a trimmed list ======================================================== */

typedef struct aci_partial {
    const agentchat_env *env;
    const agentchat_message **list;
    size_t from, to; /* the messages that stay, with the one that is cut */
    size_t index;    /* of that one: the first or the last of them */
    bool is_last;    /* the end of it stays */
    uint64_t budget;
    agentchat_token_counter_fn counter;
    void *user;
    agentchat_text_splitter_fn split; /* NULL: after each line feed */
    void *split_user;
    bool cuts_results;              /* a result is cut, too, where its message has nothing else */
    const agentchat_message *whole; /* for trim.c */
    agentchat_error *err;
} aci_partial;

/* ==== images, audio and files for a provider (repair_media.c) ==================================================== */

typedef enum aci_media_as {
    ACI_MEDIA_NONE, /* the item is none */
    ACI_MEDIA_AS_IT_IS,
    ACI_MEDIA_ANOTHER, /* another kind, or another spelling of the media type */
    ACI_MEDIA_TEXT,    /* the text that it holds */
    ACI_MEDIA_MISSING  /* a text that says what is missing */
} aci_media_as;

typedef struct aci_media {
    aci_media_as as;
    agentchat_item_kind kind; /* that it gets */
    agentchat_str type;       /* the same; absent: none */
} aci_media;

/* What an item becomes for a provider. E_NOMEM: data could not be decoded. */
agentchat_status aci_media_for(const agentchat_repair_profile *profile, const agentchat_item *item, aci_media *out);
/* Adds an item as that. */
agentchat_status aci_media_add(const agentchat_env *env, agentchat_message_builder *builder,
                               const agentchat_repair_profile *profile, const agentchat_item *item,
                               const aci_media *media, agentchat_error *err);

/* ==== how long values are as Python prints them (repr), in code points: LangChain counts calls by that =========== */

/* Of a text in quotes, and of a validated raw JSON value, as repr() prints them. */
uint64_t aci_python_text_quoted(agentchat_str text);

/* ==== the state of a running summary: a JSON object that its caller keeps ======================================== */

typedef struct aci_summary_state {
    agentchat_bytes summary; /* empty: there is none */
    agentchat_bytes last_id;
    bool has_last_id;
    uint64_t covered; /* messages at the beginning of the list */
} aci_summary_state;

/* Appends a state. last_id: absent, null: there is none. E_INVALID: a summary that is not UTF-8. */
agentchat_status aci_summary_state_write(aci_buf *out, agentchat_str summary, uint64_t covered, agentchat_str last_id,
                                         agentchat_error *err);
void aci_summary_state_clear(aci_summary_state *state);

#endif
