/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every reader of format 1 needs: text or null, unknown properties, values that can only be read once something
 * after them is known, text in base64.
 */
#include "format/native/chat.h"

#include "base/b64.h"
#include "base/error.h"
#include <string.h>

bool aci_native_nomem(aci_json_reader *r)
{
    return aci_json_fail(r, AGENTCHAT_E_NOMEM, "out of memory");
}

bool aci_native_twice(aci_json_reader *r)
{
    return aci_json_fail(r, AGENTCHAT_E_SCHEMA, "the property occurs twice in its object");
}

bool aci_native_read_text(aci_json_reader *r, agentchat_str *out)
{
    if (aci_json_peek(r) != ACI_JSON_NULL)
        return aci_json_string(r, out);
    *out = agentchat_str_null();
    return aci_json_null(r);
}

bool aci_native_find_string(aci_json_reader *r, agentchat_str name, agentchat_str *out)
{
    agentchat_str key;
    uint32_t seen = 0;

    *out = (agentchat_str){NULL, 0};
    (void)aci_json_object(r);
    while (aci_json_member(r, &key)) {
        if (!agentchat_str_equal(key, name))
            (void)aci_json_raw(r, &key);
        else
            (void)(aci_native_once(r, &seen, 0) && aci_json_string(r, out));
    }
    return !aci_json_failed(r);
}

bool aci_native_push_message(aci_native_reader *f, aci_json_reader *r, agentchat_message *message)
{
    void *array = f->messages;

    if (!aci_grow(f->in->env, &array, &f->message_cap, f->message_count, sizeof(*f->messages)))
        return aci_native_nomem(r);
    f->messages = array;
    f->messages[f->message_count++] = message;
    return true;
}

/* ---- unknown properties and extras ------------------------------------------------------------------------------ */

bool aci_native_find_repeat(aci_json_reader *r, const agentchat_env *env, bool *repeats)
{
    aci_index names = {NULL, 0, 0};
    agentchat_str name, value;
    bool done = aci_json_object(r);

    *repeats = false;
    while (done && aci_json_member(r, &name)) {
        *repeats = *repeats || aci_index_find(&names, name) != ACI_INDEX_NONE;
        if (!*repeats && !aci_index_put(&names, env, name, 0))
            done = aci_native_nomem(r);
        done = done && aci_json_raw(r, &value);
    }
    aci_index_clear(&names, env);
    return done && !aci_json_failed(r);
}

/* Whether an extra of the draft is an unknown property, not an entry of `extras`. */
static bool is_property(const aci_native_members *members, size_t i)
{
    return i < members->first_entry || i >= members->end_entry;
}

static bool keep_unknown(aci_native_reader *f, aci_json_reader *r, const aci_native_members *members,
                         agentchat_str name)
{
    agentchat_extra extra = {name, {NULL, 0}, ACI_TAG(aci_native_name)};
    aci_draft *draft = members->draft;
    size_t unknown = 0;

    for (size_t i = 0; i < draft->extra_count; i++) {
        if (!aci_native_is_own(draft->extras[i].from))
            continue;
        unknown += is_property(members, i);
        if (!agentchat_str_equal(draft->extras[i].name, name))
            continue;
        return is_property(members, i) ? aci_native_twice(r)
                                       : aci_json_fail(r, AGENTCHAT_E_SCHEMA,
                                                       "the unknown property has the name of an entry of \"extras\"");
    }
    if (unknown >= ACI_NATIVE_MAX_UNKNOWN)
        return aci_json_fail(r, AGENTCHAT_E_LIMIT, "the object has more than %d unknown properties",
                             ACI_NATIVE_MAX_UNKNOWN);
    if (!aci_json_raw(r, &extra.value))
        return false;
    return aci_draft_add_extra(draft, f->in->env, extra) || aci_native_nomem(r);
}

