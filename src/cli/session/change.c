/* SPDX-License-Identifier: Apache-2.0 */
/* Making, filling and removing sessions. */
#include "cli/command/command.h"

#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/session/session.h"
#include "cli/text/text.h"
#include <string.h>

/* ==== append ===================================================================================================== */
/*
 * agentchat session append: events of a file or a stream into a session, one a line, each committed before the next
 * is looked at.
 *
 * The handle knows which id an event without one has been given, because it keeps what it appends; so it is replaced
 * now and then, and the memory does not grow with the stream.
 */

enum { MOST_EVENTS = 1024, MOST_BYTES = 16 * 1024 * 1024 }; /* of one handle */

typedef struct appending {
    cli_store store;
    const char *file;
    bool as_json;
    bool expects;
    uint64_t expected; /* with expects: the session's sequence */
    agentchat_session *session;
    size_t events, bytes; /* of this handle */
    uint64_t committed, last;
} appending;

/* ---- saying ---------------------------------------------------------------------------------------------------- */

/* `FILE:LINE:COLUMN: POINTER: message`, and what has been done nevertheless. */
static void say_failure(const appending *a, uint64_t line, agentchat_status status, const agentchat_error *err)
{
    agentchat_error at = *err;

    if (line == 0) { /* not the fault of a line */
        cli_error_print(stderr, a->file, status, err);
    } else if (at.line == 0) { /* not a location in the text, but the event as a whole */
        (void)cli_put(stderr, agentchat_str_from(a->file));
        (void)fprintf(stderr, ":%llu: ", (unsigned long long)line);
        cli_error_print(stderr, NULL, status, err);
    } else {
        at.line = line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
        cli_error_print(stderr, a->file, status, &at);
    }
}

/* where: "", or " before it", where something has been said of a line. */
static void say_committed(const appending *a, const char *where)
{
    if (a->committed == 0)
        return;
    (void)fprintf(stderr, "agentchat %s: ", a->store.self->name);
    cli_put_count(stderr, (size_t)a->committed, "event", "events");
    (void)fprintf(stderr, "%s %s committed, the last one as %llu\n", where, a->committed == 1 ? "is" : "are",
                  (unsigned long long)a->last);
}

/* What a format cannot hold is lost when the line is read; it is said once for each line. */
static void say_losses(const appending *a, uint64_t line, const agentchat_report *report)
{
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);

        if (entry->kind != AGENTCHAT_REPORT_LOSS)
            continue;
        (void)cli_put(stderr, agentchat_str_from(a->file));
        (void)fprintf(stderr, ":%llu: loss: ", (unsigned long long)line);
        (void)cli_put_cut(stderr, entry->path, 100);
        (void)fputs("  ", stderr);
        (void)cli_put(stderr, entry->text);
        (void)fputc('\n', stderr);
    }
}

/* false: standard output takes no more. */
static bool print(const appending *a, uint64_t sequence, agentchat_str id)
{
    cli_json json = {.out = stdout};

    if (a->as_json) {
        cli_json_begin(&json, NULL, '{');
        cli_json_count(&json, "sequence", sequence);
        cli_json_text(&json, "id", id);
        cli_json_end(&json, '}');
    } else {
        (void)fprintf(stdout, "%llu ", (unsigned long long)sequence);
        (void)cli_put(stdout, id);
    }
    (void)fputc('\n', stdout);
    return fflush(stdout) == 0;
}

/* ---- appending -------------------------------------------------------------------------------------------------- */

static const agentchat_session_get_options last_event = {.struct_size = sizeof(agentchat_session_get_options),
                                                         .last = 1};

/* Replaces a handle that has become large. */
static agentchat_status renew(appending *a, agentchat_error *err)
{
    agentchat_session *fresh = NULL;

    if (a->events < MOST_EVENTS && a->bytes < MOST_BYTES)
        return AGENTCHAT_OK;
    agentchat_status status = agentchat_session_get(a->store.store, &a->store.who, &last_event, &fresh, err);
    if (status < 0)
        return status;
    agentchat_session_free(a->session);
    a->session = fresh;
    a->events = a->bytes = 0;
    return AGENTCHAT_OK;
}

