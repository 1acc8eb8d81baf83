/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of src/io/sink_path.c share: a directory and the path of a file in it, saving there, looking at it. */
#ifndef SINK_PATH_TEST_H
#define SINK_PATH_TEST_H

#include "support/test_support.h"

#include "io/stream.h"
#include <dirent.h>
#include <sys/stat.h>

typedef struct fixture {
    char *dir, *path;
} fixture;

static inline int set_up(void **state)
{
    fixture *p = malloc(sizeof *p);

    assert_non_null(p);
    p->dir = test_dir_make();
    p->path = test_path(p->dir, "chat.json");
    *state = p;
    return 0;
}

static inline int tear_down(void **state)
{
    fixture *p = *state;

    test_dir_remove(p->dir);
    free(p->path);
    free(p);
    return 0;
}

#define test_with_dir(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

static inline agentchat_status save(const char *path, const char *text, bool commit, agentchat_error *err)
{
    agentchat_sink *sink;
    agentchat_status status = agentchat_sink_path(NULL, path, NULL, &sink, err);

    if (status == AGENTCHAT_OK)
        status = aci_sink_write(sink, text, strlen(text), err);
    if (status == AGENTCHAT_OK && commit)
        status = aci_sink_commit(sink, err);
    agentchat_sink_free(sink);
    return status;
}

static inline void assert_holds(const char *path, const char *expected)
{
    char *text = test_file_read(path, NULL);

    assert_string_equal(text, expected);
    free(text);
}

static inline size_t files_in(const char *dir)
{
    size_t count = 0;
    DIR *stream = opendir(dir);

    assert_non_null(stream);
    for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(stream);
    return count;
}

static inline unsigned mode_of(const char *path)
{
    struct stat info;

    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 07777u;
}

#endif
