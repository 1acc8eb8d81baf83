/* SPDX-License-Identifier: Apache-2.0 */
/* Documents: converting, checking and digesting them; the formats that there are. */
#include "cli/chat/chat.h"

#include "cli/command/command.h"
#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/show/show.h"
#include "cli/text/text.h"
#include <string.h>

/* ==== agentchat convert: from any format to any, and what that changed or lost =================================== */

typedef struct job {
    const char *in, *out, *to;
    bool strict, fail_on_loss, as_json, lines;
    agentchat_report *read, *written;
} job;

static void convert_print_json(const job *j, agentchat_status status, const agentchat_error *err)
{
    cli_json json = {.out = stderr};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "in", j->in);
    cli_json_cstr(&json, "out", j->out);
    cli_json_cstr(&json, "to", j->to);
    cli_json_bool(&json, "ok", status >= 0);
    if (status < 0)
        cli_json_error(&json, status, err);
    cli_json_report(&json, j->read, j->written);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static agentchat_status write_out(job *j, const agentchat_snapshot *snapshot, agentchat_error *err)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_status status;

    options.format = j->to;
    options.strict = j->strict;
    options.fail_on_loss = j->fail_on_loss;
    options.lines = j->lines;
    status = cli_output_chat(j->out, snapshot, &options, &j->written, err);
    if (status < 0 && status != AGENTCHAT_E_LOSS) { /* it is of a file that nobody has, and not why */
        agentchat_report_free(j->written);
        j->written = NULL;
    }
    return status;
}

static int convert(job *j)
{
    cli_input file;
    const char *failed = j->in;
    bool ok = cli_input_read(&file, j->in);
    agentchat_status status = file.status;
    agentchat_error err = file.err;

    j->read = ok ? file.report : NULL;
    if (ok && j->fail_on_loss && agentchat_report_count_of(j->read, AGENTCHAT_REPORT_LOSS) > 0) {
        status = agentchat_error_set(&err, AGENTCHAT_E_LOSS, "reading loses something, so nothing was written");
    } else if (ok) {
        failed = cli_output_name(j->out);
        status = write_out(j, file.snapshot, &err);
    }
    if (j->as_json) {
        convert_print_json(j, status, &err);
    } else {
        if (!cli_report_print(stderr, 0, j->read, j->written))
            status = agentchat_error_set(&err, AGENTCHAT_E_NOMEM, "out of memory");
        if (status < 0)
            cli_error_print(stderr, failed, status, &err);
    }
    agentchat_report_free(j->written);
    cli_input_close(&file);
    return status >= 0 ? CLI_SUCCESS : status == AGENTCHAT_E_LOSS ? CLI_NO : CLI_ERROR;
}

static int convert_run(int argc, char **argv)
{
    job j = {.to = NULL};
    const char *copies = NULL;
    const cli_switch switches[] = {
        {"to", NULL, &j.to},       {"strict", &j.strict, NULL},   {"fail-on-loss", &j.fail_on_loss, NULL},
        {"lines", &j.lines, NULL}, {"max-copies", NULL, &copies}, {"json", &j.as_json, NULL}};
    int status = cli_arguments(&cli_convert, argc, argv, "IN OUT", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (j.to == NULL)
        return cli_command_usage(cli_convert.name, "--to is missing: the format to write");
    if (!cli_format_is_written(&cli_convert, j.to, AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_HISTORY))
        return CLI_ERROR;
    if (j.strict && !agentchat_format_find(j.to)->has_strict)
        return cli_command_usage(cli_convert.name, "--strict is not for --to %s", j.to);
    if (copies != NULL && !cli_input_max_copies(&cli_convert, copies))
        return CLI_ERROR;
    j.in = argv[1];
    j.out = argv[2];
    return convert(&j);
}

const cli_command cli_convert = {
    .name = "convert",
    .summary = "write a chat in another format, and say what that changes",
    .help =
        "usage: agentchat convert --to FORMAT [OPTION...] IN OUT\n"
        "\n"
        "Reads IN and writes OUT in FORMAT, one that `agentchat formats` says chats are written in. OUT is replaced\n"
        "atomically, and only when all went well; - is standard output. Of a session the chat of its events is\n"
        "written (agentchat session import reads session files). What had to be repaired for FORMAT's\n"
        "readers, and what FORMAT cannot hold, is said on standard error:\n"
        "  1 loss: /history/4/items/2  what is lost\n"
        "\n"
        "  --strict        providers: as it stands, nothing repaired;\n"
        "                  semantic-kernel: exactly what .NET writes, nothing added, nothing repaired\n"
        "  --lines         JSON lines: the messages alone, each on a line of its own; IN may be such a file, too\n"
        "  --fail-on-loss  write nothing when something would be lost\n"
        "  --max-copies N  let channels repeat the history up to N times IN's size, not 16\n"
        "  --json          the report as one JSON object on standard error\n"
        "                  (schema: agentchat check --schema cli-convert)\n"
        "\n"
        "exit status: 0 written, 1 not written because of --fail-on-loss, 2 error\n",
    .run = convert_run,
};

/* ==== agentchat check: whether files are valid chats, and what is in them; or a schema =========================== */

static int print_schema(const char *name)
{
    static const char *const formats[][2] = {{"agentchat", "agentchat-1"}, {"session", "session-1"}};

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(name, formats[i][0]) == 0)
            name = formats[i][1];
    }
    for (size_t i = 0; i < cli_schema_count; i++) {
        if (strcmp(cli_schemas[i].name, name) == 0) {
            (void)fwrite(cli_schemas[i].text, 1, cli_schemas[i].len, stdout);
            return CLI_SUCCESS;
        }
    }
    return cli_command_usage(cli_check.name, "there is no schema \"%s\"", name);
}

