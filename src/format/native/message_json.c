/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message, or a list of them, as JSON of format 1: the reader and the writer of documents, with that as the whole
 * document.
 */
#include "format/native/message_json.h"

#include "format/native/chat.h"

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static void write_message(aci_native_writer *f, const void *message)
{
    aci_native_write_message(f, message);
}

static void write_list(aci_native_writer *f, const void *what)
{
    const agentchat_messages *list = what;
    aci_list_cursor cursor;

    aci_list_cursor_begin(&cursor, list);
    aci_writer_array_begin(&f->w);
    for (size_t i = 0; i < list->count && f->w.status >= 0; i++)
        aci_native_write_message(f, aci_list_cursor_at(&cursor, i));
    aci_writer_array_end(&f->w);
}

agentchat_status aci_message_json_write(const agentchat_env *env, const agentchat_message *message, aci_buf *out,
                                        agentchat_error *err)
{
    return aci_native_write_text_of(env, write_message, message, out, err);
}

typedef struct parted {
    const agentchat_message *message;
    const aci_message_apart *apart;
} parted;

static void write_parted(aci_native_writer *f, const void *what)
{
    const parted *p = what;

    f->apart = p->apart;
    aci_native_write_message(f, p->message);
}

agentchat_status aci_message_json_write_apart(const agentchat_env *env, const agentchat_message *message,
                                              const aci_message_apart *apart, aci_buf *out, agentchat_error *err)
{
    parted p = {message, apart};

    return aci_native_write_text_of(env, write_parted, &p, out, err);
}

agentchat_status aci_message_json_write_list(const agentchat_env *env, const agentchat_messages *list, aci_buf *out,
                                             agentchat_error *err)
{
    return aci_native_write_text_of(env, write_list, list, out, err);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static const aci_json_options in_place = {.flags = ACI_JSON_IN_PLACE};

static agentchat_status end_reading(aci_native_input *input, agentchat_error *err)
{
    agentchat_status status = aci_native_input_end(input);

    if (status < 0 && err != NULL && err->code == 0)
        *err = input->detail;
    return status;
}

agentchat_status aci_message_json_read(const agentchat_env *env, agentchat_str text, agentchat_report *report,
                                       agentchat_message **out, agentchat_error *err)
{
    aci_native_input input;
    agentchat_status status = aci_native_input_begin(&input, env, text, "the message has", &in_place, report, err);

    *out = NULL;
    if (status < 0)
        return status;
    *out = aci_native_read_message(&input.f, &input.r);
    (void)(*out != NULL && aci_json_end(&input.r));
    status = end_reading(&input, err);
    if (status >= 0)
        return status; /* the reference on the arena is the message's */
    *out = NULL;
    aci_arena_unref(input.in.arena);
    return status;
}

agentchat_status aci_message_json_read_list(const agentchat_env *env, agentchat_str text, agentchat_report *report,
                                            agentchat_messages *out, agentchat_error *err)
{
    aci_native_input input;
    aci_native_reader *f = &input.f;
    agentchat_status status = aci_native_input_begin(&input, env, text, "the messages have", &in_place, report, err);

    if (status < 0)
        return status;
    if (aci_native_read_messages(f, &input.r) && aci_json_end(&input.r) &&
        !aci_list_from_arena(out, f->in->env, f->in->arena, f->messages, f->message_count))
        aci_native_nomem(&input.r);
    status = end_reading(&input, err);
    aci_arena_unref(input.in.arena); /* the list has its own reference, unless it is empty */
    return status;
}
