/* SPDX-License-Identifier: Apache-2.0 */
/* What is stored as what it stands for: rows, state, events and what they did. */
#include "session/session_internal.h"

#include "base/error.h"
#include "base/ids.h"
#include "event/draft.h"
#include "event/time.h"
#include "format/native/event.h"
#include "state/state.h"
#include "json/reader.h"
#include "json/value.h"
#include <agentchat/json_text.h>
#include <agentchat/state.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== leaving `temp:` members out of JSON text =================================================================== */

/* The text was validated before, so tokens are found without checking them again. Commas are put where something is
   kept, not copied, so it does not matter which members of an object go. */

static const char prefix[] = AGENTCHAT_KEY_PREFIX_TEMP;
enum { PREFIX_LEN = sizeof prefix - 1 };

bool aci_is_temporary(agentchat_str name)
{
    return name.len >= PREFIX_LEN && memcmp(name.ptr, prefix, PREFIX_LEN) == 0;
}

/* The same of a name as it is spelled. */
static bool is_temporary_spelled(agentchat_str key)
{
    agentchat_str rest = {key.ptr + 1, key.len - 2}, part;
    uint32_t code_point;
    size_t i = 0;

    while (i < PREFIX_LEN && agentchat_json_string_part(&rest, &part, &code_point)) {
        size_t len = code_point != UINT32_MAX ? 1 : part.len < PREFIX_LEN - i ? part.len : PREFIX_LEN - i;

        if (code_point != UINT32_MAX ? code_point != (unsigned char)prefix[i] : memcmp(part.ptr, prefix + i, len) != 0)
            return false;
        i += len;
    }
    return i == PREFIX_LEN;
}

/* Whether the text can have such a name at all: a look that most texts end with. */
static bool may_have(agentchat_str json)
{
    const char *p = json.ptr, *end = p + json.len;

    if (memchr(p, '\\', json.len) != NULL)
        return true;
    for (; end - p >= PREFIX_LEN && (p = memchr(p, prefix[0], (size_t)(end - p) - PREFIX_LEN + 1)) != NULL; p++)
        if (memcmp(p, prefix, PREFIX_LEN) == 0)
            return true;
    return false;
}

static bool add(aci_buf *out, agentchat_str text)
{
    return aci_buf_add(out, text.ptr, text.len);
}

bool aci_temporary_strip(agentchat_str json, aci_buf *out, bool *any)
{
    size_t before = out->len;
    bool comma = false, ok = true;
    agentchat_json_step step;
    agentchat_json_walk walk;

    *any = false;
    if (!may_have(json))
        return true;
    agentchat_json_walk_begin(&walk, json);
    while (ok && (step = agentchat_json_walk_step(&walk)) != AGENTCHAT_JSON_END) {
        if (walk.key.ptr != NULL && is_temporary_spelled(walk.key)) {
            agentchat_json_walk_skip(&walk);
            *any = true;
            continue;
        }
        if (comma && step != AGENTCHAT_JSON_CLOSE)
            ok = aci_buf_add(out, ",", 1);
        if (ok && walk.key.ptr != NULL)
            ok = add(out, walk.key) && aci_buf_add(out, ":", 1);
        ok = ok && add(out, walk.value);
        comma = step != AGENTCHAT_JSON_OPEN;
    }
    if (!*any)
        out->len = before;
    return ok;
}

/* ==== stored event =============================================================================================== */

/* ---- leaving out what is temporary ------------------------------------------------------------------------------ */

/* An event that is to be copied, with what was taken out of it. */
typedef struct trimmed {
    agentchat_event event; /* views into the original, and into the arena */
    aci_arena *arena;      /* of what had to be written anew; NULL: nothing */
    bool any;              /* something was taken out */
} trimmed;

static aci_arena *arena_of(trimmed *t)
{
    if (t->arena == NULL)
        t->arena = aci_arena_new(t->event.env, 0);
    return t->arena;
}

