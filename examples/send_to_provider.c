/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes of a saved conversation the messages of a request that another provider accepts, and says what was changed.
 *
 *     send_to_provider IN PROVIDER
 *
 * IN may be in any format. PROVIDER is openai-chat or anthropic. The messages go to standard output.
 */
#include <agentchat/agentchat.h>
#include <string.h>

static void print_report(const agentchat_report *report)
{
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);

        fprintf(stderr, "%s at " AGENTCHAT_STR_FMT ": " AGENTCHAT_STR_FMT "\n", agentchat_report_kind_name(entry->kind),
                AGENTCHAT_STR_ARG(entry->path), AGENTCHAT_STR_ARG(entry->text));
    }
}

int main(int argc, char **argv)
{
    agentchat_write_options to = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_snapshot *chat = NULL;
    agentchat_report *written = NULL;
    agentchat_bytes request = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    int status = 1;

    if (argc != 3) {
        fputs("usage: send_to_provider IN PROVIDER\n", stderr);
        return 2;
    }
    /* The history is repaired for the provider before it is written. to.strict = true would write it as it stands;
       to.fail_on_loss = true would rather write nothing than lose something. */
    to.format = argv[2];
    if (agentchat_snapshot_read_file(NULL, argv[1], NULL, &chat, NULL, &err) >= 0 &&
        agentchat_snapshot_write_memory(chat, &to, &request, &written, &err) >= 0) {
        print_report(written);
        fwrite(request.ptr, 1, request.len, stdout);
        status = 0;
    } else {
        agentchat_error_print(&err, stderr);
    }
    agentchat_bytes_clear(&request);
    agentchat_report_free(written);
    agentchat_snapshot_unref(chat);
    return status;
}