/* Calls without a result and results without a call. */
typedef struct alone {
    agentchat_calls *all;
    size_t last; /* the last message that is more than results: its calls wait */
    size_t calls, waiting, results;
} alone;

static bool waits(const alone *a, const agentchat_call *call)
{
    return agentchat_item_get_kind(call->item) == AGENTCHAT_ITEM_CALL && call->message == a->last;
}

static bool is_more_than_results(const agentchat_message *message)
{
    for (size_t i = 0; i < agentchat_message_item_count(message); i++)
        if (agentchat_item_get_kind(agentchat_message_item(message, i)) != AGENTCHAT_ITEM_RESULT)
            return true;
    return agentchat_message_item_count(message) == 0;
}

/* false: out of memory. */
static bool find_alone(const cli_document *file, alone *out)
{
    const agentchat_messages *history = agentchat_snapshot_history(agentchat_document_snapshot(file->document));

    *out = (alone){.last = agentchat_messages_count(history)};
    if (agentchat_calls_find(NULL, history, &out->all, NULL) < 0)
        return false;
    while (out->last > 0 && !is_more_than_results(agentchat_messages_at(history, out->last - 1)))
        out->last--;
    out->last--; /* SIZE_MAX: there is none */
    for (size_t i = 0; i < agentchat_calls_count(out->all); i++) {
        const agentchat_call *call = agentchat_calls_at(out->all, i);

        if (call->partner != AGENTCHAT_NO_PARTNER)
            continue;
        if (agentchat_item_get_kind(call->item) == AGENTCHAT_ITEM_RESULT)
            out->results++;
        else if (waits(out, call))
            out->waiting++;
        else
            out->calls++;
    }
    return true;
}

/* Where an item stands in its message. */
static size_t place_of(const agentchat_message *message, const agentchat_item *item)
{
    size_t i = 0;

    while (i < agentchat_message_item_count(message) && agentchat_message_item(message, i) != item)
        i++;
    return i;
}

/* Those that stand alone, one on each line. */
static void print_alone(const cli_document *file, const alone *a)
{
    const agentchat_messages *history = agentchat_snapshot_history(agentchat_document_snapshot(file->document));

    for (size_t i = 0; i < agentchat_calls_count(a->all); i++) {
        const agentchat_call *call = agentchat_calls_at(a->all, i);
        bool is_call = agentchat_item_get_kind(call->item) == AGENTCHAT_ITEM_CALL;
        agentchat_str id = agentchat_item_get(call->item, AGENTCHAT_FIELD_CALL_ID);

        if (call->partner != AGENTCHAT_NO_PARTNER)
            continue;
        (void)printf("  /history/%zu/items/%zu: the %s ", call->message,
                     place_of(agentchat_messages_at(history, call->message), call->item), is_call ? "call" : "result");
        (void)cli_put(stdout, id);
        (void)fputs(waits(a, call) ? " waits for its result\n"
                    : is_call      ? " has no result\n"
                                   : " has no call\n",
                    stdout);
    }
}

