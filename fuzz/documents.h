/* SPDX-License-Identifier: Apache-2.0 */
/* Reading, writing and comparing documents as the targets need it: every call checks what the headers promise. */
#ifndef AGENTCHAT_FUZZ_DOCUMENTS_H
#define AGENTCHAT_FUZZ_DOCUMENTS_H

#include "fuzz.h"
#include "page_check.h"

/* Reads; NULL when the document is refused, and then the error record has been checked. */
agentchat_snapshot *fuzz_read(agentchat_str document, const char *format, agentchat_error *err);
/* Writes; losses receives the number of losses that the report names, NULL: not wanted. Release with
   agentchat_bytes_clear(). */
agentchat_bytes fuzz_write(const agentchat_snapshot *snapshot, const char *format, bool strict, size_t *losses);
agentchat_str fuzz_view(const agentchat_bytes *bytes);
/* Whether two snapshots mean the same, of the history alone or of all. */
bool fuzz_same_digest(const agentchat_snapshot *a, const agentchat_snapshot *b, bool all);
/* Writes a snapshot in the native format (or its encoded variant), reads that, and wants all of it back. */
void fuzz_round_trip(const agentchat_snapshot *snapshot, const char *format);
/* Reads a document and takes what is accepted through the native formats. */
void fuzz_read_and_round_trip(agentchat_str document, const char *format);
/* Takes a document in any format to semantic-kernel and back. */
void fuzz_convert_to_semantic_kernel(agentchat_str document, bool strict);
/* Calls on two documents with the byte 0xFF between them, which no document holds: with the first twice, and with both
   in either order; with none that is refused. */
void fuzz_each_pair(const uint8_t *data, size_t size,
                    void (*call)(const agentchat_snapshot *left, const agentchat_snapshot *right));
/* Wants a page that has been written twice to be the same, and to hold nothing that a page may not hold. */
void fuzz_check_page(const agentchat_bytes *page, const agentchat_bytes *again, page_kind kind, bool no_media);

#endif
