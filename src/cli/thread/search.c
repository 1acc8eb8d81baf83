/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat thread search: messages of one thread, or of all, by their words. */
#include "cli/command/command.h"

#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/show/show.h"
#include "cli/terminal/terminal.h"
#include "cli/text/text.h"
#include "cli/thread/thread.h"
#include <stdlib.h>

enum { DEFAULT_LIMIT = 100, BEFORE_MATCH = 30 };

typedef struct job {
    cli_thread thread; /* its id NULL: all of them */
    const char *text;
    agentchat_thread_search_options options;
    size_t limit;
    bool no_pager, as_json;
    /* ---- what was found: the library gives it in parts ---- */
    agentchat_thread_hits **parts;
    size_t part_count, found;
} job;

/* What leads to what comes after all of it; NULL: nothing does. */
static const char *cursor_of(const job *j)
{
    return j->part_count > 0 ? agentchat_thread_hits_cursor(j->parts[j->part_count - 1]) : NULL;
}

/* ---- for a program -------------------------------------------------------------------------------------------- */

static agentchat_status put_message(cli_json *json, const agentchat_message *message, agentchat_error *err)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_status status = agentchat_message_write(message, &text, err);

    if (status >= 0)
        cli_json_raw(json, "message", (agentchat_str){text.ptr, text.len});
    agentchat_bytes_clear(&text);
    return status;
}

static agentchat_status put_hit(cli_json *json, const agentchat_thread_hit *hit, agentchat_error *err)
{
    agentchat_str match = {hit->excerpt.ptr + hit->match_begin, hit->match_end - hit->match_begin};

    cli_json_begin(json, NULL, '{');
    cli_json_cstr(json, "thread", hit->thread);
    cli_json_begin(json, "checkpoint", '{');
    cli_thread_checkpoint_json(json, hit->checkpoint);
    cli_json_end(json, '}');
    cli_json_count(json, "position", hit->position);
    cli_json_text(json, "excerpt", hit->excerpt);
    cli_json_text(json, "match", match);
    agentchat_status status = put_message(json, hit->message, err);
    cli_json_end(json, '}');
    return status;
}

static agentchat_status print_json(job *j)
{
    cli_json json = {.out = stdout};
    const char *cursor = cursor_of(j);
    agentchat_status status = AGENTCHAT_OK;

    cli_json_begin(&json, NULL, '{');
    cli_json_begin(&json, "items", '[');
    for (size_t i = 0; i < j->part_count; i++)
        for (size_t k = 0; k < agentchat_thread_hits_count(j->parts[i]) && status >= 0; k++)
            status = put_hit(&json, agentchat_thread_hits_at(j->parts[i], k), &j->thread.store.err);
    cli_json_end(&json, ']');
    cli_json_text(&json, "cursor", cursor != NULL ? agentchat_str_from(cursor) : agentchat_str_null());
    cli_json_end(&json, '}');
    cli_json_line(&json);
    return status;
}

/* ---- for a person --------------------------------------------------------------------------------------------- */

static void put(FILE *out, agentchat_str text)
{
    if (text.len > 0)
        (void)fwrite(text.ptr, 1, text.len, out);
}

/* The excerpt on one line, from a little before the word that was found. */
static void put_excerpt(FILE *out, const agentchat_thread_hit *hit)
{
    agentchat_str text = hit->excerpt;
    size_t begin = hit->match_begin > BEFORE_MATCH ? hit->match_begin - BEFORE_MATCH : 0;

    while (begin > 0 && begin < hit->match_begin && ((unsigned char)text.ptr[begin] & 0xC0) == 0x80)
        begin++;
    if (begin > 0)
        (void)fputs("…", out);
    for (size_t i = begin; i < text.len; i++)
        (void)fputc(text.ptr[i] == '\n' || text.ptr[i] == '\r' || text.ptr[i] == '\t' ? ' ' : text.ptr[i], out);
}

/* `thread-7  …e91c  #12 user Alice: `: in front of it. */
static void put_where(const job *j, FILE *out, const agentchat_thread_hit *hit)
{
    agentchat_str role = agentchat_message_role(hit->message), name = agentchat_message_name(hit->message);

    if (j->thread.id == NULL)
        (void)fprintf(out, "%s  ", hit->thread);
    if (hit->checkpoint->ns[0] != '\0' && j->thread.ns == NULL)
        (void)fprintf(out, "%s  ", hit->checkpoint->ns);
    cli_thread_names_put(out, hit->checkpoint->id, cli_thread_names_shortest(hit->checkpoint->sequence));
    (void)fprintf(out, "  #%llu ", (unsigned long long)hit->position);
    put(out, has(role) ? role : AGENTCHAT_STR("(no role)"));
    if (has(name)) {
        (void)fputc(' ', out);
        put(out, name);
    }
    (void)fputs(": ", out);
}

static void put_line(const job *j, show *s, const agentchat_thread_hit *hit)
{
    cli_memory where, excerpt;

    if (cli_memory_begin(&where))
        put_where(j, where.out, hit);
    if (!cli_memory_end(&where)) {
        s->failed = true;
        return;
    }
    size_t room = show_room(s, cli_put(s->out, (agentchat_str){where.text, where.len}));
    free(where.text);
    if (cli_memory_begin(&excerpt))
        put_excerpt(excerpt.out, hit);
    if (!cli_memory_end(&excerpt)) {
        s->failed = true;
        return;
    }
    (void)cli_put_cut(s->out, (agentchat_str){excerpt.text, excerpt.len}, room);
    (void)fputc('\n', s->out);
    free(excerpt.text);
}

