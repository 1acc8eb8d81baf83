/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Editing lists of messages: what stays, goes, is replaced or added. Every function here is pure: it looks at a list
 * and says what to do with it, as an edit list; nothing that it is given changes. agentchat_list_edit_apply() makes the
 * list that results.
 *
 *     agentchat_trim_options trim = AGENTCHAT_TRIM_OPTIONS_INIT;
 *
 *     trim.max_tokens = 8000;
 *     trim.include_system = true;
 *     trim.start_on = "user";
 *     if (agentchat_messages_trim(NULL, history, &trim, &edit, &err) >= 0 &&
 *         agentchat_list_edit_apply(edit, history, &shorter, &err) >= 0)
 *         …
 *
 * Roles are compared as the field has them: "human" and "ai" mean "user" and "assistant", "developer" counts as
 * "system". docs/list-edits.md compares all this with what LangGraph and LangChain do.
 */
#ifndef AGENTCHAT_LIST_EDIT_H
#define AGENTCHAT_LIST_EDIT_H

#include <agentchat/message.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- edit lists ------------------------------------------------------------------------------------------------ */

/** What becomes of the elements of a list of a known length, and what comes between them. One thread at a time. */
typedef struct agentchat_list_edit agentchat_list_edit;

/** What becomes of elements. Numbers are stable. */
typedef enum agentchat_edit_kind {
    AGENTCHAT_EDIT_KEEP = 1,    /**< they stay */
    AGENTCHAT_EDIT_REMOVE = 2,  /**< they go */
    AGENTCHAT_EDIT_REPLACE = 3, /**< the element becomes `message` */
    AGENTCHAT_EDIT_INSERT = 4,  /**< `message` comes before the element, or at the end */
    AGENTCHAT_EDIT_MAX_ = 0x7fffffff
} agentchat_edit_kind;

/** A step of an edit list. Filled by the library. */
typedef struct agentchat_edit_step {
    agentchat_edit_kind kind; /**< 0 before the first step */
    size_t index;             /**< of the first element, in the list as it was */
    size_t count;             /**< of the elements; 0 for INSERT */
    const agentchat_message
        *message;    /**< of REPLACE and INSERT: a view that lives as long as the edit list; else NULL */
    size_t position; /**< for agentchat_list_edit_next() */
} agentchat_edit_step;

/**
 * Makes an edit list that keeps everything.
 * @param[in]  env    Environment or NULL; must outlive the edit list.
 * @param[in]  length Number of the elements of the list.
 * @param[out] out    The edit list (agentchat_list_edit_free()); NULL on failure.
 * @param[out] err    Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_list_edit_new(const agentchat_env *env, size_t length,
                                                                           agentchat_list_edit **out,
                                                                           agentchat_error *err);

/**
 * Removes elements, replaced ones too; what comes between them stays.
 * @param[in] edit  The edit list; unchanged on failure.
 * @param[in] index Of the first one, in the list as it was.
 * @param[in] count Their number.
 * @param[out] err  Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p edit is NULL, or the list has no such elements.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_list_edit_remove(agentchat_list_edit *edit, size_t index,
                                                                              size_t count, agentchat_error *err);

/**
 * Replaces an element, a removed or replaced one too.
 * @param[in] edit    The edit list; unchanged on failure.
 * @param[in] index   Of the element, in the list as it was.
 * @param[in] message What it becomes; a reference is taken.
 * @param[out] err    Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p edit or @p message is NULL, or the list has no such element.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_list_edit_replace(agentchat_list_edit *edit, size_t index,
                                                                               const agentchat_message *message,
                                                                               agentchat_error *err);

/**
 * Inserts a message before an element; of several before one element the first comes first.
 * @param[in] edit    The edit list; unchanged on failure.
 * @param[in] index   Of the element, in the list as it was; its length: at the end.
 * @param[in] message The message; a reference is taken.
 * @param[out] err    Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p edit or @p message is NULL, or @p index is beyond the end.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_list_edit_insert(agentchat_list_edit *edit, size_t index,
                                                                              const agentchat_message *message,
                                                                              agentchat_error *err);

/**
 * Keeps a range of the elements and removes the others, as a slice of Python does it: a negative bound counts from the
 * end, NULL is an open one, and what lies beyond the list is cut off.
 * @param[in] edit The edit list; unchanged on failure.
 * @param[in] from Of the first element that stays; NULL: from the beginning.
 * @param[in] to   Of the element after the last one that stays; NULL: up to the end.
 * @param[out] err Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p edit is NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_list_edit_keep(agentchat_list_edit *edit,
                                                                            const int64_t *from, const int64_t *to,
                                                                            agentchat_error *err);

/** Length of the list that an edit list was made for. @param[in] edit NULL gives 0. */
AGENTCHAT_API size_t agentchat_list_edit_length(const agentchat_list_edit *edit);
/** Length of the list that results. @param[in] edit NULL gives 0. */
AGENTCHAT_API size_t agentchat_list_edit_result_length(const agentchat_list_edit *edit);
/** Whether an edit list changes nothing. @param[in] edit NULL gives true. */
AGENTCHAT_API bool agentchat_list_edit_is_empty(const agentchat_list_edit *edit);

