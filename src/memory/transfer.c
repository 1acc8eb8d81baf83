/* SPDX-License-Identifier: Apache-2.0 */
/* Documents as lines of JSON: export and import. */
#include "memory/memory_internal.h"

#include "base/buf.h"
#include "base/calendar.h"
#include "base/error.h"
#include "io/stream.h"
#include "state/state.h"
#include "json/value.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ==== export ===================================================================================================== */

enum { PAGE = 200 };

typedef struct exporting {
    agentchat_str ns, end;
    aci_document_list found;
    agentchat_str after_ns, after_key;
    int64_t now;
    aci_vector_settings settings;
    aci_embedding own; /* vectors of the caller's, of all of these */
    size_t of[PAGE];   /* how many each has */
} exporting;

static agentchat_status read_page(aci_tx *tx, void *user, agentchat_error *err)
{
    exporting *e = user;
    agentchat_status status;

    e->found.count = 0;
    e->own.made.count = 0;
    aci_memory_ask_now(tx, &e->now);
    aci_vector_settings_ask(tx, ACI_MEMORY_SETTING, &e->settings);
    ACI_MEMORY_ASK(tx, ACI_MEMORY_AFTER, aci_documents_load, &e->found, ACI_BYTES(e->ns), ACI_BYTES(e->end),
                   ACI_BYTES(e->after_ns), ACI_TEXT(e->after_key), ACI_INT(PAGE));
    status = aci_transact_run(tx, false, err);
    for (size_t i = 0; i < e->found.count && status >= 0; i++) {
        size_t before = e->own.made.count;

        if (e->settings.is_there && e->found.list[i].has_embedded)
            status = aci_vectors_own(tx, &e->found.list[i], e->settings.gen, &e->own, err);
        e->of[i] = e->own.made.count - before;
    }
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

/* Appends `, "name": "time"`, as RFC 3339 with microseconds. */
static bool add_time(aci_buf *line, const char *name, int64_t time_us)
{
    int64_t micros = time_us % 1000000, seconds = time_us / 1000000 - (micros < 0);
    char text[ACI_CALENDAR_SIZE];

    if (!aci_calendar_print(seconds, text)) /* after the year 9999: as far as it can be said */
        (void)aci_calendar_print(ACI_CALENDAR_LAST, text);
    return aci_buf_printf(line, ", \"%s\": \"%s.%06dZ\"", name, text, (int)(micros < 0 ? micros + 1000000 : micros));
}

static bool add_vectors(aci_buf *line, const agentchat_memory_vectors *made, size_t first, size_t count)
{
    bool ok = count == 0 || aci_buf_add(line, ", \"vectors\": [", 14);

    for (size_t i = 0; i < count && ok; i++)
        ok = (i == 0 || aci_buf_add(line, ", ", 2)) &&
             aci_vector_print(made->numbers + (first + i) * made->dimensions, made->dimensions, line);
    return ok && (count == 0 || aci_buf_add(line, "]", 1));
}

/* All but its vectors and the end. */
static agentchat_status write_line(const aci_document *row, aci_buf *line, agentchat_error *err)
{
    agentchat_str label;
    agentchat_status status = AGENTCHAT_OK;
    bool ok = aci_buf_add(line, "{\"namespace\": [", 15);
    size_t begin;

    for (size_t at = 0; ok && status >= 0 && aci_space_label(row->ns, &at, &label);) {
        ok = label.ptr == row->ns.ptr || aci_buf_add(line, ", ", 2);
        status = aci_json_quote(label, line, err);
    }
    ok = ok && aci_buf_add(line, "], \"key\": ", 10);
    if (status >= 0)
        status = aci_json_quote(row->key, line, err);
    ok = ok && aci_buf_add(line, ", \"value\": ", 11);
    begin = line->len;
    ok = ok && aci_buf_add_str(line, row->value);
    for (size_t i = begin; ok && i < line->len; i++) /* between tokens only */
        if (line->ptr[i] == '\n' || line->ptr[i] == '\r')
            line->ptr[i] = ' ';
    ok = ok && aci_buf_printf(line, ", \"revision\": %" PRId64, row->rev) && add_time(line, "created", row->created) &&
         add_time(line, "updated", row->updated);
    if (row->has_expires)
        ok = ok && add_time(line, "expires", row->expires);
    if (row->has_ttl)
        ok = ok && aci_buf_printf(line, ", \"ttl\": %" PRId64, row->ttl);
    if (row->fields.ptr != NULL)
        ok = ok && aci_buf_add(line, ", \"index\": ", 11) && aci_buf_add_str(line, row->fields);
    return status < 0 || ok ? status : aci_fail_nomem(err);
}

static agentchat_status write_page(const exporting *e, agentchat_sink *sink, const agentchat_env *env, uint64_t *count,
                                   agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    aci_buf line;

    aci_buf_init(&line, env, SIZE_MAX);
    for (size_t i = 0, vector = 0; i < e->found.count && status >= 0; vector += e->of[i++]) {
        if (!aci_document_lives(&e->found.list[i], e->now))
            continue;
        line.len = 0;
        status = write_line(&e->found.list[i], &line, err);
        if (status >= 0 && !(add_vectors(&line, &e->own.made, vector, e->of[i]) && aci_buf_add(&line, "}\n", 2)))
            status = aci_fail_nomem(err);
        if (status >= 0)
            status = aci_sink_write(sink, line.ptr, line.len, err);
        *count += status >= 0;
    }
    aci_buf_clear(&line);
    return status;
}

static agentchat_status export_pages(exporting *e, agentchat_store *store, agentchat_sink *sink, uint64_t *count,
                                     agentchat_error *err)
{
    aci_document_list before = {.env = NULL}; /* has the key after which the page begins */
    agentchat_status status;

    do {
        status = aci_documents_begin(&e->found, store->env) ? aci_embedding_begin(&e->own, store->env, err)
                                                            : aci_fail_nomem(err);
        if (status >= 0)
            status = aci_vector_settings_begin(&e->settings, store->env, err);
        if (status >= 0)
            status = aci_transact(store, false, read_page, e, err);
        if (status >= 0)
            status = write_page(e, sink, store->env, count, err);
        if (status >= 0 && e->found.count > 0)
            status = aci_documents_go_on(&e->found, e->after_ns, e->after_key, err);
        aci_vector_settings_end(&e->settings);
        aci_embedding_end(&e->own);
        aci_documents_end(&before);
        before = e->found;
        if (before.count > 0) {
            e->after_ns = before.list[before.count - 1].ns;
            e->after_key = before.list[before.count - 1].key;
        }
    } while (status >= 0 && before.count == PAGE);
    aci_documents_end(&before);
    return status < 0 ? status : aci_sink_commit(sink, err);
}

agentchat_status agentchat_memory_export(agentchat_store *store, const char *ns, agentchat_sink *sink, uint64_t *count,
                                         agentchat_error *err)
{
    exporting e = {.after_ns = AGENTCHAT_STR(""), .after_key = AGENTCHAT_STR("")};
    uint64_t written = 0;
    aci_arena *arena;
    aci_space space;
    agentchat_status status;

    agentchat_error_clear(err);
    if (count != NULL)
        *count = 0;
    if (store == NULL || sink == NULL)
        return aci_fail_null(err, store == NULL ? "store" : "sink");
    status = aci_space_read(ns, false, &space, err);
    if (status < 0)
        return status;
    e.ns = aci_space_bytes(&space);
    arena = aci_arena_new(store->env, 0);
    status = arena != NULL && aci_space_end(e.ns, false, arena, &e.end) ? export_pages(&e, store, sink, &written, err)
                                                                        : aci_fail_nomem(err);
    aci_arena_unref(arena);
    if (count != NULL)
        *count = written;
    return status;
}

/* ==== import ===================================================================================================== */

#define HIGHEST_REVISION (INT64_C(1) << 53)

typedef struct importing {
    const agentchat_env *env;
    agentchat_str text; /* all of it */
    agentchat_memory_import_mode mode;
    uint64_t count;
    /* ---- with an embedder ---- */
    agentchat_store *store;
    agentchat_memory_embedder embedder;
    aci_vector_settings settings; /* before the transaction */
    aci_embedding made;           /* vectors of all lines that are to have some */
    size_t *of;                   /* how many each line has */
    size_t line_cap, lines, used; /* used: vectors of the lines before */
} importing;

static agentchat_status fail_line(const char *what, agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_INVALID, "this is no line of an export: %s", what);
}

