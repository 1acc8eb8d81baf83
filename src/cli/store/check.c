/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat store check: looks whether what a store holds is intact. */
#include "cli/command/arguments.h"
#include "cli/io/store.h"
#include "cli/json/writer.h"
#include "cli/store/store.h"
#include "cli/terminal/progress.h"
#include "cli/text/put.h"
#include <string.h>

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
