/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An object of a format being read: its members by their table, and the message or item that is made of them.
 *
 * Rows of the table that name a field of the model are read into it; what else the table knows is for the format's code
 * to take. What is left when the object ends comes back to the format that it came from: unknown members, and known
 * ones that nobody took, as extras, nulls by their names in the form mark:
 *
 *     {"from":"openai-chat","value":{"content":"parts","null":["refusal","audio"]}}
 *
 *     aci_object o;
 *     bool ok = aci_object_begin(&o, a, path, raw, &table) && read_content(&o, &items);
 *     return aci_object_message(&o, &items, ok);
 *
 * All functions return false or NULL after a failure, which the reader has.
 */
#ifndef ACI_FORMAT_KIT_OBJECT_H
#define ACI_FORMAT_KIT_OBJECT_H

#include "format/kit/items.h"
#include "format/kit/object_table.h"

typedef struct aci_object {
    aci_raw_reader *a;
    const aci_location *path;
    const aci_object_table *table;
    aci_table_value values[ACI_TABLE_ROWS]; /* absent: not there, or taken */
    aci_draft draft;
    aci_buf form; /* members of the form mark's value */
} aci_object;

/* Sorts the members and reads the fields. To be ended in any case, by one of the functions below. */
bool aci_object_begin(aci_object *o, aci_raw_reader *a, const aci_location *path, agentchat_str raw,
                      const aci_object_table *table);
/* The value of a row, which is taken; absent when it is not there. */
agentchat_str aci_object_take(aci_object *o, uint32_t row);
/* Whether the value of a row begins with a byte: '"', '{', '[', 'n' for null, 0 when it is not there. */
bool aci_object_has(const aci_object *o, uint32_t row, char first);
/* Whether the value of a row is this word. */
bool aci_object_says(const aci_object *o, uint32_t row, const char *word);
/* Takes the value of a row when it is a string, decoded; else *out is absent and it stays. */
bool aci_object_take_text(aci_object *o, uint32_t row, agentchat_str *out);
void aci_object_set(aci_object *o, agentchat_field field, aci_form form, agentchat_str value);
/* Adds a member to the form mark: JSON text, or a word that needs no escapes. */
bool aci_object_note(aci_object *o, const char *name, agentchat_str json);
bool aci_object_note_word(aci_object *o, const char *name, const char *word);

/* An object inside, which is the value of a row: its fields are those of the outer one. What is left of it becomes an
   extra of the outer one, an object with the row's name. `end` is due in any case; ok: nothing failed so far. */
bool aci_object_begin_inner(aci_object *inner, aci_object *outer, uint32_t row, const aci_object_table *table);
bool aci_object_end_inner(aci_object *inner, aci_object *outer, uint32_t row, bool ok);

/* Ends an object as the JSON object of what is left of it, in the arena; absent: nothing is left. */
bool aci_object_rest(aci_object *o, agentchat_str *json, bool ok);

/* End the object. ok: nothing failed so far, else there is only cleaning up to do, and NULL or false comes back. */
agentchat_item *aci_object_item(aci_object *o, agentchat_item_kind kind, bool ok);
agentchat_message *aci_object_message(aci_object *o, const aci_items *items, bool ok);
/* The extras and the form mark of an object that is neither: both in the arena. */
bool aci_object_leftovers(aci_object *o, aci_extras **extras, agentchat_str *form, bool ok);

#endif
