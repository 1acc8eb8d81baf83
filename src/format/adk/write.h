/* SPDX-License-Identifier: Apache-2.0 */
/* What the writers of the ADK format share. */
#ifndef ACI_FORMAT_ADK_WRITE_H
#define ACI_FORMAT_ADK_WRITE_H

#include "format/adk/context.h"
#include "format/adk/tables.h"
#include "format/kit/out.h"

typedef struct aci_adk_writer {
    aci_out out;
    aci_adk_context *context;
    aci_buf scratch;
} aci_adk_writer;

/* To be ended with aci_adk_writer_end() in any case. */
agentchat_status aci_adk_writer_begin(aci_adk_writer *wr, const agentchat_env *env, agentchat_sink *sink,
                                      agentchat_report *report, agentchat_error *err);
agentchat_status aci_adk_writer_end(aci_adk_writer *wr);

/* Text, and open-ended values as they are spelled; lone surrogates, which Python's models refuse, become
   U+FFFD, which is reported. */
void aci_adk_write_text(aci_adk_writer *wr, const aci_location *path, agentchat_str text);
void aci_adk_write_json(aci_adk_writer *wr, const aci_location *path, agentchat_str json);
/* A time as a number of seconds, and what is lost of it; empty: it is none. */
void aci_adk_time_number(aci_adk_writer *wr, const aci_location *path, agentchat_str text,
                         char number[ACI_ADK_TIME_SIZE]);
void aci_adk_write_time(aci_adk_writer *wr, const aci_location *path, agentchat_str text);
/* Bytes as adk-python writes them. false: out of memory. */
bool aci_adk_write_bytes(aci_adk_writer *wr, const aci_data *data);

/* ---- what adk-python accepts (accepts.c) ---- */

/* Whether adk-python accepts a value under a name; null is none. false after a failure too. */
bool aci_adk_accepts(aci_adk_writer *wr, const aci_table_row *name, agentchat_str raw);
/* The same of a member of a map. */
bool aci_adk_accepts_in_map(aci_adk_writer *wr, const aci_table_row *name, agentchat_str raw);
/* The values of a raw object by index of the table: of several the last one in camelCase, absent where none fits. false
   after a failure. */
bool aci_adk_accepted_members(aci_adk_writer *wr, const aci_object_table *table, agentchat_str raw,
                              agentchat_str taken[ACI_TABLE_ROWS]);
/* Whether anything of a raw object can be written so, or there is nothing in it. */
bool aci_adk_is_writable(aci_adk_writer *wr, const aci_object_table *table, agentchat_str raw);

/* ---- values (write_value.c, write_rust.c, write_extras.c) ---- */

/* A value that fits, without what adk-python refuses inside of it, which is reported. */
void aci_adk_write_value(aci_adk_writer *wr, const aci_location *path, const aci_table_row *name, agentchat_str raw);
/* The members of a raw object with a table, as above; those of the indices in `elsewhere` are left to the caller, those
   before `from` have been written. */
void aci_adk_write_members(aci_adk_writer *wr, const aci_location *path, const aci_object_table *table,
                           agentchat_str raw, uint64_t elsewhere, uint32_t from);
/* What ADK-Rust spells otherwise than Google's ADKs, written their way. false: index is none of those. */
bool aci_adk_write_translated(aci_adk_writer *wr, const aci_location *path, uint32_t index, agentchat_str json);
/* The members of an object that stand in `extras` of ours: those from ADK that Google's ADKs know in this table from
   `from` on (in an open one also unknown ones) are written, others reported as lost. Of two of a name the first one
   counts. */
void aci_adk_write_extras(aci_adk_writer *wr, const aci_location *path, const aci_extras *extras,
                          const aci_object_table *table, uint32_t from);

/* ---- messages ---- */

void aci_adk_write_content(aci_adk_writer *wr, const aci_location *path, const agentchat_message *message,
                           const agentchat_event *event);
void aci_adk_write_part(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item);
/* The `parts` of a function response, raw, which ADK-Rust has as `inline_data` and `file_data` (write_rust_media.c).
   Returns the bits of the members that were written so. */
uint64_t aci_adk_write_response_media(aci_adk_writer *wr, const aci_location *path, agentchat_str response);
void aci_adk_write_event(aci_adk_writer *wr, const agentchat_event *event);

#endif
