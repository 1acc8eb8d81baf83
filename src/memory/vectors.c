/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of documents: what those of a store are, embedders, rows, and the nearest ones. */
#include "memory/memory_internal.h"

#include "base/error.h"
#include "json/bridge.h"
#include "json/value.h"
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_postgres(const agentchat_store *store)
{
    return store->driver->dialect == ACI_SQL_POSTGRES;
}

/* ==== lists of vectors =========================================================================================== */

enum { MOST_DIMENSIONS = 16000 };

static void clear_made(agentchat_memory_vectors *made)
{
    if (made->env != NULL)
        aci_free(made->env, made->numbers, made->cap * sizeof *made->numbers);
    made->numbers = NULL;
    made->count = made->cap = 0;
}

/* Room for one more; NULL: out of memory. */
static float *room(agentchat_memory_vectors *made)
{
    void *numbers = made->numbers;
    size_t used = made->count * made->dimensions;

    while (made->cap < used + made->dimensions)
        if (!aci_grow(made->env, &numbers, &made->cap, made->cap, sizeof *made->numbers))
            return NULL;
        else
            made->numbers = numbers;
    return made->numbers + used;
}

agentchat_status agentchat_memory_vectors_add(agentchat_memory_vectors *out, const float *numbers, size_t count,
                                              agentchat_error *err)
{
    float *to;

    agentchat_error_clear(err);
    if (out == NULL || numbers == NULL)
        return aci_fail_null(err, out == NULL ? "out" : "numbers");
    if (count == 0 || count > MOST_DIMENSIONS)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a vector has 1 to %d numbers, not %zu", MOST_DIMENSIONS, count);
    if (out->count > 0 && count != out->dimensions)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a vector has %zu numbers, and one before it %zu", count,
                        out->dimensions);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return aci_fail(err, AGENTCHAT_E_INVALID, "number %zu of a vector is not finite", i);
    out->dimensions = count;
    to = room(out);
    if (to == NULL)
        return aci_fail_nomem(err);
    memcpy(to, numbers, count * sizeof *numbers);
    out->count++;
    return AGENTCHAT_OK;
}

static bool is_zero(const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (numbers[i] != 0)
            return false;
    return true;
}

bool aci_vector_print(const float *numbers, size_t count, aci_buf *out)
{
    char number[ACI_REAL_SIZE];
    bool ok = aci_buf_add(out, "[", 1);

    for (size_t i = 0; i < count && ok; i++)
        ok = (i == 0 || aci_buf_add(out, ",", 1)) && aci_buf_add(out, number, aci_json_float_print(numbers[i], number));
    return ok && aci_buf_add(out, "]", 1);
}

agentchat_status aci_embedding_add_json(aci_embedding *e, const aci_json_index *json, uint32_t node,
                                        agentchat_error *err)
{
    float *numbers;
    size_t count = 0;

    if (aci_json_index_kind(json, node) != ACI_JSON_ARRAY)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a vector is a list of numbers");
    numbers = aci_arena_alloc(e->arena, (json->nodes[node].after - node) * sizeof *numbers);
    if (numbers == NULL)
        return aci_fail_nomem(err);
    for (uint32_t one = aci_json_index_first(json, node); one != 0; one = aci_json_index_next(json, node, one)) {
        double number = 0;

        if (aci_json_index_kind(json, one) != ACI_JSON_NUMBER)
            return aci_fail(err, AGENTCHAT_E_INVALID, "a vector has something else than numbers");
        if (!aci_json_nearest(aci_json_index_raw(json, one), e->env, &number))
            return aci_fail_nomem(err);
        numbers[count++] = fabs(number) <= (double)HUGE_VALF ? (float)number : HUGE_VALF;
    }
    return agentchat_memory_vectors_add(&e->made, numbers, count, err);
}

/* ==== embedders ================================================================================================== */

enum { MOST_TEXTS = 128 };

void agentchat_memory_embedder_init(agentchat_memory_embedder *embedder, size_t size)
{
    aci_env_options_init(embedder, size);
}

