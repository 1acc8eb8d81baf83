/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of trim_messages. */
#include "integers.h"
#include "kinds.h"

#include "support/test_support.h"
#include <math.h>
#include <string.h>

/* ---- counters of the notation ------------------------------------------------------------------------------------ */

static uint64_t points_of(agentchat_str text)
{
    uint64_t points = 0;

    for (size_t i = 0; i < text.len; i++)
        points += ((unsigned char)text.ptr[i] & 0xC0) != 0x80;
    return points;
}

/* Calls a function for each part of the content of messages: for a result's value, too. */
typedef void visit(void *user, const json_t *part);

static uint64_t visit_all(const agentchat_message *const *messages, size_t count, visit *each, void *user)
{
    for (size_t m = 0; m < count; m++) {
        json_t *view = notation_view(messages[m]), *part;
        size_t i;

        json_array_foreach(json_object_get(view, "content"), i, part) each(user, part);
        json_decref(view);
    }
    return count;
}

static agentchat_str text_of(const json_t *part)
{
    return notation_text(json_is_object(part) && notation_word(part, "type") != NULL &&
                                 strcmp(notation_word(part, "type"), "text") == 0
                             ? json_object_get(part, "text")
                             : part);
}

static void add_points(void *user, const json_t *part)
{
    agentchat_str text = text_of(part);

    if (text.ptr != NULL)
        *(uint64_t *)user += points_of(text);
}

static agentchat_status count_chars(void *user, const agentchat_message *const *messages, size_t count,
                                    uint64_t *tokens, agentchat_error *err)
{
    (void)user;
    (void)err;
    *tokens = 0;
    (void)visit_all(messages, count, add_points, tokens);
    return AGENTCHAT_OK;
}

static void add_block(void *user, const json_t *part)
{
    (void)part;
    *(uint64_t *)user += 4;
}

/* Whether there is a content, which may be an empty text, but no empty list. */
static bool has_text(const agentchat_message *message)
{
    const agentchat_item *item = agentchat_message_item(message, 0);

    return item != NULL && agentchat_item_get_kind(item) != AGENTCHAT_ITEM_CALL &&
           (!agentchat_item_has_content(item) || agentchat_item_content_count(item) > 0);
}

static agentchat_status count_blocks(void *user, const agentchat_message *const *messages, size_t count,
                                     uint64_t *tokens, agentchat_error *err)
{
    (void)user;
    (void)err;
    *tokens = 6 * count;
    for (size_t i = 0; i < count; i++) { /* an empty text is one, too */
        uint64_t before = *tokens;

        (void)visit_all(messages + i, 1, add_block, tokens);
        if (*tokens == before && has_text(messages[i]))
            *tokens += 4;
    }
    return AGENTCHAT_OK;
}

/* The length of the whitespace that a text begins with, as Python sees it; 0: it begins with something else. */
static size_t space_at(const char *at, const char *end)
{
    static const char *const spaces[] = {" ",
                                         "\t",
                                         "\n",
                                         "\r",
                                         "\v",
                                         "\f",
                                         "\x1c",
                                         "\x1d",
                                         "\x1e",
                                         "\x1f",
                                         "\xC2\x85",
                                         "\xC2\xA0",
                                         "\xE1\x9A\x80",
                                         "\xE2\x80\xA8",
                                         "\xE2\x80\xA9",
                                         "\xE2\x80\xAF",
                                         "\xE2\x81\x9F",
                                         "\xE3\x80\x80"};

    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        size_t len = strlen(spaces[i]);

        if ((size_t)(end - at) >= len && memcmp(at, spaces[i], len) == 0)
            return len;
    }
    return end - at >= 3 && memcmp(at, "\xE2\x80", 2) == 0 && (unsigned char)at[2] >= 0x80 &&
                   (unsigned char)at[2] <= 0x8A
               ? 3
               : 0;
}

static void add_words(void *user, const json_t *part)
{
    agentchat_str text = text_of(part);
    bool in_word = false;

    if (text.len == 0)
        return;
    for (const char *at = text.ptr, *end = text.ptr + text.len; at < end;) {
        size_t space = space_at(at, end);

        *(uint64_t *)user += space == 0 && !in_word;
        in_word = space == 0;
        at += space > 0 ? space : 1;
    }
}

