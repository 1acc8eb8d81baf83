/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of messages as rows, and the bodies that they are made of. */
#include "thread/thread_internal.h"

#include "base/b64.h"
#include "base/error.h"
#include "base/index.h"
#include "base/sha256.h"
#include "format/native/message_json.h"
#include <string.h>

/* ==== lists in the store: their rows, and reading them =========================================================== */

enum { MOST_IN_ITEM = 4096 }; /* bodies that one row names */

/* ---- numbers as bytes: seven bits each, the lowest first ------------------------------------------------------- */

static unsigned char *put_varint(unsigned char *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    *at++ = (unsigned char)value;
    return at;
}

static bool take_varint(const unsigned char **at, const unsigned char *end, uint64_t *out)
{
    *out = 0;
    for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
        unsigned char byte = *(*at)++;

        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static uint64_t zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

static int64_t unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1 ^ ((value & 1) != 0 ? UINT64_MAX : 0));
}

enum { VARINT_SIZE = 10 };

/* ---- segments ------------------------------------------------------------------------------------------------- */

static agentchat_status fail_damaged(agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored list is damaged");
}

/* Spans stand in the order of their positions, without gaps between what they cover and the segment's own items. */
static agentchat_status read_spans(aci_segment_found *found, agentchat_str blob, agentchat_error *err)
{
    const unsigned char *at = (const unsigned char *)blob.ptr, *end = at + blob.len;
    aci_segment_row *row = &found->row;
    int64_t after = 0;

    row->span_count = 0;
    row->spans = aci_arena_alloc(found->arena, (blob.len / 4 + 1) * sizeof *row->spans); /* each has four numbers */
    if (row->spans == NULL)
        return aci_fail_nomem(err);
    while (at < end) {
        uint64_t numbers[4];

        for (size_t i = 0; i < 4; i++)
            if (!take_varint(&at, end, &numbers[i]) || numbers[i] > ACI_THREAD_HIGHEST)
                return fail_damaged(err);
        row->spans[row->span_count] =
            (aci_span){(int64_t)numbers[0], (int64_t)numbers[1], (int64_t)numbers[2], (int64_t)numbers[3]};
        if (row->spans[row->span_count].pos < after || numbers[1] == 0 || row->span_count == ACI_MOST_SPANS)
            return fail_damaged(err);
        after = (int64_t)(numbers[0] + numbers[1]);
        row->span_count++;
    }
    return AGENTCHAT_OK;
}

agentchat_status aci_lists_read_segment(aci_segment_found *found, const aci_sql_value *columns, size_t count,
                                        agentchat_error *err)
{
    aci_stored_segment row = {.num = 0};
    agentchat_status status = aci_table_read(&aci_segment_table, 0, columns, count, &row, err);

    found->num = row.num;
    found->row.seg = row.seg;
    if (status >= 0 && (row.seg <= 0 || row.spans.len == 0))
        status = fail_damaged(err);
    return status < 0 ? status : read_spans(found, row.spans, err);
}

agentchat_status aci_lists_load_segment(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_segment_found *found = user;
    int64_t asked = found->row.seg;
    agentchat_status status = aci_lists_read_segment(found, columns, count, err);

    return status >= 0 && found->row.seg != asked ? fail_damaged(err) : status;
}

agentchat_status aci_lists_put_segment(aci_tx *tx, int64_t num, const aci_segment_row *row, aci_arena *arena,
                                       agentchat_error *err)
{
    unsigned char *room = (unsigned char *)aci_arena_text(arena, row->span_count * 4 * VARINT_SIZE + 1);
    unsigned char *at = room;
    aci_stored_segment stored = {.num = num, .seg = row->seg};

    if (room == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < row->span_count; i++) {
        at = put_varint(at, (uint64_t)row->spans[i].pos);
        at = put_varint(at, (uint64_t)row->spans[i].count);
        at = put_varint(at, (uint64_t)row->spans[i].seg);
        at = put_varint(at, (uint64_t)row->spans[i].from);
    }
    stored.spans = (agentchat_str){(const char *)room, (size_t)(at - room)};
    aci_thread_statement_add(tx, ACI_SEGMENT_PUT, NULL, NULL);
    aci_table_bind(tx, &aci_segment_table, &stored);
    return AGENTCHAT_OK;
}

