/* SPDX-License-Identifier: Apache-2.0 */
/* Cursors of lists that are read by pages: some texts as one printable text and back. */
#ifndef ACI_STORE_CORE_CURSOR_H
#define ACI_STORE_CORE_CURSOR_H

#include "base/arena.h"

/* base64 of `1` and the parts, which have no NUL in them, each after a NUL; NUL-terminated, in the arena. NULL: out of
   memory. */
const char *aci_sql_cursor_make(aci_arena *arena, const agentchat_str *parts, size_t count);
/* The parts, NUL-terminated. E_INVALID when it is no cursor with so many of them; `of`: of what list. */
agentchat_status aci_sql_cursor_read(aci_arena *arena, const char *cursor, agentchat_str *parts, size_t count,
                                     const char *of, agentchat_error *err);

#endif
