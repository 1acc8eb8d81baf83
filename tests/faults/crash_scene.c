/* SPDX-License-Identifier: Apache-2.0 */
/* Recording of saves, and crashes after each of their operations. */
#include "crash_scene.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- recording --------------------------------------------------------------------------------------------------- */

static size_t file_at(const scene *s, int fd)
{
    assert_true(fd >= 0 && fd < 64 && s->file_of_fd[fd] != 0);
    return s->file_of_fd[fd] - 1;
}

static void name_into(char *to, const char *name)
{
    assert_null(strchr(name, '/')); /* all names are relative to the directory, which is held open */
    assert_true(strlen(name) < 80);
    memcpy(to, name, strlen(name) + 1);
}

static bool is_the_directory(const scene *s, int fd)
{
    struct stat a, b;

    return fstat(fd, &a) == 0 && stat(s->sub, &b) == 0 && a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

static void record(void *user, const io_call *call, long result)
{
    scene *s = user;
    operation op = {0};

    if (result < 0)
        return;
    switch (call->name) {
    case IO_OPENAT:
        if (call->directory)
            return;
        assert_true(is_the_directory(s, call->fd));
        if ((call->flags & O_CREAT) == 0) /* the old file, for a look at its rights */
            return;
        assert_true(result < 64);
        op = (operation){.kind = OPERATION_CREATE, .number = s->file_count, .mode = call->mode};
        name_into(op.name, call->path);
        s->file_of_fd[result] = ++s->file_count;
        break;
    case IO_WRITE: {
        char *bytes = malloc((size_t)result + 1);

        assert_non_null(bytes);
        memcpy(bytes, call->bytes, (size_t)result);
        op =
            (operation){.kind = OPERATION_WRITE, .number = file_at(s, call->fd), .bytes = bytes, .len = (size_t)result};
        break;
    }
    case IO_FCHMOD:
        op = (operation){.kind = OPERATION_MODE, .number = file_at(s, call->fd), .mode = call->mode};
        break;
    case IO_FSYNC:
        if (call->directory) {
            assert_true(is_the_directory(s, call->fd));
            op = (operation){.kind = OPERATION_SYNC_DIRECTORY};
        } else {
            op = (operation){.kind = OPERATION_SYNC, .number = file_at(s, call->fd)};
        }
        break;
    case IO_RENAMEAT:
        assert_true(is_the_directory(s, call->fd));
        op = (operation){.kind = OPERATION_RENAME};
        name_into(op.name, call->path);
        name_into(op.new_name, call->target);
        break;
    case IO_UNLINKAT:
        op = (operation){.kind = OPERATION_REMOVE};
        name_into(op.name, call->path);
        break;
    case IO_CLOSE:
        if (!call->directory)
            s->file_of_fd[call->fd] = 0;
        return;
    case IO_FACCESSAT:
    case IO_FCHOWN:
    case IO_FCNTL:
    case IO_FFLUSH:
    case IO_FGETXATTR:
    case IO_FILENO:
    case IO_FLOCK:
    case IO_FREAD:
    case IO_FREMOVEXATTR:
    case IO_FSETXATTR:
    case IO_FSTAT:
    case IO_FSTATAT:
    case IO_FTELLO:
    case IO_FWRITE:
    case IO_LSEEK:
    case IO_OPEN:
    case IO_POLL:
    case IO_READ:
    case IO_READLINK:
    case IO_STAT:
    case IO_NAMES:
        return;
    }
    operations_add(&s->recorded, op);
}

static void record_saves(scene *s)
{
    io_watcher watcher = {NULL, record, s};
    agentchat_write_options options = write_options(s->format);

    s->file_count = s->exists ? 1 : 0;
    for (size_t i = 1; i <= s->saves; i++) {
        size_t size = strcmp(s->format, "agentchat") == 0 ? 5000 : 600; /* one format more than a buffer full */
        agentchat_chat *chat = chat_make(i % 3 == 0 ? 2 : 20, i % 2 == 0 ? 300 : size, (unsigned)i);
        agentchat_status status;
        agentchat_error err;

        s->document[i] = chat_document(chat, s->format);
        operations_add(&s->recorded, (operation){.kind = OPERATION_BEGIN, .number = i});
        io_watch(&watcher);
        status = agentchat_chat_save_file(chat, s->path, &options, NULL, &err);
        io_watch(NULL);
        test_ok(status, &err);
        operations_add(&s->recorded, (operation){.kind = OPERATION_SUCCESS, .number = i});
        agentchat_chat_free(chat);
    }
}

/* ---- checking ---------------------------------------------------------------------------------------------------- */

/* What the file may be: one of two states, by their numbers. */
typedef struct expectation {
    size_t one, other;
} expectation;

#define HASH_START 0xCBF29CE484222325u

static void hash(uint64_t *sum, const void *bytes, size_t len)
{
    const unsigned char *p = bytes;

    for (size_t i = 0; i < len; i++)
        *sum = (*sum ^ p[i]) * 0x100000001B3u;
}

static bool is_new(scene *s, uint64_t sum)
{
    for (size_t i = 0; i < s->seen_count; i++)
        if (s->seen[i] == sum)
            return false;
    if (s->seen_count == s->seen_room) {
        s->seen_room = s->seen_room == 0 ? 256 : s->seen_room * 2;
        s->seen = realloc(s->seen, s->seen_room * sizeof *s->seen);
        assert_non_null(s->seen);
    }
    s->seen[s->seen_count++] = sum;
    return true;
}

static bool is_state(const scene *s, size_t number, const char *bytes, size_t len)
{
    return s->document[number].len == len && memcmp(s->document[number].ptr, bytes, len) == 0;
}

/* Whether what the library reads in the crashed directory is as it must be. */
static bool is_right(const scene *s, expectation expected, const char *file)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;
    agentchat_status status = agentchat_snapshot_read_file(NULL, s->crash_path, NULL, &snapshot, NULL, &err);
    bool may_be_absent = !s->exists && (expected.one == 0 || expected.other == 0);
    bool right;
    size_t len;
    char *bytes;

    agentchat_snapshot_unref(snapshot);
    if (status == AGENTCHAT_E_NOTFOUND)
        return may_be_absent;
    if (status < 0)
        return false;
    bytes = test_file_read(file, &len);
    right = (expected.one != 0 || s->exists) && is_state(s, expected.one, bytes, len);
    right = right || ((expected.other != 0 || s->exists) && is_state(s, expected.other, bytes, len));
    free(bytes);
    return right && mode_of_file(file) == s->mode;
}

