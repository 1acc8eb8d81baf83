/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat thread diff: where the chats of two checkpoints differ in meaning. */
#include "cli/command/arguments.h"
#include "cli/diff/compare.h"
#include "cli/io/thread.h"
#include "cli/io/web_page.h"
#include "cli/text/error.h"
#include "cli/thread/page.h"
#include "cli/thread/thread.h"

typedef struct job {
    cli_thread thread;
    const char *left, *right;
    bool full, as_json, no_pager, as_page;
    cli_web_page page;
} job;

static diff_side side_of(const agentchat_checkpoint *checkpoint)
{
    return (diff_side){agentchat_checkpoint_get_info(checkpoint)->id, agentchat_checkpoint_snapshot(checkpoint)};
}

static agentchat_status print(const job *j, const agentchat_checkpoint *left, const agentchat_checkpoint *right,
                              bool *equal, bool *shown, agentchat_error *err)
{
    diff_side a = side_of(left), b = side_of(right);

    *shown = true;
    if (j->as_json)
        return diff_compare_json(a, b, equal, err);
    if (!j->as_page)
        return diff_compare_lines(a, b, j->full, !j->no_pager, equal, shown, err);
    *shown = cli_thread_page_write(&j->page, left, right);
    return agentchat_snapshot_diff(a.snapshot, b.snapshot, NULL, NULL, equal, err);
}

static int compare(const job *j, const agentchat_checkpoint *left, const agentchat_checkpoint *right)
{
    agentchat_error err;
    bool equal = false, shown;

    agentchat_error_clear(&err);
    agentchat_status status = print(j, left, right, &equal, &shown, &err);
    if (status < 0)
        cli_error_print(stderr, NULL, status, &err);
    return status < 0 || !shown ? CLI_ERROR : equal ? CLI_SUCCESS : CLI_NO;
}

static int compare_checkpoints(job *j)
{
    agentchat_checkpoint *left = NULL, *right = NULL;
    int status = CLI_ERROR;

    if (j->as_page && cli_thread_page_replaces(&j->page, &j->thread.store))
        return CLI_ERROR;
    left = cli_thread_open(&j->thread, j->left);
    if (left == NULL)
        return CLI_ERROR;
    right = cli_thread_get(&j->thread, j->right);
    if (right != NULL)
        status = compare(j, left, right);
    agentchat_checkpoint_free(right);
    agentchat_checkpoint_free(left);
    cli_store_close(&j->thread.store);
    return status;
}

static bool check(const job *j)
{
    bool is_for_page = j->page.output != NULL || j->page.title != NULL || j->page.no_media;
    const char *name = j->thread.store.self->name;

    if (!j->as_page && is_for_page)
        (void)cli_command_usage(name, "--output, --title and --no-media are for --html");
    else if (j->as_page && (j->as_json || j->full))
        (void)cli_command_usage(name, "--html goes with neither --json nor --full");
    else
        return true;
    return false;
}

static int run(int argc, char **argv)
{
    job j = {.thread = {.store = {.self = &cli_thread_diff}}};
    const cli_switch switches[] = {{"html", &j.as_page, NULL},     {"output", NULL, &j.page.output},
                                   {"title", NULL, &j.page.title}, {"no-media", &j.page.no_media, NULL},
                                   {"full", &j.full, NULL},        {"no-pager", &j.no_pager, NULL},
                                   {"json", &j.as_json, NULL},     {"namespace", NULL, &j.thread.ns}};
    const cli_command *self = j.thread.store.self;
    int status = cli_arguments(self, argc, argv, "STORE THREAD A B", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (!check(&j))
        return CLI_ERROR;
    if (j.page.output == NULL)
        j.page.output = "-";
    if (j.as_page && !cli_web_page_check(self, &j.page))
        return CLI_ERROR;
    cli_thread_take(&j.thread, argv);
    j.left = argv[3];
    j.right = argv[4];
    return compare_checkpoints(&j);
}

const cli_command cli_thread_diff = {
    .name = "thread diff",
    .summary = "show where the chats of two checkpoints differ in meaning",
    .help = "usage: agentchat thread diff [OPTION...] STORE THREAD A B\n"
            "\n"
            "Prints one line per difference between the checkpoints A and B, as agentchat diff does: its path, and\n"
            "A → B, - what only A has, + what only B has.\n"
            "\n"
            "  --full          show all of it: the path, and below it - A and + B on lines of their own\n"
            "  --namespace NS  checkpoints of this namespace\n"
            "  --no-pager      on a terminal, show it there and not in AGENTCHAT_PAGER, PAGER or less\n"
            "  --html          a web page instead, with both chats side by side; with --output PAGE, --title TITLE\n"
            "                  and --no-media, as of agentchat view\n"
            "  --json          one JSON object (schema: agentchat check --schema cli-thread-diff)\n"
            "\n"
            "exit status: 0 the same, 1 different, 2 there is no such checkpoint, or error\n",
    .run = run,
};
