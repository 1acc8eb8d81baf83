/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main job on real processes: agents talk, their process is killed in the middle of an answer, another process
 * brings the conversation back and finishes it, and a third one (the first to start) proves that it is complete.
 *
 *     agentchat_demo DIR            DIR is made; it must not exist
 *     agentchat_demo --verify DIR   only looks once more at what an earlier run has left
 *
 * The last line is the path of the final file. Exit status 1: the verification failed; 2: something else did.
 */
#include "journal.h"
#include "path.h"
#include "say.h"
#include "script.h"
#include "team.h"
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

/* ---- the two processes that hold the conversation ---- */

/* Runs the steps from `step` on and saves the chat after each. */
static agentchat_status talk(agentchat_chat *chat, size_t step, const char *dir, agentchat_error *err)
{
    path file = path_join(dir, "chat.json");

    for (; step < SCRIPT_STEPS; step++) {
        agentchat_status status;

        say("  step %zu: the user asks %s: %s", step + 1, script_steps[step].who, script_steps[step].question);
        if ((status = script_run(chat, step, err)) < 0 ||
            (status = agentchat_chat_save_file(chat, file.text, NULL, NULL, err)) < 0)
            return status;
        if (!journal_add(dir, step + 1, agentchat_chat_message_count(chat)))
            return agentchat_error_set(err, AGENTCHAT_E_IO, "completed.txt could not be written");
    }
    return AGENTCHAT_OK;
}

static int begin(const char *dir)
{
    path remote = path_join(dir, "remote");
    archivist filing = {.remote = remote.text, .killed_in_answer = 2};
    agentchat_error err;
    agentchat_chat *chat = team_chat(&filing, &err);

    say("Process %ld starts the conversation. After each step it saves the chat to a file.", (long)getpid());
    int status = chat == NULL || talk(chat, 0, dir, &err) < 0 ? fail(&err) : 0;
    agentchat_chat_free(chat);
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

static int resume(const char *dir)
{
    path remote = path_join(dir, "remote"), file = path_join(dir, "chat.json");
    archivist filing = {.remote = remote.text};
    agentchat_snapshot *saved = NULL;
    agentchat_report *report = NULL;
    agentchat_error err;
    agentchat_chat *chat = team_chat(&filing, &err);
    int status = 0;

    say("Process %ld knows nothing but the file. It builds the agents and restores the chat.", (long)getpid());
    if (chat == NULL || agentchat_snapshot_read_file(NULL, file.text, NULL, &saved, NULL, &err) < 0 ||
        agentchat_chat_restore(chat, saved, NULL, &report, &err) < 0) {
        status = fail(&err);
    } else {
        size_t done = script_done(chat);

        print_report(report);
        say("  %zu messages are back, %zu steps are done. Step %zu was interrupted, so it runs again.",
            agentchat_chat_message_count(chat), done, done + 1);
        if (talk(chat, done, dir, &err) < 0)
            status = fail(&err);
    }
    agentchat_report_free(report);
    agentchat_snapshot_unref(saved);
    agentchat_chat_free(chat);
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

/* Keeps what the killed process has left: the verification compares with it. */
static agentchat_status keep_copy(const char *dir, agentchat_error *err)
{
    agentchat_snapshot *left = NULL;
    agentchat_status status;

    if ((status = agentchat_snapshot_read_file(NULL, path_join(dir, "chat.json").text, NULL, &left, NULL, err)) < 0 ||
        (status = agentchat_snapshot_write_file(left, path_join(dir, "at-the-kill.json").text, NULL, NULL, err)) < 0)
        return agentchat_snapshot_unref(left), status;
    say("The file holds %zu messages: the steps that were completed.",
        agentchat_messages_count(agentchat_snapshot_history(left)));
    agentchat_snapshot_unref(left);
    return AGENTCHAT_OK;
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
    char begin_option[] = "--begin", resume_option[] = "--resume";
    agentchat_error err;

    if (mkdir(dir, 0700) != 0 || mkdir(path_join(dir, "remote").text, 0700) != 0) {
        (void)fprintf(stderr, "agentchat_demo: %s: %s\n", dir, strerror(errno));
        return 2;
    }
    int how = run(self, begin_option, dir);
    if (how == -1 || !WIFSIGNALED(how) || WTERMSIG(how) != SIGKILL) {
        say("FAILED: the first process never got to the middle of its answer");
        return 2;
    }
    if (keep_copy(dir, &err) < 0)
        return fail(&err);
    if (run(self, resume_option, dir) != 0)
        return 2;
    say("The conversation is finished. Is it complete?");
    return conclude(dir);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--begin") == 0)
        return begin(argv[2]);
    if (argc == 3 && strcmp(argv[1], "--resume") == 0)
        return resume(argv[2]);
    if (argc == 3 && strcmp(argv[1], "--verify") == 0)
        return conclude(argv[2]);
    if (argc == 2 && argv[1][0] != '-')
        return watch(argv[0], argv[1]);
    (void)fputs("usage: agentchat_demo DIR\n       agentchat_demo --verify DIR\n", stderr);
    return 2;
}
