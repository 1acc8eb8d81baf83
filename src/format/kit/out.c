/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kit/out.h"

#include "base/error.h"
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
