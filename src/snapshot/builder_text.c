/* SPDX-License-Identifier: Apache-2.0 */
/* What the calls of a builder begin with: has it failed already, and is their text fit to be kept. */
#include "snapshot/builder.h"

#include "base/error.h"
#include "model/check.h"

bool aci_snapshot_builder_is_broken(const agentchat_snapshot_builder *b)
{
    return b == NULL || b->status < 0;
}

void aci_snapshot_builder_nomem(agentchat_snapshot_builder *b)
{
    b->status = aci_fail_nomem(&b->error);
}

void aci_snapshot_builder_fail(agentchat_snapshot_builder *b, agentchat_status status, const char *list, size_t index,
                               const char *member)
{
    char path[96];

    snprintf(path, sizeof path, *member != '\0' ? "/%s/%zu/%s" : "/%s/%zu", list, index, member);
    aci_error_path_prepend(&b->error, agentchat_str_from(path));
    b->status = status;
}

void aci_snapshot_builder_refuse(agentchat_snapshot_builder *b, const char *list, size_t index, const char *member,
                                 const char *message)
{
    aci_snapshot_builder_fail(b, aci_fail(&b->error, AGENTCHAT_E_INVALID, "%s", message), list, index, member);
}

void aci_snapshot_builder_copy(agentchat_snapshot_builder *b, agentchat_str *text)
{
    bool ok = true;

    *text = aci_arena_copy(b->arena, *text, &ok);
    if (!ok)
        aci_snapshot_builder_nomem(b);
}

void aci_snapshot_builder_text(agentchat_snapshot_builder *b, agentchat_str *text, const char *list, size_t index,
                               const char *member)
{
    agentchat_status status;

    if (aci_snapshot_builder_is_broken(b))
        return;
    status = aci_check_text(*text, &b->error);
    if (status < 0)
        aci_snapshot_builder_fail(b, status, list, index, member);
    else
        aci_snapshot_builder_copy(b, text);
}
