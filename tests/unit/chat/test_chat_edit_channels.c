/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of a live chat: chats inside channels, custom channels, queues, kept states, observers, and failures. */
#include "chat_edit_test.h"

/* ---- aggregators ------------------------------------------------------------------------------------------------ */

typedef struct watcher {
    char log[512];
    agentchat_status returns;
    agentchat_status changes; /* what a change from inside got */
    size_t removed;           /* elements that the edit list removes */
} watcher;

static agentchat_status on_edit(void *user, agentchat_chat *chat, const agentchat_list_edit *edit, agentchat_error *err)
{
    watcher *w = user;
    agentchat_snapshot *snapshot = capture(chat);

    for (size_t i = 0; i < agentchat_messages_count(agentchat_snapshot_history(snapshot)); i++)
        mock_note(w->log, sizeof w->log,
                  agentchat_message_text(agentchat_messages_at(agentchat_snapshot_history(snapshot), i)));
    agentchat_snapshot_unref(snapshot);
    w->changes = agentchat_chat_edit(chat, edit, NULL, NULL);
    w->removed = agentchat_list_edit_length(edit) - agentchat_list_edit_result_length(edit);
    return w->returns < 0 ? agentchat_error_set(err, w->returns, "the disk is full") : AGENTCHAT_OK;
}

static void test_edit__chats_inside_channels(void **state)
{
    (void)state;
    for (int mode = AGENTCHAT_AGGREGATOR_FLAT; mode <= AGENTCHAT_AGGREGATOR_NESTED; mode++) {
        agentchat_chat *chat = test_chat_new(NULL), *inner, *innermost;
        watcher w = {.returns = AGENTCHAT_E_IO};
        nest n = {NULL, 1, (agentchat_aggregator_mode)mode, AGENTCHAT_CHAT_OBSERVER_INIT};
        agentchat_list_edit *edit;

        n.observer.on_edit = on_edit;
        n.observer.user = &w;
        add_agent(chat, aggregator("G", &n));
        add_agent(chat, speaker(NULL, "A", "a"));
        add_text(chat, "1");
        invoke(chat, "G");
        invoke(chat, "A");
        inner = agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0));
        innermost = agentchat_chat_inner(inner, agentchat_chat_agent(inner, 0));
        add_text(innermost, "own");
        add_text(chat, "2");
        assert_texts(agentchat_chat_history(chat), "1;i;a;2;");
        assert_texts(agentchat_chat_history(innermost), "1;i;a;own;2;");
        w.log[0] = '\0';
        edit = edit_of(chat);
        removes(edit, 0, 2);
        inserts(edit, 2, "developer", "s");
        replaces(edit, 3, "two");
        inserts(edit, 4, "user", "3");
        assert_int_equal(edit_both(chat, edit), 0);
        assert_texts(agentchat_chat_history(chat), "s;a;two;3;");
        assert_channel_texts(chat, 1, "s;a;two;3;");
        assert_ptr_equal(agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0)), inner);
        /* What a nested aggregator says outside is another message than the one inside, which stays. */
        assert_texts(agentchat_chat_history(innermost),
                     mode == AGENTCHAT_AGGREGATOR_FLAT ? "s;a;own;two;3;" : "i;s;a;own;two;3;");
        assert_channel_texts(innermost, 0, mode == AGENTCHAT_AGGREGATOR_FLAT ? "s;a;own;two;3;" : "i;s;a;own;two;3;");
        assert_string_equal(w.log, mode == AGENTCHAT_AGGREGATOR_FLAT ? "s;a;own;two;3;" : "i;s;a;own;two;3;");
        assert_int_equal(w.changes, AGENTCHAT_E_BUSY);
        invoke(chat, "G");
        agentchat_chat_free(chat);
    }
}

/* ---- custom channels -------------------------------------------------------------------------------------------- */