/**
 * Walks over the steps of an edit list, which stand in the order of the list; neighbours that are kept or removed are
 * one step.
 * @param[in]     edit The edit list, which must not change meanwhile; NULL has no steps.
 * @param[in,out] step All zero to begin with.
 * @return false after the last step.
 */
AGENTCHAT_API bool agentchat_list_edit_next(const agentchat_list_edit *edit, agentchat_edit_step *step);

/**
 * Makes the list that results. What stays at the beginning is shared with the list, not copied.
 * @param[in]  edit     The edit list.
 * @param[in]  messages The list that it was made for, or another one of its length.
 * @param[out] out      The new list (agentchat_messages_unref()); NULL on failure.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID an argument is NULL, or the list has another length.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_list_edit_apply(const agentchat_list_edit *edit,
                                                                             const agentchat_messages *messages,
                                                                             agentchat_messages **out,
                                                                             agentchat_error *err);

/** Releases an edit list. @param[in] edit NULL is allowed. */
AGENTCHAT_API void agentchat_list_edit_free(agentchat_list_edit *edit);

/* ---- choosing messages ----------------------------------------------------------------------------------------- */

/**
 * Decides about a message.
 * @param[in] user    As given beside the function.
 * @param[in] message The message.
 * @return true when it is chosen.
 */
typedef bool (*agentchat_message_test_fn)(void *user, const agentchat_message *message);

/**
 * Removes the messages that a test chooses.
 * @param[in]  env      Environment or NULL.
 * @param[in]  messages The list.
 * @param[in]  test     The test, called once for each message, in order.
 * @param[in]  user     Handed to @p test.
 * @param[out] out      The edit list; NULL on failure.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p messages, @p test or @p out is NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_messages_remove_if(const agentchat_env *env,
                                                                                const agentchat_messages *messages,
                                                                                agentchat_message_test_fn test,
                                                                                void *user, agentchat_list_edit **out,
                                                                                agentchat_error *err);

/** What a filter removes and keeps. Each list ends with NULL; NULL or an empty list is no condition. */
typedef struct agentchat_filter_options {
    size_t struct_size;                  /**< sizeof(agentchat_filter_options) */
    const char *const *exclude_names;    /**< authors whose messages go */
    const char *const *exclude_roles;    /**< roles whose messages go */
    const char *const *exclude_ids;      /**< ids of messages that go */
    const char *const *include_names;    /**< of the others those of these authors stay, … */
    const char *const *include_roles;    /**< … those of these roles, … */
    const char *const *include_ids;      /**< … and those with these ids; without any of the three all stay */
    const char *const *exclude_call_ids; /**< ids of calls that go, with their results; a message that had nothing but
                                             such calls or results goes */
    bool exclude_calls;                  /**< messages with calls or results go */
} agentchat_filter_options;

/** Initialiser with the defaults. */
#define AGENTCHAT_FILTER_OPTIONS_INIT                                                                                  \
    {                                                                                                                  \
        sizeof(agentchat_filter_options), NULL, NULL, NULL, NULL, NULL, NULL, NULL, false                              \
    }
