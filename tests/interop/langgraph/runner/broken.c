/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that stand before the library's (linked with --wrap) and give wrong answers: the first message goes, too,
   one token more is counted, and so on. What the runner finds equal is what the library says, so now nothing may be. */
#include <agentchat/list_edit.h>

#define WRONG_EDIT(edit)                                                                                               \
    do {                                                                                                               \
        agentchat_error ignored;                                                                                       \
        if (status >= 0 && agentchat_list_edit_length(edit) > 0)                                                       \
            status = agentchat_list_edit_is_empty(edit) || agentchat_list_edit_result_length(edit) > 0                 \
                         ? agentchat_list_edit_remove(edit, 0, agentchat_list_edit_length(edit), &ignored)             \
                         : agentchat_list_edit_keep(edit, NULL, NULL, &ignored);                                       \
    } while (0)

typedef agentchat_status trim_fn(const agentchat_env *env, const agentchat_messages *messages,
                                 const agentchat_trim_options *options, agentchat_list_edit **out,
                                 agentchat_error *err);
typedef agentchat_status filter_fn(const agentchat_env *env, const agentchat_messages *messages,
                                   const agentchat_filter_options *options, agentchat_list_edit **out,
                                   agentchat_error *err);
typedef agentchat_status merge_fn(const agentchat_env *env, const agentchat_messages *messages,
                                  const agentchat_merge_options *options, agentchat_list_edit **out,
                                  agentchat_error *err);
typedef agentchat_status add_fn(const agentchat_env *env, const agentchat_messages *messages,
                                const agentchat_message_update *updates, size_t count, agentchat_list_edit **out,
                                agentchat_error *err);
typedef agentchat_status count_fn(const agentchat_messages *messages, agentchat_token_counter_fn counter, void *user,
                                  uint64_t *tokens, agentchat_error *err);
typedef agentchat_status reduce_fn(const agentchat_env *env, agentchat_str existing, agentchat_str update,
                                   agentchat_json_reducer_fn reducer, void *user, agentchat_bytes *out,
                                   agentchat_error *err);
typedef agentchat_status summarize_fn(const agentchat_env *env, const agentchat_messages *messages, agentchat_str state,
                                      agentchat_summarizer_fn summarizer, void *user,
                                      const agentchat_summary_options *options, agentchat_bytes *new_state,
                                      agentchat_list_edit **out, agentchat_error *err);

trim_fn __real_agentchat_messages_trim, __wrap_agentchat_messages_trim;
filter_fn __real_agentchat_messages_filter, __wrap_agentchat_messages_filter;
merge_fn __real_agentchat_messages_merge_runs, __wrap_agentchat_messages_merge_runs;
add_fn __real_agentchat_messages_add, __wrap_agentchat_messages_add;
count_fn __real_agentchat_messages_count_tokens, __wrap_agentchat_messages_count_tokens;
reduce_fn __real_agentchat_json_list_reduce, __wrap_agentchat_json_list_reduce;
summarize_fn __real_agentchat_messages_summarize, __wrap_agentchat_messages_summarize;

agentchat_status __wrap_agentchat_messages_trim(const agentchat_env *env, const agentchat_messages *messages,
                                                const agentchat_trim_options *options, agentchat_list_edit **out,
                                                agentchat_error *err)
{
    agentchat_status status = __real_agentchat_messages_trim(env, messages, options, out, err);

    WRONG_EDIT(*out);
    return status;
}

agentchat_status __wrap_agentchat_messages_filter(const agentchat_env *env, const agentchat_messages *messages,
                                                  const agentchat_filter_options *options, agentchat_list_edit **out,
                                                  agentchat_error *err)
{
    agentchat_status status = __real_agentchat_messages_filter(env, messages, options, out, err);

    WRONG_EDIT(*out);
    return status;
}

agentchat_status __wrap_agentchat_messages_merge_runs(const agentchat_env *env, const agentchat_messages *messages,
                                                      const agentchat_merge_options *options, agentchat_list_edit **out,
                                                      agentchat_error *err)
{
    agentchat_status status = __real_agentchat_messages_merge_runs(env, messages, options, out, err);

    WRONG_EDIT(*out);
    return status;
}

agentchat_status __wrap_agentchat_messages_add(const agentchat_env *env, const agentchat_messages *messages,
                                               const agentchat_message_update *updates, size_t count,
                                               agentchat_list_edit **out, agentchat_error *err)
{
    return __real_agentchat_messages_add(env, messages, updates, count > 0 ? count - 1 : 0, out, err);
}

agentchat_status __wrap_agentchat_messages_count_tokens(const agentchat_messages *messages,
                                                        agentchat_token_counter_fn counter, void *user,
                                                        uint64_t *tokens, agentchat_error *err)
{
    agentchat_status status = __real_agentchat_messages_count_tokens(messages, counter, user, tokens, err);

    ++*tokens;
    return status;
}

agentchat_status __wrap_agentchat_json_list_reduce(const agentchat_env *env, agentchat_str existing,
                                                   agentchat_str update, agentchat_json_reducer_fn reducer, void *user,
                                                   agentchat_bytes *out, agentchat_error *err)
{
    (void)reducer;
    (void)user;
    (void)update;
    return __real_agentchat_json_list_reduce(env, existing, AGENTCHAT_STR("[\"wrong\"]"), NULL, NULL, out, err);
}

agentchat_status __wrap_agentchat_messages_summarize(const agentchat_env *env, const agentchat_messages *messages,
                                                     agentchat_str state, agentchat_summarizer_fn summarizer,
                                                     void *user, const agentchat_summary_options *options,
                                                     agentchat_bytes *new_state, agentchat_list_edit **out,
                                                     agentchat_error *err)
{
    agentchat_status status =
        __real_agentchat_messages_summarize(env, messages, state, summarizer, user, options, new_state, out, err);

    WRONG_EDIT(*out);
    return status;
}
