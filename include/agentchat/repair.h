/* SPDX-License-Identifier: Apache-2.0 */
/* Making a history one that a model's provider accepts, and saying what it would refuse. */
#ifndef AGENTCHAT_REPAIR_H
#define AGENTCHAT_REPAIR_H

#include <agentchat/list_edit.h>
#include <agentchat/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @file
 * Providers refuse histories that are broken: calls without a result, results that stand elsewhere, names and ids of
 * another provider. A **profile** is a table of what one of them refuses. Repair changes as little as it can: it moves
 * or renames, else inserts or turns into text, else drops. It never drops a text, and never invents a result that
 * exists. A history that is legal comes back as it is, and so does one that was repaired.
 *
 * Calls of the last turn that have no result yet are no error: the history waits for them.
 */

/** What may be wrong. Numbers are stable. */
typedef enum agentchat_repair_rule {
    AGENTCHAT_REPAIR_CALL_ALONE = 1,       /**< a call has no result: a failed one is inserted that says so */
    AGENTCHAT_REPAIR_RESULT_ALONE = 2,     /**< a result has no call: it becomes a text of the user */
    AGENTCHAT_REPAIR_RESULT_ELSEWHERE = 3, /**< a result does not follow its call: it is moved there */
    AGENTCHAT_REPAIR_RESULT_TWICE = 4,     /**< a call has two results: they become one */
    AGENTCHAT_REPAIR_ID_TWICE = 5,         /**< two calls of a message have one id: the later one gets another */
    AGENTCHAT_REPAIR_ID_FORM = 6,          /**< an id is missing, or has other characters or too many: another one */
    AGENTCHAT_REPAIR_NAME_FORM = 7,        /**< a function's name has other characters or too many: they are replaced */
    AGENTCHAT_REPAIR_EMPTY = 8,        /**< a message has nothing that can be written, and is no answer at the end that
                                            may be so: it goes; a result: it gets an empty text */
    AGENTCHAT_REPAIR_ARGUMENTS = 9,    /**< arguments are no object: they become a member of one */
    AGENTCHAT_REPAIR_RESULT_ROLE = 10, /**< results stand in messages of another role, each in its own: they are put
                                            together in one of the profile's */
    AGENTCHAT_REPAIR_SYSTEM = 11,      /**< a system message is not the first: it becomes part of that */
    AGENTCHAT_REPAIR_REASONING = 12,   /**< reasoning is not signed by the provider: it goes */
    AGENTCHAT_REPAIR_FIRST = 13,       /**< the assistant speaks first. Never repaired */
    AGENTCHAT_REPAIR_EMPTY_TEXT = 14,  /**< a text is empty: it goes */
    AGENTCHAT_REPAIR_WHITESPACE_TEXT = 15, /**< a text of another format is whitespace, beside other items: it goes */
    AGENTCHAT_REPAIR_MEDIA = 16,           /**< an image, audio or file of a kind that is not taken: it becomes one that
                                                is, or the text that it holds, or a text that says what is missing */
    AGENTCHAT_REPAIR_ITEM_ROLE = 17, /**< an item stands in a message whose role has none such: a message of the user
                                          with it follows */
    AGENTCHAT_REPAIR_AUTHOR = 18,    /**< an author's name has other characters: they are replaced */
    AGENTCHAT_REPAIR_FORM = 19,      /**< a member is spelled as the provider does not take it: as it does */
    AGENTCHAT_REPAIR_SAME_ROLE = 20, /**< two messages of a role follow each other. Never repaired */
    AGENTCHAT_REPAIR_MAX_ = 0x7fffffff
} agentchat_repair_rule;

/** A row of a profile: a rule that counts, and why. */
typedef struct agentchat_repair_row {
    agentchat_repair_rule rule; /**< the rule */
    bool is_advice;             /**< only documentation says so: it is reported, and never repaired */
    const char *why;            /**< what the provider says, or how this is known; static */
} agentchat_repair_row;

/** An image, audio, binary or file item that a provider takes. */
typedef struct agentchat_repair_media {
    agentchat_item_kind kind; /**< the kind */
    const char *mime_type;    /**< of its data, such as "image/png"; NULL: a link, or the id of a file */
    const char *marked;       /**< a member of the format's own form mark without which it is not taken; NULL: none */
} agentchat_repair_media;

/** A spelling that a format notes when it reads, and that its provider refuses: a member of a form mark. */
typedef struct agentchat_repair_form {
    const char *member; /**< its name */
    const char *value;  /**< its value, a text */
} agentchat_repair_form;