/**
 * AGENTCHAT_FILTER_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_filter_options_init(agentchat_filter_options *options, size_t size);

/**
 * Filters a list by authors, roles, ids and calls, as LangChain's `filter_messages` does.
 * Source: reference of langchain-core 1.7.2, langchain_core/messages/utils.py.
 * @param[in]  env      Environment or NULL.
 * @param[in]  messages The list.
 * @param[in]  options  The conditions; NULL: none, everything stays.
 * @param[out] out      The edit list: removals, and replacements where single calls went; NULL on failure.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p messages or @p out is NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_messages_filter(const agentchat_env *env,
                                                                             const agentchat_messages *messages,
                                                                             const agentchat_filter_options *options,
                                                                             agentchat_list_edit **out,
                                                                             agentchat_error *err);

/**
 * The last message with an id.
 * @param[in]  messages The list; NULL is an empty one.
 * @param[in]  id       The id.
 * @param[out] index    Its index, if there is one; NULL: not wanted.
 * @return Whether there is one.
 */
AGENTCHAT_API bool agentchat_messages_find_id(const agentchat_messages *messages, agentchat_str id, size_t *index);

/**
 * Removes all but the last messages. A call and its results stay together: where the border would come between them,
 * all of them go.
 * @param[in]  env      Environment or NULL.
 * @param[in]  messages The list.
 * @param[in]  count    How many stay at most.
 * @param[out] out      The edit list; NULL on failure.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p messages or @p out is NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_messages_keep_last(const agentchat_env *env,
                                                                                const agentchat_messages *messages,
                                                                                size_t count, agentchat_list_edit **out,
                                                                                agentchat_error *err);

/* ---- adding messages by id ------------------------------------------------------------------------------------- */

/** The id that removes all messages, as LangGraph's REMOVE_ALL_MESSAGES. */
#define AGENTCHAT_REMOVE_ALL AGENTCHAT_STR("__remove_all__")

/** An update of a list of messages: a message, or the removal of one. */
typedef struct agentchat_message_update {
    const agentchat_message *message; /**< to be added, or to take the place of the one with its id; NULL: a removal */
    agentchat_str remove; /**< of a removal: the id of the message; AGENTCHAT_REMOVE_ALL: all that came before */
} agentchat_message_update;

/**
 * Adds messages as LangGraph's `add_messages` does: one whose id the list has replaces that message, others are
 * appended. A removal removes every message with its id; a message with that id after the removal takes the place
 * again. AGENTCHAT_REMOVE_ALL empties the list, and the updates after it are made to the empty one.
 * Messages without an id get one, a random UUID, those of the list too: they are replaced by copies. Source: reference
 * of langgraph 1.2.22, langgraph/graph/message.py.
 * @param[in]  env      Environment or NULL; its random bytes make the ids.
 * @param[in]  messages The list.
 * @param[in]  updates  What comes; NULL when @p count is 0.
 * @param[in]  count    Their number.
 * @param[out] out      The edit list; NULL on failure.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p messages or @p out is NULL; an update is neither a message nor a removal.
 * @retval AGENTCHAT_E_NOTFOUND a removal names an id that is not there.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_messages_add(const agentchat_env *env,
                                                                          const agentchat_messages *messages,
                                                                          const agentchat_message_update *updates,
                                                                          size_t count, agentchat_list_edit **out,
                                                                          agentchat_error *err);

/* ---- merging runs ---------------------------------------------------------------------------------------------- */

/** How runs of messages are merged. */
typedef struct agentchat_merge_options {
    size_t struct_size;    /**< sizeof(agentchat_merge_options) */
    const char *separator; /**< between two texts that become one; NULL: a line feed */
} agentchat_merge_options;

/** Initialiser with the defaults. */
#define AGENTCHAT_MERGE_OPTIONS_INIT                                                                                   \
    {                                                                                                                  \
        sizeof(agentchat_merge_options), NULL                                                                          \
    }