static int64_t digits(const char *text, int count)
{
    int64_t value = 0;

    for (int i = 0; i < count; i++)
        value = value * 10 + (text[i] - '0');
    return value;
}

/* A time as it is written by an export. */
static bool read_time(agentchat_str text, int64_t *out)
{
    static const char shape[] = "0000-00-00T00:00:00.000000Z";
    int year, month, day;

    if (text.len != sizeof shape - 1)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (shape[i] == '0' ? text.ptr[i] < '0' || text.ptr[i] > '9' : text.ptr[i] != shape[i])
            return false;
    year = (int)digits(text.ptr, 4);
    month = (int)digits(text.ptr + 5, 2);
    day = (int)digits(text.ptr + 8, 2);
    if (month < 1 || month > 12 || day < 1 || day > aci_calendar_month(year, month) || digits(text.ptr + 11, 2) > 23 ||
        digits(text.ptr + 14, 2) > 59 || digits(text.ptr + 17, 2) > 59)
        return false;
    *out =
        ((aci_calendar_days(year, month, day) * 24 + digits(text.ptr + 11, 2)) * 60 + digits(text.ptr + 14, 2)) * 60 +
        digits(text.ptr + 17, 2);
    *out = *out * 1000000 + digits(text.ptr + 20, 6);
    return true;
}

