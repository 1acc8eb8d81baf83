/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A strict pull reader of JSON (RFC 8259) over one contiguous buffer.
 *
 * The caller asks for what it expects; the first failure sticks, and from then on every call returns false, so straight
 * code needs one check at the end: aci_json_status(). An error carries byte offset, line, column and JSON Pointer.
 *
 *     aci_json_reader r;
 *     aci_json_begin(&r, &options, data, len, err);
 *     if (aci_json_object(&r))
 *         while (aci_json_member(&r, &key)) {
 *             if (key is "text") aci_json_string(&r, &text);
 *             else               aci_json_raw(&r, &unknown);
 *         }
 *     aci_json_end(&r);
 *     return aci_json_status(&r);
 *
 * Every value must be consumed by exactly one call before the next member or element is asked for.
 * Strings without escapes are slices of the buffer. Others are decoded: in place when ACI_JSON_IN_PLACE is set (the
 * buffer is then changed inside the quotes, and raw spans of those strings taken *later* would be garbage: a string is
 * read either decoded or raw, never both; a NUL is put after what was decoded, so that it can never be taken for JSON
 * text again), else into `arena`. Lone surrogate escapes are decoded to WTF-8; raw bytes must be UTF-8.
 */
#ifndef ACI_JSON_READER_H
#define ACI_JSON_READER_H

#include "base/arena.h"
#include <string.h>

typedef enum aci_json_kind {
    ACI_JSON_ERROR, /* also at the end of the input */
    ACI_JSON_OBJECT,
    ACI_JSON_ARRAY,
    ACI_JSON_STRING,
    ACI_JSON_NUMBER,
    ACI_JSON_TRUE,
    ACI_JSON_FALSE,
    ACI_JSON_NULL
} aci_json_kind;

enum {
    ACI_JSON_IN_PLACE = 1,
    ACI_JSON_FILE = 2,     /* a byte-order mark at the start is skipped; else it is refused */
    ACI_JSON_ONE_VALUE = 4 /* where another value follows on a line of its own, the error says what that is */
};

/* The most levels that any reader can be set to allow: what an environment can, and what a text of this library has
   around a value that is as deep as that. */
enum { ACI_JSON_HIGHEST_DEPTH = ACI_HIGHEST_MAX_DEPTH + 16 };

typedef struct aci_json_options {
    const agentchat_env *env;
    aci_arena *arena;   /* for strings with escapes; may be NULL with IN_PLACE */
    uint32_t max_depth; /* 0: the environment's */
    uint32_t flags;
    const char *source; /* name for errors, or NULL */
    /* For a document inside another one's string: */
    agentchat_str path_prefix; /* pointer of the string; absent for none */
    uint32_t depth_used;       /* levels of the outer document that count against max_depth */
} aci_json_options;

typedef struct aci_json_frame {
    const char *key;        /* of the current member (decoded); NULL in arrays */
    size_t key_len;         /* or the index of the current element */
    const char *start;      /* the bracket that opened it, */
    const char *line_start; /* its line's first byte */
    uint32_t line;          /* and that line's number */
    bool is_object;
    bool first;   /* nothing was asked for yet */
    bool inside;  /* key or index belongs to the current location: not so between two members */
    bool raw_key; /* key is as spelled, escapes included */
} aci_json_frame;

typedef struct aci_json_reader {
    const char *begin, *cursor, *end;
    const char *line_start; /* first byte of the current line */
    uint32_t line;
    uint32_t token_line;          /* the same of the value or member read last: number of its line, */
    const char *token_line_start; /* that line's first byte, */
    const char *token;            /* and its own first byte; NULL before the first one */
    uint32_t depth, max_depth;
    aci_json_frame *frames;
    aci_json_frame inline_frames[24]; /* enough for most documents; beyond: from the environment */
    size_t frames_cap;
    aci_json_options options;
    agentchat_status status;
    agentchat_error *err;
} aci_json_reader;

/* Nothing outside the buffer is read, so it needs no padding. err may be NULL, and env (the default one then). */
void aci_json_begin(aci_json_reader *r, const aci_json_options *options, char *data, size_t len, agentchat_error *err);
/* Only whitespace may follow. */
bool aci_json_end(aci_json_reader *r);
/* Releases what the reader holds; call it in any case. Returns the status. */
agentchat_status aci_json_close(aci_json_reader *r);