/**
 * AGENTCHAT_MERGE_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_merge_options_init(agentchat_merge_options *options, size_t size);

/**
 * Merges neighbours of one role into one message each, as LangChain's `merge_message_runs` does; some services refuse
 * two messages of one role in a row. The first message of a run gets the content of all: where each has one text
 * besides calls, and no form mark on it, the texts become one text, empty ones without a separator, with the calls
 * after it; otherwise the items stand one after another. It keeps its id (of an assistant's run the first id that there
 * is, one that begins with "lc_" last), its metadata and its extras, and its author where all messages of the run have
 * that one. Messages of tools and messages with results are never merged, nor are messages of the role "function" with
 * different authors. Source: reference of langchain-core 1.7.2, langchain_core/messages/utils.py.
 * @param[in]  env      Environment or NULL.
 * @param[in]  messages The list.
 * @param[in]  options  Options or NULL.
 * @param[out] out      The edit list: of each run a replacement and removals; NULL on failure.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p messages or @p out is NULL; options that are none.
 * @threadsafe Yes.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_messages_merge_runs(const agentchat_env *env,
                                                                                 const agentchat_messages *messages,
                                                                                 const agentchat_merge_options *options,
                                                                                 agentchat_list_edit **out,
                                                                                 agentchat_error *err);

/* ---- lists of JSON values -------------------------------------------------------------------------------------- */

/**
 * Makes a list's new value from an update of it.
 * @param[in]     user     As given beside the function.
 * @param[in]     existing The list as it is, a JSON array.
 * @param[in]     update   The update, one JSON value.
 * @param[in,out] out      Empty; the new list, a JSON array, is appended (agentchat_bytes_append()).
 * @param[out]    err      Detail of a failure, or NULL.
 * @return AGENTCHAT_OK; AGENTCHAT_DONE: the update is none that it understands; a failure ends what asked for the list,
 *         with that status.
 */
typedef agentchat_status (*agentchat_json_reducer_fn)(void *user, agentchat_str existing, agentchat_str update,
                                                      agentchat_bytes *out, agentchat_error *err);

/**
 * Updates a list of JSON values, as the list reducer of LangGraph's page on memory does. An update is a list, whose
 * elements are appended, or an object:
 * `{"type":"append","value":V}` appends one value;
 * `{"type":"keep","from":A,"to":B}` keeps a range by Python's slice rules: integers, of which a negative one counts
 * from the end, or null for an open bound; what lies beyond the list is cut off;
 * `{"type":"clear"}` removes all;
 * `{"__overwrite__":L}` and `{"type":"__overwrite__","value":L}` replace the list by L.
 * A reducer of the caller's is asked first. Elements keep their spelling.
 * @param[in]     env      Environment or NULL.
 * @param[in]     existing The list, a JSON array; absent is an empty one.
 * @param[in]     update   The update, JSON text.
 * @param[in]     reducer  The caller's reducer, or NULL.
 * @param[in]     user     Handed to @p reducer.
 * @param[in,out] out      Started with AGENTCHAT_BYTES_INIT; the new list is appended; unchanged on failure.
 * @param[out]    err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p existing or what @p reducer made is no array; no reducer understands @p update; @p out
 *                             is NULL.
 * @retval AGENTCHAT_E_SYNTAX  @p existing, @p update or what @p reducer made is not JSON.
 * @retval AGENTCHAT_E_LIMIT   one of them is deeper than the environment allows.
 * @threadsafe Yes, on different @p out, as far as @p reducer is.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_json_list_reduce(const agentchat_env *env, agentchat_str existing, agentchat_str update,
                           agentchat_json_reducer_fn reducer, void *user, agentchat_bytes *out, agentchat_error *err);

/* ---- tokens ---------------------------------------------------------------------------------------------------- */

/**
 * Counts the tokens of messages. It is called with runs of a list, and must not depend on anything else.
 * @param[in]  user     As given beside the function.
 * @param[in]  messages The messages, in order.
 * @param[in]  count    Their number.
 * @param[out] tokens   Their tokens together.
 * @param[out] err      Detail of a failure, or NULL.
 * @return A failure ends what asked for the count, with that status.
 */
