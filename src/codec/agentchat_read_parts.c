/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every reader of format 1 needs: text or null, unknown properties, values that can only be read once something
 * behind them is known, text in base64. Layer 4.
 */
#include "codec/agentchat.h"

#include "base/b64.h"
#include "base/error.h"
#include <string.h>

bool aci_f1_nomem(aci_json_reader *r)
{
    aci_json_fail(r, AGENTCHAT_E_NOMEM, "out of memory");
    return false;
}

bool aci_f1_twice(aci_json_reader *r)
{
    aci_json_fail(r, AGENTCHAT_E_SCHEMA, "the property occurs twice in its object");
    return false;
}

bool aci_f1_read_text(aci_json_reader *r, agentchat_str *out)
{
    if (aci_json_peek(r) != ACI_JSON_NULL)
        return aci_json_string(r, out);
    *out = agentchat_str_null();
    return aci_json_null(r);
}

bool aci_f1_find_string(aci_json_reader *r, agentchat_str name, agentchat_str *out)
{
    agentchat_str key;
    uint32_t seen = 0;

    *out = (agentchat_str){NULL, 0};
    (void)aci_json_object(r);
    while (aci_json_member(r, &key)) {
        if (!agentchat_str_equal(key, name))
            (void)aci_json_raw(r, &key);
        else
            (void)(aci_f1_once(r, &seen, 0) && aci_json_string(r, out));
    }
    return !aci_json_failed(r);
}

bool aci_f1_push_message(aci_f1_reader *f, aci_json_reader *r, agentchat_message *message)
{
    void *array = f->messages;

    if (!aci_grow(f->in->env, &array, &f->message_cap, f->message_count, sizeof(*f->messages)))
        return aci_f1_nomem(r);
    f->messages = array;
    f->messages[f->message_count++] = message;
    return true;
}

/* ---- unknown properties and extras ------------------------------------------------------------------------------ */

/* Whether an extra of a draft is an unknown property, not an entry of `extras`. */
static bool is_property(const aci_f1_entries *entries, size_t i)
{
    return i < entries->first || i >= entries->end;
}

static bool fail_listed(aci_json_reader *r)
{
    aci_json_fail(r, AGENTCHAT_E_SCHEMA, "the unknown property has the name of an entry of \"extras\"");
    return false;
}

bool aci_f1_read_unknown(aci_f1_reader *f, aci_json_reader *r, aci_draft *draft, const aci_f1_entries *entries,
                         agentchat_str name)
{
    agentchat_extra extra = {name, {NULL, 0}, AGENTCHAT_FORMAT_AGENTCHAT};
    size_t unknown = 0;

    for (size_t i = 0; i < draft->extra_count; i++) {
        if (draft->extras[i].from != AGENTCHAT_FORMAT_AGENTCHAT)
            continue;
        unknown += is_property(entries, i);
        if (agentchat_str_equal(draft->extras[i].name, name))
            return is_property(entries, i) ? aci_f1_twice(r) : fail_listed(r);
    }
    if (unknown >= ACI_F1_MAX_UNKNOWN) {
        aci_json_fail(r, AGENTCHAT_E_LIMIT, "the object has more than %d unknown properties", ACI_F1_MAX_UNKNOWN);
        return false;
    }
    if (!aci_json_raw(r, &extra.value))
        return false;
    return aci_draft_add_extra(draft, f->in->env, extra) || aci_f1_nomem(r);
}

bool aci_f1_drop_unknown(aci_f1_reader *f, aci_json_reader *r, aci_index *left_out, agentchat_str name,
                         agentchat_report_kind kind)
{
    char pointer[256];
    agentchat_str ignored, path = {pointer, aci_json_pointer(r, pointer, sizeof(pointer))};

    if (aci_index_find(left_out, name) != ACI_INDEX_NONE)
        return aci_f1_twice(r);
    if (!aci_index_put(left_out, f->in->env, name, 0))
        return aci_f1_nomem(r);
    if (!aci_json_raw(r, &ignored))
        return false;
    return aci_report_add(f->in->report, kind, AGENTCHAT_MATCH_NONE, path, (agentchat_str){NULL, 0},
                          "an unknown property was left out") ||
           aci_f1_nomem(r);
}

