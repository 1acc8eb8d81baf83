/* SPDX-License-Identifier: Apache-2.0 */
/* Open-ended values as validated raw text. */
#ifndef ACI_JSON_VALUE_H
#define ACI_JSON_VALUE_H

#include "base/buf.h"
#include "json/reader.h"

/* Checks that text is exactly one JSON value (surrounding whitespace allowed) and gives the span of the value. Any
   reachable memory: no padding needed. *kind may be NULL. err: path inside the value and offset from text. */
agentchat_status aci_json_check(const agentchat_env *env, agentchat_str text, uint32_t max_depth, agentchat_str *span,
                                aci_json_kind *kind, agentchat_error *err);
/* Kind of a validated raw value, from its first byte. */
aci_json_kind aci_json_kind_of(agentchat_str raw);
/* Nesting of containers of a validated raw value: 0 for a scalar. */
uint32_t aci_json_depth_of(agentchat_str raw);
/* Decodes a validated raw string (quotes included) and appends it to out as WTF-8. false: out of memory. */
bool aci_json_unquote(agentchat_str raw, aci_buf *out);
/* Appends canonical text of a validated raw value for the digest (docs/formats/digest.md): RFC 8785 with numbers as
   sign, digits, exponent; duplicate keys kept, stable sort by UTF-16 code units. E_NOMEM only. */
agentchat_status aci_json_canonical(agentchat_str raw, aci_buf *out, const agentchat_env *env, agentchat_error *err);
/* Appends the canonical form of a string / of a number's text. */
bool aci_json_canonical_string(agentchat_str wtf8, aci_buf *out);
/* Appends a text as such a string; E_INVALID when it is not UTF-8; surrogates are allowed. */
agentchat_status aci_json_quote(agentchat_str text, aci_buf *out, agentchat_error *err);
/* Puts in front of what is wrong with a value what its caller can do: quote it, or call a function that does. */
void aci_json_cure(agentchat_error *err, agentchat_status status, agentchat_str name, const char *function);
bool aci_json_canonical_number(agentchat_str number, aci_buf *out);
/* Appends raw compact (whitespace between tokens dropped, strings as spelled). false: out of memory. */
bool aci_json_compact(agentchat_str raw, aci_buf *out);
/* Whether the strings of a validated raw value (keys included) contain a lone surrogate escape. */
bool aci_json_has_lone_surrogates(agentchat_str raw);
/* Appends raw with each lone surrogate escape replaced by \uFFFD. false: out of memory. */
bool aci_json_replace_lone_surrogates(agentchat_str raw, aci_buf *out);
/* Appends a reference token of a JSON Pointer ("/" and the escaped text, ~0 and ~1). */
bool aci_json_pointer_add(aci_buf *pointer, agentchat_str token);
bool aci_json_pointer_add_index(aci_buf *pointer, size_t index);
/* A JSON number as a 64-bit integer; false when it has anything but a sign and digits, or is beyond. */
bool aci_json_integer(agentchat_str number, int64_t *out);
/* The double nearest to a JSON number; infinite beyond them. false: out of memory. */
bool aci_json_nearest(agentchat_str number, const agentchat_env *env, double *out);

#endif
