/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of the ADKs' form share: places, kinds of values, members of objects. Layer 5. */
#include "event/adk.h"

#include "base/error.h"
#include "json/lex.h"
#include <stdarg.h>

/* ---- places ----------------------------------------------------------------------------------------------------- */

bool aci_adk_pointer(const aci_adk_path *path, aci_buf *out)
{
    if (path == NULL)
        return true;
    if (!aci_adk_pointer(path->up, out)) /* as deep as an event's own objects */
        return false;
    return path->name.ptr != NULL ? aci_json_pointer_add(out, path->name)
                                  : aci_json_pointer_add_index(out, path->index);
}

AGENTCHAT_PRINTF(6, 0)
static bool report_at(agentchat_report *report, const agentchat_env *env, agentchat_report_kind kind,
                      agentchat_str prefix, const aci_adk_path *path, const char *format, va_list arguments)
{
    char text[256];
    aci_buf pointer;
    bool ok;

    if (report == NULL)
        return true;
    (void)vsnprintf(text, sizeof text, format, arguments);
    aci_buf_init(&pointer, env, SIZE_MAX);
    ok =
        aci_buf_add_str(&pointer, prefix) && aci_adk_pointer(path, &pointer) &&
        aci_report_add(report, kind, AGENTCHAT_MATCH_NONE, aci_buf_str(&pointer), (agentchat_str){NULL, 0}, "%s", text);
    aci_buf_clear(&pointer);
    return ok;
}

bool aci_adk_report(agentchat_report *report, const agentchat_env *env, agentchat_report_kind kind,
                    agentchat_str prefix, const aci_adk_path *path, const char *format, ...)
{
    va_list arguments;
    bool ok;

    va_start(arguments, format);
    ok = report_at(report, env, kind, prefix, path, format, arguments);
    va_end(arguments);
    return ok;
}

bool aci_adk_note(aci_adk_reader *a, agentchat_report_kind kind, const aci_adk_path *path, const char *format, ...)
{
    va_list arguments;
    bool ok;

    va_start(arguments, format);
    ok = report_at(a->report, a->env, kind, a->prefix, path, format, arguments);
    va_end(arguments);
    return ok || aci_adk_nomem(a);
}

bool aci_adk_nomem(aci_adk_reader *a)
{
    if (a->status >= 0)
        a->status = aci_fail_nomem(a->err);
    return false;
}

bool aci_adk_fail(aci_adk_reader *a, const aci_adk_path *path, agentchat_str value, agentchat_status status,
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
    if (aci_buf_add_str(&pointer, a->prefix) && aci_adk_pointer(path, &pointer))
        aci_error_path(a->err, aci_buf_str(&pointer));
    aci_buf_clear(&pointer); /* without memory for the place, offset and line have to do */
    return false;
}

/* ---- kinds of values -------------------------------------------------------------------------------------------- */

bool aci_adk_kind(aci_adk_reader *a, const aci_adk_path *path, agentchat_str raw, aci_json_kind kind,
                  const char *wanted)
{
    static const char *const names[] = {"nothing",  "an object", "an array", "a string",
                                        "a number", "true",      "false",    "null"};
    aci_json_kind found = aci_json_kind_of(raw);

    return found == kind ||
           aci_adk_fail(a, path, raw, AGENTCHAT_E_SCHEMA, "expected %s, found %s", wanted, names[found]);
}

bool aci_adk_decode(aci_adk_reader *a, agentchat_str raw, agentchat_str *out)
{
    size_t room = raw.len + ACI_LEX_SLACK;
    const char *bad;
    char *text, *end;

    if (memchr(raw.ptr, '\\', raw.len) == NULL) {
        *out = (agentchat_str){raw.ptr + 1, raw.len - 2};
        return true;
    }
    text = aci_home_text(a->home, room);
    if (text == NULL)
        return aci_adk_nomem(a);
    end = text;
    (void)aci_lex_decode(raw.ptr + 1, raw.ptr + raw.len, text, &end, &bad);
    *out = (agentchat_str){text, (size_t)(end - text)};
    aci_home_text_shrink(a->home, text, room, out->len);
    return true;
}

bool aci_adk_string(aci_adk_reader *a, const aci_adk_path *path, agentchat_str raw, agentchat_str *out)
{
    return aci_adk_kind(a, path, raw, ACI_JSON_STRING, "a string") && aci_adk_decode(a, raw, out);
}

/* ---- objects ---------------------------------------------------------------------------------------------------- */

typedef struct members {
    aci_adk_reader *a;
    const aci_adk_path *path;
    const aci_adk_table *table;
    aci_adk_value *values;
    uint64_t camel, snake; /* bits of the names seen */
    aci_index unknown;     /* of the other names */
} members;