static bool leave_out(aci_native_reader *f, aci_json_reader *r, aci_native_members *members, agentchat_str name)
{
    char pointer[256];
    agentchat_str ignored, path = {pointer, aci_json_pointer(r, pointer, sizeof(pointer))};

    if (aci_index_find(&members->left_out, name) != ACI_INDEX_NONE)
        return aci_native_twice(r);
    if (!aci_index_put(&members->left_out, f->in->env, name, 0))
        return aci_native_nomem(r);
    if (!aci_json_raw(r, &ignored))
        return false;
    return aci_report_add(f->in->report, members->left_out_kind, AGENTCHAT_MATCH_NONE, path, (agentchat_str){NULL, 0},
                          "an unknown property was left out") ||
           aci_native_nomem(r);
}

bool aci_native_read_from(aci_json_reader *r, agentchat_str *out)
{
    size_t start = aci_json_offset(r);

    if (!aci_json_string(r, out))
        return false;
    if (aci_tag_is_valid(*out))
        return true;
    return aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "%s", aci_tag_rule);
}

/* The members of an entry of `extras`. */
static bool read_extra_members(aci_native_reader *f, aci_json_reader *r, agentchat_extra *extra)
{
    aci_native_members members = {.known = &aci_native_extra, .left_out_kind = AGENTCHAT_REPORT_LOSS};
    bool done = aci_json_object(r);
    uint8_t what;

    while (done && aci_native_next(f, r, &members, &what))
        done = what == ACI_NATIVE_VALUE  ? aci_json_raw(r, &extra->value)
               : what == ACI_NATIVE_FROM ? aci_native_read_from(r, &extra->from)
                                         : aci_json_string(r, &extra->name);
    aci_index_clear(&members.left_out, f->in->env);
    return !aci_json_failed(r);
}

/* An entry of `extras`. */
static bool read_extra(aci_native_reader *f, aci_json_reader *r, aci_draft *draft)
{
    agentchat_extra extra = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    size_t start = aci_json_offset(r);

    if (!read_extra_members(f, r, &extra))
        return false;
    if (extra.name.ptr == NULL || extra.value.ptr == NULL)
        return aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "an extra needs both \"name\" and \"value\"");
    return aci_draft_add_extra(draft, f->in->env, extra) || aci_native_nomem(r);
}

/* Whether no unknown property before `extras` has the name of the entry at `start`, which was read last; fails
   otherwise. */
static bool check_name(aci_json_reader *r, const aci_native_members *members, size_t start)
{
    const agentchat_extra *extras = members->draft->extras, *entry = &extras[members->draft->extra_count - 1];

    for (size_t i = 0; aci_native_is_own(entry->from) && i < members->first_entry; i++)
        if (agentchat_str_equal(extras[i].name, entry->name))
            return aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "the entry has the name of an unknown property");
    return true;
}

static bool read_extras(aci_native_reader *f, aci_json_reader *r, aci_native_members *members)
{
    members->first_entry = members->end_entry = members->draft->extra_count;
    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r)) {
        size_t start = aci_json_offset(r);

        if (!read_extra(f, r, members->draft) || !check_name(r, members, start))
            return false;
    }
    members->end_entry = members->draft->extra_count;
    return !aci_json_failed(r);
}

bool aci_native_read_other(aci_native_reader *f, aci_json_reader *r, aci_native_members *members, agentchat_str name)
{
    if (members->next < members->known->count)
        return read_extras(f, r, members);
    return members->draft != NULL ? keep_unknown(f, r, members, name) : leave_out(f, r, members, name);
}

bool aci_native_take_extras(aci_native_reader *f, aci_json_reader *r, aci_draft *draft, aci_extras **out)
{
    *out = NULL;
    if (draft->extra_count > 0)
        *out = aci_extras_new(f->in->arena, draft->extras, draft->extra_count);
    if (draft->extra_count > 0 && *out == NULL)
        aci_native_nomem(r);
    aci_draft_clear(draft, f->in->env);
    return !aci_json_failed(r);
}

/* ---- deferred values -------------------------------------------------------------------------------------------- */