/* *shown: as of cli_pager_close(). */
static agentchat_status print_lines(job *j, bool *shown)
{
    cli_pager pager;

    cli_pager_open(&pager, !j->no_pager);
    show s = {.out = pager.out, .style = pager.style, .columns = pager.columns};
    for (size_t i = 0; i < j->part_count; i++)
        for (size_t k = 0; k < agentchat_thread_hits_count(j->parts[i]) && !ferror(s.out); k++)
            put_line(j, &s, agentchat_thread_hits_at(j->parts[i], k));
    if (cursor_of(j) != NULL)
        (void)fprintf(s.out, "there may be more: --cursor %s\n", cursor_of(j));
    *shown = cli_pager_close(&pager);
    return s.failed ? agentchat_error_set(&j->thread.store.err, AGENTCHAT_E_NOMEM, "out of memory") : AGENTCHAT_OK;
}

/* ---- searching ------------------------------------------------------------------------------------------------ */

/* That nothing is found may be because there is no such thread, or no such namespace in it. */
static agentchat_status check_thread(job *j)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_options newest = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint_list *list = NULL;
    agentchat_messages *none = NULL;
    cli_store *s = &j->thread.store;

    options.ns = newest.ns = j->thread.ns;
    options.all_namespaces = j->thread.ns == NULL;
    options.limit = 1;
    agentchat_status status = agentchat_checkpoint_list_read(s->store, j->thread.id, &options, &list, &s->err);
    if (status >= 0 && agentchat_checkpoint_list_count(list) == 0)
        status = agentchat_thread_tail(s->store, j->thread.id, 0, &newest, &none, &s->err);
    agentchat_messages_unref(none);
    agentchat_checkpoint_list_free(list);
    return status;
}

static agentchat_status read_part(job *j)
{
    agentchat_thread_hits **parts = realloc(j->parts, (j->part_count + 1) * sizeof *parts);
    cli_store *s = &j->thread.store;

    if (parts == NULL)
        return agentchat_error_set(&s->err, AGENTCHAT_E_NOMEM, "out of memory");
    j->parts = parts;
    if (j->part_count > 0)
        j->options.cursor = cursor_of(j);
    j->options.limit = j->limit - j->found;
    agentchat_status status = agentchat_thread_search(s->store, j->thread.id, agentchat_str_from(j->text), &j->options,
                                                      &parts[j->part_count], &s->err);
    if (status >= 0)
        j->found += agentchat_thread_hits_count(parts[j->part_count++]);
    return status;
}

static int search(job *j)
{
    bool shown = true;

    if (!cli_store_open(&j->thread.store, CLI_READ))
        return CLI_ERROR;
    agentchat_status status = AGENTCHAT_OK;
    do
        status = read_part(j);
    while (status >= 0 && j->found < j->limit && cursor_of(j) != NULL);
    if (status >= 0 && j->found == 0 && j->thread.id != NULL)
        status = check_thread(j);
    if (status >= 0)
        status = j->as_json ? print_json(j) : print_lines(j, &shown);
    int result = status < 0 ? cli_store_fail(&j->thread.store, status) : shown ? CLI_SUCCESS : CLI_ERROR;
    for (size_t i = 0; i < j->part_count; i++)
        agentchat_thread_hits_free(j->parts[i]);
    free(j->parts);
    cli_store_close(&j->thread.store);
    return result;
}

static int run(int argc, char **argv)
{
    job j = {.thread = {.store = {.self = &cli_thread_search}}, .options = AGENTCHAT_THREAD_SEARCH_OPTIONS_INIT};
    const char *limit = NULL;
    uint64_t count = DEFAULT_LIMIT;
    const cli_switch switches[] = {{"limit", NULL, &limit},
                                   {"cursor", NULL, &j.options.cursor},
                                   {"namespace", NULL, &j.thread.ns},
                                   {"no-pager", &j.no_pager, NULL},
                                   {"json", &j.as_json, NULL}};
    int status = cli_arguments(j.thread.store.self, argc, argv, "STORE TEXT [TEXT]", switches,
                               sizeof switches / sizeof *switches);

    if (status != CLI_GO_ON)
        return status;
    if (limit != NULL && (!cli_number_count(limit, &count) || count == 0 || count > SIZE_MAX))
        return cli_command_usage(j.thread.store.self->name, "--limit needs a number of messages from 1, not \"%s\"",
                                 limit);
    j.thread.store.name = argv[1];
    j.thread.id = argv[3] != NULL ? argv[2] : NULL;
    j.text = argv[3] != NULL ? argv[3] : argv[2];
    j.options.ns = j.thread.ns;
    j.limit = (size_t)count;
    return search(&j);
}

const cli_command cli_thread_search = {
    .name = "thread search",
    .summary = "find messages in the threads of a store",
    .help = "usage: agentchat thread search [OPTION...] STORE [THREAD] TEXT\n"
            "\n"
            "Finds the messages that have all words of TEXT, in one thread or in all of them, whatever the case\n"
            "and the accents: in what was said, and in names, arguments and results of calls. Of each, a line:\n"
            "the checkpoint with which it came, its number in the chat, who said it, and what stands around the\n"
            "word. The newest come first, also those that were cut off since.\n"
            "\n"
            "  --limit N       at most N messages; without it 100\n"
            "  --cursor C      go on where the page ended that gave this cursor\n"
            "  --namespace NS  only checkpoints of this namespace; without it those of all\n"
            "  --no-pager      on a terminal, show it there and not in AGENTCHAT_PAGER, PAGER or less\n"
            "  --json          one JSON object (schema: agentchat check --schema cli-thread-search)\n"
            "\n"
            "exit status: 0 success, 2 there is no such thread, or error\n",
    .run = run,
};