/** What a provider refuses. The library has some; a caller may have others. */
typedef struct agentchat_repair_profile {
    size_t struct_size;                  /**< sizeof(agentchat_repair_profile) */
    const char *name;                    /**< such as "anthropic" */
    const agentchat_repair_row *rows;    /**< the rules that count, each once */
    size_t row_count;                    /**< how many */
    const char *result_role;             /**< role of messages that have results, such as "tool" */
    const char *issuer;                  /**< whose signatures of reasoning count; NULL: all do */
    size_t id_most;                      /**< bytes of a call's id at most, of letters, digits, _ and -; 0: any */
    size_t name_most;                    /**< the same of a function's name */
    bool any_id;                         /**< ids may have any characters */
    bool has_failed;                     /**< results can say that they failed */
    bool takes_empty_answer;             /**< an assistant's message without anything in it may end the history */
    bool takes_empty_results;            /**< the content of results may be without items */
    bool results_anywhere;               /**< results may stand anywhere after their calls */
    bool media_in_results;               /**< the content of results may have images and files */
    const agentchat_repair_media *media; /**< the images and files that are taken, in messages of the user; NULL: any */
    size_t media_count;                  /**< how many */
    const agentchat_repair_form *forms;  /**< spellings that are not taken; NULL: none */
    size_t form_count;                   /**< how many */
    const char *item_extra;              /**< what messages of other formats have beside their content, and has to stand
                                              in its last item here, such as "cache_control"; NULL: nothing */
    const char *author_without; /**< what an author's name of at most 64 bytes must not have beside whitespace and
                                     control characters; NULL: names do not count */
    const char *item_id; /**< the extra by which the provider knows an item that it has stored, such as "id": reasoning
                              that has it counts as signed, and needs what followed it. Such a provider takes items by
                              themselves: results may follow their calls in one message. NULL: there is none */
} agentchat_repair_profile;

/** A profile of the library. @param[in] name `openai-chat`, `openai-responses` or `anthropic`. @return A static table;
   NULL: there is none of that name. @threadsafe Yes. */
AGENTCHAT_API const agentchat_repair_profile *agentchat_repair_profile_find(const char *name);

/** Options of a repair. */
typedef struct agentchat_repair_options {
    size_t struct_size; /**< sizeof(agentchat_repair_options) */
    const char *from; /**< the format of the history: system messages that are not the first stay where a history is of
                         the provider's own, which takes some. NULL: another one */
    bool complete;    /**< calls of the last turn that wait for their results get failed ones, too */
} agentchat_repair_options;
/** Initializer: a history that waits stays so. */
#define AGENTCHAT_REPAIR_OPTIONS_INIT                                                                                  \
    {                                                                                                                  \
        sizeof(agentchat_repair_options), NULL, false                                                                  \
    }
/**
 * AGENTCHAT_REPAIR_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_repair_options_init(agentchat_repair_options *options, size_t size);

/**
 * Repairs a history for a provider. What it is given stays as it is.
 * @param[in]  env      Environment or NULL.
 * @param[in]  messages The history, the oldest message first; NULL is an empty one.
 * @param[in]  profile  What the provider refuses.
 * @param[in]  options  Options, or NULL.
 * @param[out] out      The history that is accepted: another reference on @p messages if nothing was wrong
 *                      (agentchat_messages_unref()); NULL on failure. NULL: not wanted.
 * @param[out] edit     What was changed, as an edit list (agentchat_list_edit_free()). NULL: not wanted.
 * @param[out] report   One repair for each change, and a loss for what went: reasoning, media, a message of
 *                      which nothing can be written; with JSON Pointers as /history/4/items/1. NULL: not wanted.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p profile is NULL or none.
 * @threadsafe Yes.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_repair(const agentchat_env *env, const agentchat_messages *messages, const agentchat_repair_profile *profile,
                 const agentchat_repair_options *options, agentchat_messages **out, agentchat_list_edit **edit,
                 agentchat_report **report, agentchat_error *err);
/**
 * Says what a provider would refuse, and changes nothing.
 * @param[in]  env      Environment or NULL.
 * @param[in]  messages The history; NULL is an empty one.
 * @param[in]  profile  What the provider refuses.
 * @param[in]  options  Options, or NULL.
 * @param[out] report   A repair or loss for each thing that would be changed, and a note for each piece of advice
 *                      (agentchat_report_free()); NULL on failure.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p profile is NULL or none.
 * @threadsafe Yes.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_check_for(const agentchat_env *env,
                                                                       const agentchat_messages *messages,
                                                                       const agentchat_repair_profile *profile,
                                                                       const agentchat_repair_options *options,
                                                                       agentchat_report **report, agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
