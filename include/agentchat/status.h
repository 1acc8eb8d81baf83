/* SPDX-License-Identifier: Apache-2.0 */
/* Result codes and the error record that a caller may hand to any call that can fail. */
#ifndef AGENTCHAT_STATUS_H
#define AGENTCHAT_STATUS_H

#include <agentchat/str.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One list gives the enumeration, the names and the texts. Zero is success, a positive value an outcome that is no
   error, a negative value an error: -1xx the call, -2xx the data, -3xx the surroundings, -4xx a caller's function,
   -9xx fatal. */
#define AGENTCHAT_STATUS_MAP(X)                                                                                        \
    X(OK, 0, "success")                                                                                                \
    X(DONE, 1, "end of sequence")                                                                                      \
    X(E_INVALID, -100, "invalid argument or call out of order")                                                        \
    X(E_NOTFOUND, -101, "no such item")                                                                                \
    X(E_EXISTS, -102, "the item exists already")                                                                       \
    X(E_LIMIT, -103, "a configured limit was exceeded")                                                                \
    X(E_UNSUPPORTED, -104, "this cannot be done here")                                                                 \
    X(E_NO_AGENTS, -105, "the chat has no agents")                                                                     \
    X(E_IN_USE, -106, "the chat has been used already")                                                                \
    X(E_SYNTAX, -200, "malformed input")                                                                               \
    X(E_SCHEMA, -201, "well-formed input that breaks the schema")                                                      \
    X(E_VERSION, -202, "unknown format version")                                                                       \
    X(E_LOSS, -203, "something would be lost, and the caller asked to fail instead")                                   \
    X(E_IO, -300, "input or output failed")                                                                            \
    X(E_CONFLICT, -301, "the stored version is not the expected one")                                                  \
    X(E_BUSY, -302, "another operation is active")                                                                     \
    X(E_CORRUPT, -303, "stored data fails its own checks")                                                             \
    X(E_CANCELLED, -304, "the call was cancelled")                                                                     \
    X(E_CALLBACK, -400, "a caller-supplied function failed")                                                           \
    X(E_NOMEM, -900, "out of memory")                                                                                  \
    X(E_INTERNAL, -901, "a bug in agentchat, please report it")

/** What a call that can fail returns: the names of AGENTCHAT_STATUS_MAP with the prefix AGENTCHAT_. */
typedef enum agentchat_status {
#define AGENTCHAT_X(name, value, text) AGENTCHAT_##name = value,
    AGENTCHAT_STATUS_MAP(AGENTCHAT_X)
#undef AGENTCHAT_X
        AGENTCHAT_STATUS_MAX_ = 0x7fffffff /* fixes the size of the enumeration */
} agentchat_status;

/** Value of agentchat_error::offset when no byte of an input is meant. */
#define AGENTCHAT_NO_OFFSET UINT64_MAX

/**
 * Detail of a failure: fixed size, owned by the caller, filled without allocation. Every public function with an
 * `err` parameter accepts NULL for it, and otherwise resets it on entry, so that it need not be initialised; after a
 * success code is 0. It takes 1,888 bytes: functions that call themselves had better share one.
 */
typedef struct agentchat_error {
    uint32_t struct_size; /**< sizeof(agentchat_error), written by the library */
    int32_t code;         /**< an agentchat_status; 0 when unset */
    uint64_t offset;      /**< byte in the input, from 0; AGENTCHAT_NO_OFFSET when meaningless */
    uint32_t line;        /**< from 1; 0 when unknown */
    uint32_t column;      /**< from 1, in bytes; 0 when unknown */
    int32_t native;       /**< errno or another library's code; 0 when there is none */
    char sqlstate[8];     /**< of an SQL store, else empty */
    char path[512];       /**< JSON Pointer (RFC 6901); a long one keeps its tail */
    char source[256];     /**< file or stream name; a long one keeps its tail */
    char message[1024];   /**< one line of English without final period; never raw bytes of the input */
    char reserved[60];    /**< not used */
} agentchat_error;

/**
 * Name of a status, such as "E_BUSY".
 * @param[in] status Any value.
 * @return A static string; "E_UNKNOWN" for a value that is none of the list. Never NULL.
 * @threadsafe Yes.
 */
AGENTCHAT_API const char *agentchat_status_name(agentchat_status status);

/**
 * One line of English for a status.
 * @param[in] status Any value.
 * @return A static string, never NULL.
 * @threadsafe Yes.
 */
AGENTCHAT_API const char *agentchat_status_text(agentchat_status status);

/**
 * Whether the same call may succeed later without any change by the caller (E_BUSY, E_CONFLICT).
 * @param[in] status Any value.
 * @threadsafe Yes.
 */
AGENTCHAT_API bool agentchat_status_is_retryable(agentchat_status status);

/**
 * Clears an error record to "unset".
 * @param[out] err The record; NULL is allowed.
 */
AGENTCHAT_API void agentchat_error_clear(agentchat_error *err);

/**
 * For caller-supplied functions (agents, channels, streams): fills an error record.
 * @param[out] err     The record; NULL is allowed.
 * @param[in]  status  A negative status.
 * @param[in]  format  printf format of the message, which is cut to the record's size; NULL: no message.
 * @return @p status, so that `return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "…");` is one line.
 * @threadsafe Yes, on different records.
 */
AGENTCHAT_API agentchat_status agentchat_error_set(agentchat_error *err, agentchat_status status, const char *format,
                                                   ...) AGENTCHAT_PRINTF(3, 4);

/**
 * agentchat_error_set() with a message that is complete: for languages that cannot call a variadic function.
 * @param[out] err     The record; NULL is allowed.
 * @param[in]  status  A negative status.
 * @param[in]  message The message, cut to the record's size; absent (ptr NULL): none. It may lie in @p err. A NUL
 *                     inside becomes "?".
 * @return @p status.
 * @threadsafe Yes, on different records.
 */
AGENTCHAT_API agentchat_status agentchat_error_set_text(agentchat_error *err, agentchat_status status,
                                                        agentchat_str message);

/**
 * Formats an error as one line without its newline: `SOURCE:LINE:COLUMN: POINTER: message`, parts that are unset left
 * out. Control and bidirectional characters are shown as escapes.
 * @param[in]  err    The record; NULL gives an empty text.
 * @param[out] buffer Receives the text and a NUL, cut between two characters where it does not fit; NULL is allowed
 *                    when @p size is 0.
 * @param[in]  size   Bytes of @p buffer; 0: nothing is written.
 * @return Bytes of the complete text without the NUL, as snprintf: at least @p size means that it was cut.
 * @threadsafe Yes, on different buffers.
 */
AGENTCHAT_API size_t agentchat_error_format(const agentchat_error *err, char *buffer, size_t size);

/**
 * Writes an error as agentchat_error_format() does, and a newline.
 * @param[in] err    The record; NULL: nothing is written.
 * @param[in] stream Where to; NULL: nothing is written.
 */
AGENTCHAT_API void agentchat_error_print(const agentchat_error *err, FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