/* A member that stands there in the other spelling already: that in camelCase counts, unless it is null. */
static bool add_again(members *m, uint32_t i, bool camel, aci_adk_value value)
{
    aci_adk_value *taken = &m->values[i], dropped = value;
    aci_adk_path at = {m->path, {NULL, 0}, 0};
    bool same = agentchat_str_equal(taken->raw, value.raw);

    if (!aci_adk_has(taken) || (camel && aci_adk_has(&value))) {
        dropped = *taken;
        *taken = value;
    }
    at.name = dropped.name;
    return aci_adk_note(m->a, same || !aci_adk_has(&dropped) ? AGENTCHAT_REPORT_NOTE : AGENTCHAT_REPORT_LOSS, &at,
                        "the property is there as \"%.*s\" too, which was taken", (int)taken->name.len,
                        taken->name.ptr);
}

/* A member that stands there in the same spelling already: the last one counts, unless the other spelling does. */
static bool add_twice(members *m, uint32_t i, aci_adk_value value)
{
    aci_adk_path at = {m->path, value.name, 0};
    aci_adk_value *taken = &m->values[i];
    agentchat_str dropped = value.raw;

    if (!m->a->is_lenient)
        return aci_adk_fail(m->a, &at, value.raw, AGENTCHAT_E_SCHEMA, "the property occurs twice in its object");
    if (agentchat_str_equal(taken->name, value.name)) {
        dropped = taken->raw;
        *taken = value;
    }
    return *dropped.ptr == 'n' ||
           aci_adk_note(m->a, agentchat_str_equal(dropped, taken->raw) ? AGENTCHAT_REPORT_NOTE : AGENTCHAT_REPORT_LOSS,
                        &at, "the property occurs twice in its object: one of them was taken");
}

/* A member that the table knows as number `i`. */
static bool add_known(members *m, uint32_t i, bool camel, aci_adk_value value)
{
    uint64_t bit = UINT64_C(1) << i, *seen = camel ? &m->camel : &m->snake;

    if ((*seen & bit) != 0)
        return add_twice(m, i, value);
    *seen |= bit;
    if ((m->camel & m->snake & bit) != 0)
        return add_again(m, i, camel, value);
    m->values[i] = value;
    return true;
}

static bool add_unknown(members *m, aci_adk_value value, aci_draft *others)
{
    agentchat_extra extra = {value.name, value.raw, AGENTCHAT_FORMAT_ADK};
    aci_adk_path at = {m->path, value.name, 0};
    size_t before = aci_index_find(&m->unknown, value.name);

    if (before != ACI_INDEX_NONE && !m->a->is_lenient)
        return aci_adk_fail(m->a, &at, value.raw, AGENTCHAT_E_SCHEMA, "the property occurs twice in its object");
    if (before != ACI_INDEX_NONE) {
        others->extras[before].value = value.raw;
        return aci_adk_note(m->a, AGENTCHAT_REPORT_LOSS, &at,
                            "the property occurs twice in its object: the last one was taken");
    }
    if (m->a->is_lenient && !aci_adk_has(&value))
        return true;
    return (aci_index_put(&m->unknown, m->a->env, value.name, others->extra_count) &&
            aci_draft_add_extra(others, m->a->env, extra)) ||
           aci_adk_nomem(m->a);
}

bool aci_adk_members(aci_adk_reader *a, const aci_adk_path *path, agentchat_str raw, const aci_adk_table *table,
                     aci_adk_value values[ACI_ADK_NAMES], aci_draft *others)
{
    members m = {a, path, table, values, 0, 0, {NULL, 0, 0}};
    bool ok = aci_adk_kind(a, path, raw, ACI_JSON_OBJECT, "an object");
    aci_walk walk;

    memset(values, 0, ACI_ADK_NAMES * sizeof *values);
    aci_walk_begin(&walk, raw);
    while (ok && aci_walk_next(&walk)) {
        aci_adk_value value = {{NULL, 0}, walk.value};
        bool camel = false;
        uint32_t i;

        ok = aci_adk_decode(a, walk.key, &value.name);
        if (!ok)
            break;
        i = aci_adk_find(table, value.name, &camel);
        ok = i < table->count ? add_known(&m, i, camel, value) : add_unknown(&m, value, others);
    }
    aci_index_clear(&m.unknown, a->env);
    return ok;
}

bool aci_adk_keep(aci_adk_reader *a, const aci_adk_table *table, const aci_adk_value *values, uint32_t from,
                  aci_draft *others)
{
    for (uint32_t i = from; i < table->count; i++) {
        agentchat_extra extra = {aci_adk_camel(table, i), values[i].raw, AGENTCHAT_FORMAT_ADK};

        if (aci_adk_has(&values[i]) && !aci_draft_add_extra(others, a->env, extra))
            return aci_adk_nomem(a);
    }
    return true;
}
