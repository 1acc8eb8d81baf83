/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main job on real processes: agents talk in a chat that keeps itself in a store, their process is killed in the
 * middle of an answer, another process brings the conversation back and is killed between the result of a tool and the
 * answer, a third one finishes it without running the tool again, and the first one to start proves that it is
 * complete.
 *
 *     agentchat_demo DIR            DIR is made; it must not exist
 *     agentchat_demo --verify DIR   only looks once more at what an earlier run has left
 *
 * The last line is the path of the final file. Exit status 1: the verification failed; 2: something else did.
 */
#include "path.h"
#include "say.h"
#include "script.h"
#include "team.h"
#include "thread.h"
#include "verify.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int fail(const agentchat_error *err)
{
    agentchat_error_print(err, stderr);
    return 2;
}

/* ---- the processes that hold the conversation ---- */

/* Runs what is left of the script; the chat keeps itself. */
static agentchat_status talk(agentchat_chat *chat, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t step = script_done(chat); step < SCRIPT_STEPS && status >= 0; step++) {
        say("  step %zu: the user asks %s: %s", step + 1, script_steps[step].who, script_steps[step].question);
        status = script_run(chat, step, err);
    }
    return status;
}

/* What an agent says is stored message by message, for its next turn. */
static agentchat_status attach(agentchat_store *store, agentchat_chat *chat, agentchat_report **report,
                               agentchat_error *err)
{
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;

    options.keep_partial = true;
    return agentchat_thread_attach(store, THREAD_NAME, chat, &options, report, err);
}

static int begin(const char *dir)
{
    path remote = path_join(dir, "remote");
    archivist filing = {.remote = remote.text, .killed_in_answer = 2};
    buyer buying = {.remote = remote.text};
    agentchat_error err;
    agentchat_chat *chat = team_chat(&filing, &buying, &err);
    agentchat_store *store = chat != NULL ? thread_store(dir, false, &err) : NULL;
    int status = 0;

    say("Process %ld starts the conversation. The chat keeps itself in a store, after each question and each answer.",
        (long)getpid());
    if (store == NULL || attach(store, chat, NULL, &err) < 0 || talk(chat, &err) < 0)
        status = fail(&err);
    agentchat_chat_free(chat);
    agentchat_store_close(store);
    return status;
}

static void print_report(const agentchat_report *report)
{
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);
        bool by_rule = entry->match != AGENTCHAT_MATCH_NONE;
        say("  report: %s%s%s: " AGENTCHAT_STR_FMT, agentchat_report_kind_name(entry->kind), by_rule ? " by " : "",
            by_rule ? agentchat_match_name(entry->match) : "", AGENTCHAT_STR_ARG(entry->text));
    }
}

static void say_what_is_back(const agentchat_chat *chat, const agentchat_report *report)
{
    size_t count = agentchat_chat_message_count(chat), done = script_done(chat);

    print_report(report);
    say("  %zu messages are back: %zu steps are done%s.", count, done,
        count > 2 * done ? ", and the question of the next one waits for its answer" : "");
}

/* killed: after the tool of the last step. */
static int resume(const char *dir, bool killed)
{
    path remote = path_join(dir, "remote");
    archivist filing = {.remote = remote.text};
    buyer buying = {.remote = remote.text, .killed_after_tool = killed};
    agentchat_report *report = NULL;
    agentchat_error err;
    agentchat_chat *chat = team_chat(&filing, &buying, &err);
    agentchat_store *store = chat != NULL ? thread_store(dir, false, &err) : NULL;
    int status = 0;

    say("Process %ld knows nothing but the store. It builds the agents and attaches the chat.", (long)getpid());
    if (store == NULL || attach(store, chat, &report, &err) < 0) {
        status = fail(&err);
    } else {
        say_what_is_back(chat, report);
        if (talk(chat, &err) < 0)
            status = fail(&err);
    }
    agentchat_report_free(report);
    agentchat_chat_free(chat);
    agentchat_store_close(store);
    return status;
}

/* ---- the process that watches ---- */

/* Starts this program again with other arguments and waits for its end. -1: it could not be run. */
static int run(char *self, char *what, char *dir)
{
    char *args[] = {self, what, dir, NULL};
    pid_t pid = fork();
    int how = -1;

    if (pid == 0) {
        (void)execvp(self, args);
        perror("agentchat_demo: exec");
        _exit(2);
    }
    if (pid < 0 || waitpid(pid, &how, 0) != pid) {
        perror("agentchat_demo: process");
        return -1;
    }
    return how;
}

static bool is_killed(int how)
{
    return how != -1 && WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL;
}

/* Keeps what the killed process has left: the verification compares with it. */
static agentchat_status keep_copy(const char *dir, agentchat_error *err)
{
    size_t count = 0;
    agentchat_status status = thread_export(dir, "at-the-kill.json", &count, err);

    if (status >= 0)
        say("The store holds %zu messages: all but the answer that was never given.", count);
    return status;
}

static int conclude(const char *dir)
{
    if (!verify(dir))
        return 1;
    say("Nothing was lost, nothing was said twice.\n%s", path_join(dir, "chat.json").text);
    return 0;
}

static int watch(char *self, char *dir)
{
    char begin_option[] = "--begin", resume_option[] = "--resume", finish_option[] = "--finish";
    agentchat_error err;

    if (mkdir(dir, 0700) != 0 || mkdir(path_join(dir, "remote").text, 0700) != 0) {
        (void)fprintf(stderr, "agentchat_demo: %s: %s\n", dir, strerror(errno));
        return 2;
    }
    if (!is_killed(run(self, begin_option, dir))) {
        say("FAILED: the first process never got to the middle of its answer");
        return 2;
    }
    if (keep_copy(dir, &err) < 0)
        return fail(&err);
    if (!is_killed(run(self, resume_option, dir))) {
        say("FAILED: the second process never got to the result of its tool");
        return 2;
    }
    if (run(self, finish_option, dir) != 0)
        return 2;
    if (thread_export(dir, "chat.json", NULL, &err) < 0)
        return fail(&err);
    say("The conversation is finished. Is it complete?");
    return conclude(dir);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--begin") == 0)
        return begin(argv[2]);
    if (argc == 3 && strcmp(argv[1], "--resume") == 0)
        return resume(argv[2], true);
    if (argc == 3 && strcmp(argv[1], "--finish") == 0)
        return resume(argv[2], false);
    if (argc == 3 && strcmp(argv[1], "--verify") == 0)
        return conclude(argv[2]);
    if (argc == 2 && argv[1][0] != '-')
        return watch(argv[0], argv[1]);
    (void)fputs("usage: agentchat_demo DIR\n       agentchat_demo --verify DIR\n", stderr);
    return 2;
}
