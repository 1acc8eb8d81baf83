/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Option 3 of the decision record: option 2 with each discrete state in base64. The states are decoded, and what that
 * gives is read as option 2. What is wrong there is reported where the document has it: a state as a whole.
 */
#include "format/semantic_kernel/semantic_kernel.h"

#include "base/b64.h"
#include "base/error.h"
#include "base/utf8.h"
#include "io/stream.h"
#include "json/reader.h"
#include "json/value.h"

/* A piece of the decoded document, and where it stands in the original one. */
typedef struct piece {
    size_t to, from;
    bool is_decoded;
} piece;

typedef struct encoded {
    aci_read *in;
    aci_json_reader r;
    aci_buf out, pieces;
} encoded;

static bool nomem(encoded *e)
{
    return aci_json_fail(&e->r, AGENTCHAT_E_NOMEM, "out of memory");
}

static bool begin_piece(encoded *e, size_t from, bool is_decoded)
{
    const piece next = {e->out.len, from, is_decoded};

    return aci_buf_add(&e->pieces, (const char *)&next, sizeof next) || nomem(e);
}

static bool put(encoded *e, const char *text)
{
    return aci_buf_add(&e->out, text, strlen(text)) || nomem(e);
}

/* A value as it stands. */
static bool copy(encoded *e)
{
    agentchat_str raw;

    return begin_piece(e, aci_json_offset(&e->r), false) && aci_json_raw(&e->r, &raw) &&
           (aci_buf_add_str(&e->out, raw) || nomem(e));
}

/* Whether a text is JSON; a container, where it may be any text. */
static agentchat_status check_text(encoded *e, agentchat_str text, bool may_be_text, bool *is_json,
                                   agentchat_error *err)
{
    aci_json_kind kind = ACI_JSON_ERROR;
    agentchat_str span;
    agentchat_status status;

    if (!aci_utf8_is_valid(text, false))
        return aci_fail(err, AGENTCHAT_E_SCHEMA, "the decoded text is not UTF-8");
    status = aci_json_check(e->in->env, text, e->in->limits.max_depth, &span, &kind, err);
    *is_json = status >= 0 && (!may_be_text || kind == ACI_JSON_ARRAY || kind == ACI_JSON_OBJECT);
    return status == AGENTCHAT_E_SYNTAX && may_be_text ? AGENTCHAT_OK : status;
}

/* A string of base64 as the JSON that it holds, or as a string, where it may hold any text. */
static bool decode(encoded *e, bool may_be_text)
{
    size_t at = aci_json_offset(&e->r), len;
    agentchat_str base64, text;
    agentchat_error detail;
    agentchat_status status;
    bool is_json = false;
    char *bytes;

    if (!begin_piece(e, at, true) || !aci_json_base64(&e->r, &base64))
        return false;
    len = aci_b64_decoded_size(base64);
    bytes = aci_alloc(e->in->env, len + 1);
    if (bytes == NULL)
        return nomem(e);
    aci_b64_decode(base64, bytes);
    text = (agentchat_str){bytes, len};
    agentchat_error_clear(&detail);
    status = check_text(e, text, may_be_text, &is_json, &detail);
    if (status < 0)
        (void)aci_json_fail_at(&e->r, at, status, "%s", detail.message);
    else if (!(is_json ? aci_buf_add_str(&e->out, text) : aci_json_canonical_string(text, &e->out)))
        (void)nomem(e);
    aci_free(e->in->env, bytes, len + 1);
    return e->r.status >= 0;
}

/* One that stands there as it is, or in base64. */
static bool copy_or_decode(encoded *e)
{
    return aci_json_peek(&e->r) == ACI_JSON_STRING ? decode(e, false) : copy(e);
}

static bool put_name(encoded *e, agentchat_str name, bool is_first)
{
    return ((is_first || aci_buf_add(&e->out, ",", 1)) && aci_json_canonical_string(name, &e->out) &&
            aci_buf_add(&e->out, ":", 1)) ||
           nomem(e);
}

