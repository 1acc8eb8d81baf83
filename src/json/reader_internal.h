/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the reader share. */
#ifndef ACI_JSON_READER_INTERNAL_H
#define ACI_JSON_READER_INTERNAL_H

#include "json/lex.h"
#include "json/reader.h"

/* Kind of the value that begins with c; ERROR when none does. */
static inline aci_json_kind aci_reader_kind(char c)
{
    switch (c) {
    case '{':
        return ACI_JSON_OBJECT;
    case '[':
        return ACI_JSON_ARRAY;
    case '"':
        return ACI_JSON_STRING;
    case 't':
        return ACI_JSON_TRUE;
    case 'f':
        return ACI_JSON_FALSE;
    case 'n':
        return ACI_JSON_NULL;
    default:
        return c == '-' || (c >= '0' && c <= '9') ? ACI_JSON_NUMBER : ACI_JSON_ERROR;
    }
}

/* Skips whitespace after the first byte, which was seen to be some; counts lines. */
void aci_reader_whitespace(aci_json_reader *r);

/* Skips whitespace. Whether anything follows. */
static inline bool aci_reader_skip(aci_json_reader *r)
{
    if (r->cursor < r->end && (unsigned char)*r->cursor > ' ')
        return true;
    aci_reader_whitespace(r);
    return r->cursor < r->end;
}

/* Records the position of the cursor as that of the value or member read last. */
static inline void aci_reader_mark(aci_json_reader *r)
{
    r->token = r->cursor;
    r->token_line = r->line;
    r->token_line_start = r->line_start;
}

/* E_SYNTAX at `where`; `wanted` says what may stand there. Always false. */
bool aci_json_reader_unexpected(aci_json_reader *r, const char *where, const char *wanted);
/* E_SYNTAX for a string that aci_lex_… refused at `bad`. Always false. */
bool aci_json_reader_bad_string(aci_json_reader *r, const char *bad);
bool aci_json_reader_bad_number(aci_json_reader *r, const char *bad);
bool aci_json_reader_too_deep(aci_json_reader *r);

/* Takes one of JSON's words. */
static inline bool aci_reader_word(aci_json_reader *r, const char *word, size_t len)
{
    aci_reader_mark(r);
    if (!aci_lex_word(r->cursor, r->end, word, len))
        return aci_json_reader_unexpected(r, r->cursor, "a value");
    r->cursor += len;
    return true;
}
/* Takes the string that the cursor stands on, whose first escape is at `escape`. */
bool aci_json_reader_decode(aci_json_reader *r, const char *escape, agentchat_str *out);

/* aci_json_member() with the key checked, but left as it is spelled. */
bool aci_reader_member_raw(aci_json_reader *r);
/* Takes a scalar, whose value is not wanted; its kind is known from its first byte. */
bool aci_reader_scalar(aci_json_reader *r, aci_json_kind kind);
/* For walking through all values: after one was taken or a container opened, goes on to the next value deeper than
   level `base`, out of containers that end. False when there is none or after a failure. */
bool aci_json_reader_walk_next(aci_json_reader *r, uint32_t base);
/* Fails at the fault of the value that comes next, which was found to be not valid. */
void aci_json_reader_find_fault(aci_json_reader *r);
/* Levels that may still be opened. */
uint32_t aci_reader_levels_left(const aci_json_reader *r);

#endif
