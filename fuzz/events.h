/* SPDX-License-Identifier: Apache-2.0 */
/* What the targets of events and session files check: errors say where, texts of JSON mean the same. */
#ifndef AGENTCHAT_FUZZ_EVENTS_H
#define AGENTCHAT_FUZZ_EVENTS_H

#include "fuzz.h"

#include "json/value.h"
#include <string.h>

/* An error of reading a text of so many bytes. */
static inline void fuzz_check_location(agentchat_status status, const agentchat_error *err, size_t size)
{
    FUZZ_CHECK(status == AGENTCHAT_E_SYNTAX || status == AGENTCHAT_E_SCHEMA || status == AGENTCHAT_E_INVALID ||
               status == AGENTCHAT_E_VERSION || status == AGENTCHAT_E_LIMIT);
    FUZZ_CHECK(err->code == (int32_t)status);
    FUZZ_CHECK(err->message[0] != '\0');
    for (const unsigned char *p = (const unsigned char *)err->message; *p != '\0'; p++)
        FUZZ_CHECK(*p >= 0x20 && *p != 0x7F && !(p[0] == 0xC2 && p[1] >= 0x80 && p[1] < 0xA0));
    FUZZ_CHECK(err->offset <= size && err->line <= size + 1);
    FUZZ_CHECK(err->path[0] == '\0' || err->path[0] == '/' || (unsigned char)err->path[0] == 0xE2);
}

/* Canonical text of JSON, to be released with aci_buf_clear(). */
static inline aci_buf fuzz_canonical(agentchat_str json)
{
    agentchat_error err;
    agentchat_str span;
    aci_buf out;

    agentchat_error_clear(&err);
    aci_buf_init(&out, NULL, SIZE_MAX);
    FUZZ_CHECK(aci_json_check(NULL, json, ACI_HIGHEST_MAX_DEPTH, &span, NULL, &err) == AGENTCHAT_OK);
    FUZZ_CHECK(aci_json_canonical(span, &out, aci_env(NULL), &err) == AGENTCHAT_OK);
    return out;
}

/* Whether two texts are the same JSON, whatever the order of members. */
static inline bool fuzz_same_json(agentchat_str a, agentchat_str b)
{
    aci_buf one = fuzz_canonical(a), other = fuzz_canonical(b);
    bool same = one.len == other.len && memcmp(one.ptr, other.ptr, one.len) == 0;

    aci_buf_clear(&one);
    aci_buf_clear(&other);
    return same;
}

/* Whether an entry of a report has a word in it. */
static inline bool fuzz_reports(const agentchat_report *report, const char *word)
{
    size_t len = strlen(word);

    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        agentchat_str text = agentchat_report_at(report, i)->text;

        for (size_t at = 0; at + len <= text.len; at++)
            if (memcmp(text.ptr + at, word, len) == 0)
                return true;
    }
    return false;
}

static inline agentchat_str fuzz_bytes(const agentchat_bytes *bytes)
{
    return (agentchat_str){bytes->ptr, bytes->len};
}

#endif
