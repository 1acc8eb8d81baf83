/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What documents that nest cost of the stack. Each operation runs on a thread whose stack is memory of ours, filled
 * with a pattern before; what was used shows in how far the pattern is gone. docs/limits.md states what is asserted
 * here: a figure for the deepest document that is read by default, and one for each level more.
 */
#include "support/test_support.h"

#include <agentchat/view.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    DEFAULT_DEPTH = 128, /* of agentchat_limits */
    HIGHER_DEPTH = 1024,
    HIGHEST_DEPTH = 10000,
    STACK = 4 << 20,
    PATTERN = 0xA5
};

/* The figures of docs/limits.md, which a test finds there. */
enum { DEFAULT_KIB = 80, LEVEL_BYTES = 640 };

/* What a compiler without optimisation, or one that watches every access, adds is not ours. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
#define MEASURES 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define MEASURES 0
#else
#define MEASURES 1
#endif
#else
#define MEASURES 1
#endif

/* ---- documents ------------------------------------------------------------------------------------------------- */

/* A document that nests: `open` and `close` as often as the levels that one of them takes allow. */
typedef struct shape {
    const char *name;
    const char *head, *open, *leaf, *close, *tail;
    unsigned outside, inside; /* levels of head and leaf, and of one piece */
} shape;

#define F1 "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":["
#define F1_END "],\"participants\":[],\"channels\":[]}"
#define AGGREGATOR "Microsoft.SemanticKernel.Agents.AggregatorChannel"
#define F1_CHAT                                                                                                        \
    "{\"channelkey\":\"k\",\"channeltype\":\"" AGGREGATOR "\",\"statekind\":\"chat\",\"channelstate\":"                \
    "{\"history\":[],\"participants\":[],\"channels\":["
#define F1_CHAT_LATE "{\"channelkey\":\"k\",\"channelstate\":{\"channels\":["
#define F1_CHAT_LATE_END "],\"history\":[],\"participants\":[]},\"statekind\":\"chat\"}"
#define SK_CHAT                                                                                                        \
    "{\"ChannelKey\":\"k\",\"ChannelType\":\"" AGGREGATOR "\",\"ChannelState\":{\"Participants\":[],"                  \
    "\"History\":[],\"Channels\":["
#define SK_CHAT_LATE "{\"ChannelState\":{\"Channels\":["
#define SK_CHAT_LATE_END                                                                                               \
    "],\"Participants\":[],\"History\":[]},\"ChannelKey\":\"k\",\"ChannelType\":\"" AGGREGATOR "\"}"

