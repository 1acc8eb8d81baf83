/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The input as choices of a chat, of every kind of item with every field (tests/format/random_chat.h). It comes back
 * from the native formats as it was, and from each other one but for what is reported.
 */
#include "documents.h"

#include "format/random_chat.h"
#include "format/unreported.h"
#include <agentchat/repair.h>
#include <string.h>

static size_t pick(void *user, size_t below)
{
    return fuzz_below(user, (uint32_t)below);
}

static void check_foreign(const agentchat_snapshot *chat, const agentchat_format *format, bool strict)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes written = AGENTCHAT_BYTES_INIT;
    agentchat_report *report = NULL;
    agentchat_snapshot *back;
    agentchat_error err;

    options.format = format->name;
    options.strict = strict;
    if (agentchat_repair_profile_find(format->name) != NULL) { /* what is repaired comes back as another chat */
        options.strict = false;
        FUZZ_CHECK(agentchat_snapshot_write_memory(chat, &options, &written, NULL, &err) == AGENTCHAT_OK);
        agentchat_bytes_clear(&written);
        options.strict = true;
    }
    FUZZ_CHECK(agentchat_snapshot_write_memory(chat, &options, &written, &report, &err) == AGENTCHAT_OK);
    back = fuzz_read(fuzz_view(&written), format->name, &err);
    if (back != NULL) {
        char *unreported = unreported_difference(chat, back, report);

        if (unreported != NULL)
            fprintf(stderr, "%s%s: %s\n", format->name, strict ? " (strict)" : "", unreported);
        FUZZ_CHECK(unreported == NULL);
    } else {
        FUZZ_CHECK(err.code == AGENTCHAT_E_LIMIT);
    }
    agentchat_snapshot_unref(back);
    agentchat_report_free(report);
    agentchat_bytes_clear(&written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const random_source random = {pick, &in};
    agentchat_snapshot *chat = random_chat(&random, NULL);

    FUZZ_CHECK(chat != NULL);
    fuzz_round_trip(chat, "agentchat");
    fuzz_round_trip(chat, "agentchat-encoded");
    for (size_t i = 0; i < agentchat_format_count(); i++) {
        const agentchat_format *format = agentchat_format_at(i);
        uint32_t both = format->reads & format->writes & (AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_HISTORY);

        for (int strict = 0; both != 0 && strict <= format->has_strict; strict++)
            check_foreign(chat, format, strict != 0);
    }
    agentchat_snapshot_unref(chat);
    return 0;
}
