/* SPDX-License-Identifier: Apache-2.0 */
/* What the writers of the ADK format share: text, open-ended values, bytes, times, reports. */
#include "format/adk/write.h"

#include "base/b64.h"
#include "base/error.h"
#include "event/time.h"
#include "json/tokens.h"
#include <limits.h>
#include <stdlib.h>

agentchat_status aci_adk_writer_begin(aci_adk_writer *wr, const agentchat_env *env, agentchat_sink *sink,
                                      agentchat_report *report, agentchat_error *err)
{
    const aci_write document = {.env = env, .sink = sink, .report = report};

    wr->context = NULL;
    wr->a = (aci_raw_reader){.env = aci_env(env), .tag = ACI_TAG(aci_adk_name)};
    aci_buf_init(&wr->scratch, env, SIZE_MAX);
    return aci_out_begin(&wr->out, &document, aci_adk_name, 0, err);
}

agentchat_status aci_adk_writer_end(aci_adk_writer *wr)
{
    aci_buf_clear(&wr->scratch);
    aci_arena_unref(wr->a.arena);
    return aci_out_end(&wr->out);
}

aci_raw_reader *aci_adk_writer_reader(aci_adk_writer *wr)
{
    if (wr->a.arena == NULL)
        wr->a.arena = aci_arena_new(wr->out.env, 0);
    if (wr->a.arena != NULL)
        return &wr->a;
    aci_out_nomem(&wr->out);
    return NULL;
}

agentchat_str aci_adk_decode(aci_adk_writer *wr, agentchat_str raw)
{
    agentchat_str text = {"", 0};

    if ((memchr(raw.ptr, '\\', raw.len) == NULL || aci_adk_writer_reader(wr) != NULL) &&
        !aci_raw_reader_decode(&wr->a, raw, &text))
        aci_out_nomem(&wr->out);
    return text;
}

/* ---- text and values --------------------------------------------------------------------------------------------- */

void aci_adk_write_text(aci_adk_writer *wr, const aci_location *path, agentchat_str text)
{
    aci_out_clean_text(&wr->out, path, text, "adk-python");
}

enum { MOST_DIGITS = 4300, KEPT_DIGITS = 17 }; /* Python reads no longer integer; what makes a double */

/* Where a number with more digits before its point has them; NULL: nowhere. *digits: how many. */
static const char *find_long_number(const char *p, const char *end, size_t *digits)
{
    while (end - p > MOST_DIGITS) {
        const char *start = *p == '-' ? p + 1 : p;

        if (strchr("{}[],: \t\r\n", *p) != NULL) {
            p++;
            continue;
        }
        p = aci_after_scalar(p, end);
        for (*digits = 0; start + *digits < p && start[*digits] >= '0' && start[*digits] <= '9';)
            ++*digits;
        if (*digits > MOST_DIGITS)
            return start;
    }
    return NULL;
}

/* Appends JSON with each such number in the notation with an exponent: to a double it is the same. */
static bool shorten_numbers(agentchat_str json, aci_buf *out)
{
    const char *p = json.ptr, *end = json.ptr + json.len, *found;
    size_t digits;
    bool ok = true;

    while (ok && (found = find_long_number(p, end, &digits)) != NULL) {
        long exponent = (long)digits - KEPT_DIGITS;

        ok = aci_buf_add(out, p, (size_t)(found - p) + KEPT_DIGITS);
        p = found + digits;
        if (p < end && *p == '.')
            for (p++; p < end && *p >= '0' && *p <= '9';)
                p++;
        if (p < end && (*p == 'e' || *p == 'E')) {
            char *after;
            long given = strtol(p + 1, &after, 10);

            exponent = given > LONG_MAX - exponent ? LONG_MAX : given + exponent;
            p = after;
        }
        ok = ok && aci_buf_printf(out, "e%ld", exponent);
    }
    return ok && aci_buf_add(out, p, (size_t)(end - p));
}

void aci_adk_write_json(aci_adk_writer *wr, const aci_location *path, agentchat_str json)
{
    aci_buf clean, shortened;
    size_t digits;

    aci_buf_init(&clean, wr->out.env, SIZE_MAX);
    aci_buf_init(&shortened, wr->out.env, SIZE_MAX);
    json = aci_out_clean_json(&wr->out, path, json, "adk-python", &clean);
    if (json.len > 0 && find_long_number(json.ptr, json.ptr + json.len, &digits) != NULL) {
        aci_out_lost(&wr->out, path, "a number of more than %d digits was shortened: adk-python refuses it",
                     MOST_DIGITS);
        if (!shorten_numbers(json, &shortened))
            aci_out_nomem(&wr->out);
        json = aci_buf_str(&shortened);
    }
    aci_writer_raw(&wr->out.w, json);
    aci_buf_clear(&clean);
    aci_buf_clear(&shortened);
}

/* Base64 in the URL-safe alphabet, as adk-python writes it. */
bool aci_adk_write_bytes(aci_adk_writer *wr, const aci_data *data)
{
    agentchat_str text = data->base64;
    bool ok;

    wr->scratch.len = 0;
    if (text.ptr == NULL) {
        size_t size = aci_b64_encoded_size(data->bytes.len);

        ok = size < SIZE_MAX && aci_buf_reserve(&wr->scratch, size + 1);
        if (ok) {
            aci_b64_encode(data->bytes.ptr, data->bytes.len, wr->scratch.ptr);
            wr->scratch.len = size;
        }
    } else {
        ok = aci_buf_reserve(&wr->scratch, text.len + 1) && aci_buf_add_str(&wr->scratch, text);
    }
    for (size_t i = 0; ok && i < wr->scratch.len; i++) {
        char *c = &wr->scratch.ptr[i];

        *c = (char)(*c == '+' ? '-' : *c == '/' ? '_' : *c);
    }
    if (ok)
        aci_writer_string(&wr->out.w, aci_buf_str(&wr->scratch));
    return ok;
}

/* ---- times ------------------------------------------------------------------------------------------------------- */

void aci_adk_time_number(aci_adk_writer *wr, const aci_location *path, agentchat_str text,
                         char number[ACI_ADK_TIME_SIZE])
{
    aci_time time;
    bool cut, is_early;

    *number = '\0';
    if (!aci_time_parse(text, &time)) /* which no event has */
        return;
    is_early = time.seconds < ACI_TIME_FIRST_SECOND;
    if (is_early)
        time = (aci_time){ACI_TIME_FIRST_SECOND, {"", 0}, time.is_utc, false};
    (void)aci_time_print_seconds(&time, number, &cut);
    if (time.seconds >= ACI_TIME_HIGHEST_SECONDS || time.seconds <= -ACI_TIME_HIGHEST_SECONDS)
        aci_out_lost(&wr->out, path, "the number is so high that readers take it for milliseconds");
    if (is_early)
        aci_out_lost(&wr->out, path, "the time is before the year 0 in UTC: the beginning of that year was written");
    if (time.is_leap)
        aci_out_lost(&wr->out, path, "the leap second was written as the second that follows");
    if (cut)
        aci_out_lost(&wr->out, path, "digits of the time beyond nanoseconds were left out");
    if (!time.is_utc)
        aci_out_lost(&wr->out, path, "the time's offset from UTC was left out");
}

void aci_adk_write_time(aci_adk_writer *wr, const aci_location *path, agentchat_str text)
{
    char number[ACI_ADK_TIME_SIZE];

    aci_adk_time_number(wr, path, text, number);
    if (*number != '\0')
        aci_writer_raw(&wr->out.w, agentchat_str_from(number));
    else
        aci_writer_null(&wr->out.w);
}
