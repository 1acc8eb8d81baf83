/* SPDX-License-Identifier: Apache-2.0 */
/* A program that writes a chat as a web page. Exit status 0 when it gets one. */
#include <agentchat/view.h>
#include <string.h>

#define MESSAGE "{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"A haiku about bread\"}]}"
#define CHAT "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[" MESSAGE "],\"participants\":[],\"channels\":[]}"

int main(void)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_bytes page = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;
    agentchat_error err;
    int result = 1;

    if (agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR(CHAT), NULL, &snapshot, NULL, &err) < 0 ||
        agentchat_sink_memory(NULL, &page, &sink, &err) < 0 ||
        agentchat_snapshot_write_html(snapshot, sink, NULL, &err) < 0)
        agentchat_error_print(&err, stderr);
    else
        result = strstr(page.ptr, "A haiku about bread") != NULL ? 0 : 1;
    agentchat_sink_free(sink);
    agentchat_bytes_clear(&page);
    agentchat_snapshot_unref(snapshot);
    return result;
}