/* The text without its temporary members. false: out of memory. */
static bool trim_json(trimmed *t, agentchat_str *json)
{
    aci_buf out;
    bool any, ok;

    aci_buf_init(&out, t->event.env, SIZE_MAX);
    ok = aci_temporary_strip(*json, &out, &any);
    if (ok && any) {
        t->any = true;
        ok = arena_of(t) != NULL;
        if (ok)
            *json = aci_arena_copy(t->arena, aci_buf_str(&out), &ok);
    }
    aci_buf_clear(&out);
    return ok;
}

static bool trim_extras(trimmed *t, aci_extras **extras)
{
    aci_extras *kept;

    if (*extras == NULL)
        return true;
    kept = arena_of(t) != NULL ? aci_extras_new(t->arena, (*extras)->list, (*extras)->count) : NULL;
    if (kept == NULL)
        return false;
    kept->count = 0;
    for (size_t i = 0; i < (*extras)->count; i++) {
        agentchat_extra extra = (*extras)->list[i];

        if (aci_is_temporary(extra.name)) {
            t->any = true;
            continue;
        }
        if (!trim_json(t, &extra.value))
            return false;
        kept->list[kept->count++] = extra;
    }
    *extras = kept->count > 0 ? kept : NULL;
    return true;
}

static bool trim_changes(trimmed *t)
{
    agentchat_event *event = &t->event;
    agentchat_change *kept;
    size_t left = 0;

    for (size_t i = 0; i < event->change_count; i++)
        left += !aci_is_temporary(agentchat_str_from(event->changes[i].key));
    if (left == event->change_count)
        return true;
    t->any = true;
    kept = arena_of(t) != NULL ? aci_arena_alloc(t->arena, (left + 1) * sizeof *kept) : NULL;
    if (kept == NULL)
        return false;
    left = 0;
    for (size_t i = 0; i < event->change_count; i++)
        if (!aci_is_temporary(agentchat_str_from(event->changes[i].key)))
            kept[left++] = event->changes[i];
    event->changes = kept;
    event->change_count = left;
    return true;
}

static bool trim(trimmed *t)
{
    agentchat_str *artifacts = &t->event.fields[AGENTCHAT_EVENT_ARTIFACTS];
    agentchat_str *compaction = &t->event.fields[AGENTCHAT_EVENT_COMPACTION];

    return trim_changes(t) && trim_extras(t, &t->event.extras) && trim_extras(t, &t->event.action_extras) &&
           (artifacts->ptr == NULL || trim_json(t, artifacts)) && (compaction->ptr == NULL || trim_json(t, compaction));
}

/* ---- filling in ------------------------------------------------------------------------------------------------- */

typedef struct filling {
    char id[ACI_ID_LEN + 1], invocation[ACI_ID_LEN + 1], time[ACI_TIME_SIZE];
} filling;

static bool is_missing(const agentchat_event *event, agentchat_event_field field, unsigned bit, unsigned *made)
{
    if (event->fields[field].ptr == NULL)
        *made |= bit;
    return event->fields[field].ptr == NULL;
}

static void set_time(agentchat_event *event, agentchat_str text)
{
    aci_time time;

    event->fields[AGENTCHAT_EVENT_TIME] = text;
    event->time_ns = aci_time_parse(text, &time) ? aci_time_ns(&time) : 0;
}

static agentchat_status fill(agentchat_event *event, const char *invocation, filling *f, unsigned *made,
                             agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    if (is_missing(event, AGENTCHAT_EVENT_ID, ACI_EVENT_MADE_ID, made)) {
        status = aci_id_new(event->env, f->id, err);
        event->fields[AGENTCHAT_EVENT_ID] = agentchat_str_from(f->id);
    }
    if (status >= 0 && is_missing(event, AGENTCHAT_EVENT_INVOCATION, ACI_EVENT_MADE_INVOCATION, made)) {
        if (invocation == NULL)
            status = aci_id_new(event->env, f->invocation, err);
        event->fields[AGENTCHAT_EVENT_INVOCATION] = agentchat_str_from(invocation != NULL ? invocation : f->invocation);
    }
    if (status >= 0 && is_missing(event, AGENTCHAT_EVENT_TIME, ACI_EVENT_MADE_TIME, made)) {
        size_t len = aci_time_print_us(aci_now_us(event->env), f->time);

        set_time(event, (agentchat_str){f->time, len});
    }
    return status;
}

