/* SPDX-License-Identifier: Apache-2.0 */
/* A message as a table of what was set: what the builder must say of it, and what the getters must give. */
#ifndef AGENTCHAT_FUZZ_MESSAGE_MODEL_H
#define AGENTCHAT_FUZZ_MESSAGE_MODEL_H

#include "naive_text.h"

enum { MODEL_FIELDS = AGENTCHAT_FIELD_FORM + 1, MODEL_ITEMS = 12, MODEL_EXTRAS = 6 };

typedef struct model_part { /* a message or an item */
    agentchat_str fields[MODEL_FIELDS];
    agentchat_extra extras[MODEL_EXTRAS];
    size_t extra_count;
} model_part;

typedef struct model_message model_message;

typedef struct model_item {
    model_part part;
    agentchat_item_kind kind;
    bool has_data, is_base64; /* data is base64 text, else bytes */
    agentchat_str data;
    const model_message *nested;
} model_item;

/* Text is viewed, not copied: it stands in the input or is constant. */
struct model_message {
    size_t max_depth;
    agentchat_status status;    /* OK, or the first failure … */
    agentchat_status or_status; /* … which may as well be this one */
    model_part part;
    model_item items[MODEL_ITEMS];
    size_t item_count;
    size_t selected; /* index of an item, or AGENTCHAT_NO_ITEM */
    size_t levels;   /* of containers that it needs, counted as the depth limit counts them */
};

void model_message_begin(model_message *m, size_t max_depth, agentchat_str role, agentchat_str name);
/* Starts with everything that another one has. */
void model_message_from(model_message *m, const model_message *other);
void model_message_set(model_message *m, int field, agentchat_str value);
void model_message_add_item(model_message *m, int kind);
void model_message_set_item(model_message *m, int field, agentchat_str value);
void model_message_set_data(model_message *m, agentchat_str data, bool is_base64);
void model_message_add_message(model_message *m, const model_message *nested);
void model_message_add_extra(model_message *m, agentchat_extra extra);
void model_message_add_item_copy(model_message *m, const model_item *item);
void model_message_select(model_message *m, size_t index);
void model_message_remove_items(model_message *m, size_t first, size_t count);
void model_message_remove_extra(model_message *m, agentchat_str name);
void model_message_finish(model_message *m);
/* Whether there is room for another item, and for another extra where the next one goes. */
bool model_message_has_room(const model_message *m);

/* Everything that the getters say of a message, held against the model. in_order: extras stand as they were added. */
void model_message_check(const model_message *m, const agentchat_message *message, bool in_order);

#endif
