/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What .NET wrote, restored into a live chat and saved again: nothing is lost, whether or not .NET itself can restore
 * it. The agents are made from the participants that the file names, as a program with a factory would do it.
 */
#include "interop/semantic-kernel/agents.h"
#include "support/test_support.h"

#include <stdio.h>

/* ---- agents --------------------------------------------------------------------------------------------------- */

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)seen;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("an answer"), err);
}

static agentchat_status thread_create(void *user, agentchat_bytes *out_id, agentchat_error *err)
{
    (void)user;
    return agentchat_bytes_append(out_id, AGENTCHAT_STR("a new thread"), err);
}

static agentchat_status thread_answer(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)id;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("an answer of the thread"), err);
}

static size_t add_agents(agentchat_chat *chat, const agentchat_snapshot *saved);

/* An aggregator's user pointer is the chat that is stored for it, or NULL: its agents are made from that. */
static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    (void)err;
    *out = test_chat_new(NULL);
    assert_non_null(*out);
    add_agents(*out, user);
    return AGENTCHAT_OK;
}

static const agentchat_snapshot *stored_chat(const agentchat_snapshot *saved, agentchat_str name, agentchat_str id)
{
    agentchat_str keys[2] = {AGENTCHAT_STR(AGENTCHAT_TYPE_AGGREGATOR_CHANNEL),
                             name.ptr != NULL && !agentchat_str_is_null(name) ? name : id};
    char key[AGENTCHAT_KEY_LEN + 1];

    assert_int_equal(agentchat_channel_key(keys, 2, key), AGENTCHAT_OK);
    for (size_t i = 0; i < agentchat_snapshot_channel_count(saved); i++) {
        const agentchat_channel_state *state = agentchat_snapshot_channel(saved, i);

        if (agentchat_str_equal(agentchat_channel_state_key(state), agentchat_str_from(key)))
            return agentchat_channel_state_chat(state);
    }
    return NULL;
}

/* The agent that a participant was; NULL for a type that this program does not know. */
static agentchat_agent *agent_of(const agentchat_snapshot *saved, const agentchat_participant *who)
{
    static const agentchat_remote_ops ops = {sizeof ops, thread_create, thread_takes_all, thread_answer, NULL};
    agent_parts parts = {answer, &ops, AGENTCHAT_AGGREGATOR_OPTIONS_INIT};
    agentchat_str id = agentchat_participant_id(who), name = agentchat_participant_name(who);
    agentchat_agent *agent;
    agentchat_error err;

    parts.aggregator.make = make_inner;
    parts.aggregator.user = (void *)(uintptr_t)stored_chat(saved, name, id); /* lives longer than the chat */
    test_ok(agent_for(agentchat_participant_type(who), id, name, &parts, &agent, &err), &err);
    return agent;
}

/* Returns how many participants are of an unknown type. */
static size_t add_agents(agentchat_chat *chat, const agentchat_snapshot *saved)
{
    size_t unknown = 0;

    for (size_t i = 0; i < agentchat_snapshot_participant_count(saved); i++) {
        agentchat_agent *agent = agent_of(saved, agentchat_snapshot_participant(saved, i));
        agentchat_error err;

        if (agent != NULL)
            test_ok(agentchat_chat_add_agent(chat, agent, &err), &err);
        else
            unknown++;
    }
    return unknown;
}

/* ---- there and back ------------------------------------------------------------------------------------------- */

typedef struct tally {
    const char *path;
    size_t files, unknown, kept, nested, without_agents;
} tally;

static agentchat_status differs(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                                agentchat_error *err)
{
    const tally *t = user;

    (void)err;
    fail_msg("%s: %.*s was %.120s and is %.120s", t->path, (int)path.len, path.ptr,
             left.ptr != NULL ? left.ptr : "absent", right.ptr != NULL ? right.ptr : "absent");
    return AGENTCHAT_DONE;
}

static void assert_same(const agentchat_snapshot *a, const agentchat_snapshot *b, tally *t)
{
    char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_error err;
    bool equal = false;

    test_ok(agentchat_snapshot_diff(a, b, differs, t, &equal, &err), &err);
    assert_true(equal);
    test_ok(agentchat_snapshot_digest(a, true, left, &err), &err);
    test_ok(agentchat_snapshot_digest(b, true, right, &err), &err);
    assert_string_equal(left, right);
}

static agentchat_bytes write_strict(const agentchat_snapshot *snapshot)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    options.format = "semantic-kernel";
    options.strict = true;
    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, NULL, &err), &err);
    return bytes;
}

static agentchat_snapshot *captured(agentchat_chat *chat)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    test_ok(agentchat_chat_capture(chat, NULL, &snapshot, NULL, &err), &err);
    return snapshot;
}

