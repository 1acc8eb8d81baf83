/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a target's inputs again without a fuzzer: every file given, and every file below the directories given. */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

static size_t files;

/* The input stands in a block of its own size, so that a sanitizer sees a read beyond it. */
static void replay_file(const char *path, size_t size)
{
    uint8_t *data = malloc(size > 0 ? size : 1);
    FILE *file = fopen(path, "rb");

    if (data == NULL || file == NULL || fread(data, 1, size, file) != size) {
        fprintf(stderr, "replay: cannot read %s\n", path);
        exit(2);
    }
    fclose(file);
    fprintf(stderr, "%s\n", path); /* the last one printed is the one that failed */
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
    files++;
}

static void replay(const char *path);

static void replay_directory(const char *path)
{
    DIR *stream = opendir(path);
    struct dirent *entry;

    if (stream == NULL) {
        fprintf(stderr, "replay: cannot open %s\n", path);
        exit(2);
    }
    while ((entry = readdir(stream)) != NULL) {
        size_t size = strlen(path) + strlen(entry->d_name) + 2;
        char *inner;

        if (entry->d_name[0] == '.')
            continue;
        inner = malloc(size);
        if (inner == NULL)
            exit(2);
        (void)snprintf(inner, size, "%s/%s", path, entry->d_name);
        replay(inner);
        free(inner);
    }
    closedir(stream);
}

static void replay(const char *path)
{
    struct stat info;

    if (stat(path, &info) != 0) {
        fprintf(stderr, "replay: no such file: %s\n", path);
        exit(2);
    }
    if (S_ISDIR(info.st_mode))
        replay_directory(path);
    else
        replay_file(path, (size_t)info.st_size);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("%zu inputs\n", files);
    return files > 0 ? 0 : 2;
}
