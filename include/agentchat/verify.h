/* SPDX-License-Identifier: Apache-2.0 */
/* Documents of every kind, and whether one is what is expected of it: what a framework's own tests call. */
#ifndef AGENTCHAT_VERIFY_H
#define AGENTCHAT_VERIFY_H

#include <agentchat/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a document is. Numbers are stable. */
typedef enum agentchat_document_kind {
    AGENTCHAT_DOCUMENT_CHAT = 1,    /**< history, participants, channels */
    AGENTCHAT_DOCUMENT_HISTORY = 2, /**< an array of messages */
    AGENTCHAT_DOCUMENT_SESSION = 3, /**< a session's file */
    AGENTCHAT_DOCUMENT_EVENT = 4,   /**< one event */
    AGENTCHAT_DOCUMENT_EVENTS = 5,  /**< events, one a line, or an array of them */
    AGENTCHAT_DOCUMENT_MAX_ = 0x7fffffff
} agentchat_document_kind;

/** A document that was read, whatever kind it is. Immutable. */
typedef struct agentchat_document agentchat_document;

/**
 * Reads a document of any kind; its content says which one it is.
 * @param[in]  env    Environment or NULL; must outlive the document.
 * @param[in]  source The stream; borrowed.
 * @param[in]  options How chats are read; NULL: the defaults. With a format that is not NULL it must be a chat or a
 * history in that one.
 * @param[out] out    The document (agentchat_document_free()); NULL on failure.
 * @param[out] report Receives what was noted, repaired and lost while reading, to be freed by the caller; NULL: not
 *                    wanted.
 * @param[out] err    Detail, or NULL: offset, line, column and JSON Pointer.
 * @retval AGENTCHAT_E_INVALID @p source or @p out is NULL.
 * @retval AGENTCHAT_E_SYNTAX  not JSON.
 * @retval AGENTCHAT_E_SCHEMA  JSON, but no such document.
 * @retval AGENTCHAT_E_LIMIT   a limit of the environment was exceeded.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_document_read(const agentchat_env *env, agentchat_source *source, const agentchat_read_options *options,
                        agentchat_document **out, agentchat_report **report, agentchat_error *err);

/** Releases a document. @param[in] document NULL is allowed. */
AGENTCHAT_API void agentchat_document_free(agentchat_document *document);

/** What it is. @param[in] document The document; not NULL. */
AGENTCHAT_API agentchat_document_kind agentchat_document_get_kind(const agentchat_document *document);

/** "chat", "history", "session", "event" or "events". @param[in] kind A kind. @return A static string; NULL for none.
 */
AGENTCHAT_API const char *agentchat_document_kind_name(agentchat_document_kind kind);

/** Name of its format, a static text; of several events that of the first. @param[in] document NULL gives NULL. */
AGENTCHAT_API const char *agentchat_document_format(const agentchat_document *document);

/** The chat or history. @param[in] document NULL gives NULL. @return A view, or NULL for another kind. */
AGENTCHAT_API const agentchat_snapshot *agentchat_document_snapshot(const agentchat_document *document);

/** The session. @param[in] document NULL gives NULL. @return A view, or NULL for another kind. */
AGENTCHAT_API const agentchat_session_file *agentchat_document_session(const agentchat_document *document);

/** Number of events of a session or of events. @param[in] document NULL gives 0. */
AGENTCHAT_API size_t agentchat_document_event_count(const agentchat_document *document);

/**
 * Digest as docs/formats/digest.md specifies it: of a history, a session, an event, or several events.
 * @param[in]  document The document.
 * @param[in]  all      Of a chat: participants and channels too.
 * @param[out] out      The digits and a NUL; empty on failure.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p document or @p out is NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_document_digest(const agentchat_document *document,
                                                                             bool all,
                                                                             char out[AGENTCHAT_DIGEST_LEN + 1],
                                                                             agentchat_error *err);

/**
 * Called for each check that fails.
 * @param[in] user  As given.
 * @param[in] check "read", "kind", "format", "digest", "counts", "transcript", "rewrite", "convert", "losses",
 *                  "restore", "refused". "losses" is a loss that was not declared: text begins with the format's
 *                  name and a colon.
 * @param[in] path  JSON Pointer, or absent; a view for the duration of the call, as @p text.
 * @param[in] text  What is wrong, one line; it may quote the document.
 */
typedef void (*agentchat_verify_fn)(void *user, const char *check, agentchat_str path, agentchat_str text);

/**
 * Checks a document by an expectation (docs/verify.md): whether it is readable, is what the expectation says, is equal
 * when it is written again in its own format, is equal in every other one or loses exactly what the expectation
 * declares, and, of a chat, is equal after it was restored with stand-in agents and captured.
 * @param[in]  env         Environment or NULL.
 * @param[in]  source      The document; borrowed.
 * @param[in]  expectation JSON text of an object; absent: nothing but what holds for every document. Members that this
 *                         version does not know are an error.
 * @param[in]  each        Called for each check that fails; NULL: not wanted.
 * @param[in]  user        Handed to @p each.
 * @param[out] digest      The document's digest; empty when it was refused. NULL: not wanted.
 * @param[out] failed      Number of checks that failed.
 * @param[out] err         Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p source or @p failed is NULL; the expectation is none.
 * @retval AGENTCHAT_E_IO      the stream failed.
 * @retval AGENTCHAT_E_NOMEM   out of memory.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_verify(const agentchat_env *env, agentchat_source *source,
                                                                    agentchat_str expectation, agentchat_verify_fn each,
                                                                    void *user, char digest[AGENTCHAT_DIGEST_LEN + 1],
                                                                    size_t *failed, agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