/* ---- items ---------------------------------------------------------------------------------------------------- */

static agentchat_status insert_item(aci_tx *tx, int64_t num, int64_t seg, int64_t pos, const int64_t *bodies,
                                    size_t count, aci_arena *arena, agentchat_error *err)
{
    unsigned char *room = (unsigned char *)aci_arena_text(arena, count * VARINT_SIZE);
    unsigned char *at = room;
    int64_t before = 0;
    aci_item_row row = {num, seg, pos, (int64_t)count, {NULL, 0}};

    if (room == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < count; i++) {
        at = put_varint(at, zigzag(bodies[i] - before));
        before = bodies[i];
    }
    aci_arena_text_shrink(arena, (char *)room, count * VARINT_SIZE, (size_t)(at - room));
    row.bodies = (agentchat_str){(const char *)room, (size_t)(at - room)};
    aci_thread_statement_add(tx, ACI_ITEM_INSERT, NULL, NULL);
    aci_table_bind(tx, &aci_item_table, &row);
    return AGENTCHAT_OK;
}

agentchat_status aci_lists_insert_items(aci_tx *tx, int64_t num, int64_t seg, int64_t pos, const int64_t *bodies,
                                        size_t count, aci_arena *arena, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t done = 0; done < count && status >= 0; done += MOST_IN_ITEM) {
        size_t some = count - done < MOST_IN_ITEM ? count - done : MOST_IN_ITEM;

        status = insert_item(tx, num, seg, pos + (int64_t)done, bodies + done, some, arena, err);
    }
    return status;
}

agentchat_status aci_lists_read_item(aci_item_row *row, const aci_sql_value *columns, size_t count,
                                     agentchat_error *err)
{
    agentchat_status status = aci_table_read(&aci_item_table, 0, columns, count, row, err);

    if (status >= 0 && (row->pos < 0 || row->pos > ACI_THREAD_HIGHEST || row->count <= 0 || row->count > MOST_IN_ITEM))
        status = fail_damaged(err);
    return status;
}

agentchat_status aci_lists_item_numbers(const aci_item_row *row, aci_arena *arena, int64_t **out, agentchat_error *err)
{
    const unsigned char *at = (const unsigned char *)row->bodies.ptr, *end = at + row->bodies.len;
    size_t count = (size_t)row->count;
    int64_t *bodies, before = 0;

    if (row->bodies.len == 0 || count > row->bodies.len) /* each takes a byte at least */
        return fail_damaged(err);
    bodies = aci_arena_alloc(arena, count * sizeof *bodies);
    if (bodies == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < count; i++) {
        uint64_t value;

        if (!take_varint(&at, end, &value))
            return fail_damaged(err);
        before = (int64_t)((uint64_t)before + (uint64_t)unzigzag(value));
        if (before <= 0 || before > ACI_THREAD_HIGHEST)
            return fail_damaged(err);
        bodies[i] = before;
    }
    *out = bodies;
    return at == end ? AGENTCHAT_OK : fail_damaged(err);
}

/* ---- reading lists -------------------------------------------------------------------------------------------- */

typedef struct item_run { /* a row of items */
    int64_t pos;
    size_t count;
    int64_t *bodies;
} item_run;

typedef struct reach { /* what is wanted of a segment */
    int64_t from, to;
    aci_segment_found segment; /* of those that are asked for by lists */
    item_run *runs;
    size_t run_count, run_cap;
    const struct reading *reading;
} reach;

typedef struct reach_set {
    reach **list;
    size_t count, cap;
    aci_index by_segment;
} reach_set;

