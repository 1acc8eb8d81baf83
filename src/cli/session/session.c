/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat session: the group, and looking at sessions. */
#include "cli/session/session.h"

#include "cli/command/command.h"
#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/show/show.h"
#include "cli/terminal/terminal.h"
#include "cli/text/text.h"

/* ==== agentchat session: makes, fills, shows and removes the sessions of a store ================================= */

static const cli_command *const commands[] = {
    &cli_session_create,      &cli_session_append, &cli_session_show, &cli_session_list,   &cli_session_delete,
    &cli_session_delete_user, &cli_session_rewind, &cli_session_copy, &cli_session_export, &cli_session_import,
};

static int session_run(int argc, char **argv)
{
    static const cli_group group = {"session",
                                    "A session belongs to a user of an application, so three names say which is meant: "
                                    "APP, USER and ID.\n" CLI_ABOUT_STORE,
                                    commands, sizeof commands / sizeof commands[0]};

    return cli_group_run(&group, argc, argv);
}

const cli_command cli_session_group = {
    .name = "session",
    .summary = "make, fill, show, move and remove sessions of a store",
    .run = session_run,
};

/* ==== agentchat session list: the sessions of an application or of one of its users, a page at a time ============ */

static bool print_table(const cli_store *s, const agentchat_session_list *list)
{
    bool of_all = s->who.user == NULL;
    cli_table table = {.columns = of_all ? 5 : 4};
    char buffer[CLI_TIME_LEN];

    if (of_all)
        cli_table_addf(&table, "USER");
    cli_table_addf(&table, "ID");
    cli_table_addf(&table, "SEQUENCE");
    cli_table_addf(&table, "CREATED");
    cli_table_addf(&table, "WRITTEN TO");
    for (size_t i = 0; i < agentchat_session_list_count(list); i++) {
        const agentchat_session_info *info = agentchat_session_list_at(list, i);

        if (of_all)
            cli_table_add(&table, agentchat_str_from(info->user));
        cli_table_add(&table, agentchat_str_from(info->id));
        cli_table_addf(&table, "%llu", (unsigned long long)info->sequence);
        cli_table_addf(&table, "%s", cli_time_text(info->created_us, buffer));
        cli_table_addf(&table, "%s", cli_time_text(info->updated_us, buffer));
    }
    if (!cli_table_print(stdout, &table))
        return false;
    if (agentchat_session_list_cursor(list) != NULL)
        (void)printf("there are more: --cursor %s\n", agentchat_session_list_cursor(list));
    return true;
}

static void list_print_json(const agentchat_session_list *list)
{
    cli_json json = {.out = stdout};
    const char *cursor = agentchat_session_list_cursor(list);
    char buffer[CLI_TIME_LEN];

    cli_json_begin(&json, NULL, '{');
    cli_json_begin(&json, "items", '[');
    for (size_t i = 0; i < agentchat_session_list_count(list); i++) {
        const agentchat_session_info *info = agentchat_session_list_at(list, i);

        cli_json_begin(&json, NULL, '{');
        cli_json_cstr(&json, "user", info->user);
        cli_json_cstr(&json, "id", info->id);
        cli_json_count(&json, "sequence", info->sequence);
        cli_json_cstr(&json, "created", cli_time_text(info->created_us, buffer));
        cli_json_cstr(&json, "updated", cli_time_text(info->updated_us, buffer));
        cli_json_end(&json, '}');
    }
    cli_json_end(&json, ']');
    cli_json_text(&json, "cursor", cursor != NULL ? agentchat_str_from(cursor) : agentchat_str_null());
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static int list_page(cli_store *s, const agentchat_session_list_options *options, bool as_json)
{
    agentchat_session_list *list = NULL;

    if (!cli_store_open(s, CLI_READ))
        return CLI_ERROR;
    agentchat_status status = agentchat_session_list_read(s->store, s->who.app, options, &list, &s->err);
    if (status >= 0 && as_json)
        list_print_json(list);
    else if (status >= 0 && !print_table(s, list))
        status = agentchat_error_set(&s->err, AGENTCHAT_E_NOMEM, "out of memory");
    agentchat_session_list_free(list);
    cli_store_close(s);
    return status < 0 ? cli_store_fail(s, status) : CLI_SUCCESS;
}

static int list_run(int argc, char **argv)
{
    const char *limit = NULL;
    bool as_json = false;
    uint64_t count = 0;
    agentchat_session_list_options options = AGENTCHAT_SESSION_LIST_OPTIONS_INIT;
    cli_store s = {.self = &cli_session_list};
    const cli_switch switches[] = {
        {"limit", NULL, &limit}, {"cursor", NULL, &options.cursor}, {"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP [USER]", switches, 3);

    if (status != CLI_GO_ON)
        return status;
    if (limit != NULL && (!cli_number_count(limit, &count) || count == 0 || count > SIZE_MAX))
        return cli_command_usage(s.self->name, "--limit needs a number of sessions from 1, not \"%s\"", limit);
    s.name = argv[1];
    s.who.app = argv[2];
    s.who.user = options.user = argv[3];
    options.limit = (size_t)count;
    return list_page(&s, &options, as_json);
}

const cli_command cli_session_list = {
    .name = "session list",
    .summary = "list the sessions of an application or of a user",
    .help = "usage: agentchat session list [--limit N] [--cursor C] [--json] STORE APP [USER]\n"
            "\n"
            "Lists the sessions of USER, or of all users of APP, those written to last first: id, sequence\n"
            "number of the last event, when it was made and when it was last written to.\n"
            "\n"
            "  --limit N   at most N of them; without it 100\n"
            "  --cursor C  go on where the page ended that gave this cursor\n"
            "  --json      one JSON object (schema: agentchat check --schema cli-session-list)\n"
            "\n"
            "exit status: 0 success, 2 the store cannot be read, or the cursor is none\n",
    .run = list_run,
};

/* ==== agentchat session show: a session with its events and its state, for a person or a program ================= */

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

static agentchat_status show_print_json(const agentchat_session *session, agentchat_error *err)
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
    agentchat_status status = show_print_json(session, &s->err);
    return status < 0 ? cli_store_fail(s, status) : CLI_SUCCESS;
}

static int show_run(int argc, char **argv)
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
    .run = show_run,
};
