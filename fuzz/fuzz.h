/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What fuzz targets share: a check that aborts with its file and line, and a reader that turns the fuzzer's bytes into
 * choices.
 *
 * A target is one file fuzz_<name>.c with LLVMFuzzerTestOneInput. Built with clang's libFuzzer it explores
 * (scripts/fuzz); linked with replay.c by any compiler it runs its corpus again (ctest -R fuzz).
 */
#ifndef AGENTCHAT_FUZZ_H
#define AGENTCHAT_FUZZ_H

#include <agentchat/agentchat.h>
#include <stdio.h>
#include <stdlib.h>

/* The entry point of every target; always returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise of the library: when it does not hold, the input is a finding. */
#define FUZZ_CHECK(condition)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                             \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* What is left of an input. An exhausted one gives zeros and empty texts, so a target always comes to its end. */
typedef struct fuzz_input {
    const uint8_t *data;
    size_t size;
} fuzz_input;

static inline uint8_t fuzz_byte(fuzz_input *in)
{
    uint8_t byte = 0;

    if (in->size > 0) {
        byte = *in->data++;
        in->size--;
    }
    return byte;
}

/* A number below n (n > 0), of one byte of input up to 256, of two beyond. */
static inline uint32_t fuzz_below(fuzz_input *in, uint32_t n)
{
    uint32_t number = fuzz_byte(in);

    if (n > 256)
        number = number << 8 | fuzz_byte(in);
    return number % n;
}

/* A view of the next bytes of the input: a byte of length, then that many. */
static inline agentchat_str fuzz_text(fuzz_input *in)
{
    size_t len = fuzz_byte(in);
    agentchat_str text = {"", 0};

    if (len > in->size)
        len = in->size;
    if (len > 0) {
        text = (agentchat_str){(const char *)in->data, len};
        in->data += len;
        in->size -= len;
    }
    return text;
}

#endif
