/* SPDX-License-Identifier: Apache-2.0 */
/* Showing sessions, pending writes and reports. */
#include "cli/json/json.h"

#include "cli/show/show.h"
#include "cli/text/text.h"
#include <stdlib.h>
#include <string.h>

/* ==== session ==================================================================================================== */
/*
 * A session as a person reads it: its name and sequence number, its state as a column of keys and one of values, and
 * its events, each with what it did besides speaking. An event is known by its id, so the id stands at the right of
 * its first line.
 */

enum {
    SESSION_INDENT = 2,
    WIDEST_KEY = 32, /* a longer one pushes its own value to the right */
};

/* ---- the head --------------------------------------------------------------------------------------------------- */

static void put_head(const show *s, const agentchat_session *session)
{
    char buffer[CLI_TIME_LEN];

    (void)fputs(s->style.bold, s->out);
    (void)cli_put(s->out, agentchat_str_from(agentchat_session_get_id(session)->id));
    (void)fprintf(s->out, "%s · user ", s->style.off);
    (void)cli_put(s->out, agentchat_str_from(agentchat_session_get_id(session)->user));
    (void)fputs(" · application ", s->out);
    (void)cli_put(s->out, agentchat_str_from(agentchat_session_get_id(session)->app));
    (void)fprintf(s->out, " · sequence %llu · written to ", (unsigned long long)agentchat_session_sequence(session));
    show_time(s, agentchat_str_from(cli_time_text(agentchat_session_updated_us(session), buffer)));
    (void)fputc('\n', s->out);
}

/* ---- state ------------------------------------------------------------------------------------------------------ */

/* JSON text on one line, in a spelling for people. */
static void put_json_line(show *s, agentchat_str value, unsigned indent)
{
    cli_memory memory;

    if (cli_memory_begin(&memory))
        cli_json_one_line(memory.out, value);
    show_line(s, &memory, (agentchat_str){NULL, 0}, indent);
}

static void put_state(show *s, const agentchat_state *state)
{
    size_t widest = 0;
    agentchat_str value;
    const char *key;

    if (agentchat_state_count(state) == 0)
        return;
    for (size_t at = 0; agentchat_state_next(state, &at, &key, NULL);) {
        size_t width = cli_put_width(agentchat_str_from(key));

        if (width > widest && width <= WIDEST_KEY)
            widest = width;
    }
    (void)fprintf(s->out, "%sstate%s\n", s->style.dim, s->style.off);
    for (size_t at = 0; agentchat_state_next(state, &at, &key, &value);) {
        cli_put_spaces(s->out, SESSION_INDENT);
        size_t width = cli_put(s->out, agentchat_str_from(key));
        put_json_line(s, value, (unsigned)(width < widest ? widest - width : 0) + 2);
    }
}

/* ---- what an event did ------------------------------------------------------------------------------------------ */

static void put_change(show *s, const agentchat_change *change, unsigned indent)
{
    cli_memory memory;

    if (cli_memory_begin(&memory)) {
        (void)fputs("state ", memory.out);
        (void)fputs(change->key, memory.out);
        if (change->kind == AGENTCHAT_CHANGE_DELETE) {
            (void)fputs(" deleted", memory.out);
        } else {
            if (change->kind == AGENTCHAT_CHANGE_ADD)
                (void)fprintf(memory.out, " + %lld", (long long)change->amount);
            if (change->value.ptr != NULL) { /* a file does not say what the sum was */
                (void)fputs(" = ", memory.out);
                cli_json_one_line(memory.out, change->value);
            }
        }
    }
    show_line(s, &memory, (agentchat_str){NULL, 0}, indent);
}

/* `NAME VALUE`, of JSON text or of text; with full, empty objects and arrays too. */
static void put_action(show *s, const char *name, agentchat_str value, bool is_json, unsigned indent)
{
    cli_memory memory;

    if (value.ptr == NULL || (is_json && !s->full && cli_json_is_empty(value)))
        return;
    if (cli_memory_begin(&memory)) {
        (void)fprintf(memory.out, "%s ", name);
        if (is_json)
            cli_json_one_line(memory.out, value);
        else
            (void)fwrite(value.ptr, 1, value.len, memory.out);
    }
    show_line(s, &memory, (agentchat_str){NULL, 0}, indent);
}

static void put_flag(show *s, const char *name, agentchat_str value, unsigned indent)
{
    if (!agentchat_str_equal(value, AGENTCHAT_STR("true")))
        return;
    cli_put_spaces(s->out, indent);
    (void)fprintf(s->out, "%s\n", name);
}

