/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat digest: equal for documents of the same meaning, whatever their formats. */
#include "cli/chat/chat.h"
#include "cli/command/arguments.h"
#include "cli/io/document.h"
#include "cli/io/input.h"
#include "cli/io/stored.h"
#include "cli/json/writer.h"
#include "cli/text/error.h"
#include "cli/text/put.h"

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

static int run(int argc, char **argv)
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
    .run = run,
};
