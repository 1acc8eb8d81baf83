/* SPDX-License-Identifier: Apache-2.0 */
/* Differences of two chats, for a person and as JSON. */
#include "cli/diff/diff.h"

#include "cli/json/json.h"
#include "cli/terminal/terminal.h"
#include "cli/text/text.h"
#include <stdlib.h>
#include <string.h>

/* ==== what a value is follows from its path alone: properties of a message may have any name and content ========= */

/* The last part of a type name: "ChatHistoryChannel" of "Microsoft.SemanticKernel.Agents.ChatHistoryChannel". */
static agentchat_str short_type(agentchat_str type)
{
    /* A generic or assembly-qualified name keeps its dots inside brackets and after the comma. */
    size_t end = 0, start = 0;

    while (end < type.len && type.ptr[end] != '[' && type.ptr[end] != ',' && type.ptr[end] != '`')
        end++;
    for (size_t i = 0; i < end; i++) {
        if (type.ptr[i] == '.')
            start = i + 1;
    }
    if (start >= end)
        return type;
    return (agentchat_str){type.ptr + start, end - start};
}

enum { KEY_COLUMNS = 13, NAME_COLUMNS = 60 };

/* ---- what stands at a path -------------------------------------------------------------------------------------- */

typedef enum node_kind {
    NODE_CHAT,
    NODE_MESSAGES,
    NODE_MESSAGE,
    NODE_ITEMS,
    NODE_ITEM,
    NODE_PARTICIPANTS,
    NODE_PARTICIPANT,
    NODE_CHANNELS,
    NODE_CHANNEL,
    NODE_STATE, /* a list of messages, a chat, or anything else */
    NODE_VALUE, /* anything */
} node_kind;

static bool is_index(agentchat_str step)
{
    return step.len > 0 && step.ptr[0] >= '0' && step.ptr[0] <= '9';
}

static node_kind below(node_kind at, agentchat_str step)
{
    static const struct {
        node_kind at;
        const char *step; /* NULL: an index */
        node_kind below;
    } steps[] = {
        {NODE_CHAT, "history", NODE_MESSAGES},  {NODE_CHAT, "participants", NODE_PARTICIPANTS},
        {NODE_CHAT, "channels", NODE_CHANNELS}, {NODE_MESSAGES, NULL, NODE_MESSAGE},
        {NODE_MESSAGE, "items", NODE_ITEMS},    {NODE_ITEMS, NULL, NODE_ITEM},
        {NODE_ITEM, "message", NODE_MESSAGE},   {NODE_PARTICIPANTS, NULL, NODE_PARTICIPANT},
        {NODE_CHANNELS, NULL, NODE_CHANNEL},    {NODE_CHANNEL, "channelstate", NODE_STATE},
        {NODE_STATE, NULL, NODE_MESSAGE},
    };

    if (at == NODE_STATE && !is_index(step))
        at = NODE_CHAT;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (steps[i].at != at)
            continue;
        if (steps[i].step == NULL ? is_index(step) : agentchat_str_equal(step, agentchat_str_from(steps[i].step)))
            return steps[i].below;
    }
    return NODE_VALUE;
}

static node_kind kind_at(agentchat_str path)
{
    node_kind at = NODE_CHAT;

    for (size_t i = 0; i < path.len;) { /* path.ptr[i] is a slash */
        size_t start = ++i;

        while (i < path.len && path.ptr[i] != '/')
            i++;
        at = below(at, (agentchat_str){path.ptr + start, i - start});
    }
    return at;
}

/* ---- in a few words --------------------------------------------------------------------------------------------- */

static agentchat_str text_of(agentchat_str object, const char *name)
{
    return cli_json_string(agentchat_json_find(object, agentchat_str_from(name)));
}

