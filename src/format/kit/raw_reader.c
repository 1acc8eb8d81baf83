/* SPDX-License-Identifier: Apache-2.0 */
/* Locations, failures and kinds of values. */
#include "format/kit/raw_reader.h"

#include "base/error.h"
#include "format/kit/event_location.h"
#include "format/kit/look.h"
#include "json/lex.h"
#include <stdarg.h>

/* ---- locations -------------------------------------------------------------------------------------------------- */

bool aci_raw_reader_pointer(const aci_location *path, aci_buf *out)
{
    if (path == NULL)
        return true;
    if (!aci_raw_reader_pointer(path->up, out)) /* as deep as an event's own objects */
        return false;
    return path->name.ptr != NULL ? aci_json_pointer_add(out, path->name)
                                  : aci_json_pointer_add_index(out, path->index);
}

bool aci_raw_reader_vreport(agentchat_report *report, const agentchat_env *env, agentchat_report_kind kind,
                            agentchat_str prefix, const aci_location *path, const char *format, va_list arguments)
{
    char text[256];
    aci_buf pointer;
    bool ok;

    if (report == NULL)
        return true;
    (void)vsnprintf(text, sizeof text, format, arguments);
    aci_buf_init(&pointer, env, SIZE_MAX);
    ok =
        aci_buf_add_str(&pointer, prefix) && aci_raw_reader_pointer(path, &pointer) &&
        aci_report_add(report, kind, AGENTCHAT_MATCH_NONE, aci_buf_str(&pointer), (agentchat_str){NULL, 0}, "%s", text);
    aci_buf_clear(&pointer);
    return ok;
}

bool aci_raw_reader_report(agentchat_report *report, const agentchat_env *env, agentchat_report_kind kind,
                           agentchat_str prefix, const aci_location *path, const char *format, ...)
{
    va_list arguments;
    bool ok;

    va_start(arguments, format);
    ok = aci_raw_reader_vreport(report, env, kind, prefix, path, format, arguments);
    va_end(arguments);
    return ok;
}

bool aci_raw_reader_note(aci_raw_reader *a, agentchat_report_kind kind, const aci_location *path, const char *format,
                         ...)
{
    va_list arguments;
    bool ok;

    va_start(arguments, format);
    ok = aci_raw_reader_vreport(a->report, a->env, kind, a->prefix, path, format, arguments);
    va_end(arguments);
    return ok || aci_raw_reader_nomem(a);
}

bool aci_raw_reader_nomem(aci_raw_reader *a)
{
    if (a->status >= 0)
        a->status = aci_fail_nomem(a->err);
    return false;
}

bool aci_raw_reader_fail(aci_raw_reader *a, const aci_location *path, agentchat_str value, agentchat_status status,
                         const char *format, ...)
{
    char message[sizeof(a->err->message)];
    va_list arguments;
    aci_buf pointer;

    if (a->status < 0)
        return false;
    a->status = status;
    if (a->err == NULL || a->err->code != 0)
        return false;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    (void)aci_fail(a->err, status, "%s", message);
    aci_error_at_offset(a->err, a->document, (uint64_t)(value.ptr - a->document.ptr));
    aci_buf_init(&pointer, a->env, SIZE_MAX);
    if (aci_buf_add_str(&pointer, a->prefix) && aci_raw_reader_pointer(path, &pointer))
        aci_error_path(a->err, aci_buf_str(&pointer));
    aci_buf_clear(&pointer); /* without memory for the JSON Pointer, offset and line must suffice */
    return false;
}

/* ---- kinds of values -------------------------------------------------------------------------------------------- */

bool aci_raw_reader_kind(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_json_kind kind,
                         const char *wanted)
{
    static const char *const names[] = {"nothing",  "an object", "an array", "a string",
                                        "a number", "true",      "false",    "null"};
    aci_json_kind found = aci_json_kind_of(raw);

    return found == kind ||
           aci_raw_reader_fail(a, path, raw, AGENTCHAT_E_SCHEMA, "expected %s, found %s", wanted, names[found]);
}

agentchat_str aci_raw_reader_member(const aci_raw_reader *a, agentchat_str raw, const char *name)
{
    aci_walk walk;

    if (*raw.ptr != '{')
        return (agentchat_str){NULL, 0};
    aci_raw_reader_walk(a, &walk, raw);
    while (aci_walk_next(&walk))
        if (aci_look_is_word(walk.key, name))
            return walk.value;
    return (agentchat_str){NULL, 0};
}

bool aci_raw_reader_decode(aci_raw_reader *a, agentchat_str raw, agentchat_str *out)
{
    size_t room = raw.len + ACI_LEX_SLACK;
    const char *bad;
    char *text, *end;

    if (memchr(raw.ptr, '\\', raw.len) == NULL) {
        *out = (agentchat_str){raw.ptr + 1, raw.len - 2};
        return true;
    }
    text = aci_arena_text(a->arena, room);
    if (text == NULL)
        return aci_raw_reader_nomem(a);
    end = text;
    (void)aci_lex_decode(raw.ptr + 1, raw.ptr + raw.len, text, &end, &bad);
    *out = (agentchat_str){text, (size_t)(end - text)};
    aci_arena_text_shrink(a->arena, text, room, out->len);
    return true;
}

bool aci_raw_reader_string(aci_raw_reader *a, const aci_location *path, agentchat_str raw, agentchat_str *out)
{
    return aci_raw_reader_kind(a, path, raw, ACI_JSON_STRING, "a string") && aci_raw_reader_decode(a, raw, out);
}