agentchat_status aci_stored_event_of(const agentchat_env *env, const agentchat_event *event, const char *invocation,
                                     unsigned *made, agentchat_event **out, agentchat_error *err)
{
    agentchat_status status;
    trimmed t = {.arena = NULL};
    filling f;

    *out = NULL;
    *made = 0;
    aci_event_assign(&t.event, event);
    t.event.env = aci_env(env);
    status = trim(&t) ? fill(&t.event, invocation, &f, made, err) : aci_fail_nomem(err);
    if (t.any)
        *made |= ACI_EVENT_TRIMMED;
    if (status >= 0) {
        aci_event_set_stored(&t.event, 0, 0, 0);
        t.event.undo = (agentchat_str){NULL, 0};
        *out = aci_event_copy(env, &t.event);
        if (*out == NULL)
            status = aci_fail_nomem(err);
    }
    aci_arena_unref(t.arena);
    return status;
}

agentchat_status aci_stored_event_with(const agentchat_event *event, agentchat_str id, agentchat_str invocation,
                                       agentchat_str time, agentchat_event **out, agentchat_error *err)
{
    agentchat_event changed;

    aci_event_assign(&changed, event);
    if (id.ptr != NULL)
        changed.fields[AGENTCHAT_EVENT_ID] = id;
    if (invocation.ptr != NULL)
        changed.fields[AGENTCHAT_EVENT_INVOCATION] = invocation;
    if (time.ptr != NULL)
        set_time(&changed, time);
    *out = aci_event_copy(event->env, &changed);
    return *out != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_stored_event_text(const agentchat_event *event, aci_buf *out, agentchat_error *err)
{
    uint32_t max = event->env->limits.max_depth;
    size_t before = out->len;
    agentchat_status status = aci_event_text(event, out, err);
    agentchat_str text;

    if (status < 0)
        return status;
    text = (agentchat_str){out->ptr + before, out->len - before};
    if (text.len / 2 <= max || aci_json_depth_of(text) <= max) /* a level takes two bytes at least */
        return AGENTCHAT_OK;
    out->len = before;
    return aci_fail(err, AGENTCHAT_E_LIMIT, "the event would be nested deeper than %u levels as agentchat writes it",
                    (unsigned)max);
}

/* ---- out of a store --------------------------------------------------------------------------------------------- */

/* E_CORRUPT for what is wrong with stored text; what is wrong with this process stays what it is. */
static agentchat_status damaged(uint64_t sequence, const char *what, const agentchat_error *detail,
                                agentchat_error *err)
{
    agentchat_status status = (agentchat_status)detail->code;
    agentchat_error failure = *detail;

    if (status != AGENTCHAT_E_NOMEM && status != AGENTCHAT_E_LIMIT) {
        status = AGENTCHAT_E_CORRUPT;
        failure.code = 0;
        aci_fail(&failure, status, "the stored %s of event %llu is damaged: %s", what, (unsigned long long)sequence,
                 detail->message);
    }
    if (err != NULL && err->code == 0)
        *err = failure;
    return status;
}

/* The sums, in the order of the changes or any other. */
static bool read_sums(agentchat_event *event, aci_json_reader *r)
{
    aci_index adds = {NULL, 0, 0};
    agentchat_str key, number;
    bool ok = aci_json_object(r);
    int64_t sum;

    for (size_t i = 0; ok && i < event->change_count; i++)
        if (event->changes[i].kind == AGENTCHAT_CHANGE_ADD)
            ok = aci_index_put(&adds, event->env, agentchat_str_from(event->changes[i].key), i) || aci_native_nomem(r);
    while (ok && aci_json_member(r, &key)) {
        size_t at = aci_index_find(&adds, key);

        ok = at != ACI_INDEX_NONE;
        if (!ok)
            (void)aci_json_fail(r, AGENTCHAT_E_SCHEMA, "the event adds nothing to this key");
        ok = ok && aci_json_raw(r, &number);
        if (ok && !aci_json_integer(number, &sum)) {
            (void)aci_json_fail(r, AGENTCHAT_E_SCHEMA, "a sum must be a 64-bit integer");
            ok = false;
        }
        ok = ok && (aci_event_set_sum(event, at, sum) || aci_native_nomem(r));
    }
    aci_index_clear(&adds, event->env);
    return ok && !aci_json_failed(r);
}

/* One entry: a key, the revision that it had, and its value if it had one. */
static bool check_undo_entry(aci_json_reader *r)
{
    agentchat_str key = {NULL, 0}, ignored;
    uint64_t revision;
    bool right = aci_json_array(r) && aci_json_element(r) && aci_json_string(r, &key) && aci_json_element(r) &&
                 aci_json_u64(r, &revision);

    if (right && aci_json_element(r))
        right = aci_json_raw(r, &ignored) && !aci_json_element(r);
    if (!right && !aci_json_failed(r))
        (void)aci_json_fail(r, AGENTCHAT_E_SCHEMA, "an entry has a key, a revision and perhaps a value");
    else if (right && (aci_key_check(key, NULL) < 0 || aci_key_scope(key, NULL) != AGENTCHAT_SCOPE_SESSION))
        (void)aci_json_fail(r, AGENTCHAT_E_INVALID, "an entry's key is none of a session's own");
    return !aci_json_failed(r);
}

/* Checks the undo text and takes it as it stands. */
static bool read_undo(agentchat_event *event, aci_json_reader *r)
{
    const char *begin;

    if (aci_json_peek(r) == ACI_JSON_ERROR)
        return false;
    begin = r->cursor;
    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r))
        if (!check_undo_entry(r))
            return false;
    return !aci_json_failed(r) &&
           (aci_event_set_undo(event, (agentchat_str){begin, (size_t)(r->cursor - begin)}) || aci_native_nomem(r));
}