/* The id of the event with that sequence number: the event's own, or the one that it was given. */
static agentchat_str id_of(const appending *a, const agentchat_event *event, uint64_t sequence)
{
    agentchat_str id = agentchat_event_get(event, AGENTCHAT_EVENT_ID);

    for (size_t i = agentchat_session_event_count(a->session); id.ptr == NULL && i-- > 0;) {
        const agentchat_event *stored = agentchat_session_event(a->session, i);

        if (agentchat_event_sequence(stored) == sequence)
            id = agentchat_event_get(stored, AGENTCHAT_EVENT_ID);
    }
    return id;
}

static agentchat_status append(appending *a, const agentchat_event *event, bool *printed, agentchat_error *err)
{
    agentchat_append_options options = AGENTCHAT_APPEND_OPTIONS_INIT;
    uint64_t sequence = 0;

    options.has_expect_sequence = a->expects;
    options.expect_sequence = a->expected;
    agentchat_status status = agentchat_session_append(a->session, event, &options, &sequence, err);
    if (status < 0 || status == AGENTCHAT_DONE) /* a piece of a stream is not stored */
        return status;
    a->events++;
    a->committed++;
    a->last = sequence;
    if (sequence > a->expected)
        a->expected = sequence;
    *printed = print(a, sequence, id_of(a, event, sequence));
    return AGENTCHAT_OK;
}

static agentchat_status take_line(appending *a, agentchat_str line, uint64_t number, bool *printed,
                                  agentchat_error *err)
{
    agentchat_report *report = NULL;
    agentchat_event *event = NULL;
    agentchat_status status = renew(a, err);

    if (status >= 0)
        status = agentchat_event_read(NULL, line, NULL, &event, &report, err);
    if (status >= 0)
        status = append(a, event, printed, err);
    if (status >= 0)
        say_losses(a, number, report);
    a->bytes += line.len;
    agentchat_event_unref(event);
    agentchat_report_free(report);
    return status;
}

/* The events of a line: one, or an array of them, as the answers of the ADKs' servers are. */
static agentchat_status take_events(appending *a, agentchat_str line, uint64_t number, bool *printed,
                                    agentchat_error *err)
{
    agentchat_json_walk walk;
    agentchat_str array;
    agentchat_status status = AGENTCHAT_OK;

    if (line.ptr[strspn(line.ptr, " \t")] != '[' || agentchat_json_check(NULL, line, &array, NULL) < 0)
        return take_line(a, line, number, printed, err);
    (void)agentchat_json_walk_into(&walk, array);
    while (status >= 0 && *printed && agentchat_json_walk_next(&walk))
        status = take_line(a, walk.value, number, printed, err);
    if (status < 0 && err->line == 1)
        err->column += (uint32_t)(walk.value.ptr - line.ptr);
    return status;
}

static bool is_empty(agentchat_str line)
{
    for (size_t i = 0; i < line.len; i++) {
        if (line.ptr[i] != ' ' && line.ptr[i] != '\t' && line.ptr[i] != '\r')
            return false;
    }
    return true;
}

static int exit_of(agentchat_status status)
{
    return status == AGENTCHAT_E_CONFLICT ? CLI_NO : CLI_ERROR;
}

/* DONE at the end, OK when standard output takes no more. */
static agentchat_status take_lines(appending *a, cli_line_reader *lines, bool *is_line, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    agentchat_str line;
    bool printed = true;

    *is_line = false;
    while (printed && status >= 0 && (status = cli_line_reader_next(lines, &line, err)) == AGENTCHAT_OK) {
        if (is_empty(line))
            continue;
        status = take_events(a, line, lines->number, &printed, err);
        *is_line = status < 0;
    }
    return printed ? status : AGENTCHAT_OK;
}

/* What was expected holds for no events, too. */
static agentchat_status check_expected(const appending *a, agentchat_error *err)
{
    uint64_t found = agentchat_session_sequence(a->session);

    if (a->committed > 0 || !a->expects || a->expected == found)
        return AGENTCHAT_DONE;
    return agentchat_error_set(err, AGENTCHAT_E_CONFLICT, "the session's sequence is %llu, not %llu as expected",
                               (unsigned long long)found, (unsigned long long)a->expected);
}

