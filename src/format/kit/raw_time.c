/* SPDX-License-Identifier: Apache-2.0 */
/* Times, which have several spellings. */
#include "format/kit/raw_reader.h"

#include "base/error.h"
#include "base/utf8.h"
#include "event/draft.h"
#include "event/time.h"

static bool number_time(aci_raw_reader *a, const aci_location *path, agentchat_str raw, agentchat_str *out)
{
    char text[ACI_TIME_SIZE];
    unsigned flags;
    bool ok = true;
    size_t len = aci_time_from_number(raw, text, &flags);

    *out = (agentchat_str){NULL, 0};
    if (len == 0)
        return aci_raw_reader_note(a, AGENTCHAT_REPORT_LOSS, path,
                                   "the time was left out: it is not in the years 0 to 9999");
    if ((flags & ACI_TIME_MILLISECONDS) != 0 &&
        !aci_raw_reader_note(a, AGENTCHAT_REPORT_NOTE, path, "the number was read as milliseconds"))
        return false;
    if ((flags & ACI_TIME_CUT) != 0 &&
        !aci_raw_reader_note(a, AGENTCHAT_REPORT_LOSS, path, "digits of the time beyond nanoseconds were left out"))
        return false;
    *out = aci_arena_copy(a->arena, (agentchat_str){text, len}, &ok);
    return ok || aci_raw_reader_nomem(a);
}

/* What Python reads as a number that is none. */
static bool is_no_number(agentchat_str text)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    bool is = false;

    if (text.len > 0 && (*text.ptr == '-' || *text.ptr == '+'))
        text = (agentchat_str){text.ptr + 1, text.len - 1};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        is = is || aci_utf8_equal_ignore_case(text, agentchat_str_from(words[i]));
    return is;
}

bool aci_raw_time(aci_raw_reader *a, const aci_location *path, agentchat_str raw, agentchat_str *out)
{
    aci_json_kind kind = aci_json_kind_of(raw);
    agentchat_error detail;
    agentchat_str number;

    if (kind == ACI_JSON_NUMBER)
        return number_time(a, path, raw, out);
    if (a->is_lenient && (kind == ACI_JSON_TRUE || kind == ACI_JSON_FALSE))
        return number_time(a, path, kind == ACI_JSON_TRUE ? AGENTCHAT_STR("1") : AGENTCHAT_STR("0"), out);
    if (!aci_raw_reader_kind(a, path, raw, ACI_JSON_STRING, "a number of seconds or a string") ||
        !aci_raw_reader_decode(a, raw, out))
        return false;
    if (a->is_lenient) { /* a number as text, perhaps with whitespace around it */
        agentchat_status status = aci_json_check(a->env, *out, 1, &number, &kind, NULL);

        if (status == AGENTCHAT_E_NOMEM)
            return aci_raw_reader_nomem(a);
        if (status >= 0 && kind == ACI_JSON_NUMBER)
            return number_time(a, path, number, out);
    }
    if (a->is_lenient && is_no_number(*out)) {
        *out = (agentchat_str){NULL, 0};
        return aci_raw_reader_note(a, AGENTCHAT_REPORT_LOSS, path, "the time was left out: it is no number");
    }
    agentchat_error_clear(&detail);
    return aci_event_check_text(AGENTCHAT_EVENT_TIME, *out, &detail) >= 0 ||
           aci_raw_reader_fail(a, path, raw, AGENTCHAT_E_SCHEMA, "%s", detail.message);
}

bool aci_raw_time_seconds(aci_raw_reader *a, agentchat_str raw, agentchat_str *out)
{
    size_t i = 0;

    *out = (agentchat_str){NULL, 0};
    while (i < raw.len && raw.ptr[i] >= '0' && raw.ptr[i] <= '9')
        i++;
    return raw.len == 0 || *raw.ptr == '0' || i < raw.len || i > 10 || number_time(a, NULL, raw, out);
}
