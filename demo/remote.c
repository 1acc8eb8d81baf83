/* SPDX-License-Identifier: Apache-2.0 */
/* The remote service: a thread is a directory, a note a file 000000, 000001, … in it. */
#include "demo.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static demo_path note_path(const char *dir, const char *id, size_t index)
{
    char name[128];

    (void)snprintf(name, sizeof name, "%.64s/%06zu", id, index);
    return demo_join(dir, name);
}

bool remote_create(const char *dir, demo_note *out_id)
{
    for (unsigned n = 1; n < 1000; n++) {
        (void)snprintf(out_id->text, sizeof out_id->text, "thread-%u", n);
        if (mkdir(demo_join(dir, out_id->text).text, 0700) == 0)
            return true;
    }
    return false;
}

size_t remote_length(const char *dir, const char *id)
{
    size_t length = 0;

    while (access(note_path(dir, id, length).text, F_OK) == 0)
        length++;
    return length;
}

bool remote_add(const char *dir, const char *id, const demo_note *note)
{
    FILE *file = fopen(note_path(dir, id, remote_length(dir, id)).text, "wx");

    if (file == NULL)
        return false;
    bool ok = fputs(note->text, file) >= 0;
    return fclose(file) == 0 && ok;
}

bool remote_read(const char *dir, const char *id, size_t index, demo_note *out)
{
    FILE *file = fopen(note_path(dir, id, index).text, "r");

    if (file == NULL)
        return false;
    out->text[fread(out->text, 1, sizeof out->text - 1, file)] = '\0';
    return fclose(file) == 0;
}

demo_note demo_note_of(const agentchat_message *message)
{
    agentchat_str name = agentchat_message_name(message), text = agentchat_message_text(message);
    demo_note note;

    if (name.len == 0)
        name = agentchat_message_role(message);
    (void)snprintf(note.text, sizeof note.text, AGENTCHAT_STR_FMT ": " AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(name),
                   AGENTCHAT_STR_ARG(text));
    return note;
}
