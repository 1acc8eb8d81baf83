/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kit/out.h"

#include "base/error.h"
#include "base/utf8.h"
#include "io/stream.h"
#include "json/value.h"
#include <stdarg.h>

agentchat_status aci_out_begin(aci_out *out, const aci_write *document, const char *name, uint32_t indent,
                               agentchat_error *err)
{
    *out = (aci_out){.env = aci_env(document->env), .report = document->report, .name = name};
    out->tag = agentchat_str_from(name);
    return aci_writer_begin(&out->w, out->env, document->sink, ACI_JSON_UTF8, indent, err);
}

agentchat_status aci_out_end(aci_out *out)
{
    return aci_writer_end(&out->w);
}

agentchat_status aci_out_end_document(aci_out *out)
{
    agentchat_status status = aci_writer_end(&out->w);

    return status >= 0 ? aci_sink_write(out->w.sink, "\n", 1, out->w.err) : status;
}

void aci_out_nomem(aci_out *out)
{
    if (out->w.status >= 0)
        out->w.status = aci_fail_nomem(out->w.err);
}

static void report(aci_out *out, agentchat_report_kind kind, const aci_location *path, const char *format,
                   va_list arguments) AGENTCHAT_PRINTF(4, 0);

static void report(aci_out *out, agentchat_report_kind kind, const aci_location *path, const char *format,
                   va_list arguments)
{
    if (out->w.status >= 0 &&
        !aci_raw_reader_vreport(out->report, out->env, kind, out->prefix, path, format, arguments))
        aci_out_nomem(out);
}

void aci_out_report(aci_out *out, agentchat_report_kind kind, const aci_location *path, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    report(out, kind, path, format, arguments);
    va_end(arguments);
}

void aci_out_lost(aci_out *out, const aci_location *path, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    report(out, AGENTCHAT_REPORT_LOSS, path, format, arguments);
    va_end(arguments);
}

void aci_out_changed(aci_out *out, const aci_location *path, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    report(out, AGENTCHAT_REPORT_REPAIR, path, format, arguments);
    va_end(arguments);
}

/* ---- lone surrogates -------------------------------------------------------------------------------------------- */

static void lost_surrogates(aci_out *out, const aci_location *path, const char *reader)
{
    aci_out_lost(out, path, "lone surrogates were replaced by U+FFFD: %s refuses them", reader);
}

void aci_out_clean_text(aci_out *out, const aci_location *path, agentchat_str text, const char *reader)
{
    aci_buf clean;

    if (!aci_utf8_has_surrogates(text)) {
        aci_writer_string(&out->w, text);
        return;
    }
    lost_surrogates(out, path, reader);
    aci_buf_init(&clean, out->env, SIZE_MAX);
    if (!aci_buf_add_without_surrogates(&clean, text))
        aci_out_nomem(out);
    aci_writer_string(&out->w, aci_buf_str(&clean));
    aci_buf_clear(&clean);
}

agentchat_str aci_out_clean_json(aci_out *out, const aci_location *path, agentchat_str json, const char *reader,
                                 aci_buf *buffer)
{
    if (!aci_json_has_lone_surrogates(json))
        return json;
    lost_surrogates(out, path, reader);
    if (!aci_json_replace_lone_surrogates(json, buffer))
        aci_out_nomem(out);
    return aci_buf_str(buffer);
}

bool aci_out_seconds(agentchat_str text, char number[ACI_TIME_SIZE])
{
    aci_time time;
    bool cut;

    return text.ptr != NULL && !agentchat_str_is_null(text) && aci_time_parse(text, &time) && time.is_utc &&
           !time.is_leap && time.fraction.len == 0 && time.seconds > 0 &&
           aci_time_print_seconds(&time, number, &cut) > 0;
}
