/* SPDX-License-Identifier: Apache-2.0 */
/* Assertions over complete error records, environments, builders, temporary directories and files. The other helpers
   are in test_numbers.c, test_oom.c and test_streams.c. */
#include "support/test_support.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void print_problem(const agentchat_error *err)
{
    if (err != NULL)
        print_error("  error: code %d (%s), native %d, offset %lld, path \"%s\", message \"%s\"\n", (int)err->code,
                    agentchat_status_name((agentchat_status)err->code), (int)err->native, (long long)err->offset,
                    err->path, err->message);
}

agentchat_message_builder *test_message_builder(const agentchat_env *env, const char *role, const char *name)
{
    agentchat_message_builder *builder = NULL;
    agentchat_error err;

    test_ok(agentchat_message_builder_new(env, role, agentchat_str_from(name), &builder, &err), &err);
    return builder;
}

agentchat_state *test_state(const agentchat_env *env)
{
    agentchat_state *map = NULL;
    agentchat_error err;

    test_ok(agentchat_state_new(env, &map, &err), &err);
    return map;
}

agentchat_event_builder *test_event_builder(const agentchat_env *env, const char *author)
{
    agentchat_event_builder *builder = NULL;
    agentchat_error err;

    test_ok(agentchat_event_builder_new(env, agentchat_str_from(author), &builder, &err), &err);
    return builder;
}

void test_ok_at(agentchat_status status, const agentchat_error *err, const char *file, int line)
{
    if (status < 0) {
        print_error("unexpected %s\n", agentchat_status_name(status));
        print_problem(err);
        _fail(file, line);
    }
    if (err != NULL && err->code != 0) {
        print_error("the call succeeded but left an error record\n");
        print_problem(err);
        _fail(file, line);
    }
}

void test_fails_at(agentchat_status status, const agentchat_error *err, agentchat_status expected, const char *path,
                   const char *message_part, const char *file, int line)
{
    bool good = status == expected;

    if (err != NULL) {
        good = good && err->code == (int32_t)expected && err->message[0] != '\0';
        good = good && (path == NULL || strcmp(err->path, path) == 0);
        good = good && (message_part == NULL || strstr(err->message, message_part) != NULL);
    }
    if (!good) {
        print_error("got %s, expected %s with path \"%s\" and \"%s\" in the message\n", agentchat_status_name(status),
                    agentchat_status_name(expected), path != NULL ? path : "(any)",
                    message_part != NULL ? message_part : "(anything)");
        print_problem(err);
        _fail(file, line);
    }
}

agentchat_env *test_env(const agentchat_env_options *options)
{
    agentchat_env *env;
    agentchat_error err;

    test_ok(agentchat_env_new(options, &env, &err), &err);
    return env;
}

agentchat_snapshot_builder *test_snapshot_builder(const agentchat_env *env, const agentchat_snapshot *from)
{
    agentchat_snapshot_builder *builder;
    agentchat_error err;

    if (agentchat_snapshot_builder_new(env, from, &builder, &err) != AGENTCHAT_E_NOMEM)
        assert_int_equal(err.code, AGENTCHAT_OK);
    return builder;
}

char *test_path(const char *dir, const char *name)
{
    size_t size = strlen(dir) + strlen(name) + 2;
    char *path = malloc(size);

    assert_non_null(path);
    snprintf(path, size, "%s/%s", dir, name);
    return path;
}

char *test_dir_make(void)
{
    const char *parent = getenv("TMPDIR");
    char *dir = test_path(parent != NULL && parent[0] != '\0' ? parent : "/tmp", "agentchat-test-XXXXXX");

    assert_non_null(mkdtemp(dir));
    return dir;
}

static void remove_tree(const char *path)
{
    struct stat info;
    DIR *dir;

    assert_int_equal(lstat(path, &info), 0);
    if (!S_ISDIR(info.st_mode)) {
        assert_int_equal(unlink(path), 0);
        return;
    }
    assert_int_equal(chmod(path, 0700), 0); /* a test may have made it unwritable */
    dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            char *child = test_path(path, entry->d_name);

            remove_tree(child);
            free(child);
        }
    }
    closedir(dir);
    assert_int_equal(rmdir(path), 0);
}

void test_dir_remove(char *dir)
{
    if (dir != NULL) {
        remove_tree(dir);
        free(dir);
    }
}

char *test_file_read(const char *path, size_t *out_len)
{
    FILE *file = fopen(path, "rb");
    size_t len = 0, cap = 4096;
    char *data = malloc(cap);

    if (file == NULL)
        print_error("cannot open %s\n", path);
    assert_non_null(file);
    assert_non_null(data);
    for (;;) {
        size_t got = fread(data + len, 1, cap - len - 1, file);

        len += got;
        if (got == 0)
            break;
        if (len + 1 == cap) {
            cap *= 2;
            data = realloc(data, cap);
            assert_non_null(data);
        }
    }
    assert_false(ferror(file));
    fclose(file);
    data[len] = '\0';
    if (out_len != NULL)
        *out_len = len;
    return data;
}

void test_file_write(const char *path, const void *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL)
        print_error("cannot write %s\n", path);
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

const char *test_data_dir(void)
{
    return AGENTCHAT_TEST_DATA_DIR;
}

const char *test_real_files(void)
{
    const char *dir = getenv("AGENTCHAT_REAL_FILES");

    return dir != NULL && dir[0] != '\0' ? dir : NULL;
}

typedef struct path_list {
    char **paths;
    size_t count, cap;
} path_list;

static bool ends_with(const char *text, const char *suffix)
{
    size_t len = strlen(text), suffix_len = strlen(suffix);

    return len >= suffix_len && strcmp(text + len - suffix_len, suffix) == 0;
}

static void collect(path_list *list, const char *path, const char *suffix)
{
    DIR *dir = opendir(path);

    if (dir == NULL)
        print_error("cannot list %s\n", path);
    assert_non_null(dir);
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        struct stat info;
        char *child;

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        child = test_path(path, entry->d_name);
        assert_int_equal(stat(child, &info), 0);
        if (S_ISREG(info.st_mode) && ends_with(child, suffix)) {
            if (list->count == list->cap) {
                list->cap = list->cap != 0 ? list->cap * 2 : 64;
                list->paths = realloc(list->paths, list->cap * sizeof *list->paths);
                assert_non_null(list->paths);
            }
            list->paths[list->count++] = child;
            continue;
        }
        if (S_ISDIR(info.st_mode))
            collect(list, child, suffix);
        free(child);
    }
    closedir(dir);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t test_each_file(const char *dir, const char *suffix, void (*each)(const char *path, void *user), void *user)
{
    path_list list = {NULL, 0, 0};

    collect(&list, dir, suffix);
    if (list.count != 0)
        qsort(list.paths, list.count, sizeof *list.paths, by_name);
    for (size_t i = 0; i < list.count; i++) {
        if (each != NULL)
            each(list.paths[i], user);
        free(list.paths[i]);
    }
    free(list.paths);
    return list.count;
}