static agentchat_status count_words(void *user, const agentchat_message *const *messages, size_t count,
                                    uint64_t *tokens, agentchat_error *err)
{
    (void)user;
    (void)err;
    *tokens = 0;
    (void)visit_all(messages, count, add_words, tokens);
    return AGENTCHAT_OK;
}

static agentchat_status count_tens(void *user, const agentchat_message *const *messages, size_t count, uint64_t *tokens,
                                   agentchat_error *err)
{
    (void)user;
    (void)messages;
    (void)err;
    *tokens = 10 * count;
    return AGENTCHAT_OK;
}

static agentchat_status count_sevens(void *user, const agentchat_message *const *messages, size_t count,
                                     uint64_t *tokens, agentchat_error *err)
{
    (void)user;
    (void)messages;
    (void)err;
    *tokens = 7 * count;
    return AGENTCHAT_OK;
}

static agentchat_status count_down(void *user, const agentchat_message *const *messages, size_t count, uint64_t *tokens,
                                   agentchat_error *err)
{
    (void)user;
    (void)messages;
    (void)err;
    *tokens = count < 10 ? 10 - count : 0;
    return AGENTCHAT_OK;
}

/* One and a half of each: what fits a whole number fits the next whole one. */
static agentchat_status count_halves(void *user, const agentchat_message *const *messages, size_t count,
                                     uint64_t *tokens, agentchat_error *err)
{
    (void)user;
    (void)messages;
    (void)err;
    *tokens = (3 * count + 1) / 2;
    return AGENTCHAT_OK;
}

static agentchat_status fail_to_count(void *user, const agentchat_message *const *messages, size_t count,
                                      uint64_t *tokens, agentchat_error *err)
{
    (void)user;
    (void)messages;
    (void)count;
    *tokens = 0;
    return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "counter failed");
}

static agentchat_token_counter_fn counter_of(const char *name)
{
    static const struct {
        const char *name;
        agentchat_token_counter_fn counter;
    } counters[] = {{"len", agentchat_count_messages},
                    {"chars", count_chars},
                    {"blocks", count_blocks},
                    {"words", count_words},
                    {"approximate", agentchat_count_approximately},
                    {"countTokensApproximately", agentchat_count_approximately},
                    {"model", count_tens},
                    {"perMessage", count_sevens},
                    {"shrinking", count_down},
                    {"floats", count_halves},
                    {"raises", fail_to_count}};

    for (size_t i = 0; name != NULL && i < sizeof counters / sizeof *counters; i++)
        if (strcmp(name, counters[i].name) == 0)
            return counters[i].counter;
    return NULL;
}

/* ---- splitters of the notation ----------------------------------------------------------------------------------- */

static size_t length_of_char(unsigned char lead)
{
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

static size_t split_fives(void *user, agentchat_str text)
{
    size_t units = 0, at = 0;

    (void)user;
    while (at < text.len && units < 5) {
        units += (unsigned char)text.ptr[at] >= 0xF0 ? 2 : 1;
        at += length_of_char((unsigned char)text.ptr[at]);
    }
    return at;
}

/* After each of some ASCII characters. */
static size_t split_after(void *user, agentchat_str text)
{
    size_t at = 0;

    while (at < text.len && (text.ptr[at] == '\0' || strchr(user, text.ptr[at]) == NULL))
        at++;
    return at < text.len ? at + 1 : at;
}

/* After the end of each line, as splitlines() sees it. */
static size_t split_lines(void *user, agentchat_str text)
{
    static const char *const ends[] = {"\r\n", "\n",   "\r",       "\v",           "\f",          "\x1c",
                                       "\x1d", "\x1e", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};

    (void)user;
    for (size_t at = 0; at < text.len; at++)
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
            size_t len = strlen(ends[i]);

            if (text.len - at >= len && memcmp(text.ptr + at, ends[i], len) == 0)
                return at + len;
        }
    return text.len;
}

