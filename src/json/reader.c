/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pull reader.
 *
 * Invariants: cursor never passes end; after a failure (status < 0) nothing moves any more; every open container has a
 * frame; lines are counted where whitespace is skipped, since a raw line end can stand nowhere else.
 */
#include "json/reader.h"

#include "base/b64.h"
#include "base/error.h"
#include "json/reader_internal.h"

enum { INLINE_FRAMES = sizeof(((aci_json_reader *)NULL)->inline_frames) / sizeof(aci_json_frame) };

/* ---- begin and end -------------------------------------------------------------------------------------------- */

void aci_json_begin(aci_json_reader *r, const aci_json_options *options, char *data, size_t len, agentchat_error *err)
{
    static const aci_json_options none = {0};

    r->options = options != NULL ? *options : none;
    r->options.env = aci_env(r->options.env);
    r->begin = r->cursor = r->line_start = data;
    r->end = data + len;
    r->line = 1;
    r->token = NULL;
    r->token_line = 0;
    r->token_line_start = NULL;
    r->depth = 0;
    r->max_depth = r->options.max_depth != 0 ? r->options.max_depth : r->options.env->limits.max_depth;
    if (r->max_depth > ACI_JSON_HIGHEST_DEPTH)
        r->max_depth = ACI_JSON_HIGHEST_DEPTH;
    r->frames = r->inline_frames;
    r->frames_cap = INLINE_FRAMES;
    r->status = AGENTCHAT_OK;
    r->err = err;
    if ((r->options.flags & ACI_JSON_FILE) != 0 && len >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0)
        r->cursor += 3;
}

/* Whether another value begins on a line of its own. */
static bool has_lines(const aci_json_reader *r)
{
    const char *p = r->cursor;

    if ((r->options.flags & ACI_JSON_ONE_VALUE) == 0 || (*p != '{' && *p != '['))
        return false;
    while (p > r->begin && (p[-1] == ' ' || p[-1] == '\t' || p[-1] == '\r'))
        p--;
    return p > r->begin && p[-1] == '\n';
}

bool aci_json_end(aci_json_reader *r)
{
    if (r->status < 0)
        return false;
    if (r->depth != 0)
        return aci_json_fail(r, AGENTCHAT_E_INTERNAL, "a container was left open by its reader");
    if (aci_reader_skip(r) && has_lines(r))
        return aci_json_fail_at(r, (size_t)(r->cursor - r->begin), AGENTCHAT_E_SCHEMA,
                                "the input has one JSON value a line (JSON lines): lines are read of messages, items "
                                "and events, not of documents");
    if (aci_reader_skip(r))
        return aci_json_reader_unexpected(r, r->cursor, "the end of the input");
    return true;
}

agentchat_status aci_json_close(aci_json_reader *r)
{
    if (r->frames != r->inline_frames) {
        aci_free(r->options.env, r->frames, r->frames_cap * sizeof(aci_json_frame));
        r->frames = r->inline_frames;
        r->frames_cap = INLINE_FRAMES;
        r->depth = 0;
    }
    return r->status;
}

/* ---- whitespace ----------------------------------------------------------------------------------------------- */

void aci_reader_whitespace(aci_json_reader *r)
{
    const char *p = r->cursor, *end = r->end;

    while (p < end) {
        if (*p == ' ') {
            p = aci_scan_spaces(p, end);
        } else if (*p == '\n') {
            r->line++;
            r->line_start = ++p;
        } else if (*p == '\r' || *p == '\t') {
            p++;
        } else {
            break;
        }
    }
    r->cursor = p;
}

/* ---- containers ----------------------------------------------------------------------------------------------- */

uint32_t aci_reader_levels_left(const aci_json_reader *r)
{
    uint64_t used = (uint64_t)r->depth + r->options.depth_used;

    return used < r->max_depth ? r->max_depth - (uint32_t)used : 0;
}

