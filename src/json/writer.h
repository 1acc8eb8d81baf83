/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A streaming writer of JSON through a fixed window. The first failure sticks; later calls do nothing.
 * Strings are WTF-8: lone surrogates are written as \uXXXX escapes (profile dotnet too; who must not have them replaces
 * them before).
 */
#ifndef ACI_JSON_WRITER_H
#define ACI_JSON_WRITER_H

#include "base/env.h"
#include <agentchat/stream.h>

typedef enum aci_json_profile {
    ACI_JSON_UTF8,  /* escapes only what RFC 8259 demands: ", \, U+0000-001F (short forms where they exist) */
    ACI_JSON_ASCII, /* and everything above U+007E, lower-case \uXXXX pairs */
    ACI_JSON_DOTNET /* the table of System.Text.Json's default encoder: docs/formats/semantic-kernel.md */
} aci_json_profile;

typedef enum aci_writer_mode { /* what becomes of the bytes that are written */
                               ACI_JW_PLAIN,
                               ACI_JW_QUOTED,
                               ACI_JW_ENCODED
} aci_writer_mode;

typedef struct aci_json_writer {
    agentchat_sink *sink;
    char *window;
    size_t used, cap;
    uint64_t written; /* bytes handed to the sink */
    aci_json_profile profile;
    uint32_t indent;  /* spaces per level; 0: compact */
    uint32_t depth;   /* open containers; counted anew inside a quoted or encoded part */
    uint32_t deepest; /* of any document written, not counting what is inside raw values */
    bool comma;       /* the next member or element needs one before it */
    bool named;       /* a key was written, its value is due */
    bool newline;     /* aci_writer_newline() was called and nothing written since */
    uint32_t inline_; /* what is written now stays on one line (inside aci_writer_inline) */
    bool straight;    /* compact and not in a wrapped part: tokens may be put right into the window */
    aci_writer_mode mode;
    uint32_t outer_depth;   /* of the document around a quoted or encoded part */
    unsigned char carry[3]; /* bytes that wait for the rest of their base64 group */
    uint32_t carry_len;
    agentchat_status status;
    agentchat_error *err;
    const agentchat_env *env;
} aci_json_writer;

agentchat_status aci_writer_begin(aci_json_writer *w, const agentchat_env *env, agentchat_sink *sink,
                                  aci_json_profile profile, uint32_t indent, agentchat_error *err);
/* Hands the rest of the window to the sink (no commit) and releases the window. */
agentchat_status aci_writer_end(aci_json_writer *w);

void aci_writer_object_begin(aci_json_writer *w);
void aci_writer_object_end(aci_json_writer *w);
void aci_writer_array_begin(aci_json_writer *w);
void aci_writer_array_end(aci_json_writer *w);
void aci_writer_key(aci_json_writer *w, agentchat_str key); /* any text, escaped */
/* A key known to need no escape in any profile, given with quotes and colon: ACI_JW_KEY("role"). */
void aci_writer_fixed_key(aci_json_writer *w, const char *quoted_with_colon, size_t len);
#define ACI_JW_KEY(w, literal) aci_writer_fixed_key((w), "\"" literal "\":", sizeof(literal) + 2)
void aci_writer_string(aci_json_writer *w, agentchat_str text);
/* A fixed key and its value in one call: nearly all that is written. */
void aci_writer_string_member(aci_json_writer *w, const char *quoted_with_colon, size_t len, agentchat_str text);
void aci_writer_raw_member(aci_json_writer *w, const char *quoted_with_colon, size_t len, agentchat_str json);
#define ACI_JW_STRING_MEMBER(w, literal, text)                                                                         \
    aci_writer_string_member((w), "\"" literal "\":", sizeof(literal) + 2, (text))
/* Opens an object whose first member is given as it is written: `"type":"text"`. Compact, whatever the layout. */
void aci_writer_object_begin_with(aci_json_writer *w, agentchat_str member);
/* A fixed key and the bracket that opens its value. */
void aci_writer_object_member(aci_json_writer *w, const char *quoted_with_colon, size_t len);
void aci_writer_array_member(aci_json_writer *w, const char *quoted_with_colon, size_t len);
void aci_writer_base64_text(aci_json_writer *w, agentchat_str base64); /* a string, no escaping needed */
void aci_writer_base64_bytes(aci_json_writer *w, agentchat_str bytes); /* encoded on the way */
void aci_writer_raw(aci_json_writer *w, agentchat_str json);           /* a value, verbatim */
void aci_writer_u64(aci_json_writer *w, uint64_t value);
void aci_writer_bool(aci_json_writer *w, bool value);
void aci_writer_null(aci_json_writer *w);
/* A line end before whatever is written next (after its comma): for the one-line-per-message layout of format 1. */
void aci_writer_newline(aci_json_writer *w);
/* Compact from here on / as before again; may be nested once (arrays on one line in an indented document). */
void aci_writer_inline_begin(aci_json_writer *w);
void aci_writer_inline_end(aci_json_writer *w);
/* Between begin and end everything that is written becomes the content of one JSON string (a value), escaped in the
   writer's profile: a document inside a string, compact, with its own depth. Costs no buffer of its size. Must not be
   nested. */
void aci_writer_quoted_begin(aci_json_writer *w);
void aci_writer_quoted_end(aci_json_writer *w);
/* Base64 of everything written between, as one string value. Must not be nested in quoted or itself. */
void aci_writer_encoded_begin(aci_json_writer *w);
void aci_writer_encoded_end(aci_json_writer *w);

/* Length of the prefix of text that needs no escape in a profile. Vectorised; has a scalar fallback, which tests
   compare it with. */
size_t aci_json_plain_prefix(const char *text, size_t len, aci_json_profile profile);
size_t aci_json_plain_prefix_portable(const char *text, size_t len, aci_json_profile profile);

#endif
