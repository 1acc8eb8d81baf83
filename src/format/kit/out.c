/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kit/out.h"

#include "base/error.h"
#include <stdarg.h>

agentchat_status aci_out_begin(aci_out *out, const aci_write *document, agentchat_str tag, agentchat_error *err)
{
    out->env = aci_env(document->env);
    out->report = document->report;
    out->tag = tag;
    return aci_writer_begin(&out->w, out->env, document->sink, ACI_JSON_UTF8, 2, err);
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

void aci_out_lost(aci_out *out, const aci_location *path, const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (out->w.status >= 0 && !aci_raw_reader_report(out->report, out->env, AGENTCHAT_REPORT_LOSS,
                                                     (agentchat_str){NULL, 0}, path, "%s", text))
        aci_out_nomem(out);
}