typedef struct reading {
    aci_tx *tx;
    const agentchat_env *env;
    aci_arena *arena;
    int64_t num;
    reach_set asked, sources;
} reading;

/* What is wanted of a segment, to which [from, to) is added. NULL: out of memory. */
static reach *want(reading *r, reach_set *set, aci_range range)
{
    agentchat_str key = {(const char *)&range.seg, sizeof range.seg};
    size_t at = aci_index_find(&set->by_segment, key);
    void *list = set->list;
    bool ok = true;
    reach *one;

    if (at != ACI_INDEX_NONE && set->list != NULL) {
        one = set->list[at];
        one->from = range.from < one->from ? range.from : one->from;
        one->to = range.to > one->to ? range.to : one->to;
        return one;
    }
    one = aci_arena_alloc(r->arena, sizeof *one);
    key = aci_arena_copy(r->arena, key, &ok);
    if (one == NULL || !ok || !aci_grow(r->env, &list, &set->cap, set->count, sizeof *set->list))
        return NULL;
    set->list = list;
    *one = (reach){.from = range.from, .to = range.to, .reading = r};
    one->segment = (aci_segment_found){.arena = r->arena, .num = r->num, .row = {.seg = range.seg}};
    set->list[set->count] = one;
    return aci_index_put(&set->by_segment, r->env, key, set->count++) ? one : NULL;
}

static void clear_set(reading *r, reach_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        aci_free(r->env, set->list[i]->runs, set->list[i]->run_cap * sizeof(item_run));
    aci_free(r->env, set->list, set->cap * sizeof *set->list);
    aci_index_clear(&set->by_segment, r->env);
}

static agentchat_status load_item(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    reach *one = user;
    void *runs = one->runs;
    item_run run = {0};
    aci_item_row row;
    agentchat_status status = aci_lists_read_item(&row, columns, count, err);

    if (status >= 0)
        status = aci_lists_item_numbers(&row, one->reading->arena, &run.bodies, err);
    if (status >= 0 && !aci_grow(one->reading->env, &runs, &one->run_cap, one->run_count, sizeof *one->runs))
        status = aci_fail_nomem(err);
    if (status < 0)
        return status;
    run.pos = row.pos;
    run.count = (size_t)row.count;
    one->runs = runs;
    one->runs[one->run_count++] = run;
    return AGENTCHAT_OK;
}

static void ask(reading *r, reach_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        reach *one = set->list[i];

        if (set == &r->asked)
            ACI_THREAD_ASK(r->tx, ACI_SEGMENT_ROW, aci_lists_load_segment, &one->segment, ACI_INT(r->num),
                           ACI_INT(one->segment.row.seg));
        ACI_THREAD_ASK(r->tx, ACI_ITEM_ROWS, load_item, one, ACI_INT(r->num), ACI_INT(one->segment.row.seg),
                       ACI_INT(one->from), ACI_INT(one->to));
    }
}

/* What the spans of the segments that were read stand for. */
static agentchat_status ask_sources(reading *r, agentchat_error *err)
{
    for (size_t i = 0; i < r->asked.count; i++) {
        const reach *one = r->asked.list[i];
        const aci_segment_row *row = &one->segment.row;

        for (size_t k = 0; k < row->span_count; k++) {
            const aci_span *span = &row->spans[k];
            int64_t from = one->from > span->pos ? one->from : span->pos;
            int64_t to = one->to < span->pos + span->count ? one->to : span->pos + span->count;
            int64_t shift = span->from - span->pos;

            if (from < to && want(r, &r->sources, (aci_range){span->seg, from + shift, to + shift}) == NULL)
                return aci_fail_nomem(err);
        }
    }
    ask(r, &r->sources);
    return r->sources.count == 0 ? AGENTCHAT_OK : aci_transact_run(r->tx, false, err);
}

/* The row of items that has a position; NULL: none. */
static const item_run *run_at(const reach *one, int64_t pos)
{
    size_t low = 0, high = one->run_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (one->runs[middle].pos + (int64_t)one->runs[middle].count <= pos)
            low = middle + 1;
        else
            high = middle;
    }
    return low < one->run_count && one->runs[low].pos <= pos ? &one->runs[low] : NULL;
}

