/* SPDX-License-Identifier: Apache-2.0 */
/* What the writers of the ADKs' form share: values, times, extras, reports. Layer 5. */
#include "event/adk.h"

#include "base/error.h"
#include "base/utf8.h"
#include "event/time.h"
#include "event/tokens.h"
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>

agentchat_status aci_adk_writer_begin(aci_adk_writer *wr, const agentchat_env *env, agentchat_sink *sink,
                                      agentchat_report *report, agentchat_error *err)
{
    wr->env = aci_env(env);
    wr->report = report;
    wr->prefix = (agentchat_str){NULL, 0};
    wr->context = NULL;
    aci_buf_init(&wr->scratch, env, SIZE_MAX);
    return aci_jw_begin(&wr->w, env, sink, ACI_JSON_UTF8, 0, err);
}

agentchat_status aci_adk_writer_end(aci_adk_writer *wr)
{
    aci_buf_clear(&wr->scratch);
    return aci_jw_end(&wr->w);
}

void aci_adk_failed(aci_adk_writer *wr, agentchat_status status)
{
    if (wr->w.status >= 0)
        wr->w.status = aci_fail(wr->w.err, status, "%s", agentchat_status_text(status));
}

void aci_adk_told(aci_adk_writer *wr, agentchat_report_kind kind, const aci_adk_path *path, const char *format, ...)
{
    char text[256];
    va_list arguments;

    if (wr->report == NULL)
        return;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!aci_adk_report(wr->report, wr->env, kind, wr->prefix, path, "%s", text))
        aci_adk_failed(wr, AGENTCHAT_E_NOMEM);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

/* Puts text into the scratch buffer with U+FFFD for each lone surrogate. */
static bool replace_surrogates(aci_buf *out, agentchat_str text)
{
    const unsigned char *p = (const unsigned char *)text.ptr, *end = p + text.len;
    bool ok = true;

    out->len = 0;
    while (ok && p < end) {
        size_t len = aci_utf8_char(p, end, false);

        if (len > 0) {
            ok = aci_buf_add(out, p, len);
            p += len;
        } else {
            ok = aci_buf_add(out, "\xEF\xBF\xBD", 3);
            p += 3; /* a surrogate; text is valid otherwise */
        }
    }
    return ok;
}

static void told_surrogates(aci_adk_writer *wr, const aci_adk_path *path)
{
    aci_adk_told(wr, AGENTCHAT_REPORT_LOSS, path, "lone surrogates were replaced by U+FFFD: adk-python refuses them");
}

void aci_adk_put_text(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str text)
{
    if (!aci_has_surrogates(text)) {
        aci_jw_string(&wr->w, text);
        return;
    }
    told_surrogates(wr, path);
    if (replace_surrogates(&wr->scratch, text))
        aci_jw_string(&wr->w, aci_buf_str(&wr->scratch));
    else
        aci_adk_failed(wr, AGENTCHAT_E_NOMEM);
}

enum { MOST_DIGITS = 4300, KEPT_DIGITS = 17 }; /* Python reads no longer whole number; what makes a double */

/* Where a number with more digits before its point has them; NULL: nowhere. *digits: how many. */
static const char *find_long_number(const char *p, const char *end, size_t *digits)
{
    while (end - p > MOST_DIGITS) {
        const char *start = *p == '-' ? p + 1 : p;

        if (strchr("{}[],: \t\r\n", *p) != NULL) {
            p++;
            continue;
        }
        p = aci_behind_scalar(p, end);
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
            char *behind;
            long given = strtol(p + 1, &behind, 10);

            exponent = given > LONG_MAX - exponent ? LONG_MAX : given + exponent;
            p = behind;
        }
        ok = ok && aci_buf_printf(out, "e%ld", exponent);
    }
    return ok && aci_buf_add(out, p, (size_t)(end - p));
}

void aci_adk_put_json(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str json)
{
    aci_buf whole, shortened;
    size_t digits;
    bool ok = true;

    aci_buf_init(&whole, wr->env, SIZE_MAX);
    aci_buf_init(&shortened, wr->env, SIZE_MAX);
    if (aci_json_has_lone_surrogates(json)) {
        told_surrogates(wr, path);
        ok = aci_json_replace_lone_surrogates(json, &whole);
        json = aci_buf_str(&whole);
    }
    if (ok && find_long_number(json.ptr, json.ptr + json.len, &digits) != NULL) {
        aci_adk_told(wr, AGENTCHAT_REPORT_LOSS, path,
                     "a number of more than %d digits was shortened: adk-python refuses it", MOST_DIGITS);
        ok = shorten_numbers(json, &shortened);
        json = aci_buf_str(&shortened);
    }
    if (ok)
        aci_jw_raw(&wr->w, json);
    else
        aci_adk_failed(wr, AGENTCHAT_E_NOMEM);
    aci_buf_clear(&whole);
    aci_buf_clear(&shortened);
}

