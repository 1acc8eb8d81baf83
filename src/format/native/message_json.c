/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message, or a list of them, as JSON of format 1: the reader and the writer of documents, with that as the whole
 * document.
 */
#include "format/native/message_json.h"

#include "base/checked.h"
#include "base/error.h"
#include "format/kit/buffer_sink.h"
#include "format/native/chat.h"
#include "json/value.h"
#include <string.h>

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* One message, or a list. */
typedef struct content {
    const agentchat_message *message;
    const agentchat_messages *list;
} content;

static void write_content(aci_native_writer *f, const content *what)
{
    aci_list_cursor cursor;

    if (what->list == NULL) {
        aci_native_write_message(f, what->message);
        return;
    }
    aci_list_cursor_begin(&cursor, what->list);
    aci_writer_array_begin(&f->w);
    for (size_t i = 0; i < what->list->count && f->w.status >= 0; i++)
        aci_native_write_message(f, aci_list_cursor_at(&cursor, i));
    aci_writer_array_end(&f->w);
}

static agentchat_status write_text(const agentchat_env *env, const content *what, aci_buf *out, agentchat_error *err)
{
    aci_write target = {.env = aci_env(env)};
    aci_native_writer f = {.out = &target};
    size_t before = out->len;
    agentchat_status status = aci_buffer_sink_new(env, out, &target.sink, err);

    if (status < 0)
        return status;
    status = aci_writer_begin(&f.w, env, target.sink, ACI_JSON_UTF8, 0, err);
    if (status >= 0) {
        write_content(&f, what);
        status = aci_writer_end(&f.w);
    }
    agentchat_sink_free(target.sink);
    if (status < 0)
        out->len = before;
    return status;
}

agentchat_status aci_message_json_write(const agentchat_env *env, const agentchat_message *message, aci_buf *out,
                                        agentchat_error *err)
{
    return write_text(env, &(content){message, NULL}, out, err);
}

agentchat_status aci_message_json_write_list(const agentchat_env *env, const agentchat_messages *list, aci_buf *out,
                                             agentchat_error *err)
{
    return write_text(env, &(content){NULL, list}, out, err);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* The text in the arena, followed by the zero bytes that the reader needs, so that strings stay where they are. */
static char *copy_text(aci_arena *arena, agentchat_str text)
{
    size_t size;
    char *copy;

    if (!aci_add(text.len, ACI_READ_PADDING, &size))
        return NULL;
    copy = aci_arena_text(arena, size);
    if (copy == NULL)
        return NULL;
    if (text.len > 0)
        memcpy(copy, text.ptr, text.len);
    memset(copy + text.len, 0, ACI_READ_PADDING);
    return copy;
}

/* The messages of the array that comes next, onto the reader's stack. */
static bool read_elements(aci_native_reader *f, aci_json_reader *r)
{
    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r)) {
        agentchat_message *message = aci_native_read_message(f, r);

        if (message == NULL || !aci_native_push_message(f, r, message))
            return false;
    }
    return !aci_json_failed(r);
}

/* One message to *message or, when that is NULL, a list to *list. */
static bool read_content(aci_native_reader *f, aci_json_reader *r, agentchat_message **message,
                         agentchat_messages *list)
{
    if (message != NULL) {
        *message = aci_native_read_message(f, r);
        return *message != NULL && aci_json_end(r);
    }
    if (!read_elements(f, r) || !aci_json_end(r))
        return false;
    return aci_list_from_arena(list, f->in->env, f->in->arena, f->messages, f->message_count) || aci_native_nomem(r);
}

static agentchat_status read_copy(aci_read *in, agentchat_message **message, agentchat_messages *list,
                                  agentchat_error *err)
{
    aci_json_options options = {.env = in->env, .arena = in->arena, .flags = ACI_JSON_IN_PLACE};
    aci_native_reader f = {.in = in, .err = err, .messages_left = in->limits.max_messages};
    agentchat_status status;
    aci_json_reader r;

    aci_json_begin(&r, &options, in->data, in->len, err);
    (void)read_content(&f, &r, message, list);
    status = aci_json_close(&r);
    aci_free(in->env, f.items, f.item_cap * sizeof(*f.items));
    aci_free(in->env, f.messages, f.message_cap * sizeof(*f.messages));
    return status;
}

/* *arena has the reference of what was read; NULL on failure. */
static agentchat_status read_text(const agentchat_env *env, agentchat_str text, agentchat_report *report,
                                  aci_arena **arena, agentchat_message **message, agentchat_messages *list,
                                  agentchat_error *err)
{
    aci_read in = {.env = aci_env(env), .len = text.len, .report = report};
    size_t first_block = text.len < SIZE_MAX / 2 ? text.len + text.len / 2 + 512 : text.len;
    agentchat_error detail;
    agentchat_status status;

    *arena = NULL;
    in.limits = in.env->limits;
    if (text.len > in.limits.max_bytes)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "%s more than %llu bytes",
                        message != NULL ? "the message has" : "the messages have",
                        (unsigned long long)in.limits.max_bytes);
    in.arena = aci_arena_new(in.env, first_block);
    in.data = in.arena != NULL ? copy_text(in.arena, text) : NULL;
    if (in.data == NULL) {
        aci_arena_unref(in.arena);
        return aci_fail_nomem(err);
    }
    agentchat_error_clear(&detail);
    status = read_copy(&in, message, list, &detail);
    if (status >= 0) {
        *arena = in.arena;
        return AGENTCHAT_OK;
    }
    aci_arena_unref(in.arena);
    if (err != NULL && err->code == 0)
        *err = detail;
    return status;
}

agentchat_status aci_message_json_read(const agentchat_env *env, agentchat_str text, agentchat_report *report,
                                       agentchat_message **out, agentchat_error *err)
{
    aci_arena *arena;
    agentchat_message *message = NULL;
    agentchat_status status = read_text(env, text, report, &arena, &message, NULL, err);

    *out = status >= 0 ? message : NULL; /* the reference on the arena is the message's */
    return status;
}

agentchat_status aci_message_json_read_list(const agentchat_env *env, agentchat_str text, agentchat_report *report,
                                            agentchat_messages *out, agentchat_error *err)
{
    aci_arena *arena;
    agentchat_status status = read_text(env, text, report, &arena, NULL, out, err);

    if (status >= 0)
        aci_arena_unref(arena); /* the list has its own reference, unless it is empty */
    return status;
}