/* A directory after a crash is no obstacle to the next save. */
static bool can_be_saved_to(const scene *s, const char *file)
{
    fault_plan nothing = {.at = (unsigned long)-1};
    io_watcher watcher = plan_watcher(&nothing); /* without syncing */
    agentchat_write_options options = write_options(s->format);
    agentchat_chat *chat = chat_make(1, 10, 99);
    agentchat_bytes document = chat_document(chat, s->format);
    agentchat_status status;
    bool good;

    io_watch(&watcher);
    status = agentchat_chat_save_file(chat, s->crash_path, &options, NULL, NULL);
    io_watch(NULL);
    good = status == AGENTCHAT_OK && file_is(file, document.ptr, document.len);
    agentchat_bytes_clear(&document);
    agentchat_chat_free(chat);
    return good;
}

/* What stands under a name in a crashed directory. */
typedef struct crash_file {
    char *path, *bytes;
    size_t len;
    mode_t mode;
} crash_file;

static void try_state(scene *s, const file_model *model, crash_state state, expectation expected)
{
    model_entry entries[MODEL_ENTRIES + MODEL_PENDING];
    crash_file files[MODEL_ENTRIES + MODEL_PENDING];
    size_t count = model_entries(model, state, entries);
    char *file = test_path(s->crash_sub, FILE_NAME);
    uint64_t sum = HASH_START, names = HASH_START;

    s->states++;
    hash(&sum, &expected, sizeof expected);
    for (size_t i = 0; i < count; i++) {
        crash_file *f = &files[i];

        f->path = test_path(s->crash_sub, entries[i].name);
        f->bytes = model_bytes(model, entries[i].file, state, &f->len, &f->mode);
        hash(&names, entries[i].name, strlen(entries[i].name) + 1);
        hash(&sum, &names, sizeof names);
        hash(&sum, &f->mode, sizeof f->mode);
        hash(&sum, &f->len, sizeof f->len);
        hash(&sum, f->bytes, f->len);
    }
    if (is_new(s, sum)) {
        s->distinct++;
        for (size_t i = 0; i < count; i++) {
            test_file_write(files[i].path, files[i].bytes, files[i].len);
            assert_int_equal(chmod(files[i].path, files[i].mode), 0);
        }
        s->violations += !is_right(s, expected, file);
        if (is_new(s, names)) /* for the next save only the names matter */
            s->violations += !can_be_saved_to(s, file);
        for (size_t i = 0; i < count; i++)
            unlink(files[i].path);
        unlink(file); /* the next save's, when there was none before */
    }
    for (size_t i = 0; i < count; i++) {
        free(files[i].path);
        free(files[i].bytes);
    }
    free(file);
}

