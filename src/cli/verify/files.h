/* SPDX-License-Identifier: Apache-2.0 */
/* The files below the paths that were given, by name. */
#ifndef CLI_VERIFY_FILES_H
#define CLI_VERIFY_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct verify_file {
    char *path;
    bool is_regular; /* else a link, a device or the like, which is not opened */
} verify_file;

typedef struct verify_files {
    verify_file *list; /* by the bytes of their paths, each once */
    size_t count, cap;
} verify_files;

/* Adds a file, or all files below a directory; links in it are not followed. false: *failed names what errno is
   about. */
bool verify_files_add(verify_files *files, const char *path, char **failed);
void verify_files_sort(verify_files *files);
/* Whether a path is among them, once they are sorted. */
bool verify_files_have(const verify_files *files, const char *path);
void verify_files_clear(verify_files *files);
/* Opens a regular file for reading, or makes one with "wb". No link is followed, and no pipe waited for: NULL, as after
   any failure, of which errno says why. */
FILE *verify_files_open(const char *path, const char *mode);
/* A copy of two texts in a row, to be freed; NULL: out of memory. */
char *verify_files_join(const char *a, const char *b);

#endif
