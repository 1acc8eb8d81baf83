/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat session show: a session with its events and its state, for a person or a program. */
#include "cli/command/arguments.h"
#include "cli/io/store.h"
#include "cli/json/writer.h"
#include "cli/session/session.h"
#include "cli/show/session.h"
#include "cli/terminal/pager.h"
#include "cli/text/number.h"
#include "cli/text/time.h"

/* The event in native format, its sequence number in front. */
static agentchat_status put_event(cli_json *json, const agentchat_event *event, agentchat_error *err)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT, line = AGENTCHAT_BYTES_INIT;
    char head[48];
    agentchat_status status = agentchat_event_write(event, NULL, &text, NULL, err);

    (void)snprintf(head, sizeof head, "{\"sequence\":%llu,", (unsigned long long)agentchat_event_sequence(event));
    if (status >= 0)
        status = agentchat_bytes_append(&line, agentchat_str_from(head), err);
    if (status >= 0) /* an event of a store has an id at least, so it is not empty */
        status = agentchat_bytes_append(&line, (agentchat_str){text.ptr + 1, text.len - 1}, err);
    if (status >= 0)
        cli_json_raw(json, NULL, (agentchat_str){line.ptr, line.len});
    agentchat_bytes_clear(&line);
    agentchat_bytes_clear(&text);
    return status;
}

static agentchat_status print_json(const agentchat_session *session, agentchat_error *err)
{
    const agentchat_session_id *who = agentchat_session_get_id(session);
    cli_json json = {.out = stdout};
    agentchat_bytes state = AGENTCHAT_BYTES_INIT;
    agentchat_status status = agentchat_state_write(agentchat_session_state(session), &state, err);
    char buffer[CLI_TIME_LEN];

    if (status < 0)
        return status;
    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "app", who->app);
    cli_json_cstr(&json, "user", who->user);
    cli_json_cstr(&json, "id", who->id);
    cli_json_count(&json, "sequence", agentchat_session_sequence(session));
    cli_json_cstr(&json, "updated", cli_time_text(agentchat_session_updated_us(session), buffer));
    cli_json_begin(&json, "events", '[');
    for (size_t i = 0; status >= 0 && i < agentchat_session_event_count(session); i++)
        status = put_event(&json, agentchat_session_event(session, i), err);
    cli_json_end(&json, ']');
    cli_json_raw(&json, "state", (agentchat_str){state.ptr, state.len});
    cli_json_end(&json, '}');
    cli_json_line(&json);
    agentchat_bytes_clear(&state);
    return status;
}

typedef struct request {
    bool as_json, full, no_pager;
} request;

static int show_on_screen(cli_store *s, const agentchat_session *session, const request *r)
{
    cli_pager pager;
    bool is_complete;

    cli_pager_open(&pager, !r->no_pager);
    is_complete = show_session(&pager, session, r->full);
    if (!cli_pager_close(&pager))
        return CLI_ERROR;
    return is_complete ? CLI_SUCCESS
                       : cli_store_fail(s, agentchat_error_set(&s->err, AGENTCHAT_E_NOMEM, "out of memory"));
}

static int print(cli_store *s, const agentchat_session *session, const request *r)
{
    agentchat_error_clear(&s->err);
    if (!r->as_json)
        return show_on_screen(s, session, r);
    agentchat_status status = print_json(session, &s->err);
    return status < 0 ? cli_store_fail(s, status) : CLI_SUCCESS;
}

static int run(int argc, char **argv)
{
    const char *last = NULL;
    request r = {false, false, false};
    uint64_t count = 0;
    agentchat_session_get_options options = AGENTCHAT_SESSION_GET_OPTIONS_INIT;
    cli_store s = {.self = &cli_session_show};
    const cli_switch switches[] = {
        {"last", NULL, &last}, {"full", &r.full, NULL}, {"no-pager", &r.no_pager, NULL}, {"json", &r.as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER ID", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (last != NULL && (!cli_number_count(last, &count) || count >= SIZE_MAX))
        return cli_command_usage(s.self->name, "--last needs a number of events, not \"%s\"", last);
    options.last = (size_t)count;
    options.no_events = last != NULL && count == 0;
    cli_store_take(&s, argv);
    agentchat_session *session = cli_store_open_session(&s, CLI_READ, &options);
    if (session == NULL)
        return CLI_ERROR;
    status = print(&s, session, &r);
    agentchat_session_free(session);
    cli_store_close(&s);
    return status;
}

const cli_command cli_session_show = {
    .name = "session show",
    .summary = "show a session: its state and its events",
    .help = "usage: agentchat session show [OPTION...] STORE APP USER ID\n"
            "\n"
            "Shows the state of a session, that of its user and of the application merged in, and its events,\n"
            "oldest first: sequence number, author, time, and the event's id at the right; below that what was\n"
            "said, as agentchat show does, and what the event changed: state KEY = VALUE, state KEY + N = SUM,\n"
            "state KEY deleted.\n"
            "\n"
            "  --last N    only the last N events; 0: the state alone\n"
            "  --full      shorten nothing, leave nothing out, results where they are stored\n"
            "  --no-pager  on a terminal, show it there and not in AGENTCHAT_PAGER, PAGER or less\n"
            "  --json      one JSON object (schema: agentchat check --schema cli-session-show)\n"
            "\n"
            "exit status: 0 success, 2 there is no such session, or the store cannot be read\n",
    .run = run,
};