aci_json_kind aci_json_peek(aci_json_reader *r);              /* of the next value, which must be there */
bool aci_json_object(aci_json_reader *r);                     /* { */
bool aci_json_member(aci_json_reader *r, agentchat_str *key); /* false at } or on failure */
/* For a caller that knows which names are likely, faster than aci_json_member(): the opening quote of the next member's
   name when that stands there without whitespace before it, else NULL. Whoever finds `quoted` (quotes and colon
   included; a literal, since the location refers to it) at this quote may take the member. Only between the members of
   an object. */
static inline const char *aci_json_name_ahead(const aci_json_reader *r);
static inline void aci_json_take_name(aci_json_reader *r, const char *at, const char *quoted, size_t len);
bool aci_json_array(aci_json_reader *r);   /* [ */
bool aci_json_element(aci_json_reader *r); /* false at ] or on failure */
bool aci_json_string(aci_json_reader *r, agentchat_str *out);
bool aci_json_bool(aci_json_reader *r, bool *out);
bool aci_json_null(aci_json_reader *r);
bool aci_json_u64(aci_json_reader *r, uint64_t *out); /* a plain non-negative integer without fraction or exponent */
/* Any value, checked in full (syntax, UTF-8, depth), as the span it stands in, without surrounding whitespace. */
bool aci_json_raw(aci_json_reader *r, agentchat_str *out);
/* A string that must be canonical base64: the span between its quotes. E_SCHEMA naming the byte otherwise. When the
   string uses escapes they are decoded first. */
bool aci_json_base64(aci_json_reader *r, agentchat_str *out);
/* The same, but false, without a failure and with nothing read, when what comes next is not a string of canonical
   base64 without escapes. */
bool aci_json_plain_base64(aci_json_reader *r, agentchat_str *out);
/* If the next value stands there byte for byte as `span` does (a raw span of a complete value from the same kind of
   document), skips it and returns true. */
bool aci_json_match(aci_json_reader *r, agentchat_str span);

/* Offset of the next value (whitespace skipped). */
size_t aci_json_offset(aci_json_reader *r);
/* Fails with the given status at the location of the value or member read last (its first byte), unless failed
   already. Returns false, as what fails in reading does. */
bool aci_json_fail(aci_json_reader *r, agentchat_status status, const char *format, ...) AGENTCHAT_PRINTF(3, 4);
bool aci_json_fail_at(aci_json_reader *r, size_t offset, agentchat_status status, const char *format, ...)
    AGENTCHAT_PRINTF(4, 5);
/* The byte that the next value begins with when no whitespace stands before it, else 0: a peek that costs nothing, for
   a caller that knows what is likely. */
static inline char aci_json_next_byte(const aci_json_reader *r)
{
    return r->status >= 0 && r->cursor < r->end && (unsigned char)*r->cursor > ' ' ? *r->cursor : '\0';
}
static inline bool aci_json_failed(const aci_json_reader *r)
{
    return r->status < 0;
}
static inline const char *aci_json_name_ahead(const aci_json_reader *r)
{
    const char *at = r->cursor;

    if (r->status < 0 || r->end - at < 2 || r->depth == 0)
        return NULL;
    if (!r->frames[r->depth - 1].first && *at++ != ',')
        return NULL;
    return *at == '"' ? at : NULL;
}
static inline void aci_json_take_name(aci_json_reader *r, const char *at, const char *quoted, size_t len)
{
    aci_json_frame *frame = &r->frames[r->depth - 1];

    r->token = at;
    r->token_line = r->line;
    r->token_line_start = r->line_start;
    r->cursor = at + len;
    frame->key = quoted + 1;
    frame->key_len = len - 3;
    frame->first = false;
    frame->inside = true;
    frame->raw_key = false;
}
/* JSON Pointer of the current location, with the prefix. Cut to cap; returns the length. */
size_t aci_json_pointer(const aci_json_reader *r, char *out, size_t cap);

#endif
