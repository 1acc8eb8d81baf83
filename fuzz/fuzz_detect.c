/* SPDX-License-Identifier: Apache-2.0 */
/* Detection of the format: a document that is read by detection is read the same when its format is named. */
#include "documents.h"

#include <agentchat/format.h>
#include <string.h>

static bool same_error(const agentchat_error *a, const agentchat_error *b)
{
    return a->code == b->code && a->native == b->native && a->offset == b->offset && a->line == b->line &&
           a->column == b->column && strcmp(a->path, b->path) == 0 && strcmp(a->message, b->message) == 0;
}

/* What is no document of a format, or no JSON, is refused before any reader sees it. */
static bool is_nobodys(const agentchat_error *err)
{
    return err->code == AGENTCHAT_E_SYNTAX || err->code == AGENTCHAT_E_LIMIT ||
           (err->code == AGENTCHAT_E_SCHEMA && (strstr(err->message, "has no mark of a format") != NULL ||
                                                strstr(err->message, "file of a session") != NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    agentchat_str document = {(const char *)data, size};
    agentchat_error detected_error, err;
    agentchat_snapshot *detected = fuzz_read(document, NULL, &detected_error);
    bool found = detected == NULL && is_nobodys(&detected_error);

    for (size_t i = 0; i < agentchat_format_count(); i++) {
        const agentchat_format *format = agentchat_format_at(i);
        agentchat_snapshot *named;

        if ((format->reads & (AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_HISTORY)) == 0)
            continue;
        named = fuzz_read(document, format->name, &err);
        if (detected != NULL && strcmp(format->name, agentchat_snapshot_format(detected)) == 0) {
            FUZZ_CHECK(named != NULL && fuzz_same_digest(detected, named, true));
            found = true;
        } else if (detected == NULL && named == NULL) {
            found = found || same_error(&detected_error, &err);
        }
        agentchat_snapshot_unref(named);
    }
    FUZZ_CHECK(found);
    agentchat_snapshot_unref(detected);
    return 0;
}