/* Where a position stands: in the segment itself, or where the span that has it says. *left: how many positions from
   there on stand together at most. */
static const reach *locate(const reading *r, const reach *one, int64_t *pos, int64_t *left)
{
    const aci_segment_row *row = &one->segment.row;

    *left = INT64_MAX;
    for (size_t k = 0; k < row->span_count; k++) {
        const aci_span *span = &row->spans[k];
        size_t at;

        if (*pos < span->pos || *pos >= span->pos + span->count)
            continue;
        at = aci_index_find(&r->sources.by_segment, (agentchat_str){(const char *)&span->seg, sizeof span->seg});
        *left = span->pos + span->count - *pos;
        *pos += span->from - span->pos;
        return at != ACI_INDEX_NONE ? r->sources.list[at] : NULL;
    }
    return one;
}

typedef struct gathered { /* numbers of a list, as many as were found */
    int64_t *numbers;
    size_t count, cap;
} gathered;

static agentchat_status gather(const reading *r, gathered *g, const int64_t *bodies, size_t some, agentchat_error *err)
{
    while (g->cap - g->count < some) {
        void *grown = g->numbers;

        if (!aci_grow(r->env, &grown, &g->cap, g->cap, sizeof *g->numbers))
            return aci_fail_nomem(err);
        g->numbers = grown;
    }
    if (g->numbers != NULL)
        memcpy(g->numbers + g->count, bodies, some * sizeof *g->numbers);
    g->count += some;
    return AGENTCHAT_OK;
}

static size_t least(size_t a, int64_t b)
{
    return (uint64_t)b < a ? (size_t)b : a;
}

/* The numbers from position `next` on that stand in one row; *next goes on. */
static agentchat_status gather_some(const reading *r, const reach *asked, int64_t to, int64_t *next, gathered *g,
                                    uint64_t *total, agentchat_error *err)
{
    int64_t pos = *next, left;
    const reach *found = locate(r, asked, &pos, &left);
    const item_run *run = found != NULL ? run_at(found, pos) : NULL;
    size_t skip, some;

    if (run == NULL)
        return fail_damaged(err);
    skip = (size_t)(pos - run->pos);
    some = least(least(run->count - skip, left), to - *next);
    *total += some;
    if (*total > r->env->limits.max_messages)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "the lists of a checkpoint have more than %llu elements",
                        (unsigned long long)r->env->limits.max_messages);
    *next += (int64_t)some;
    return gather(r, g, run->bodies + skip, some, err);
}

static agentchat_status assemble(const reading *r, aci_list_want *wanted, uint64_t *total, agentchat_error *err)
{
    aci_range range = wanted->range;
    size_t at = aci_index_find(&r->asked.by_segment, (agentchat_str){(const char *)&range.seg, sizeof range.seg});
    gathered g = {NULL, 0, 0};
    agentchat_status status = AGENTCHAT_OK;

    for (int64_t next = range.from; next < range.to && status >= 0;)
        status = gather_some(r, r->asked.list[at], range.to, &next, &g, total, err);
    if (status >= 0 && g.numbers != NULL) {
        wanted->numbers = aci_arena_alloc(r->arena, g.count * sizeof *g.numbers);
        if (wanted->numbers != NULL)
            memcpy(wanted->numbers, g.numbers, g.count * sizeof *g.numbers);
        else
            status = aci_fail_nomem(err);
    }
    aci_free(r->env, g.numbers, g.cap * sizeof *g.numbers);
    return status;
}

