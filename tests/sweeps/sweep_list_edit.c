/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/list_edit.h. */
#include "sweep.h"

#include <agentchat/list_edit.h>
#include <agentchat/repair.h>

/* Six messages of which the third has a call and the fourth its result. */
static agentchat_messages *list_of(const agentchat_env *env)
{
    const agentchat_message *rich = sweep_rich_message(env), *plain = sweep_message(env, "text");
    const agentchat_message *list[6] = {plain, plain, rich, plain, plain, plain};
    agentchat_messages *messages;
    agentchat_error err;

    test_ok(agentchat_messages_new(env, list, 6, &messages, &err), &err);
    agentchat_message_unref(rich);
    agentchat_message_unref(plain);
    return messages;
}

static agentchat_list_edit *edit_of(const agentchat_env *env)
{
    agentchat_list_edit *edit;
    agentchat_error err;

    test_ok(agentchat_list_edit_new(env, 6, &edit, &err), &err);
    return edit;
}

/* ---- edit lists -------------------------------------------------------------------------------------------------- */

static agentchat_status make(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_list_edit *edit;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_list_edit_new(env, 6, &edit, err);
    sweep_end();
    if (status < 0) {
        assert_null(edit);
        test_ok(agentchat_list_edit_new(env, 6, &edit, &again), &again);
    }
    assert_int_equal(agentchat_list_edit_result_length(edit), 6);
    agentchat_list_edit_free(edit);
    return status;
}

/* How an edit list changes, and what its list's length is then. */
typedef agentchat_status change(agentchat_list_edit *edit, const agentchat_message *message, agentchat_error *err);

static agentchat_status changed(const agentchat_env *env, change *how, size_t length, agentchat_error *err)
{
    agentchat_message *message = sweep_message(env, "new");
    agentchat_list_edit *edit = edit_of(env);
    agentchat_status status = how(edit, message, err);

    assert_int_equal(agentchat_list_edit_is_empty(edit), status < 0);
    assert_int_equal(agentchat_list_edit_result_length(edit), status < 0 ? 6 : length);
    agentchat_list_edit_free(edit);
    agentchat_message_unref(message);
    return status;
}

static agentchat_status remove_two(agentchat_list_edit *edit, const agentchat_message *message, agentchat_error *err)
{
    agentchat_status status;

    (void)message;
    sweep_begin();
    status = agentchat_list_edit_remove(edit, 1, 2, err);
    sweep_end();
    return status;
}

static agentchat_status replace_one(agentchat_list_edit *edit, const agentchat_message *message, agentchat_error *err)
{
    agentchat_status status;

    sweep_begin();
    status = agentchat_list_edit_replace(edit, 1, message, err);
    sweep_end();
    return status;
}

static agentchat_status insert_one(agentchat_list_edit *edit, const agentchat_message *message, agentchat_error *err)
{
    agentchat_status status;

    sweep_begin();
    status = agentchat_list_edit_insert(edit, 6, message, err);
    sweep_end();
    return status;
}

static agentchat_status keep_two(agentchat_list_edit *edit, const agentchat_message *message, agentchat_error *err)
{
    const int64_t from = 2, to = -2;
    agentchat_status status;

    (void)message;
    sweep_begin();
    status = agentchat_list_edit_keep(edit, &from, &to, err);
    sweep_end();
    return status;
}

static agentchat_status removed(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    (void)variant;
    return changed(env, remove_two, 4, err);
}

static agentchat_status replaced(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    (void)variant;
    return changed(env, replace_one, 6, err);
}

static agentchat_status inserted(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    (void)variant;
    return changed(env, insert_one, 7, err);
}

static agentchat_status kept(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    (void)variant;
    return changed(env, keep_two, 2, err);
}

static agentchat_status apply(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_messages *messages = list_of(env), *out;
    agentchat_list_edit *edit = edit_of(env);
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    test_ok(agentchat_list_edit_remove(edit, 1, 2, &again), &again);
    sweep_begin();
    status = agentchat_list_edit_apply(edit, messages, &out, err);
    sweep_end();
    if (status < 0) {
        assert_null(out);
        test_ok(agentchat_list_edit_apply(edit, messages, &out, &again), &again);
    }
    assert_int_equal(agentchat_messages_count(out), 4);
    agentchat_messages_unref(out);
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(messages);
    return status;
}

