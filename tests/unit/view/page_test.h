/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the page of one chat share: chats in few words, their pages, what is in them. */
#ifndef PAGE_TEST_H
#define PAGE_TEST_H

#include "view_test.h"

#include "fuzz/page_check.h"
#include "snapshot/snapshot.h"
#include <agentchat/view.h>

/* ---- chats ------------------------------------------------------------------------------------------------------ */

#define CHAT(history, channels)                                                                                        \
    "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[" history "],\"participants\":[{\"id\":\"i\",\"name\":"   \
    "\"Ann\",\"type\":\"t\"}],\"channels\":[" channels "]}"
#define TEXT(role, text) "{\"role\":\"" role "\",\"items\":[{\"type\":\"text\",\"text\":\"" text "\"}]}"

#define HOLDER(key, text)                                                                                              \
    "{\"channelkey\":\"" key                                                                                           \
    "\",\"channeltype\":\"U\",\"statekind\":\"messages\",\"channelstate\":[" TEXT("user", text) "]}"

#define DATA(type, mime, data) "{\"type\":\"" type "\",\"mimetype\":\"" mime "\",\"data\":\"" data "\"}"

#define CALL(id) "{\"type\":\"call\",\"id\":" id ",\"plugin\":\"p\",\"function\":\"f\",\"arguments\":{\"a\":1}}"
#define RESULT(id) "{\"type\":\"result\",\"id\":" id ",\"function\":\"f\",\"result\":\"ok\"}"

static inline agentchat_snapshot *small_chat(void)
{
    return read_text(
        CHAT(TEXT("user", "hello") "," TEXT("assistant", "*hi*"),
             "{\"channelkey\":\"k1\",\"channeltype\":\"T\",\"statekind\":\"text\",\"channelstate\":\"s\"}," HOLDER(
                 "k2", "only here")));
}

/* ---- pages ------------------------------------------------------------------------------------------------------ */

static inline agentchat_status write_page(const agentchat_snapshot *snapshot, const agentchat_html_options *options,
                                          agentchat_bytes *bytes, agentchat_error *err)
{
    agentchat_sink *sink;
    agentchat_error opening;
    agentchat_status status;

    test_ok(agentchat_sink_memory(snapshot != NULL ? snapshot->env : NULL, bytes, &sink, &opening), &opening);
    status = agentchat_snapshot_write_html(snapshot, sink, options, err);
    agentchat_sink_free(sink);
    return status;
}

/* A page that holds nothing that a page may not hold. */
static inline agentchat_bytes page_of(const agentchat_snapshot *snapshot, const agentchat_html_options *options)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    const char *fault;
    agentchat_error err;
    size_t at;

    test_ok(write_page(snapshot, options, &bytes, &err), &err);
    fault = page_fault(bytes.ptr, bytes.len, PAGE_OF_CHAT, &at);
    if (fault != NULL)
        fail_msg("%s: %.200s", fault, bytes.ptr + at);
    return bytes;
}

static inline void assert_in_page(const agentchat_bytes *page, const char *part)
{
    if (strstr(page->ptr, part) == NULL)
        fail_msg("not in the page: %s", part);
}

static inline void assert_not_in_page(const agentchat_bytes *page, const char *part)
{
    if (strstr(page->ptr, part) != NULL)
        fail_msg("in the page: %s", part);
}

#endif