typedef agentchat_status (*agentchat_token_counter_fn)(void *user, const agentchat_message *const *messages,
                                                       size_t count, uint64_t *tokens, agentchat_error *err);

/** Options of agentchat_count_approximately(). */
typedef struct agentchat_token_options {
    size_t struct_size;        /**< sizeof(agentchat_token_options) */
    double chars_per_token;    /**< code points to a token; 0: 4; not less */
    double extra_per_message;  /**< tokens that a message has besides; 0: 3. Less than 0: none; not NaN */
    uint64_t tokens_per_image; /**< of an image, a sound or a file, whatever its size; 0: 85 */
    bool skip_names;           /**< authors' names are not counted */
    bool scale_by_usage;       /**< what services counted corrects the estimate: when the metadata of every assistant's
                                    message names one provider (`response_metadata.model_provider`), it is multiplied by
                                    the last `usage_metadata.total_tokens` divided by the estimate up to that message,
                                    by 1 at least and 1.25 at most. The factor is that of the list which is counted: a
                                    list from which trimming took whole calls may count over its budget, by a quarter at
                                    most */
    const char *tools;         /**< definitions of tools that a model is given besides, a JSON array; NULL: none */
} agentchat_token_options;

/** Initialiser with the defaults. */
#define AGENTCHAT_TOKEN_OPTIONS_INIT                                                                                   \
    {                                                                                                                  \
        sizeof(agentchat_token_options), 0, 0, 0, false, false, NULL                                                   \
    }
/**
 * AGENTCHAT_TOKEN_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_token_options_init(agentchat_token_options *options, size_t size);

/**
 * Counts as LangChain's `count_tokens_approximately` does, from the code points of texts, calls, roles and names. An
 * image, a sound or a file costs what agentchat_token_options::tokens_per_image says: no service bills the characters
 * of its base64. That holds for long base64 in results and in parts of an unknown kind, too. More than 64 bits hold is
 * UINT64_MAX.
 * Source: reference of langchain-core 1.7.2, langchain_core/messages/utils.py.
 * @param[in]  user     Options (agentchat_token_options); NULL: the defaults.
 * @param[in]  messages The messages; NULL when @p count is 0.
 * @param[in]  count    Their number.
 * @param[out] tokens   Their tokens together.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID options that are none; tools that are no JSON array.
 * @retval AGENTCHAT_E_SYNTAX  tools that are not JSON.
 * @threadsafe Yes.
 */
AGENTCHAT_API agentchat_status agentchat_count_approximately(void *user, const agentchat_message *const *messages,
                                                             size_t count, uint64_t *tokens, agentchat_error *err);
/**
 * Counts messages.
 * @param[in]  user     Not used; NULL is allowed.
 * @param[in]  messages Not looked at; NULL is allowed.
 * @param[in]  count    Their number.
 * @param[out] tokens   Their tokens together.
 * @param[out] err      Detail, or NULL.
 * @threadsafe Yes.
 */
AGENTCHAT_API agentchat_status agentchat_count_messages(void *user, const agentchat_message *const *messages,
                                                        size_t count, uint64_t *tokens, agentchat_error *err);
/**
 * Counts the code points of texts, those of results and of nested messages too.
 * @param[in]  user     Not used; NULL is allowed.
 * @param[in]  messages The messages; NULL when @p count is 0.
 * @param[in]  count    Their number.
 * @param[out] tokens   Their tokens together.
 * @param[out] err      Detail, or NULL.
 * @threadsafe Yes.
 */
AGENTCHAT_API agentchat_status agentchat_count_characters(void *user, const agentchat_message *const *messages,
                                                          size_t count, uint64_t *tokens, agentchat_error *err);

/**
 * Counts the tokens of a list.
 * @param[in]  messages The list; NULL is an empty one.
 * @param[in]  counter  The counter; NULL: agentchat_count_approximately().
 * @param[in]  user     Handed to @p counter.
 * @param[out] tokens   Their number; 0 on failure.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p tokens is NULL, or options that are none; or what @p counter returns.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_messages_count_tokens(const agentchat_messages *messages,
                                                                                   agentchat_token_counter_fn counter,
                                                                                   void *user, uint64_t *tokens,
                                                                                   agentchat_error *err);

/* ---- trimming -------------------------------------------------------------------------------------------------- */