/* The text of a member; absent where it is none, or none that is a text. *ok: false when there is no memory. */
static agentchat_str text_of(const aci_json_index *line, const char *name, aci_arena *arena, bool *ok)
{
    uint32_t node = aci_json_index_find(line, 0, agentchat_str_from(name));
    agentchat_str text = {NULL, 0};

    if (node != 0 && aci_json_index_kind(line, node) == ACI_JSON_STRING)
        *ok = aci_json_index_string(line, node, arena, &text) && *ok;
    return text;
}

static bool number_of(const aci_json_index *line, const char *name, int64_t *out)
{
    uint32_t node = aci_json_index_find(line, 0, agentchat_str_from(name));

    return node != 0 && aci_json_index_kind(line, node) == ACI_JSON_NUMBER &&
           aci_json_integer(aci_json_index_raw(line, node), out);
}

/* The namespace: a list of labels. */
static agentchat_status read_space(const aci_json_index *line, aci_putting *p, agentchat_error *err)
{
    uint32_t list = aci_json_index_find(line, 0, AGENTCHAT_STR("namespace"));
    aci_space *space = &p->space;

    space->len = 0;
    if (list == 0 || aci_json_index_kind(line, list) != ACI_JSON_ARRAY)
        return fail_line("\"namespace\" is a list of labels", err);
    for (uint32_t node = aci_json_index_first(line, list); node != 0; node = aci_json_index_next(line, list, node)) {
        agentchat_str label = {NULL, 0};

        if (aci_json_index_kind(line, node) != ACI_JSON_STRING)
            return fail_line("a label of \"namespace\" is no text", err);
        if (!aci_json_index_string(line, node, p->words.arena, &label))
            return aci_fail_nomem(err);
        if (aci_label_check(label, "label of the namespace", err) < 0)
            return AGENTCHAT_E_INVALID;
        if (space->len + label.len + 1 > ACI_MOST_SPACE)
            return fail_line("\"namespace\" is too long", err);
        memcpy(space->bytes + space->len, label.ptr, label.len);
        space->len += label.len;
        space->bytes[space->len++] = '\0';
    }
    p->row.ns = aci_space_bytes(space);
    return space->len > 0 ? AGENTCHAT_OK : fail_line("\"namespace\" has no label", err);
}

/* The fields, which are checked as those of a put are. */
static agentchat_status read_fields(const aci_json_index *line, aci_putting *p, agentchat_error *err)
{
    uint32_t list = aci_json_index_find(line, 0, AGENTCHAT_STR("index"));
    const char **fields;
    size_t count = 0;
    bool ok = true;

    if (list == 0)
        return AGENTCHAT_OK;
    if (aci_json_index_kind(line, list) != ACI_JSON_ARRAY)
        return fail_line("\"index\" is a list of fields", err);
    fields = aci_arena_alloc(p->words.arena, (line->nodes[list].after - list) * sizeof *fields);
    for (uint32_t node = aci_json_index_first(line, list); ok && fields != NULL && node != 0;
         node = aci_json_index_next(line, list, node)) {
        agentchat_str field = {NULL, 0};

        if (aci_json_index_kind(line, node) != ACI_JSON_STRING)
            return fail_line("a field of \"index\" is no text", err);
        ok = aci_json_index_string(line, node, p->words.arena, &field);
        fields[count++] = aci_arena_cstr(p->words.arena, field, &ok);
    }
    if (fields == NULL || !ok)
        return aci_fail_nomem(err);
    p->options.fields = fields;
    p->options.field_count = count;
    return AGENTCHAT_OK;
}

