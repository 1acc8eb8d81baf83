/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat template: an instruction with a session's values put in. */
#include "cli/command/arguments.h"
#include "cli/io/store.h"
#include "cli/io/value.h"
#include "cli/json/writer.h"
#include "cli/state/state.h"
#include "cli/text/error.h"
#include <agentchat/template.h>
#include <string.h>

static void print(agentchat_str text, bool as_json)
{
    cli_json json = {.out = stdout};

    if (!as_json) {
        cli_value_put_text(stdout, text);
        return;
    }
    cli_json_begin(&json, NULL, '{');
    cli_json_text(&json, "text", text);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static int render(cli_store *s, const char *template_text, const agentchat_template_options *options, bool as_json)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_session *session = cli_store_open_session(s, CLI_READ, &cli_store_state_only);
    int result = CLI_SUCCESS;

    if (session == NULL)
        return CLI_ERROR;
    agentchat_status status = agentchat_template_render(agentchat_session_state(session),
                                                        agentchat_str_from(template_text), options, &text, &s->err);
    if (status >= 0) {
        print(text.ptr != NULL ? (agentchat_str){text.ptr, text.len} : AGENTCHAT_STR(""), as_json);
    } else {
        (void)fprintf(stderr, "agentchat %s: ", s->self->name);
        cli_error_print(stderr, "TEXT", status, &s->err);
        result = status == AGENTCHAT_E_NOTFOUND ? CLI_NO : CLI_ERROR;
    }
    agentchat_bytes_clear(&text);
    agentchat_session_free(session);
    cli_store_close(s);
    return result;
}

/* false: there is no such dialect. */
static bool dialect_of(const char *name, agentchat_template_dialect *out)
{
    static const char *const names[] = {"agentchat", "adk-rust", "adk-python"}; /* as they are numbered */

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        *out = (agentchat_template_dialect)i;
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

static int run(int argc, char **argv)
{
    bool as_json = false;
    const char *name = "agentchat";
    agentchat_template_options options = AGENTCHAT_TEMPLATE_OPTIONS_INIT;
    cli_store s = {.self = &cli_template};
    const cli_switch switches[] = {
        {"json", &as_json, NULL}, {"dialect", NULL, &name}, {"keep-missing", &options.keep_missing, NULL}};
    int status =
        cli_arguments(s.self, argc, argv, "STORE APP USER ID TEXT", switches, sizeof switches / sizeof *switches);

    if (status != CLI_GO_ON)
        return status;
    if (!dialect_of(name, &options.dialect))
        return cli_command_usage(s.self->name, "there is no dialect \"%s\", but agentchat, adk-python and adk-rust",
                                 name);
    cli_store_take(&s, argv);
    return render(&s, argv[5], &options, as_json);
}

const cli_command cli_template = {
    .name = "template",
    .summary = "put the values of a session into an instruction",
    .help = "usage: agentchat template [OPTION...] STORE APP USER ID TEXT\n"
            "\n"
            "Prints TEXT with the values of a session in place of {key}, {user:key} and {app:key}. What follows\n"
            "the longest key that is there, separated by dots, is a path into its value: {user:preferences.theme}.\n"
            "{key?} is nothing when the key is missing, {{key}} is {key} itself, other braces are text.\n"
            "STORE is sqlite:FILE, a plain file name, which means the same, or postgresql://...\n"
            "\n"
            "  --dialect NAME  agentchat, which is the above (the default), or adk-python or adk-rust: TEXT becomes\n"
            "                  what these libraries make of it; there are no artifacts\n"
            "  --keep-missing  what has no value stays as it is written: for text that is not of your own making\n"
            "  --json          one JSON object (schema: agentchat check --schema cli-template)\n"
            "\n"
            "exit status: 0 success, 1 keys are missing, which are named, 2 error\n",
    .run = run,
};