static bool grow_frames(aci_json_reader *r)
{
    size_t cap = r->frames_cap * 2;
    aci_json_frame *frames = aci_alloc(r->options.env, cap * sizeof(*frames)); /* cap is bounded by the depth limit */

    if (frames == NULL)
        return aci_json_fail(r, AGENTCHAT_E_NOMEM, "out of memory");
    memcpy(frames, r->frames, r->depth * sizeof(*frames));
    if (r->frames != r->inline_frames)
        aci_free(r->options.env, r->frames, r->frames_cap * sizeof(*frames));
    r->frames = frames;
    r->frames_cap = cap;
    return true;
}

static bool wrong_kind(aci_json_reader *r, const char *wanted);

static bool open_container(aci_json_reader *r, bool is_object)
{
    aci_json_frame *frame;

    if (r->status < 0)
        return false;
    if (!aci_reader_skip(r) || *r->cursor != (is_object ? '{' : '['))
        return wrong_kind(r, is_object ? "an object" : "an array");
    aci_reader_mark(r);
    if (aci_reader_levels_left(r) == 0)
        return aci_json_reader_too_deep(r);
    if (r->depth == r->frames_cap && !grow_frames(r))
        return false;
    frame = &r->frames[r->depth++];
    *frame = (aci_json_frame){NULL, 0, r->cursor, r->line_start, r->line, is_object, true, false, false};
    r->cursor++;
    return true;
}

/* Leaves a container: the location is again that of the container itself. Always false, as member and element want
   it. */
static bool close_container(aci_json_reader *r)
{
    const aci_json_frame *frame = &r->frames[--r->depth];

    r->cursor++;
    r->token = frame->start;
    r->token_line = frame->line;
    r->token_line_start = frame->line_start;
    return false;
}

bool aci_json_object(aci_json_reader *r)
{
    return open_container(r, true);
}

bool aci_json_array(aci_json_reader *r)
{
    return open_container(r, false);
}

/* Goes to the next member or element. False at the closing bracket or on failure. */
static inline bool next_in(aci_json_reader *r, aci_json_frame *frame, char closing, const char *wanted)
{
    frame->inside = false;
    if (!aci_reader_skip(r))
        return aci_json_reader_unexpected(r, r->cursor, wanted);
    if (*r->cursor == closing)
        return close_container(r);
    if (frame->first) {
        frame->first = false;
        return true;
    }
    if (*r->cursor != ',')
        return aci_json_reader_unexpected(r, r->cursor, wanted);
    r->cursor++;
    (void)aci_reader_skip(r);
    return true;
}

static inline bool begin_string(aci_json_reader *r, agentchat_str *out);

static inline bool member(aci_json_reader *r, agentchat_str *key, bool raw)
{
    aci_json_frame *frame;

    *key = (agentchat_str){NULL, 0};
    if (r->status < 0)
        return false;
    if (r->depth == 0 || !r->frames[r->depth - 1].is_object)
        return aci_json_fail(r, AGENTCHAT_E_INTERNAL, "a member was asked for outside an object");
    frame = &r->frames[r->depth - 1];
    if (!next_in(r, frame, '}', "',' or '}'"))
        return false;
    if (r->cursor == r->end || *r->cursor != '"')
        return aci_json_reader_unexpected(r, r->cursor, "the name of a member");
    aci_reader_mark(r);
    if (raw) {
        const char *bad, *close = aci_lex_string(r->cursor + 1, r->end, &bad);

        if (close == NULL)
            return aci_json_reader_bad_string(r, bad);
        *key = (agentchat_str){r->cursor + 1, (size_t)(close - r->cursor) - 1};
        r->cursor = close + 1;
    } else if (!begin_string(r, key)) {
        return false;
    }
    frame->key = key->ptr;
    frame->key_len = key->len;
    frame->raw_key = raw;
    frame->inside = true;
    if (r->cursor < r->end && *r->cursor == ':') {
        r->cursor++;
        return true;
    }
    if (!aci_reader_skip(r) || *r->cursor != ':')
        return aci_json_reader_unexpected(r, r->cursor, "':'");
    r->cursor++;
    return true;
}

