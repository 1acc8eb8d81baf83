/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat diff: where two chats differ in meaning. */
#include "cli/chat/chat.h"
#include "cli/command/arguments.h"
#include "cli/diff/compare.h"
#include "cli/io/input.h"
#include "cli/io/web_page.h"
#include "cli/text/error.h"
#include <string.h>

typedef struct request {
    const char *left, *right;
    bool full, as_json, no_pager, as_page;
    cli_web_page page;
} request;

static agentchat_status print(const request *r, const cli_input *left, const cli_input *right, bool *equal, bool *shown,
                              agentchat_error *err)
{
    diff_side a = {r->left, left->snapshot}, b = {r->right, right->snapshot};

    *shown = true;
    if (r->as_json)
        return diff_compare_json(a, b, equal, err);
    if (!r->as_page)
        return diff_compare_lines(a, b, r->full, !r->no_pager, equal, shown, err);
    *shown = cli_web_page_write(&r->page, left, right);
    return agentchat_snapshot_diff(left->snapshot, right->snapshot, NULL, NULL, equal, err);
}

static int compare(const request *r, const cli_input *left, const cli_input *right)
{
    agentchat_error err = {.offset = AGENTCHAT_NO_OFFSET};
    bool equal = false, shown;
    agentchat_status status = print(r, left, right, &equal, &shown, &err);

    if (status < 0)
        cli_error_print(stderr, NULL, status, &err);
    return status < 0 || !shown ? CLI_ERROR : equal ? CLI_SUCCESS : CLI_NO;
}

static int compare_files(const request *r)
{
    cli_input left, right;
    int status = CLI_ERROR;

    if (r->as_page && (cli_web_page_replaces(&r->page, r->left) || cli_web_page_replaces(&r->page, r->right)))
        return CLI_ERROR;
    if (!cli_input_open(&left, r->left))
        return CLI_ERROR;
    if (cli_input_open(&right, r->right)) {
        status = compare(r, &left, &right);
        cli_input_close(&right);
    }
    cli_input_close(&left);
    return status;
}

static bool check(const request *r)
{
    bool is_for_page = r->page.output != NULL || r->page.title != NULL || r->page.no_media;

    if (!r->as_page && is_for_page)
        (void)cli_command_usage(cli_diff.name, "--output, --title and --no-media are for --html");
    else if (r->as_page && (r->as_json || r->full))
        (void)cli_command_usage(cli_diff.name, "--html goes with neither --json nor --full");
    else
        return true;
    return false;
}

static int run(int argc, char **argv)
{
    request r = {.full = false};
    const char *copies = NULL;
    const cli_switch switches[] = {{"html", &r.as_page, NULL},     {"output", NULL, &r.page.output},
                                   {"title", NULL, &r.page.title}, {"no-media", &r.page.no_media, NULL},
                                   {"full", &r.full, NULL},        {"no-pager", &r.no_pager, NULL},
                                   {"json", &r.as_json, NULL},     {"max-copies", NULL, &copies}};
    int status = cli_arguments(&cli_diff, argc, argv, "A B", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (!check(&r) || (copies != NULL && !cli_input_max_copies(&cli_diff, copies)))
        return CLI_ERROR;
    if (r.page.output == NULL)
        r.page.output = "-";
    if (r.as_page && !cli_web_page_check(&cli_diff, &r.page))
        return CLI_ERROR;
    r.left = argv[1];
    r.right = argv[2];
    if (strcmp(r.left, "-") == 0 && strcmp(r.right, "-") == 0)
        return cli_command_usage(cli_diff.name, "only one of A and B can be standard input");
    return compare_files(&r);
}

const cli_command cli_diff = {
    .name = "diff",
    .summary = "show where two chats differ in meaning",
    .help = "usage: agentchat diff [OPTION...] A B\n"
            "\n"
            "Prints one line per difference: its path, and A → B, - what only A has, + what only B has. The\n"
            "formats of the files do not matter; only the meaning is compared, as agentchat digest --all does. Of\n"
            "sessions the chats of their events are compared.\n"
            "An entire message, item, participant or channel is summarized, and long values are shortened around\n"
            "what has changed; on a terminal that is coloured.\n"
            "\n"
            "  --full      show all of it: the path, and below it - A and + B on lines of their own\n"
            "  --no-pager  on a terminal, show it there and not in AGENTCHAT_PAGER, PAGER or less\n"
            "  --html      a web page instead, with both chats side by side; with --output PAGE, --title TITLE\n"
            "              and --no-media, as of agentchat view\n"
            "  --json      one JSON object (schema: agentchat check --schema cli-diff)\n"
            "  --max-copies N  let channels repeat the history up to N times the size of A and B, not 16\n"
            "\n"
            "exit status: 0 the same, 1 different, 2 a file is no chat or cannot be read\n",
    .run = run,
};