static void test_edit__channel_that_cannot_follow(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "m"};
    agentchat_list_edit *edit;
    agentchat_report *report = NULL;
    const agentchat_report_entry *entry;
    agentchat_error err;

    (void)state;
    add_agent(chat, speaker(NULL, "A", "a"));
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_text(chat, "1");
    invoke(chat, "A");
    invoke(chat, "M");
    edit = edit_of(chat);
    removes(edit, 0, 1);
    test_ok(agentchat_chat_edit(chat, edit, &report, &err), &err);
    agentchat_list_edit_free(edit);
    assert_int_equal(agentchat_report_count(report), 1);
    entry = agentchat_report_at(report, 0);
    assert_int_equal(entry->kind, AGENTCHAT_REPORT_CHANNEL_UNEDITED);
    assert_str(entry->path, "/channels/1");
    assert_true(agentchat_str_equal(entry->key, agentchat_agent_channel_key(agentchat_chat_agent(chat, 1))));
    agentchat_report_free(report);
    assert_string_equal(m.channel->seen, "1;a;m;");
    assert_texts(agentchat_chat_history(chat), "a;m;");
    /* What comes after all that it was given is delivered, and nobody misses anything. */
    edit = edit_of(chat);
    inserts(edit, 2, "user", "new");
    assert_int_equal(edit_both(chat, edit), 0);
    edit = edit_of(chat);
    replaces(edit, 2, "newer");
    inserts(edit, 2, "user", "before it");
    inserts(edit, 3, "user", "last");
    assert_int_equal(edit_both(chat, edit), 0);
    add_text(chat, "2");
    invoke(chat, "M");
    assert_string_equal(m.channel->seen, "1;a;m;before it;newer;last;2;m;");
    agentchat_chat_free(chat);
}

static void test_edit__queued_deliveries_follow(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "m"};
    agentchat_list_edit *edit;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_agent(chat, speaker(NULL, "A", "a"));
    add_text(chat, "1");
    invoke(chat, "M");
    invoke(chat, "A");
    m.fail_receive = 4;
    add_text(chat, "2");
    add_text(chat, "3");
    add_text(chat, "4");
    edit = edit_of(chat);
    removes(edit, 3, 1);
    replaces(edit, 4, "three");
    inserts(edit, 4, "user", "new");
    inserts(edit, 6, "user", "end");
    assert_int_equal(edit_both(chat, edit), 0); /* what it was given is as it was */
    assert_texts(agentchat_chat_history(chat), "1;m;a;new;three;4;end;");
    m.fail_receive = 0;
    m.receives = 0;
    invoke(chat, "M");
    assert_string_equal(m.channel->seen, "1;m;a;new;three;4;end;m;");
    assert_int_equal(m.receives, 2); /* the batch of which nothing is left is none any more */
    agentchat_chat_free(chat);
}

/* A channel of messages that follows edits, unless it is told otherwise. */
typedef struct custom {
    agentchat_status edit_returns; /* before it makes anything */
    bool stays;                    /* gives no channel */
    int edits, alive;
    agentchat_status busy;
    agentchat_chat *chat;
} custom;

typedef struct custom_channel {
    custom *owner;
    agentchat_messages *list;
} custom_channel;

static custom_channel *custom_channel_new(custom *owner)
{
    custom_channel *channel = calloc(1, sizeof *channel);

    assert_non_null(channel);
    channel->owner = owner;
    owner->alive++;
    return channel;
}

static agentchat_status custom_create(void *agent, void **out, agentchat_error *err)
{
    custom_channel *channel = custom_channel_new(agent);

    *out = channel;
    return agentchat_messages_new(NULL, NULL, 0, &channel->list, err);
}

static agentchat_status custom_receive(void *self, const agentchat_messages *batch, agentchat_error *err)
{
    custom_channel *channel = self;
    agentchat_messages *grown = NULL;
    agentchat_list_edit *edit = NULL;
    agentchat_status status;

    status = agentchat_list_edit_new(NULL, agentchat_messages_count(channel->list), &edit, err);
    for (size_t i = 0; status >= 0 && i < agentchat_messages_count(batch); i++)
        status =
            agentchat_list_edit_insert(edit, agentchat_list_edit_length(edit), agentchat_messages_at(batch, i), err);
    if (status >= 0)
        status = agentchat_list_edit_apply(edit, channel->list, &grown, err);
    agentchat_list_edit_free(edit);
    if (status < 0)
        return status;
    agentchat_messages_unref(channel->list);
    channel->list = grown;
    return AGENTCHAT_OK;
}

