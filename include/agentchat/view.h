/* SPDX-License-Identifier: Apache-2.0 */
/* A chat, or a thread of checkpoints, as one self-contained web page, or as Markdown: the library agentchat-view.
   agentchat.h does not include this. */
#ifndef AGENTCHAT_VIEW_H
#define AGENTCHAT_VIEW_H

#include <agentchat/report.h>
#include <agentchat/snapshot.h>
#include <agentchat/stream.h>
#include <agentchat/thread.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a page is made. */
typedef struct agentchat_html_options {
    size_t struct_size;             /**< sizeof(agentchat_html_options) */
    agentchat_str title;            /**< of the page, UTF-8; absent or empty: "Chat", "Comparison", "Thread" */
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

/** A checkpoint of a thread's page. */
typedef struct agentchat_html_checkpoint {
    const agentchat_checkpoint_info *info; /**< what is known of it */
    agentchat_str summary; /**< what its row in the tree says of its chat, such as the last message in short, UTF-8;
                                absent (ptr NULL): nothing */
} agentchat_html_checkpoint;

/**
 * Gets the chat of a checkpoint for its page; called once for each, in the order in which they stand on the page.
 * @param[in]  user  agentchat_html_thread.user.
 * @param[in]  index Of the checkpoint.
 * @param[out] out   The snapshot, which the page releases (agentchat_snapshot_ref()).
 * @param[out] err   Detail; never NULL.
 * @return AGENTCHAT_OK, or the error with which the page fails.
 */
typedef agentchat_status (*agentchat_html_snapshot_fn)(void *user, size_t index, agentchat_snapshot **out,
                                                       agentchat_error *err);

/** What a thread's page shows. */
typedef struct agentchat_html_thread {
    size_t struct_size;                           /**< sizeof(agentchat_html_thread) */
    const agentchat_html_checkpoint *checkpoints; /**< of one namespace, the newest first */
    size_t count;                                 /**< their number, at least 1 */
    size_t shown;                                 /**< index of the one whose chat the page opens with */
    agentchat_html_snapshot_fn snapshot;          /**< gets their chats */
    void *user;                                   /**< handed to snapshot */
    bool has_more;                                /**< the thread has others, which the page says */
} agentchat_html_thread;
/** Initializer: nothing is to be shown yet. */
#define AGENTCHAT_HTML_THREAD_INIT                                                                                     \
    {                                                                                                                  \
        sizeof(agentchat_html_thread), NULL, 0, 0, NULL, NULL, false                                                   \
    }

/**
 * AGENTCHAT_HTML_THREAD_INIT for languages without macros.
 * @param[out] thread The struct; NULL is allowed.
 * @param[in]  size   Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_html_thread_init(agentchat_html_thread *thread, size_t size);

/**
 * Writes a web page that shows a thread, and commits the stream: its checkpoints as a tree, the chat of one of them,
 * and, for browsers that run the page's script, the chats of the others to choose from. A message stands on the page
 * once, however many checkpoints have it, so that the page grows as the conversation does; of checkpoints that it does
 * not open with, states, values and unknown properties of more than 1 KiB are named only. One snapshot is held at a
 * time. What agentchat_snapshot_write_html() says of the page holds for this one too.
 * @param[in]  thread  What is shown.
 * @param[in]  sink    The stream; borrowed. After a failure it is not committed.
 * @param[in]  options Options, or NULL; channel is one of the checkpoint that the page opens with, report is not used.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID  no checkpoint, or one without what is needed; sequence numbers that do not descend; a
 *                              text that is not UTF-8.
 * @retval AGENTCHAT_E_NOTFOUND there is no channel of that key.
 * @retval AGENTCHAT_E_IO       the stream failed.
 * @threadsafe Yes, on different sinks.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_thread_write_html(const agentchat_html_thread *thread,
                                                                               agentchat_sink *sink,
                                                                               const agentchat_html_options *options,
                                                                               agentchat_error *err);

/** How Markdown is written. */
typedef struct agentchat_markdown_options {
    size_t struct_size;  /**< sizeof(agentchat_markdown_options) */
    agentchat_str title; /**< the heading of the whole, UTF-8; absent or empty: "Chat" */
    bool data; /**< images stand in the text (`data:`) instead of being named; those with an address are links */
} agentchat_markdown_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_MARKDOWN_OPTIONS_INIT                                                                                \
    {                                                                                                                  \
        sizeof(agentchat_markdown_options), {NULL, 0}, false                                                           \
    }

/**
 * AGENTCHAT_MARKDOWN_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_markdown_options_init(agentchat_markdown_options *options, size_t size);

/**
 * Writes the conversation of a snapshot as Markdown (CommonMark, as GitHub and others show it), for issues and
 * documents, and commits the stream: a heading for each message, its texts as paragraphs, calls and results as blocks
 * of code, images as links or, on request, as data. What a message says never becomes markup, a link, a mention or an
 * emoji; characters that would not be seen are shown as their numbers.
 * @param[in]  snapshot The snapshot.
 * @param[in]  sink     The stream; borrowed. After a failure it is not committed.
 * @param[in]  options  Options, or NULL.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID the title is not UTF-8.
 * @retval AGENTCHAT_E_IO      the stream failed.
 * @threadsafe Yes, on different sinks.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_snapshot_write_markdown(const agentchat_snapshot *snapshot, agentchat_sink *sink,
                                  const agentchat_markdown_options *options, agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
