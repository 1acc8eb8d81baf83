/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main job on real processes: agents talk, their process is killed in the middle of an answer, another process
 * brings the conversation back and finishes it, and a third one (the first to start) proves that it is whole.
 *
 *     agentchat_demo DIR            DIR is made; it must not exist
 *     agentchat_demo --verify DIR   only looks once more at what an earlier run has left
 *
 * The last line is the path of the final file. Exit status 1: the verification failed; 2: something else did.
 */
#include "demo.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLED_STEP = 4, PATIENCE_MS = 30000 };

void demo_say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vprintf(format, args);
    va_end(args);
    (void)putchar('\n');
    (void)fflush(stdout);
}

demo_path demo_join(const char *dir, const char *name)
{
    demo_path path;

    if ((size_t)snprintf(path.text, sizeof path.text, "%s/%s", dir, name) >= sizeof path.text) {
        (void)fputs("agentchat_demo: the directory's name is too long\n", stderr);
        exit(2);
    }
    return path;
}

static int fail(const agentchat_error *err)
{
    agentchat_error_print(err, stderr);
    return 2;
}

/* ---- the two processes that hold the conversation ---- */

typedef struct first_process {
    int to_parent; /* the pipe's end */
    size_t step;
} first_process;

static void before_step(void *user, size_t step)
{
    first_process *self = user;

    if (self != NULL)
        self->step = step;
    demo_say("  step %zu: the user asks %s: %s", step + 1, demo_steps[step].who, demo_steps[step].question);
}

/* Inside the Archivist's answer: tells the parent, and waits for what will come. */
static void wait_for_the_end(void *user)
{
    first_process *self = user;

    if (self->step != KILLED_STEP)
        return;
    if (write(self->to_parent, "!", 1) == 1) {
        for (;;)
            (void)pause();
    }
}

static int begin(const char *dir, int to_parent)
{
    demo_path remote = demo_join(dir, "remote");
    first_process self = {.to_parent = to_parent};
    demo_team team = {.remote = remote.text, .inside_answer = wait_for_the_end, .user = &self};
    agentchat_error err;
    agentchat_chat *chat = demo_chat_new(&team, &err);

    demo_say("Process %ld starts the conversation. After each step it saves the chat to a file.", (long)getpid());
    int status = chat == NULL || demo_run(chat, 0, dir, before_step, &self, &err) < 0 ? fail(&err) : 0;
    agentchat_chat_free(chat);
    return status;
}

static void print_report(const agentchat_report *report)
{
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        agentchat_report_entry entry = agentchat_report_at(report, i);
        bool by_rule = entry.match != AGENTCHAT_MATCH_NONE;
        demo_say("  report: %s%s%s: " AGENTCHAT_STR_FMT, agentchat_report_kind_name(entry.kind), by_rule ? " by " : "",
                 by_rule ? agentchat_match_name(entry.match) : "", AGENTCHAT_STR_ARG(entry.text));
    }
}

static int resume(const char *dir)
{
    demo_path remote = demo_join(dir, "remote");
    demo_team team = {.remote = remote.text};
    agentchat_snapshot *saved = NULL;
    agentchat_report *report = NULL;
    agentchat_error err;
    agentchat_chat *chat = demo_chat_new(&team, &err);
    int status = 0;

    demo_say("Process %ld knows nothing but the file. It builds the agents and restores the chat.", (long)getpid());
    if (chat == NULL || agentchat_snapshot_read_file(NULL, demo_join(dir, "chat.json").text, NULL, &saved, &err) < 0 ||
        agentchat_chat_restore(chat, saved, NULL, &report, &err) < 0) {
        status = fail(&err);
    } else {
        size_t done = demo_steps_done(agentchat_chat_value(chat, DEMO_STEPS_DONE, NULL));

        print_report(report);
        demo_say("  %zu messages are back, %zu steps are done. Step %zu was interrupted, so it runs again.",
                 agentchat_chat_message_count(chat), done, done + 1);
        if (demo_run(chat, done, dir, before_step, NULL, &err) < 0)
            status = fail(&err);
    }
    agentchat_report_free(report);
    agentchat_snapshot_unref(saved);
    agentchat_chat_free(chat);
    return status;
}