static agentchat_status look(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_edit_step step = {(agentchat_edit_kind)0, 0, 0, NULL, 0};
    agentchat_messages *messages = list_of(env);
    agentchat_list_edit *edit = edit_of(env);
    agentchat_filter_options filter;
    agentchat_trim_options trim;
    agentchat_merge_options merge_options;
    agentchat_summary_options summary;
    agentchat_token_options tokens;
    size_t lengths;
    bool empty, found, any;

    (void)variant;
    (void)err;
    sweep_begin();
    lengths = agentchat_list_edit_length(edit) + agentchat_list_edit_result_length(edit);
    empty = agentchat_list_edit_is_empty(edit);
    any = agentchat_list_edit_next(edit, &step);
    found = agentchat_messages_find_id(messages, AGENTCHAT_STR("none"), NULL);
    agentchat_filter_options_init(&filter, sizeof filter);
    agentchat_trim_options_init(&trim, sizeof trim);
    agentchat_merge_options_init(&merge_options, sizeof merge_options);
    agentchat_summary_options_init(&summary, sizeof summary);
    agentchat_token_options_init(&tokens, sizeof tokens);
    agentchat_list_edit_free(edit);
    agentchat_list_edit_free(NULL);
    sweep_end();
    assert_int_equal(lengths, 12);
    assert_true(empty && any && !found && step.count == 6);
    agentchat_messages_unref(messages);
    return AGENTCHAT_OK;
}

/* ---- what makes edit lists --------------------------------------------------------------------------------------- */

static bool is_none(void *user, const agentchat_message *message)
{
    (void)user;
    return message == NULL;
}

static agentchat_status made(agentchat_status status, agentchat_list_edit *edit, agentchat_messages *messages)
{
    assert_int_equal(edit != NULL, status >= 0);
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(messages);
    return status;
}

static agentchat_status remove_if(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_messages *messages = list_of(env);
    agentchat_list_edit *edit;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_messages_remove_if(env, messages, is_none, NULL, &edit, err);
    sweep_end();
    return made(status, edit, messages);
}

static agentchat_status keep_last(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_messages *messages = list_of(env);
    agentchat_list_edit *edit;
    agentchat_status status;

    sweep_begin();
    status = agentchat_messages_keep_last(env, messages, variant, &edit, err);
    sweep_end();
    return made(status, edit, messages);
}

static agentchat_status add(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_messages *messages = list_of(env);
    const agentchat_message_update updates[] = {{agentchat_messages_at(messages, 0), {NULL, 0}},
                                                {NULL, AGENTCHAT_REMOVE_ALL},
                                                {agentchat_messages_at(messages, 1), {NULL, 0}}};
    agentchat_list_edit *edit;
    agentchat_status status;

    sweep_begin();
    status = agentchat_messages_add(env, messages, updates, 1 + 2 * (size_t)variant, &edit, err);
    sweep_end();
    return made(status, edit, messages);
}

/* A result of three lines, alone. */
/* A result; in a turn: between its call and what was said then. */
static agentchat_messages *result_of(const agentchat_env *env, bool in_turn)
{
    agentchat_message_builder *b = test_message_builder(env, in_turn ? "assistant" : "tool", NULL);
    agentchat_message *message;
    const agentchat_message *list[1];
    agentchat_messages *messages;
    agentchat_error err;

    if (in_turn)
        agentchat_message_builder_add_call(b, AGENTCHAT_STR("1"), (agentchat_str){NULL, 0}, AGENTCHAT_STR("f"),
                                           AGENTCHAT_STR("{}"));
    agentchat_message_builder_add_result(b, AGENTCHAT_STR("1"), (agentchat_str){NULL, 0}, AGENTCHAT_STR("f"),
                                         AGENTCHAT_STR("\"a\\nb\\nc\""));
    if (in_turn)
        agentchat_message_builder_add_text(b, AGENTCHAT_STR("done"));
    test_ok(agentchat_message_builder_finish(b, &message, &err), &err);
    list[0] = message;
    test_ok(agentchat_messages_new(env, list, 1, &messages, &err), &err);
    agentchat_message_unref(message);
    return messages;
}

/* Variant 2: a text is cut; 3: a result is. */
static agentchat_status trim(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_trim_options options = AGENTCHAT_TRIM_OPTIONS_INIT;
    agentchat_messages *messages = variant == 3 ? result_of(env, false) : list_of(env);
    agentchat_list_edit *edit;
    agentchat_status status;

    options.split_calls = variant >= 1;
    options.allow_partial = variant >= 2;
    options.counter = variant >= 2 ? agentchat_count_characters : NULL;
    options.max_tokens = variant == 2 ? 1 : variant == 3 ? 3 : 12; /* of 2 each text has more: none fits */
    sweep_begin();
    status = agentchat_messages_trim(env, messages, &options, &edit, err);
    sweep_end();
    return made(status, edit, messages);
}

