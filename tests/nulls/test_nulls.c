/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NULL for each pointer of each public function, each call in a process of its own: none of them crashes, and where the
 * parameter's comment does not speak of NULL, a function that can fail does.
 */
#include "nulls.h"

#include "chat/channel_edit.h"
#include "chat/channel_state.h"
#include "chat/replies.h"
#include "memory/memory_internal.h"
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- callbacks ------------------------------------------------------------------------------------------------ */

agentchat_status nulls_answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)seen;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("hello"), err);
}

agentchat_status nulls_check(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    (void)user;
    (void)part;
    (void)problem;
    (void)err;
    return AGENTCHAT_OK;
}

agentchat_status nulls_each(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                            agentchat_error *err)
{
    (void)user;
    (void)path;
    (void)left;
    (void)right;
    (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status read_nothing(void *self, void *buffer, size_t cap, size_t *out_len, agentchat_error *err)
{
    (void)self;
    (void)buffer;
    (void)cap;
    (void)err;
    *out_len = 0;
    return AGENTCHAT_DONE;
}

static agentchat_status write_nowhere(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    (void)self;
    (void)bytes;
    (void)len;
    (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status thread_create(void *user, agentchat_bytes *out_id, agentchat_error *err)
{
    (void)user;
    return agentchat_bytes_append(out_id, AGENTCHAT_STR("thread"), err);
}

static agentchat_status thread_post(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err)
{
    (void)user;
    (void)id;
    (void)batch;
    (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status embed(void *user, const agentchat_str *texts, size_t count, agentchat_memory_vectors *out,
                              agentchat_error *err)
{
    const float one = 1;
    agentchat_status status = AGENTCHAT_OK;

    (void)user;
    (void)texts;
    while (count-- > 0 && status >= 0)
        status = agentchat_memory_vectors_add(out, &one, 1, err);
    return status;
}
const agentchat_memory_embedder nulls_embedder = {sizeof(agentchat_memory_embedder), embed, NULL, NULL};

static agentchat_status thread_answer(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)id;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("hello"), err);
}

static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    agentchat_status status = agentchat_chat_new(NULL, out, err);

    (void)user;
    return status < 0 ? status
                      : agentchat_chat_add_history_agent(*out, AGENTCHAT_STR("Inner"), nulls_answer, NULL, err);
}

static agentchat_status channel_create(void *agent, void **out, agentchat_error *err)
{
    (void)err;
    *out = agent;
    return AGENTCHAT_OK;
}

static agentchat_status channel_receive(void *channel, const agentchat_messages *batch, agentchat_error *err)
{
    return thread_post(channel, AGENTCHAT_STR(""), batch, err);
}

static agentchat_status channel_invoke(void *channel, void *agent, agentchat_replies *out, agentchat_error *err)
{
    (void)agent;
    return thread_answer(channel, AGENTCHAT_STR(""), out, err);
}

static agentchat_status channel_save(void *channel, agentchat_channel_save *out, agentchat_error *err)
{
    (void)channel;
    return agentchat_channel_save_text(out, AGENTCHAT_STR("state"), err);
}

static agentchat_status channel_load(void *agent, const agentchat_channel_load *in, void **out, agentchat_error *err)
{
    (void)in;
    return channel_create(agent, out, err);
}

static agentchat_status operate(const agentchat_channel_save *self, agentchat_chat *inner, agentchat_snapshot **out,
                                agentchat_error *err)
{
    (void)self;
    return agentchat_chat_capture(inner, NULL, out, NULL, err);
}

static agentchat_status get_empty_chat(void *user, size_t index, agentchat_snapshot **out, agentchat_error *err)
{
    (void)user;
    (void)index;
    return agentchat_snapshot_read_memory(
        NULL,
        AGENTCHAT_STR("{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":[],\"channels\":[]}"),
        NULL, out, NULL, err);
}

const agentchat_source_ops nulls_source_ops = {sizeof nulls_source_ops, read_nothing, NULL};
const agentchat_sink_ops nulls_sink_ops = {sizeof nulls_sink_ops, write_nowhere, NULL, NULL};
static const agentchat_remote_ops thread_ops = {sizeof thread_ops, thread_create, thread_post, thread_answer, NULL};
static const agentchat_channel_type channel_type = {.struct_size = sizeof channel_type,
                                                    .name = "test.Channel",
                                                    .create = channel_create,
                                                    .receive = channel_receive,
                                                    .invoke = channel_invoke,
                                                    .save = channel_save,
                                                    .load = channel_load};
const agentchat_remote_agent_options nulls_remote_agent = {
    .struct_size = sizeof nulls_remote_agent, .type = "T", .channel_type = "test.Thread", .ops = &thread_ops};
const agentchat_pending_write nulls_pending_write = {"", "task", "channel", 0, {NULL, 0}, {"1", 1}, NULL};
static const agentchat_checkpoint_info checkpoint_info = {.ns = "", .id = "c", .sequence = 1, .metadata = {"{}", 2}};
static const agentchat_html_checkpoint html_checkpoint = {&checkpoint_info, {NULL, 0}};
const agentchat_html_thread nulls_html_thread = {
    .struct_size = sizeof nulls_html_thread, .checkpoints = &html_checkpoint, .count = 1, .snapshot = get_empty_chat};
const agentchat_agent_options nulls_agent = {.struct_size = sizeof nulls_agent, .channel = &channel_type};
const agentchat_aggregator_options nulls_aggregator = {.struct_size = sizeof nulls_aggregator, .make = make_inner};
const agentchat_history_agent_options nulls_history_agent = {.struct_size = sizeof nulls_history_agent,
                                                             .answer = nulls_answer};

/* ---- values ----------------------------------------------------------------------------------------------------- */

static void need(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "the test itself cannot make %s\n", what);
        _exit(3);
    }
}

static agentchat_chat *chat_of_one(const char *name)
{
    agentchat_chat *chat = NULL;

    need(agentchat_chat_new(NULL, &chat, NULL) >= 0 &&
             agentchat_chat_add_history_agent(chat, agentchat_str_from(name), nulls_answer, NULL, NULL) >= 0,
         "a chat");
    return chat;
}

static void make_messages(nulls_world *w)
{
    static const char json[] = "{\"a\":1}";
    agentchat_message_builder *b;

    need(agentchat_message_builder_new(NULL, "user", AGENTCHAT_STR("Ann"), &b, NULL) >= 0, "a message builder");
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_METADATA, agentchat_str_from(json));
    agentchat_message_builder_add_text(b, AGENTCHAT_STR("hi"));
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_METADATA, agentchat_str_from(json));
    need(agentchat_message_builder_finish(b, &w->message, NULL) >= 0, "a message");
    w->item = agentchat_message_item(w->message, 0);
    w->list[0] = w->message;
    need(agentchat_messages_new(NULL, w->list, 1, &w->messages, NULL) >= 0, "a list");
    need(agentchat_calls_find(NULL, w->messages, &w->calls, NULL) >= 0, "calls");
    need(agentchat_list_edit_new(NULL, agentchat_messages_count(w->messages), &w->edit, NULL) >= 0, "an edit list");
    need(agentchat_message_builder_from(NULL, w->message, &w->builder, NULL) >= 0, "a message builder");
    need(agentchat_message_builder_new(NULL, "assistant", AGENTCHAT_STR("Desk"), &b, NULL) >= 0, "a message builder");
    agentchat_message_builder_add_call(b, AGENTCHAT_STR("c"), AGENTCHAT_STR("p"), AGENTCHAT_STR("manage_memory"),
                                       AGENTCHAT_STR("{}"));
    need(agentchat_message_builder_finish(b, &w->call, NULL) >= 0, "a call");
    agentchat_message_builder_add_text(w->builder, AGENTCHAT_STR("hi"));
}