/* What cannot be handed over: it must not be called. */
static size_t split_unknown(void *user, agentchat_str text)
{
    *(bool *)user = true;
    return text.len;
}

/* called: becomes true when a splitter is called that there is none for here. */
static void take_splitter(const char *name, agentchat_trim_options *options, bool *called)
{
    *called = false;
    options->split = name == NULL || strcmp(name, "none") == 0 ? NULL
                     : strcmp(name, "fives") == 0              ? split_fives
                     : strcmp(name, "words") == 0              ? split_after
                     : strcmp(name, "splitTextMethod") == 0    ? split_after
                     : strcmp(name, "lines") == 0              ? split_lines
                                                               : split_unknown;
    options->split_user = options->split == split_unknown              ? (void *)called
                          : name != NULL && strcmp(name, "words") == 0 ? (void *)" \t\r\n"
                                                                       : (void *)".!?";
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static bool take_budget(const json_t *given, uint64_t *budget)
{
    const char *number = notation_word(given, "$number"), *integer = json_string_value(given);
    double value = json_number_value(given);

    if (number != NULL && strcmp(number, "inf") == 0)
        value = INFINITY;
    else if (integer != NULL && strncmp(integer, INTEGERS_MARK, sizeof INTEGERS_MARK - 1) == 0)
        value = integer[sizeof INTEGERS_MARK - 1] == '-' ? -INFINITY : INFINITY;
    else if (!json_is_number(given))
        return false;
    *budget = value < 0 ? 0 : value >= 1e18 ? UINT64_MAX : (uint64_t)value;
    return true;
}

static void join(const kind_texts *texts, char *out, size_t size)
{
    size_t at = 0;

    *out = '\0';
    for (size_t i = 0; texts->list[i] != NULL && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%s", i > 0 ? "," : "", texts->list[i]);
}

static bool take_roles(const json_t *given, char *out, size_t size, const char **roles)
{
    kind_texts texts;
    bool good = kind_take_texts(given, true, &texts);

    join(&texts, out, size);
    *roles = *out != '\0' ? out : NULL;
    return good;
}

static agentchat_trim_strategy strategy_of(const json_t *given)
{
    const char *name = json_string_value(given);

    return given == NULL                                ? AGENTCHAT_TRIM_LAST
           : name != NULL && strcmp(name, "last") == 0  ? AGENTCHAT_TRIM_LAST
           : name != NULL && strcmp(name, "first") == 0 ? AGENTCHAT_TRIM_FIRST
                                                        : (agentchat_trim_strategy)99;
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

static bool is_condition(const json_t *one, const char *text)
{
    const json_t *options = json_object_get(one, "options");

    return kind_names(json_object_get(options, "startOn"), text) || kind_names(json_object_get(options, "endOn"), text);
}

static bool names_a_role(const json_t *one)
{
    return is_condition(one, "user") || is_condition(one, "assistant") || is_condition(one, "chat") ||
           is_condition(one, "generic");
}

static bool names_chunk(const json_t *one)
{
    const json_t *options = json_object_get(one, "options");

    return kind_names_chunk(one, json_object_get(options, "startOn")) ||
           kind_names_chunk(one, json_object_get(options, "endOn"));
}

/* Pieces of the end of a text, which Python counts in their reverse order: words may come together. */
static bool counts_reversed_words(const json_t *one)
{
    const json_t *options = json_object_get(one, "options");
    const char *counter = notation_word(one, "counter"), *splitter = notation_word(one, "textSplitter");

    return counter != NULL && strcmp(counter, "words") == 0 && splitter != NULL &&
           json_is_true(json_object_get(options, "allowPartial")) &&
           strategy_of(json_object_get(options, "strategy")) == AGENTCHAT_TRIM_LAST;
}

/* A splitter after the ends of sentences, which gives an empty piece after the last. */
static bool may_give_empty_piece(const json_t *one)
{
    const char *splitter = notation_word(one, "textSplitter");

    return splitter != NULL && strcmp(splitter, "splitTextMethod") == 0 &&
           json_is_true(json_object_get(json_object_get(one, "options"), "allowPartial"));
}

static const verdict_rule rules[] = {
    {"a splitter gives no empty pieces here, so no message of an empty text stays", may_give_empty_piece, ASPECT_EMPTY,
     NULL, AGENTCHAT_OK},
    {"pieces of the end of a text are counted in their order here, there in reverse", counts_reversed_words,
     ASPECT_CONTENT, NULL, AGENTCHAT_OK},
    {"a type as condition is a role here: \"user\" matches, and \"chat\" is none", names_a_role, ASPECT_LIST, NULL,
     AGENTCHAT_OK},
    {"a chunk has the role of its message here, there a type of its own", names_chunk, ASPECT_CHUNKS, NULL,
     AGENTCHAT_OK},
    {NULL, NULL, 0, NULL, AGENTCHAT_OK},
};

/* Nothing may be the end, so that there the system message goes with all the rest. */
static bool loses_system(const json_t *list, const json_t *end_on)
{
    const char *first = notation_type(json_array_get(list, 0));
    size_t i;
    json_t *message;

    json_array_foreach(list, i, message) if (kind_names(end_on, notation_type(message))) return false;
    return first != NULL && strcmp(first, "system") == 0;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static verdict trim(const json_t *one, const json_t *list, const agentchat_trim_options *options)
{
    notation_form form;
    agentchat_messages *messages = notation_messages(list, &form);
    verdict_answer answer = {.given = messages, .notation = list};
    agentchat_list_edit *edit = NULL;
    agentchat_messages *result = NULL;
    verdict found;
    agentchat_error err;

    if (messages == NULL)
        return kind_passed_over(form);
    answer.status = agentchat_messages_trim(NULL, messages, options, &edit, &err);
    if (answer.status >= 0)
        answer.result = result = verdict_applied(edit, messages);
    found = verdict_of_list(one, &answer, rules);
    agentchat_messages_unref(result);
    agentchat_messages_unref(messages);
    return found;
}

verdict kind_trim(const kind_case *c)
{
    const json_t *given = json_object_get(c->one, "options"), *list = json_object_get(c->one, "messages");
    agentchat_trim_options options = AGENTCHAT_TRIM_OPTIONS_INIT;
    char start[8192], end[8192];
    verdict found;
    bool called;

    if (json_is_string(list))
        list = json_object_get(c->lists, json_string_value(list));
    options.counter = counter_of(notation_word(c->one, "counter"));
    if (options.counter == NULL)
        return verdict_skipped("a counter that is an object of Python's, or is chosen by its annotation");
    take_splitter(notation_word(c->one, "textSplitter"), &options, &called);
    if (!take_budget(json_object_get(given, "maxTokens"), &options.max_tokens) ||
        json_object_get(given, "keepSystem") != NULL ||
        !take_roles(json_object_get(given, "startOn"), start, sizeof start, &options.start_on) ||
        !take_roles(json_object_get(given, "endOn"), end, sizeof end, &options.end_on))
        return verdict_skipped(KIND_OPTION);
    options.strategy = strategy_of(json_object_get(given, "strategy"));
    options.include_system = json_is_true(json_object_get(given, "includeSystem"));
    options.allow_partial = json_is_true(json_object_get(given, "allowPartial"));
    options.split_calls = true;
    found = trim(c->one, list, &options);
    if (found.kind == VERDICT_FAILING && options.counter == agentchat_count_approximately) {
        options.counter = kind_count_as_there;
        if (trim(c->one, list, &options).kind == VERDICT_EQUAL)
            found = (verdict){VERDICT_DIFFERENT, KIND_CALLS};
    }
    if (found.kind == VERDICT_FAILING && options.include_system && options.end_on != NULL &&
        loses_system(list, json_object_get(given, "endOn"))) {
        options.include_system = false;
        if (trim(c->one, list, &options).kind == VERDICT_EQUAL)
            found = (verdict){VERDICT_DIFFERENT, "a system message stays here when nothing else does"};
    }
    return called ? verdict_skipped("a splitter that is an object of Python's, or gives other text than it is given")
                  : found;
}