void aci_adk_put_key(aci_adk_writer *wr, agentchat_str raw)
{
    aci_buf whole;
    bool ok = true;

    aci_buf_init(&whole, wr->env, SIZE_MAX);
    if (aci_json_has_lone_surrogates(raw)) {
        ok = aci_json_replace_lone_surrogates(raw, &whole);
        raw = aci_buf_str(&whole);
    }
    wr->scratch.len = 0;
    if (ok && aci_json_unquote(raw, &wr->scratch))
        aci_jw_key(&wr->w, aci_buf_str(&wr->scratch));
    else
        aci_adk_failed(wr, AGENTCHAT_E_NOMEM);
    aci_buf_clear(&whole);
}

void aci_adk_time_number(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str text,
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
        aci_adk_told(wr, AGENTCHAT_REPORT_NOTE, path,
                     "the number is so high that readers may take it for milliseconds");
    if (is_early)
        aci_adk_told(wr, AGENTCHAT_REPORT_LOSS, path,
                     "the time is before the year 0 in UTC: the beginning of that year was written");
    if (time.is_leap)
        aci_adk_told(wr, AGENTCHAT_REPORT_LOSS, path, "the leap second was written as the second that follows");
    if (cut)
        aci_adk_told(wr, AGENTCHAT_REPORT_LOSS, path, "digits of the time beyond nanoseconds were left out");
    if (!time.is_utc)
        aci_adk_told(wr, AGENTCHAT_REPORT_LOSS, path, "the time's offset from UTC was left out");
}

void aci_adk_put_time(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str text)
{
    char number[ACI_ADK_TIME_SIZE];

    aci_adk_time_number(wr, path, text, number);
    if (*number != '\0')
        aci_jw_raw(&wr->w, agentchat_str_from(number));
    else
        aci_jw_null(&wr->w);
}

/* ---- extras ----------------------------------------------------------------------------------------------------- */

static void lost_extra(aci_adk_writer *wr, const aci_adk_path *path, const agentchat_extra *extra, bool is_known,
                       const char *why)
{
    const aci_adk_path at = {path, extra->name, 0};

    aci_adk_told(wr, AGENTCHAT_REPORT_LOSS, &at, "the %sproperty was left out: %s", is_known ? "" : "unknown ", why);
}

/* Whether google-adk carries an unknown property of an event out, as if the event were being made. */
static bool is_executed(agentchat_str name)
{
    static const char *const names[] = {"message", "node_path", "route", "state"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (agentchat_str_equal(name, agentchat_str_from(names[i])))
            return true;
    return false;
}

/* Why an extra cannot be written; NULL when it can. index: of its name in the table. */
static const char *why_not(aci_adk_writer *wr, const agentchat_extra *extra, const aci_adk_table *table, uint32_t index,
                           uint32_t from)
{
    if (extra->from != AGENTCHAT_FORMAT_ADK)
        return "it comes from no ADK";
    if (index < from)
        return "the name stands for something else there";
    if (index < table->count ? !table->list[index].is_google || !aci_adk_fits(wr, &table->list[index], extra->value)
                             : !table->is_open)
        return "adk-python refuses it";
    if (aci_has_surrogates(extra->name))
        return "its name has a lone surrogate";
    if (index == table->count && is_executed(extra->name))
        return "adk-python would carry it out";
    return NULL;
}

static void put_extra(aci_adk_writer *wr, const aci_adk_path *path, const agentchat_extra *extra,
                      const aci_adk_table *table, uint32_t index)
{
    if (table == &aci_adk_event && aci_adk_put_translated(wr, path, index, extra->value))
        return;
    aci_jw_key(&wr->w, path->name);
    if (index < table->count)
        aci_adk_put_value(wr, path, &table->list[index], extra->value);
    else
        aci_adk_put_json(wr, path, extra->value);
}

void aci_adk_put_extras(aci_adk_writer *wr, const aci_adk_path *path, const aci_extras *extras,
                        const aci_adk_table *table, uint32_t from)
{
    aci_index written = {NULL, 0, 0};

    for (size_t i = 0; extras != NULL && i < extras->count && wr->w.status >= 0; i++) {
        const agentchat_extra *extra = &extras->list[i];
        uint32_t index = aci_adk_find(table, extra->name, NULL);
        const aci_adk_path at = {path, index < table->count ? aci_adk_camel(table, index) : extra->name, 0};
        const char *why;

        if (*extra->value.ptr == 'n' && extra->from == AGENTCHAT_FORMAT_ADK)
            continue;
        why = why_not(wr, extra, table, index, from);
        if (why == NULL && aci_index_find(&written, at.name) != ACI_INDEX_NONE)
            why = "there is another of its name";
        if (why != NULL)
            lost_extra(wr, path, extra, index < table->count && extra->from == AGENTCHAT_FORMAT_ADK, why);
        else if (!aci_index_put(&written, wr->env, at.name, 0))
            aci_adk_failed(wr, AGENTCHAT_E_NOMEM);
        else
            put_extra(wr, &at, extra, table, index);
    }
    aci_index_clear(&written, wr->env);
}
