/* SPDX-License-Identifier: Apache-2.0 */
/* A thread is a directory, a note a file 000000, 000001, … in it. */
#include "remote.h"
#include "path.h"
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

bool remote_create(const char *dir, agentchat_bytes *out_id)
{
    char id[16];

    for (unsigned n = 1; n < 1000; n++) {
        (void)snprintf(id, sizeof id, "thread-%u", n);
        if (mkdir(path_join(dir, id).text, 0700) == 0)
            return agentchat_bytes_append(out_id, agentchat_str_from(id), NULL) == AGENTCHAT_OK;
    }
    return false;
}

static path note_path(const char *dir, agentchat_str id, size_t index)
{
    char name[64];

    (void)snprintf(name, sizeof name, AGENTCHAT_STR_FMT "/%06zu", AGENTCHAT_STR_ARG(id), index);
    return path_join(dir, name);
}

size_t remote_length(const char *dir, agentchat_str id)
{
    size_t length = 0;

    while (access(note_path(dir, id, length).text, F_OK) == 0)
        length++;
    return length;
}

bool remote_add(const char *dir, agentchat_str id, const note *added)
{
    FILE *file = fopen(note_path(dir, id, remote_length(dir, id)).text, "wx");

    if (file == NULL)
        return false;
    bool ok = fputs(added->text, file) >= 0;
    return fclose(file) == 0 && ok;
}

bool remote_read(const char *dir, agentchat_str id, size_t index, note *out)
{
    FILE *file = fopen(note_path(dir, id, index).text, "r");

    if (file == NULL)
        return false;
    out->text[fread(out->text, 1, sizeof out->text - 1, file)] = '\0';
    return fclose(file) == 0;
}
