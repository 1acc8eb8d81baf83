/* SPDX-License-Identifier: Apache-2.0 */
/* Growable bytes and growable arrays with a stated maximum. */
#ifndef ACI_BASE_BUF_H
#define ACI_BASE_BUF_H

#include "base/env.h"
#include "base/shared.h"

typedef struct aci_buf {
    char *ptr;
    size_t len, cap, max;
    const agentchat_env *env;
} aci_buf;

ACI_SHARED void aci_buf_init(aci_buf *buf, const agentchat_env *env, size_t max);
ACI_SHARED void aci_buf_clear(aci_buf *buf);                              /* frees; the buffer may be used again */
bool aci_buf_reserve(aci_buf *buf, size_t more);                          /* room for `more` bytes after len */
ACI_SHARED bool aci_buf_add(aci_buf *buf, const void *bytes, size_t len); /* false: out of memory or beyond max */
bool aci_buf_add_str(aci_buf *buf, agentchat_str text);
/* Appends WTF-8 with U+FFFD for each lone surrogate. */
bool aci_buf_add_without_surrogates(aci_buf *buf, agentchat_str text);
ACI_SHARED bool aci_buf_printf(aci_buf *buf, const char *format, ...) AGENTCHAT_PRINTF(2, 3);
static inline agentchat_str aci_buf_str(const aci_buf *buf)
{
    return (agentchat_str){buf->ptr ? buf->ptr : "", buf->len};
}

/* Grows *array (elements of size elem) so that it holds at least count + 1; doubles. false when out of memory. */
ACI_SHARED bool aci_grow(const agentchat_env *env, void **array, size_t *cap, size_t count, size_t elem);

/* agentchat_bytes of the public interface. */
agentchat_status aci_buf_append_bytes(agentchat_bytes *bytes, const agentchat_env *env, agentchat_str text,
                                      agentchat_error *err);

/* By their bytes: below 0, 0, above 0. */
int aci_str_compare(agentchat_str a, agentchat_str b);

#endif
