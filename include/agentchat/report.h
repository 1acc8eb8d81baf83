/* SPDX-License-Identifier: Apache-2.0 */
/* What reading, writing, restoring and editing did besides succeeding: one entry per participant, channel and loss. */
#ifndef AGENTCHAT_REPORT_H
#define AGENTCHAT_REPORT_H

#include <agentchat/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A list of entries; immutable once the caller has it. */
typedef struct agentchat_report agentchat_report;

/** What an entry is about. Numbers are stable. */
typedef enum agentchat_report_kind {
    AGENTCHAT_REPORT_NOTE = 1,                /**< read or written in another way than it stood, nothing lost */
    AGENTCHAT_REPORT_REPAIR = 2,              /**< changed or added so that the target format's reader accepts it */
    AGENTCHAT_REPORT_LOSS = 3,                /**< something the target format cannot hold */
    AGENTCHAT_REPORT_PARTICIPANT_MATCHED = 4, /**< restore: an agent of the chat is this participant */
    AGENTCHAT_REPORT_PARTICIPANT_MISSING = 5, /**< restore: no agent of the chat is this participant */
    AGENTCHAT_REPORT_CHANNEL_RESTORED = 6,    /**< restore: state given to an agent of the chat */
    AGENTCHAT_REPORT_CHANNEL_EXTRA = 7,    /**< restore: an agent has no stored state and synchronises at first use */
    AGENTCHAT_REPORT_CHANNEL_KEPT = 8,     /**< restore: a state without an agent stays with the chat */
    AGENTCHAT_REPORT_CHANNEL_UNEDITED = 9, /**< edit: a channel that cannot follow keeps what it was given */
    AGENTCHAT_REPORT_MAX_ = 0x7fffffff
} agentchat_report_kind;

/** How a participant or a channel was matched. Numbers are stable. */
typedef enum agentchat_match {
    AGENTCHAT_MATCH_NONE = 0,
    AGENTCHAT_MATCH_ID = 1,            /**< participant: the same id */
    AGENTCHAT_MATCH_NAME_AND_TYPE = 2, /**< participant */
    AGENTCHAT_MATCH_NAME = 3,          /**< participant: a name that occurs once on both sides */
    AGENTCHAT_MATCH_KEY = 4,           /**< channel: the same key */
    AGENTCHAT_MATCH_RESOLVER = 5,      /**< channel: the caller's resolver */
    AGENTCHAT_MATCH_TYPE = 6,          /**< channel: its type, which occurs once on both sides */
    AGENTCHAT_MATCH_MAX_ = 0x7fffffff
} agentchat_match;

/** One entry, made by the library: later versions may append members. Its views live as long as the report. */
typedef struct agentchat_report_entry {
    agentchat_report_kind kind; /**< what it is about */
    agentchat_match match;      /**< for PARTICIPANT_MATCHED and CHANNEL_RESTORED */
    agentchat_str path;         /**< JSON Pointer in the snapshot's own terms (docs/formats/agentchat.md) */
    agentchat_str text;         /**< one sentence of English without final period */
    agentchat_str key;          /**< channel key or participant id; absent for notes, repairs and losses */
} agentchat_report_entry;

/** Number of entries. @param[in] report NULL gives 0. */
AGENTCHAT_API size_t agentchat_report_count(const agentchat_report *report);

/** Number of entries of one kind. @param[in] report NULL gives 0. @param[in] kind The kind. */
AGENTCHAT_API size_t agentchat_report_count_of(const agentchat_report *report, agentchat_report_kind kind);

/** An entry. @param[in] report NULL gives NULL. @param[in] index From 0.
    @return A view that lives as long as the report; NULL beyond the count. */
AGENTCHAT_API const agentchat_report_entry *agentchat_report_at(const agentchat_report *report, size_t index);

/** Name of a kind, such as "loss". @param[in] kind Any value. @return A static string, "unknown" for no kind. */
AGENTCHAT_API const char *agentchat_report_kind_name(agentchat_report_kind kind);

/** Name of a rule, such as "id". @param[in] match Any value. @return A static string, "unknown" for no rule. */
AGENTCHAT_API const char *agentchat_match_name(agentchat_match match);

/** Releases a report. @param[in] report NULL is allowed. */
AGENTCHAT_API void agentchat_report_free(agentchat_report *report);

#ifdef __cplusplus
}
#endif

#endif
