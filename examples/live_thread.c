/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chat that lives in a thread: attached, killed in the middle of an answer and attached again; a fork from an earlier
 * checkpoint, beside which the main line goes on; a conflict, and how to go on after it; pruning.
 *
 *     live_thread [STORE]
 *
 * The store is a URL or the name of an SQLite file; without it the program uses live_thread.db. Each process that this
 * program plays is a chat of its own.
 */
#include <agentchat/agentchat.h>
#include <stdio.h>
#include <string.h>

#define THREAD "order-7"

static agentchat_store *store;
static agentchat_error err;
static int look_ups; /* how often the tool ran */

static int failed(const char *what)
{
    fprintf(stderr, "%s: ", what);
    agentchat_error_print(&err, stderr);
    return 1;
}

/* An agent with a tool. What it said in a turn that did not end it says again, so the tool does not run a second time.
 */
static agentchat_status desk(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *error)
{
    const agentchat_messages *partial = agentchat_replies_partial(out);
    size_t done = agentchat_messages_count(partial);
    agentchat_status status = AGENTCHAT_OK;

    (void)seen;
    for (size_t i = 0; i < done && status >= 0; i++)
        status = agentchat_replies_add(out, agentchat_messages_at(partial, i), error);
    if (status >= 0 && done == 0) {
        look_ups++;
        status = agentchat_replies_add_text(out, AGENTCHAT_STR("(looked it up)"), error);
        if (user != NULL) /* this process is "killed" here */
            return agentchat_error_set(error, AGENTCHAT_E_CANCELLED, "killed");
    }
    if (status >= 0) /* stored with the answer, in its checkpoint */
        status = agentchat_replies_set_value(out, AGENTCHAT_STR("shipped"), AGENTCHAT_STR("true"), error);
    return status < 0 ? status : agentchat_replies_add_text(out, AGENTCHAT_STR("It was shipped on Tuesday."), error);
}

