/* SPDX-License-Identifier: Apache-2.0 */
/* Live chats of unusual shape. */
#include "shapes.h"

static agentchat_status create_thread(void *user, agentchat_bytes *out_id, agentchat_error *err)
{
    (void)user;
    return agentchat_bytes_append(out_id, AGENTCHAT_STR("thread"), err);
}

static agentchat_status post(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err)
{
    (void)user;
    (void)id;
    (void)batch;
    (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status answer(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)id;
    (void)out;
    (void)err;
    return AGENTCHAT_OK;
}

static agentchat_agent *remote_agent(size_t number)
{
    static const agentchat_remote_ops ops = {sizeof ops, create_thread, post, answer, NULL};
    agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;
    agentchat_agent *agent;
    agentchat_error err;

    options.name = bench_text("Agent %zu", number);
    options.id = bench_text("agent-%zu", number);
    options.type = "RemoteAgent";
    options.channel_type = "Remote";
    options.ops = &ops;
    bench_must(agentchat_remote_agent_new(NULL, &options, &agent, &err), &err);
    return agent;
}

static agentchat_agent *history_agent(size_t number)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_agent *agent;
    agentchat_error err;

    options.name = bench_text("Agent %zu", number);
    options.id = bench_text("agent-%zu", number);
    options.answer = bench_silence;
    bench_must(agentchat_history_agent_new(NULL, &options, &agent, &err), &err);
    return agent;
}

static agentchat_chat *crowd(size_t count, agentchat_agent *(*make)(size_t number))
{
    agentchat_chat *chat;
    agentchat_error err;

    bench_must(agentchat_chat_new(NULL, &chat, &err), &err);
    for (size_t i = 0; i < count; i++)
        bench_must(agentchat_chat_add_agent(chat, make(i), &err), &err);
    return chat;
}

static agentchat_snapshot *capture(agentchat_chat *chat)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    bench_must(agentchat_chat_capture(chat, NULL, &snapshot, NULL, &err), &err);
    return snapshot;
}

static void say(agentchat_chat *chat)
{
    agentchat_error err;

    bench_must(agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("Hello."), &err), &err);
}

/* Restores a snapshot into a chat, saves it twice and drops both. */
static void resume(agentchat_chat *chat, agentchat_snapshot *snapshot)
{
    agentchat_report *report = NULL;
    agentchat_error err;

    steps_start();
    bench_must(agentchat_chat_restore(chat, snapshot, NULL, &report, &err), &err);
    steps_end("restore");
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    steps_start();
    agentchat_snapshot_unref(capture(chat));
    steps_end("capture after it");
    say(chat);
    steps_end("add a message to it");
    agentchat_snapshot_unref(capture(chat));
    steps_end("capture again");
    agentchat_chat_free(chat);
    steps_end("release");
}

/* Agents that share one channel. */
static void history_agents(size_t count)
{
    agentchat_chat *chat;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    steps_start();
    chat = crowd(count, history_agent);
    steps_end("join");
    say(chat);
    steps_start();
    for (size_t i = 0; i < count; i++)
        bench_must(agentchat_chat_invoke_agent(chat, agentchat_chat_agent(chat, i), &err), &err);
    steps_end("each answers");
    snapshot = capture(chat);
    steps_end("capture");
    agentchat_chat_free(chat);
    resume(crowd(count, history_agent), snapshot);
}

/* Agents with a channel each, which is made when it is first needed. */
static void remote_agents(size_t count)
{
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;
    agentchat_chat *chat = crowd(count, remote_agent);
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    say(chat);
    options.all_channels = true;
    steps_start();
    bench_must(agentchat_chat_capture(chat, &options, &snapshot, NULL, &err), &err);
    steps_end("make all channels, capture");
    agentchat_chat_free(chat);
    resume(crowd(count, remote_agent), snapshot);
}

/* Agents of which none is known by id: they are found by name and type; their channels are not there. */
static void renamed_agents(size_t count)
{
    agentchat_snapshot_builder *builder = bench_builder(1);

    for (size_t i = 0; i < count; i++)
        agentchat_snapshot_builder_add_participant(builder, bench_text("other-%zu", i), bench_text("Agent %zu", i),
                                                   AGENTCHAT_STR("RemoteAgent"));
    resume(crowd(count, remote_agent), bench_finish(builder));
}