static void make_chat(nulls_world *w)
{
    w->chat = chat_of_one("A");
    w->empty_chat = chat_of_one("A");
    w->agent = agentchat_chat_agent(w->chat, 0);
    need(agentchat_history_agent_new(NULL, &nulls_history_agent, &w->free_agent, NULL) >= 0 &&
             agentchat_chat_add_text(w->chat, "user", AGENTCHAT_STR("hi"), NULL) >= 0 &&
             agentchat_chat_invoke(w->chat, AGENTCHAT_STR("A"), NULL) >= 0 &&
             agentchat_chat_set_value(w->chat, AGENTCHAT_STR("n"), AGENTCHAT_STR("text/plain"), AGENTCHAT_STR("v"),
                                      NULL) >= 0 &&
             agentchat_chat_capture(w->chat, NULL, &w->snapshot, NULL, NULL) >= 0 &&
             agentchat_snapshot_write_memory(w->snapshot, NULL, &w->written, NULL, NULL) >= 0 &&
             agentchat_chat_restore(chat_of_one("A"), w->snapshot, NULL, &w->report, NULL) >= 0,
         "a chat that was used");
    need(agentchat_list_edit_new(NULL, agentchat_chat_message_count(w->chat), &w->history_edit, NULL) >= 0,
         "an edit list");
    need(agentchat_turn_begin(chat_of_one("A"), AGENTCHAT_STR("A"), &w->turn, NULL) >= 0, "a turn");
    w->channel = agentchat_snapshot_channel(w->snapshot, 0);
    w->participant = agentchat_snapshot_participant(w->snapshot, 0);
    need(agentchat_snapshot_builder_new(NULL, w->snapshot, &w->snapshot_builder, NULL) >= 0, "a builder");
}

