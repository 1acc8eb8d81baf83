/* SPDX-License-Identifier: Apache-2.0 */
/* What the writing half shares: failures, and what is reported. */
#include "format/semantic_kernel/writer.h"

#include "base/error.h"

void aci_sk_fail(aci_sk_writer *wr, agentchat_status status)
{
    if (wr->w.status >= 0)
        wr->w.status = status == AGENTCHAT_E_NOMEM ? aci_fail_nomem(wr->err) : status;
}

AGENTCHAT_PRINTF(4, 0)
static void report(aci_sk_writer *wr, agentchat_report_kind kind, const aci_location *path, const char *format,
                   va_list arguments)
{
    static const agentchat_str prefix = {NULL, 0};

    if (wr->w.status >= 0 && !aci_raw_reader_vreport(wr->report, wr->env, kind, prefix, path, format, arguments))
        aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
}

void aci_sk_loss(aci_sk_writer *wr, const aci_location *path, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    report(wr, AGENTCHAT_REPORT_LOSS, path, format, arguments);
    va_end(arguments);
}

void aci_sk_repaired(aci_sk_writer *wr, const aci_location *path, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    report(wr, AGENTCHAT_REPORT_REPAIR, path, format, arguments);
    va_end(arguments);
}

void aci_sk_copies_fail(aci_sk_writer *wr, const aci_location *path)
{
    aci_buf pointer;

    if (wr->w.status < 0)
        return;
    wr->w.status = aci_copies_fail(&wr->copies, wr->err);
    aci_buf_init(&pointer, wr->env, SIZE_MAX);
    if (aci_raw_reader_pointer(path, &pointer)) /* without memory for it the error has no location */
        aci_error_path(wr->err, aci_buf_str(&pointer));
    aci_buf_clear(&pointer);
}

void aci_sk_line_begin(aci_sk_writer *wr, bool quoted)
{
    if (quoted) {
        aci_writer_quoted_begin(&wr->w);
        wr->quoted = true;
    }
    aci_writer_inline_begin(&wr->w);
}

void aci_sk_line_end(aci_sk_writer *wr, bool quoted)
{
    aci_writer_inline_end(&wr->w);
    if (quoted) {
        aci_writer_quoted_end(&wr->w);
        wr->quoted = false;
    }
}