/* `Vdx37EnWT9BS… (ChatHistoryChannel, 12 messages)` */
static void put_channel(FILE *out, agentchat_str value)
{
    agentchat_str type = text_of(value, "channeltype");

    (void)cli_put_cut(out, text_of(value, "channelkey"), KEY_COLUMNS);
    (void)fputs(" (", out);
    (void)cli_put_cut(out, short_type(type), NAME_COLUMNS);
    if (agentchat_str_equal(text_of(value, "statekind"), AGENTCHAT_STR("messages"))) {
        (void)fputs(type.len > 0 ? ", " : "", out);
        cli_put_count(out, cli_json_length(agentchat_json_find(value, AGENTCHAT_STR("channelstate"))), "message",
                      "messages");
    }
    (void)fputc(')', out);
}

/* `Desk (ChatCompletionAgent, 303dadbb-e07…)` */
static void put_participant(FILE *out, agentchat_str value)
{
    agentchat_str name = text_of(value, "name"), type = text_of(value, "type"), id = text_of(value, "id");

    (void)cli_put_cut(out, name.len > 0 ? name : AGENTCHAT_STR("(no name)"), NAME_COLUMNS);
    (void)fputs(" (", out);
    (void)cli_put_cut(out, short_type(type), NAME_COLUMNS);
    (void)fputs(type.len > 0 && id.len > 0 ? ", " : "", out);
    (void)cli_put_cut(out, id, KEY_COLUMNS);
    (void)fputc(')', out);
}

/* `call Orders.lookup` */
static void put_item_name(FILE *out, agentchat_str item)
{
    agentchat_str plugin = text_of(item, "plugin"), function = text_of(item, "function");

    (void)cli_put_cut(out, text_of(item, "type"), NAME_COLUMNS);
    (void)fputs(plugin.len + function.len > 0 ? " " : "", out);
    (void)cli_put(out, plugin);
    (void)fputs(plugin.len > 0 ? "." : "", out);
    (void)cli_put(out, function);
}

/* `assistant Desk, 3 items: "It was shipped"` */
static void put_message(FILE *out, agentchat_str value)
{
    agentchat_str role = text_of(value, "role"), name = text_of(value, "name");
    agentchat_str items = agentchat_json_find(value, AGENTCHAT_STR("items"));
    size_t count = cli_json_length(items);
    agentchat_json_walk walk;

    (void)agentchat_json_walk_into(&walk, items);
    (void)agentchat_json_walk_next(&walk);
    agentchat_str first = walk.value, text = agentchat_json_find(first, AGENTCHAT_STR("text"));
    (void)cli_put(out, role.len > 0 ? role : AGENTCHAT_STR("(no role)"));
    (void)fputs(name.len > 0 ? " " : "", out);
    (void)cli_put(out, name);
    if (count != 1 || text.ptr == NULL) {
        (void)fputs(", ", out);
        cli_put_count(out, count, "item", "items");
    }
    (void)fputs(text.ptr != NULL || text_of(first, "type").ptr != NULL ? ": " : "", out);
    if (text.ptr != NULL)
        cli_json_one_line(out, text);
    else
        put_item_name(out, first);
}

/* `text: "It was shipped"`, `call Orders.lookup: {"id":1234}` */
static void put_item(FILE *out, agentchat_str value)
{
    static const char *const contents[] = {"text", "arguments", "result", "uri", "label", "file", "mimetype", "raw"};
    agentchat_str nested = agentchat_json_find(value, AGENTCHAT_STR("message")), content = {NULL, 0};

    for (size_t i = 0; i < sizeof contents / sizeof contents[0] && content.ptr == NULL; i++)
        content = agentchat_json_find(value, agentchat_str_from(contents[i]));
    put_item_name(out, value);
    (void)fputs(nested.len + content.len > 0 ? ": " : "", out);
    if (nested.len > 0)
        put_message(out, nested);
    else
        cli_json_one_line(out, content);
}

