/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A saver is killed: before and after every system call of a save, and at random moments of its life. The file is then
 * the last acknowledged state or the one that was being saved, complete, and the next saver goes on from it.
 *
 * AGENTCHAT_TEST_KILLS: how often at random moments (120).
 */
#include "fault_support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FILE_NAME "chat.json"
#define NOTHING "-"
#define HIGHEST_PAUSE 25000u /* microseconds */

typedef char digest_text[AGENTCHAT_DIGEST_LEN + 1];

/* Digest of the file, "-" when there is none; a file that cannot be read fails the test. */
static void digest_of_file(const char *path, digest_text out)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;
    agentchat_status status = agentchat_snapshot_read_file(NULL, path, NULL, &snapshot, NULL, &err);

    if (status == AGENTCHAT_E_NOTFOUND) {
        memcpy(out, NOTHING, sizeof NOTHING);
        return;
    }
    test_ok(status, &err);
    test_ok(agentchat_snapshot_digest(snapshot, true, out, &err), &err);
    agentchat_snapshot_unref(snapshot);
}

/* ---- at every call ----------------------------------------------------------------------------------------------- */

typedef struct death {
    unsigned long at;
    bool after; /* the call happens first */
} death;

static io_answer die_before(void *user, const io_call *call)
{
    const death *d = user;

    if (!d->after && call->number == d->at)
        raise(SIGKILL);
    return (io_answer){.pretend = true}; /* a killed process does not take the disk's cache with it */
}

static void die_after(void *user, const io_call *call, long result)
{
    const death *d = user;

    (void)result;
    if (d->after && call->number == d->at)
        raise(SIGKILL);
}

/* Saves in a child that dies at its time. False when it lived to the end. */
static bool save_and_die(agentchat_chat *chat, const char *path, const char *format, death when)
{
    int result;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        agentchat_write_options options = write_options(format);
        io_watcher watcher = {die_before, die_after, &when};

        io_watch(&watcher);
        _exit(agentchat_chat_save_file(chat, path, &options, NULL, NULL) == AGENTCHAT_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &result, 0), child);
    if (WIFSIGNALED(result)) {
        assert_int_equal(WTERMSIG(result), SIGKILL);
        return true;
    }
    assert_int_equal(WEXITSTATUS(result), 0);
    return false;
}

static void kill_at_every_call(const char *format, bool exists, bool after)
{
    char *dir = test_dir_make(), *path = test_path(dir, FILE_NAME);
    agentchat_chat *first = chat_make(3, 100, 1), *second = chat_make(30, 3000, 2);
    agentchat_bytes old = chat_document(first, format), fresh = chat_document(second, format);
    size_t kills = 0, olds = 0;

    for (;; kills++) {
        bool killed, has_old;

        unlink(path);
        if (exists)
            test_file_write(path, old.ptr, old.len);
        killed = save_and_die(second, path, format, (death){kills, after});
        if (access(path, F_OK) != 0)
            has_old = !exists;
        else
            has_old = exists && file_is(path, old.ptr, old.len);
        if (!has_old)
            assert_true(file_is(path, fresh.ptr, fresh.len));
        assert_in_range(temporaries_in(dir, FILE_NAME, false), 0, 1); /* at most its own: it removes the last one's */
        if (!killed) {
            assert_false(has_old);
            assert_int_equal(temporaries_in(dir, FILE_NAME, false), 0);
            break;
        }
        olds += has_old;
    }
    assert_true(olds >= 8 && olds < kills); /* some before the rename, some after it */
    agentchat_bytes_clear(&old);
    agentchat_bytes_clear(&fresh);
    agentchat_chat_free(first);
    agentchat_chat_free(second);
    test_dir_remove(dir);
    free(path);
}

static void test_kill__at_every_call_the_file_is_intact(void **state)
{
    (void)state;
    for (size_t format = 0; format < FORMATS; format++)
        for (int exists = 0; exists < 2; exists++)
            for (int after = 0; after < 2; after++)
                kill_at_every_call(formats[format], exists != 0, after != 0);
}

/* ---- at random moments ------------------------------------------------------------------------------------------- */

typedef struct saver {
    pid_t process;
    FILE *lines;
} saver;