/** Which end of a list stays. */
typedef enum agentchat_trim_strategy {
    AGENTCHAT_TRIM_LAST = 0,  /**< the newest messages */
    AGENTCHAT_TRIM_FIRST = 1, /**< the oldest ones */
    AGENTCHAT_TRIM_MAX_ = 0x7fffffff
} agentchat_trim_strategy;

/**
 * Splits a text into pieces, of which some may stay when a message is cut.
 * @param[in] user As given beside the function.
 * @param[in] text What is left of the text; not empty.
 * @return Length of the first piece, in bytes: between characters; 0, or more than there is: all of it.
 */
typedef size_t (*agentchat_text_splitter_fn)(void *user, agentchat_str text);

/** How a list is trimmed. */
typedef struct agentchat_trim_options {
    size_t struct_size;                 /**< sizeof(agentchat_trim_options) */
    uint64_t max_tokens;                /**< as many tokens stay at most */
    agentchat_token_counter_fn counter; /**< NULL: agentchat_count_approximately() */
    void *counter_user;                 /**< handed to it */
    agentchat_trim_strategy strategy;   /**< which end stays */
    const char *start_on;               /**< roles with which what stays may begin, separated by commas; NULL, "": any.
                                             TRIM_LAST only */
    const char *end_on;                 /**< roles with which it may end; NULL, "": any */
    bool include_system;                /**< a system message at the beginning stays, even alone over the budget.
                                             TRIM_LAST only */
    bool split_calls;                   /**< a call may stay without its results, and results without their call, as
                                             LangChain has it; otherwise all of them go where one does, and what
                                             stays neither begins nor ends with one that has none in the list */
    bool allow_partial;               /**< the message at the border may be cut: parts of its content go, then pieces of
                                           its text; a result only with split_calls */
    agentchat_text_splitter_fn split; /**< NULL: a piece ends after a line feed */
    void *split_user;                 /**< handed to it */
} agentchat_trim_options;

/** Initialiser with the defaults. */
#define AGENTCHAT_TRIM_OPTIONS_INIT                                                                                    \
    {                                                                                                                  \
        sizeof(agentchat_trim_options), 0, NULL, NULL, AGENTCHAT_TRIM_LAST, NULL, NULL, false, false, false, NULL,     \
            NULL                                                                                                       \
    }
/**
 * AGENTCHAT_TRIM_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_trim_options_init(agentchat_trim_options *options, size_t size);

/**
 * Trims a list to a number of tokens, as LangChain's `trim_messages` does; calls and their results stay together.
 * The counter is taken to grow with the list: how many messages fit is found by halving.
 * Source: reference of langchain-core 1.7.2, langchain_core/messages/utils.py.
 * @param[in]  env      Environment or NULL.
 * @param[in]  messages The list.
 * @param[in]  options  The options.
 * @param[out] out      The edit list, of removals, and of one replacement when a message was cut; NULL on failure.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID an argument is NULL; `start_on` or `include_system` with TRIM_FIRST; or what the counter
 *                             returns.
 * @threadsafe Yes, as far as the counter is.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_messages_trim(const agentchat_env *env,
                                                                           const agentchat_messages *messages,
                                                                           const agentchat_trim_options *options,
                                                                           agentchat_list_edit **out,
                                                                           agentchat_error *err);

/* ---- running summary ------------------------------------------------------------------------------------------- */

/** What a model is asked for when there is no summary yet, unless options say something else. */
#define AGENTCHAT_SUMMARY_CREATE "Create a summary of the conversation above:"
/** The same when there is one, which stands where this says {summary}. */
#define AGENTCHAT_SUMMARY_EXTEND                                                                                       \
    "This is a summary of the conversation to date: {summary}\n\n"                                                     \
    "Extend the summary by taking into account the new messages above:"