/* Writes the value that stands at the path of a difference: summarized if it is one of these, else its JSON text. */
static void diff_summary_put(FILE *out, agentchat_str path, agentchat_str value)
{
    if (value.len == 0 || value.ptr[0] != '{') {
        cli_json_one_line(out, value);
        return;
    }
    switch (kind_at(path)) {
    case NODE_MESSAGE:
        put_message(out, value);
        return;
    case NODE_ITEM:
        put_item(out, value);
        return;
    case NODE_PARTICIPANT:
        put_participant(out, value);
        return;
    case NODE_CHANNEL:
        put_channel(out, value);
        return;
    case NODE_CHAT:
    case NODE_MESSAGES:
    case NODE_ITEMS:
    case NODE_PARTICIPANTS:
    case NODE_CHANNELS:
    case NODE_STATE:
    case NODE_VALUE:
        break;
    }
    cli_json_one_line(out, value);
}

/* ==== lines ====================================================================================================== */
/*
 * `PATH   A → B` on one line, shortened around what has changed; with full, the path, and below it `- A` and `+ B`.
 * On a terminal the words that have changed are coloured.
 */

enum {
    MAX_PATH_COLUMNS = 44,
    MAX_VALUE_COLUMNS = 60,
    MIN_VALUE_COLUMNS = 16,
    GAP = 3, /* between the columns, and what " → " takes */
    LONGEST_WORD = 24,
};

/* A value as it is shown, and which bytes of it have changed. */
typedef struct lines_shown {
    char *text;
    size_t len;
    size_t start, end;
} lines_shown;

/* ---- what has changed ------------------------------------------------------------------------------------------- */

static bool shown_make(lines_shown *s, const diff_lines *l, agentchat_str path, agentchat_str value)
{
    cli_memory memory;
    bool ok = cli_memory_begin(&memory);

    if (ok && l->full)
        cli_json_indented(memory.out, value);
    else if (ok)
        diff_summary_put(memory.out, path, value);
    ok = cli_memory_end(&memory);
    *s = (lines_shown){.text = memory.text, .len = memory.len, .end = memory.len};
    return ok;
}

static bool is_in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '\\';
}

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* The beginning of the word before `at`, unless that is longer than words are; of the character in any case. */
static size_t word_start(const char *text, size_t at)
{
    size_t start;

    while (at > 0 && is_continuation(text[at]))
        at--;
    start = at;
    while (start > 0 && at - start < LONGEST_WORD && is_in_word(text[start - 1]))
        start--;
    return at - start < LONGEST_WORD ? start : at;
}

static size_t word_end(const char *text, size_t len, size_t at)
{
    size_t end;

    while (at < len && is_continuation(text[at]))
        at++;
    end = at;
    while (end < len && end - at < LONGEST_WORD && is_in_word(text[end]))
        end++;
    return end - at < LONGEST_WORD ? end : at;
}

/* What is not the same at both ends, not cutting words. */
static void find_change(lines_shown *a, lines_shown *b)
{
    size_t shorter = a->len < b->len ? a->len : b->len, head = 0, tail = 0;

    while (head < shorter && a->text[head] == b->text[head])
        head++;
    while (tail < shorter - head && a->text[a->len - tail - 1] == b->text[b->len - tail - 1])
        tail++;
    a->start = b->start = word_start(a->text, head);
    a->end = word_end(a->text, a->len, a->len - tail);
    b->end = word_end(b->text, b->len, b->len - tail);
}

/* ---- output ----------------------------------------------------------------------------------------------------- */

static void put_piece(const diff_lines *l, const lines_shown *s, size_t from, size_t to)
{
    if (from < to)
        (void)cli_put(l->out, (agentchat_str){s->text + from, to - from});
}

static size_t within(size_t at, size_t from, size_t to)
{
    return at < from ? from : at > to ? to : at;
}

/* The bytes from `from` to `to`, and the changed ones among them in colour. */
static void put_part(const diff_lines *l, const lines_shown *s, size_t from, size_t to, const char *colour)
{
    size_t start = within(s->start, from, to), end = within(s->end, from, to);

    put_piece(l, s, from, start);
    if (start < end) {
        (void)fputs(colour, l->out);
        put_piece(l, s, start, end);
        (void)fputs(l->style.off, l->out);
    }
    put_piece(l, s, end, to);
}

static size_t one_back(const lines_shown *s, size_t at)
{
    do {
        at--;
    } while (at > 0 && is_continuation(s->text[at]));
    return at;
}

