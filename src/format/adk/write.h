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
    aci_raw_reader a; /* of values that are written; its arena is made when something needs it */
} aci_adk_writer;

/* To be ended with aci_adk_writer_end() in any case. */
agentchat_status aci_adk_writer_begin(aci_adk_writer *wr, const agentchat_env *env, agentchat_sink *sink,
                                      agentchat_report *report, agentchat_error *err);
agentchat_status aci_adk_writer_end(aci_adk_writer *wr);

/* The writer's reader, with an arena; NULL: out of memory. */
aci_raw_reader *aci_adk_writer_reader(aci_adk_writer *wr);
/* A raw string, decoded; as long-lived as the writer. Empty after a failure. */
agentchat_str aci_adk_decode(aci_adk_writer *wr, agentchat_str raw);

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

/* ---- members of objects (accepts.c) ---- */

/* The members of an object that is to be written: of a raw one, or extras of ours. */
typedef struct aci_adk_members {
    const aci_object_table *table;
    agentchat_str json; /* absent: extras */
    const aci_extras *extras;
    bool (*instead)(aci_adk_writer *wr, const aci_location *path, uint32_t row, agentchat_str json);
    /* writes a member otherwise, or returns false; NULL: none is */
    agentchat_str found[ACI_TABLE_ROWS]; /* by row: the value that counts, if adk-python accepts it: of several in a raw
                                            object the last one in camelCase, else the first one of an ADK */
} aci_adk_members;
void aci_adk_members_of(aci_adk_writer *wr, aci_adk_members *m, const aci_object_table *table, agentchat_str json,
                        const aci_extras *extras);

/* One of them. Null is none. */
typedef struct aci_adk_member {
    aci_walk walk;
    size_t at;
    agentchat_str name, value;
    uint32_t row; /* of the table; its count: the table has none */
    bool is_camel;
    bool is_own; /* it comes from an ADK */
} aci_adk_member;
void aci_adk_member_begin(const aci_adk_members *m, aci_adk_member *c);
/* false: there is no other, or a failure. */
bool aci_adk_member_next(aci_adk_writer *wr, const aci_adk_members *m, aci_adk_member *c);

/* ---- what adk-python accepts (accepts.c) ---- */

/* Whether adk-python accepts a value under a name; null is none. false after a failure too. */
bool aci_adk_accepts(aci_adk_writer *wr, const aci_table_row *name, agentchat_str raw);
/* The same of a member of a map. */
bool aci_adk_accepts_in_map(aci_adk_writer *wr, const aci_table_row *name, agentchat_str raw);
/* Whether anything of a raw object can be written so, or there is nothing in it. */
bool aci_adk_is_writable(aci_adk_writer *wr, const aci_object_table *table, agentchat_str raw);

/* ---- values (write_value.c, write_rust.c) ---- */

/* A value that fits, without what adk-python refuses inside of it, which is reported. */
void aci_adk_write_value(aci_adk_writer *wr, const aci_location *path, const aci_table_row *name, agentchat_str raw);
/* The members that adk-python accepts; the others are reported. used: bits of the rows that stand for something else;
   elsewhere: of those whose value in m->found the caller has written. */
void aci_adk_write_members(aci_adk_writer *wr, const aci_location *path, const aci_adk_members *m, uint64_t used,
                           uint64_t elsewhere);
#define ACI_ADK_ROW_BIT(row) (UINT64_C(1) << (row))
#define ACI_ADK_ROWS_BEFORE(row) (ACI_ADK_ROW_BIT(row) - 1)
/* What ADK-Rust spells otherwise than Google's ADKs, written their way. false: index is none of those. */
bool aci_adk_write_translated(aci_adk_writer *wr, const aci_location *path, uint32_t index, agentchat_str json);

/* ---- messages ---- */

void aci_adk_write_part(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item);
/* The `parts` of a function response, which ADK-Rust has as `inline_data` and `file_data` (write_rust_media.c). Returns
   the bits of the rows that were written so. */
uint64_t aci_adk_write_response_media(aci_adk_writer *wr, const aci_location *path, const aci_adk_members *response);

#endif