/* Vectors that the caller had given. */
static agentchat_status read_vectors(const aci_json_index *line, aci_vector_part *part, agentchat_error *err)
{
    uint32_t list = aci_json_index_find(line, 0, AGENTCHAT_STR("vectors"));
    agentchat_status status = AGENTCHAT_OK;

    if (list == 0)
        return AGENTCHAT_OK;
    if (aci_json_index_kind(line, list) != ACI_JSON_ARRAY)
        return fail_line("\"vectors\" is a list of vectors", err);
    for (uint32_t node = aci_json_index_first(line, list); node != 0 && status >= 0;
         node = aci_json_index_next(line, list, node))
        status = aci_embedding_add_json(part->of, line, node, err);
    part->count = part->of->made.count;
    part->is_own = part->count > 0;
    return status;
}

static agentchat_status read_members(const aci_json_index *line, aci_putting *p, agentchat_error *err)
{
    aci_document *given = &p->given;
    uint32_t value = aci_json_index_find(line, 0, AGENTCHAT_STR("value"));
    bool ok = true;
    agentchat_str expires = text_of(line, "expires", p->words.arena, &ok);
    agentchat_str created = text_of(line, "created", p->words.arena, &ok);
    agentchat_str updated = text_of(line, "updated", p->words.arena, &ok);
    agentchat_status status;

    if (aci_json_index_kind(line, 0) != ACI_JSON_OBJECT)
        return fail_line("it is no object", err);
    status = read_space(line, p, err);
    if (status < 0)
        return status;
    p->row.key = text_of(line, "key", p->words.arena, &ok);
    if (!ok)
        return aci_fail_nomem(err);
    if (aci_label_check(p->row.key, "key", err) < 0)
        return AGENTCHAT_E_INVALID;
    if (value == 0)
        return fail_line("it has no \"value\"", err);
    if (!number_of(line, "revision", &given->rev) || given->rev < 1 || given->rev > HIGHEST_REVISION)
        return fail_line("\"revision\" is no number from 1 to 2^53", err);
    given->has_ttl = number_of(line, "ttl", &given->ttl);
    given->has_expires = expires.ptr != NULL;
    if (!read_time(created, &given->created) || !read_time(updated, &given->updated) ||
        (given->has_expires && !read_time(expires, &given->expires)))
        return fail_line("\"created\", \"updated\" and \"expires\" are times such as 2026-11-21T10:02:00.000000Z", err);
    p->options.has_ttl = given->has_ttl;
    p->options.ttl_us = given->ttl;
    status = read_fields(line, p, err);
    return status < 0 ? status : aci_putting_read(p, aci_json_index_raw(line, value), err);
}

/* The texts of a line, before there is a transaction. */
static agentchat_status collect(importing *i, aci_putting *p, bool has_own, agentchat_error *err)
{
    size_t before = i->made.count;
    void *of = i->of;
    agentchat_status status = AGENTCHAT_OK;

    if (!has_own && !agentchat_str_equal(p->row.fields, AGENTCHAT_STR("[]")))
        status = aci_putting_embed(p, i->store, &i->made, err);
    if (status >= 0 && !aci_grow(i->env, &of, &i->line_cap, i->lines, sizeof *i->of))
        return aci_fail_nomem(err);
    i->of = of;
    if (status >= 0)
        i->of[i->lines++] = i->made.count - before;
    return status;
}

/* The vectors of a line: its own, or those that were made. */
static void take_vectors(importing *i, aci_putting *p, aci_vector_part *part)
{
    p->vectors = part->is_own ? part : NULL;
    if (i->embedder.embed != NULL) {
        size_t count = i->of[i->lines++];

        if (!part->is_own && !agentchat_str_equal(p->row.fields, AGENTCHAT_STR("[]"))) {
            *part = (aci_vector_part){&i->made, i->used, count, false};
            p->vectors = part;
        }
        i->used += count;
    }
    p->wanted.dimensions = part->count > 0 ? (int64_t)part->of->made.dimensions : 0;
}

