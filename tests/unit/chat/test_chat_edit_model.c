/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of random chats: an edit of the live chat comes to the same as one of its capture, no agent sees what went, and
   a failure for lack of memory changes nothing. */
#include "chat_edit_test.h"

enum { MOST = 64 };

/* ---- random chats ----------------------------------------------------------------------------------------------- */

typedef struct world {
    agentchat_chat *chat;
    nest flat, nested;
    mock m;
    bool is_unique; /* no two messages say the same */
    unsigned said;
    char text[16];
} world;

static const char *next_text(world *w)
{
    static const char *const few[] = {"x", "y", "z"};

    if (!w->is_unique)
        return few[test_pick(3)];
    snprintf(w->text, sizeof w->text, "t%u", w->said++);
    return w->text;
}

static agentchat_status say_next(void *user, const agentchat_messages *seen, agentchat_replies *out,
                                 agentchat_error *err)
{
    (void)seen;
    return agentchat_replies_add_text(out, agentchat_str_from(next_text(user)), err);
}

static void add_anything(world *w)
{
    agentchat_message *made;
    agentchat_error err;
    char id[16];

    if (test_pick(4) > 0) {
        add_text(w->chat, next_text(w));
        return;
    }
    snprintf(id, sizeof id, "id%zu", test_pick(4));
    made = w->is_unique || test_pick(2) == 0 ? message("user", NULL, next_text(w))
           : test_pick(2) == 0               ? file_message()
                                             : message("user", id, next_text(w));
    test_ok(agentchat_chat_add_message(w->chat, made, &err), &err);
    agentchat_message_unref(made);
}

/* The mock may fail to receive. */
static void try_to_invoke(world *w, const char *name)
{
    agentchat_error err;
    agentchat_status status = agentchat_chat_invoke(w->chat, agentchat_str_from(name), &err);

    if (status < 0 && status != AGENTCHAT_E_CALLBACK)
        print_error("%s: %s\n", name, err.message);
    assert_true(status == AGENTCHAT_OK || status == AGENTCHAT_E_CALLBACK);
}

static void begin(world *w, bool is_unique)
{
    static const char *const names[] = {"A", "R", "M", "F", "N"};
    agentchat_chat_observer none = AGENTCHAT_CHAT_OBSERVER_INIT;

    *w = (world){.chat = test_chat_new(NULL), .is_unique = is_unique};
    w->flat = (nest){NULL, 1, AGENTCHAT_AGGREGATOR_FLAT, none};
    w->nested = (nest){NULL, 0, AGENTCHAT_AGGREGATOR_NESTED, none};
    w->m.says = is_unique ? NULL : "x";
    add_agent(w->chat, test_speaker_new(NULL, "A", say_next, w));
    add_agent(w->chat, reducer("R"));
    add_agent(w->chat, mock_agent(NULL, "M", &w->m));
    add_agent(w->chat, aggregator("F", &w->flat));
    add_agent(w->chat, aggregator("N", &w->nested));
    for (size_t i = 0; i < 2 + test_pick(20); i++) {
        if (test_pick(8) == 0)
            w->m.fail_receive = test_pick(2) == 0 ? -1 : 0;
        if (test_pick(3) > 0)
            add_anything(w);
        else
            try_to_invoke(w, names[test_pick(is_unique ? 3 : 5)]);
    }
}

static agentchat_list_edit *random_edit(world *w)
{
    agentchat_list_edit *edit = edit_of(w->chat);
    size_t length = agentchat_list_edit_length(edit);

    for (size_t steps = 1 + test_pick(6); steps > 0; steps--) {
        size_t index = test_pick(length + 1);

        switch (test_pick(4)) {
        case 0:
            removes(edit, index, test_pick(length - index + 1));
            break;
        case 1:
            if (index < length)
                replaces(edit, index, next_text(w));
            break;
        case 2:
            inserts(edit, index, "system", next_text(w));
            break;
        default:
            inserts(edit, test_pick(2) == 0 ? 0 : length, "developer", next_text(w));
            break;
        }
    }
    return edit;
}

/* ---- what must hold --------------------------------------------------------------------------------------------- */

static size_t flatten(const agentchat_messages *list, const agentchat_message **out)
{
    size_t count = agentchat_messages_count(list);

    assert_true(count <= MOST);
    for (size_t i = 0; i < count; i++)
        out[i] = agentchat_messages_at(list, i);
    return count;
}

static bool has(const agentchat_message *const *list, size_t count, const agentchat_message *message)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == message)
            return true;
    return false;
}

static bool passes(const agentchat_message *message)
{
    return agentchat_message_text(message).len > 0;
}

