/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/thread/page.h"
#include "cli/io/output.h"
#include "cli/text/error.h"
#include <string.h>

bool cli_thread_page_replaces(const cli_web_page *page, const cli_store *store)
{
    agentchat_error err;

    if (strcmp(page->output, "-") == 0 || !cli_store_lies_in(store, page->output))
        return false;
    agentchat_error_clear(&err);
    cli_error_print(stderr, page->output,
                    agentchat_error_set(&err, AGENTCHAT_E_INVALID,
                                        "this is the store that is shown, and would be "
                                        "replaced"),
                    &err);
    return true;
}

/* To be closed. */
static cli_input input_of(const agentchat_checkpoint *checkpoint)
{
    return (cli_input){.name = agentchat_checkpoint_get_info(checkpoint)->id,
                       .snapshot = agentchat_snapshot_ref(agentchat_checkpoint_snapshot(checkpoint))};
}

bool cli_thread_page_write(const cli_web_page *page, const agentchat_checkpoint *before,
                           const agentchat_checkpoint *after)
{
    cli_input left = input_of(before), right = input_of(after);
    bool written = cli_web_page_write(page, &left, &right);

    cli_input_close(&right);
    cli_input_close(&left);
    return written;
}