static const shape shapes[] = {
    {"format 1, messages", F1 "{\"items\":[", "{\"type\":\"message\",\"message\":{\"items\":[",
     "{\"type\":\"text\",\"text\":\"@\"}", "]}}", "]}" F1_END, 5, 3},
    {"format 1, messages, type last", F1 "{\"items\":[", "{\"message\":{\"items\":[",
     "{\"type\":\"text\",\"text\":\"@\"}", "]},\"type\":\"message\"}", "]}" F1_END, 5, 3},
    {"format 1, chats", F1 "],\"participants\":[],\"channels\":[", F1_CHAT,
     "{\"statekind\":\"text\",\"channelkey\":\"x\",\"channelstate\":\"@\"}", "]}}", "]}", 3, 3},
    {"format 1, chats, kind last", F1 "],\"participants\":[],\"channels\":[", F1_CHAT_LATE,
     "{\"statekind\":\"text\",\"channelkey\":\"x\",\"channelstate\":\"@\"}", F1_CHAT_LATE_END, "]}", 3, 3},
    {"format 1, values", F1 "{\"metadata\":", "[{\"a\":", "\"@\"", "}]", "}" F1_END, 3, 2},
    {"semantic-kernel, messages", "{\"Participants\":[],\"Channels\":[],\"History\":[{\"Items\":[",
     "{\"$type\":\"ChatMessageContent\",\"Items\":[", "{\"$type\":\"TextContent\",\"Text\":\"@\"}", "]}", "]}]}", 5, 2},
    {"semantic-kernel, messages, type last", "{\"Participants\":[],\"Channels\":[],\"History\":[{\"Items\":[",
     "{\"Items\":[", "{\"$type\":\"TextContent\",\"Text\":\"@\"}", "],\"$type\":\"ChatMessageContent\"}", "]}]}", 5, 2},
    {"semantic-kernel, chats", "{\"Participants\":[],\"History\":[],\"Channels\":[", SK_CHAT,
     "{\"ChannelKey\":\"x\",\"ChannelState\":\"@\"}", "]}}", "]}", 3, 3},
    {"semantic-kernel, chats, key last", "{\"Participants\":[],\"History\":[],\"Channels\":[", SK_CHAT_LATE,
     "{\"ChannelKey\":\"x\",\"ChannelState\":\"@\"}", SK_CHAT_LATE_END, "]}", 3, 3},
    {"semantic-kernel, values", "{\"Participants\":[],\"Channels\":[],\"History\":[{\"Metadata\":{\"m\":", "[{\"a\":",
     "\"@\"", "}]", "}}]}", 4, 2},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static void add(char **end, const char *text, char letter)
{
    for (; *text != '\0'; text++)
        *(*end)++ = *text == '@' ? letter : *text;
}

/* A document of so many levels, to be released with free(). */
static char *make(const shape *s, unsigned depth, char letter)
{
    unsigned count = (depth - s->outside) / s->inside;
    char *text =
        malloc(strlen(s->head) + strlen(s->leaf) + strlen(s->tail) + 1 + count * (strlen(s->open) + strlen(s->close)));
    char *end = text;

    assert_non_null(text);
    add(&end, s->head, letter);
    for (unsigned i = 0; i < count; i++)
        add(&end, s->open, letter);
    add(&end, s->leaf, letter);
    for (unsigned i = 0; i < count; i++)
        add(&end, s->close, letter);
    add(&end, s->tail, letter);
    *end = '\0';
    return text;
}

/* ---- operations ------------------------------------------------------------------------------------------------ */

typedef enum operation {
    READ,
    WRITE_AGENTCHAT,
    WRITE_ENCODED,
    READ_ENCODED,
    WRITE_STRICT,
    WRITE_DEFAULT,
    READ_DEFAULT,
    DIGEST,
    DIFF,
    VIEW,
    VIEW_DIFF,
    UNREF,
    OPERATIONS
} operation;

static const char *const names[OPERATIONS] = {
    "read",         "write format 1", "write encoded", "read encoded", "write strict",   "write semantic-kernel",
    "read it back", "digest",         "compare",       "page",         "page comparing", "release",
};

typedef struct work {
    const agentchat_env *env;
    operation what;
    char *text;
    agentchat_snapshot *snapshot, *other;
    agentchat_bytes encoded, foreign, out;
    agentchat_status status;
    agentchat_error err;
} work;

static agentchat_status each(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                             agentchat_error *err)
{
    (void)user, (void)path, (void)left, (void)right, (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status write_as(work *w, const char *format, bool strict, agentchat_bytes *out)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;

    options.format = format;
    options.strict = strict;
    return agentchat_snapshot_write_memory(w->snapshot, &options, out, NULL, &w->err);
}

static agentchat_status read_back(work *w, const agentchat_bytes *bytes)
{
    agentchat_snapshot *back = NULL;
    agentchat_status status;

    if (bytes->ptr == NULL)
        return AGENTCHAT_OK;
    status =
        agentchat_snapshot_read_memory(w->env, (agentchat_str){bytes->ptr, bytes->len}, NULL, &back, NULL, &w->err);
    agentchat_snapshot_unref(back);
    return status;
}

static agentchat_status write_page(work *w, bool comparing)
{
    agentchat_sink *sink;
    agentchat_status status = agentchat_sink_memory(w->env, &w->out, &sink, &w->err);

    if (status >= 0)
        status = comparing ? agentchat_snapshot_write_html_diff(w->snapshot, w->other, sink, NULL, &w->err)
                           : agentchat_snapshot_write_html(w->snapshot, sink, NULL, &w->err);
    agentchat_sink_free(sink);
    return status;
}

static agentchat_status operate(work *w)
{
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    bool equal;

    switch (w->what) {
    case READ:
        return agentchat_snapshot_read_memory(w->env, agentchat_str_from(w->text), NULL, &w->snapshot, NULL, &w->err);
    case WRITE_AGENTCHAT:
        return write_as(w, "agentchat", false, &w->out);
    case WRITE_ENCODED:
        return write_as(w, "agentchat-encoded", false, &w->encoded);
    case READ_ENCODED:
        return read_back(w, &w->encoded);
    case WRITE_STRICT:
        return write_as(w, "semantic-kernel", true, &w->out);
    case WRITE_DEFAULT:
        return write_as(w, "semantic-kernel", false, &w->foreign);
    case READ_DEFAULT:
        return read_back(w, &w->foreign);
    case DIGEST:
        return agentchat_snapshot_digest(w->snapshot, true, digest, &w->err);
    case DIFF:
        return agentchat_snapshot_diff(w->snapshot, w->other, each, NULL, &equal, &w->err);
    case VIEW:
    case VIEW_DIFF:
        return write_page(w, w->what == VIEW_DIFF);
    case UNREF:
        agentchat_snapshot_unref(w->snapshot);
        w->snapshot = NULL;
        return AGENTCHAT_OK;
    case OPERATIONS:
        break;
    }
    return AGENTCHAT_E_INTERNAL;
}

/* ---- measuring ------------------------------------------------------------------------------------------------- */

static void *run(void *user)
{
    work *w = user;

    w->status = operate(w);
    return NULL;
}

static void *run_nothing(void *user)
{
    return user;
}

/* Bytes of the stack that a thread uses, its own included. */
static size_t stack_of(unsigned char *stack, void *(*function)(void *user), void *user)
{
    pthread_attr_t attributes;
    pthread_t thread;
    size_t untouched = 0;

    memset(stack, PATTERN, STACK);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, function, user), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
    while (untouched < STACK && stack[untouched] == PATTERN)
        untouched++;
    return STACK - untouched;
}

/* Whether an output nests deeper than the document: three levels of format 1 for a message where .NET has two. */
static bool is_deeper(const shape *s, operation what)
{
    return what == READ_ENCODED && strncmp(s->name, "semantic", 8) == 0;
}

static void measure(const agentchat_env *env, unsigned char *stack, const shape *s, unsigned depth,
                    size_t used[OPERATIONS])
{
    work w = {.env = env, .text = make(s, depth, 'a')};
    char *other = make(s, depth, 'b');
    size_t empty = stack_of(stack, run_nothing, NULL);
    agentchat_error err;

    test_ok(agentchat_snapshot_read_memory(env, agentchat_str_from(other), NULL, &w.other, NULL, &err), &err);
    for (w.what = READ; w.what < OPERATIONS; w.what++) {
        size_t total = stack_of(stack, run, &w);

        test_ok(w.status, &w.err);
        used[w.what] = total > empty ? total - empty : 0;
        agentchat_bytes_clear(&w.out);
    }
    agentchat_snapshot_unref(w.other);
    agentchat_bytes_clear(&w.encoded);
    agentchat_bytes_clear(&w.foreign);
    free(other);
    free(w.text);
}

static agentchat_env *env_of(uint32_t max_depth)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_env *env;

    limits.max_depth = max_depth;
    options.limits = &limits;
    env = test_env(&options);
    return env;
}

