/* SPDX-License-Identifier: Apache-2.0 */
/* Ends, not beginnings: an id that is made begins with the time. Sorted from their ends, those that have most in common
   are neighbours. */
#include "cli/thread/names.h"
#include <stdlib.h>
#include <string.h>

enum {
    SHORTEST = 4,
    LONGEST_GUESS = 12, /* random digits at the end of an id that is made */
};

size_t cli_thread_names_shortest(uint64_t checkpoints)
{
    size_t digits = SHORTEST;
    uint64_t ends = 1 << 4 * SHORTEST;

    /* So many ends of hexadecimal digits that two of the checkpoints rarely share one. */
    for (; digits < LONGEST_GUESS && ends / (checkpoints > 0 ? checkpoints : 1) < checkpoints; digits++)
        ends *= 16;
    return digits;
}

typedef struct name {
    const char *id;
    size_t len, index;
} name;

static size_t common(const name *a, const name *b)
{
    size_t len = 0;

    while (len < a->len && len < b->len && a->id[a->len - 1 - len] == b->id[b->len - 1 - len])
        len++;
    return len;
}

static int compare(const void *left, const void *right)
{
    const name *a = left, *b = right;
    size_t len = common(a, b);

    if (len == a->len || len == b->len)
        return (a->len > b->len) - (a->len < b->len);
    return (unsigned char)a->id[a->len - 1 - len] < (unsigned char)b->id[b->len - 1 - len] ? -1 : 1;
}

size_t *cli_thread_names(const agentchat_checkpoint_list *list)
{
    size_t count = agentchat_checkpoint_list_count(list);
    size_t *bytes = calloc(count + 1, sizeof *bytes);
    name *names = calloc(count + 1, sizeof *names);

    for (size_t i = 0; bytes != NULL && names != NULL && i < count; i++) {
        const char *id = agentchat_checkpoint_list_at(list, i)->id;

        names[i] = (name){id, strlen(id), i};
    }
    if (bytes == NULL || names == NULL) {
        free(bytes);
        free(names);
        return NULL;
    }
    qsort(names, count, sizeof *names, compare);
    for (size_t i = 0; i < count; i++) {
        size_t shortest = cli_thread_names_shortest(agentchat_checkpoint_list_at(list, 0)->sequence);
        size_t before = i > 0 ? common(&names[i - 1], &names[i]) + 1 : 0;
        size_t after = i + 1 < count ? common(&names[i], &names[i + 1]) + 1 : 0;
        size_t needed = before > after ? before : after;

        bytes[names[i].index] = needed > shortest ? needed : shortest;
    }
    free(names);
    return bytes;
}

void cli_thread_names_put(FILE *out, const char *id, size_t bytes)
{
    size_t len = strlen(id), start = len > bytes ? len - bytes : 0;

    while (start > 0 && ((unsigned char)id[start] & 0xc0) == 0x80) /* not within a character */
        start--;
    (void)fprintf(out, "%s%s", start > 1 ? "…" : "", start > 1 ? id + start : id);
}