/* Remembers where the next value stands. */
static aci_native_deferred *deferred_new(aci_native_reader *f, aci_json_reader *r)
{
    aci_native_deferred *deferred = aci_alloc_zero(f->in->env, sizeof(*deferred));

    if (deferred == NULL) {
        aci_native_nomem(r);
        return NULL;
    }
    deferred->offset = aci_json_offset(r);
    deferred->line = r->line;
    deferred->column = (uint32_t)(r->cursor - r->line_start) + 1;
    deferred->depth = r->options.depth_used + r->depth;
    deferred->pointer_len = aci_json_pointer(r, deferred->pointer, sizeof(deferred->pointer));
    return deferred;
}

void aci_native_deferred_free(aci_native_reader *f, aci_native_deferred *deferred)
{
    aci_free(f->in->env, deferred, sizeof(*deferred));
}

aci_native_deferred *aci_native_skip(aci_native_reader *f, aci_json_reader *r)
{
    aci_native_deferred *deferred = deferred_new(f, r);

    if (deferred == NULL || aci_json_raw(r, &deferred->span))
        return deferred;
    aci_native_deferred_free(f, deferred);
    return NULL;
}

aci_json_reader *aci_native_deferred_begin(aci_native_reader *f, aci_native_deferred *deferred, bool in_place)
{
    aci_json_options options = {
        .env = f->in->env,
        .arena = f->in->arena,
        .max_depth = f->in->limits.max_depth,
        .flags = in_place ? ACI_JSON_IN_PLACE : 0,
        .source = f->in->source,
        .path_prefix = {deferred->pointer, deferred->pointer_len},
        .depth_used = deferred->depth,
    };

    /* The text lies in the input or in the arena: this reader may write to it. */
    aci_json_begin(&deferred->reader, &options, (char *)(uintptr_t)deferred->span.ptr, deferred->span.len, f->err);
    return &deferred->reader;
}

bool aci_native_deferred_end(aci_native_reader *f, aci_native_deferred *deferred, aci_json_reader *outer)
{
    agentchat_status status;

    if (!aci_json_failed(&deferred->reader))
        (void)aci_json_end(&deferred->reader);
    status = aci_json_close(&deferred->reader);
    if (status >= 0)
        return true;
    if (f->err != NULL && deferred->decoded) {
        aci_error_at(f->err, deferred->offset, deferred->line, deferred->column);
    } else if (f->err != NULL && f->err->offset != AGENTCHAT_NO_OFFSET) {
        uint32_t column = f->err->line == 1 ? f->err->column + deferred->column - 1 : f->err->column;

        aci_error_at(f->err, f->err->offset + deferred->offset, f->err->line + deferred->line - 1, column);
    }
    outer->status = status;
    return false;
}

bool aci_native_decode(aci_native_reader *f, aci_json_reader *r, agentchat_str base64, agentchat_str *out)
{
    size_t len = aci_b64_decoded_size(base64);
    char *text;

    if (len > f->bytes_left)
        return aci_json_fail(r, AGENTCHAT_E_LIMIT, "the input and what its base64 holds exceed the limit of %llu bytes",
                             (unsigned long long)f->in->limits.max_bytes);
    f->bytes_left -= len;
    text = aci_arena_text(f->in->arena, len + ACI_READ_PADDING);
    if (text == NULL)
        return aci_native_nomem(r);
    aci_b64_decode(base64, text);
    memset(text + len, 0, ACI_READ_PADDING);
    *out = (agentchat_str){text, len};
    return true;
}

aci_native_deferred *aci_native_open_text(aci_native_reader *f, aci_json_reader *r)
{
    aci_native_deferred *deferred = deferred_new(f, r);
    agentchat_str base64;

    if (deferred == NULL)
        return NULL;
    deferred->decoded = true;
    if (aci_json_base64(r, &base64) && aci_native_decode(f, r, base64, &deferred->span))
        return deferred;
    aci_native_deferred_free(f, deferred);
    return NULL;
}
