/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat formats: which formats there are, and what can be done with them. */
#include "cli/chat/chat.h"
#include "cli/command/arguments.h"
#include "cli/json/writer.h"

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

static void print_json(void)
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

static int run(int argc, char **argv)
{
    bool as_json = false;
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(&cli_formats, argc, argv, "", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    if (as_json)
        print_json();
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
    .run = run,
};