/* ---- the process that watches ---- */

/* Starts this program again with other arguments. */
static pid_t start(char *self, char *what, char *dir, char *fd)
{
    char *args[] = {self, what, dir, fd, NULL};
    pid_t pid = fork();

    if (pid == 0) {
        (void)execvp(self, args);
        perror("agentchat_demo: exec");
        _exit(2);
    }
    if (pid < 0)
        perror("agentchat_demo: fork");
    return pid;
}

/* Runs the first process until it says that it is inside an answer, and kills it there. */
static bool run_and_kill(char *self, char *dir)
{
    int ends[2], how = 0;
    char fd[16], byte = 0, what[] = "--begin";

    if (pipe(ends) != 0) {
        perror("agentchat_demo: pipe");
        return false;
    }
    (void)snprintf(fd, sizeof fd, "%d", ends[1]);
    pid_t pid = start(self, what, dir, fd);
    (void)close(ends[1]); /* then the end of the pipe tells that the process has gone */
    struct pollfd wait_for = {.fd = ends[0], .events = POLLIN};
    int ready;
    do
        ready = poll(&wait_for, 1, PATIENCE_MS);
    while (ready < 0 && errno == EINTR);
    bool inside = ready == 1 && read(ends[0], &byte, 1) == 1 && byte == '!';
    (void)close(ends[0]);
    if (pid < 0)
        return false;
    if (inside)
        demo_say("The Archivist is in the middle of its answer: the service has question and answer, the chat has\n"
                 "neither on disk. Process %ld is killed now (SIGKILL).",
                 (long)pid);
    (void)kill(pid, SIGKILL);
    if (waitpid(pid, &how, 0) != pid)
        return false;
    if (!inside)
        demo_say("FAILED: process %ld never got to the middle of its answer", (long)pid);
    return inside && WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL;
}

static bool run_to_end(char *self, char *dir)
{
    int how = 0;
    char what[] = "--resume";
    pid_t pid = start(self, what, dir, NULL);

    return pid >= 0 && waitpid(pid, &how, 0) == pid && WIFEXITED(how) && WEXITSTATUS(how) == 0;
}

static int verify(const char *dir)
{
    if (!demo_verify(dir))
        return 1;
    demo_say("Nothing was lost, nothing was said twice.\n%s", demo_join(dir, "chat.json").text);
    return 0;
}

static int watch(char *self, char *dir)
{
    agentchat_snapshot *before = NULL;
    agentchat_error err;
    demo_path file = demo_join(dir, "chat.json");

    if (mkdir(dir, 0700) != 0 || mkdir(demo_join(dir, "remote").text, 0700) != 0) {
        (void)fprintf(stderr, "agentchat_demo: %s: %s\n", dir, strerror(errno));
        return 2;
    }
    if (!run_and_kill(self, dir))
        return 2;
    if (agentchat_snapshot_read_file(NULL, file.text, NULL, &before, &err) < 0 ||
        agentchat_snapshot_write_file(before, demo_join(dir, "at-the-kill.json").text, NULL, &err) < 0) {
        agentchat_snapshot_unref(before);
        return fail(&err);
    }
    demo_say("The file holds %zu messages: the steps that were completed.", agentchat_snapshot_message_count(before));
    agentchat_snapshot_unref(before);
    if (!run_to_end(self, dir))
        return 2;
    demo_say("The conversation is finished. Is it whole?");
    return verify(dir);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--begin") == 0)
        return begin(argv[2], (int)strtol(argv[3], NULL, 10));
    if (argc == 3 && strcmp(argv[1], "--resume") == 0)
        return resume(argv[2]);
    if (argc == 3 && strcmp(argv[1], "--verify") == 0)
        return verify(argv[2]);
    if (argc == 2 && argv[1][0] != '-')
        return watch(argv[0], argv[1]);
    (void)fputs("usage: agentchat_demo DIR\n       agentchat_demo --verify DIR\n", stderr);
    return 2;
}