static void test_stack__use_is_what_the_page_of_limits_says(void **state)
{
    unsigned char *stack = MEASURES ? aligned_alloc(4096, STACK) : NULL;
    agentchat_env *env = MEASURES ? env_of(HIGHEST_DEPTH) : NULL;
    size_t faults = 0, most = 0, most_a_level = 0;

    (void)state;
    if (!MEASURES)
        skip();
    assert_non_null(stack);
    for (size_t i = 0; i < SHAPES; i++) {
        size_t low[OPERATIONS], high[OPERATIONS];

        measure(env, stack, &shapes[i], DEFAULT_DEPTH, low);
        measure(env, stack, &shapes[i], HIGHER_DEPTH, high);
        for (operation what = READ; what < OPERATIONS; what++) {
            size_t level = high[what] > low[what] ? (high[what] - low[what]) / (HIGHER_DEPTH - DEFAULT_DEPTH) : 0;
            bool bad = !is_deeper(&shapes[i], what) && (low[what] > (size_t)DEFAULT_KIB << 10 || level > LEVEL_BYTES);

            if (!is_deeper(&shapes[i], what)) {
                most = low[what] > most ? low[what] : most;
                most_a_level = level > most_a_level ? level : most_a_level;
            }
            faults += bad;
            printf("%s%s, %s: %zu bytes at %d levels, %zu for each more\n", bad ? "FAULT " : "", shapes[i].name,
                   names[what], low[what], DEFAULT_DEPTH, level);
        }
    }
    printf("at most %zu bytes at %d levels, %zu for each more\n", most, DEFAULT_DEPTH, most_a_level);
    agentchat_env_free(env);
    free(stack);
    assert_int_equal(faults, 0);
}