/* Where to begin, so that the change is seen, with a little of what stands before it, or more when there is room. */
static size_t beginning_of(const lines_shown *s, size_t columns)
{
    size_t at = s->start;

    if (cli_put_width((agentchat_str){s->text, s->start}) <= columns / 2)
        return 0;
    for (size_t i = 0; i < columns / 4 && at > 0; i++)
        at = one_back(s, at);
    while (at > 0) {
        size_t before = one_back(s, at);

        if (cli_put_fitting((agentchat_str){s->text + before, s->len - before}, columns - 1) < s->len - before)
            break;
        at = before;
    }
    return at;
}

static void put_short(const diff_lines *l, const lines_shown *s, size_t columns, const char *colour)
{
    size_t from = 0, to = s->len;

    if (cli_put_fitting((agentchat_str){s->text, s->len}, columns) < s->len) {
        from = beginning_of(s, columns);
        columns -= from > 0 ? 1 : 0;
        if (cli_put_fitting((agentchat_str){s->text + from, s->len - from}, columns) < s->len - from)
            to = from + cli_put_fitting((agentchat_str){s->text + from, s->len - from}, columns - 1);
    }
    (void)fputs(from > 0 ? "…" : "", l->out);
    put_part(l, s, from, to, colour);
    (void)fputs(to < s->len ? "…" : "", l->out);
}

static size_t room_for(const diff_lines *l, size_t used, size_t values)
{
    size_t taken = used + (values == 2 ? GAP : 2); /* the arrow, or the sign */

    if (l->columns == 0)
        return MAX_VALUE_COLUMNS;
    return l->columns > taken + values * MIN_VALUE_COLUMNS ? (l->columns - taken) / values : MIN_VALUE_COLUMNS;
}

static void put_on_one_line(const diff_lines *l, size_t used, const lines_shown *left, const lines_shown *right)
{
    size_t gap = (used < l->width ? l->width - used : 0) + GAP;
    const char *colour = left == NULL ? l->style.green : l->style.red;

    cli_put_spaces(l->out, gap);
    if (left != NULL && right != NULL) {
        put_short(l, left, room_for(l, used + gap, 2), l->style.red);
        (void)fputs(" → ", l->out);
        put_short(l, right, room_for(l, used + gap, 2), l->style.green);
    } else {
        (void)fprintf(l->out, "%s%s%s", colour, left == NULL ? "+ " : "- ", l->style.off);
        put_short(l, left == NULL ? right : left, room_for(l, used + gap, 1), colour);
    }
    (void)fputc('\n', l->out);
}

static void put_lines(const diff_lines *l, const lines_shown *s, const char *sign, const char *colour)
{
    for (size_t at = 0; s != NULL && at < s->len;) {
        const char *line_end = memchr(s->text + at, '\n', s->len - at);
        size_t end = line_end != NULL ? (size_t)(line_end - s->text) : s->len;

        (void)fprintf(l->out, "  %s%s%s ", colour, sign, l->style.off);
        put_part(l, s, at, end, colour);
        (void)fputc('\n', l->out);
        at = end + 1;
    }
}

static void put_difference(diff_lines *l, agentchat_str path, agentchat_str left, agentchat_str right)
{
    lines_shown a = {.text = NULL}, b = {.text = NULL};
    bool has_a = left.ptr != NULL, has_b = right.ptr != NULL;
    bool ok = (!has_a || shown_make(&a, l, path, left)) && (!has_b || shown_make(&b, l, path, right));

    if (!ok) {
        l->failed = true;
    } else {
        if (has_a && has_b)
            find_change(&a, &b);
        size_t used = cli_put(l->out, path.len == 0 ? AGENTCHAT_STR("/") : path);
        if (l->full) {
            (void)fputc('\n', l->out);
            put_lines(l, has_a ? &a : NULL, "-", l->style.red);
            put_lines(l, has_b ? &b : NULL, "+", l->style.green);
        } else {
            put_on_one_line(l, used, has_a ? &a : NULL, has_b ? &b : NULL);
        }
    }
    free(a.text);
    free(b.text);
}