static bool read_effect(agentchat_event *event, aci_json_reader *r)
{
    static const agentchat_str names[] = {{"app", 3}, {"user", 4}, {"sums", 4}, {"undo", 4}};
    agentchat_str key;
    uint32_t seen = 0;
    bool ok = aci_json_object(r);

    while (ok && aci_json_member(r, &key)) {
        uint32_t i = 0;

        while (i < 4 && !agentchat_str_equal(key, names[i]))
            i++;
        ok = i == 4 || aci_native_once(r, &seen, i);
        if (!ok)
            break;
        if (i == 0)
            ok = aci_json_u64(r, &event->app_revision);
        else if (i == 1)
            ok = aci_json_u64(r, &event->user_revision);
        else if (i == 2)
            ok = read_sums(event, r);
        else if (i == 3)
            ok = read_undo(event, r);
        else
            ok = aci_json_raw(r, &key); /* of a later version */
    }
    return ok && aci_json_end(r);
}

static agentchat_status apply_effect(agentchat_event *event, agentchat_str effect, agentchat_error *err)
{
    aci_json_options options = {.env = event->env, .arena = event->arena, .max_depth = ACI_JSON_HIGHEST_DEPTH};
    aci_json_reader r;

    /* Without ACI_JSON_IN_PLACE nothing is changed. */
    aci_json_begin(&r, &options, (char *)(uintptr_t)effect.ptr, effect.len, err);
    (void)read_effect(event, &r);
    return aci_json_close(&r);
}

agentchat_status aci_stored_event_read(const agentchat_env *env, uint64_t sequence, agentchat_str json,
                                       agentchat_str effect, agentchat_event **out, agentchat_error *err)
{
    agentchat_event *event = NULL;
    agentchat_error detail;
    uint64_t ignored;

    *out = NULL;
    agentchat_error_clear(&detail);
    if (aci_native_event_read(env, json, &aci_event_location_alone, NULL, &ignored, &event, &detail) < 0)
        return damaged(sequence, "text", &detail, err);
    if (effect.ptr != NULL && apply_effect(event, effect, &detail) < 0) {
        agentchat_event_unref(event);
        return damaged(sequence, "effect", &detail, err);
    }
    event->sequence = sequence;
    *out = event;
    return AGENTCHAT_OK;
}

/* ==== rows of the store as what they stand for =================================================================== */

