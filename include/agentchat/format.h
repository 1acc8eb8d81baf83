/* SPDX-License-Identifier: Apache-2.0 */
/* The formats that the library reads and writes. Everywhere else a format is given by its name. */
#ifndef AGENTCHAT_FORMAT_H
#define AGENTCHAT_FORMAT_H

#include <agentchat/export.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a document holds: bits. */
typedef enum agentchat_holds {
    AGENTCHAT_HOLDS_CHAT = 1,    /**< a history with participants, channels and values: a complete snapshot */
    AGENTCHAT_HOLDS_HISTORY = 2, /**< a history alone, read as a snapshot of nothing else */
    AGENTCHAT_HOLDS_SESSION = 4, /**< a session with its events */
    AGENTCHAT_HOLDS_EVENT = 8,   /**< one event */
    AGENTCHAT_HOLDS_MAX_ = 0x7fffffff
} agentchat_holds;

/** A format. Made by the library only: later versions may add members at the end. */
typedef struct agentchat_format {
    const char *name; /**< by which options ask for it, such as "semantic-kernel"; also the tag of what came from it */
    const char *summary; /**< one line without a full stop */
    uint32_t reads;      /**< what it is read as: bits of agentchat_holds */
    uint32_t writes;     /**< what it is written as: bits of agentchat_holds */
    bool has_strict;     /**< agentchat_write_options.strict means something */
} agentchat_format;

/** Number of formats. */
AGENTCHAT_API size_t agentchat_format_count(void);

/**
 * A format, in the order in which they are asked whether a document is theirs.
 * @param[in] index From 0.
 * @return A static description; NULL when there is no such format.
 */
AGENTCHAT_API const agentchat_format *agentchat_format_at(size_t index);

/**
 * The format of a name.
 * @param[in] name The name; NULL gives NULL.
 * @return A static description; NULL when no format has the name.
 */
AGENTCHAT_API const agentchat_format *agentchat_format_find(const char *name);

#ifdef __cplusplus
}
#endif

#endif
