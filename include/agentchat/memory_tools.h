/* SPDX-License-Identifier: Apache-2.0 */
/* Memory as tools that a model calls: what they are, and answers to its calls. */
#ifndef AGENTCHAT_MEMORY_TOOLS_H
#define AGENTCHAT_MEMORY_TOOLS_H

#include <agentchat/memory.h>
#include <agentchat/message.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @file
 * An agent that decides by itself what is to be remembered calls tools while it answers. These have the names and the
 * arguments that models know: `manage_memory` and `search_memory` of langmem, and Anthropic's `memory`, whose files lie
 * below `/memories`. A call becomes its result; a wrong one becomes a failed result that says what to do.
 */

/** Tools. The numbers are bits, and stable. */
typedef enum agentchat_memory_tool {
    AGENTCHAT_MEMORY_TOOL_MANAGE = 1, /**< `manage_memory`: creates, updates and deletes documents {"content": …} */
    AGENTCHAT_MEMORY_TOOL_SEARCH = 2, /**< `search_memory`: finds them, and gives ids that manage_memory takes */
    AGENTCHAT_MEMORY_TOOL_FILES = 4,  /**< `memory`: views and edits files below `/memories`, each a document
                                           {"text": …}. Directories are namespaces below `memories` */
    AGENTCHAT_MEMORY_TOOL_MAX_ = 0x7fffffff
} agentchat_memory_tool;

/** Options of answering calls. */
typedef struct agentchat_memory_tools_options {
    size_t struct_size;                      /**< sizeof(agentchat_memory_tools_options) */
    const agentchat_memory_put_options *put; /**< how documents are put; its embedder searches, too. `expect` and
                                                `revision` do not count, and what is there keeps its expiry unless
                                                has_ttl is set; NULL: the defaults */
    uint32_t tools;                          /**< bits of the tools that there are; 0: all */
} agentchat_memory_tools_options;
/** Initializer: all tools. */
#define AGENTCHAT_MEMORY_TOOLS_OPTIONS_INIT                                                                            \
    {                                                                                                                  \
        sizeof(agentchat_memory_tools_options), NULL, 0                                                                \
    }
/**
 * AGENTCHAT_MEMORY_TOOLS_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_memory_tools_options_init(agentchat_memory_tools_options *options, size_t size);

/**
 * Writes the definitions of tools, for a request: a JSON array.
 * @param[in]     tools  Bits of tools; 0: all.
 * @param[in]     format `openai-chat` or `anthropic`, where `memory` is the service's own tool `memory_20250818`.
 * @param[in,out] out    Started with AGENTCHAT_BYTES_INIT; the text is appended; unchanged on failure.
 * @param[out]    err    Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID NULL, bits of no tool, a format that has no definitions here.
 * @threadsafe Yes.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_memory_tools_define(uint32_t tools, const char *format,
                                                                                 agentchat_bytes *out,
                                                                                 agentchat_error *err);

/**
 * Does what a call asks for, and adds its result to a message.
 * @param[in]     store   The store.
 * @param[in]     ns      The namespace that the tools see: its own documents, and files in `memories` below it.
 * @param[in]     call    An item of kind AGENTCHAT_ITEM_CALL.
 * @param[in,out] message The message that is built; the result is added to it.
 * @param[in]     options Options, or NULL.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_OK        it has a result; one that failed says what to do.
 * @retval AGENTCHAT_DONE      it calls none of the tools: nothing was added.
 * @retval AGENTCHAT_E_INVALID NULL, an item of another kind, a namespace that is none, or "/".
 * @retval other               the store has failed, as agentchat_memory_put() does; no call is to blame.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_memory_tools_answer(
    agentchat_store *store, const char *ns, const agentchat_item *call, agentchat_message_builder *message,
    const agentchat_memory_tools_options *options, agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