static saver start(const char *path, const char *format, unsigned long seed)
{
    int ends[2];
    char number[24];
    saver s;

    snprintf(number, sizeof number, "%lu", seed);
    assert_int_equal(pipe(ends), 0);
    s.process = fork();
    assert_true(s.process >= 0);
    if (s.process == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(AGENTCHAT_KILL_SAVER, "kill_saver", path, format, number, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    s.lines = fdopen(ends[0], "r");
    assert_non_null(s.lines);
    return s;
}

/* The next complete line as its word and its digest. False at the end; a line that was cut off does not count. */
static bool next_line(const saver *s, char word[16], digest_text digest)
{
    char line[128];

    if (fgets(line, sizeof line, s->lines) == NULL || strchr(line, '\n') == NULL)
        return false;
    assert_int_equal(sscanf(line, "%15s %64s", word, digest), 2);
    return true;
}

typedef struct outcome {
    digest_text acknowledged, being_saved; /* the latter "-" when nothing is */
    unsigned long saves;
} outcome;

/* Lets a saver run for a while and kills it. `known` is what the file holds. */
static outcome let_run_and_kill(const char *path, const char *format, unsigned long seed, const digest_text known,
                                uint32_t pause)
{
    struct timespec rest = {0, (long)pause * 1000};
    saver s = start(path, format, seed);
    outcome o = {.being_saved = NOTHING};
    digest_text digest;
    char word[16];
    int result;

    assert_true(next_line(&s, word, digest));
    assert_string_equal(word, "restored");
    assert_string_equal(digest, known);
    memcpy(o.acknowledged, digest, sizeof digest);
    nanosleep(&rest, NULL);
    assert_int_equal(kill(s.process, SIGKILL), 0);
    while (next_line(&s, word, digest)) {
        if (strcmp(word, "saving") == 0) {
            memcpy(o.being_saved, digest, sizeof digest);
        } else {
            assert_string_equal(word, "saved");
            assert_string_equal(digest, o.being_saved);
            memcpy(o.acknowledged, digest, sizeof digest);
            memcpy(o.being_saved, NOTHING, sizeof NOTHING);
            o.saves++;
        }
    }
    fclose(s.lines);
    assert_int_equal(waitpid(s.process, &result, 0), s.process);
    assert_true(WIFSIGNALED(result) && WTERMSIG(result) == SIGKILL);
    return o;
}

static void test_kill__at_random_moments_nothing_acknowledged_is_lost(void **state)
{
    unsigned long rounds = number_from_env("AGENTCHAT_TEST_KILLS", 120);
    unsigned long saves = 0, in_save = 0, was_new = 0, leftovers = 0;
    char *dir[FORMATS], *path[FORMATS];
    digest_text known[FORMATS];
    uint32_t random = 2026;

    (void)state;
    for (size_t i = 0; i < FORMATS; i++) {
        dir[i] = test_dir_make();
        path[i] = test_path(dir[i], FILE_NAME);
        memcpy(known[i], NOTHING, sizeof NOTHING);
    }
    for (unsigned long round = 0; round < rounds; round++) {
        size_t i = round % FORMATS, now;
        digest_text found;
        outcome o = let_run_and_kill(path[i], formats[i], round, known[i], next_random(&random, HIGHEST_PAUSE));

        digest_of_file(path[i], found);
        if (strcmp(found, o.acknowledged) != 0) {
            /* NOTHING stands for no file here and for no save under way there, so it must not pass for both. */
            assert_string_not_equal(o.being_saved, NOTHING);
            assert_string_equal(found, o.being_saved);
            was_new++;
        }
        memcpy(known[i], found, sizeof found);
        saves += o.saves;
        in_save += strcmp(o.being_saved, NOTHING) != 0;
        now = temporaries_in(dir[i], FILE_NAME, false);
        assert_in_range(now, 0, 1); /* each killed saver leaves one at most, which the next one removes */
        leftovers += now;
    }
    for (size_t i = 0; i < FORMATS; i++) {
        test_dir_remove(dir[i]);
        free(path[i]);
    }
    print_message("%lu kills, %lu of them during a save, of which %lu had replaced the file; %lu saves acknowledged; "
                  "%lu temporary files left over\n",
                  rounds, in_save, was_new, saves, leftovers);
    assert_true(in_save > rounds / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kill__at_every_call_the_file_is_intact),
        cmocka_unit_test(test_kill__at_random_moments_nothing_acknowledged_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
