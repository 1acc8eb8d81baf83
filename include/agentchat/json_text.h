/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looking into JSON text, such as a call's arguments or a message's metadata, without making a tree of it.
 *
 * Nothing here recurses, whatever the depth of a text, and nothing but agentchat_json_check() and
 * agentchat_json_decode() needs memory. Keys, strings and numbers are views of the text as it is spelled; strings and
 * keys with their quotes.
 *
 * Except in agentchat_json_check(), the text is JSON: what the library gave, or what agentchat_json_check() accepted.
 * Of any other text an unspecified part is seen; nothing outside of it is read.
 *
 *     agentchat_json_walk walk;
 *
 *     agentchat_json_walk_into(&walk, arguments);
 *     while (agentchat_json_walk_next(&walk))
 *         if (agentchat_json_equal(walk.key, AGENTCHAT_STR("city")))
 *             status = agentchat_json_decode(NULL, walk.value, &city, &err);
 */
#ifndef AGENTCHAT_JSON_TEXT_H
#define AGENTCHAT_JSON_TEXT_H

#include <agentchat/base.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a JSON value is. Numbers are stable. */
typedef enum agentchat_json_kind {
    AGENTCHAT_JSON_NONE = 0, /**< no value: absent or empty text */
    AGENTCHAT_JSON_OBJECT = 1,
    AGENTCHAT_JSON_ARRAY = 2,
    AGENTCHAT_JSON_STRING = 3,
    AGENTCHAT_JSON_NUMBER = 4,
    AGENTCHAT_JSON_TRUE = 5,
    AGENTCHAT_JSON_FALSE = 6,
    AGENTCHAT_JSON_NULL = 7,
    AGENTCHAT_JSON_KIND_MAX_ = 0x7fffffff
} agentchat_json_kind;

/** Where a step of a walk has come to. Numbers are stable. */
typedef enum agentchat_json_step {
    AGENTCHAT_JSON_END = 0,    /**< after the last value */
    AGENTCHAT_JSON_SCALAR = 1, /**< a string, number, true, false or null */
    AGENTCHAT_JSON_OPEN = 2,   /**< an object or array begins */
    AGENTCHAT_JSON_CLOSE = 3,  /**< the innermost object or array ends */
    AGENTCHAT_JSON_STEP_MAX_ = 0x7fffffff
} agentchat_json_step;

/** A walk through a text: over the members or elements of a container, or step by step through all that is in it. It
    lives as long as the text and needs no release. */
typedef struct agentchat_json_walk {
    agentchat_str key;   /**< the member's name as it is spelled, with quotes; absent where there is none */
    agentchat_str value; /**< the value as it is spelled; after OPEN and CLOSE the bracket alone */
    const char *at;      /**< private */
    const char *end;     /**< private */
} agentchat_json_walk;

/**
 * Checks that a text is one JSON value.
 * @param[in]  env  Environment, whose depth is the most that is accepted; or NULL.
 * @param[in]  text The text; whitespace may surround the value.
 * @param[out] out  The value without that whitespace, a view of @p text; absent on failure.
 * @param[out] err  Detail, or NULL: byte offset, line, column, and the JSON Pointer inside the value.
 * @retval AGENTCHAT_E_SYNTAX  not JSON; absent and empty text are not.
 * @retval AGENTCHAT_E_LIMIT   deeper than the environment allows.
 * @retval AGENTCHAT_E_INVALID @p out is NULL.
 * @threadsafe Yes.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_json_check(const agentchat_env *env, agentchat_str text,
                                                                        agentchat_str *out, agentchat_error *err);

/**
 * The kind of a value.
 * @param[in] value The value without whitespace before it; absent gives AGENTCHAT_JSON_NONE.
 * @threadsafe Yes.
 */
AGENTCHAT_API agentchat_json_kind agentchat_json_kind_of(agentchat_str value);

/**
 * Begins a walk step by step, before the value.
 * @param[out] walk The walk; NULL is allowed.
 * @param[in]  text One value; absent has none.
 * @threadsafe Yes.
 */
AGENTCHAT_API void agentchat_json_walk_begin(agentchat_json_walk *walk, agentchat_str text);

/**
 * Begins a walk over the members of an object or the elements of an array.
 * @param[out] walk The walk, for agentchat_json_walk_next(); NULL is allowed.
 * @param[in]  text One value; any but an object or array has nothing in it.
 * @return Whether it is an object or array.
 * @threadsafe Yes.
 */
AGENTCHAT_API bool agentchat_json_walk_into(agentchat_json_walk *walk, agentchat_str text);

/**
 * Goes to the next value in the order of the text: into containers and out of them.
 * @param[in,out] walk The walk; NULL is at its end.
 * @return What it is; AGENTCHAT_JSON_END after the last, and again if it is called again.
 * @threadsafe Yes, on different @p walk.
 */
AGENTCHAT_API agentchat_json_step agentchat_json_walk_step(agentchat_json_walk *walk);

/**
 * Leaves out what is in the container that agentchat_json_walk_step() has just opened: its value becomes all of its
 * text, and the next step is what comes after it, without AGENTCHAT_JSON_CLOSE.
 * @param[in,out] walk The walk; NULL is allowed. Unless it stands at an opening bracket nothing happens.
 * @threadsafe Yes.
 */
