/* SPDX-License-Identifier: Apache-2.0 */
/* Edit lists that only remove: what a test chooses, all but the last messages. */
#include "list_edit/list_edit.h"
#include "list_edit/shared.h"

#include "base/error.h"
#include <string.h>

/* A list and where the edit list goes, checked. */
static agentchat_status begin(const agentchat_env *env, const agentchat_messages *messages, agentchat_list_edit **out,
                              agentchat_error *err)
{
    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    return messages != NULL ? agentchat_list_edit_new(env, messages->count, out, err) : aci_fail_null(err, "messages");
}

static agentchat_status end(agentchat_status status, agentchat_list_edit **out)
{
    if (status < 0) {
        agentchat_list_edit_free(*out);
        *out = NULL;
    }
    return status;
}

agentchat_status agentchat_messages_remove_if(const agentchat_env *env, const agentchat_messages *messages,
                                              agentchat_message_test_fn test, void *user, agentchat_list_edit **out,
                                              agentchat_error *err)
{
    agentchat_status status = begin(env, messages, out, err);
    aci_list_cursor cursor;

    if (status < 0)
        return status;
    if (test == NULL)
        return end(aci_fail_null(err, "test"), out);
    aci_list_cursor_begin(&cursor, messages);
    for (size_t i = 0; status >= 0 && i < messages->count; i++)
        if (test(user, aci_list_cursor_at(&cursor, i)))
            status = agentchat_list_edit_remove(*out, i, 1, err);
    return end(status, out);
}

bool agentchat_messages_find_id(const agentchat_messages *messages, agentchat_str id, size_t *index)
{
    for (size_t i = agentchat_messages_count(messages); i-- > 0;) {
        agentchat_str given = agentchat_message_get(agentchat_messages_at(messages, i), AGENTCHAT_FIELD_ID);

        if (id.ptr != NULL && given.ptr != NULL && !agentchat_str_is_null(given) && agentchat_str_equal(given, id)) {
            if (index != NULL)
                *index = i;
            return true;
        }
    }
    return false;
}

agentchat_status agentchat_messages_keep_last(const agentchat_env *env, const agentchat_messages *messages,
                                              size_t count, agentchat_list_edit **out, agentchat_error *err)
{
    agentchat_status status = begin(env, messages, out, err);
    bool *flags; /* whether each stays, and memory for as many */
    aci_pairs pairs;
    size_t bytes;

    if (status < 0)
        return status;
    flags = aci_alloc_array(aci_env(env), messages->count + 1, 2 * sizeof *flags, &bytes);
    if (flags == NULL)
        return end(aci_fail_nomem(err), out);
    status = aci_pairs_find(&pairs, env, messages, err);
    if (status >= 0) {
        for (size_t i = 0; i < messages->count; i++)
            flags[i] = messages->count - i <= count;
        aci_pairs_complete(&pairs, flags, flags + messages->count);
        status = aci_list_edit_keep_flagged(*out, flags, err);
        aci_pairs_clear(&pairs);
    }
    aci_free(aci_env(env), flags, bytes);
    return end(status, out);
}