bool nulls_test(void *user, const agentchat_message *message)
{
    (void)user;
    return message == NULL;
}

agentchat_status nulls_reduce(void *user, agentchat_str existing, agentchat_str update, agentchat_bytes *out,
                              agentchat_error *err)
{
    (void)user;
    (void)existing;
    (void)update;
    return agentchat_bytes_append(out, AGENTCHAT_STR("[]"), err);
}

agentchat_status nulls_profile(void *user, agentchat_profile_draft *draft, agentchat_error *err)
{
    (void)user;
    draft->change = AGENTCHAT_PROFILE_REPLACE;
    return agentchat_bytes_append(&draft->text, AGENTCHAT_STR("{}"), err);
}

agentchat_status nulls_instructions(void *user, agentchat_instructions_draft *draft, agentchat_error *err)
{
    (void)user;
    return agentchat_bytes_append(&draft->text, AGENTCHAT_STR("x"), err);
}

agentchat_status nulls_summarize(void *user, const agentchat_messages *messages, agentchat_bytes *out,
                                 agentchat_error *err)
{
    (void)user;
    (void)messages;
    return agentchat_bytes_append(out, AGENTCHAT_STR("short"), err);
}

void nulls_failed(void *user, const char *check, agentchat_str path, agentchat_str text)
{
    (void)user;
    (void)check;
    (void)path;
    (void)text;
}

static void make_document(nulls_world *w)
{
    agentchat_source *source = NULL;

    need(agentchat_source_memory(NULL, AGENTCHAT_STR("{\"author\":\"a\"}"), &source, NULL) >= 0 &&
             agentchat_document_read(NULL, source, NULL, &w->document, NULL, NULL) >= 0,
         "a document");
    agentchat_source_free(source);
}

static agentchat_event_builder *event_builder(void)
{
    agentchat_event_builder *b = NULL;

    need(agentchat_event_builder_new(NULL, AGENTCHAT_STR("user"), &b, NULL) >= 0, "an event builder");
    return b;
}

static void make_session(nulls_world *w)
{
    agentchat_event_builder *b = event_builder();
    agentchat_bytes file = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;

    make_document(w);
    agentchat_event_builder_set(b, AGENTCHAT_EVENT_ID, AGENTCHAT_STR("e0"));
    need(agentchat_event_builder_finish(b, &w->event, NULL) >= 0, "an event");
    w->event_builder = event_builder();
    need(agentchat_state_new(NULL, &w->state, NULL) >= 0 &&
             agentchat_state_set(w->state, "key", AGENTCHAT_STR("1"), NULL) >= 0,
         "a state");
    b = event_builder();
    agentchat_event_builder_set(b, AGENTCHAT_EVENT_ID, AGENTCHAT_STR("e1"));
    {
        agentchat_event *event = NULL;

        need(agentchat_event_builder_finish(b, &event, NULL) >= 0, "an event");
        need(agentchat_sqlite_open(NULL, NULL, NULL, &w->store, NULL) >= 0 &&
                 agentchat_session_create(w->store, &(agentchat_session_id){"app", "user", "s1"}, w->state, &w->session,
                                          NULL) >= 0 &&
                 agentchat_session_append(w->session, event, NULL, NULL, NULL) >= 0 &&
                 agentchat_session_list_read(
                     w->store, "app",
                     &(agentchat_session_list_options){
                         .struct_size = sizeof(agentchat_session_list_options), .user = "user", .limit = 10},
                     &w->sessions, NULL) >= 0,
             "a session");
        agentchat_event_unref(event);
    }
    {
        agentchat_session *other = NULL;
        agentchat_source *once = NULL;

        need(agentchat_session_create(w->store, &(agentchat_session_id){"elsewhere", "user", "s1"}, NULL, &other,
                                      NULL) >= 0 &&
                 agentchat_sink_memory(NULL, &file, &sink, NULL) >= 0 &&
                 agentchat_session_export(other, sink, NULL, NULL, NULL) >= 0 &&
                 agentchat_session_delete(w->store, &(agentchat_session_id){"elsewhere", "user", "s1"}, NULL) >= 0 &&
                 agentchat_source_memory(NULL, (agentchat_str){file.ptr, file.len}, &w->session_source, NULL) >= 0,
             "a session file");
        need(agentchat_source_memory(NULL, (agentchat_str){file.ptr, file.len}, &once, NULL) >= 0 &&
                 agentchat_session_file_read(NULL, once, NULL, &w->session_file, NULL, NULL) >= 0,
             "a session's file");
        agentchat_source_free(once);
        agentchat_sink_free(sink);
        agentchat_session_free(other);
    }
}