static agentchat_status read_all(reading *r, aci_list_want *wants, size_t count, agentchat_error *err)
{
    agentchat_status status;
    uint64_t total = 0;

    for (size_t i = 0; i < count; i++)
        if (wants[i].range.seg != 0 && want(r, &r->asked, wants[i].range) == NULL)
            return aci_fail_nomem(err);
    if (r->asked.count == 0)
        return AGENTCHAT_OK;
    ask(r, &r->asked);
    status = aci_transact_run(r->tx, false, err);
    if (status >= 0)
        status = ask_sources(r, err);
    for (size_t i = 0; i < count && status >= 0; i++)
        if (wants[i].range.seg != 0)
            status = assemble(r, &wants[i], &total, err);
    return status;
}

static uint64_t count_stored(const reach_set *set)
{
    uint64_t stored = 0;

    for (size_t i = 0; i < set->count; i++)
        for (size_t k = 0; k < set->list[i]->run_count; k++)
            stored += set->list[i]->runs[k].count;
    return stored;
}

agentchat_status aci_lists_read(aci_tx *tx, int64_t num, aci_list_want *wants, size_t count, aci_arena *arena,
                                uint64_t *stored, agentchat_error *err)
{
    reading r = {.tx = tx, .env = tx->store->env, .arena = arena, .num = num};
    agentchat_status status = read_all(&r, wants, count, err);

    if (stored != NULL)
        *stored = count_stored(&r.asked) + count_stored(&r.sources);
    clear_set(&r, &r.asked);
    clear_set(&r, &r.sources);
    return status;
}

/* ==== what a put needs stored, by digest ========================================================================= */

bool aci_bodies_begin(aci_bodies *bodies, const agentchat_env *env)
{
    memset(bodies, 0, sizeof *bodies);
    bodies->env = env;
    aci_buf_init(&bodies->text, env, SIZE_MAX);
    bodies->arena = aci_arena_new(env, 0);
    return bodies->arena != NULL;
}

void aci_bodies_clear(aci_bodies *bodies)
{
    if (bodies->env == NULL)
        return;
    aci_free(bodies->env, bodies->list, bodies->cap * sizeof *bodies->list);
    aci_index_clear(&bodies->by_digest, bodies->env);
    aci_index_clear(&bodies->by_message, bodies->env);
    aci_buf_clear(&bodies->text);
    aci_arena_unref(bodies->arena);
    memset(bodies, 0, sizeof *bodies);
}

static bool append(aci_bodies *bodies, const unsigned char *digest, agentchat_str bytes)
{
    void *list = bodies->list;
    bool ok = true;
    agentchat_str key = aci_arena_copy(bodies->arena, (agentchat_str){(const char *)digest, ACI_DIGEST_SIZE}, &ok);

    if (!ok || !aci_grow(bodies->env, &list, &bodies->cap, bodies->count, sizeof *bodies->list))
        return false;
    bodies->list = list;
    if (!aci_index_put(&bodies->by_digest, bodies->env, key, bodies->count))
        return false;
    bodies->list[bodies->count++] = (aci_body){(const unsigned char *)key.ptr, bytes, 0, false};
    return true;
}

agentchat_status aci_bodies_add(aci_bodies *bodies, agentchat_str bytes, size_t *index, agentchat_error *err)
{
    unsigned char digest[ACI_DIGEST_SIZE];

    if (!aci_sha256_of(bytes.ptr, bytes.len, digest))
        return aci_fail_nomem(err);
    *index = aci_index_find(&bodies->by_digest, (agentchat_str){(const char *)digest, ACI_DIGEST_SIZE});
    if (*index != ACI_INDEX_NONE)
        return AGENTCHAT_OK;
    *index = bodies->count;
    return append(bodies, digest, bytes) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* ---- messages ------------------------------------------------------------------------------------------------- */

typedef struct large_data { /* of the message that is being encoded */
    aci_bodies *bodies;
    aci_buf list; /* [N,DIGEST],… */
    size_t seen;
    agentchat_status status;
    agentchat_error *err;
} large_data;

static agentchat_str decoded(aci_bodies *bodies, const aci_data *data)
{
    size_t size;
    char *room;

    if (data->bytes.ptr != NULL)
        return data->bytes;
    size = aci_b64_decoded_size(data->base64);
    room = aci_arena_text(bodies->arena, size + 1); /* the decoder writes one byte more */
    if (room != NULL)
        aci_b64_decode(data->base64, room);
    return (agentchat_str){room, room != NULL ? size : 0};
}

static bool add_reference(large_data *large, size_t number, const unsigned char *digest)
{
    static const char digits[] = "0123456789abcdef";
    char hex[2 * ACI_DIGEST_SIZE + 1] = {0};

    for (size_t i = 0; i < ACI_DIGEST_SIZE; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15u];
    }
    return aci_buf_printf(&large->list, "%s[%zu,\"%s\"]", large->list.len > 0 ? "," : "", number, hex);
}

