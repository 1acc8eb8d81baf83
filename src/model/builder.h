/* SPDX-License-Identifier: Apache-2.0 */
/* A message being built, as the files that build it share it. */
#ifndef ACI_MODEL_BUILDER_H
#define ACI_MODEL_BUILDER_H

#include "model/model.h"

typedef struct aci_built_item {
    agentchat_item_kind kind;
    uint8_t is_null; /* as in agentchat_item */
    aci_draft draft;
    agentchat_str base64, bytes;
    agentchat_message *nested; /* of MESSAGE; of RESULT what has the items of its content; one reference */
    aci_arena *source;         /* where the text of a copied item lives; one reference; or NULL */
} aci_built_item;

struct agentchat_message_builder {
    const agentchat_env *env;
    aci_arena *scratch;
    aci_arena *source;       /* where the text of the message that it started from lives; one reference; or NULL */
    agentchat_status status; /* OK or the first failure, described in error */
    aci_draft draft;
    aci_built_item *items;
    size_t item_count, item_cap;
    size_t selected;     /* index of an item, or AGENTCHAT_NO_ITEM */
    bool lacks_role;     /* as the message that it started from: it may go on so */
    uint8_t empty_flags; /* ACI_MESSAGE_ITEMS_…: how a message without items spells that */
    agentchat_error error;
};

/* An empty builder; NULL when out of memory. */
agentchat_message_builder *aci_builder_start(const agentchat_env *env);
/* Fails unless there is a role that is not empty, or none was there to start with. */
void aci_builder_check_role(agentchat_message_builder *builder);
/* Gives a builder to its caller, unless it has failed: then the caller gets the failure, and it is released. */
agentchat_status aci_builder_hand_out(agentchat_message_builder *builder, agentchat_message_builder **out,
                                      agentchat_error *err);

static inline bool aci_builder_is_broken(const agentchat_message_builder *builder)
{
    return builder == NULL || builder->status < 0;
}

void aci_builder_nomem(agentchat_message_builder *builder);
/* Make a failure stick, at the member of the selected item or of the message. error->code is its status, its path the
   location inside the value. */
void aci_builder_fail(agentchat_message_builder *builder, bool in_item, const char *member,
                      const agentchat_error *error);
/* The same with E_INVALID and a message. */
void aci_builder_refuse(agentchat_message_builder *builder, bool in_item, const char *member, const char *message);

/* An empty item after the others, selected; NULL: failed. */
aci_built_item *aci_builder_add_item(agentchat_message_builder *builder, agentchat_item_kind kind);
void aci_builder_drop_item(const agentchat_message_builder *builder, aci_built_item *item); /* releases what it holds */
/* Nests a message in the item, which is selected; checks how deep. */
void aci_builder_nest(agentchat_message_builder *builder, aci_built_item *item, const agentchat_message *message);

#endif
