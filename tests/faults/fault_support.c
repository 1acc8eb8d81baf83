/* SPDX-License-Identifier: Apache-2.0 */
/* Chats, plans of failures and looks at directories for the fault tests. */
#include "fault_support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- chats ------------------------------------------------------------------------------------------------------- */

const char *const formats[FORMATS] = {"agentchat", "agentchat-encoded", "semantic-kernel"};

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)seen;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("I have read \"it\"\n\tand it is fine: \xC3\xBC"), err);
}

static void add_agent(agentchat_chat *chat, const char *name, const char *id)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_error err;

    options.name = agentchat_str_from(name);
    options.id = agentchat_str_from(id);
    options.answer = answer;
    test_ok(agentchat_chat_add_agent(chat, test_history_agent_new(NULL, &options), &err), &err);
}

agentchat_chat *chat_make_empty(void)
{
    agentchat_chat *chat = test_chat_new(NULL);

    assert_non_null(chat);
    add_agent(chat, "Reader", "agent-1");
    add_agent(chat, "Silent", "agent-2");
    return chat;
}

agentchat_chat *chat_make(size_t messages, size_t size, unsigned seed)
{
    agentchat_chat *chat = chat_make_empty();
    agentchat_error err;
    uint32_t random = seed + 1;

    for (size_t i = 0; i < messages; i++) {
        size_t len = size / 2 + next_random(&random, (uint32_t)size + 1);
        char *text = malloc(len + 1);

        assert_non_null(text);
        for (size_t at = 0; at < len; at++)
            text[at] = (char)(' ' + next_random(&random, 95));
        test_ok(agentchat_chat_add_text(chat, "user", (agentchat_str){text, len}, &err), &err);
        free(text);
        if (i == 0)
            test_ok(agentchat_chat_invoke(chat, AGENTCHAT_STR("Reader"), &err), &err);
    }
    return chat;
}

agentchat_snapshot *chat_snapshot(agentchat_chat *chat)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    test_ok(agentchat_chat_capture(chat, NULL, &snapshot, NULL, &err), &err);
    return snapshot;
}

agentchat_write_options write_options(const char *format)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;

    options.format = format;
    return options;
}

agentchat_bytes chat_document(agentchat_chat *chat, const char *format)
{
    agentchat_write_options options = write_options(format);
    agentchat_snapshot *snapshot = chat_snapshot(chat);
    agentchat_bytes document = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &document, NULL, &err), &err);
    agentchat_snapshot_unref(snapshot);
    return document;
}

/* ---- failures ---------------------------------------------------------------------------------------------------- */

const int errors[ERRORS] = {EIO,    ENOSPC, EDQUOT, EINTR,  EAGAIN,  EACCES, EPERM,   EROFS, EFBIG,
                            EMFILE, ENOMEM, ESTALE, EINVAL, ENOTSUP, ELOOP,  ENOTDIR, ENOENT};

static io_answer plan_before(void *user, const io_call *call)
{
    fault_plan *plan = user;
    io_answer answer = {0};

    plan->calls++;
    answer.pretend = call->name == IO_FSYNC; /* the disk is not what is tried here */
    if (call->number != plan->at && !(plan->all_after && call->number > plan->at))
        return answer;
    if (!plan->has_hit)
        plan->hit = *call;
    plan->has_hit = true;
    plan->has_kept_temporary |= call->name == IO_UNLINKAT;
    answer.error = plan->error;
    return answer;
}

static void plan_after(void *user, const io_call *call, long result)
{
    fault_plan *plan = user;

    plan->has_renamed |= call->name == IO_RENAMEAT && result == 0;
    if (call->name == IO_WRITE && !plan->has_hit)
        plan->written = call->fd;
}

io_watcher plan_watcher(fault_plan *plan)
{
    return (io_watcher){plan_before, plan_after, plan};
}

uint32_t next_random(uint32_t *state, uint32_t limit)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % limit;
}

static io_answer storm_before(void *user, const io_call *call)
{
    storm *s = user;
    io_answer answer = {0};
    bool is_transfer = call->name == IO_READ || call->name == IO_WRITE;

    answer.pretend = call->name == IO_FSYNC;
    if (is_transfer || call->name == IO_OPEN || call->name == IO_OPENAT || call->name == IO_FSYNC ||
        call->name == IO_CLOSE || call->name == IO_POLL) {
        if (next_random(&s->random, 3) != 0) {
            answer.error = is_transfer && next_random(&s->random, 3) == 0 ? EAGAIN : EINTR;
            s->interruptions++;
            return answer;
        }
    }
    if ((is_transfer || call->name == IO_FREAD) && call->len > 1) {
        answer.limited = true;
        answer.most = 1 + next_random(&s->random, next_random(&s->random, 2) == 0 ? 9000 : 70);
        s->parts++;
    }
    return answer;
}

io_watcher storm_watcher(storm *s)
{
    return (io_watcher){storm_before, NULL, s};
}

/* ---- what is left ------------------------------------------------------------------------------------------------ */

size_t open_descriptors(void)
{
    DIR *dir = opendir("/proc/self/fd");
    size_t count = 0;

    if (dir == NULL) /* no /proc: a leak of many shows when descriptors run out */
        return 0;
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count;
}

size_t temporaries_in(const char *dir, const char *expected, bool remove_them)
{
    DIR *stream = opendir(dir);
    size_t count = 0;

    assert_non_null(stream);
    for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
        const char *name = entry->d_name;
        size_t len = strlen(name);

        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, expected) == 0)
            continue;
        if (strncmp(name, ".agentchat-", 11) != 0 || len < 4 || strcmp(name + len - 4, ".tmp") != 0)
            fail_msg("the directory holds a file that nobody expects: %s", name);
        count++;
        if (remove_them)
            assert_int_equal(unlinkat(dirfd(stream), name, 0), 0);
    }
    closedir(stream);
    return count;
}

bool file_is(const char *path, const void *bytes, size_t len)
{
    size_t found;
    char *data = test_file_read(path, &found);
    bool same = found == len && memcmp(data, bytes, len) == 0;

    free(data);
    return same;
}

unsigned mode_of_file(const char *path)
{
    struct stat info;

    assert_int_equal(lstat(path, &info), 0);
    return info.st_mode & 07777u;
}

unsigned long number_from_env(const char *name, unsigned long otherwise)
{
    const char *text = getenv(name);
    char *end;
    unsigned long number;

    if (text == NULL || text[0] == '\0')
        return otherwise;
    number = strtoul(text, &end, 10);
    if (*end != '\0' || number == 0)
        fail_msg("%s must be a number from 1, not \"%s\"", name, text);
    return number;
}