/* The members of an entry of `extras`; *from is absent when it has none. */
static bool read_extra_members(aci_f1_reader *f, aci_json_reader *r, agentchat_extra *extra, agentchat_str *from)
{
    aci_index left_out = {NULL, 0, 0};
    agentchat_str key;
    uint32_t next = 0, seen = 0;
    bool done = aci_json_object(r);

    while (done && aci_json_member(r, &key)) {
        uint32_t i = aci_f1_find(&aci_f1_extra, next, key);

        next = i + 1;
        if (i == aci_f1_extra.count)
            done = aci_f1_drop_unknown(f, r, &left_out, key, AGENTCHAT_REPORT_LOSS);
        else if (!aci_f1_once(r, &seen, i))
            done = false;
        else if (aci_f1_extra.list[i].what == ACI_F1_VALUE)
            done = aci_json_raw(r, &extra->value);
        else
            done = aci_json_string(r, aci_f1_extra.list[i].what == ACI_F1_FROM ? from : &extra->name);
    }
    aci_index_clear(&left_out, f->in->env);
    return !aci_json_failed(r);
}

/* An entry of `extras`. One whose format this version does not know has no place in a snapshot. */
static bool read_extra(aci_f1_reader *f, aci_json_reader *r, aci_draft *draft)
{
    agentchat_extra extra = {{NULL, 0}, {NULL, 0}, AGENTCHAT_FORMAT_NONE};
    size_t start = aci_json_offset(r);
    agentchat_str from = {NULL, 0}, path;
    aci_excerpt excerpt;
    char pointer[256];

    if (!read_extra_members(f, r, &extra, &from))
        return false;
    if (extra.name.ptr == NULL || extra.value.ptr == NULL) {
        aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "an extra needs both \"name\" and \"value\"");
        return false;
    }
    if (from.ptr != NULL)
        extra.from = aci_f1_format(from);
    if (from.ptr == NULL || extra.from != AGENTCHAT_FORMAT_NONE)
        return aci_draft_add_extra(draft, f->in->env, extra) || aci_f1_nomem(r);
    path = (agentchat_str){pointer, aci_json_pointer(r, pointer, sizeof(pointer))};
    return aci_report_add(f->in->report, AGENTCHAT_REPORT_LOSS, AGENTCHAT_MATCH_NONE, path, (agentchat_str){NULL, 0},
                          "an extra of the unknown format \"%s\" was left out", aci_excerpt_of(from, &excerpt)) ||
           aci_f1_nomem(r);
}

/* Whether no unknown property before `extras` has the name of the entry at `start`, which was read last; fails
   otherwise. */
static bool check_name(aci_json_reader *r, const aci_draft *draft, const aci_f1_entries *entries, size_t start)
{
    const agentchat_extra *entry;

    if (draft->extra_count == entries->first)
        return true;
    entry = &draft->extras[draft->extra_count - 1];
    for (size_t i = 0; entry->from == AGENTCHAT_FORMAT_AGENTCHAT && i < entries->first; i++)
        if (agentchat_str_equal(draft->extras[i].name, entry->name)) {
            aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "the entry has the name of an unknown property");
            return false;
        }
    return true;
}

bool aci_f1_read_extras(aci_f1_reader *f, aci_json_reader *r, aci_draft *draft, aci_f1_entries *entries)
{
    entries->first = entries->end = draft->extra_count;
    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r)) {
        size_t start = aci_json_offset(r);

        if (!read_extra(f, r, draft) || !check_name(r, draft, entries, start))
            return false;
    }
    entries->end = draft->extra_count;
    return !aci_json_failed(r);
}

bool aci_f1_take_extras(aci_f1_reader *f, aci_json_reader *r, aci_draft *draft, aci_extras **out)
{
    *out = NULL;
    if (draft->extra_count > 0)
        *out = aci_extras_new(f->in->home, draft->extras, draft->extra_count);
    if (draft->extra_count > 0 && *out == NULL)
        aci_f1_nomem(r);
    aci_draft_clear(draft, f->in->env);
    return !aci_json_failed(r);
}