static void make_thread(nulls_world *w)
{
    w->saved_chat = chat_of_one("A");
    need(agentchat_checkpoint_put(w->store, "t1", w->snapshot, NULL, NULL, NULL) >= 0 &&
             agentchat_checkpoint_get(w->store, "t1", NULL, &w->checkpoint, NULL) >= 0 &&
             agentchat_checkpoint_list_read(w->store, "t1", NULL, &w->checkpoints, NULL) >= 0 &&
             agentchat_checkpoint_pending(w->store, "t1", NULL, &w->pending, NULL) >= 0 &&
             agentchat_thread_list_read(w->store, NULL, &w->threads, NULL) >= 0 &&
             agentchat_thread_search(w->store, "t1", AGENTCHAT_STR("text"), NULL, &w->hits, NULL) >= 0 &&
             agentchat_thread_restore(w->store, "t1", w->saved_chat, NULL, NULL, NULL) >= 0,
         "a thread");
}

static void make_memory(nulls_world *w)
{
    const agentchat_work_request request = {"extract", 0, {NULL, 0}}, waiting = {"waiting", 1000000000, {NULL, 0}};

    need(agentchat_work_queue(w->store, "t1", &request, NULL) >= 0 &&
             agentchat_work_queue(w->store, "t1", &waiting, NULL) >= 0 &&
             agentchat_work_claim(w->store, NULL, &w->work, NULL) >= 0 && agentchat_work_item_list_count(w->work) == 1,
         "work");
    need(agentchat_memory_put(w->store, "a", "k", AGENTCHAT_STR("{}"), NULL, NULL) >= 0 &&
             agentchat_memory_put(w->store, "i", "bot", AGENTCHAT_STR("{\"text\":\"\"}"), NULL, NULL) >= 0 &&
             agentchat_memory_log_keep(w->store, "l", 1, NULL) >= 0 &&
             agentchat_memory_put(w->store, "l", "k", AGENTCHAT_STR("{}"), NULL, NULL) >= 0 &&
             agentchat_memory_log(w->store, "l", NULL, 0, &w->steps, NULL) >= 0 &&
             agentchat_memory_search(w->store, "a", NULL, &w->documents, NULL) >= 0 &&
             agentchat_memory_list_namespaces(w->store, NULL, &w->spaces, NULL) >= 0 &&
             agentchat_collection_apply(w->store, "a", NULL, 0, NULL, &w->outcomes, NULL, NULL) >= 0 &&
             agentchat_source_memory(NULL, AGENTCHAT_STR(""), &w->no_lines, NULL) >= 0,
         "documents");
}

static void make_streams(nulls_world *w)
{
    static const char template[] = "/tmp/agentchat-nulls-XXXXXX";
    int fd;

    memcpy(w->path, template, sizeof template);
    fd = mkstemp(w->path);
    need(fd >= 0 && write(fd, w->written.ptr, w->written.len) == (ssize_t)w->written.len, "a file");
    close(fd);
    w->file = fopen("/dev/null", "r+");
    need(w->file != NULL && agentchat_sink_memory(NULL, &w->bytes, &w->sink, NULL) >= 0 &&
             agentchat_source_memory(NULL, (agentchat_str){w->written.ptr, w->written.len}, &w->source, NULL) >= 0,
         "streams");
    w->json = json_pack("{s:i}", "a", 1);
}