static void put_actions(show *s, const agentchat_event *event, unsigned indent)
{
    for (size_t i = 0; i < agentchat_event_change_count(event); i++)
        put_change(s, agentchat_event_change(event, i), indent);
    put_action(s, "transfer to", agentchat_event_get(event, AGENTCHAT_EVENT_TRANSFER), false, indent);
    put_flag(s, "escalate", agentchat_event_get(event, AGENTCHAT_EVENT_ESCALATE), indent);
    put_flag(s, "skip summarization", agentchat_event_get(event, AGENTCHAT_EVENT_SKIP_SUMMARIZATION), indent);
    put_action(s, "artifacts", agentchat_event_get(event, AGENTCHAT_EVENT_ARTIFACTS), true, indent);
    put_action(s, "compaction", agentchat_event_get(event, AGENTCHAT_EVENT_COMPACTION), true, indent);
    put_action(s, "long running", agentchat_event_get(event, AGENTCHAT_EVENT_LONG_RUNNING), true, indent);
    show_detail(s, "invocation", agentchat_event_get(event, AGENTCHAT_EVENT_INVOCATION), indent);
    for (size_t i = 0; i < agentchat_event_action_extra_count(event); i++)
        show_extra(s, agentchat_event_action_extra(event, i), indent);
    for (size_t i = 0; i < agentchat_event_extra_count(event); i++)
        show_extra(s, agentchat_event_extra(event, i), indent);
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static unsigned digits_of(uint64_t number)
{
    unsigned digits = 1;

    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* Puts the author, the time and the branch on one line, after the sequence number; the escapes of a style would count
   there. */
static void put_header(show *s, const agentchat_event *event, unsigned digits)
{
    agentchat_str author = agentchat_event_get(event, AGENTCHAT_EVENT_AUTHOR);
    agentchat_str branch = agentchat_event_get(event, AGENTCHAT_EVENT_BRANCH);
    cli_memory memory;
    show line = *s;

    if (cli_memory_begin(&memory)) {
        line.out = memory.out;
        (void)fprintf(memory.out, "%*llu  ", (int)digits, (unsigned long long)agentchat_event_sequence(event));
        if (author.len > 0)
            (void)fwrite(author.ptr, 1, author.len, memory.out);
        else
            (void)fputs("(no author)", memory.out);
        (void)fputs(" · ", memory.out);
        show_time(&line, agentchat_event_get(event, AGENTCHAT_EVENT_TIME));
        if (branch.len > 0) {
            (void)fputs(" · ", memory.out);
            (void)fwrite(branch.ptr, 1, branch.len, memory.out);
        }
    }
    (void)fputs(s->style.bold, s->out);
    show_line(s, &memory, agentchat_event_get(event, AGENTCHAT_EVENT_ID), SESSION_INDENT);
    (void)fputs(s->style.off, s->out);
}

static void put_events(show *s, const agentchat_session *session)
{
    size_t count = agentchat_session_event_count(session);
    const agentchat_event *newest = count > 0 ? agentchat_session_event(session, count - 1) : NULL;
    unsigned digits = digits_of(agentchat_event_sequence(newest));

    if (count > 0)
        (void)fprintf(s->out, "%sevents%s\n", s->style.dim, s->style.off);
    for (size_t i = 0; i < count && !ferror(s->out); i++) { /* nobody reads on after an error */
        const agentchat_event *event = agentchat_session_event(session, i);

        put_header(s, event, digits);
        if (agentchat_event_content(event) != NULL)
            show_body(s, agentchat_event_content(event), SESSION_INDENT + digits + 2, true);
        put_actions(s, event, SESSION_INDENT + digits + 2);
    }
}

static uint64_t first_sequence(const agentchat_session *session)
{
    return agentchat_event_sequence(agentchat_session_event(session, 0));
}

/* What the events say, without those that say nothing. NULL: out of memory. */
static agentchat_messages *contents_of(const agentchat_session *session)
{
    size_t events = agentchat_session_event_count(session), count = 0;
    const agentchat_message **list = calloc(events + 1, sizeof *list);
    agentchat_messages *contents = NULL;

    for (size_t i = 0; list != NULL && i < events; i++) {
        const agentchat_message *content = agentchat_event_content(agentchat_session_event(session, i));

        if (content != NULL)
            list[count++] = content;
    }
    if (list != NULL && agentchat_messages_new(NULL, list, count, &contents, NULL) < 0)
        contents = NULL;
    free(list);
    return contents;
}

bool show_session(const cli_pager *pager, const agentchat_session *session, bool full)
{
    bool is_complete = agentchat_session_event_count(session) > 0 && first_sequence(session) == 1;
    agentchat_messages *contents = contents_of(session);
    show s = {.out = pager->out};
    bool ok = contents != NULL && show_begin(&s, pager, full, contents, 0, is_complete);

    if (ok) {
        put_head(&s, session);
        put_state(&s, agentchat_session_state(session));
        put_events(&s, session);
    }
    show_end(&s);
    agentchat_messages_unref(contents);
    return ok && !s.failed;
}

/* ==== pending ==================================================================================================== */

enum { PENDING_INDENT = 2 };

/* `task-1 0  answer = {"x": 1}` */
static void put_write(FILE *out, const agentchat_pending_write *write)
{
    (void)fprintf(out, "%s %lld  %s = ", write->task, (long long)write->index, write->channel);
    if (write->media_type.ptr == NULL) {
        cli_json_one_line(out, write->value);
        return;
    }
    (void)fputc('[', out);
    if (write->media_type.len > 0)
        (void)fwrite(write->media_type.ptr, 1, write->media_type.len, out);
    (void)fprintf(out, ", %zu byte%s]", write->value.len, write->value.len == 1 ? "" : "s");
}

bool show_pending(const cli_pager *pager, const agentchat_pending_list *list, bool full)
{
    show s = {.out = pager->out, .style = pager->style, .columns = pager->columns, .full = full};
    size_t count = agentchat_pending_list_count(list);

    (void)fprintf(s.out, "%s%s%s\n", s.style.dim, count > 0 ? "pending" : "nothing is pending", s.style.off);
    for (size_t i = 0; i < count && !ferror(s.out); i++) { /* nobody reads on after an error */
        const agentchat_pending_write *write = agentchat_pending_list_at(list, i);
        agentchat_str path = agentchat_str_from(write->path);
        cli_memory memory;

        if (cli_memory_begin(&memory))
            put_write(memory.out, write);
        show_line(&s, &memory, path.len > 0 ? path : (agentchat_str){NULL, 0}, PENDING_INDENT);
    }
    return !s.failed;
}

/* ==== report ===================================================================================================== */
/* A conversion can repair the same thing in ten thousand messages, so entries that say the same are one line. */

typedef struct row {
    const agentchat_report_entry *entry;
    size_t order;
    size_t count; /* of a group, in its first row */
} row;

static int rank_of(agentchat_report_kind kind)
{
    return kind == AGENTCHAT_REPORT_LOSS ? 0 : kind == AGENTCHAT_REPORT_REPAIR ? 1 : 2;
}

static int by_sentence(const void *left, const void *right)
{
    const row *a = left, *b = right;
    int rank = rank_of(a->entry->kind) - rank_of(b->entry->kind);

    if (rank != 0)
        return rank;
    size_t shorter = a->entry->text.len < b->entry->text.len ? a->entry->text.len : b->entry->text.len;
    int text = shorter > 0 ? memcmp(a->entry->text.ptr, b->entry->text.ptr, shorter) : 0;
    if (text != 0)
        return text;
    if (a->entry->text.len != b->entry->text.len)
        return a->entry->text.len < b->entry->text.len ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static int by_order(const void *left, const void *right)
{
    const row *a = left, *b = right;
    int rank = rank_of(a->entry->kind) - rank_of(b->entry->kind);

    if (rank != 0)
        return rank;
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool same_sentence(const row *a, const row *b)
{
    return a->entry->kind == b->entry->kind && agentchat_str_equal(a->entry->text, b->entry->text);
}

static size_t collect(row *rows, size_t count, const agentchat_report *report)
{
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        rows[count] = (row){.entry = agentchat_report_at(report, i), .order = count, .count = 1};
        count++;
    }
    return count;
}

static void print_row(FILE *out, unsigned indent, const row *r)
{
    const char *many = r->entry->kind == AGENTCHAT_REPORT_LOSS               ? "losses"
                       : r->entry->kind == AGENTCHAT_REPORT_REPAIR           ? "repairs"
                       : r->entry->kind == AGENTCHAT_REPORT_CHANNEL_UNEDITED ? "channels unedited"
                                                                             : "notes";

    cli_put_spaces(out, indent);
    (void)fprintf(out, "%zu %s: ", r->count, r->count == 1 ? agentchat_report_kind_name(r->entry->kind) : many);
    (void)cli_put_cut(out, r->entry->path, 100);
    if (r->count > 1)
        (void)fprintf(out, " and %zu more", r->count - 1);
    if (r->entry->path.len > 0 || r->count > 1)
        (void)fputs("  ", out);
    (void)cli_put(out, r->entry->text);
    (void)fputc('\n', out);
}

bool cli_report_print(FILE *out, unsigned indent, const agentchat_report *first, const agentchat_report *second)
{
    size_t count = agentchat_report_count(first) + agentchat_report_count(second), groups = 0;

    if (count == 0)
        return true;
    row *rows = calloc(count, sizeof *rows);
    if (rows == NULL)
        return false;
    (void)collect(rows, collect(rows, 0, first), second);
    qsort(rows, count, sizeof *rows, by_sentence);
    for (size_t i = 0; i < count; i++) {
        if (groups > 0 && same_sentence(&rows[groups - 1], &rows[i]))
            rows[groups - 1].count++;
        else
            rows[groups++] = rows[i];
    }
    qsort(rows, groups, sizeof *rows, by_order);
    for (size_t i = 0; i < groups; i++)
        print_row(out, indent, &rows[i]);
    free(rows);
    return true;
}