bool aci_json_member(aci_json_reader *r, agentchat_str *key)
{
    return member(r, key, false);
}

bool aci_reader_member_raw(aci_json_reader *r)
{
    agentchat_str key;

    return member(r, &key, true);
}

bool aci_json_element(aci_json_reader *r)
{
    aci_json_frame *frame;
    bool first;

    if (r->status < 0)
        return false;
    if (r->depth == 0 || r->frames[r->depth - 1].is_object)
        return aci_json_fail(r, AGENTCHAT_E_INTERNAL, "an element was asked for outside an array");
    frame = &r->frames[r->depth - 1];
    first = frame->first;
    if (!next_in(r, frame, ']', "',' or ']'"))
        return false;
    if (!first)
        frame->key_len++;
    frame->inside = true;
    return true;
}

/* ---- scalars -------------------------------------------------------------------------------------------------- */

aci_json_kind aci_json_peek(aci_json_reader *r)
{
    aci_json_kind kind;

    if (r->status < 0)
        return ACI_JSON_ERROR;
    kind = aci_reader_skip(r) ? aci_reader_kind(*r->cursor) : ACI_JSON_ERROR;
    if (kind == ACI_JSON_ERROR)
        (void)aci_json_reader_unexpected(r, r->cursor, "a value");
    return kind;
}

/* The next value is not of the kind that was asked for; what only begins like a scalar is no value at all. Always
   false. */
static bool wrong_kind(aci_json_reader *r, const char *wanted)
{
    static const char *const names[] = {"", "an object", "an array", "a string", "a number", "true", "false", "null"};
    aci_json_kind kind = aci_json_peek(r);
    const char *start = r->cursor;

    if (kind == ACI_JSON_ERROR)
        return false;
    if (kind != ACI_JSON_OBJECT && kind != ACI_JSON_ARRAY && !aci_reader_scalar(r, kind))
        return false;
    r->cursor = start;
    aci_reader_mark(r);
    return aci_json_fail(r, AGENTCHAT_E_SCHEMA, "expected %s, found %s", wanted, names[kind]);
}

/* begin_string() for any string. */
static bool begin_any_string(aci_json_reader *r, agentchat_str *out)
{
    const char *content = r->cursor + 1;
    const char *p = aci_scan_text(content, r->end);

    if (p < r->end && *p == '"') {
        *out = (agentchat_str){content, (size_t)(p - content)};
        r->cursor = p + 1;
        return true;
    }
    if (p < r->end && *p == '\\')
        return aci_json_reader_decode(r, p, out);
    return aci_json_reader_bad_string(r, p);
}

/* The cursor stands on the opening quote. */
static inline bool begin_string(aci_json_reader *r, agentchat_str *out)
{
    const char *content = r->cursor + 1;
    const char *close = aci_lex_string_short(content, r->end);

    if (close == NULL)
        return begin_any_string(r, out);
    *out = (agentchat_str){content, (size_t)(close - content)};
    r->cursor = close + 1;
    return true;
}

bool aci_json_string(aci_json_reader *r, agentchat_str *out)
{
    *out = (agentchat_str){NULL, 0};
    if (r->status < 0)
        return false;
    if (!aci_reader_skip(r) || *r->cursor != '"')
        return wrong_kind(r, "a string");
    aci_reader_mark(r);
    return begin_string(r, out);
}

bool aci_json_plain_base64(aci_json_reader *r, agentchat_str *out)
{
    const char *content, *p;
    size_t len, tail, bad;

    *out = (agentchat_str){NULL, 0};
    if (r->status < 0 || !aci_reader_skip(r) || *r->cursor != '"')
        return false;
    content = r->cursor + 1;
    p = content + aci_b64_alphabet_prefix(content, (size_t)(r->end - content));
    while (p < r->end && *p == '=')
        p++;
    if (p >= r->end || *p != '"')
        return false;
    len = (size_t)(p - content);
    tail = len % 4 == 0 && len > 0 ? 4 : len;
    /* The last four characters decide, the others were seen to be of the alphabet. */
    if (!aci_b64_check((agentchat_str){p - tail, tail}, &bad))
        return false;
    aci_reader_mark(r);
    *out = (agentchat_str){content, len};
    r->cursor = p + 1;
    return true;
}