static int append_all(appending *a, cli_line_reader *lines)
{
    agentchat_error err;
    bool is_line;
    agentchat_status status = take_lines(a, lines, &is_line, &err);

    if (status == AGENTCHAT_DONE)
        status = check_expected(a, &err);
    if (status == AGENTCHAT_DONE)
        return CLI_SUCCESS;
    if (status == AGENTCHAT_OK) {
        say_committed(a, ""); /* and main() says why */
        return CLI_ERROR;
    }
    if (err.source[0] != '\0') {
        a->store.err = err;
        (void)cli_store_fail(&a->store, status);
    } else {
        say_failure(a, is_line || status == AGENTCHAT_E_LIMIT ? lines->number : 0, status, &err);
    }
    say_committed(a, " before it");
    return exit_of(status);
}

static int append_file(appending *a)
{
    agentchat_error err;
    cli_line_reader lines;
    agentchat_status opened = cli_line_reader_open(&lines, a->file, &err);

    if (opened < 0) {
        cli_error_print(stderr, a->file, opened, &err);
        return CLI_ERROR;
    }
    a->session = cli_store_open_session(&a->store, CLI_CHANGE, &last_event);
    int status = a->session != NULL ? append_all(a, &lines) : CLI_ERROR;
    agentchat_session_free(a->session);
    cli_store_close(&a->store);
    cli_line_reader_close(&lines);
    return status;
}

static int append_run(int argc, char **argv)
{
    const char *expect = NULL;
    appending a = {.store = {.self = &cli_session_append}};
    const cli_switch switches[] = {{"expect", NULL, &expect}, {"json", &a.as_json, NULL}};
    int status = cli_arguments(a.store.self, argc, argv, "STORE APP USER ID [FILE]", switches, 2);

    if (status != CLI_GO_ON)
        return status;
    a.expects = expect != NULL;
    if (a.expects && !cli_number_count(expect, &a.expected))
        return cli_command_usage(a.store.self->name, "--expect needs a sequence, not \"%s\"", expect);
    cli_store_take(&a.store, argv);
    a.file = argv[5] != NULL ? argv[5] : "-";
    return append_file(&a);
}

const cli_command cli_session_append = {
    .name = "session append",
    .summary = "append events, one a line, and print the sequence number of each",
    .help = "usage: agentchat session append [--expect SEQ] [--json] STORE APP USER ID [FILE]\n"
            "\n"
            "Reads events from FILE or standard input, one JSON object a line, or an array of them on one line,\n"
            "as the ADKs' servers answer, in native format or that of an ADK (camelCase or snake_case), and\n"
            "appends them with their changes of state. For each it prints its sequence number and its id, as\n"
            "soon as it is committed: SEQ ID. Id, invocation and time are filled in where they are missing. An\n"
            "event that is there already, with the same id and content, is not appended again; its sequence\n"
            "number is printed. Pieces of a stream (partial) are passed over, and so are empty lines. At the\n"
            "first line that is wrong it stops; what it has committed stays.\n"
            "\n"
            "  --expect SEQ  the session must be at this sequence number, and nobody else may append meanwhile\n"
            "  --json        one JSON object per event (schema: agentchat check --schema cli-session-append)\n"
            "\n"
            "exit status: 0 success, 1 something else is there than was expected, 2 error\n",
    .run = append_run,
};

/* ==== name ======================================================================================================= */

/* What a command that made a session says: its id, or its full name as one JSON object. */
static void session_name_print(const char *app, const char *user, const char *id, bool as_json)
{
    cli_json json = {.out = stdout};

    if (!as_json) {
        (void)cli_put(stdout, agentchat_str_from(id));
        (void)fputc('\n', stdout);
        return;
    }
    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "app", app);
    cli_json_cstr(&json, "user", user);
    cli_json_cstr(&json, "id", id);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

/* ==== agentchat session create: a new session, with its first state ============================================== */

