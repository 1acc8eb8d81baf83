/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An object of a format being written, from a message or an item of the model. Whatever the message or item holds is
 * either written or reported as lost when the object ends: its fields that nothing asked for, and its extras that are
 * another format's or whose names are taken.
 *
 *     aci_object_out o;
 *     aci_object_out_message(&o, out, path, message, &table);
 *     aci_object_out_fields(&o);
 *     write_content(&o, message);
 *     aci_object_out_end(&o);
 *
 * Failures stick in the JSON writer.
 */
#ifndef ACI_FORMAT_KIT_OBJECT_OUT_H
#define ACI_FORMAT_KIT_OBJECT_OUT_H

#include "base/index.h"
#include "format/kit/object_table.h"
#include "format/kit/out.h"

typedef struct aci_object_out {
    aci_out *out;
    const aci_location *path;
    const aci_object_table *table;
    const aci_field *fields;
    size_t field_count;
    const aci_extras *extras;
    agentchat_str mark;            /* the form mark, of whatever format; absent: none */
    uint64_t rows;                 /* bits of the rows that were written */
    uint64_t merged;               /* bits of the rows whose extra an inner object was given */
    uint64_t carried;              /* bits of the fields that were asked for */
    struct aci_object_out *around; /* of an inner object: the one that it stands in */
    agentchat_str rest;            /* of an inner object: what it had besides, an object, or absent */
    const agentchat_extra *taken;  /* an extra of another format that was asked for */
    struct aci_object_out *into;   /* of what stands beside: the object that takes what formats share; NULL: none */
    aci_index others;              /* names written that are no rows */
} aci_object_out;

/* Begin an object. */
void aci_object_out_message(aci_object_out *o, aci_out *out, const aci_location *path, const agentchat_message *message,
                            const aci_object_table *table);
void aci_object_out_item(aci_object_out *o, aci_out *out, const aci_location *path, const agentchat_item *item,
                         const aci_object_table *table);
/* One that stands for neither: with extras and a form mark alone. */
void aci_object_out_plain(aci_object_out *o, aci_out *out, const aci_extras *extras, agentchat_str mark,
                          const aci_object_table *table);

/* What stands beside another object's members: a message or item whose fields are written there. Nothing is begun; its
   extras are lost, and so is when it ends whatever nothing asked for. */
void aci_object_out_message_beside(aci_object_out *o, aci_out *out, const aci_location *path,
                                   const agentchat_message *message);
void aci_object_out_item_beside(aci_object_out *o, aci_out *out, const aci_location *path, const agentchat_item *item);
void aci_object_out_beside_end(aci_object_out *o);
/* The second half of that: reports the fields that nothing asked for. */
void aci_object_out_lost_fields(aci_object_out *o);

/* A field, which counts as carried from then on; absent when there is none, or null. */
agentchat_str aci_object_out_get(aci_object_out *o, agentchat_field field);
/* What an extra of the format's own says for a row: the value that the row had when it was read; absent when there is
   none. */
agentchat_str aci_object_out_extra(const aci_object_out *o, uint32_t row);
/* The name that another format gives a file, a raw string, of an extra that counts as written from then on, one for
   each object; absent when there is none. */
agentchat_str aci_object_out_take_filename(aci_object_out *o);
/* A member of the format's own form mark, JSON text; absent when there is none. */
agentchat_str aci_object_out_form(const aci_object_out *o, const char *name);
bool aci_object_out_form_says(const aci_object_out *o, const char *name, const char *word);

/* Writes the name of a row, whose value comes next. */
void aci_object_out_key(aci_object_out *o, uint32_t row);
void aci_object_out_text(aci_object_out *o, uint32_t row, agentchat_str text); /* absent: nothing is written */
void aci_object_out_word(aci_object_out *o, uint32_t row, const char *word);
/* Writes a field under the name of a row; false when there is none. */
bool aci_object_out_field(aci_object_out *o, uint32_t row, agentchat_field field);
/* Writes the rows that name a field, but for those that were written. */
void aci_object_out_fields(aci_object_out *o);

/* An object under the name of a row; its fields are those of the outer one. */
void aci_object_out_inner(aci_object_out *inner, aci_object_out *outer, uint32_t row, const aci_object_table *table);
/* An object with what one had besides when it was read: JSON text of an object, or anything else for none. */
void aci_object_out_with(aci_object_out *o, aci_out *out, agentchat_str rest, const aci_object_table *table);
/* Whether what an object had besides has a row. */
bool aci_object_out_rest_has(const aci_object_out *o, uint32_t row);
void aci_object_out_end(aci_object_out *o);

#endif
