/* SPDX-License-Identifier: Apache-2.0 */
/* Writing to what nobody reads any more: an error, whatever the host does with SIGPIPE, and no signal. */
#include "sink_path_test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum channel { PIPE, SOCKET, STREAM, STREAM_UNBUFFERED, NAMED, DEV_FD, CHANNELS } channel;

static volatile sig_atomic_t caught;

static void count(int number)
{
    (void)number;
    caught = caught + 1;
}

static void exit_unless(bool good, int code)
{
    if (!good)
        _exit(code);
}

/* A sink whose reader has gone. */
static agentchat_sink *make_sink(const fixture *p, channel how)
{
    agentchat_sink *sink = NULL;
    int ends[2];
    char name[32];

    if (how == NAMED) {
        exit_unless(mkfifo(p->path, 0600) == 0, 10);
        ends[0] = open(p->path, O_RDONLY | O_NONBLOCK);
        exit_unless(agentchat_sink_path(NULL, p->path, NULL, &sink, NULL) == AGENTCHAT_OK, 11);
    } else if (how == SOCKET) {
        exit_unless(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, 12);
        exit_unless(agentchat_sink_fd(NULL, ends[1], &sink, NULL) == AGENTCHAT_OK, 13);
    } else {
        exit_unless(pipe(ends) == 0, 14);
        snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
        if (how == PIPE) {
            exit_unless(agentchat_sink_fd(NULL, ends[1], &sink, NULL) == AGENTCHAT_OK, 15);
        } else if (how == DEV_FD) {
            exit_unless(agentchat_sink_path(NULL, name, NULL, &sink, NULL) == AGENTCHAT_OK, 16);
        } else {
            FILE *stream = fdopen(ends[1], "w");

            exit_unless(stream != NULL, 17);
            if (how == STREAM_UNBUFFERED)
                setvbuf(stream, NULL, _IONBF, 0);
            exit_unless(agentchat_sink_file(NULL, stream, &sink, NULL) == AGENTCHAT_OK, 18);
        }
    }
    close(ends[0]);
    return sink;
}

static bool is_blocked(void)
{
    sigset_t mask;

    return sigprocmask(SIG_SETMASK, NULL, &mask) == 0 && sigismember(&mask, SIGPIPE) == 1;
}

static bool is_pending(void)
{
    sigset_t signals;

    return sigpending(&signals) == 0 && sigismember(&signals, SIGPIPE) == 1;
}

static void write_and_look(const fixture *p, channel how)
{
    agentchat_sink *sink = make_sink(p, how);
    bool was_blocked = is_blocked(), was_pending = is_pending();
    agentchat_error err;
    agentchat_status status;

    agentchat_error_clear(&err);
    status = aci_sink_write(sink, "lost", 4, &err);
    if (status == AGENTCHAT_OK && how == STREAM) /* it is in the stream's buffer */
        status = aci_sink_commit(sink, &err);
    exit_unless(status == AGENTCHAT_E_IO && err.native == EPIPE, 20);
    exit_unless(is_blocked() == was_blocked && is_pending() == was_pending, 21);
    agentchat_sink_free(sink);
}

/* What the host does with the signal. */
typedef enum host { DIES, IGNORES, CATCHES, BLOCKS, HAS_ONE_PENDING, HOSTS } host;

static void prepare(host h)
{
    struct sigaction catching = {.sa_handler = count};
    sigset_t signals;

    signal(SIGPIPE, h == IGNORES ? SIG_IGN : SIG_DFL);
    if (h == CATCHES)
        sigaction(SIGPIPE, &catching, NULL);
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    sigprocmask(h == BLOCKS || h == HAS_ONE_PENDING ? SIG_BLOCK : SIG_UNBLOCK, &signals, NULL);
    if (h == HAS_ONE_PENDING)
        raise(SIGPIPE);
}

static void test_sink_sigpipe__is_an_error_and_no_signal(void **state)
{
    const fixture *p = *state;

    for (int h = 0; h < HOSTS; h++)
        for (int how = 0; how < CHANNELS; how++) {
            int result = -1;
            pid_t child = fork();

            assert_true(child >= 0);
            if (child == 0) {
                prepare((host)h);
                write_and_look(p, (channel)how);
                exit_unless(caught == 0, 22);
                _exit(0);
            }
            assert_int_equal(waitpid(child, &result, 0), child);
            unlink(p->path);
            if (!WIFEXITED(result) || WEXITSTATUS(result) != 0)
                fail_msg("host %d, channel %d: wait status %x", h, how, (unsigned)result);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_dir(test_sink_sigpipe__is_an_error_and_no_signal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