/* The first state; NULL stays NULL. false: the text is none, which has been reported. */
static bool read_state(const char *text, agentchat_state **out)
{
    agentchat_error err;
    agentchat_status status = AGENTCHAT_OK;

    *out = NULL;
    if (text != NULL)
        status = agentchat_state_read(NULL, agentchat_str_from(text), out, &err);
    if (status < 0) {
        (void)fprintf(stderr, "agentchat %s: ", cli_session_create.name);
        cli_error_print(stderr, "--state", status, &err);
    }
    return status >= 0;
}

static int create(cli_store *s, const agentchat_state *initial, bool as_json)
{
    agentchat_session *session = NULL;

    if (!cli_store_check_names(s) || !cli_store_open(s, CLI_MAKE))
        return CLI_ERROR;
    agentchat_status made = agentchat_session_create(s->store, &s->who, initial, &session, &s->err);
    int status = made < 0 ? cli_store_fail(s, made) : CLI_SUCCESS;
    if (made >= 0)
        session_name_print(s->who.app, s->who.user, agentchat_session_get_id(session)->id, as_json);
    agentchat_session_free(session);
    cli_store_close(s);
    return status;
}

static int create_run(int argc, char **argv)
{
    const char *text = NULL;
    bool as_json = false;
    cli_store s = {.self = &cli_session_create};
    const cli_switch switches[] = {{"id", NULL, &s.who.id}, {"state", NULL, &text}, {"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER", switches, 3);
    agentchat_state *initial = NULL;

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    s.who.app = argv[2];
    s.who.user = argv[3];
    if (!read_state(text, &initial))
        return CLI_ERROR;
    status = create(&s, initial, as_json);
    agentchat_state_free(initial);
    return status;
}

const cli_command cli_session_create = {
    .name = "session create",
    .summary = "make a session and print its id",
    .help = "usage: agentchat session create [--id ID] [--state JSON] [--json] STORE APP USER\n"
            "\n"
            "Makes a session and prints its id. An SQLite file that is not there is made.\n"
            "\n"
            "  --id ID       its id; without it one is made\n"
            "  --state JSON  its first state, an object: app: and user: keys go to the application and the user,\n"
            "                temp: keys are left out\n"
            "  --json        one JSON object (schema: agentchat check --schema cli-session-create)\n"
            "\n"
            "exit status: 0 success, 1 there is a session of that id, 2 error\n",
    .run = create_run,
};

/* ==== agentchat session copy: a session once more, under another id ============================================== */

static int copy_run(int argc, char **argv)
{
    const char *new_id = NULL;
    bool as_json = false;
    agentchat_bytes made = AGENTCHAT_BYTES_INIT;
    cli_store s = {.self = &cli_session_copy};
    const cli_switch switches[] = {{"id", NULL, &new_id}, {"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER ID", switches, 2);

    if (status != CLI_GO_ON)
        return status;
    cli_store_take(&s, argv);
    if (!cli_store_open(&s, CLI_CHANGE))
        return CLI_ERROR;
    agentchat_status done = agentchat_session_copy(s.store, &s.who, new_id, &made, &s.err);
    if (done < 0)
        status = cli_store_fail_session(&s, done);
    else
        status = CLI_SUCCESS;
    if (done >= 0)
        session_name_print(s.who.app, s.who.user, made.ptr, as_json);
    agentchat_bytes_clear(&made);
    cli_store_close(&s);
    return status;
}

const cli_command cli_session_copy = {
    .name = "session copy",
    .summary = "copy a session to another id, and print that",
    .help = "usage: agentchat session copy [--id NEW] [--json] STORE APP USER ID\n"
            "\n"
            "Copies a session of a user, its events with their sequence numbers and its own state, to another id\n"
            "of the same user, and prints that id.\n"
            "\n"
            "  --id NEW   the id of the copy; without it one is made\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-session-copy)\n"
            "\n"
            "exit status: 0 success, 1 there is a session of the new id, 2 error\n",
    .run = copy_run,
};

/* ==== agentchat session delete, delete-user and rewind: what takes something out of a store ====================== */

/* `2 sessions deleted`, or as the member `name`. */
static void print_removed(bool as_json, const char *name, uint64_t count, const char *one, const char *many)
{
    cli_json json = {.out = stdout};

    if (!as_json) {
        cli_put_count(stdout, (size_t)count, one, many);
        return;
    }
    cli_json_begin(&json, NULL, '{');
    cli_json_count(&json, name, count);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

/* ---- delete ----------------------------------------------------------------------------------------------------- */

static int run_delete(int argc, char **argv)
{
    bool as_json = false;
    cli_store s = {.self = &cli_session_delete};
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER ID", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    cli_store_take(&s, argv);
    if (!cli_store_open(&s, CLI_CHANGE))
        return CLI_ERROR;
    agentchat_status done = agentchat_session_delete(s.store, &s.who, &s.err);
    if (done < 0)
        status = cli_store_fail_session(&s, done);
    else
        status = CLI_SUCCESS;
    if (done >= 0 && as_json)
        print_removed(true, "sessions", 1, "", "");
    cli_store_close(&s);
    return status;
}

const cli_command cli_session_delete = {
    .name = "session delete",
    .summary = "delete a session with its events and its own state",
    .help = "usage: agentchat session delete [--json] STORE APP USER ID\n"
            "\n"
            "Deletes a session with its events and its own state. State of the user and of the application stays.\n"
            "\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-session-delete)\n"
            "\n"
            "exit status: 0 success, 2 there is no such session, or error\n",
    .run = run_delete,
};

/* ---- delete-user ------------------------------------------------------------------------------------------------ */

static int run_delete_user(int argc, char **argv)
{
    bool as_json = false;
    uint64_t sessions = 0;
    cli_store s = {.self = &cli_session_delete_user};
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    s.who.app = argv[2];
    s.who.user = argv[3];
    if (!cli_store_open(&s, CLI_CHANGE))
        return CLI_ERROR;
    agentchat_status done = agentchat_user_delete(s.store, s.who.app, s.who.user, &sessions, &s.err);
    if (done < 0)
        status = cli_store_fail(&s, done);
    else
        status = CLI_SUCCESS;
    if (done >= 0)
        print_removed(as_json, "sessions", sessions, "session deleted\n", "sessions deleted\n");
    cli_store_close(&s);
    return status;
}

const cli_command cli_session_delete_user = {
    .name = "session delete-user",
    .summary = "delete all that an application holds of a user",
    .help = "usage: agentchat session delete-user [--json] STORE APP USER\n"
            "\n"
            "Deletes all that an application holds of a user: sessions, events, their state, and the state of the\n"
            "user. Prints how many sessions that were; none is no error.\n"
            "\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-session-delete-user)\n"
            "\n"
            "exit status: 0 success, 2 error\n",
    .run = run_delete_user,
};

/* ---- rewind ----------------------------------------------------------------------------------------------------- */

static int run_rewind(int argc, char **argv)
{
    bool as_json = false;
    uint64_t removed = 0;
    cli_store s = {.self = &cli_session_rewind};
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER ID EVENT", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    cli_store_take(&s, argv);
    agentchat_session *session = cli_store_open_session(&s, CLI_CHANGE, &cli_store_state_only);
    if (session == NULL)
        return CLI_ERROR;
    agentchat_status done = agentchat_session_rewind(session, argv[5], &removed, &s.err);
    if (done < 0)
        status = cli_store_fail(&s, done);
    else
        status = CLI_SUCCESS;
    if (done >= 0)
        print_removed(as_json, "events", removed, "event removed\n", "events removed\n");
    agentchat_session_free(session);
    cli_store_close(&s);
    return status;
}

const cli_command cli_session_rewind = {
    .name = "session rewind",
    .summary = "remove the events after one, and undo what they changed",
    .help = "usage: agentchat session rewind [--json] STORE APP USER ID EVENT\n"
            "\n"
            "Removes the events after the one of that id, and gives the session's own keys the values that they\n"
            "had then. State of the user and of the application stays. Prints how many events went.\n"
            "\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-session-rewind)\n"
            "\n"
            "exit status: 0 success, 2 there is no such session or event, or error\n",
    .run = run_rewind,
};
