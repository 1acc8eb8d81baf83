/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat store. */
#include "cli/store/store.h"

#include "cli/command/command.h"
#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/terminal/terminal.h"
#include "cli/text/text.h"
#include <agentchat/thread.h>
#include <inttypes.h>
#include <string.h>

/* ==== agentchat store check: looks whether what a store holds is intact ========================================== */

typedef struct check {
    bool as_json, all;
    cli_json json;
    size_t intact, problems, unknown;
    cli_progress progress;
} check;

/* What a newer version has added to the store is named, and not looked at. */
static bool is_unknown(agentchat_str part)
{
    static const char head[] = "unknown ";

    return part.len >= sizeof head - 1 && memcmp(part.ptr, head, sizeof head - 1) == 0;
}

static void print_part(check *c, agentchat_str part, agentchat_str problem)
{
    if (!c->as_json) {
        (void)cli_put(stdout, part);
        (void)fputs(": ", stdout);
        if (problem.ptr == NULL)
            problem = is_unknown(part) ? AGENTCHAT_STR("of a newer version, not looked at") : AGENTCHAT_STR("intact");
        (void)cli_put(stdout, problem);
        (void)fputc('\n', stdout);
        return;
    }
    cli_json_begin(&c->json, NULL, '{');
    cli_json_text(&c->json, "part", part);
    cli_json_bool(&c->json, "ok", problem.ptr == NULL);
    cli_json_text(&c->json, "problem", problem);
    cli_json_end(&c->json, '}');
}

static agentchat_status take_part(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    check *c = user;
    bool unknown = problem.ptr == NULL && is_unknown(part);

    (void)err;
    if (problem.ptr != NULL)
        c->problems++;
    else if (unknown)
        c->unknown++;
    else
        c->intact++;
    if (problem.ptr != NULL || unknown || c->all) {
        cli_progress_hide(&c->progress);
        print_part(c, part, problem);
    }
    cli_progress_count(&c->progress, c->problems + c->unknown + c->intact, 0, "parts looked at");
    return AGENTCHAT_OK;
}

static void begin_json(check *c, const cli_store *s)
{
    cli_json_begin(&c->json, NULL, '{');
    if (s->store != NULL)
        cli_json_cstr(&c->json, "backend", agentchat_store_backend(s->store));
    cli_json_begin(&c->json, "parts", '[');
}

static void end_json(check *c, agentchat_status status, const agentchat_error *err)
{
    cli_json_end(&c->json, ']');
    cli_json_count(&c->json, "problems", c->problems);
    cli_json_count(&c->json, "intact", c->intact);
    cli_json_bool(&c->json, "ok", status >= 0 && c->problems == 0);
    if (status < 0)
        cli_json_error(&c->json, status, err);
    cli_json_end(&c->json, '}');
    cli_json_line(&c->json);
}

/* Damage is what was asked about, so it is an answer; that the store cannot be looked at is an error. */
static void print_end(const check *c, const cli_store *s, agentchat_status status)
{
    if (status < 0)
        cli_store_print(status == AGENTCHAT_E_CORRUPT ? stdout : stderr, s, status);
    if (s->store == NULL)
        return;
    if (c->problems > 0)
        cli_put_count(stdout, c->problems, "problem, ", "problems, ");
    cli_put_count(stdout, c->intact, "part is intact\n", "parts are intact\n");
}

/* opened: OK, or that the store is too damaged to be opened. */
static int look_through(check *c, cli_store *s, agentchat_status opened)
{
    agentchat_status status = opened;

    if (c->as_json)
        begin_json(c, s);
    cli_progress_begin(&c->progress, 1);
    if (opened >= 0)
        status = agentchat_store_check(s->store, take_part, c, &s->err);
    cli_progress_hide(&c->progress);
    if (c->as_json)
        end_json(c, status, &s->err);
    else
        print_end(c, s, status);
    if (status < 0)
        return status == AGENTCHAT_E_CORRUPT ? CLI_NO : CLI_ERROR;
    return c->problems > 0 ? CLI_NO : CLI_SUCCESS;
}

static int run_check(int argc, char **argv)
{
    check c = {.json = {.out = stdout}};
    const cli_switch switches[] = {{"all", &c.all, NULL}, {"json", &c.as_json, NULL}};
    cli_store s = {.self = &cli_store_check};
    int status = cli_arguments(s.self, argc, argv, "STORE", switches, 2);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    agentchat_status opened = cli_store_try(&s, CLI_READ);
    if (opened < 0 && opened != AGENTCHAT_E_CORRUPT)
        return cli_store_fail(&s, opened);
    status = look_through(&c, &s, opened);
    cli_store_close(&s);
    return status;
}

