/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify/files.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *verify_files_open(const char *path, const char *mode)
{
    int how = *mode == 'w' ? O_WRONLY | O_CREAT | O_EXCL : O_RDONLY;
    int fd = open(path, how | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0666);
    struct stat about;
    FILE *file = NULL;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &about) == 0 && !S_ISREG(about.st_mode))
        errno = ELOOP;
    else
        file = fdopen(fd, mode);
    if (file == NULL) {
        int reason = errno;

        (void)close(fd);
        errno = reason;
    }
    return file;
}

char *verify_files_join(const char *a, const char *b)
{
    size_t size = strlen(a) + strlen(b) + 1;
    char *joined = malloc(size);

    if (joined != NULL)
        (void)snprintf(joined, size, "%s%s", a, b);
    return joined;
}

/* Takes ownership of the path. */
static bool add(verify_files *files, char *path, bool is_regular)
{
    if (path != NULL && files->count == files->cap) {
        size_t cap = files->cap > 0 ? files->cap * 2 : 64;
        verify_file *list = realloc(files->list, cap * sizeof *list);

        if (list != NULL) {
            files->list = list;
            files->cap = cap;
        }
    }
    if (path == NULL || files->count == files->cap) {
        free(path);
        errno = ENOMEM;
        return false;
    }
    files->list[files->count++] = (verify_file){path, is_regular};
    return true;
}

/* Adds what is in a directory; the directories in it go to the end of `directories`. */
static bool add_directory(verify_files *files, verify_files *directories, const char *path)
{
    DIR *dir = opendir(path);
    const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
    struct dirent *entry;
    bool ok = dir != NULL;

    while (ok && (errno = 0, entry = readdir(dir)) != NULL) {
        char *prefix, *name;
        struct stat about;

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        prefix = verify_files_join(path, slash);
        name = prefix != NULL ? verify_files_join(prefix, entry->d_name) : NULL;
        free(prefix);
        if (name == NULL || lstat(name, &about) != 0) {
            free(name);
            ok = false;
        } else {
            ok = add(S_ISDIR(about.st_mode) ? directories : files, name, S_ISREG(about.st_mode));
        }
    }
    ok = ok && errno == 0;
    if (dir != NULL) {
        int reason = errno;

        (void)closedir(dir);
        errno = reason;
    }
    return ok;
}

bool verify_files_add(verify_files *files, const char *path, char **failed)
{
    verify_files directories = {NULL, 0, 0};
    struct stat about;
    bool ok = stat(path, &about) == 0; /* a link that is named is meant */

    if (!ok)
        *failed = verify_files_join(path, "");
    else if (!S_ISDIR(about.st_mode))
        ok = add(files, verify_files_join(path, ""), S_ISREG(about.st_mode));
    else
        ok = add(&directories, verify_files_join(path, ""), false);
    for (size_t i = 0; ok && i < directories.count; i++) {
        ok = add_directory(files, &directories, directories.list[i].path);
        if (!ok)
            *failed = verify_files_join(directories.list[i].path, "");
    }
    verify_files_clear(&directories);
    return ok;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const verify_file *)a)->path, ((const verify_file *)b)->path);
}

void verify_files_sort(verify_files *files)
{
    size_t kept = 0;

    if (files->count > 0)
        qsort(files->list, files->count, sizeof *files->list, by_path);
    for (size_t i = 0; i < files->count; i++) {
        if (kept > 0 && strcmp(files->list[kept - 1].path, files->list[i].path) == 0)
            free(files->list[i].path);
        else
            files->list[kept++] = files->list[i];
    }
    files->count = kept;
}

bool verify_files_have(const verify_files *files, const char *path)
{
    const verify_file key = {(char *)(uintptr_t)path, true};

    return files->count > 0 && bsearch(&key, files->list, files->count, sizeof *files->list, by_path) != NULL;
}

void verify_files_clear(verify_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->list[i].path);
    free(files->list);
    *files = (verify_files){NULL, 0, 0};
}