/* Stored data is checked like any other input. */

/* Sequence numbers, revisions and numbers of rewinds count up from 0 and never come near this; a larger number is not
   from this library, and is not counted on from. */
#define HIGHEST_COUNT (INT64_MAX / 2)

static agentchat_status check_count(int64_t count, int64_t lowest, const char *what, agentchat_error *err)
{
    if (count >= lowest && count <= HIGHEST_COUNT)
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored %s is %lld, which cannot be", what, (long long)count);
}

agentchat_status aci_load_row_read(aci_session_row *row, const aci_sql_value *columns, size_t count,
                                   agentchat_error *err)
{
    agentchat_status status = aci_table_read(&aci_session_table, 0, columns, count, row, err);

    if (status >= 0)
        status = check_count(row->seq, 0, "sequence of the session", err);
    return status < 0 ? status : check_count(row->rewinds, 0, "number of rewinds", err);
}

static agentchat_status load_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_loaded_row *loaded = user;
    agentchat_status status = aci_load_row_read(&loaded->row, columns, count, err);

    loaded->row.app = loaded->row.user = loaded->row.id = (agentchat_str){NULL, 0};
    loaded->found = status >= 0;
    return status;
}

void aci_load_ask_session(aci_tx *tx, aci_session_statement which, const aci_session_name *name, aci_loaded_row *loaded)
{
    *loaded = (aci_loaded_row){.name = *name};
    ACI_SESSION_ASK(tx, which, load_row, loaded, ACI_NAMES(name));
}

static agentchat_status load_scope(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_scope_row *row = user, read;
    agentchat_status status = aci_table_read(&aci_scope_table, 0, columns, count, &read, err);

    row->revision = read.revision;
    return status < 0 ? status : check_count(row->revision, 0, "revision of the state", err);
}

void aci_load_ask_scope(aci_tx *tx, aci_session_statement which, const aci_session_name *name, agentchat_scope scope,
                        aci_scope_row *row)
{
    aci_scope_row empty = {.app = name->app, .user = scope == AGENTCHAT_SCOPE_APP ? AGENTCHAT_STR("") : name->user};
    aci_sql_row_fn load = row != NULL ? load_scope : NULL;

    if (row != NULL)
        *row = empty;
    if (which == ACI_STATEMENT_SCOPE_HOLD && tx->store->driver->dialect == ACI_SQL_POSTGRES) {
        aci_statement_add_scope(tx, which, &empty, load, row);
        return;
    }
    aci_statement_add(tx, ACI_STATEMENT_SCOPE, load, row); /* SQLite's transactions that write are alone */
    ACI_BIND(tx, ACI_TEXT(empty.app), ACI_TEXT(empty.user));
}

/* ---- state ---------------------------------------------------------------------------------------------------- */

bool aci_load_full_key(agentchat_scope scope, agentchat_str rest, aci_buf *buffer)
{
    buffer->len = 0;
    return aci_buf_add_str(buffer, aci_key_scope_prefix(scope)) && aci_buf_add_str(buffer, rest);
}

size_t aci_load_print_integer(int64_t value, char out[24])
{
    uint64_t left = value < 0 ? ~(uint64_t)value + 1 : (uint64_t)value;
    char reversed[24];
    size_t count = 0, len = 0;

    do {
        reversed[count++] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (value < 0)
        out[len++] = '-';
    while (count > 0)
        out[len++] = reversed[--count];
    out[len] = '\0';
    return len;
}

bool aci_load_revision_put(agentchat_state *revisions, agentchat_str key, int64_t revision)
{
    char digits[24];
    size_t len = aci_load_print_integer(revision, digits);

    return aci_state_put(revisions, key, (agentchat_str){digits, len});
}

int64_t aci_load_revision_find(const agentchat_state *revisions, agentchat_str key)
{
    agentchat_str digits = aci_state_find(revisions, key);
    char text[24];

    if (digits.ptr == NULL || digits.len >= sizeof text)
        return 0;
    memcpy(text, digits.ptr, digits.len);
    text[digits.len] = '\0';
    return (int64_t)strtoll(text, NULL, 10);
}

agentchat_status aci_load_check_stored(const agentchat_env *env, agentchat_str key, agentchat_str *value,
                                       int64_t revision, agentchat_error *err)
{
    agentchat_error why;
    aci_excerpt excerpt;
    agentchat_status status;

    if (revision <= 0 || revision > HIGHEST_COUNT)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored revision of key %s is %lld, which cannot be",
                        aci_error_excerpt(key, &excerpt), (long long)revision);
    agentchat_error_clear(&why);
    status = aci_json_check(env, *value, env->limits.max_depth, value, NULL, &why);
    if (status >= 0 || status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT)
        return status < 0 ? aci_fail(err, status, "%s", why.message) : status;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored value of key %s is not JSON: %s",
                    aci_error_excerpt(key, &excerpt), why.message);
}

