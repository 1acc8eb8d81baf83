/* SPDX-License-Identifier: Apache-2.0 */
/* JSON text on many lines and on one. */
#ifndef ACI_FORMAT_KIT_LAYOUT_H
#define ACI_FORMAT_KIT_LAYOUT_H

#include "base/buf.h"

/* Appends a validated raw value as Python's json.dumps() lays it out: one member or element a line, a space after each
   colon, `indent` spaces for each of the `depth` levels around it and of those inside. Tokens stand as they are
   spelled. Containers deeper than 32 levels stay on one line, so that a text cannot grow to many times its size. false:
   out of memory. */
bool aci_layout(agentchat_str json, uint32_t indent, uint32_t depth, aci_buf *out);
/* Removes all whitespace between tokens from the JSON text that stands in the buffer from `from` on, if there
   is a line end in it. false: out of memory. */
bool aci_layout_one_line(aci_buf *out, size_t from);

#endif