/* ---- holding back ----------------------------------------------------------------------------------------------- */

static void flush_held(diff_lines *l)
{
    size_t most = l->columns != 0 && l->columns / 2 < MAX_PATH_COLUMNS ? l->columns / 2 : MAX_PATH_COLUMNS;

    for (size_t i = 0; i < l->count; i++) {
        size_t columns = cli_put_width(l->held[i].path);
        if (columns > l->width && columns <= most)
            l->width = columns;
    }
    for (size_t i = 0; i < l->count; i++) {
        difference *d = &l->held[i];

        put_difference(l, d->path, d->left, d->right);
        free(d->text);
    }
    l->count = 0;
    l->streaming = true;
}

static agentchat_str keep(char **at, agentchat_str text)
{
    agentchat_str kept = {text.ptr == NULL ? NULL : *at, text.len};

    if (text.len > 0)
        memcpy(*at, text.ptr, text.len);
    *at += text.len;
    return kept;
}

/* full: nothing is shortened, and each value stands on lines of its own. */
static void diff_lines_begin(diff_lines *l, const cli_pager *pager, bool full)
{
    l->out = pager->out;
    l->style = pager->style;
    l->columns = pager->columns;
    l->full = full;
    l->failed = l->streaming = false;
    l->width = l->count = 0;
}

/* One difference, as agentchat_diff_fn has it. false: out of memory. */
static bool diff_lines_add(diff_lines *l, agentchat_str path, agentchat_str left, agentchat_str right)
{
    if (!l->streaming && l->count == HOLD_BACK)
        flush_held(l);
    if (l->streaming) {
        put_difference(l, path, left, right);
        return !l->failed;
    }
    char *text = malloc(path.len + left.len + right.len + 1), *at = text;
    if (text == NULL)
        return false;
    agentchat_str kept_path = keep(&at, path), kept_left = keep(&at, left);
    l->held[l->count++] = (difference){text, kept_path, kept_left, keep(&at, right)};
    return true;
}

/* false: something is missing for lack of memory. */
static bool diff_lines_end(diff_lines *l)
{
    flush_held(l);
    return !l->failed;
}

/* ==== compare ==================================================================================================== */

static agentchat_status put_json(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                                 agentchat_error *err)
{
    cli_json *json = user;

    (void)err;
    cli_json_begin(json, NULL, '{');
    cli_json_text(json, "path", path);
    cli_json_raw(json, "left", left);
    cli_json_raw(json, "right", right);
    cli_json_end(json, '}');
    return AGENTCHAT_OK;
}

static agentchat_status put_line(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                                 agentchat_error *err)
{
    if (diff_lines_add(user, path, left, right))
        return AGENTCHAT_OK;
    return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
}

agentchat_status diff_compare_json(diff_side left, diff_side right, bool *equal, agentchat_error *err)
{
    cli_json json = {.out = stdout};
    agentchat_status status;

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "left", left.name);
    cli_json_cstr(&json, "right", right.name);
    cli_json_begin(&json, "differences", '[');
    status = agentchat_snapshot_diff(left.snapshot, right.snapshot, put_json, &json, equal, err);
    cli_json_end(&json, ']');
    if (status >= 0)
        cli_json_bool(&json, "equal", *equal);
    cli_json_end(&json, '}');
    cli_json_line(&json);
    return status;
}

agentchat_status diff_compare_lines(diff_side left, diff_side right, bool full, bool with_pager, bool *equal,
                                    bool *shown, agentchat_error *err)
{
    diff_lines *lines = malloc(sizeof *lines);
    agentchat_status status = AGENTCHAT_OK;
    cli_pager pager;

    if (lines == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    cli_pager_open(&pager, with_pager);
    diff_lines_begin(lines, &pager, full);
    status = agentchat_snapshot_diff(left.snapshot, right.snapshot, put_line, lines, equal, err);
    if (!diff_lines_end(lines) && status >= 0)
        status = agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    *shown = cli_pager_close(&pager);
    free(lines);
    return status;
}