const cli_command cli_store_check = {
    .name = "store check",
    .summary = "look whether everything that a store holds is intact",
    .help = "usage: agentchat store check [--all] [--json] STORE\n"
            "\n"
            "Looks through everything that STORE holds: the file and its tables, every session with its events,\n"
            "the state of sessions, users and applications. Prints a line for each problem, the part first, and\n"
            "at the end how many parts are intact. Changes nothing.\n"
            "\n"
            "  --all      print a line for each part that is intact too\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-store-check)\n"
            "\n"
            "exit status: 0 all is intact, 1 something is not, 2 it cannot be looked through\n",
    .run = run_check,
};

/* ==== agentchat store index: gives the threads of a store an index of words, or takes it away ==================== */

static agentchat_status switch_index(cli_store *s, bool on)
{
    cli_waiting waiting;
    agentchat_status status;

    cli_waiting_begin(&waiting, "indexing");
    status = agentchat_thread_index(s->store, on, &s->err);
    cli_waiting_end(&waiting);
    return status;
}

static agentchat_status print_state(cli_store *s, bool as_json)
{
    cli_json json = {.out = stdout};
    uint64_t threads = 0, indexed = 0;
    bool on = false;
    agentchat_status status = agentchat_thread_index_state(s->store, &on, &threads, &indexed, &s->err);

    if (status < 0)
        return status;
    if (!as_json) {
        printf("%s, %" PRIu64 " of %" PRIu64 " threads are indexed\n", on ? "on" : "off", indexed, threads);
        return status;
    }
    cli_json_begin(&json, NULL, '{');
    cli_json_bool(&json, "on", on);
    cli_json_count(&json, "threads", threads);
    cli_json_count(&json, "indexed", indexed);
    cli_json_end(&json, '}');
    cli_json_line(&json);
    return status;
}

static int run_index(int argc, char **argv)
{
    cli_store s = {.self = &cli_store_index};
    bool as_json = false;
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE WHAT [on|off]", switches, sizeof switches / sizeof *switches);

    if (status != CLI_GO_ON)
        return status;
    const char *change = argv[3];
    s.name = argv[1];
    if (strcmp(argv[2], "threads") != 0)
        return cli_command_usage(s.self->name, "only threads can be indexed, not \"%s\"", argv[2]);
    if (change != NULL && strcmp(change, "on") != 0 && strcmp(change, "off") != 0)
        return cli_command_usage(s.self->name, "the index is switched on or off, not \"%s\"", change);
    if (!cli_store_open(&s, change != NULL ? CLI_CHANGE : CLI_READ))
        return CLI_ERROR;
    agentchat_status done = change != NULL ? switch_index(&s, strcmp(change, "on") == 0) : AGENTCHAT_OK;
    if (done >= 0 && (change == NULL || as_json))
        done = print_state(&s, as_json);
    status = done < 0 ? cli_store_fail(&s, done) : CLI_SUCCESS;
    cli_store_close(&s);
    return status;
}

const cli_command cli_store_index = {
    .name = "store index",
    .summary = "give threads an index for searching, or take it away",
    .help = "usage: agentchat store index [--json] STORE threads [on|off]\n"
            "\n"
            "Gives the threads of a store an index of words, so that agentchat thread search need not read all of\n"
            "them, or takes it away. What is found is the same. The index is built for the threads that are there,\n"
            "and kept for these and new ones by all who put to them, which costs them time and space. Others may\n"
            "work meanwhile. A command that was ended before it was done does the rest when it is run again.\n"
            "Without on or off it says whether it is on, and how many threads have a complete index.\n"
            "\n"
            "  --json  say so, after switching too: one JSON object (schema: agentchat check --schema\n"
            "          cli-store-index)\n"
            "\n"
            "exit status: 0 success, 2 error\n",
    .run = run_index,
};

/* ==== agentchat store init: makes the tables of a store ========================================================== */

static int run_init(int argc, char **argv)
{
    cli_store s = {.self = &cli_store_init};
    int status = cli_arguments(s.self, argc, argv, "STORE", NULL, 0);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    agentchat_status made = cli_store_make(&s);
    return made < 0 ? cli_store_fail(&s, made) : CLI_SUCCESS;
}

const cli_command cli_store_init = {
    .name = "store init",
    .summary = "make the tables of a store, or bring older ones up to date",
    .help = "usage: agentchat store init STORE\n"
            "\n"
            "Makes the tables of a store, or brings those of an older version up to date; does nothing when they\n"
            "are. A file is also made by the first session that goes into it; the tables on a PostgreSQL server\n"
            "are made by this command only, in the schema agentchat.\n"
            "\n"
            "exit status: 0 success, 2 error\n",
    .run = run_init,
};

/* ==== store ====================================================================================================== */
/* agentchat store: makes a store's tables, looks whether what it holds is intact, and indexes its threads. */

static const cli_command *const commands[] = {&cli_store_init, &cli_store_check, &cli_store_index};

static int run(int argc, char **argv)
{
    static const cli_group group = {"store", CLI_ABOUT_STORE, commands, sizeof commands / sizeof commands[0]};

    return cli_group_run(&group, argc, argv);
}

const cli_command cli_store_group = {
    .name = "store",
    .summary = "make a store of sessions and threads, or look whether it is intact",
    .run = run,
};