static void print_facts(const cli_document *file, const alone *a)
{
    const agentchat_snapshot *snapshot = agentchat_document_snapshot(file->document);

    (void)cli_put(stdout, agentchat_str_from(file->name));
    (void)printf(": %s, ", agentchat_document_format(file->document));
    if (snapshot == NULL) {
        if (agentchat_document_session(file->document) != NULL)
            (void)fputs("a session, ", stdout);
        cli_put_count(stdout, agentchat_document_event_count(file->document), "event, ok\n", "events, ok\n");
        return;
    }
    cli_put_count(stdout, agentchat_snapshot_participant_count(snapshot), "participant, ", "participants, ");
    cli_put_count(stdout, agentchat_messages_count(agentchat_snapshot_history(snapshot)), "message, ", "messages, ");
    cli_put_count(stdout, agentchat_snapshot_channel_count(snapshot), "channel, ok\n", "channels, ok\n");
    print_alone(file, a);
}

static void print_json_facts(cli_json *json, const cli_document *file, const alone *a, const agentchat_report *refused)
{
    const agentchat_snapshot *snapshot = agentchat_document_snapshot(file->document);

    cli_json_cstr(json, "kind", agentchat_document_kind_name(agentchat_document_get_kind(file->document)));
    cli_json_cstr(json, "format", agentchat_document_format(file->document));
    if (snapshot != NULL) {
        cli_json_count(json, "participants", agentchat_snapshot_participant_count(snapshot));
        cli_json_count(json, "messages", agentchat_messages_count(agentchat_snapshot_history(snapshot)));
        cli_json_count(json, "channels", agentchat_snapshot_channel_count(snapshot));
        cli_json_count(json, "values", agentchat_snapshot_value_count(snapshot));
        cli_json_bool(json, "complete", agentchat_snapshot_is_complete(snapshot));
        cli_json_count(json, "unpaired_calls", a->calls);
        cli_json_count(json, "waiting_calls", a->waiting);
        cli_json_count(json, "unpaired_results", a->results);
    } else {
        cli_json_count(json, "events", agentchat_document_event_count(file->document));
    }
    cli_json_report(json, file->report, refused);
}

static void check_print_json(const cli_document *file, const alone *a, const agentchat_report *refused)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "file", file->name);
    cli_json_bool(&json, "ok", file->document != NULL);
    if (file->document != NULL)
        print_json_facts(&json, file, a, refused);
    else
        cli_json_error(&json, file->status, &file->err);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

/* By whom a chat is to be accepted. */
typedef struct accepted {
    const agentchat_repair_profile *profile; /* NULL: nobody is asked */
    bool is_documented;                      /* advice counts, too */
} accepted;

/* What a provider would refuse: *status becomes CLI_NO if anything. */
static agentchat_status check_for(cli_document *file, const accepted *by, agentchat_report **out, int *status)
{
    agentchat_repair_options options = AGENTCHAT_REPAIR_OPTIONS_INIT;
    const agentchat_snapshot *snapshot = agentchat_document_snapshot(file->document);
    agentchat_status done;

    if (by->profile == NULL || snapshot == NULL)
        return AGENTCHAT_OK;
    options.from = agentchat_document_format(file->document);
    done = agentchat_check_for(NULL, agentchat_snapshot_history(snapshot), by->profile, &options, out, &file->err);
    if (done >= 0 && agentchat_report_count_of(*out, AGENTCHAT_REPORT_REPAIR) +
                             agentchat_report_count_of(*out, AGENTCHAT_REPORT_LOSS) +
                             (by->is_documented ? agentchat_report_count_of(*out, AGENTCHAT_REPORT_NOTE) : 0) >
                         0)
        *status = CLI_NO;
    return done;
}

static int check_file(const char *name, bool as_json, const accepted *by)
{
    cli_document file;
    bool ok = cli_document_read(&file, name);
    int status = ok ? CLI_SUCCESS : cli_document_is_bad(file.status) ? CLI_NO : CLI_ERROR;
    alone unpaired = {.all = NULL};
    agentchat_report *refused = NULL;

    if (ok && agentchat_document_snapshot(file.document) != NULL &&
        (!find_alone(&file, &unpaired) || check_for(&file, by, &refused, &status) < 0)) {
        (void)fprintf(stderr, "agentchat check: out of memory\n");
        status = CLI_ERROR;
    } else if (as_json) {
        check_print_json(&file, &unpaired, refused);
    } else if (ok) {
        print_facts(&file, &unpaired);
        if (!cli_report_print(stdout, 2, file.report, refused))
            status = CLI_ERROR;
    } else {
        /* That a file is bad is the answer; that it cannot be read is an error. */
        cli_error_print(status == CLI_NO ? stdout : stderr, name, file.status, &file.err);
    }
    agentchat_report_free(refused);
    agentchat_calls_free(unpaired.all);
    cli_document_close(&file);
    return status;
}