static bool is_apart(void *user, const aci_data *data)
{
    large_data *large = user;
    size_t number = large->seen++, index = 0;
    size_t size = data->bytes.ptr != NULL ? data->bytes.len : aci_b64_decoded_size(data->base64);
    agentchat_str bytes;

    if (size < ACI_BODY_APART || large->status < 0)
        return false;
    bytes = decoded(large->bodies, data);
    large->status =
        bytes.ptr != NULL ? aci_bodies_add(large->bodies, bytes, &index, large->err) : aci_fail_nomem(large->err);
    if (large->status >= 0 && !add_reference(large, number, large->bodies->list[index].digest))
        large->status = aci_fail_nomem(large->err);
    return true;
}

/* The message's body in bodies->text. */
static agentchat_status encode(aci_bodies *bodies, const agentchat_message *message, agentchat_error *err)
{
    large_data large = {.bodies = bodies, .err = err};
    aci_message_apart apart = {is_apart, &large};
    aci_buf *text = &bodies->text;
    agentchat_status status;

    aci_buf_init(&large.list, bodies->env, SIZE_MAX);
    text->len = 0;
    status = aci_buf_add(text, "[", 1) ? aci_message_json_write_apart(bodies->env, message, &apart, text, err)
                                       : aci_fail_nomem(err);
    if (status >= 0)
        status = large.status;
    if (status >= 0 && large.list.len > 0 &&
        !(aci_buf_add(text, ",[", 2) && aci_buf_add_str(text, aci_buf_str(&large.list)) && aci_buf_add(text, "]]", 2)))
        status = aci_fail_nomem(err);
    if (status >= 0 && large.list.len == 0) { /* the message alone */
        text->len--;
        memmove(text->ptr, text->ptr + 1, text->len);
    }
    aci_buf_clear(&large.list);
    return status;
}

/* A key for the index that lives as long as the bodies: the message's address. */
static agentchat_str address_key(aci_arena *arena, const agentchat_message *message)
{
    uintptr_t address = (uintptr_t)message;
    bool ok = true;

    return aci_arena_copy(arena, (agentchat_str){(const char *)&address, sizeof address}, &ok);
}

agentchat_status aci_bodies_add_message(aci_bodies *bodies, const agentchat_message *message, size_t *index,
                                        agentchat_error *err)
{
    uintptr_t address = (uintptr_t)message;
    agentchat_str key = {(const char *)&address, sizeof address};
    agentchat_status status;
    bool ok = true;

    *index = aci_index_find(&bodies->by_message, key);
    if (*index != ACI_INDEX_NONE)
        return AGENTCHAT_OK;
    status = encode(bodies, message, err);
    if (status >= 0) {
        size_t before = bodies->count;

        status = aci_bodies_add(bodies, aci_buf_str(&bodies->text), index, err);
        if (status >= 0 && bodies->count > before) /* the text is the next message's soon */
            bodies->list[*index].bytes = aci_arena_copy(bodies->arena, aci_buf_str(&bodies->text), &ok);
    }
    if (status < 0)
        return status;
    key = address_key(bodies->arena, message);
    return ok && key.ptr != NULL && aci_index_put(&bodies->by_message, bodies->env, key, *index) ? AGENTCHAT_OK
                                                                                                 : aci_fail_nomem(err);
}
