/* SPDX-License-Identifier: Apache-2.0 */
/* Visibility and attribute macros of the public headers. Nothing here is generated, so adding include/ to the path is
 * enough. */
#ifndef AGENTCHAT_EXPORT_H
#define AGENTCHAT_EXPORT_H

#if defined(__GNUC__) && !defined(AGENTCHAT_STATIC)
#define AGENTCHAT_API __attribute__((visibility("default")))
#else
#define AGENTCHAT_API
#endif

#if defined(__GNUC__)
#define AGENTCHAT_NODISCARD __attribute__((warn_unused_result))
#define AGENTCHAT_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#else
#define AGENTCHAT_NODISCARD
#define AGENTCHAT_PRINTF(format_index, first_argument)
#endif

#endif