AGENTCHAT_API void agentchat_json_walk_skip(agentchat_json_walk *walk);

/**
 * Goes to the next member or element of the same container, with all of its value.
 * @param[in,out] walk The walk; NULL is at its end.
 * @return false after the last; the step after that is the one out of the container.
 * @threadsafe Yes.
 */
AGENTCHAT_API bool agentchat_json_walk_next(agentchat_json_walk *walk);

/**
 * The value of the first member with a name.
 * @param[in] object One value; any but an object has no members.
 * @param[in] name   The name, decoded.
 * @return A view of @p object; absent when there is none.
 * @threadsafe Yes.
 */
AGENTCHAT_API agentchat_str agentchat_json_find(agentchat_str object, agentchat_str name);

/**
 * Whether a string or key says a text, however it is spelled.
 * @param[in] string A string with its quotes; anything else equals no text.
 * @param[in] text   The text; absent is an empty one.
 * @threadsafe Yes.
 */
AGENTCHAT_API bool agentchat_json_equal(agentchat_str string, agentchat_str text);

/**
 * A text as a JSON string, with its quotes: what takes a value as JSON takes it.
 * @param[in]     env  Environment, or NULL.
 * @param[in]     text The text, UTF-8; absent is an empty one.
 * @param[in,out] out  Started with AGENTCHAT_BYTES_INIT; the string is appended; unchanged on failure.
 * @param[out]    err  Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p text is not UTF-8; @p out is NULL or holds bytes of another environment.
 * @threadsafe Yes, on different @p out.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_json_quote(const agentchat_env *env, agentchat_str text,
                                                                        agentchat_bytes *out, agentchat_error *err);

/**
 * Decodes a string or key.
 * @param[in]     env    Environment, whose limits hold; or NULL.
 * @param[in]     string A string with its quotes.
 * @param[in,out] out    Started with AGENTCHAT_BYTES_INIT; the text is appended; unchanged on failure. Half a surrogate
 *                       pair becomes the three bytes that it has in WTF-8.
 * @param[out]    err    Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p string is no string; @p out is NULL or holds bytes of another environment.
 * @threadsafe Yes, on different @p out.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_json_decode(const agentchat_env *env, agentchat_str string,
                                                                         agentchat_bytes *out, agentchat_error *err);

/**
 * Applies a JSON Patch (RFC 6902): all of its operations or none. What it does not touch keeps its spelling, numbers of
 * any size too; a container that it changes keeps the white space between its parts. Values that `test` compares are
 * equal when they mean the same: 1 and 1.0 are.
 * @param[in]     env      Environment, whose limits hold; or NULL.
 * @param[in]     document A JSON value.
 * @param[in]     patch    An array of operations.
 * @param[in,out] out      Started with AGENTCHAT_BYTES_INIT; the patched value is appended; unchanged on failure.
 * @param[out]    err      Detail, or NULL; the message names the operation.
 * @retval AGENTCHAT_E_NOTFOUND an operation's path or from leads nowhere.
 * @retval AGENTCHAT_E_CONFLICT a `test` found another value.
 * @retval AGENTCHAT_E_INVALID  the patch is none; @p out is NULL or holds bytes of another environment.
 * @retval AGENTCHAT_E_SYNTAX   the document or the patch is not JSON.
 * @retval AGENTCHAT_E_LIMIT    too deep, or the patch moves or copies too much.
 * @threadsafe Yes, on different @p out.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_json_patch(const agentchat_env *env,
                                                                        agentchat_str document, agentchat_str patch,
                                                                        agentchat_bytes *out, agentchat_error *err);

/**
 * Applies a JSON Merge Patch (RFC 7396): members of the patch replace those of the document, null removes them, objects
 * are merged, and a patch that is no object replaces the document. Parameters and the rest as agentchat_json_patch().
 * @param[in]     env      Environment, whose limits hold; or NULL.
 * @param[in]     document A JSON value.
 * @param[in]     patch    A JSON value.
 * @param[in,out] out      Started with AGENTCHAT_BYTES_INIT; the merged value is appended; unchanged on failure.
 * @param[out]    err      Detail, or NULL.
 * @retval AGENTCHAT_E_SYNTAX the document or the patch is not JSON.
 * @retval AGENTCHAT_E_LIMIT  too deep, or it looks at too many members.
 * @threadsafe Yes, on different @p out.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_json_merge_patch(const agentchat_env *env,
                                                                              agentchat_str document,
                                                                              agentchat_str patch, agentchat_bytes *out,
                                                                              agentchat_error *err);

/**
 * Takes the next part of a string or key, for callers that decide how each escape is shown: an escape (both halves of a
 * surrogate pair are one), or the text up to the next.
 * @param[in,out] rest       What is left of it; at first a string without its quotes. Nothing is left when it is NULL.
 * @param[out]    part       The part as it is spelled; NULL is allowed.
 * @param[out]    code_point What an escape stands for, a surrogate that is half a pair included; UINT32_MAX for text.
 *                           NULL is allowed.
 * @return false: nothing is left.
 * @threadsafe Yes.
 */
AGENTCHAT_API bool agentchat_json_string_part(agentchat_str *rest, agentchat_str *part, uint32_t *code_point);

#ifdef __cplusplus
}
#endif

#endif
