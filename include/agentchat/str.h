/* SPDX-License-Identifier: Apache-2.0 */
/* Text as it is passed around: an address and a length. */
#ifndef AGENTCHAT_STR_H
#define AGENTCHAT_STR_H

#include <agentchat/export.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A view of bytes, passed by value; not NUL-terminated; NUL bytes inside are data.
 *
 * A view also distinguishes three states, as formats do: *absent* (ptr is NULL), *null* (agentchat_str_null()) and
 * *present*, which may be empty (len is 0, ptr is not NULL). The length of absent and null is 0, so code that does not
 * care may use any view as it is.
 */
typedef struct agentchat_str {
    const char *ptr; /**< bytes; NULL means absent */
    size_t len;      /**< number of bytes */
} agentchat_str;

#ifdef __cplusplus
/** View of a string literal. */
#define AGENTCHAT_STR(literal) (agentchat_str{("" literal), sizeof(literal) - 1})
#else
/** View of a string literal. */
#define AGENTCHAT_STR(literal) ((agentchat_str){("" literal), sizeof(literal) - 1})
#endif
/** For printf: `printf("name " AGENTCHAT_STR_FMT "\n", AGENTCHAT_STR_ARG(name))`. */
#define AGENTCHAT_STR_FMT "%.*s"
/** The two arguments that AGENTCHAT_STR_FMT wants. */
#define AGENTCHAT_STR_ARG(s) (int)((s).len > 0x7fffffffu ? 0x7fffffffu : (s).len), ((s).ptr ? (s).ptr : "")

/**
 * View of a NUL-terminated string.
 * @param[in] text The string; NULL gives an absent view. The view lives as long as @p text.
 * @threadsafe Yes.
 */
AGENTCHAT_API agentchat_str agentchat_str_from(const char *text);

/** The view that stands for an explicit null. @threadsafe Yes. */
AGENTCHAT_API agentchat_str agentchat_str_null(void);

/** Whether @p text is the explicit null of agentchat_str_null(). @threadsafe Yes. */
AGENTCHAT_API bool agentchat_str_is_null(agentchat_str text);

/** Whether two views hold the same bytes in the same state (absent, null, present). @threadsafe Yes. */
AGENTCHAT_API bool agentchat_str_equal(agentchat_str a, agentchat_str b);

#ifdef __cplusplus
}
#endif

#endif