/* ---- values read aside ------------------------------------------------------------------------------------------ */

/* Remembers where the next value stands. */
static aci_f1_aside *aside_new(aci_f1_reader *f, aci_json_reader *r)
{
    aci_f1_aside *aside = aci_alloc_zero(f->in->env, sizeof(*aside));

    if (aside == NULL) {
        aci_f1_nomem(r);
        return NULL;
    }
    aside->offset = aci_json_offset(r);
    aside->line = r->line;
    aside->column = (uint32_t)(r->cursor - r->line_start) + 1;
    aside->depth = r->options.depth_used + r->depth;
    aside->pointer_len = aci_json_pointer(r, aside->pointer, sizeof(aside->pointer));
    return aside;
}

void aci_f1_aside_free(aci_f1_reader *f, aci_f1_aside *aside)
{
    aci_free(f->in->env, aside, sizeof(*aside));
}

aci_f1_aside *aci_f1_skip(aci_f1_reader *f, aci_json_reader *r)
{
    aci_f1_aside *aside = aside_new(f, r);

    if (aside == NULL || aci_json_raw(r, &aside->span))
        return aside;
    aci_f1_aside_free(f, aside);
    return NULL;
}

aci_json_reader *aci_f1_aside_begin(aci_f1_reader *f, aci_f1_aside *aside, bool in_place)
{
    aci_json_options options = {
        .env = f->in->env,
        .home = f->in->home,
        .max_depth = f->in->limits.max_depth,
        .flags = in_place ? ACI_JSON_IN_PLACE : 0,
        .source = f->in->source,
        .path_prefix = {aside->pointer, aside->pointer_len},
        .depth_used = aside->depth,
    };

    /* The text lies in the input or in the home: this reader may write to it. */
    aci_json_begin(&aside->reader, &options, (char *)(uintptr_t)aside->span.ptr, aside->span.len, f->err);
    return &aside->reader;
}

bool aci_f1_aside_end(aci_f1_reader *f, aci_f1_aside *aside, aci_json_reader *outer)
{
    agentchat_status status;

    if (!aci_json_failed(&aside->reader))
        (void)aci_json_end(&aside->reader);
    status = aci_json_close(&aside->reader);
    if (status >= 0)
        return true;
    if (f->err != NULL && aside->decoded) {
        aci_error_at(f->err, aside->offset, aside->line, aside->column);
    } else if (f->err != NULL && f->err->offset != AGENTCHAT_NO_OFFSET) {
        uint32_t column = f->err->line == 1 ? f->err->column + aside->column - 1 : f->err->column;

        aci_error_at(f->err, f->err->offset + aside->offset, f->err->line + aside->line - 1, column);
    }
    outer->status = status;
    return false;
}

bool aci_f1_decode(aci_f1_reader *f, aci_json_reader *r, agentchat_str base64, agentchat_str *out)
{
    size_t len = aci_b64_decoded_size(base64);
    char *text;

    if (len > f->bytes_left) {
        aci_json_fail(r, AGENTCHAT_E_LIMIT, "the input and what its base64 holds exceed the limit of %llu bytes",
                      (unsigned long long)f->in->limits.max_bytes);
        return false;
    }
    f->bytes_left -= len;
    text = aci_home_text(f->in->home, len + ACI_READ_PADDING);
    if (text == NULL)
        return aci_f1_nomem(r);
    aci_b64_decode(base64, text);
    memset(text + len, 0, ACI_READ_PADDING);
    *out = (agentchat_str){text, len};
    return true;
}

aci_f1_aside *aci_f1_open_text(aci_f1_reader *f, aci_json_reader *r)
{
    aci_f1_aside *aside = aside_new(f, r);
    agentchat_str base64;

    if (aside == NULL)
        return NULL;
    aside->decoded = true;
    if (aci_json_base64(r, &base64) && aci_f1_decode(f, r, base64, &aside->span))
        return aside;
    aci_f1_aside_free(f, aside);
    return NULL;
}
