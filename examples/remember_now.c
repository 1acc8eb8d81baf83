/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memories that are made while an agent answers: it calls the tool `memory`, gets the result, and goes on. The chat
 * lives in a thread, and its process is killed again and again, also between a call and its result. What was said
 * before the end is said again, a call without a result is made again, and a file that is there already says so;
 * nothing is missed.
 *
 *     remember_now [STORE [agent]]
 *
 * The store is a URL or the name of an SQLite file; without it the program uses remember_now.db. With `agent` it is the
 * process that is killed.
 */
#include <agentchat/agentchat.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREAD "chat-8"
#define MEMORIES "users/ana"
enum { TURNS = 20, KILLS = 20 };

static agentchat_store *store;
static agentchat_error err;

static void must(agentchat_status status, const char *what)
{
    if (status >= 0)
        return;
    fprintf(stderr, "%s: ", what);
    agentchat_error_print(&err, stderr);
    exit(1);
}

/* ---- the agent ----------------------------------------------------------------------------------------------------
 */

/* Ends a message and adds it to the answer. message: receives it, to be given back. */
static agentchat_status add(agentchat_replies *out, agentchat_message_builder *builder, agentchat_message **message,
                            agentchat_error *error)
{
    agentchat_status status = agentchat_message_builder_finish(builder, message, error);

    return status < 0 ? status : agentchat_replies_add(out, *message, error);
}

/* What a model would say to a thing that it is told: a call that writes it down. */
static agentchat_status call_tool(agentchat_replies *out, agentchat_str said, agentchat_message **call,
                                  agentchat_error *error)
{
    agentchat_message_builder *builder = NULL;
    char arguments[200];
    agentchat_status status =
        agentchat_message_builder_new(NULL, "assistant", (agentchat_str){NULL, 0}, &builder, error);

    if (status < 0)
        return status;
    snprintf(arguments, sizeof arguments,
             "{\"command\": \"create\", \"path\": \"/memories/%.*s\", \"file_text\": \"%.*s\"}", (int)said.len,
             said.ptr, (int)said.len, said.ptr);
    agentchat_message_builder_add_call(builder, said, (agentchat_str){NULL, 0}, AGENTCHAT_STR("memory"),
                                       agentchat_str_from(arguments));
    return add(out, builder, call, error);
}

/* Makes the call of a message, and adds its result. */
static agentchat_status answer_call(agentchat_replies *out, const agentchat_message *call, agentchat_error *error)
{
    agentchat_message_builder *builder = NULL;
    agentchat_message *result = NULL;
    agentchat_status status = agentchat_message_builder_new(NULL, "tool", (agentchat_str){NULL, 0}, &builder, error);

    if (status < 0)
        return status;
    status = agentchat_memory_tools_answer(store, MEMORIES, agentchat_message_item(call, 0), builder, NULL, error);
    if (status >= 0)
        status = add(out, builder, &result, error);
    else
        agentchat_message_builder_free(builder);
    agentchat_message_unref(result);
    return status;
}

/* A call, its result, and a word to the user. What an earlier process has said of it is said again first. */
static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out,
                               agentchat_error *error)
{
    const agentchat_messages *partial = agentchat_replies_partial(out);
    size_t done = agentchat_messages_count(partial);
    const agentchat_message *last = agentchat_messages_at(seen, agentchat_messages_count(seen) - 1);
    agentchat_message *call = agentchat_message_ref(agentchat_messages_at(partial, 0));
    agentchat_status status = AGENTCHAT_OK;

    (void)user;
    for (size_t i = 0; i < done && status >= 0; i++)
        status = agentchat_replies_add(out, agentchat_messages_at(partial, i), error);
    if (status >= 0 && done < 1)
        status = call_tool(out, agentchat_message_text(last), &call, error);
    if (status >= 0 && done < 2)
        status = answer_call(out, call, error);
    agentchat_message_unref(call);
    if (status >= 0 && done < 3) /* it may have been killed after that, too */
        status = agentchat_replies_add_text(out, AGENTCHAT_STR("I shall remember it."), error);
    return status;
}

static agentchat_chat *attach(void)
{
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_chat *chat = NULL;

    options.keep_partial = true; /* what is said in an answer is stored at once */
    must(agentchat_chat_new(NULL, &chat, &err), "the chat");
    must(agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Desk"), answer, NULL, &err), "the agent");
    must(agentchat_thread_attach(store, THREAD, chat, &options, NULL, &err), "attaching");
    return chat;
}

/* Goes on where the process before was killed. Each turn has four messages: what was said, call, result, answer. */
static void talk(void)
{
    agentchat_chat *chat = attach();
    size_t there;

    while ((there = agentchat_messages_count(agentchat_chat_history(chat))) < (size_t)4 * TURNS) {
        char text[40];

        snprintf(text, sizeof text, "thing number %zu", there / 4 + 1);
        if (there % 4 == 0)
            must(agentchat_chat_add_text(chat, "user", agentchat_str_from(text), &err), "speaking");
        must(agentchat_chat_invoke(chat, AGENTCHAT_STR("Desk"), &err), "the answer");
    }
    agentchat_chat_free(chat);
}

/* ---- the program that kills it ------------------------------------------------------------------------------------
 */

/* The last process is left alone. */
static void start_and_kill(const char *program, const char *store_name)
{
    int state = 0;

    for (int i = 0; i <= KILLS; i++) {
        pid_t agent = fork();

        if (agent == 0) {
            (void)execl(program, program, store_name, "agent", (char *)NULL);
            perror(program);
            _exit(1);
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = (2 + rand() % 12) * 1000000L}, NULL);
        if (i < KILLS)
            (void)kill(agent, SIGKILL);
        (void)waitpid(agent, &state, 0);
    }
    if (state != 0)
        exit(1);
}

/* Whether the thread has each call with its result, and the memory each thing once. */
static bool is_right(void)
{
    agentchat_chat *chat = attach();
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_results *found = NULL;
    agentchat_calls *calls = NULL;
    bool right;

    must(agentchat_calls_find(NULL, agentchat_chat_history(chat), &calls, &err), "the calls");
    right = agentchat_calls_count(calls) == (size_t)2 * TURNS;
    for (size_t i = 0; i < agentchat_calls_count(calls); i++)
        right = right && agentchat_calls_at(calls, i)->partner != AGENTCHAT_NO_PARTNER;
    query.limit = 1000;
    must(agentchat_memory_search(store, MEMORIES, &query, &found, &err), "looking");
    right = right && agentchat_memory_results_count(found) == TURNS;
    printf("%d things said, %zu remembered, %zu calls and results\n", TURNS, agentchat_memory_results_count(found),
           agentchat_calls_count(calls));
    agentchat_memory_results_free(found);
    agentchat_calls_free(calls);
    agentchat_chat_free(chat);
    return right;
}

int main(int argc, char **argv)
{
    const char *store_name = argc > 1 ? argv[1] : "sqlite:remember_now.db";
    bool right = true;

    srand((unsigned)time(NULL));
    if (argc <= 2)
        start_and_kill(argv[0], store_name); /* before a store is open here: no connection is used after a fork */
    must(agentchat_store_open(NULL, store_name, NULL, &store, &err), "the store");
    if (argc > 2)
        talk();
    else
        right = is_right();
    if (argc <= 2)
        printf("%s\n", right ? "nothing was missed" : "that is wrong");
    agentchat_store_close(store);
    return right ? 0 : 1;
}
