/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Markdown costs as texts grow. The input is a text in up to five parts, with a byte FF between them: a beginning,
 * a piece, a middle, another piece, an end. The pieces are repeated to a small and to a larger size. Memory must keep
 * to its bound, and processor time may not grow faster than the text: that is looked at by the fuzzer only, since the
 * tests that replay its inputs measure no time.
 */
#include "fuzz.h"

#include "base/env.h"
#include "io/stream.h"
#include "view/markdown.h"
#include <string.h>
#include <time.h>

enum {
    PARTS = 5,
    LONGEST_INPUT = 1024,
    SMALL = 8192,
    STEP = 16,
    WORST = 3,      /* times the growth of the text */
    SLOWEST = 4000, /* nanoseconds a byte, with sanitizers */
    TRIES = 12,     /* the least of them counts: others use the processor, too */
    MEMORY = 32,    /* bytes for a byte, and */
    SOME_MEMORY = 1 << 21,
    ARENA = 64 << 20
};

/* ---- memory: from one block, front to back, so that time is the library's -------------------------------------------
 */

typedef struct front {
    char *block;
    size_t used, live, peak;
} front;

static void *take(void *user, size_t size)
{
    front *f = user;
    size_t rounded = (size + 15) / 16 * 16;
    void *taken = f->block + f->used;

    if (rounded > ARENA - f->used)
        return NULL;
    f->used += rounded;
    f->live += size;
    f->peak = f->live > f->peak ? f->live : f->peak;
    return taken;
}

static void give_back(void *user, void *block, size_t size)
{
    front *f = user;

    f->live -= block != NULL ? size : 0;
    f->used = f->live > 0 ? f->used : 0;
}

/* ---- one text
 * -------------------------------------------------------------------------------------------------------- */

static agentchat_status ignore(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    (void)self, (void)bytes, (void)len, (void)err;
    return AGENTCHAT_OK;
}

static uint64_t nanoseconds(void)
{
    struct timespec now;

    FUZZ_CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Returns the time that it took. */
static uint64_t convert(const agentchat_env *env, front *memory, agentchat_str text)
{
    static const agentchat_sink_ops nowhere = {sizeof(nowhere), ignore, NULL, NULL};
    uint64_t begin;
    agentchat_sink *sink;
    agentchat_error err;
    aci_html h;

    FUZZ_CHECK(agentchat_sink_new(env, &nowhere, NULL, &sink, &err) == AGENTCHAT_OK);
    FUZZ_CHECK(aci_html_begin(&h, env, sink, &err) == AGENTCHAT_OK);
    memory->peak = memory->live;
    begin = nanoseconds();
    if (aci_markdown_is_needed(text))
        (void)aci_markdown(&h, text);
    begin = nanoseconds() - begin;
    FUZZ_CHECK(memory->peak <= MEMORY * text.len + SOME_MEMORY);
    FUZZ_CHECK(aci_html_end(&h) == AGENTCHAT_OK);
    agentchat_sink_free(sink);
    return begin;
}

/* ---- two sizes
 * ------------------------------------------------------------------------------------------------------- */

static char *put(char *out, agentchat_str part, size_t times)
{
    for (; times > 0 && part.len > 0; times--, out += part.len)
        memcpy(out, part.ptr, part.len);
    return out;
}

static agentchat_str make(const agentchat_str parts[PARTS], size_t size)
{
    static char text[LONGEST_INPUT + SMALL * STEP];
    size_t piece = parts[1].len + parts[3].len, times = piece > 0 ? size / piece : 0;
    char *end = put(text, parts[0], 1);

    end = put(end, parts[1], times);
    end = put(end, parts[2], 1);
    end = put(end, parts[3], times);
    end = put(end, parts[4], 1);
    return (agentchat_str){text, (size_t)(end - text)};
}

static uint64_t least(const agentchat_env *env, front *memory, agentchat_str text, int tries)
{
    uint64_t found = UINT64_MAX;

    for (int i = 0; i < tries; i++) {
        uint64_t took = convert(env, memory, text);

        found = took < found ? took : found;
    }
    return found;
}

static void check(const agentchat_env *env, front *memory, const agentchat_str parts[PARTS])
{
    for (int tries = 1;; tries *= 2) {
        uint64_t small = least(env, memory, make(parts, SMALL), tries);
        agentchat_str text = make(parts, SMALL * STEP);
        uint64_t large = least(env, memory, text, tries);

#ifdef AGENTCHAT_FUZZER
        if (large > WORST * STEP * (small > 100000 ? small : 100000) || large > SLOWEST * text.len + 1000000) {
            FUZZ_CHECK(tries < TRIES);
            continue;
        }
#endif
        (void)small, (void)large;
        return;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char block[ARENA];
    front memory = {block, 0, 0, 0};
    agentchat_allocator allocator = {
        .struct_size = sizeof allocator, .alloc = take, .free = give_back, .user = &memory};
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_str parts[PARTS] = {{"", 0}, {"", 0}, {"", 0}, {"", 0}, {"", 0}};
    const char *p = (const char *)data;
    agentchat_env *env;

    if (size == 0 || size > LONGEST_INPUT)
        return 0;
    for (size_t part = 0, left = size; part < PARTS && left > 0; part++) {
        const char *mark = part + 1 < PARTS ? memchr(p, 0xFF, left) : NULL;
        size_t len = mark != NULL ? (size_t)(mark - p) : left;

        parts[part] = (agentchat_str){p, len};
        left -= len + (mark != NULL);
        p += len + (mark != NULL);
    }
    options.allocator = &allocator;
    FUZZ_CHECK(agentchat_env_new(&options, &env, NULL) >= 0);
    check(env, &memory, parts);
    agentchat_env_free(env);
    return 0;
}