unsigned long crash_everywhere(scene *s, const operations *sequence)
{
    file_model model = {0};
    expectation expected = {0, 0};

    s->states = s->distinct = s->violations = 0;
    s->seen_count = 0;
    if (s->exists)
        model_add(&model, FILE_NAME, s->document[0].ptr, s->document[0].len, s->mode);
    for (size_t i = 0; i < sequence->count; i++) {
        const operation *op = &sequence->at[i];

        model_apply(&model, op);
        if (op->kind == OPERATION_BEGIN)
            expected.other = op->number;
        else if (op->kind == OPERATION_SUCCESS)
            expected.one = op->number;
        for (unsigned long subset = 0; subset < model_subsets(&model); subset++)
            for (size_t content = 0; content < MODEL_CONTENTS; content++)
                try_state(s, &model, (crash_state){subset, content}, expected);
    }
    model_clear(&model);
    return s->violations;
}

/* Without a crash the model must show what the real directory holds. */
static void assert_model_is_faithful(const scene *s)
{
    char *file = test_path(s->sub, FILE_NAME);
    model_entry entries[MODEL_ENTRIES + MODEL_PENDING];
    file_model model = {0};
    crash_state all;
    size_t len;
    mode_t mode;
    char *bytes;

    if (s->exists)
        model_add(&model, FILE_NAME, s->document[0].ptr, s->document[0].len, s->mode);
    for (size_t i = 0; i < s->recorded.count; i++)
        model_apply(&model, &s->recorded.at[i]);
    all = (crash_state){model_subsets(&model) - 1, 1};
    assert_int_equal(model_entries(&model, all, entries), 1);
    assert_string_equal(entries[0].name, FILE_NAME);
    bytes = model_bytes(&model, entries[0].file, all, &len, &mode);
    assert_true(file_is(file, bytes, len));
    assert_int_equal(mode_of_file(file), mode);
    assert_int_equal(temporaries_in(s->sub, FILE_NAME, false), 0);
    free(bytes);
    free(file);
    model_clear(&model);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* dir/name/sub/real.json, and beside sub a link to it; returns the path of sub. */
static char *make_target(const char *dir, const char *name, bool through_link, char **out_path)
{
    char *top = test_path(dir, name), *sub = test_path(top, "sub"), *file = test_path(sub, FILE_NAME);

    assert_int_equal(mkdir(top, 0700), 0);
    assert_int_equal(mkdir(sub, 0700), 0);
    *out_path = file;
    if (through_link) {
        *out_path = test_path(top, "link.json");
        assert_int_equal(symlink("sub/" FILE_NAME, *out_path), 0);
        free(file);
    }
    free(top);
    return sub;
}

scene scene_make(const char *format, bool exists, bool through_link)
{
    scene s = {.format = format, .exists = exists, .mode = exists ? 0640 : 0600};

    s.saves = number_from_env("AGENTCHAT_TEST_CRASH_SAVES", 3);
    if (s.saves > HIGHEST_SAVES)
        s.saves = HIGHEST_SAVES;
    s.dir = test_dir_make();
    s.sub = make_target(s.dir, "real", through_link, &s.path);
    s.crash_sub = make_target(s.dir, "crash", through_link, &s.crash_path);
    if (exists) {
        agentchat_chat *chat = chat_make(10, 1000, 77);
        char *file = test_path(s.sub, FILE_NAME);

        s.document[0] = chat_document(chat, format);
        test_file_write(file, s.document[0].ptr, s.document[0].len);
        assert_int_equal(chmod(file, s.mode), 0);
        agentchat_chat_free(chat);
        free(file);
    }
    record_saves(&s);
    assert_model_is_faithful(&s);
    return s;
}

void scene_clear(scene *s)
{
    for (size_t i = 0; i < s->recorded.count; i++)
        free((char *)(uintptr_t)s->recorded.at[i].bytes);
    operations_clear(&s->recorded);
    for (size_t i = 0; i <= s->saves; i++)
        agentchat_bytes_clear(&s->document[i]);
    test_dir_remove(s->dir);
    free(s->seen);
    free(s->sub);
    free(s->path);
    free(s->crash_sub);
    free(s->crash_path);
}
