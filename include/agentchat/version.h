/* SPDX-License-Identifier: Apache-2.0 */
/* Version of the headers (macros) and of the linked library (function). */
#ifndef AGENTCHAT_VERSION_H
#define AGENTCHAT_VERSION_H

#include <agentchat/export.h>

/** Major version: changes when programs must change. */
#define AGENTCHAT_VERSION_MAJOR 0
/** Minor version: changes when something is added. */
#define AGENTCHAT_VERSION_MINOR 1
/** Patch version: changes when something is fixed. */
#define AGENTCHAT_VERSION_PATCH 0
/** The three numbers as text. */
#define AGENTCHAT_VERSION_STRING "0.1.0"
/** The three numbers as one that can be compared, such as 0x000100. */
#define AGENTCHAT_VERSION_HEX                                                                                          \
    ((AGENTCHAT_VERSION_MAJOR << 16) | (AGENTCHAT_VERSION_MINOR << 8) | AGENTCHAT_VERSION_PATCH)
/** Whether the headers are of this version or a later one. */
#define AGENTCHAT_VERSION_AT_LEAST(major, minor, patch)                                                                \
    (AGENTCHAT_VERSION_HEX >= (((major) << 16) | ((minor) << 8) | (patch)))

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Version of the library that is linked, such as "0.1.0".
 *
 * @return A static string, never NULL.
 * @threadsafe Yes.
 * @since 0.1
 */
AGENTCHAT_API const char *agentchat_version(void);

#ifdef __cplusplus
}
#endif

#endif