agentchat_status aci_load_state(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_scope_loader *loader = user;
    const agentchat_env *env = aci_state_env(loader->state);
    aci_state_row row = {.revision = 0};
    agentchat_str key;
    aci_excerpt excerpt;
    aci_buf buffer;
    agentchat_status status = aci_table_read(&aci_state_table, aci_state_table.owner, columns, count, &row, err);

    if (status < 0)
        return status;
    aci_buf_init(&buffer, env, SIZE_MAX);
    if (!aci_load_full_key(loader->scope, row.key, &buffer)) {
        aci_buf_clear(&buffer);
        return aci_fail_nomem(err);
    }
    key = aci_buf_str(&buffer);
    status = aci_key_check(key, err);
    if (status == AGENTCHAT_E_INVALID && err != NULL)
        err->code = (int32_t)(status = AGENTCHAT_E_CORRUPT);
    if (status >= 0 && aci_key_scope(key, NULL) != loader->scope)
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored key %s stands among those of a session",
                          aci_error_excerpt(key, &excerpt));
    if (status >= 0)
        status = aci_load_check_stored(env, key, &row.value, row.revision, err);
    if (status >= 0 &&
        !(aci_state_put(loader->state, key, row.value) && aci_load_revision_put(loader->revisions, key, row.revision)))
        status = aci_fail_nomem(err);
    aci_buf_clear(&buffer);
    return status;
}

/* ---- events --------------------------------------------------------------------------------------------------- */

bool aci_load_events_reserve(const agentchat_env *env, aci_event_array *events, size_t more)
{
    void *list = events->list;

    while (events->cap - events->count < more) {
        if (!aci_grow(env, &list, &events->cap, events->cap, sizeof(*events->list)))
            return false;
        events->list = list;
    }
    return true;
}

void aci_load_events_clear(const agentchat_env *env, aci_event_array *events)
{
    for (size_t i = 0; i < events->count; i++)
        agentchat_event_unref(events->list[i]);
    aci_free(env, events->list, events->cap * sizeof(*events->list));
    memset(events, 0, sizeof *events);
}

agentchat_status aci_load_event(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_event_loader *loader = user;
    agentchat_event *event = NULL;
    aci_event_row row = {.origin = *loader->origin};
    agentchat_status status = aci_table_read(&aci_event_table, aci_event_table.owner, columns, count, &row, err);

    if (status >= 0 && !aci_load_events_reserve(loader->env, loader->events, 1))
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = aci_stored_event_read(loader->env, (uint64_t)row.seq, row.json, row.effect, &event, err);
    if (status < 0)
        return status;
    loader->events->list[loader->events->count++] = event;
    return AGENTCHAT_OK;
}

/* ==== what appending an event did, as it is stored beside it (event/event.h), and undoing it ===================== */

bool aci_effect_undo_add(aci_buf *out, bool first, agentchat_str key, int64_t revision, agentchat_str value)
{
    char digits[24];
    size_t len = aci_load_print_integer(revision, digits);

    return (first || aci_buf_add(out, ",", 1)) && aci_buf_add(out, "[", 1) && aci_json_canonical_string(key, out) &&
           aci_buf_add(out, ",", 1) && aci_buf_add(out, digits, len) &&
           (value.ptr == NULL || (aci_buf_add(out, ",", 1) && aci_buf_add_str(out, value))) && aci_buf_add(out, "]", 1);
}