/* No list that an agent is shown, at any depth, has a message that the history had and has no more. */
static void assert_unseen(agentchat_chat *chat, const agentchat_message *const *gone, size_t count)
{
    for (size_t i = 0; i < agentchat_chat_agent_count(chat); i++) {
        const agentchat_messages *list = NULL;
        agentchat_chat *inner = agentchat_chat_inner(chat, agentchat_chat_agent(chat, i));

        if (agentchat_chat_channel_history(chat, agentchat_chat_agent(chat, i), &list, NULL) < 0)
            continue;
        for (size_t k = 0; k < agentchat_messages_count(list); k++)
            assert_false(has(gone, count, agentchat_messages_at(list, k)));
        if (inner != NULL)
            assert_unseen(inner, gone, count);
    }
}

/* What the channel of a history agent without a reducer comes to, step by step. */
static size_t expected_channel(const agentchat_list_edit *edit, const agentchat_message *const *history,
                               const agentchat_message *const *held, size_t held_count, const agentchat_message **out)
{
    agentchat_edit_step step = {(agentchat_edit_kind)0, 0, 0, NULL, 0};
    size_t count = 0;

    while (agentchat_list_edit_next(edit, &step)) {
        if (step.kind == AGENTCHAT_EDIT_INSERT && passes(step.message))
            out[count++] = step.message;
        if (step.kind == AGENTCHAT_EDIT_REPLACE && has(held, held_count, history[step.index]) && passes(step.message))
            out[count++] = step.message;
        for (size_t i = 0; step.kind == AGENTCHAT_EDIT_KEEP && i < step.count; i++)
            if (has(held, held_count, history[step.index + i]))
                out[count++] = history[step.index + i];
    }
    return count;
}

static void check_edit(world *w)
{
    agentchat_list_edit *edit = random_edit(w);
    agentchat_message const *before[MOST], *after[MOST], *gone[MOST], *held[MOST], *expected[2 * MOST];
    agentchat_snapshot *old = capture_as_is(w->chat);
    const agentchat_messages *seen = NULL;
    size_t before_count = flatten(agentchat_snapshot_history(old), before), after_count, gone_count = 0, expected_count;
    bool is_open = agentchat_chat_channel_history(w->chat, agentchat_chat_agent(w->chat, 0), &seen, NULL) >= 0 &&
                   agentchat_messages_count(seen) > 0;

    expected_count = expected_channel(edit, before, held, flatten(seen, held), expected);
    for (size_t i = 0; i < expected_count; i++)
        (void)agentchat_message_ref(expected[i]);
    (void)edit_both(w->chat, edit);
    after_count = flatten(agentchat_chat_history(w->chat), after);
    for (size_t i = 0; i < before_count; i++)
        if (!has(after, after_count, before[i]))
            gone[gone_count++] = before[i];
    assert_unseen(w->chat, gone, gone_count);
    if (is_open) {
        agentchat_error err;

        test_ok(agentchat_chat_channel_history(w->chat, agentchat_chat_agent(w->chat, 0), &seen, &err), &err);
        assert_int_equal(agentchat_messages_count(seen), expected_count);
        for (size_t i = 0; i < expected_count; i++)
            assert_ptr_equal(agentchat_messages_at(seen, i), expected[i]);
    }
    for (size_t i = 0; i < expected_count; i++)
        agentchat_message_unref(expected[i]);
    agentchat_snapshot_unref(old);
}

static void test_edit__random_chats(void **state)
{
    (void)state;
    test_seed(16);
    for (int round = 0; round < 2000; round++) {
        world w;

        begin(&w, false);
        for (size_t edits = 1 + test_pick(3); edits > 0; edits--) {
            check_edit(&w);
            add_anything(&w);
            w.m.fail_receive = 0;
            try_to_invoke(&w, "F");
        }
        agentchat_chat_free(w.chat);
    }
}

