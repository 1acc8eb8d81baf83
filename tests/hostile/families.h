/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Families of documents made to hurt. A family is a beginning, a piece that is repeated as often as the wanted size
 * takes, and an end; one in each format where that makes sense. The same family, size and letter give the same bytes.
 */
#ifndef HOSTILE_FAMILIES_H
#define HOSTILE_FAMILIES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct family {
    const char *name;
    /* In all of them `#` stands for the number of the piece and `@` for the letter; `~` for the letter 1/128 of the
       wanted size times in a piece, half of it times in the head: for what grows in length, not in number. What stands
       between two `^` is repeated until it takes as much; what stands between two `|` in the head is repeated to half
       of the wanted size, with `&` for how often: for what grows twice. */
    const char *head, *piece, *join, *tail;
    const char *comment; /* what it aims at */
    bool refused;        /* it may be refused for what it is */
    bool repeats;        /* what is made of it repeats it, until the budget for that is used up */
} family;

extern const family families[];
extern const size_t family_count;

const family *family_find(const char *name);
/* A document of about `size` bytes, to be released with free(); NULL when out of memory. */
char *family_make(const family *f, size_t size, char letter, size_t *out_len);

#endif