/* What callbacks get to see, as the library makes it. */
static void make_callback_arguments(nulls_world *w)
{
    static agentchat_replies replies;
    static agentchat_channel_save sink;
    static agentchat_channel_load source;
    static agentchat_channel_edit edit;
    static aci_edit_plan plan;
    static agentchat_memory_vectors vectors;

    replies = (agentchat_replies){.chat = w->chat, .agent = w->agent};
    sink = (agentchat_channel_save){.arena = aci_arena_new(aci_env(NULL), 0), .capture = operate};
    aci_list_init(&sink.messages, aci_env(NULL));
    source = (agentchat_channel_load){.env = aci_env(NULL), .state = w->channel, .history_count = 1};
    vectors = (agentchat_memory_vectors){.env = aci_env(NULL)};
    w->replies = &replies;
    w->vectors = &vectors;
    w->channel_save = &sink;
    w->channel_load = &source;
    need(aci_edit_plan_make(&plan, aci_env(NULL), w->messages, w->edit, NULL) >= 0, "a plan");
    edit = (agentchat_channel_edit){&plan, {1, NULL, 0}};
    w->channel_edit = &edit;
}

static void make_world(nulls_world *w)
{
    agentchat_env *env = NULL;

    memset(w, 0, sizeof *w);
    agentchat_error_clear(&w->error);
    need(agentchat_env_new(NULL, &w->own_env, NULL) >= 0 && agentchat_env_new(NULL, &env, NULL) >= 0,
         "two environments");
    w->env = env;
    make_messages(w);
    make_chat(w);
    make_session(w);
    make_thread(w);
    make_memory(w);
    make_streams(w);
    make_callback_arguments(w);
}

/* ---- the calls -------------------------------------------------------------------------------------------------- */

/* Runs a call in a child: its status, or what it died of as a text. */
static const char *run(const nulls_call *call, int null, agentchat_status *status)
{
    static char death[80];
    int pipes[2], ended = 0, number = 0;
    pid_t child;

    need(pipe(pipes) == 0, "a pipe");
    child = fork();
    if (child == 0) {
        nulls_world world;

        need(freopen("/dev/null", "w", stderr) != NULL, "silence");
        make_world(&world);
        number = (int)call->run(&world, null);
        unlink(world.path);
        _exit(write(pipes[1], &number, sizeof number) == (ssize_t)sizeof number ? 0 : 4);
    }
    close(pipes[1]);
    waitpid(child, &ended, 0);
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0 ||
        read(pipes[0], &number, sizeof number) != (ssize_t)sizeof number) {
        snprintf(death, sizeof death, WIFSIGNALED(ended) ? "signal %d" : "exit status %d",
                 WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended));
        close(pipes[0]);
        return death;
    }
    close(pipes[0]);
    *status = (agentchat_status)number;
    return NULL;
}

/* Those that return the status they are given; those that would need a server. */
static bool always_fails(const char *name)
{
    return strncmp(name, "agentchat_error_set", 19) == 0 || strncmp(name, "agentchat_postgres_", 19) == 0;
}

static int check(const nulls_call *call, int null)
{
    agentchat_status status = AGENTCHAT_OK;
    const char *death = run(call, null, &status);
    const char *name = null == NULLS_NONE ? "all values" : call->names[null];
    bool wants_failure = null != NULLS_NONE && call->pointers[null] == 'm' && call->has_status;

    if (death != NULL)
        printf("FAILED %s, NULL for %s: %s\n", call->name, name, death);
    else if (null == NULLS_NONE && status < 0 && !always_fails(call->name))
        printf("FAILED %s, all values given: %s\n", call->name, agentchat_status_name(status));
    else if (wants_failure && status >= 0)
        printf("FAILED %s, NULL for %s: is taken, but its comment does not say so\n", call->name, name);
    else
        return 0;
    return 1;
}

int main(void)
{
    int calls = 0, failed = 0;

    for (size_t i = 0; i < nulls_call_count; i++) {
        failed += check(&nulls_calls[i], NULLS_NONE);
        calls++;
        for (int k = 0; k < nulls_calls[i].parameters; k++)
            if (nulls_calls[i].pointers[k] != '-') {
                failed += check(&nulls_calls[i], k);
                calls++;
            }
    }
    printf("%d passed, %d failed\n", calls - failed, failed);
    return failed > 0;
}