bool aci_effect_sum_add(aci_buf *out, agentchat_str key, agentchat_str sum)
{
    return (out->len == 0 || aci_buf_add(out, ",", 1)) && aci_json_canonical_string(key, out) &&
           aci_buf_add(out, ":", 1) && aci_buf_add_str(out, sum);
}

static bool add_name(aci_buf *out, const char *name)
{
    return (out->len <= 1 || aci_buf_add(out, ",", 1)) && aci_buf_add(out, "\"", 1) &&
           aci_buf_add(out, name, strlen(name)) && aci_buf_add(out, "\":", 2);
}

static bool add_revision(aci_buf *out, const char *name, int64_t revision)
{
    char digits[24];
    size_t len = aci_load_print_integer(revision, digits);

    return revision == 0 || (add_name(out, name) && aci_buf_add(out, digits, len));
}

static bool add_list(aci_buf *out, const char *name, char open, agentchat_str list, char close)
{
    return list.len == 0 || (add_name(out, name) && aci_buf_add(out, &open, 1) && aci_buf_add_str(out, list) &&
                             aci_buf_add(out, &close, 1));
}

bool aci_effect_write(aci_buf *out, int64_t app, int64_t user, agentchat_str sums, agentchat_str undo)
{
    out->len = 0;
    return aci_buf_add(out, "{", 1) && add_revision(out, "app", app) && add_revision(out, "user", user) &&
           add_list(out, "sums", '{', sums, '}') && add_list(out, "undo", '[', undo, ']') && aci_buf_add(out, "}", 1);
}

/* Puts back what one entry, [key, revision] or [key, revision, value], says. */
static bool put_back(aci_json_reader *r, agentchat_state *state, agentchat_state *touched)
{
    agentchat_str key, revision, value = {NULL, 0};
    bool stored = true;

    if (!aci_json_array(r) || !aci_json_element(r) || !aci_json_string(r, &key) || !aci_json_element(r) ||
        !aci_json_raw(r, &revision))
        return false;
    if (aci_json_element(r) && (!aci_json_raw(r, &value) || aci_json_element(r)))
        return false;
    if (aci_json_failed(r))
        return false;
    if (value.ptr == NULL)
        (void)aci_state_remove(state, key);
    else
        stored = aci_state_put(state, key, value);
    if (stored && (touched == NULL || aci_state_put(touched, key, AGENTCHAT_STR("0"))))
        return true;
    (void)aci_json_fail(r, AGENTCHAT_E_NOMEM, "out of memory");
    return false;
}

agentchat_status aci_effect_undo(const agentchat_event *event, agentchat_state *state, agentchat_state *touched,
                                 agentchat_error *err)
{
    const agentchat_env *env = aci_state_env(state);
    aci_json_options options = {0};
    agentchat_status status;
    agentchat_error why;
    aci_json_reader r;
    aci_arena *arena;
    char *text;

    if (event->undo.ptr == NULL)
        return AGENTCHAT_OK;
    arena = aci_arena_new(env, event->undo.len + 64);
    text = arena != NULL ? aci_arena_text(arena, event->undo.len + 1) : NULL;
    if (text == NULL) {
        aci_arena_unref(arena);
        return aci_fail_nomem(err);
    }
    memcpy(text, event->undo.ptr, event->undo.len);
    agentchat_error_clear(&why);
    options.env = env;
    options.arena = arena;
    options.max_depth = env->limits.max_depth + 2; /* a value may be as deep as is allowed, inside two arrays */
    aci_json_begin(&r, &options, text, event->undo.len, &why);
    if (aci_json_array(&r)) {
        while (aci_json_element(&r) && put_back(&r, state, touched))
            ;
    }
    (void)aci_json_end(&r);
    status = aci_json_close(&r);
    aci_arena_unref(arena);
    if (status >= 0)
        return AGENTCHAT_OK;
    if (status == AGENTCHAT_E_NOMEM)
        return aci_fail_nomem(err);
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "what event %" PRIu64 " replaced cannot be read: %s", event->sequence,
                    why.message);
}