static agentchat_status repair(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_messages *messages = variant >= 2 ? result_of(env, variant >= 4) : list_of(env), *out = NULL;
    agentchat_report *report = NULL;
    agentchat_list_edit *edit = NULL;
    agentchat_status status;

    sweep_begin();
    status =
        agentchat_repair(env, messages, agentchat_repair_profile_find(variant % 2 == 0 ? "anthropic" : "openai-chat"),
                         NULL, &out, &edit, &report, err);
    sweep_end();
    assert_true((out != NULL) == (status >= 0) && (report != NULL) == (status >= 0));
    agentchat_messages_unref(out);
    agentchat_report_free(report);
    return made(status, edit, messages);
}

static agentchat_status check_for(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_messages *messages = variant == 0 ? result_of(env, false) : list_of(env);
    agentchat_report *report = NULL;
    agentchat_status status;

    sweep_begin();
    status = agentchat_check_for(env, messages, agentchat_repair_profile_find("anthropic"), NULL, &report, err);
    sweep_end();
    assert_true((report != NULL) == (status >= 0));
    agentchat_report_free(report);
    agentchat_messages_unref(messages);
    return status;
}

static agentchat_status look_at_profiles(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_repair_options options;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_repair_options_init(&options, sizeof options);
    assert_non_null(agentchat_repair_profile_find("anthropic"));
    sweep_end();
    return AGENTCHAT_OK;
}

static agentchat_status filter(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const char *const calls[] = {"1", NULL};
    agentchat_filter_options options = AGENTCHAT_FILTER_OPTIONS_INIT;
    agentchat_messages *messages = list_of(env);
    agentchat_list_edit *edit;
    agentchat_status status;

    options.exclude_calls = variant == 0;
    options.exclude_call_ids = calls;
    sweep_begin();
    status = agentchat_messages_filter(env, messages, &options, &edit, err);
    sweep_end();
    return made(status, edit, messages);
}

/* Variant 0: items one after another; 1: texts that become one. */
static agentchat_status merge(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_message *plain = sweep_message(env, "text");
    const agentchat_message *texts[] = {plain, plain, plain};
    agentchat_messages *messages = variant == 0 ? list_of(env) : NULL;
    agentchat_error again;
    agentchat_list_edit *edit;
    agentchat_status status;

    if (messages == NULL)
        test_ok(agentchat_messages_new(env, texts, 3, &messages, &again), &again);
    sweep_begin();
    status = agentchat_messages_merge_runs(env, messages, NULL, &edit, err);
    sweep_end();
    agentchat_message_unref(plain);
    return made(status, edit, messages);
}

static agentchat_status say_short(void *user, const agentchat_messages *messages, agentchat_bytes *out,
                                  agentchat_error *err)
{
    (void)user;
    (void)messages;
    return agentchat_bytes_append(out, AGENTCHAT_STR("short"), err);
}

/* Variant 0: the first summary; 1: it goes on, and is shown; 2: of a list that is kept; 3: there is nothing to do. */
static agentchat_status summarize(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_summary_options options = AGENTCHAT_SUMMARY_OPTIONS_INIT;
    agentchat_messages *messages = list_of(env);
    agentchat_bytes state = AGENTCHAT_BYTES_INIT;
    agentchat_list_edit *edit;
    agentchat_status status;

    options.introduction = variant >= 1 ? "so far: " : NULL;
    options.keep_list = variant == 2;
    options.max_tokens = variant == 3 ? 1000000 : variant;
    sweep_begin();
    status = agentchat_messages_summarize(env, messages,
                                          variant == 0
                                              ? (agentchat_str){NULL, 0}
                                              : AGENTCHAT_STR("{\"summary\":\"old\",\"covered\":1,\"last_id\":\"x\"}"),
                                          say_short, NULL, &options, &state, &edit, err);
    sweep_end();
    assert_int_equal(state.len > 0, status >= 0);
    agentchat_bytes_clear(&state);
    return made(status, edit, messages);
}

/* ---- lists of JSON values ---------------------------------------------------------------------------------------- */

static agentchat_status double_it(void *user, agentchat_str existing, agentchat_str update, agentchat_bytes *out,
                                  agentchat_error *err)
{
    (void)user;
    (void)existing;
    (void)update;
    return agentchat_bytes_append(out, AGENTCHAT_STR("[1,1]"), err);
}

