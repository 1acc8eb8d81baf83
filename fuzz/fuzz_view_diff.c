/* SPDX-License-Identifier: Apache-2.0 */
/* Two documents with the byte 0xFF between them, which no document holds, as a page that compares them, from either
   side and each with itself: what is written is the library's own markup and nothing else, the same each time, with and
   without media. */
#include "documents.h"

#include <agentchat/view.h>

static agentchat_bytes write_page(const agentchat_snapshot *before, const agentchat_snapshot *after,
                                  const agentchat_html_options *options)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink;
    agentchat_error err;

    FUZZ_CHECK(agentchat_sink_memory(NULL, &bytes, &sink, &err) == AGENTCHAT_OK);
    FUZZ_CHECK(agentchat_snapshot_write_html_diff(before, after, sink, options, &err) == AGENTCHAT_OK);
    agentchat_sink_free(sink);
    return bytes;
}

static void check_page(const agentchat_snapshot *before, const agentchat_snapshot *after,
                       const agentchat_html_options *options)
{
    agentchat_bytes page = write_page(before, after, options), again = write_page(before, after, options);

    fuzz_check_page(&page, &again, PAGE_OF_COMPARISON, options->no_media);
    agentchat_bytes_clear(&page);
    agentchat_bytes_clear(&again);
}

static void check(const agentchat_snapshot *before, const agentchat_snapshot *after)
{
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;

    check_page(before, after, &options);
    options.title = AGENTCHAT_STR("</title><script>alert(1)</script>");
    options.no_media = true;
    check_page(before, after, &options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_each_pair(data, size, check);
    return 0;
}