/* Where no two messages are equal, those of another document are found as the very same ones are. */
static void test_edit__messages_that_are_read_again(void **state)
{
    (void)state;
    test_seed(17);
    for (int round = 0; round < 500; round++) {
        agentchat_snapshot *before, *again, *edited = NULL, *edited_again = NULL;
        agentchat_list_edit *edit;
        agentchat_error err;
        world w;

        begin(&w, true);
        before = capture_as_is(w.chat);
        again = through_bytes(agentchat_snapshot_ref(before));
        edit = random_edit(&w);
        test_ok(agentchat_snapshot_edit(NULL, before, edit, &edited, NULL, &err), &err);
        test_ok(agentchat_snapshot_edit(NULL, again, edit, &edited_again, NULL, &err), &err);
        assert_same(edited, edited_again);
        agentchat_list_edit_free(edit);
        agentchat_snapshot_unref(before);
        agentchat_snapshot_unref(again);
        agentchat_snapshot_unref(edited);
        agentchat_snapshot_unref(edited_again);
        agentchat_chat_free(w.chat);
    }
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

typedef struct sweep {
    bool live;
    nest n;
    mock m;
} sweep;

/* A chat with every kind of channel, a queue, and a kept state, and an edit that concerns all of them. */
static agentchat_chat *chat_to_sweep(const agentchat_env *env, sweep *s, agentchat_list_edit **edit)
{
    agentchat_chat_observer none = AGENTCHAT_CHAT_OBSERVER_INIT;
    agentchat_chat *first = test_chat_new(env), *chat = test_chat_new(env);
    agentchat_restore_options options = AGENTCHAT_RESTORE_OPTIONS_INIT;
    agentchat_message *summary = NULL, *extra;
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    s->n = (nest){env, 1, AGENTCHAT_AGGREGATOR_FLAT, none};
    s->m = (mock){.says = "m"};
    options.no_type_match = true;
    add_agent(first, speaker(env, "Kept", "k"));
    add_text(first, "1");
    invoke(first, "Kept");
    snapshot = capture(first);
    agentchat_chat_free(first);
    add_agent(chat, mock_agent(env, "M", &s->m));
    add_agent(chat, aggregator("G", &s->n));
    test_ok(agentchat_chat_restore(chat, snapshot, &options, NULL, &err), &err);
    agentchat_snapshot_unref(snapshot);
    invoke(chat, "M");
    invoke(chat, "G");
    s->m.fail_receive = -1;
    extra = message("user", "an id", "own");
    test_ok(agentchat_chat_add_message(chat, extra, &err), &err);
    agentchat_message_unref(extra);
    extra = message("user", "an id", "inside");
    test_ok(agentchat_chat_add_message(agentchat_chat_inner(chat, agentchat_chat_agent(chat, 1)), extra, &err), &err);
    agentchat_message_unref(extra);
    test_ok(agentchat_list_edit_new(NULL, agentchat_chat_message_count(chat), edit, &err), &err);
    summary = message("system", NULL, "summary");
    test_ok(agentchat_list_edit_remove(*edit, 0, 2, &err), &err);
    test_ok(agentchat_list_edit_insert(*edit, 0, summary, &err), &err);
    test_ok(agentchat_list_edit_insert(*edit, agentchat_chat_message_count(chat), summary, &err), &err);
    agentchat_message_unref(summary);
    return chat;
}

static agentchat_status edit_for_sweep(agentchat_chat *chat, const agentchat_list_edit *edit, sweep *s,
                                       const agentchat_env *env, agentchat_error *err)
{
    test_oom *oom = test_oom_running();
    agentchat_snapshot *snapshot, *edited = NULL;
    agentchat_report *report = NULL;
    agentchat_status status;

    if (s->live) {
        oom->held = false;
        status = agentchat_chat_edit(chat, edit, &report, err);
        oom->held = true;
    } else {
        snapshot = capture_as_is(chat);
        oom->held = false;
        status = agentchat_snapshot_edit(env, snapshot, edit, &edited, &report, err);
        oom->held = true;
        assert_true((edited != NULL) == (status >= 0));
        agentchat_snapshot_unref(snapshot);
        agentchat_snapshot_unref(edited);
    }
    agentchat_report_free(report);
    return status;
}

static agentchat_status edit_with_memory(const agentchat_env *env, void *user, agentchat_error *err)
{
    sweep *s = user;
    test_oom *oom = test_oom_running();
    agentchat_list_edit *edit = NULL;
    agentchat_chat *chat;
    char *before, *after;
    agentchat_status status;

    oom->held = true;
    chat = chat_to_sweep(env, s, &edit);
    before = picture(chat);
    status = edit_for_sweep(chat, edit, s, env, err);
    after = picture(chat);
    assert_true((strcmp(before, after) == 0) == (status < 0 || !s->live));
    free(before);
    free(after);
    agentchat_list_edit_free(edit);
    agentchat_chat_free(chat);
    oom->held = false;
    return status;
}

static void test_edit__runs_out_of_memory(void **state)
{
    sweep s = {.live = false};

    (void)state;
    assert_true(test_oom_sweep(edit_with_memory, &s) > 30);
    s.live = true;
    assert_true(test_oom_sweep(edit_with_memory, &s) > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edit__random_chats),
        cmocka_unit_test(test_edit__messages_that_are_read_again),
        cmocka_unit_test(test_edit__runs_out_of_memory),
    };

    return cmocka_run_group_tests_name("chat_edit_model", tests, NULL, NULL);
}
