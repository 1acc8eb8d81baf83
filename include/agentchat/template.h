/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction templates: text with {placeholders} that are replaced by values of a state. */
#ifndef AGENTCHAT_TEMPLATE_H
#define AGENTCHAT_TEMPLATE_H

#include <agentchat/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which rules a template follows; docs/templates.md compares them. Numbers are stable. */
typedef enum agentchat_template_dialect {
    /**
     * The native dialect. `{key}`, `{app:key}`, `{user:key}`, `{temp:key}`: the value of the key. The longest key that
     * is there wins, what follows it, after a dot, is a path into its value (`{user:preferences.theme}`; array elements
     * by number). `{key?}`: the same, nothing when it is missing. `{artifact.NAME}`, `{artifact.NAME?}`: text of an
     * artifact. `{{placeholder}}`, double braces around what would otherwise be a placeholder, is the placeholder
     * itself in single braces. Any other brace is text, so JSON stays as it is, and so do braces around what has
     * whitespace, `,`, `!`, `<`, `>`, `=` or `;` in it or begins with a digit. Null renders as `null`, strings bare,
     * other values as they are spelled. Values are never expanded again.
     */
    AGENTCHAT_TEMPLATE_AGENTCHAT = 0,
    AGENTCHAT_TEMPLATE_ADK_RUST = 1,   /**< inject_session_state of ADK-Rust 2.3 */
    AGENTCHAT_TEMPLATE_ADK_PYTHON = 2, /**< inject_session_state of google-adk 2.13 */
    AGENTCHAT_TEMPLATE_MAX_ = 0x7fffffff
} agentchat_template_dialect;

/**
 * Loads an artifact's text. Called on the thread that renders, before agentchat_template_render() returns, once for
 * each name.
 * @param[in]     user As given.
 * @param[in]     name The artifact's name; a view for the duration of the call.
 * @param[in,out] out  Where the text is appended (agentchat_bytes_append()).
 * @param[out]    err  Detail of a failure.
 * @return OK; AGENTCHAT_E_NOTFOUND when there is no such artifact; another error ends the rendering with it.
 */
typedef agentchat_status (*agentchat_artifact_fn)(void *user, agentchat_str name, agentchat_bytes *out,
                                                  agentchat_error *err);

/** How a template is rendered. */
typedef struct agentchat_template_options {
    size_t struct_size;                 /**< sizeof(agentchat_template_options) */
    agentchat_template_dialect dialect; /**< AGENTCHAT_TEMPLATE_AGENTCHAT */
    agentchat_artifact_fn artifact;     /**< NULL: no artifact exists */
    void *user;                         /**< handed to artifact; used during the call only */
    bool keep_missing;                  /**< a placeholder that has no value, and must have one, stays as it is written
                                             instead of being an error: for texts that are not of your own making, such
                                             as descriptions of tools */
} agentchat_template_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_TEMPLATE_OPTIONS_INIT                                                                                \
    {                                                                                                                  \
        sizeof(agentchat_template_options), AGENTCHAT_TEMPLATE_AGENTCHAT, NULL, NULL, false                            \
    }

/**
 * AGENTCHAT_TEMPLATE_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_template_options_init(agentchat_template_options *options, size_t size);

/**
 * Renders a template. Costs time and memory in proportion to the template and to what is put in.
 * @param[in]     state   The values, such as agentchat_session_state(); NULL: there are none.
 * @param[in]     text    The template, UTF-8; absent is an empty one.
 * @param[in]     options Options, or NULL.
 * @param[in,out] out     Started with AGENTCHAT_BYTES_INIT; the text is appended; unchanged on failure.
 * @param[out]    err     Detail, or NULL; offset, line and column of the first placeholder that is wrong.
 * @retval AGENTCHAT_E_NOTFOUND keys or artifacts are missing; the message names all of them that fit, with their
 *                              offsets. Not with options->keep_missing.
 * @retval AGENTCHAT_E_INVALID  @p out is NULL or holds bytes of another environment than the state's; text that is not
 *                              UTF-8; a dialect that is none; in the ADK dialects what they refuse.
 * @retval AGENTCHAT_E_LIMIT    the result would be longer than the environment of @p state allows.
 * @retval AGENTCHAT_E_CALLBACK or whatever options->artifact returned.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_template_render(const agentchat_state *state,
                                                                             agentchat_str text,
                                                                             const agentchat_template_options *options,
                                                                             agentchat_bytes *out,
                                                                             agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
