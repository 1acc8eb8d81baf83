/* SPDX-License-Identifier: Apache-2.0 */
/* A chat as one self-contained web page: the library agentchat-view. agentchat.h does not include this. */
#ifndef AGENTCHAT_VIEW_H
#define AGENTCHAT_VIEW_H

#include <agentchat/report.h>
#include <agentchat/snapshot.h>
#include <agentchat/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a page is made. */
typedef struct agentchat_html_options {
    size_t struct_size;             /**< sizeof(agentchat_html_options) */
    agentchat_str title;            /**< of the page, UTF-8; absent or empty: "Chat", "Comparison" */
    agentchat_str channel;          /**< key of the channel whose view the page opens with; absent (ptr NULL): none */
    const agentchat_report *report; /**< of a restore or a reading, to be shown on the page; NULL: none */
    bool no_media;                  /**< images and sounds are named instead of put into the page */
} agentchat_html_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_HTML_OPTIONS_INIT                                                                                    \
    {                                                                                                                  \
        sizeof(agentchat_html_options), {NULL, 0}, {NULL, 0}, NULL, false                                              \
    }

/**
 * AGENTCHAT_HTML_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_html_options_init(agentchat_html_options *options, size_t size);

/**
 * Writes a web page (HTML, UTF-8) that shows a snapshot, and commits the stream: the conversation with its calls and
 * results, participants, channels, and for each channel what it had been given of the conversation. The page is one
 * file that loads nothing, runs no script but its own (the page's security policy allows no other), and makes no text
 * of the chat into markup. Besides the snapshot this takes memory for its calls and for its channels' views, not for
 * the page. The same snapshot gives the same bytes.
 * @param[in]  snapshot The snapshot.
 * @param[in]  sink     The stream; borrowed. After a failure it is not committed.
 * @param[in]  options  Options, or NULL.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID  the title is not UTF-8.
 * @retval AGENTCHAT_E_NOTFOUND there is no channel of that key.
 * @retval AGENTCHAT_E_IO       the stream failed.
 * @threadsafe Yes, on different sinks.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_snapshot_write_html(const agentchat_snapshot *snapshot,
                                                                                 agentchat_sink *sink,
                                                                                 const agentchat_html_options *options,
                                                                                 agentchat_error *err);

/**
 * Writes a web page that shows two snapshots side by side, and commits the stream: messages aligned, changes inside a
 * message marked by word, those that were moved, added and removed, and every difference outside the history. Equal
 * messages are folded. What agentchat_snapshot_write_html() says of the page holds for this one too.
 * @param[in]  before  One snapshot, on the left.
 * @param[in]  after   The other, on the right.
 * @param[in]  sink    The stream; borrowed. After a failure it is not committed.
 * @param[in]  options Options, or NULL; channel and report are not used.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID the title is not UTF-8.
 * @retval AGENTCHAT_E_IO      the stream failed.
 * @threadsafe Yes, on different sinks.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_snapshot_write_html_diff(const agentchat_snapshot *before, const agentchat_snapshot *after,
                                   agentchat_sink *sink, const agentchat_html_options *options, agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
