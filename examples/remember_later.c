/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memories that are made in the background: a chat answers at once and queues work with each of its checkpoints;
 * another process claims that work, makes memories of what is new in the thread, and is killed again and again. Nothing
 * is missed, as work that was not done is claimed again; nothing is remembered twice, as each memory has a key that
 * says which message it is of.
 *
 *     remember_later [STORE [worker]]
 *
 * The store is a URL or the name of an SQLite file; without it the program uses remember_later.db. With `worker` it is
 * the other process.
 */
#include <agentchat/agentchat.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREAD "chat-7"
#define FACTS "users/ana/facts"
enum { TURNS = 20 };

static const char *program, *store_name;
static agentchat_error err;

static void must(agentchat_status status, const char *what)
{
    if (status >= 0)
        return;
    fprintf(stderr, "%s: ", what);
    agentchat_error_print(&err, stderr);
    exit(1);
}

static void nap(long milliseconds)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

/* ---- the process in the background --------------------------------------------------------------------------------
 */

/* A memory of each thing that the user said after those that were looked at before; returns how many messages those are
   now. A real program asks a model here. */
static size_t extract(agentchat_store *store, const char *thread, size_t seen)
{
    agentchat_checkpoint *newest = NULL;
    const agentchat_messages *history;
    size_t count;

    must(agentchat_checkpoint_get(store, thread, NULL, &newest, &err), "reading the thread");
    history = agentchat_snapshot_history(agentchat_checkpoint_snapshot(newest));
    count = agentchat_messages_count(history);
    for (size_t i = seen; i < count; i++) {
        const agentchat_message *message = agentchat_messages_at(history, i);
        agentchat_bytes document = AGENTCHAT_BYTES_INIT;
        char key[40];

        if (!agentchat_str_equal(agentchat_message_role(message), AGENTCHAT_STR("user")))
            continue;
        snprintf(key, sizeof key, "%s-%zu", thread, i); /* the same one when this is done again */
        must(agentchat_bytes_append(&document, AGENTCHAT_STR("{\"fact\": "), &err), "a fact");
        must(agentchat_json_quote(NULL, agentchat_message_text(message), &document, &err), "a fact");
        must(agentchat_bytes_append(&document, AGENTCHAT_STR("}"), &err), "a fact");
        must(agentchat_memory_put(store, FACTS, key, (agentchat_str){document.ptr, document.len}, NULL, &err),
             "a fact");
        agentchat_bytes_clear(&document);
    }
    agentchat_checkpoint_free(newest);
    return count;
}

/* Does what is due until there is nothing to do any more, or for ever. */
static void work(bool for_ever)
{
    agentchat_work_claim_options options = AGENTCHAT_WORK_CLAIM_OPTIONS_INIT;
    agentchat_work_list_options open_work = AGENTCHAT_WORK_LIST_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_work_item_list *list = NULL;
    size_t left;

    must(agentchat_store_open(NULL, store_name, NULL, &store, &err), "the store");
    options.kind = "extract";
    options.lease_us = 50000; /* so that this example goes on soon after each kill */
    open_work.thread = THREAD;
    do {
        must(agentchat_work_claim(store, &options, &list, &err), "claiming");
        for (size_t i = 0; i < agentchat_work_item_list_count(list); i++) {
            const agentchat_work_item *item = agentchat_work_item_list_at(list, i);
            size_t seen = item->mark != NULL ? strtoul(item->mark, NULL, 10) : 0;
            char mark[24];

            snprintf(mark, sizeof mark, "%zu", extract(store, item->thread, seen));
            must(agentchat_work_done(store, item, mark, &err), "done");
        }
        agentchat_work_item_list_free(list);
        must(agentchat_work_list(store, &open_work, &list, &err), "listing");
        left = agentchat_work_item_list_at(list, 0) == NULL ||
               agentchat_work_item_list_at(list, 0)->state != AGENTCHAT_WORK_DONE;
        agentchat_work_item_list_free(list);
        nap(1);
    } while (for_ever || left > 0);
    agentchat_store_close(store);
}

/* A program of its own, as no connection to a store may be used in a process that was forked from one that has it. */
static pid_t start_worker(void)
{
    pid_t worker = fork();

    if (worker != 0)
        return worker;
    (void)execl(program, program, store_name, "worker", (char *)NULL);
    perror(program);
    _exit(1);
}

/* ---- the chat -----------------------------------------------------------------------------------------------------
 */

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out,
                               agentchat_error *error)
{
    (void)user;
    (void)seen;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("I see."), error);
}

/* Says one thing after the other while the worker is killed again and again. */
static void talk(agentchat_store *store)
{
    const agentchat_work_request extraction = {"extract", 0, AGENTCHAT_STR("user ana")};
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_chat *chat = NULL;
    pid_t worker = start_worker();

    must(agentchat_chat_new(NULL, &chat, &err), "the chat");
    must(agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Desk"), answer, NULL, &err), "the agent");
    options.work = &extraction; /* queued with each checkpoint, in the same transaction */
    options.work_count = 1;
    must(agentchat_thread_attach(store, THREAD, chat, &options, NULL, &err), "attaching");
    for (int i = 1; i <= TURNS; i++) {
        char text[40];

        snprintf(text, sizeof text, "thing number %d", i);
        must(agentchat_chat_add_text(chat, "user", agentchat_str_from(text), &err), "speaking");
        must(agentchat_chat_invoke(chat, AGENTCHAT_STR("Desk"), &err), "the answer");
        nap(2 + rand() % 10);
        if (i % 2 == 0) {
            (void)kill(worker, SIGKILL);
            (void)waitpid(worker, NULL, 0);
            worker = start_worker();
        }
    }
    (void)kill(worker, SIGKILL);
    (void)waitpid(worker, NULL, 0);
    agentchat_chat_free(chat);
}

int main(int argc, char **argv)
{
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_results *found = NULL;
    agentchat_store *store = NULL;
    bool is_right;

    store_name = argc > 1 ? argv[1] : "sqlite:remember_later.db";
    program = argv[0];
    if (argc > 2)
        work(true);
    srand((unsigned)time(NULL));
    must(agentchat_store_open(NULL, store_name, NULL, &store, &err), "the store");
    talk(store);
    work(false); /* what is left */
    query.limit = 1000;
    must(agentchat_memory_search(store, FACTS, &query, &found, &err), "looking");
    is_right = agentchat_memory_results_count(found) == TURNS;
    printf("%d things said, %zu remembered\n", TURNS, agentchat_memory_results_count(found));
    for (int i = 0; i < TURNS; i++) { /* the user's messages are every second one */
        agentchat_memory_results *one = NULL;
        char key[40], expected[60];

        snprintf(key, sizeof key, THREAD "-%d", 2 * i);
        snprintf(expected, sizeof expected, "{\"fact\": \"thing number %d\"}", i + 1);
        must(agentchat_memory_get(store, FACTS, key, false, &one, &err), key);
        is_right = is_right && strcmp(agentchat_memory_results_at(one, 0)->value.ptr, expected) == 0;
        agentchat_memory_results_free(one);
    }
    printf("%s\n", is_right ? "nothing was missed, nothing is there twice" : "that is wrong");
    agentchat_memory_results_free(found);
    agentchat_store_close(store);
    return is_right ? 0 : 1;
}
