/* SPDX-License-Identifier: Apache-2.0 */
/* A message as plain text. */
#include "view/message_text.h"

#include "base/b64.h"
#include "base/sha256.h"
#include "io/stream.h"
#include "view/json_text.h"
#include <string.h>

enum { DEEPEST = 24 }; /* messages inside messages that are indented */

typedef struct writing {
    aci_html h; /* of plain text */
    size_t depth;
} writing;

static bool has(agentchat_str text)
{
    return text.ptr != NULL && !agentchat_str_is_null(text);
}

static void put_c(writing *w, const char *text)
{
    aci_html_raw(&w->h, text, strlen(text));
}

static void begin_line(writing *w, const char *name)
{
    for (size_t i = 0; i < w->depth && i < DEEPEST; i++)
        put_c(w, "  ");
    put_c(w, name);
    put_c(w, ": ");
}

/* A JSON string as its text, anything else indented. */
static void put_json(writing *w, agentchat_str json)
{
    if (json.len == 0 || json.ptr[0] != '"') {
        aci_view_json(&w->h, json);
        return;
    }
    aci_view_json_string(&w->h, json);
}

static void put_field(writing *w, const aci_field *field)
{
    agentchat_str value = aci_field_view(field);

    begin_line(w, aci_field_name((agentchat_field)field->id));
    if (!has(value))
        put_c(w, "null");
    else if (field->form == ACI_FORM_JSON)
        put_json(w, value);
    else
        aci_html_text(&w->h, value);
    put_c(w, "\n");
}

/* Without the form mark, which says nothing about what was said. */
static void put_fields(writing *w, const aci_field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fields[i].id != AGENTCHAT_FIELD_FORM)
            put_field(w, &fields[i]);
}

static void put_extras(writing *w, const aci_extras *extras)
{
    for (size_t i = 0; extras != NULL && i < extras->count; i++) {
        begin_line(w, "extra");
        aci_html_text(&w->h, extras->list[i].name);
        put_c(w, " ");
        put_json(w, extras->list[i].value);
        put_c(w, "\n");
    }
}

/* The digest of the data's base64, in whichever form the data came. */
static bool digest_of(const aci_data *data, unsigned char out[32])
{
    enum { PIECE = 3 * 1024 };
    char text[PIECE / 3 * 4 + 4];
    aci_sha256 sha;
    bool ok;

    if (data->base64.ptr != NULL)
        return aci_sha256_of(data->base64.ptr, data->base64.len, out);
    ok = aci_sha256_begin(&sha);
    if (!ok)
        return false;
    for (size_t at = 0; ok && at < data->bytes.len; at += PIECE) {
        size_t len = data->bytes.len - at < PIECE ? data->bytes.len - at : PIECE;

        aci_b64_encode(data->bytes.ptr + at, len, text);
        ok = aci_sha256_add(&sha, text, aci_b64_encoded_size(len));
    }
    return aci_sha256_end(&sha, ok ? out : NULL) && ok;
}

static void put_data(writing *w, const agentchat_item *item)
{
    static const char hex[] = "0123456789abcdef";
    const aci_data *data = aci_data_of(item);
    unsigned char digest[32] = {0};

    if (data == NULL)
        return;
    begin_line(w, "data");
    aci_html_u64(&w->h, agentchat_item_data_size(item));
    put_c(w, " bytes, ");
    if (!digest_of(data, digest))
        aci_html_fail(&w->h, AGENTCHAT_E_NOMEM, "out of memory");
    for (size_t i = 0; w->h.status >= 0 && i < 8; i++) {
        aci_html_raw(&w->h, &hex[digest[i] >> 4], 1);
        aci_html_raw(&w->h, &hex[digest[i] & 15], 1);
    }
    put_c(w, "\n");
}

static void put_message(writing *w, const agentchat_message *message);

static void put_item(writing *w, const agentchat_item *item)
{
    const char *kind = aci_item_kind_name((agentchat_item_kind)item->kind);

    if (item->kind != AGENTCHAT_ITEM_TEXT) {
        begin_line(w, "item");
        put_c(w, kind != NULL ? kind : "unknown");
        put_c(w, "\n");
    }
    put_fields(w, item->fields, item->field_count);
    put_data(w, item);
    put_extras(w, item->extras);
    if (aci_item_nested(item) != NULL) {
        w->depth++;
        put_message(w, item->u.message);
        w->depth--;
    }
}

static void put_message(writing *w, const agentchat_message *message)
{
    put_fields(w, message->fields, message->field_count);
    put_extras(w, message->extras);
    for (size_t i = 0; w->h.status >= 0 && i < message->item_count; i++)
        put_item(w, message->items[i]);
}

/* Writes one of the two; the other is absent. */
static agentchat_status write_text(const agentchat_message *message, agentchat_str json, const agentchat_env *env,
                                   agentchat_bytes *out, agentchat_error *err)
{
    agentchat_sink *sink = NULL;
    writing w = {.depth = 0};
    agentchat_status status = agentchat_sink_memory(env, out, &sink, err);

    if (status < 0)
        return status;
    (void)aci_html_begin(&w.h, env, sink, err); /* a failure sticks */
    w.h.is_text = true;
    if (message != NULL)
        put_message(&w, message);
    else
        aci_view_json(&w.h, json);
    status = aci_html_end(&w.h);
    if (status >= 0)
        status = aci_sink_commit(sink, err);
    agentchat_sink_free(sink);
    return status;
}

agentchat_status aci_message_text(const agentchat_message *message, const agentchat_env *env, agentchat_bytes *out,
                                  agentchat_error *err)
{
    return write_text(message, (agentchat_str){NULL, 0}, env, out, err);
}

agentchat_status aci_message_text_of_json(agentchat_str json, const agentchat_env *env, agentchat_bytes *out,
                                          agentchat_error *err)
{
    return write_text(NULL, json, env, out, err);
}