static bool read_channel(encoded *e)
{
    agentchat_str name;
    bool ok = true;

    if (aci_json_peek(&e->r) != ACI_JSON_OBJECT)
        return copy(e);
    if (!put(e, "{") || !aci_json_object(&e->r))
        return false;
    for (bool is_first = true; ok && aci_json_member(&e->r, &name); is_first = false)
        ok = put_name(e, name, is_first) &&
             (agentchat_str_equal(name, AGENTCHAT_STR("channelstate")) ? decode(e, true) : copy(e));
    return ok && !aci_json_failed(&e->r) && put(e, "}");
}

static bool read_list(encoded *e, bool (*read)(encoded *))
{
    bool ok = true;

    if (aci_json_peek(&e->r) != ACI_JSON_ARRAY)
        return copy(e);
    if (!put(e, "[") || !aci_json_array(&e->r))
        return false;
    for (bool is_first = true; ok && aci_json_element(&e->r); is_first = false)
        ok = (is_first || put(e, ",")) && read(e);
    return ok && !aci_json_failed(&e->r) && put(e, "]");
}

static bool read_chat(encoded *e)
{
    size_t begin = aci_json_offset(&e->r);
    bool ok = true, has_history = false;
    agentchat_str name;

    if (!put(e, "{") || !aci_json_object(&e->r))
        return false;
    for (bool is_first = true; ok && aci_json_member(&e->r, &name); is_first = false) {
        has_history = has_history || agentchat_str_equal(name, AGENTCHAT_STR("history"));
        ok = put_name(e, name, is_first) &&
             (agentchat_str_equal(name, AGENTCHAT_STR("history"))        ? copy_or_decode(e)
              : agentchat_str_equal(name, AGENTCHAT_STR("participants")) ? read_list(e, copy_or_decode)
              : agentchat_str_equal(name, AGENTCHAT_STR("channels"))     ? read_list(e, read_channel)
                                                                         : copy(e));
    }
    if (ok && !aci_json_failed(&e->r) && !has_history)
        return aci_json_fail_at(&e->r, begin, AGENTCHAT_E_SCHEMA,
                                "the object is no encoded state of a chat: it has no \"agentchat\" and no \"history\"");
    return ok && !aci_json_failed(&e->r) && put(e, "}");
}

/* Where the original document has what stands at an offset of the decoded one. */
static size_t origin_of(const encoded *e, size_t offset)
{
    const piece *list = (const piece *)(const void *)e->pieces.ptr;
    size_t low = 0, high = e->pieces.len / sizeof *list;

    while (low < high) { /* the first piece that begins after it */
        size_t middle = low + (high - low) / 2;

        if (list[middle].to <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? 0 : list[low - 1].from + (list[low - 1].is_decoded ? 0 : offset - list[low - 1].to);
}

static agentchat_status read_decoded(encoded *e, agentchat_snapshot **out, agentchat_error *err)
{
    aci_read in = *e->in;
    agentchat_status status;

    in.len = e->out.len;
    in.data = aci_arena_alloc(in.arena, in.len + ACI_READ_PADDING);
    if (in.data == NULL)
        return aci_fail_nomem(err);
    memcpy(in.data, e->out.ptr, in.len);
    memset(in.data + in.len, 0, ACI_READ_PADDING);
    status = aci_sk_read(&in, out, err);
    e->in->report = in.report;
    if (status < 0 && err != NULL)
        aci_error_at_offset(err, (agentchat_str){e->in->data, e->in->len}, origin_of(e, (size_t)err->offset));
    return status;
}

agentchat_status aci_sk_encoded_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err)
{
    const aci_json_options options = {.env = in->env,
                                      .arena = in->arena,
                                      .max_depth = in->limits.max_depth,
                                      .source = in->source,
                                      .flags = ACI_JSON_FILE | ACI_JSON_ONE_VALUE};
    encoded e = {.in = in};
    agentchat_status status = AGENTCHAT_OK, closed;

    *out = NULL;
    aci_buf_init(&e.out, in->env, SIZE_MAX);
    aci_buf_init(&e.pieces, in->env, SIZE_MAX);
    aci_json_begin(&e.r, &options, in->data, in->len, err);
    if (read_chat(&e) && aci_json_end(&e.r))
        status = read_decoded(&e, out, err);
    closed = aci_json_close(&e.r);
    aci_buf_clear(&e.out);
    aci_buf_clear(&e.pieces);
    return closed < 0 ? closed : status;
}