/* Participants and channels that are nobody's: the chat keeps them. */
static void nobodys_states(size_t count)
{
    agentchat_snapshot_builder *builder = bench_builder(1);

    for (size_t i = 0; i < count; i++) {
        agentchat_snapshot_builder_add_participant(builder, bench_text("other-%zu", i), bench_text("Other %zu", i),
                                                   AGENTCHAT_STR("Else"));
        agentchat_snapshot_builder_set_channel(builder, bench_text("key-%08zu", i), AGENTCHAT_STR("Else"),
                                               AGENTCHAT_CHANNEL_TEXT, bench_text("thread_%zu", i), 1);
    }
    resume(crowd(1, remote_agent), bench_finish(builder));
}

/* A channel for which every second message is pending: each is a batch of its own. */
static void batches(size_t count)
{
    agentchat_snapshot_builder *builder = bench_builder(2 * count);
    agentchat_chat *chat = crowd(1, remote_agent);
    agentchat_str key = agentchat_agent_channel_key(agentchat_chat_agent(chat, 0));
    size_t *positions = malloc(count * sizeof *positions);

    if (positions == NULL)
        exit(1);
    for (size_t i = 0; i < count; i++)
        positions[i] = 2 * i;
    agentchat_snapshot_builder_set_channel(builder, key, AGENTCHAT_STR("Remote"), AGENTCHAT_CHANNEL_TEXT,
                                           AGENTCHAT_STR("thread"), 2 * count);
    agentchat_snapshot_builder_set_pending(builder, key, positions, count);
    free(positions);
    resume(chat, bench_finish(builder));
}

static void live_values(size_t count)
{
    agentchat_chat *chat = bench_chat(NULL);
    agentchat_snapshot *snapshot;
    agentchat_error err;

    steps_start();
    for (size_t i = 0; i < count; i++)
        bench_must(agentchat_chat_set_value(chat, bench_text("value-%08zu", i), (agentchat_str){NULL, 0},
                                            bench_text("%zu", i), &err),
                   &err);
    steps_end("set each");
    for (size_t i = 0; i < count; i++)
        if (agentchat_chat_value(chat, bench_text("value-%08zu", i), NULL).ptr == NULL)
            exit(1);
    steps_end("get each");
    snapshot = capture(chat);
    steps_end("capture");
    for (size_t i = 0; i < count; i++)
        if (agentchat_snapshot_value(snapshot, bench_text("value-%08zu", i), NULL).ptr == NULL)
            exit(1);
    steps_end("get each from the snapshot");
    agentchat_chat_free(chat);
    resume(bench_chat(NULL), snapshot);
}

/* A capture after each message, all of them kept. */
static void kept_captures(size_t count)
{
    agentchat_chat *chat = bench_chat(NULL);
    agentchat_snapshot **all = malloc(count * sizeof *all);
    agentchat_error err;

    if (all == NULL)
        exit(1);
    bench_must(agentchat_chat_invoke(chat, AGENTCHAT_STR("Desk"), &err), &err);
    steps_start();
    for (size_t i = 0; i < count; i++) {
        say(chat);
        all[i] = capture(chat);
    }
    steps_end("add and capture");
    for (size_t i = 0; i < count; i++)
        agentchat_snapshot_unref(all[i]);
    steps_end("release");
    free(all);
    agentchat_chat_free(chat);
}

/* Chats that go on from one another's snapshots. */
static void forks(size_t count)
{
    agentchat_snapshot *snapshot = bench_finish(bench_builder(100));
    agentchat_error err;

    steps_start();
    for (size_t i = 0; i < count; i++) {
        agentchat_chat *chat = bench_chat(NULL);

        bench_must(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
        say(chat);
        agentchat_snapshot_unref(snapshot);
        snapshot = capture(chat);
        agentchat_chat_free(chat);
    }
    steps_end("restore, add, capture");
    agentchat_snapshot_unref(snapshot);
    steps_end("release");
}

const bench_shape bench_live_shapes[] = {
    {"history agents in a live chat", 100000, NULL, history_agents},
    {"remote agents in a live chat", 10000, NULL, remote_agents},
    {"agents known by name only", 100000, NULL, renamed_agents},
    {"states and participants that are nobody's", 100000, NULL, nobodys_states},
    {"batches that wait for a restored channel", 100000, NULL, batches},
    {"named values of a live chat", 10000, NULL, live_values},
    {"captures kept of one chat", 100000, NULL, kept_captures},
    {"chats that go on from one another", 100000, NULL, forks},
    {NULL, 0, NULL, NULL},
};