/* tx: NULL: what an embedder is to be given is collected, and nothing put. */
static agentchat_status import_line(importing *i, agentchat_str text, aci_tx *tx, agentchat_error *err)
{
    aci_json_index line;
    aci_embedding own;
    aci_vector_part part = {.of = &own};
    aci_putting p;
    agentchat_status status = aci_embedding_begin(&own, i->env, err);

    memset(&p, 0, sizeof p);
    p.is_import = true;
    p.mode = i->mode;
    if (i->embedder.embed != NULL) {
        p.wanted.fields = i->settings.is_there ? i->settings.fields : AGENTCHAT_STR("[\"$\"]");
        p.wanted.model = agentchat_str_from(i->embedder.model);
    }
    aci_json_index_init(&line, i->env);
    if (status >= 0 && !aci_putting_begin(&p, i->env))
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = aci_filter_refuse(aci_json_index_text(&line, text, 0, 0, err), "the line", err);
    if (status >= 0)
        status = read_members(&line, &p, err);
    if (status >= 0)
        status = read_vectors(&line, &part, err);
    if (status >= 0 && tx == NULL) {
        status = collect(i, &p, part.is_own, err);
    } else if (status >= 0) {
        take_vectors(i, &p, &part);
        status = aci_putting_run(&p, tx, err);
        i->count += status >= 0 && p.is_written;
    }
    aci_json_index_clear(&line);
    aci_putting_end(&p);
    aci_embedding_end(&own);
    return status;
}

static agentchat_status each_line(importing *i, aci_tx *tx, agentchat_error *err)
{
    const char *at = i->text.ptr, *end = at + i->text.len;
    uint32_t number = 0;
    agentchat_status status = AGENTCHAT_OK;

    i->count = 0;
    i->lines = i->used = 0;
    while (at < end && status >= 0) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((stop != NULL ? stop : end) - at);

        number++;
        if (len > 0)
            status = import_line(i, (agentchat_str){at, len}, tx, err);
        at += len + (stop != NULL);
    }
    if ((status == AGENTCHAT_E_INVALID || status == AGENTCHAT_E_CONFLICT) && err != NULL) {
        err->line = number;
        aci_error_prefix(err, "line %lu", (unsigned long)number);
    }
    return status;
}

static agentchat_status import_all(aci_tx *tx, void *user, agentchat_error *err)
{
    importing *i = user;
    agentchat_status status = each_line(i, tx, err);

    return status < 0 || i->count == 0 ? status : aci_transact_run(tx, true, err);
}

/* Makes the vectors, then puts all. */
static agentchat_status import_text(importing *i, const agentchat_memory_embedder *embedder, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    if (embedder != NULL) {
        status = aci_embedder_load(&i->embedder, embedder, err);
        if (status >= 0)
            status = aci_embedding_begin(&i->made, i->env, err);
        if (status >= 0)
            status = aci_vector_settings_begin(&i->settings, i->env, err);
        if (status >= 0)
            status = aci_transact(i->store, false, aci_vector_settings_read, &i->settings, err);
        if (status >= 0)
            status = each_line(i, NULL, err);
        if (status >= 0)
            status = aci_embedding_run(&i->made, &i->embedder, err);
    }
    if (status >= 0)
        status = aci_transact(i->store, true, import_all, i, err);
    aci_vector_settings_end(&i->settings);
    aci_embedding_end(&i->made);
    aci_free(i->env, i->of, i->line_cap * sizeof *i->of);
    return status;
}

agentchat_status agentchat_memory_import(agentchat_store *store, agentchat_source *source,
                                         agentchat_memory_import_mode mode, const agentchat_memory_embedder *embedder,
                                         uint64_t *count, agentchat_error *err)
{
    importing i = {.mode = mode};
    char *data = NULL;
    size_t len = 0, cap = 0;
    agentchat_status status;

    agentchat_error_clear(err);
    if (count != NULL)
        *count = 0;
    if (store == NULL || source == NULL)
        return aci_fail_null(err, store == NULL ? "store" : "source");
    if (mode != AGENTCHAT_MEMORY_IMPORT_FAIL && mode != AGENTCHAT_MEMORY_IMPORT_SKIP &&
        mode != AGENTCHAT_MEMORY_IMPORT_REPLACE)
        return aci_fail(err, AGENTCHAT_E_INVALID, "%d is no mode of an import", (int)mode);
    status = aci_source_read_all(source, store->env, store->env->limits.max_bytes, &data, &len, &cap, err);
    if (status < 0)
        return status;
    i.env = store->env;
    i.store = store;
    i.text = (agentchat_str){data, len};
    if (len > 0)
        status = import_text(&i, embedder, err);
    if (status >= 0 && count != NULL)
        *count = i.count;
    aci_free(store->env, data, cap);
    return status;
}