/* The chat of a process: the same agents each time. dies: in its first answer. */
static agentchat_chat *process(bool dies)
{
    static char yes[] = "dies";
    agentchat_chat *chat = NULL;

    if (agentchat_chat_new(NULL, &chat, &err) < 0)
        return NULL;
    if (agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Desk"), desk, dies ? yes : NULL, &err) >= 0)
        return chat;
    agentchat_chat_free(chat);
    return NULL;
}

static agentchat_status say(agentchat_chat *chat, const char *text)
{
    return agentchat_chat_add_text(chat, "user", agentchat_str_from(text), &err);
}

static void show(const char *what, const agentchat_chat *chat)
{
    const agentchat_messages *history = agentchat_chat_history(chat);

    printf("%s (line %llu):", what, (unsigned long long)agentchat_thread_line(chat));
    for (size_t i = 0; i < agentchat_messages_count(history); i++) {
        agentchat_str text = agentchat_message_text(agentchat_messages_at(history, i));

        printf("%s " AGENTCHAT_STR_FMT, i > 0 ? " |" : "", AGENTCHAT_STR_ARG(text));
    }
    printf("\n");
}

/* ---- attach; killed, and attached again ----------------------------------------------------------------------------
 */

/* The question is stored before anybody answers. question: receives the id of its checkpoint. */
static int answer_after_a_crash(agentchat_chat **out, char question[AGENTCHAT_ID_SIZE])
{
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_chat *first = process(true), *second = process(false);
    int status = 0;

    options.keep_partial = true; /* what is said in an answer is stored at once */
    if (first == NULL || agentchat_thread_attach(store, THREAD, first, &options, NULL, &err) < 0 ||
        say(first, "Where is my order?") < 0)
        status = failed("the first process");
    else if (agentchat_chat_invoke(first, AGENTCHAT_STR("Desk"), &err) != AGENTCHAT_E_CANCELLED)
        status = failed("the first answer");
    agentchat_chat_free(first);
    if (status == 0 && (second == NULL || agentchat_thread_attach(store, THREAD, second, &options, NULL, &err) < 0))
        status = failed("the second process");
    if (status == 0)
        memcpy(question, agentchat_thread_remembered(second), AGENTCHAT_ID_SIZE);
    if (status == 0 && agentchat_chat_invoke(second, AGENTCHAT_STR("Desk"), &err) < 0)
        status = failed("the answer");
    if (status == 0) {
        show("answered", second);
        printf("the tool ran %d time\n", look_ups);
    }
    *out = second;
    return status;
}

/* ---- a fork --------------------------------------------------------------------------------------------------------
 */

/* Another question instead of the first one's answer, while the chat goes on: each stays on its line. */
static int fork_it(agentchat_chat *chat, const char *question)
{
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_chat *what_if = process(false);
    int status = 0;

    options.checkpoint = question;
    options.branch = true;
    if (what_if == NULL || agentchat_thread_attach(store, THREAD, what_if, &options, NULL, &err) < 0 ||
        say(what_if, "Cancel it.") < 0 || say(chat, "Thank you.") < 0)
        status = failed("the fork");
    if (status == 0) {
        show("forked", what_if);
        show("main", chat);
    }
    agentchat_chat_free(what_if);
    return status;
}

/* ---- a conflict, and what to do ------------------------------------------------------------------------------------
 */

static int meet_a_conflict(agentchat_chat *chat)
{
    agentchat_thread_catch_up_options append = AGENTCHAT_THREAD_CATCH_UP_OPTIONS_INIT;
    agentchat_thread_restore_options line = AGENTCHAT_THREAD_RESTORE_OPTIONS_INIT;
    agentchat_chat *other = process(false);
    agentchat_status status = AGENTCHAT_OK;
    int result = 0;

    /* By hand, from the newest checkpoint of the same line; in the meantime the other goes on. */
    line.line = agentchat_thread_line(chat);
    if (other == NULL || agentchat_thread_restore(store, THREAD, other, &line, NULL, &err) < 0 ||
        say(other, "When does it arrive?") < 0 || say(chat, "One more thing.") < 0)
        result = failed("two writers");
    if (result == 0)
        status = agentchat_thread_save(store, THREAD, other, NULL, NULL, &err);
    if (result == 0)
        printf("saving: %s\n", agentchat_status_name(status));
    append.append = true; /* its own message comes after what others have put */
    if (result == 0 && (agentchat_thread_catch_up(store, other, &append, NULL, &err) < 0 ||
                        agentchat_thread_save(store, THREAD, other, NULL, NULL, &err) < 0))
        result = failed("again");
    if (result == 0)
        show("both", other);
    agentchat_chat_free(other);
    return result;
}

/* ---- pruning -------------------------------------------------------------------------------------------------------
 */

/* The newest checkpoint of each line stays, so that every chat can go on. */
static int prune(agentchat_chat *chat)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    uint64_t removed = 0;

    options.keep = 1;
    if (agentchat_thread_prune(store, THREAD, &options, &removed, &err) < 0 || say(chat, "Bye.") < 0)
        return failed("pruning");
    printf("%llu checkpoints pruned\n", (unsigned long long)removed);
    show("after it", chat);
    return 0;
}

int main(int argc, char **argv)
{
    char question[AGENTCHAT_ID_SIZE];
    agentchat_chat *chat = NULL;
    int status;

    if (agentchat_store_open(NULL, argc > 1 ? argv[1] : "sqlite:live_thread.db", NULL, &store, &err) < 0)
        return failed("the store");
    status = answer_after_a_crash(&chat, question);
    if (status == 0)
        status = fork_it(chat, question);
    if (status == 0)
        status = meet_a_conflict(chat);
    if (status == 0)
        status = prune(chat);
    agentchat_chat_free(chat);
    agentchat_store_close(store);
    return status;
}