/* A file without participants: a chat without agents is refused, one with any agent takes the history. */
static void restore_without_participants(agentchat_chat *chat, const agentchat_snapshot *saved)
{
    agentchat_snapshot *again;
    agentchat_error err;

    assert_int_equal(agentchat_snapshot_channel_count(saved), 0);
    test_fails(agentchat_chat_restore(chat, saved, NULL, NULL, &err), &err, AGENTCHAT_E_NO_AGENTS, "",
               "the chat has no agents");
    test_ok(agentchat_chat_add_agent(chat, test_speaker_new(NULL, "New", answer, NULL), &err), &err);
    test_ok(agentchat_chat_restore(chat, saved, NULL, NULL, &err), &err);
    again = captured(chat);
    assert_true(agentchat_messages_count(agentchat_snapshot_history(again)) ==
                agentchat_messages_count(agentchat_snapshot_history(saved)));
    for (size_t i = 0; i < agentchat_messages_count(agentchat_snapshot_history(saved)); i++)
        assert_ptr_equal(agentchat_messages_at(agentchat_snapshot_history(again), i),
                         agentchat_messages_at(agentchat_snapshot_history(saved), i));
    agentchat_snapshot_unref(again);
}

/* What is written means the same, and unless participants of unknown type went to the end of their list, it is byte for
   byte what would be written of the file itself: spelling, order and all. */
static void assert_same_file(const agentchat_snapshot *saved, const agentchat_snapshot *again, bool same_order,
                             tally *t)
{
    agentchat_bytes before = write_strict(saved), after = write_strict(again);
    agentchat_snapshot *read = NULL;
    agentchat_error err;

    if (same_order && (before.len != after.len || memcmp(before.ptr, after.ptr, before.len) != 0))
        fail_msg("%s: not the bytes that are written without a chat", t->path);
    test_ok(agentchat_snapshot_read_memory(NULL, (agentchat_str){after.ptr, after.len}, NULL, &read, NULL, &err), &err);
    assert_same(saved, read, t);
    agentchat_snapshot_unref(read);
    agentchat_bytes_clear(&before);
    agentchat_bytes_clear(&after);
}

static void through(const char *path, void *user)
{
    tally *t = user;
    agentchat_snapshot *saved = NULL, *again;
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;
    size_t unknown;

    t->path = path;
    t->files++;
    test_ok(agentchat_snapshot_read_file(NULL, path, NULL, &saved, NULL, &err), &err);
    unknown = add_agents(chat, saved);
    t->unknown += unknown;
    if (agentchat_snapshot_participant_count(saved) == 0) {
        t->without_agents++;
        restore_without_participants(chat, saved);
    } else {
        test_ok(agentchat_chat_restore(chat, saved, NULL, NULL, &err), &err);
        t->kept += agentchat_chat_kept_count(chat);
        for (size_t i = 0; i < agentchat_chat_agent_count(chat); i++)
            t->nested += agentchat_chat_inner(chat, agentchat_chat_agent(chat, i)) != NULL;
        again = captured(chat);
        assert_same(saved, again, t);
        assert_same_file(saved, again, unknown == 0, t);
        agentchat_snapshot_unref(again);
    }
    agentchat_chat_free(chat);
    agentchat_snapshot_unref(saved);
}

static tally each_recorded(const char *folder)
{
    tally t = {0};
    char dir[4096];

    snprintf(dir, sizeof dir, "%s/interop/semantic-kernel/recorded/%s", test_data_dir(), folder);
    test_each_file(dir, ".json", through, &t);
    return t;
}

static void test_live_chat__named_files_are_restored_and_saved_unchanged(void **state)
{
    tally t = each_recorded("named");

    (void)state;
    assert_true(t.files >= 28);
    assert_int_equal(t.without_agents, 2);
    assert_int_equal(t.unknown, 1); /* the generic type: it stays in the list of participants */
    assert_int_equal(t.kept, 1);    /* the channel of an agent with a reducer, whose key is of a process of .NET's */
    assert_true(t.nested >= 3);
}

static void test_live_chat__random_files_are_restored_and_saved_unchanged(void **state)
{
    tally t = each_recorded("random");

    (void)state;
    assert_true(t.files >= 160);
    assert_int_equal(t.without_agents, 0);
    assert_int_equal(t.unknown, 0);
    assert_int_equal(t.kept, 0);
    assert_true(t.nested >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_live_chat__named_files_are_restored_and_saved_unchanged),
        cmocka_unit_test(test_live_chat__random_files_are_restored_and_saved_unchanged),
    };

    return cmocka_run_group_tests_name("through_live_chat", tests, NULL, NULL);
}
