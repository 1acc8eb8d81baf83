/* SPDX-License-Identifier: Apache-2.0 */
/* A document, its format detected, or else what somebody says in a chat, as a web page: what is written is the
   library's own markup and nothing else, the same each time, with and without media, looked at through a channel, with
   the report of the reading, and as a checkpoint of a thread, shown and not. */
#include "documents.h"

#include <agentchat/view.h>
#include <string.h>

static agentchat_bytes write_page(const agentchat_snapshot *snapshot, const agentchat_html_options *options)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink;
    agentchat_error err;

    FUZZ_CHECK(agentchat_sink_memory(NULL, &bytes, &sink, &err) == AGENTCHAT_OK);
    FUZZ_CHECK(agentchat_snapshot_write_html(snapshot, sink, options, &err) == AGENTCHAT_OK);
    agentchat_sink_free(sink);
    return bytes;
}

static void check(const agentchat_snapshot *snapshot, const agentchat_html_options *options)
{
    agentchat_bytes page = write_page(snapshot, options), again = write_page(snapshot, options);

    fuzz_check_page(&page, &again, PAGE_OF_CHAT, options->no_media);
    agentchat_bytes_clear(&page);
    agentchat_bytes_clear(&again);
}

static agentchat_str last_key(const agentchat_snapshot *snapshot)
{
    size_t count = agentchat_snapshot_channel_count(snapshot);

    if (count == 0)
        return (agentchat_str){NULL, 0};
    return agentchat_channel_state_key(agentchat_snapshot_channel(snapshot, count - 1));
}

/* A chat in which somebody says this; NULL when it is no text. */
static agentchat_snapshot *chat_of(agentchat_str text)
{
    agentchat_snapshot_builder *builder;
    agentchat_snapshot *snapshot;
    agentchat_message *message;
    agentchat_error err;

    if (agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, text, &message, &err) < 0)
        return NULL;
    FUZZ_CHECK(agentchat_snapshot_builder_new(NULL, NULL, &builder, NULL) == AGENTCHAT_OK);
    agentchat_snapshot_builder_add_message(builder, message);
    agentchat_message_unref(message);
    FUZZ_CHECK(agentchat_snapshot_builder_finish(builder, &snapshot, &err) == AGENTCHAT_OK);
    return snapshot;
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

static agentchat_status get_chat(void *user, size_t index, agentchat_snapshot **out, agentchat_error *err)
{
    const agentchat_snapshot *const *chats = user;

    (void)err;
    *out = agentchat_snapshot_ref(chats[index]);
    return AGENTCHAT_OK;
}

static agentchat_bytes write_thread(const agentchat_html_thread *thread)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink;
    agentchat_error err;

    FUZZ_CHECK(agentchat_sink_memory(NULL, &bytes, &sink, &err) == AGENTCHAT_OK);
    FUZZ_CHECK(agentchat_thread_write_html(thread, sink, NULL, &err) == AGENTCHAT_OK);
    agentchat_sink_free(sink);
    return bytes;
}

/* The chat, another one, and the chat again; once with it and once with the other one shown. */
static void check_thread(const agentchat_snapshot *snapshot)
{
    static const agentchat_checkpoint_info infos[3] = {
        {.ns = "", .id = "c", .parent = "b", .sequence = 3, .metadata = {"{}", 2}},
        {.ns = "", .id = "b", .parent = "a", .sequence = 2, .metadata = {"{}", 2}},
        {.ns = "", .id = "a", .sequence = 1, .metadata = {"{}", 2}}};
    static const agentchat_html_checkpoint checkpoints[3] = {
        {&infos[0], {"<", 1}}, {&infos[1], {NULL, 0}}, {&infos[2], {NULL, 0}}};
    agentchat_snapshot *other = chat_of(AGENTCHAT_STR("between"));
    const agentchat_snapshot *chats[3] = {snapshot, other, snapshot};
    agentchat_html_thread thread = AGENTCHAT_HTML_THREAD_INIT;

    FUZZ_CHECK(other != NULL);
    thread.checkpoints = checkpoints;
    thread.count = 3;
    thread.snapshot = get_chat;
    thread.user = chats;
    for (thread.shown = 0; thread.shown < 2; thread.shown++) {
        agentchat_bytes page = write_thread(&thread), again = write_thread(&thread);

        fuzz_check_page(&page, &again, PAGE_OF_THREAD, false);
        agentchat_bytes_clear(&page);
        agentchat_bytes_clear(&again);
    }
    agentchat_snapshot_unref(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;
    agentchat_str document = {(const char *)data, size};
    agentchat_snapshot *snapshot;
    agentchat_report *report = NULL;
    agentchat_error err;

    if (agentchat_snapshot_read_memory(NULL, document, NULL, &snapshot, &report, &err) < 0) {
        agentchat_report_free(report); /* it is of another chat than the one that is shown instead */
        report = NULL;
        snapshot = chat_of(document);
    }
    if (snapshot == NULL)
        return 0;
    check(snapshot, &options);
    check_thread(snapshot);
    options.title = AGENTCHAT_STR("</title><script>alert(1)</script>");
    options.report = report;
    options.channel = last_key(snapshot);
    options.no_media = true;
    check(snapshot, &options);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    return 0;
}