/* ---- live chats inside one another ----------------------------------------------------------------------------- */

typedef struct chain {
    const agentchat_env *env;
    unsigned left; /* chats that are still to be made */
    agentchat_chat *outermost;
    agentchat_snapshot *snapshot;
    agentchat_list_edit *edit;
    agentchat_status status;
    agentchat_error err;
} chain;

static agentchat_status make_chat(void *user, agentchat_chat **out, agentchat_error *err)
{
    chain *c = user;
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

    options.name = AGENTCHAT_STR("n");
    options.make = make_chat;
    options.user = c;
    *out = test_chat_new(c->env);
    if (c->left == 0)
        return AGENTCHAT_OK;
    c->left--;
    return test_add_agent(*out, test_aggregator_new(c->env, &options), err);
}

static void *capture(void *user)
{
    chain *c = user;
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;

    options.all_channels = true;
    c->status = agentchat_chat_capture(c->outermost, &options, &c->snapshot, NULL, &c->err);
    return NULL;
}

static void *restore(void *user)
{
    chain *c = user;

    c->status = agentchat_chat_restore(c->outermost, c->snapshot, NULL, NULL, &c->err);
    return NULL;
}

/* Both edits put a message into every one of the chats, which have none. */
static void *edit_snapshot(void *user)
{
    chain *c = user;
    agentchat_snapshot *edited = NULL;

    c->status = agentchat_snapshot_edit(c->env, c->snapshot, c->edit, &edited, NULL, &c->err);
    agentchat_snapshot_unref(edited);
    return NULL;
}

static void *edit_chat(void *user)
{
    chain *c = user;

    c->status = agentchat_chat_edit(c->outermost, c->edit, NULL, &c->err);
    return NULL;
}

static void *release(void *user)
{
    agentchat_chat_free(((chain *)user)->outermost);
    return NULL;
}

enum { CHAIN_STEPS = 6 };
static const char *const chain_names[CHAIN_STEPS] = {"capture", "edit the snapshot", "restore", "capture again", "edit",
                                                     "release"};

