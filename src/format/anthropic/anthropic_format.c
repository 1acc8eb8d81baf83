/* SPDX-License-Identifier: Apache-2.0 */
/* Anthropic's Messages, as the registry lists them. */
#include "format/anthropic/anthropic.h"

#include "format/kit/marks.h"

static aci_likeness probe(const char *data, size_t len)
{
    return aci_marks_probe(ACI_MARKED_ANTHROPIC, data, len);
}

const aci_format aci_anthropic_format = {
    .about = {.name = aci_anthropic_name,
              .summary = "messages of Anthropic's Messages: a request, an answer or an array",
              .reads = AGENTCHAT_HOLDS_HISTORY,
              .writes = AGENTCHAT_HOLDS_HISTORY,
              .has_strict = true},
    .read_chat = aci_anthropic_read,
    .write_chat = aci_anthropic_write,
    .probe_chat = probe,
};