agentchat_status aci_embedder_load(agentchat_memory_embedder *out, const agentchat_memory_embedder *embedder,
                                   agentchat_error *err)
{
    agentchat_status status = aci_env_struct_load(out, sizeof *out, embedder, "embedder", err);

    if (status >= 0 && out->embed == NULL)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "the embedder has no function");
    return status;
}

agentchat_status aci_embedding_begin(aci_embedding *e, const agentchat_env *env, agentchat_error *err)
{
    *e = (aci_embedding){.env = env, .arena = aci_arena_new(env, 0), .made = {.env = env}};
    return e->arena != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

void aci_embedding_end(aci_embedding *e)
{
    if (e->env == NULL)
        return;
    aci_free(e->env, e->texts, e->text_cap * sizeof *e->texts);
    aci_free(e->env, e->fields, e->field_cap * sizeof *e->fields);
    clear_made(&e->made);
    aci_arena_unref(e->arena);
    *e = (aci_embedding){.env = NULL};
}

static void begin_field(void *user, agentchat_str path)
{
    ((aci_embedding *)user)->field = path;
}

agentchat_status aci_embedding_share(const aci_embedding *texts, const agentchat_memory_embedder **own,
                                     agentchat_error *err)
{
    if (*own != NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the embedder of a batch is that of the whole");
    *own = texts->embedder;
    return AGENTCHAT_OK;
}

bool aci_embedding_add_text(aci_embedding *e, agentchat_str text)
{
    void *texts = e->texts, *fields = e->fields;
    bool ok = true;

    text = aci_arena_copy(e->arena, text, &ok);
    if (!ok || !aci_grow(e->env, &texts, &e->text_cap, e->count, sizeof *e->texts))
        return false;
    e->texts = texts;
    if (!aci_grow(e->env, &fields, &e->field_cap, e->count, sizeof *e->fields))
        return false;
    e->fields = fields;
    e->texts[e->count] = text;
    e->fields[e->count++] = e->field;
    return true;
}

/* The JSON text of a value, with the characters that are escaped in it: a model knows no escapes. */
static bool add_json(aci_embedding *e, const aci_json_index *document, uint32_t value)
{
    const aci_json_node *whole = &document->nodes[value];
    uint32_t at = whole->begin;
    aci_buf text;
    bool ok = true;

    aci_buf_init(&text, e->env, SIZE_MAX);
    for (uint32_t i = value; i < whole->after && ok; i++) {
        const aci_json_node *node = &document->nodes[i];
        agentchat_str decoded;

        if ((aci_json_kind)node->kind != ACI_JSON_STRING || !node->is_escaped)
            continue;
        ok = aci_buf_add(&text, document->text + at, node->begin - at) &&
             aci_json_index_string(document, i, e->arena, &decoded) && aci_json_quote(decoded, &text, NULL) >= 0;
        at = node->end;
    }
    ok =
        ok && aci_buf_add(&text, document->text + at, whole->end - at) && aci_embedding_add_text(e, aci_buf_str(&text));
    aci_buf_clear(&text);
    return ok;
}

/* A text as it is, another value as its JSON text; nothing for null. */
static bool add_value(void *user, const aci_json_index *document, uint32_t value)
{
    aci_embedding *e = user;
    agentchat_str text;

    if (aci_json_index_kind(document, value) == ACI_JSON_NULL)
        return true;
    if (aci_json_index_kind(document, value) != ACI_JSON_STRING)
        return add_json(e, document, value);
    return aci_json_index_string(document, value, e->arena, &text) && aci_embedding_add_text(e, text);
}

agentchat_status aci_embedding_add(aci_embedding *e, const aci_json_index *document, agentchat_str fields,
                                   agentchat_error *err)
{
    bool ok = true;

    fields = aci_arena_copy(e->arena, fields, &ok); /* of which the names of fields are parts */
    return ok ? aci_fields_visit(document, fields, e->arena, begin_field, add_value, e, err) : aci_fail_nomem(err);
}

agentchat_status aci_embedding_run(aci_embedding *e, const agentchat_memory_embedder *embedder, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    agentchat_error why;

    for (size_t at = 0; at < e->count && status >= 0;) {
        size_t count = e->count - at < MOST_TEXTS ? e->count - at : MOST_TEXTS, before = e->made.count;

        agentchat_error_clear(&why);
        status = embedder->embed(embedder->user, e->texts + at, count, &e->made, &why);
        if (status < 0 && why.code == 0)
            return aci_fail(err, status, "the embedder failed and did not say why");
        if (status < 0 && err != NULL)
            *err = why;
        if (status >= 0 && e->made.count - before != count)
            status = aci_fail(err, AGENTCHAT_E_INVALID,
                              "the embedder gave %zu vectors for %zu texts; it is to give one for each",
                              e->made.count - before, count);
        at += count;
    }
    return status < 0 ? status : AGENTCHAT_OK;
}

/* ==== what the vectors of a store are ============================================================================ */

static const char *const metrics[] = {"any", "cosine", "inner_product", "l2"};

agentchat_status aci_vector_settings_begin(aci_vector_settings *settings, const agentchat_env *env,
                                           agentchat_error *err)
{
    *settings = (aci_vector_settings){.arena = aci_arena_new(env, 0)};
    return settings->arena != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

void aci_vector_settings_end(aci_vector_settings *settings)
{
    aci_arena_unref(settings->arena);
    settings->arena = NULL;
}

/* From {"dimensions": 384, "metric": 1, "fields": ["$"], "model": "…"}. */
static agentchat_status parse_settings(const aci_json_index *index, aci_vector_settings *out, agentchat_error *err)
{
    uint32_t model = aci_json_index_find(index, 0, AGENTCHAT_STR("model"));
    uint32_t fields = aci_json_index_find(index, 0, AGENTCHAT_STR("fields"));
    uint32_t dimensions = aci_json_index_find(index, 0, AGENTCHAT_STR("dimensions"));
    uint32_t metric = aci_json_index_find(index, 0, AGENTCHAT_STR("metric"));
    bool ok = true;

    if (fields == 0 || dimensions == 0 || metric == 0 ||
        !aci_json_integer(aci_json_index_raw(index, dimensions), &out->dimensions) ||
        !aci_json_integer(aci_json_index_raw(index, metric), &out->metric) || out->dimensions < 1 ||
        out->dimensions > MOST_DIMENSIONS || out->metric < AGENTCHAT_MEMORY_METRIC_COSINE ||
        out->metric > AGENTCHAT_MEMORY_METRIC_L2)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "the store's settings of vectors are none");
    out->fields = aci_arena_copy(out->arena, aci_json_index_raw(index, fields), &ok);
    out->model = (agentchat_str){NULL, 0};
    if (model != 0 && aci_json_index_kind(index, model) == ACI_JSON_STRING) {
        ok = aci_json_index_string(index, model, out->arena, &out->model) && ok;
        out->model = aci_arena_copy(out->arena, out->model, &ok);
    }
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status load_settings(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_vector_settings *out = user;
    aci_setting_row row;
    aci_json_index index;
    agentchat_status status;

    memset(&row, 0, sizeof row);
    status = aci_table_read(&aci_setting_table, 0, columns, count, &row, err);
    if (status >= 0 && (row.text.ptr == NULL || row.number < 1 || row.number > INT64_MAX / 2))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "the store's settings of vectors are none");
    if (status < 0)
        return status;
    aci_json_index_init(&index, aci_arena_env(out->arena));
    status = aci_json_index_text(&index, row.text, 0, 0, err);
    if (status >= 0)
        status = parse_settings(&index, out, err);
    else if (status != AGENTCHAT_E_NOMEM)
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "the store's settings of vectors are no JSON");
    aci_json_index_clear(&index);
    out->gen = row.number;
    out->is_there = status >= 0;
    return status;
}

void aci_vector_settings_ask(aci_tx *tx, aci_memory_statement which, aci_vector_settings *out)
{
    out->is_there = false;
    out->gen = 0;
    aci_transact_add(tx, &aci_memory_statements[which], load_settings, out);
}

agentchat_status aci_vector_settings_read(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_vector_settings_ask(tx, ACI_MEMORY_SETTING, user);
    return aci_transact_run(tx, true, err);
}

agentchat_status aci_vector_settings_put(aci_tx *tx, aci_memory_statement which, const aci_vector_settings *settings,
                                         agentchat_error *err)
{
    aci_setting_row row = {.name = AGENTCHAT_STR("vectors"), .number = settings->gen};
    agentchat_status status = AGENTCHAT_OK;
    aci_buf text;
    bool ok;

    aci_buf_init(&text, tx->store->env, SIZE_MAX);
    ok = aci_buf_printf(&text,
                        "{\"dimensions\": %" PRId64 ", \"metric\": %" PRId64 ", \"fields\": ", settings->dimensions,
                        settings->metric) &&
         aci_buf_add_str(&text, settings->fields);
    if (ok && settings->model.ptr != NULL) {
        ok = aci_buf_add(&text, ", \"model\": ", 11);
        status = aci_json_quote(settings->model, &text, err);
    }
    ok = ok && aci_buf_add(&text, "}", 1);
    row.text = aci_buf_str(&text);
    if (status >= 0 && !ok)
        status = aci_fail_nomem(err);
    if (status >= 0) {
        aci_transact_add(tx, &aci_memory_statements[which], NULL, NULL);
        aci_table_bind(tx, &aci_setting_table, &row);
        status = aci_transact_run(tx, false, err); /* the text lives only now */
    }
    aci_buf_clear(&text);
    return status;
}

agentchat_status aci_vector_settings_compare(const aci_vector_settings *settings, const aci_vector_settings *wanted,
                                             agentchat_error *err)
{
    static const char change[] = "; a reindex would change that";
    aci_excerpt one, other;

    if (wanted->dimensions != 0 && wanted->dimensions != settings->dimensions)
        return aci_fail(err, AGENTCHAT_E_CONFLICT, "vectors of this store have %" PRId64 " numbers, not %" PRId64 "%s",
                        settings->dimensions, wanted->dimensions, change);
    if (wanted->metric != 0 && wanted->metric != settings->metric)
        return aci_fail(err, AGENTCHAT_E_CONFLICT, "vectors of this store are compared by %s, not %s%s",
                        metrics[settings->metric], metrics[wanted->metric], change);
    if (wanted->model.ptr != NULL && settings->model.ptr != NULL &&
        !agentchat_str_equal(wanted->model, settings->model))
        return aci_fail(err, AGENTCHAT_E_CONFLICT, "vectors of this store are made by %s, not %s%s",
                        aci_error_excerpt(settings->model, &one), aci_error_excerpt(wanted->model, &other), change);
    if (wanted->fields.ptr != NULL && !agentchat_str_equal(wanted->fields, settings->fields))
        return aci_fail(err, AGENTCHAT_E_CONFLICT, "vectors of this store are made of the fields %s, not %s%s",
                        aci_error_excerpt(settings->fields, &one), aci_error_excerpt(wanted->fields, &other), change);
    return AGENTCHAT_OK;
}

static agentchat_status ask_whether(aci_tx *tx, aci_memory_statement which, agentchat_error *err)
{
    int64_t may = 1;
    agentchat_status status;

    if (!is_postgres(tx->store))
        return AGENTCHAT_OK;
    aci_transact_add(tx, &aci_memory_statements[which], aci_memory_load_number, &may);
    status = aci_transact_run(tx, false, err);
    if (status >= 0 && may == 0)
        status = aci_fail(err, AGENTCHAT_E_UNSUPPORTED,
                          "vectors on PostgreSQL need its extension \"vector\" (pgvector): install it on the server, "
                          "and where this user may not, let an administrator run CREATE EXTENSION vector; and SELECT "
                          "agentchat.memory_vectors();");
    return status;
}

agentchat_status aci_vectors_may(aci_tx *tx, const aci_vector_settings *settings, agentchat_error *err)
{
    return settings->is_there ? AGENTCHAT_OK : ask_whether(tx, ACI_MEMORY_VECTORS_MAY, err);
}

agentchat_status aci_vector_settings_fix(aci_tx *tx, aci_vector_settings *settings, const aci_vector_settings *wanted,
                                         agentchat_error *err)
{
    aci_vector_settings first = *wanted;
    agentchat_status status = AGENTCHAT_OK;

    if (!settings->is_there) {
        status = ask_whether(tx, ACI_MEMORY_VECTORS_MAKE, err);
        if (status < 0 || wanted->dimensions == 0)
            return status;
        first.gen = 1;
        first.metric = wanted->metric != 0 ? wanted->metric : AGENTCHAT_MEMORY_METRIC_COSINE;
        first.fields = wanted->fields.ptr != NULL ? wanted->fields : AGENTCHAT_STR("[\"$\"]");
        status = aci_vector_settings_put(tx, ACI_MEMORY_SETTING_NEW, &first, err);
        if (status < 0)
            return status;
        aci_vector_settings_ask(tx, ACI_MEMORY_SETTING_SHARE, settings); /* those of another who was faster */
        status = aci_transact_run(tx, false, err);
    }
    return status < 0 ? status : aci_vector_settings_compare(settings, wanted, err);
}

int64_t aci_vector_kinds(const aci_vector_settings *settings)
{
    return settings->metric == AGENTCHAT_MEMORY_METRIC_COSINE ? ACI_VECTOR_ZERO : ACI_VECTOR_NONE;
}

/* ==== rows ======================================================================================================= */

/* The floats of a vector, the lowest byte first, or back: the same bytes where that is the machine's order. */
static agentchat_str in_order(agentchat_str bytes, aci_arena *arena, bool *ok)
{
    const uint16_t probe = 1;
    char *turned;

    if (*(const char *)&probe == 1)
        return bytes;
    turned = aci_arena_alloc(arena, bytes.len + 1);
    *ok = *ok && turned != NULL;
    for (size_t i = 0; turned != NULL && i < bytes.len; i++)
        turned[i] = bytes.ptr[i ^ 3];
    return (agentchat_str){turned, turned != NULL ? bytes.len : 0};
}

static agentchat_status put_row(aci_tx *tx, const aci_vector *row, agentchat_str printed, agentchat_error *err)
{
    int64_t sum = 0;
    agentchat_status status = aci_table_sum_row(&aci_vector_table, row, &sum, err);

    ACI_MEMORY_ASK(tx, ACI_MEMORY_VECTOR_PUT, NULL, NULL, ACI_BYTES(row->ns), ACI_INT(row->no), ACI_INT(row->gen),
                   ACI_INT(row->n), ACI_INT(row->count), ACI_INT(row->updated), ACI_INT(row->kind),
                   ACI_TEXT(row->field), is_postgres(tx->store) ? ACI_TEXT(printed) : ACI_BYTES(row->numbers),
                   ACI_INT(sum));
    return status;
}

agentchat_status aci_vectors_put(aci_tx *tx, const aci_document *row, int64_t gen, bool all,
                                 const aci_vector_part *part, agentchat_error *err)
{
    size_t dimensions = part != NULL ? part->of->made.dimensions : 0;
    agentchat_status status = AGENTCHAT_OK;

    ACI_MEMORY_ASK(tx, ACI_MEMORY_VECTORS_DELETE, NULL, NULL, ACI_BYTES(row->ns), ACI_INT(row->no), ACI_INT(gen),
                   ACI_INT(all));
    for (size_t n = 0; part != NULL && (n < part->count || n == 0) && status >= 0; n++) {
        aci_vector vector = {.ns = row->ns, .no = row->no, .gen = gen, .n = (int64_t)n, .updated = row->updated};
        agentchat_str printed = {NULL, 0};
        bool ok = true;

        vector.count = (int64_t)part->count;
        vector.kind = part->is_own ? ACI_VECTOR_OWN : 0;
        vector.numbers = AGENTCHAT_STR("");
        if (part->count == 0) {
            vector.kind += ACI_VECTOR_NONE;
        } else {
            const float *numbers = part->of->made.numbers + (part->first + n) * dimensions;
            aci_buf text;

            vector.kind += is_zero(numbers, dimensions) ? ACI_VECTOR_ZERO : 0;
            if (!part->is_own)
                vector.field = part->of->fields[part->first + n];
            vector.numbers =
                in_order((agentchat_str){(const char *)numbers, dimensions * sizeof *numbers}, part->of->arena, &ok);
            aci_buf_init(&text, tx->store->env, SIZE_MAX);
            if (is_postgres(tx->store)) {
                ok = aci_vector_print(numbers, dimensions, &text) && ok;
                printed = aci_arena_copy(part->of->arena, aci_buf_str(&text), &ok);
            }
            aci_buf_clear(&text);
        }
        status = ok ? put_row(tx, &vector, printed, err) : aci_fail_nomem(err);
    }
    return status;
}

/* The numbers of a vector as PostgreSQL prints it. */
static agentchat_status parse_numbers(agentchat_str text, const agentchat_env *env, aci_arena *arena,
                                      agentchat_str *out, agentchat_error *err)
{
    aci_json_index index;
    aci_embedding e;
    agentchat_status status = aci_embedding_begin(&e, env, err);
    bool ok = true;

    aci_json_index_init(&index, env);
    if (status >= 0)
        status = aci_json_index_text(&index, text, 0, 0, err);
    if (status >= 0)
        status = aci_embedding_add_json(&e, &index, 0, err);
    if (status >= 0) {
        *out = (agentchat_str){(const char *)e.made.numbers, e.made.dimensions * sizeof *e.made.numbers};
        *out = aci_arena_copy(arena, in_order(*out, arena, &ok), &ok);
    }
    aci_json_index_clear(&index);
    aci_embedding_end(&e);
    if (status < 0 && status != AGENTCHAT_E_NOMEM)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored vector is none");
    return status < 0 || ok ? status : aci_fail_nomem(err);
}

agentchat_status aci_vector_read(const agentchat_store *store, const aci_sql_value *columns, size_t count,
                                 aci_arena *arena, aci_vector *out, agentchat_error *err)
{
    size_t last = aci_vector_table.count - 1;
    aci_sql_value all[12];
    agentchat_str numbers = AGENTCHAT_STR("");
    agentchat_status status = AGENTCHAT_OK;

    memset(out, 0, sizeof *out);
    if (!is_postgres(store) || count != aci_vector_table.count + 1 || count > sizeof all / sizeof *all)
        return aci_table_read(&aci_vector_table, 0, columns, count, out, err);
    memcpy(all, columns, count * sizeof *all);
    if (all[last].type == ACI_SQL_TEXT)
        status = parse_numbers(all[last].text, store->env, arena, &numbers, err);
    all[last] = ACI_BYTES(numbers);
    return status < 0 ? status : aci_table_read(&aci_vector_table, 0, all, count, out, err);
}

typedef struct own_vectors {
    const agentchat_store *store;
    aci_embedding *out;
} own_vectors;

static agentchat_status load_own(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    own_vectors *own = user;
    aci_arena *arena = own->out->arena;
    aci_vector row;
    agentchat_str numbers;
    float *aligned;
    bool ok = true;
    agentchat_status status = aci_vector_read(own->store, columns, count, arena, &row, err);

    if (status < 0)
        return status;
    if (row.numbers.len == 0 || row.numbers.len % sizeof *aligned != 0)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored vector is none");
    numbers = in_order(row.numbers, arena, &ok);
    aligned = aci_arena_alloc(arena, row.numbers.len);
    if (!ok || aligned == NULL)
        return aci_fail_nomem(err);
    memcpy(aligned, numbers.ptr, numbers.len);
    status = agentchat_memory_vectors_add(&own->out->made, aligned, numbers.len / sizeof *aligned, err);
    return status == AGENTCHAT_E_INVALID ? aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored vector is none") : status;
}

agentchat_status aci_vectors_own(aci_tx *tx, const aci_document *row, int64_t gen, aci_embedding *out,
                                 agentchat_error *err)
{
    own_vectors own = {tx->store, out};

    ACI_MEMORY_ASK(tx, ACI_MEMORY_VECTORS_OWN, load_own, &own, ACI_BYTES(row->ns), ACI_INT(row->no), ACI_INT(gen));
    return aci_transact_run(tx, false, err);
}

/* ==== the nearest ================================================================================================ */

/* Sums over blocks, in several lanes at once: gcc and clang turn these into vector instructions wherever there are
   some. */
typedef float lanes __attribute__((vector_size(16)));
enum { LANES = 4, TOGETHER = 16 };

typedef struct sums {
    double product, squares; /* of both; of the stored one, or of the differences */
} sums;

static double sum_of(const lanes *parts)
{
    double sum = 0;

    for (size_t i = 0; i < TOGETHER / LANES; i++)
        for (size_t lane = 0; lane < LANES; lane++)
            sum += (double)parts[i][lane];
    return sum;
}

/* Adds a block of both, whose bytes stand anywhere; of the stored one the lowest byte of a number is the first. */
static void add_block(lanes *product, lanes *squares, const float *query, const char *stored, bool between)
{
    for (size_t i = 0; i < TOGETHER / LANES; i++) {
        lanes one, other, away;

        memcpy(&one, query + i * LANES, sizeof one);
        memcpy(&other, stored + i * sizeof other, sizeof other);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        for (size_t lane = 0; lane < LANES; lane++) {
            uint32_t bits;

            memcpy(&bits, (char *)&other + lane * sizeof bits, sizeof bits);
            bits = __builtin_bswap32(bits);
            memcpy((char *)&other + lane * sizeof bits, &bits, sizeof bits);
        }
#endif
        away = between ? one - other : other;
        product[i] += one * other;
        squares[i] += away * away;
    }
}

static sums measure(const float *query, const char *stored, size_t count, bool between)
{
    lanes product[TOGETHER / LANES] = {{0}}, squares[TOGETHER / LANES] = {{0}};
    float last[TOGETHER] = {0};
    char last_stored[sizeof last] = {0};
    size_t at = 0;

    for (; at + TOGETHER <= count; at += TOGETHER)
        add_block(product, squares, query + at, stored + at * sizeof *last, between);
    if (at < count) {
        memcpy(last, query + at, (count - at) * sizeof *last);
        memcpy(last_stored, stored + at * sizeof *last, (count - at) * sizeof *last);
        add_block(product, squares, last, last_stored, between);
    }
    return (sums){sum_of(product), sum_of(squares)};
}

static double score_of(const aci_nearest *n, agentchat_str stored)
{
    sums all = measure(n->vector, stored.ptr, (size_t)n->settings->dimensions,
                       n->settings->metric == AGENTCHAT_MEMORY_METRIC_L2);

    switch (n->settings->metric) {
    case AGENTCHAT_MEMORY_METRIC_COSINE:
        return all.product / (n->norm * sqrt(all.squares));
    case AGENTCHAT_MEMORY_METRIC_L2:
        return 0 - sqrt(all.squares); /* no minus zero */
    default:
        return all.product;
    }
}

/* The score that PostgreSQL's distance is. */
static agentchat_status read_score(const aci_nearest *n, const aci_sql_value *columns, size_t count, double *out,
                                   agentchat_error *err)
{
    agentchat_str text = {NULL, 0};
    agentchat_status status = aci_transact_column_text(columns, count, 5, &text, err);
    double far = 0;

    if (status < 0)
        return status;
    if (text.len == 0 || memchr("-0123456789", *text.ptr, 11) == NULL || text.len > 30)
        far = HUGE_VAL; /* no number */
    else if (!aci_json_nearest(text, n->tx->store->env, &far))
        return aci_fail_nomem(err);
    *out = n->settings->metric == AGENTCHAT_MEMORY_METRIC_COSINE ? 1 - far : 0 - far;
    return AGENTCHAT_OK;
}

static agentchat_status load_near(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_nearest *n = user;
    aci_near near = {.score = 0};
    agentchat_str stored = {NULL, 0};
    int64_t *const numbers[] = {&near.no, &near.n, &near.updated};
    agentchat_status status = aci_transact_column_bytes(columns, count, 0, &near.ns, err);

    for (size_t i = 0; i < 3 && status >= 0; i++)
        status = aci_transact_column_integer(columns, count, i + 1, numbers[i], err);
    if (status >= 0 && count > 4 && columns[4].type != ACI_SQL_NULL)
        status = aci_transact_column_text(columns, count, 4, &near.field, err);
    if (status < 0)
        return status;
    n->rows++;
    if (is_postgres(n->tx->store)) {
        status = read_score(n, columns, count, &near.score, err);
    } else {
        status = aci_transact_column_bytes(columns, count, 5, &stored, err);
        if (status >= 0 && stored.len != (size_t)n->settings->dimensions * sizeof(float))
            status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored vector has another length than the store's");
        if (status >= 0)
            near.score = score_of(n, stored);
    }
    if (!isfinite(near.score)) /* damaged, or beyond what can be summed; minus infinity stands for none */
        near.score = near.score > 0 ? DBL_MAX : -DBL_MAX;
    return status < 0 ? status : n->each(n->user, &near, err);
}

agentchat_status aci_vectors_nearest(aci_nearest *n, agentchat_error *err)
{
    static const aci_memory_statement by[] = {
        [AGENTCHAT_MEMORY_METRIC_COSINE] = ACI_MEMORY_NEAREST_COSINE,
        [AGENTCHAT_MEMORY_METRIC_INNER_PRODUCT] = ACI_MEMORY_NEAREST_PRODUCT,
        [AGENTCHAT_MEMORY_METRIC_L2] = ACI_MEMORY_NEAREST_L2,
    };
    size_t dimensions = (size_t)n->settings->dimensions;
    aci_memory_statement which = by[n->settings->metric];
    agentchat_status status;
    aci_buf printed;

    n->rows = 0;
    n->norm = 0;
    for (size_t i = 0; i < dimensions; i++)
        n->norm += (double)n->vector[i] * (double)n->vector[i];
    n->norm = sqrt(n->norm);
    if (!is_postgres(n->tx->store) && n->is_whole)
        which = ACI_MEMORY_NEAREST_WHOLE;
    aci_buf_init(&printed, n->tx->store->env, SIZE_MAX);
    aci_transact_add(n->tx, &aci_memory_statements[which], load_near, n);
    if (which != ACI_MEMORY_NEAREST_WHOLE)
        ACI_BIND(n->tx, ACI_BYTES(n->ns), ACI_BYTES(n->end));
    ACI_BIND(n->tx, ACI_INT(n->settings->gen), ACI_INT(aci_vector_kinds(n->settings)));
    status = AGENTCHAT_OK;
    if (is_postgres(n->tx->store)) {
        if (!aci_vector_print(n->vector, dimensions, &printed))
            status = aci_fail_nomem(err);
        ACI_BIND(n->tx, ACI_TEXT(aci_buf_str(&printed)), ACI_INT(n->limit));
    }
    if (status >= 0)
        status = aci_transact_run(n->tx, false, err);
    n->is_all = !is_postgres(n->tx->store) || n->rows < n->limit;
    aci_buf_clear(&printed);
    return status;
}