/**
 * Summarises a conversation, mostly by asking a model.
 * @param[in]     user     As given beside the function.
 * @param[in]     messages What to ask: the messages, and after them a user's message that says what is wanted.
 * @param[in,out] out      Empty; the summary, UTF-8, is appended (agentchat_bytes_append()).
 * @param[out]    err      Detail of a failure, or NULL.
 * @return A failure ends what asked for the summary, with that status.
 */
typedef agentchat_status (*agentchat_summarizer_fn)(void *user, const agentchat_messages *messages,
                                                    agentchat_bytes *out, agentchat_error *err);

/** How a running summary is made. */
typedef struct agentchat_summary_options {
    size_t struct_size;                 /**< sizeof(agentchat_summary_options) */
    size_t keep_last;                   /**< as many messages stay at most, the newest; 0: 2 */
    uint64_t max_tokens;                /**< no summary is made while what the last one does not cover has no more
                                             tokens; 0: it is always made */
    agentchat_token_counter_fn counter; /**< NULL: agentchat_count_approximately() */
    void *counter_user;                 /**< handed to it */
    const char *create_prompt;          /**< NULL: AGENTCHAT_SUMMARY_CREATE */
    const char *extend_prompt;          /**< "{summary}" in it is the summary so far; NULL: AGENTCHAT_SUMMARY_EXTEND */
    const char *introduction; /**< a system message of this text and the summary comes before what stays; NULL:
                                   none does */
    bool include_system;      /**< a system message at the beginning stays, and is not summarised */
    bool split_calls;         /**< a call may go without its results, as in LangGraph's example */
    bool keep_list;           /**< the edit list is for what a model is shown, and the list itself stays as it
                                   is: the state says what of it is covered, and only what is not covered
                                   and goes is summarised */
} agentchat_summary_options;

/** Initialiser with the defaults. */
#define AGENTCHAT_SUMMARY_OPTIONS_INIT                                                                                 \
    {                                                                                                                  \
        sizeof(agentchat_summary_options), 0, 0, NULL, NULL, NULL, NULL, NULL, false, false, false                     \
    }
/**
 * AGENTCHAT_SUMMARY_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_summary_options_init(agentchat_summary_options *options, size_t size);

/**
 * Makes or extends the summary of a conversation and drops all but its last messages. A call and its results stay
 * together: where the border would come between them, the results are summarised too. The summary is kept in a state,
 * which is handed in again the next time, and which may be a named value of the chat: an object with `summary`, a text;
 * `covered`, how many messages at the beginning of the list it covers (0 unless the list is kept); and `last_id`, the
 * id of the last of them if it has one. Of a kept list what is covered ends with the message of that id, so that it may
 * grow shorter in between; where the id repeats, with the last one that is not beyond `covered`. An id that is not
 * there covers nothing. Source: section "Summarizing past conversations" of LangGraph's page on memory; bookkeeping:
 * reference of langmem 0.0.30, langmem/short_term/summarization.py.
 * @param[in]     env        Environment or NULL.
 * @param[in]     messages   The list.
 * @param[in]     state      The state, JSON text; absent: there is none yet.
 * @param[in]     summarizer Makes the summary; called once at most.
 * @param[in]     user       Handed to @p summarizer.
 * @param[in]     options    Options or NULL.
 * @param[in,out] new_state  Started with AGENTCHAT_BYTES_INIT; the new state is appended, or the old one when no
 * summary was made; nothing when there is none. Unchanged on failure.
 * @param[out]    out        The edit list; NULL on failure.
 * @param[out]    err        Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p messages, @p summarizer, @p new_state or @p out is NULL; a state that is none; options
 *                             that are none; a summary that is not UTF-8; or what the counter returns.
 * @retval AGENTCHAT_E_SYNTAX  a state that is not JSON.
 * @threadsafe Yes, on different @p new_state, as far as @p summarizer and the counter are.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_messages_summarize(const agentchat_env *env, const agentchat_messages *messages, agentchat_str state,
                             agentchat_summarizer_fn summarizer, void *user, const agentchat_summary_options *options,
                             agentchat_bytes *new_state, agentchat_list_edit **out, agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