static agentchat_status reduce(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const char *const updates[] = {"[2,3]", "{\"type\":\"append\",\"value\":2}",
                                          "{\"type\":\"keep\",\"from\":0,\"to\":null}", "{\"__overwrite__\":[2]}",
                                          "null"};
    agentchat_bytes list = AGENTCHAT_BYTES_INIT;
    agentchat_status status;

    sweep_begin();
    status = agentchat_json_list_reduce(env, AGENTCHAT_STR("[1]"), agentchat_str_from(updates[variant]),
                                        variant == 4 ? double_it : NULL, NULL, &list, err);
    sweep_end();
    assert_int_equal(list.len > 0, status >= 0);
    agentchat_bytes_clear(&list);
    return status;
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

static agentchat_status count(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_messages *messages = list_of(env);
    agentchat_status status;
    uint64_t tokens;

    (void)variant;
    sweep_begin();
    status = agentchat_messages_count_tokens(messages, NULL, NULL, &tokens, err);
    sweep_end();
    assert_int_equal(tokens > 0, status >= 0);
    agentchat_messages_unref(messages);
    return status;
}

static agentchat_status count_each(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_message *message = sweep_rich_message(env);
    uint64_t approximately = 0, messages = 0, characters = 0;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_count_approximately(NULL, &message, 1, &approximately, err);
    if (status >= 0)
        status = agentchat_count_messages(NULL, &message, 1, &messages, err);
    if (status >= 0)
        status = agentchat_count_characters(NULL, &message, 1, &characters, err);
    sweep_end();
    assert_true(approximately > 0 && messages == 1 && characters > 0);
    agentchat_message_unref(message);
    return status;
}

static const sweep_row rows[] = {
    {"agentchat_list_edit_new", make, SWEEP_ALLOCATES, 0},
    {"agentchat_list_edit_remove", removed, SWEEP_ALLOCATES, 0},
    {"agentchat_list_edit_replace", replaced, SWEEP_ALLOCATES, 0},
    {"agentchat_list_edit_insert", inserted, SWEEP_ALLOCATES, 0},
    {"agentchat_list_edit_keep", kept, SWEEP_ALLOCATES, 0},
    {"agentchat_list_edit_length", look, SWEEP_NEVER, 0},
    {"agentchat_list_edit_result_length", look, SWEEP_NEVER, 0},
    {"agentchat_list_edit_is_empty", look, SWEEP_NEVER, 0},
    {"agentchat_list_edit_next", look, SWEEP_NEVER, 0},
    {"agentchat_list_edit_apply", apply, SWEEP_ALLOCATES, 0},
    {"agentchat_list_edit_free", look, SWEEP_NEVER, 0},
    {"agentchat_messages_remove_if", remove_if, SWEEP_ALLOCATES, 0},
    {"agentchat_filter_options_init", look, SWEEP_NEVER, 0},
    {"agentchat_messages_filter", filter, SWEEP_ALLOCATES, 2},
    {"agentchat_messages_find_id", look, SWEEP_NEVER, 0},
    {"agentchat_messages_keep_last", keep_last, SWEEP_ALLOCATES, 4},
    {"agentchat_messages_add", add, SWEEP_ALLOCATES, 2},
    {"agentchat_merge_options_init", look, SWEEP_NEVER, 0},
    {"agentchat_messages_merge_runs", merge, SWEEP_ALLOCATES, 2},
    {"agentchat_json_list_reduce", reduce, SWEEP_ALLOCATES, 5},
    {"agentchat_summary_options_init", look, SWEEP_NEVER, 0},
    {"agentchat_messages_summarize", summarize, SWEEP_ALLOCATES, 4},
    {"agentchat_token_options_init", look, SWEEP_NEVER, 0},
    {"agentchat_count_approximately", count_each, SWEEP_NEVER, 0},
    {"agentchat_count_messages", count_each, SWEEP_NEVER, 0},
    {"agentchat_count_characters", count_each, SWEEP_NEVER, 0},
    {"agentchat_messages_count_tokens", count, SWEEP_ALLOCATES, 0},
    {"agentchat_trim_options_init", look, SWEEP_NEVER, 0},
    {"agentchat_messages_trim", trim, SWEEP_ALLOCATES, 4},
    {"agentchat_repair", repair, SWEEP_ALLOCATES, 6},
    {"agentchat_check_for", check_for, SWEEP_ALLOCATES, 2},
    {"agentchat_repair_options_init", look_at_profiles, SWEEP_NEVER, 0},
    {"agentchat_repair_profile_find", look_at_profiles, SWEEP_NEVER, 0},
};

int main(void)
{
    return sweep_main("sweep.list_edit", rows, sizeof rows / sizeof *rows);
}