bool aci_json_base64(aci_json_reader *r, agentchat_str *out)
{
    const char *content;
    size_t bad;
    bool spelled_out;

    if (aci_json_plain_base64(r, out))
        return true;
    if (r->status < 0)
        return false;
    if (!aci_reader_skip(r) || *r->cursor != '"')
        return wrong_kind(r, "a string of base64");
    content = r->cursor + 1;
    if (!aci_json_string(r, out))
        return false;
    if (aci_b64_check(*out, &bad))
        return true;
    spelled_out = out->ptr == content && r->cursor == content + out->len + 1;
    (void)aci_json_fail_at(r, (size_t)(content - r->begin) + (spelled_out ? bad : 0) - (spelled_out ? 0 : 1),
                           AGENTCHAT_E_SCHEMA,
                           bad < out->len ? "base64 has an invalid character at byte %zu of the value"
                                          : "base64 ends too early, at byte %zu of the value",
                           bad);
    *out = (agentchat_str){NULL, 0};
    return false;
}

bool aci_json_bool(aci_json_reader *r, bool *out)
{
    *out = false;
    if (r->status < 0)
        return false;
    if (!aci_reader_skip(r) || (*r->cursor != 't' && *r->cursor != 'f'))
        return wrong_kind(r, "true or false");
    *out = *r->cursor == 't';
    return *out ? aci_reader_word(r, "true", 4) : aci_reader_word(r, "false", 5);
}

bool aci_json_null(aci_json_reader *r)
{
    if (r->status < 0)
        return false;
    if (!aci_reader_skip(r) || *r->cursor != 'n')
        return wrong_kind(r, "null");
    return aci_reader_word(r, "null", 4);
}

bool aci_json_u64(aci_json_reader *r, uint64_t *out)
{
    const char *p, *after, *bad;
    uint64_t value = 0;

    *out = 0;
    if (r->status < 0)
        return false;
    if (!aci_reader_skip(r) || aci_reader_kind(*r->cursor) != ACI_JSON_NUMBER)
        return wrong_kind(r, "an integer");
    aci_reader_mark(r);
    after = aci_lex_number(r->cursor, r->end, &bad);
    if (after == NULL)
        return aci_json_reader_bad_number(r, bad);
    for (p = r->cursor; p < after; p++) {
        unsigned digit = (unsigned)(*p - '0');

        if (digit > 9)
            return aci_json_fail(r, AGENTCHAT_E_SCHEMA, "expected a plain non-negative integer");
        if (__builtin_mul_overflow(value, (uint64_t)10, &value) || __builtin_add_overflow(value, digit, &value))
            return aci_json_fail(r, AGENTCHAT_E_SCHEMA, "the integer does not fit into 64 bits");
    }
    *out = value;
    r->cursor = after;
    return true;
}

/* ---- positions ------------------------------------------------------------------------------------------------ */

bool aci_json_match(aci_json_reader *r, agentchat_str span)
{
    const char *after;
    char next;

    if (r->status < 0 || span.len == 0 || !aci_reader_skip(r) || (size_t)(r->end - r->cursor) < span.len ||
        memcmp(r->cursor, span.ptr, span.len) != 0)
        return false;
    after = r->cursor + span.len;
    next = after < r->end ? *after : ' ';
    if (next != ',' && next != ']' && next != '}' && next != ' ' && next != '\n' && next != '\r' && next != '\t')
        return false;
    aci_reader_mark(r);
    for (const char *p = r->cursor; (p = memchr(p, '\n', (size_t)(after - p))) != NULL;) {
        r->line++;
        r->line_start = ++p;
    }
    r->cursor = after;
    return true;
}

size_t aci_json_offset(aci_json_reader *r)
{
    if (r->status >= 0)
        (void)aci_reader_skip(r);
    return (size_t)(r->cursor - r->begin);
}
