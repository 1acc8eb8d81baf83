/* SPDX-License-Identifier: Apache-2.0 */
/* What must not reach a store: members whose name begins with `temp:`. */
#ifndef ACI_SESSION_TEMPORARY_H
#define ACI_SESSION_TEMPORARY_H

#include "base/buf.h"

/* Whether a name (decoded) begins with `temp:`. */
bool aci_is_temporary(agentchat_str name);

/* Appends validated JSON text without the members, at any depth, whose decoded name begins with `temp:`, and without
   whitespace between tokens; *any: whether there was one. Nothing is appended when there was none. false: out of
   memory. Linear, without recursion. */
bool aci_temporary_strip(agentchat_str json, aci_buf *out, bool *any);

#endif
