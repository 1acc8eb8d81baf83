/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts a chat between agentchat's and Semantic Kernel's .NET format, and says what the conversion changed.
 *
 *     convert_semantic_kernel IN OUT
 *
 * IN may be in any format; OUT is written for .NET if IN is in native format, and in native format otherwise.
 */
#include <agentchat/agentchat.h>
#include <string.h>

static void print_report(const agentchat_report *report)
{
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);
        printf("%s at " AGENTCHAT_STR_FMT ": " AGENTCHAT_STR_FMT "\n", agentchat_report_kind_name(entry->kind),
               AGENTCHAT_STR_ARG(entry->path), AGENTCHAT_STR_ARG(entry->text));
    }
}

int main(int argc, char **argv)
{
    agentchat_error err;
    agentchat_snapshot *chat = NULL;
    agentchat_report *read = NULL, *written = NULL;
    agentchat_write_options to = AGENTCHAT_WRITE_OPTIONS_INIT;
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    int status = 1;

    if (argc != 3) {
        fputs("usage: convert_semantic_kernel IN OUT\n", stderr);
        return 2;
    }
    if (agentchat_snapshot_read_file(NULL, argv[1], NULL, &chat, &read, &err) < 0) /* the format is detected */
        goto cleanup;
    to.format = strcmp(agentchat_snapshot_format(chat), "semantic-kernel") == 0 ? "agentchat" : "semantic-kernel";
    /* By default the writer repairs what .NET's reader would refuse. to.strict = true writes exactly what .NET itself
       would; to.fail_on_loss = true would rather write nothing than lose something. */
    if (agentchat_snapshot_write_file(chat, argv[2], &to, &written, &err) < 0 ||
        agentchat_snapshot_digest(chat, false, digest, &err) < 0)
        goto cleanup;
    print_report(read);
    print_report(written);
    printf("%s, %zu messages, history sha256:%s\n", to.format,
           agentchat_messages_count(agentchat_snapshot_history(chat)), digest);
    status = 0;
cleanup:
    if (status != 0)
        agentchat_error_print(&err, stderr);
    agentchat_report_free(read);
    agentchat_report_free(written);
    agentchat_snapshot_unref(chat);
    return status;
}