/* What the steps take for so many levels of a document, of which a chat has three. */
static void measure_chain(const agentchat_env *env, unsigned char *stack, unsigned depth, size_t used[CHAIN_STEPS])
{
    static void *(*const steps[CHAIN_STEPS])(void *user) = {capture, edit_snapshot, restore,
                                                            capture, edit_chat,     release};
    chain c = {.env = env, .left = depth / 3};
    size_t empty = stack_of(stack, run_nothing, NULL);
    agentchat_message *message = NULL;

    test_ok(agentchat_message_new_text(env, "system", (agentchat_str){NULL, 0}, AGENTCHAT_STR("s"), &message, &c.err),
            &c.err);
    test_ok(agentchat_list_edit_new(env, 0, &c.edit, &c.err), &c.err);
    test_ok(agentchat_list_edit_insert(c.edit, 0, message, &c.err), &c.err);
    agentchat_message_unref(message);
    test_ok(make_chat(&c, &c.outermost, &c.err), &c.err);
    for (size_t i = 0; i < CHAIN_STEPS; i++) {
        if (steps[i] == restore) {
            agentchat_chat_free(c.outermost);
            c.left = depth / 3;
            test_ok(make_chat(&c, &c.outermost, &c.err), &c.err);
        }
        used[i] = stack_of(stack, steps[i], &c) - empty;
        test_ok(c.status, &c.err);
        if (steps[i] == restore || i > 2) {
            agentchat_snapshot_unref(c.snapshot);
            c.snapshot = NULL;
        }
    }
    agentchat_list_edit_free(c.edit);
}

static void test_stack__chats_inside_chats_take_no_more(void **state)
{
    unsigned char *stack = MEASURES ? aligned_alloc(4096, STACK) : NULL;
    agentchat_env *env = MEASURES ? env_of(HIGHEST_DEPTH) : NULL;
    size_t low[CHAIN_STEPS], high[CHAIN_STEPS], faults = 0;

    (void)state;
    if (!MEASURES)
        skip();
    assert_non_null(stack);
    measure_chain(env, stack, DEFAULT_DEPTH, low);
    measure_chain(env, stack, HIGHER_DEPTH, high);
    for (size_t i = 0; i < CHAIN_STEPS; i++) {
        size_t level = (high[i] - low[i]) / (HIGHER_DEPTH - DEFAULT_DEPTH);

        faults += low[i] > (size_t)DEFAULT_KIB << 10 || level > LEVEL_BYTES;
        printf("live chats, %s: %zu bytes at %d levels, %zu for each more\n", chain_names[i], low[i], DEFAULT_DEPTH,
               level);
    }
    agentchat_env_free(env);
    free(stack);
    assert_int_equal(faults, 0);
}

/* ---- the page -------------------------------------------------------------------------------------------------- */

static void test_stack__the_page_of_limits_states_these_figures(void **state)
{
    char *path = test_path(test_data_dir(), "../docs/limits.md"), *text;
    char expected[3][64];
    size_t len;

    (void)state;
    text = test_file_read(path, &len);
    assert_non_null(text);
    (void)snprintf(expected[0], sizeof expected[0], "takes at most %d KiB of stack", DEFAULT_KIB);
    (void)snprintf(expected[1], sizeof expected[1], "takes at most %d bytes", LEVEL_BYTES);
    (void)snprintf(expected[2], sizeof expected[2], "%d MiB",
                   ((HIGHEST_DEPTH - DEFAULT_DEPTH) * LEVEL_BYTES + (DEFAULT_KIB << 10) + (1 << 20) - 1) >> 20);
    for (size_t i = 0; i < 3; i++)
        if (strstr(text, expected[i]) == NULL)
            fail_msg("docs/limits.md does not say \"%s\"", expected[i]);
    free(text);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stack__the_page_of_limits_states_these_figures),
        cmocka_unit_test(test_stack__chats_inside_chats_take_no_more),
        cmocka_unit_test(test_stack__use_is_what_the_page_of_limits_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
