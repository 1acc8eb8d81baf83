/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a text that is no document: a message, a list of them, an event. */
#include "format/native/chat.h"

#include "base/checked.h"
#include "base/error.h"

/* Room for the text, the zero bytes after it, and about what is made of it. */
static size_t first_block(size_t len)
{
    size_t size;

    return aci_add(len, len / 2, &size) && aci_add(size, 1024, &size) ? size : len;
}

agentchat_status aci_native_input_begin(aci_native_input *input, const agentchat_env *env, agentchat_str text,
                                        const char *who_has, const aci_json_options *options, agentchat_report *report,
                                        agentchat_error *err)
{
    aci_json_options all = *options;
    size_t size;

    env = aci_env(env);
    input->in = (aci_read){.env = env, .len = text.len, .limits = env->limits, .report = report};
    if (text.len > env->limits.max_bytes)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "%s more than %llu bytes", who_has,
                        (unsigned long long)env->limits.max_bytes);
    input->in.arena = aci_arena_new(env, first_block(text.len));
    if (input->in.arena != NULL && aci_add(text.len, ACI_READ_PADDING, &size))
        input->in.data = aci_arena_text(input->in.arena, size);
    if (input->in.data == NULL) {
        aci_arena_unref(input->in.arena);
        return aci_fail_nomem(err);
    }
    if (text.len > 0)
        memcpy(input->in.data, text.ptr, text.len);
    memset(input->in.data + text.len, 0, ACI_READ_PADDING);
    agentchat_error_clear(&input->detail);
    input->f = (aci_native_reader){.in = &input->in, .err = &input->detail, .messages_left = env->limits.max_messages};
    all.env = env;
    all.arena = input->in.arena;
    aci_json_begin(&input->r, &all, input->in.data, text.len, &input->detail);
    return AGENTCHAT_OK;
}

agentchat_status aci_native_input_end(aci_native_input *input)
{
    const agentchat_env *env = input->in.env;

    aci_free(env, input->f.items, input->f.item_cap * sizeof(*input->f.items));
    aci_free(env, input->f.messages, input->f.message_cap * sizeof(*input->f.messages));
    return aci_json_close(&input->r);
}