static int check_run(int argc, char **argv)
{
    bool as_json = false, want_schema = false;
    const char *schema = NULL, *provider = NULL, *level = NULL;
    accepted by = {.profile = NULL};
    const cli_switch switches[] = {
        {"json", &as_json, NULL}, {"schema", &want_schema, &schema}, {"for", NULL, &provider}, {"level", NULL, &level}};
    int status = cli_arguments(&cli_check, argc, argv, "[FILE]...", switches, 4);

    if (status != CLI_GO_ON)
        return status;
    argv++;
    if (want_schema) {
        if (schema == NULL && *argv != NULL)
            schema = *argv++;
        if (*argv != NULL)
            return cli_command_usage(cli_check.name, "--schema takes one name and no files");
        return print_schema(schema == NULL ? "agentchat" : schema);
    }
    if (*argv == NULL)
        return cli_command_usage(cli_check.name, "FILE is missing");
    if (level != NULL && (provider == NULL || strcmp(level, "documented") != 0))
        return cli_command_usage(cli_check.name, "--level documented goes with --for");
    by.is_documented = level != NULL;
    if (provider != NULL && (by.profile = cli_repair_profile(&cli_check, provider)) == NULL)
        return CLI_ERROR;
    for (status = CLI_SUCCESS; *argv != NULL; argv++)
        status = cli_command_worse(status, check_file(*argv, as_json, &by));
    return status;
}

const cli_command cli_check = {
    .name = "check",
    .summary = "check whether files are valid chats, sessions or events",
    .help = "usage: agentchat check [--for PROFILE [--level documented]] [--json] FILE...\n"
            "       agentchat check --schema [NAME]\n"
            "\n"
            "Reads each FILE completely, a chat, a history, the file of a session, an event, or events one a\n"
            "line, and prints one line: its format and what it holds, or the first thing that is wrong with it as\n"
            "FILE:LINE:COLUMN: POINTER: what is wrong. Below a valid file stand calls without a result and results\n"
            "without a call, and the notes and losses of reading it.\n"
            "\n"
            "  --for PROFILE  also what the provider would refuse, which agentchat repair changes, and what its\n"
            "             documentation advises against: openai-chat, openai-responses or anthropic\n"
            "  --level documented  with --for: what only documentation says counts, too\n"
            "  --json     one JSON object per file (schema: agentchat check --schema cli-check)\n"
            "  --schema   print a JSON schema: agentchat (the default), session, semantic-kernel,\n"
            "             verify-expectation, verify-manifest, or cli-COMMAND for the --json output of a command\n"
            "\n"
            "exit status: 0 all are valid, and accepted, 1 one is not, 2 one cannot be read\n",
    .run = check_run,
};

/* ==== agentchat digest: equal for documents of the same meaning, whatever their formats ========================== */

typedef struct digested {
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_document_kind kind;
    agentchat_error err;
} digested;

static agentchat_status digest_stored(const char *name, digested *d)
{
    cli_stored stored;
    agentchat_status status = cli_stored_open(&stored, name);

    d->kind = AGENTCHAT_DOCUMENT_SESSION;
    d->err = stored.err;
    if (status >= 0)
        status = agentchat_session_digest(stored.session, d->digest, &d->err);
    cli_stored_close(&stored);
    return status;
}

static agentchat_status digest_document(const char *name, bool all, digested *d)
{
    cli_document file;
    agentchat_status status;

    if (cli_document_read(&file, name)) {
        d->kind = agentchat_document_get_kind(file.document);
        file.status = agentchat_document_digest(file.document, all, d->digest, &file.err);
    }
    status = file.status;
    d->err = file.err;
    cli_document_close(&file);
    return status;
}

static int digest_one(const char *name, bool all, bool as_json)
{
    digested d = {.kind = AGENTCHAT_DOCUMENT_CHAT};
    agentchat_status status = cli_stored_is(name) ? digest_stored(name, &d) : digest_document(name, all, &d);

    if (status < 0) {
        cli_error_print(stderr, name, status, &d.err);
    } else if (as_json) {
        cli_json json = {.out = stdout};

        cli_json_begin(&json, NULL, '{');
        cli_json_cstr(&json, "file", name);
        cli_json_cstr(&json, "kind", agentchat_document_kind_name(d.kind));
        cli_json_cstr(&json, "sha256", d.digest);
        cli_json_bool(&json, "all", all);
        cli_json_end(&json, '}');
        cli_json_line(&json);
    } else {
        (void)printf("sha256:%s  ", d.digest);
        (void)cli_put(stdout, agentchat_str_from(name));
        (void)fputc('\n', stdout);
    }
    return status < 0 ? CLI_ERROR : CLI_SUCCESS;
}

