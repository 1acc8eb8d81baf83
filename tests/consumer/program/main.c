/* SPDX-License-Identifier: Apache-2.0 */
/* What a first user writes: saves a chat to memory, reads it back, compares. Exit status 0 when all of it worked. */
#include <agentchat/agentchat.h>
#include <string.h>

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)seen;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("Silent ovens wake"), err);
}

int main(void)
{
    agentchat_error err;
    agentchat_chat *chat = NULL;
    agentchat_snapshot *captured = NULL;
    agentchat_snapshot *read = NULL;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    char before[AGENTCHAT_DIGEST_LEN + 1];
    char after[AGENTCHAT_DIGEST_LEN + 1];
    int result = 1;

    if (strcmp(agentchat_version(), AGENTCHAT_VERSION_STRING) != 0) {
        fprintf(stderr, "header %s, library %s\n", AGENTCHAT_VERSION_STRING, agentchat_version());
        goto cleanup;
    }
    if (agentchat_chat_new(NULL, &chat, &err) < 0 ||
        agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Poet"), answer, NULL, &err) < 0 ||
        agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("A haiku about bread"), &err) < 0 ||
        agentchat_chat_invoke(chat, AGENTCHAT_STR("Poet"), &err) < 0 ||
        agentchat_chat_capture(chat, NULL, &captured, NULL, &err) < 0 ||
        agentchat_snapshot_write_memory(captured, NULL, &bytes, NULL, &err) < 0 ||
        agentchat_snapshot_read_memory(NULL, (agentchat_str){bytes.ptr, bytes.len}, NULL, &read, NULL, &err) < 0 ||
        agentchat_snapshot_digest(captured, true, before, &err) < 0 ||
        agentchat_snapshot_digest(read, true, after, &err) < 0) {
        agentchat_error_print(&err, stderr);
        goto cleanup;
    }
    if (agentchat_messages_count(agentchat_snapshot_history(read)) != 2 || strcmp(before, after) != 0) {
        fprintf(stderr, "what was read back differs\n");
        goto cleanup;
    }
    result = 0;

cleanup:
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(read);
    agentchat_snapshot_unref(captured);
    agentchat_chat_free(chat);
    return result;
}
