/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a document from its raw text: the whole of it was checked as JSON once, so from there on only kinds of values
 * can be wrong. Failures and report entries give the JSON Pointer, failures the offset too.
 */
#ifndef ACI_FORMAT_KIT_RAW_READER_H
#define ACI_FORMAT_KIT_RAW_READER_H

#include "base/arena.h"
#include "base/buf.h"
#include "snapshot/report.h"
#include "json/value.h"
#include "json/walk.h"
#include <agentchat/message.h>
#include <stdarg.h>

/* ---- locations -------------------------------------------------------------------------------------------------- */

/* A location in a document, for errors and reports: a linked list that ends at the document. */
typedef struct aci_location {
    const struct aci_location *up;
    agentchat_str name; /* absent: index counts */
    size_t index;
} aci_location;
/* That of a member, for one call. */
#define ACI_AT(path, literal) (&(const aci_location){(path), AGENTCHAT_STR(literal), 0})

/* Appends the JSON Pointer. false: out of memory. */
bool aci_raw_reader_pointer(const aci_location *path, aci_buf *out);
/* Adds an entry for a location; report may be NULL. prefix: of the document around it. false: out of memory. */
bool aci_raw_reader_report(agentchat_report *report, const agentchat_env *env, agentchat_report_kind kind,
                           agentchat_str prefix, const aci_location *path, const char *format, ...)
    AGENTCHAT_PRINTF(6, 7);
bool aci_raw_reader_vreport(agentchat_report *report, const agentchat_env *env, agentchat_report_kind kind,
                            agentchat_str prefix, const aci_location *path, const char *format, va_list arguments)
    AGENTCHAT_PRINTF(6, 0);

/* ---- reading ---------------------------------------------------------------------------------------------------- */

typedef struct aci_raw_reader {
    const agentchat_env *env;
    aci_arena *arena;            /* of what is decoded */
    agentchat_str document;      /* the text, validated, in the arena or as long-lived as it */
    const aci_json_index *index; /* of the document; NULL: values are found in the text */
    agentchat_str tag;           /* of the extras that are made of it */
    agentchat_str prefix;        /* JSON Pointer of the document in a larger one */
    agentchat_report *report;
    agentchat_status status; /* the first failure sticks */
    agentchat_error *err;
    bool is_lenient; /* what the ADKs read is read: names that stand twice, numbers as text; null stands for nothing */
} aci_raw_reader;

/* All of these return false after a failure. */
bool aci_raw_reader_nomem(aci_raw_reader *a);
/* Fails at a value. */
bool aci_raw_reader_fail(aci_raw_reader *a, const aci_location *path, agentchat_str value, agentchat_status status,
                         const char *format, ...) AGENTCHAT_PRINTF(5, 6);
bool aci_raw_reader_note(aci_raw_reader *a, agentchat_report_kind kind, const aci_location *path, const char *format,
                         ...) AGENTCHAT_PRINTF(4, 5);

/* Walks over an object or array of the document, with its index. */
static inline void aci_raw_reader_walk(const aci_raw_reader *a, aci_walk *walk, agentchat_str raw)
{
    aci_walk_begin_in(walk, a->index, raw);
}
/* The value of the first member that has this name, of letters and "_"; absent when there is none, or when the value is
   no object. */
agentchat_str aci_raw_reader_member(const aci_raw_reader *a, agentchat_str raw, const char *name);
/* Decodes a raw string into the arena if it has escapes. */
bool aci_raw_reader_decode(aci_raw_reader *a, agentchat_str raw, agentchat_str *out);
/* A value that must be a string. */
bool aci_raw_reader_string(aci_raw_reader *a, const aci_location *path, agentchat_str raw, agentchat_str *out);
/* A value that must be of a kind; wanted: for the message. */
bool aci_raw_reader_kind(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_json_kind kind,
                         const char *wanted);
/* A time: a number of seconds or milliseconds, or RFC 3339. Absent when its year cannot be represented, which is
   reported. */
bool aci_raw_time(aci_raw_reader *a, const aci_location *path, agentchat_str raw, agentchat_str *out);
/* A whole number of seconds, after 1970, in a year of four digits; anything else is absent. */
bool aci_raw_time_seconds(aci_raw_reader *a, agentchat_str raw, agentchat_str *out);

#endif