static int digest_run(int argc, char **argv)
{
    bool all = false, as_json = false;
    const char *copies = NULL;
    const cli_switch switches[] = {{"all", &all, NULL}, {"max-copies", NULL, &copies}, {"json", &as_json, NULL}};
    int status = cli_arguments(&cli_digest, argc, argv, "FILE...", switches, 3);

    if (status != CLI_GO_ON)
        return status;
    if (copies != NULL && !cli_input_max_copies(&cli_digest, copies))
        return CLI_ERROR;
    for (status = CLI_SUCCESS; *++argv != NULL;)
        status = cli_command_worse(status, digest_one(*argv, all, as_json));
    return status;
}

const cli_command cli_digest = {
    .name = "digest",
    .summary = "print a digest that is equal for chats of the same meaning",
    .help = "usage: agentchat digest [OPTION...] FILE...\n"
            "\n"
            "Prints sha256:HEX  FILE for each FILE. Two histories with the same meaning have the same digest,\n"
            "whatever formats they are stored in; so have two sessions, events, or files of events. That\n"
            "of a session covers its state and all of its events.\n"
            "\n"
            "  --all           cover participants and channels too, not only the history\n"
            "  --max-copies N  let channels repeat the history up to N times FILE's size, not 16\n"
            "  --json          one JSON object per file (schema: agentchat check --schema cli-digest)\n"
            "\n"
            "exit status: 0 success, 2 a file is none of these or cannot be read\n",
    .run = digest_run,
};

/* ==== agentchat formats: which formats there are, and what can be done with them ================================= */

static const struct {
    const char *name;
    uint32_t bit;
} documents[] = {
    {"chat", AGENTCHAT_HOLDS_CHAT},
    {"history", AGENTCHAT_HOLDS_HISTORY},
    {"session", AGENTCHAT_HOLDS_SESSION},
    {"event", AGENTCHAT_HOLDS_EVENT},
};
enum { DOCUMENTS = (int)(sizeof documents / sizeof documents[0]) };

static void print_documents(cli_json *json, const char *name, uint32_t bits)
{
    cli_json_begin(json, name, '[');
    for (int i = 0; i < DOCUMENTS; i++)
        if ((bits & documents[i].bit) != 0)
            cli_json_cstr(json, NULL, documents[i].name);
    cli_json_end(json, ']');
}

static void formats_print_json(void)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_begin(&json, "items", '[');
    for (size_t i = 0; i < agentchat_format_count(); i++) {
        const agentchat_format *format = agentchat_format_at(i);

        cli_json_begin(&json, NULL, '{');
        cli_json_cstr(&json, "name", format->name);
        cli_json_cstr(&json, "summary", format->summary);
        print_documents(&json, "reads", format->reads);
        print_documents(&json, "writes", format->writes);
        cli_json_bool(&json, "strict", format->has_strict);
        cli_json_end(&json, '}');
    }
    cli_json_end(&json, ']');
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

/* "chat, history" */
static void list_documents(char *out, size_t size, uint32_t bits)
{
    size_t len = 0;

    out[0] = '\0';
    for (int i = 0; i < DOCUMENTS && len < size; i++)
        if ((bits & documents[i].bit) != 0)
            len += (size_t)snprintf(out + len, size - len, "%s%s", len > 0 ? ", " : "", documents[i].name);
}

static void print_lines(void)
{
    for (size_t i = 0; i < agentchat_format_count(); i++) {
        const agentchat_format *format = agentchat_format_at(i);
        char reads[64], writes[64];

        list_documents(reads, sizeof reads, format->reads);
        list_documents(writes, sizeof writes, format->writes);
        (void)printf("%s: %s\n  reads %s; writes %s%s\n", format->name, format->summary,
                     reads[0] != '\0' ? reads : "nothing", writes[0] != '\0' ? writes : "nothing",
                     format->has_strict ? "; has --strict" : "");
    }
}

static int formats_run(int argc, char **argv)
{
    bool as_json = false;
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(&cli_formats, argc, argv, "", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    if (as_json)
        formats_print_json();
    else
        print_lines();
    return CLI_SUCCESS;
}

const cli_command cli_formats = {
    .name = "formats",
    .summary = "list the formats, and what is read and written in them",
    .help = "usage: agentchat formats [--json]\n"
            "\n"
            "Lists the formats by the names that --from and --to take: what is read and written in each of them,\n"
            "chats, histories alone, sessions or events.\n"
            "\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-formats)\n"
            "\n"
            "exit status: 0 success\n",
    .run = formats_run,
};