static agentchat_status custom_invoke(void *self, void *agent, agentchat_replies *out, agentchat_error *err)
{
    (void)self;
    (void)agent;
    (void)out;
    (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status custom_save(void *self, agentchat_channel_save *out, agentchat_error *err)
{
    return agentchat_channel_save_messages(out, ((custom_channel *)self)->list, err);
}

static agentchat_status custom_load(void *agent, const agentchat_channel_load *in, void **out, agentchat_error *err)
{
    (void)in;
    return custom_create(agent, out, err);
}

static agentchat_status custom_edit(void *self, void *agent, const agentchat_channel_edit *in, void **out,
                                    agentchat_error *err)
{
    custom_channel *channel = self, *edited;
    custom *owner = agent;
    agentchat_list_edit *edit = NULL;
    agentchat_status status;

    assert_ptr_equal(owner, channel->owner);
    assert_non_null(agentchat_channel_edit_of_history(in));
    assert_non_null(agentchat_channel_edit_env(in));
    assert_int_equal(agentchat_messages_count(agentchat_channel_edit_history(in)),
                     agentchat_list_edit_length(agentchat_channel_edit_of_history(in)));
    owner->edits++;
    owner->busy = agentchat_chat_add_text(owner->chat, "user", AGENTCHAT_STR("from inside"), NULL);
    if (owner->edit_returns < 0)
        return agentchat_error_set(err, owner->edit_returns, "the tape is full");
    if (owner->stays || owner->edit_returns == AGENTCHAT_DONE)
        return owner->edit_returns;
    status = agentchat_channel_edit_list(in, channel->list, NULL, NULL, &edit, err);
    if (status < 0)
        return status;
    edited = custom_channel_new(owner);
    status = agentchat_list_edit_apply(edit, channel->list, &edited->list, err);
    agentchat_list_edit_free(edit);
    *out = edited;
    return status;
}

static agentchat_status custom_history(void *self, const agentchat_messages **out, agentchat_error *err)
{
    (void)err;
    *out = ((custom_channel *)self)->list;
    return AGENTCHAT_OK;
}

static void custom_free(void *self)
{
    custom_channel *channel = self;

    channel->owner->alive--;
    agentchat_messages_unref(channel->list);
    free(channel);
}

static const agentchat_channel_type custom_type = {.struct_size = sizeof(agentchat_channel_type),
                                                   .name = "test.Custom",
                                                   .create = custom_create,
                                                   .receive = custom_receive,
                                                   .invoke = custom_invoke,
                                                   .save = custom_save,
                                                   .load = custom_load,
                                                   .history = custom_history,
                                                   .free = custom_free,
                                                   .edit = custom_edit};

/* Two history agents, an aggregator, and a custom channel last. */
static agentchat_chat *with_custom(custom *c, nest *n)
{
    agentchat_agent_options options = AGENTCHAT_AGENT_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);

    *n = (nest){NULL, 0, AGENTCHAT_AGGREGATOR_FLAT, AGENTCHAT_CHAT_OBSERVER_INIT};
    options.name = AGENTCHAT_STR("C");
    options.channel = &custom_type;
    options.user = c;
    c->chat = chat;
    add_agent(chat, speaker(NULL, "A", "a"));
    add_agent(chat, aggregator("G", n));
    add_agent(chat, test_agent_new(NULL, &options));
    add_text(chat, "1");
    invoke(chat, "A");
    invoke(chat, "G");
    invoke(chat, "C");
    return chat;
}

static void test_edit__custom_channel_takes_part(void **state)
{
    custom c = {.edit_returns = AGENTCHAT_OK};
    nest n;
    agentchat_chat *chat = with_custom(&c, &n);
    agentchat_list_edit *edit;
    agentchat_error err;

    (void)state;
    assert_channel_texts(chat, 2, "1;a;i;");
    edit = edit_of(chat);
    replaces(edit, 0, "one");
    inserts(edit, 1, "user", "x");
    inserts(edit, 3, "user", "y");
    assert_int_equal(edit_both(chat, edit), 0);
    assert_channel_texts(chat, 2, "one;x;a;i;y;");
    assert_int_equal(c.busy, AGENTCHAT_E_BUSY);
    assert_int_equal(c.alive, 1);
    /* No channel: it stays as it is. */
    c.stays = true;
    edit = edit_of(chat);
    removes(edit, 0, 1);
    test_ok(agentchat_chat_edit(chat, edit, NULL, &err), &err);
    agentchat_list_edit_free(edit);
    assert_channel_texts(chat, 2, "one;x;a;i;y;");
    /* DONE: it is made anew and given the whole history. */
    c.edit_returns = AGENTCHAT_DONE;
    edit = edit_of(chat);
    removes(edit, 0, 1);
    test_ok(agentchat_chat_edit(chat, edit, NULL, &err), &err);
    agentchat_list_edit_free(edit);
    assert_int_equal(c.alive, 0);
    assert_int_equal(c.edits, 3);
    assert_channel_texts(chat, 2, "");
    invoke(chat, "C");
    assert_channel_texts(chat, 2, "a;i;y;");
    assert_int_equal(c.alive, 1);
    agentchat_chat_free(chat);
    assert_int_equal(c.alive, 0);
}

static void test_edit__failure_changes_nothing(void **state)
{
    custom c = {.edit_returns = AGENTCHAT_E_IO};
    nest n;
    agentchat_chat *chat = with_custom(&c, &n), *inner = agentchat_chat_inner(chat, agentchat_chat_agent(chat, 1));
    const agentchat_messages *seen = NULL;
    agentchat_list_edit *edit = edit_of(chat);
    agentchat_report *report = NULL;
    char *before = picture(chat), *after;
    agentchat_error err;

    (void)state;
    removes(edit, 0, 2);
    inserts(edit, 0, "system", "summary");
    test_fails(agentchat_chat_edit(chat, edit, &report, &err), &err, AGENTCHAT_E_IO, "/channels/2",
               "could not be edited: the tape is full");
    assert_non_null(report);
    agentchat_report_free(report);
    after = picture(chat);
    assert_string_equal(before, after);
    free(before);
    free(after);
    assert_int_equal(c.alive, 1);
    assert_texts(agentchat_chat_history(inner), "1;a;i;");
    /* The chats inside are free again, and the chat can be used and edited. */
    add_text(inner, "x");
    test_ok(agentchat_chat_channel_history(chat, agentchat_chat_agent(chat, 0), &seen, &err), &err);
    assert_texts(seen, "1;a;i;");
    c.edit_returns = AGENTCHAT_OK;
    test_ok(agentchat_chat_edit(chat, edit, NULL, &err), &err);
    assert_texts(agentchat_chat_history(inner), "summary;i;x;");
    test_fails(agentchat_chat_edit(chat, edit, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "the edit list is for 3 messages, and the history has 2");
    agentchat_list_edit_free(edit);
    agentchat_chat_free(chat);
}

/* ---- while others use the chat ---------------------------------------------------------------------------------- */

static agentchat_status edit_inside(mock *m, agentchat_replies *out, agentchat_error *err)
{
    agentchat_list_edit *edit = edit_of(m->chat);

    (void)out;
    (void)err;
    m->seen_status = agentchat_chat_edit(m->chat, edit, NULL, NULL);
    agentchat_list_edit_free(edit);
    return AGENTCHAT_OK;
}

static void test_edit__is_refused_while_the_chat_is_busy(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL), *inner;
    mock m = {.during = edit_inside, .chat = chat};
    nest n = {NULL, 0, AGENTCHAT_AGGREGATOR_FLAT, AGENTCHAT_CHAT_OBSERVER_INIT};
    agentchat_turn *turn = NULL;
    agentchat_list_edit *edit;
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_agent(chat, aggregator("G", &n));
    add_text(chat, "1");
    invoke(chat, "M");
    assert_int_equal(m.seen_status, AGENTCHAT_E_BUSY);
    invoke(chat, "G");
    inner = agentchat_chat_inner(chat, agentchat_chat_agent(chat, 1));
    test_ok(agentchat_turn_begin(inner, AGENTCHAT_STR("I"), &turn, &err), &err);
    edit = edit_of(chat);
    removes(edit, 0, 1);
    test_fails(agentchat_chat_edit(chat, edit, NULL, &err), &err, AGENTCHAT_E_BUSY, "/channels/1/channelstate",
               "another operation");
    assert_texts(agentchat_chat_history(chat), "1;i;");
    test_ok(agentchat_turn_end(turn, &err), &err);
    test_ok(agentchat_chat_edit(chat, edit, NULL, &err), &err);
    agentchat_list_edit_free(edit);
    assert_texts(agentchat_chat_history(inner), "i;");
    agentchat_chat_free(chat);
}

static void test_edit__observer_is_called_after_it(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_chat_observer observer = AGENTCHAT_CHAT_OBSERVER_INIT;
    watcher w = {.returns = AGENTCHAT_OK};
    agentchat_list_edit *edit;
    agentchat_error err;

    (void)state;
    observer.on_edit = on_edit;
    observer.user = &w;
    add_agent(chat, speaker(NULL, "A", "a"));
    add_text(chat, "1");
    invoke(chat, "A");
    test_ok(agentchat_chat_set_observer(chat, &observer, &err), &err);
    edit = edit_of(chat);
    removes(edit, 0, 1);
    test_ok(agentchat_chat_edit(chat, edit, NULL, &err), &err);
    agentchat_list_edit_free(edit);
    assert_string_equal(w.log, "a;");
    assert_int_equal(w.changes, AGENTCHAT_E_BUSY);
    assert_int_equal(w.removed, 1);
    w.returns = AGENTCHAT_E_IO;
    edit = edit_of(chat);
    replaces(edit, 0, "b");
    test_fails(agentchat_chat_edit(chat, edit, NULL, &err), &err, AGENTCHAT_E_IO, "",
               "the chat's observer failed: the disk is full");
    agentchat_list_edit_free(edit);
    assert_texts(agentchat_chat_history(chat), "b;"); /* the edit is done */
    agentchat_chat_free(chat);
}

/* ---- kept states ------------------------------------------------------------------------------------------------ */

static void test_edit__kept_states_follow(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL), *reduced = test_chat_new(NULL);
    nest n = {NULL, 0, AGENTCHAT_AGGREGATOR_FLAT, AGENTCHAT_CHAT_OBSERVER_INIT};
    agentchat_restore_options options = AGENTCHAT_RESTORE_OPTIONS_INIT;
    mock m = {.says = "m"};
    agentchat_snapshot *snapshot;
    agentchat_list_edit *edit;
    agentchat_error err;

    (void)state;
    options.no_type_match = true;
    add_agent(chat, speaker(NULL, "A", "a"));
    add_agent(chat, aggregator("G", &n));
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_text(chat, "1");
    invoke(chat, "A");
    invoke(chat, "G");
    invoke(chat, "M");
    snapshot = through_bytes(capture(chat));
    agentchat_chat_free(chat);
    add_agent(reduced, mock_agent(NULL, "Other", &m));
    test_ok(agentchat_chat_restore(reduced, snapshot, &options, NULL, &err), &err);
    agentchat_snapshot_unref(snapshot);
    add_text(reduced, "2");
    assert_int_equal(agentchat_chat_kept_count(reduced), 3);
    edit = edit_of(reduced);
    removes(edit, 0, 1);
    inserts(edit, 0, "system", "s");
    replaces(edit, 4, "two");
    assert_int_equal(edit_both(reduced, edit), 1); /* the mock's */
    assert_texts(agentchat_chat_history(reduced), "s;a;i;m;two;");
    assert_int_equal(agentchat_chat_kept_count(reduced), 3);
    assert_int_equal(agentchat_channel_state_synced(agentchat_chat_kept(reduced, 0)), 4);
    add_agent(reduced, speaker(NULL, "A", "a"));
    add_agent(reduced, aggregator("G", &n));
    invoke(reduced, "A");
    invoke(reduced, "G");
    assert_channel_texts(reduced, 1, "s;a;i;m;two;a;i;");
    assert_texts(agentchat_chat_history(agentchat_chat_inner(reduced, agentchat_chat_agent(reduced, 2))),
                 "s;a;i;m;two;a;i;");
    assert_int_equal(agentchat_chat_kept_count(reduced), 1);
    agentchat_chat_free(reduced);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edit__chats_inside_channels),
        cmocka_unit_test(test_edit__channel_that_cannot_follow),
        cmocka_unit_test(test_edit__queued_deliveries_follow),
        cmocka_unit_test(test_edit__custom_channel_takes_part),
        cmocka_unit_test(test_edit__failure_changes_nothing),
        cmocka_unit_test(test_edit__is_refused_while_the_chat_is_busy),
        cmocka_unit_test(test_edit__observer_is_called_after_it),
        cmocka_unit_test(test_edit__kept_states_follow),
    };

    return cmocka_run_group_tests_name("chat_edit_channels", tests, NULL, NULL);
}
