/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random JSON documents, the same for the same seed, and random damage to them. The generator follows the grammar of
 * RFC 8259 rule by rule, so that every rule is reached: whitespace of all kinds wherever it may be, numbers digit by
 * digit, strings of every kind of character in every spelling, names that repeat, long strings, wide and deep
 * containers.
 */
#ifndef RANDOM_JSON_H
#define RANDOM_JSON_H

#include "base/buf.h"

typedef struct random_json {
    uint64_t state;
    aci_buf text;
} random_json;

void random_json_init(random_json *r);
void random_json_clear(random_json *r);
void random_json_seed(random_json *r, uint64_t seed);
uint32_t random_json_below(random_json *r, uint32_t limit);
/* Replaces r->text by a document. */
void random_json_document(random_json *r);
/* Changes r->text, which must not be empty, at one position: a byte or a bit changed, bytes put in, left out, doubled
   or exchanged, the end cut off. */
void random_json_damage(random_json *r);

#endif
