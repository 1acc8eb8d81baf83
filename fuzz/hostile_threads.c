/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of threads whose contents are the fuzzer's. */
#include "hostile_threads.h"

#include "thread/thread_internal.h"
#include <string.h>

enum { MOST_COLUMNS = 17, MOST_ROWS = 5, MOST_TEXT = 1024, MOST_DEPTH = 3, NUM = 7 };

/* The first bytes of an input that has ended are zeros: those make a sound row. */
static bool is_rare(fuzz_input *in)
{
    return fuzz_byte(in) >= 240;
}

/* ---- bodies ----------------------------------------------------------------------------------------------------- */

#define FRAME "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":"
#define LARGE_DIGEST "e59406d52e8252c598792f3e92fc38051760101c4ed74b9f6f6f7bb3f2f7a235"

/* Body number N is number N - 1 of these, again and again. shape: of a frame, a letter for each channel and, after a
   slash, each value: l: a list, b: a body, c: a chat. */
static const struct {
    const char *text, *shape;
} bodies[] = {
    {"{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"1\"}]}", NULL},
    {FRAME "[],\"participants\":[],\"channels\":[]}", "/"},
    {FRAME "[],\"participants\":[{\"id\":\"a\",\"name\":\"A\",\"type\":\"T\"}],\"channels\":["
           "{\"channelkey\":\"l\",\"channeltype\":\"C\",\"statekind\":\"messages\",\"channelstate\":[]},"
           "{\"channelkey\":\"c\",\"statekind\":\"chat\",\"channelstate\":{\"history\":[],\"participants\":[],"
           "\"channels\":[]}},"
           "{\"channelkey\":\"t\",\"statekind\":\"text\",\"channelstate\":\"\"}],"
           "\"values\":[{\"name\":\"v\",\"value\":0},{\"name\":\"w\",\"mediatype\":\"text/plain\",\"base64\":\"\"}],"
           "\"later\":1}",
     "lcb/lb"},
    {"{\"role\":\"assistant\",\"name\":\"A\",\"items\":[]}", NULL},
    {"[1,2]", NULL},
    {"large data", NULL},
    {"[{\"role\":\"user\",\"items\":[{\"type\":\"image\",\"data\":\"\"},{\"type\":\"binary\",\"data\":\"AAEC\"}]},"
     "[[0,\"" LARGE_DIGEST "\"]]]",
     NULL},
    {FRAME "[null,{\"role\":\"user\",\"items\":[]},null],\"participants\":[],\"channels\":["
           "{\"channelkey\":\"l\",\"statekind\":\"messages\",\"channelstate\":[[0,3]],\"synced\":3,\"pending\":[0,2]},"
           "{\"channelkey\":\"b\",\"statekind\":\"bytes\",\"channelstate\":\"AAEC\",\"pending\":[1]}],\"turn\":4}",
     "lb/"},
    {"[{\"role\":\"user\",\"items\":[{\"type\":\"image\",\"data\":\"\"}]},[[1,\"" LARGE_DIGEST "\"],[0,\"" LARGE_DIGEST
     "\"]]]",
     NULL},
    {"1, 2", NULL},
    {"", NULL},
    {"null", NULL},
    {"{\"role\":\"user\"},{\"role\":\"user\"}", NULL},
    {"[{\"role\":\"user\"},[[0,\"e5\"]]]", NULL},
    {FRAME "[],\"participants\":[],\"channels\":[{\"channelkey\":\"c\",\"statekind\":\"chat\",\"channelstate\":"
           "{\"history\":[null],\"participants\":[],\"channels\":[]}}]}",
     "c/"},
    {"\xFF\xFE", NULL},
};
enum { BODIES = sizeof bodies / sizeof *bodies };

static size_t any_frame(fuzz_input *in)
{
    static const size_t frames[] = {1, 2, 7, 14};

    return frames[fuzz_below(in, sizeof frames / sizeof *frames)];
}

static agentchat_str body_of(int64_t no)
{
    return agentchat_str_from(bodies[((uint64_t)no - 1) % BODIES].text);
}

/* ---- a row ------------------------------------------------------------------------------------------------------ */

typedef struct row {
    fuzz_input *in;
    aci_sql_value columns[MOST_COLUMNS];
    size_t count;
    char texts[2 * MOST_TEXT]; /* of its columns */
    size_t used;
} row;

static void add(row *r, aci_sql_type type, int64_t integer, agentchat_str text)
{
    r->columns[r->count++] =
        (aci_sql_value){text.ptr == NULL && type != ACI_SQL_INTEGER ? ACI_SQL_NULL : type, integer, text};
}

static void add_integer(row *r, int64_t integer)
{
    add(r, ACI_SQL_INTEGER, integer, (agentchat_str){NULL, 0});
}

static void add_text(row *r, agentchat_str text)
{
    add(r, ACI_SQL_TEXT, 0, text);
}

static void add_bytes(row *r, const void *bytes, size_t len)
{
    char *room = r->texts + r->used;

    FUZZ_CHECK(len <= sizeof r->texts - r->used);
    memcpy(room, bytes, len);
    r->used += len;
    add(r, ACI_SQL_BYTES, 0, (agentchat_str){room, len});
}

static void sum_column(aci_table_sum *sum, const aci_sql_value *column)
{
    if (column->type == ACI_SQL_INTEGER)
        aci_table_sum_integer(sum, column->integer);
    else
        aci_table_sum_text(sum, column->text);
}

/* The checksum over columns in an order of their positions, most often the right one. */
static int64_t sum_of(row *r, aci_table_sum *sum, const char *order)
{
    int64_t value = 0;

    for (; *order != '\0'; order++)
        sum_column(sum, &r->columns[*order - 'a']);
    FUZZ_CHECK(aci_table_sum_end(sum, &value, NULL) == AGENTCHAT_OK);
    return is_rare(r->in) ? value ^ 1 : value;
}

static agentchat_status give(row *r, const aci_sql_request *request, agentchat_error *err)
{
    uint8_t choice = fuzz_byte(r->in);

    if (choice >= 252) /* a column of another type, or too few */
        r->columns[fuzz_below(r->in, (uint32_t)r->count)].type = (aci_sql_type)(choice - 252);
    else if (choice == 251)
        r->count--;
    return request->row(request->user, r->columns, r->count, err);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static int64_t any_number(fuzz_input *in)
{
    static const int64_t extremes[] = {
        0, -1, 64, 4096, 4097, 1000000, INT64_MAX / 2, INT64_MAX / 2 + 1, INT64_MAX - 1, INT64_MAX, INT64_MIN};
    uint8_t choice = fuzz_byte(in);

    return choice < 240 ? 1 + choice % 20 : extremes[fuzz_below(in, sizeof extremes / sizeof *extremes)];
}

/* What was asked for, most often. */
static int64_t asked(fuzz_input *in, const aci_sql_request *request, size_t index)
{
    if (is_rare(in) || index >= request->param_count || request->params[index].type != ACI_SQL_INTEGER)
        return any_number(in);
    return request->params[index].integer;
}

static agentchat_str any_name(fuzz_input *in)
{
    static const char *const names[] = {"c1", "c2", "", "t1", "other", "\xED\xA0\x80"};
    static char longer[600]; /* than any name may be */

    if (is_rare(in)) {
        memset(longer, 'x', sizeof longer);
        return (agentchat_str){longer, sizeof longer};
    }
    return agentchat_str_from(names[fuzz_below(in, sizeof names / sizeof *names)]);
}

static agentchat_str maybe_name(fuzz_input *in)
{
    return fuzz_below(in, 2) == 0 ? (agentchat_str){NULL, 0} : any_name(in);
}

/* ---- contents --------------------------------------------------------------------------------------------------- */

typedef struct contents {
    fuzz_input *in;
    char text[MOST_TEXT];
    size_t len;
} contents;

static void print(contents *c, const char *format, int64_t a, int64_t b, int64_t d)
{
    char piece[96];
    int len = snprintf(piece, sizeof piece, format, (long long)a, (long long)b, (long long)d);

    FUZZ_CHECK(len >= 0 && len < (int)sizeof piece);
    if (c->len + (size_t)len < sizeof c->text) { /* what is too long is cut off somewhere */
        memcpy(c->text + c->len, piece, (size_t)len);
        c->len += (size_t)len;
    }
}

static void print_range(contents *c)
{
    int64_t from;

    if (fuzz_below(c->in, 8) == 7) {
        print(c, "[]", 0, 0, 0);
        return;
    }
    from = is_rare(c->in) ? any_number(c->in) : (int64_t)fuzz_below(c->in, 4);
    print(c, "[%lld,%lld,%lld]", 1 + (int64_t)fuzz_below(c->in, 3), from,
          is_rare(c->in) ? any_number(c->in) : (int64_t)((uint64_t)from + 1 + fuzz_below(c->in, 4)));
}

static void print_chat(contents *c, int depth);

static void print_state(contents *c, char kind, int depth)
{
    if (is_rare(c->in))
        kind = "lbc-"[fuzz_below(c->in, 4)];
    if (kind == 'l') {
        print(c, ",\"l\":", 0, 0, 0);
        print_range(c);
    } else if (kind == 'b') {
        print(c, ",\"b\":%lld", any_number(c->in), 0, 0);
    } else if (kind == 'c') {
        print(c, ",\"c\":", 0, 0, 0);
        print_chat(c, depth + 1);
    }
}

static void print_part(contents *c, char kind, int depth)
{
    size_t begin = c->len;
    uint8_t choice = fuzz_byte(c->in);

    print_state(c, kind, depth);
    if ((choice & 1) != 0)
        print(c, ",\"s\":%lld", is_rare(c->in) ? any_number(c->in) : (int64_t)fuzz_below(c->in, 3), 0, 0);
    if ((choice & 2) != 0)
        print(c, ",\"p\":[[%lld,%lld]]", (int64_t)fuzz_below(c->in, 3), any_number(c->in) % 5, 0);
    if ((choice & 4) != 0)
        print(c, ",\"p\":[[%lld,%lld],[3,1]]", 0, any_number(c->in), 0);
    if (c->len > begin)
        c->text[begin] = '{';
    else
        print(c, "{", 0, 0, 0);
    print(c, "}", 0, 0, 0);
}

/* As many parts as a frame has, most often. Returns what follows them. */
static const char *print_parts(contents *c, const char *shape, char name, int depth)
{
    bool is_first = true;

    print(c, ",\"%c\":[", name, 0, 0);
    for (; *shape != '/' && *shape != '\0'; shape++) {
        if (is_rare(c->in))
            continue;
        print(c, is_first ? "" : ",", 0, 0, 0);
        is_first = false;
        print_part(c, *shape, depth);
    }
    print(c, "]", 0, 0, 0);
    return shape;
}

static void print_chat(contents *c, int depth)
{
    size_t frame = depth < MOST_DEPTH ? any_frame(c->in) : 1;
    const char *shape = bodies[frame].shape;

    print(c, "{\"f\":%lld", is_rare(c->in) ? any_number(c->in) : (int64_t)frame + 1, 0, 0);
    if (fuzz_below(c->in, 4) != 3) {
        print(c, ",\"h\":", 0, 0, 0);
        print_range(c);
    }
    if (fuzz_below(c->in, 8) == 7)
        print(c, ",\"t\":%lld,\"c\":true", any_number(c->in), 0, 0);
    shape = print_parts(c, shape, 'k', depth);
    (void)print_parts(c, *shape == '/' ? shape + 1 : shape, 'v', depth);
    print(c, "}", 0, 0, 0);
}

static agentchat_str any_contents(contents *c)
{
    agentchat_str raw;

    c->len = 0;
    if (!is_rare(c->in)) {
        print_chat(c, 0);
        return (agentchat_str){c->text, c->len};
    }
    raw = fuzz_text(c->in);
    return raw;
}

/* ---- rows of each kind ------------------------------------------------------------------------------------------ */

static const agentchat_str absent = {NULL, 0};

static agentchat_status give_thread(row *r, const aci_sql_request *request, bool is_asked_for, agentchat_error *err)
{
    const int64_t hour_us = INT64_C(3600000000);
    int64_t updated;
    aci_table_sum sum;

    add_text(r, is_asked_for ? request->params[0].text : any_name(r->in));
    add_integer(r, is_rare(r->in) ? any_number(r->in) : NUM);
    for (int i = 0; i < 8; i++)
        add_integer(r, any_number(r->in));
    updated = any_number(r->in);
    add_integer(r, updated);
    add_integer(r, is_rare(r->in) ? any_number(r->in) : updated / hour_us - (updated % hour_us < 0));
    aci_table_sum_begin(&sum);
    add_integer(r, sum_of(r, &sum, "abcdefghijkl"));
    if (is_asked_for)
        add_integer(r, (int64_t)fuzz_below(r->in, 2));
    return give(r, request, err);
}

static agentchat_status give_checkpoint(row *r, const aci_sql_request *request, agentchat_error *err)
{
    static const char *const metadata[] = {"{}", "{\"a\":1}", "{\"a\":1.0,\"b\":[2]}", "[]", "{"};
    contents text = {.in = r->in};
    bool has_step = fuzz_below(r->in, 2) != 0;
    aci_table_sum sum;

    add_integer(r, is_rare(r->in) ? any_number(r->in) : NUM);
    add_text(r, is_rare(r->in) ? any_name(r->in) : AGENTCHAT_STR(""));
    add_integer(r, any_number(r->in));
    add_text(r, is_rare(r->in) ? any_name(r->in) : AGENTCHAT_STR("c1"));
    add_text(r, maybe_name(r->in));
    add_integer(r, any_number(r->in));
    add_integer(r, is_rare(r->in) ? any_number(r->in) : (int64_t)fuzz_below(r->in, 2));
    add_integer(r, is_rare(r->in) ? any_number(r->in) : 1);
    add_integer(r, is_rare(r->in) ? any_number(r->in) : r->columns[2].integer);
    if (has_step)
        add_integer(r, any_number(r->in));
    else
        add_text(r, absent);
    add_text(r, maybe_name(r->in));
    add_text(r, maybe_name(r->in));
    add_integer(r, any_number(r->in));
    add_integer(r, any_number(r->in));
    add_text(r, agentchat_str_from(metadata[fuzz_below(r->in, sizeof metadata / sizeof *metadata)]));
    add(r, ACI_SQL_TEXT, 0, any_contents(&text));
    aci_table_sum_begin(&sum);
    for (const char *order = "bcdefghi"; *order != '\0'; order++)
        sum_column(&sum, &r->columns[*order - 'a']);
    aci_table_sum_integer(&sum, has_step);
    aci_table_sum_integer(&sum, has_step ? r->columns[9].integer : 0);
    add_integer(r, sum_of(r, &sum, "klmnop"));
    return give(r, request, err);
}

static size_t put_varint(unsigned char *at, uint64_t value)
{
    size_t len = 0;

    for (; value >= 0x80; value >>= 7)
        at[len++] = (unsigned char)(value | 0x80);
    at[len++] = (unsigned char)value;
    return len;
}

static agentchat_status give_segment(row *r, const aci_sql_request *request, int64_t seg, agentchat_error *err)
{
    unsigned char spans[4 * 10 * 70];
    uint32_t count = is_rare(r->in) ? 0 : 1 + fuzz_below(r->in, 3);
    uint64_t next = 0;
    size_t len = 0;
    aci_table_sum sum;

    if (is_rare(r->in))
        count = 63 + fuzz_below(r->in, 4);
    add_integer(r, asked(r->in, request, 0));
    add_integer(r, is_rare(r->in) ? any_number(r->in) : seg);
    for (uint32_t i = 0; i < count && len + 40 <= MOST_TEXT; i++) {
        int64_t some = is_rare(r->in) ? any_number(r->in) : 1 + (int64_t)fuzz_below(r->in, 2);

        next += fuzz_below(r->in, 2);
        len += put_varint(spans + len, next);
        len += put_varint(spans + len, (uint64_t)some);
        len += put_varint(spans + len, 1 + fuzz_below(r->in, 4));
        len += put_varint(spans + len, (uint64_t)(is_rare(r->in) ? any_number(r->in) : (int64_t)fuzz_below(r->in, 4)));
        next += (uint64_t)some;
    }
    if (len > 0 && is_rare(r->in))
        len--;
    add_bytes(r, spans, len);
    aci_table_sum_begin(&sum);
    add_integer(r, sum_of(r, &sum, "bc"));
    return give(r, request, err);
}

static agentchat_status give_items(row *r, const aci_sql_request *request, int64_t seg, agentchat_error *err)
{
    static const int kinds[] = {1, 1, 4, 7, 9, 5, 2, 12, 13, 14};
    unsigned char numbers[20 * 10];
    int64_t count = 8, before = 0;
    size_t len = 0;
    aci_table_sum sum;

    add_integer(r, asked(r->in, request, 0));
    add_integer(r, is_rare(r->in) ? any_number(r->in) : seg);
    add_integer(r, is_rare(r->in) ? any_number(r->in) : 0);
    for (int64_t i = 0; i < count; i++) {
        int64_t no = kinds[fuzz_below(r->in, sizeof kinds / sizeof *kinds)];

        if (is_rare(r->in))
            no = any_number(r->in);
        len += put_varint(numbers + len, ((uint64_t)no - (uint64_t)before) << 1 ^ (no < before ? UINT64_MAX : 0));
        before = no;
    }
    add_integer(r, is_rare(r->in) ? any_number(r->in) : count);
    add_bytes(r, numbers, len);
    aci_table_sum_begin(&sum);
    add_integer(r, sum_of(r, &sum, "bcde"));
    return give(r, request, err);
}

/* The checksum of a body, most often. */
static void add_body_sum(row *r, int64_t no, agentchat_str digest)
{
    const aci_body_row body = {.num = NUM, .no = no, .digest = digest};
    int64_t sum = 0;

    FUZZ_CHECK(aci_table_sum_row(&aci_body_table, &body, &sum, NULL) >= 0);
    add_integer(r, is_rare(r->in) ? sum ^ 1 : sum);
}

static agentchat_status give_body_number(row *r, const aci_sql_request *request, agentchat_error *err)
{
    int64_t no = any_number(r->in);

    add_integer(r, no);
    add_bytes(r, request->params[1].text.ptr, request->params[1].text.len);
    add_body_sum(r, no, request->params[1].text);
    return give(r, request, err);
}

typedef enum body_columns { WITHOUT_BYTES, WITH_BYTES, WITH_LENGTH } body_columns;

static agentchat_status give_body(row *r, const aci_sql_request *request, int64_t no, body_columns columns,
                                  agentchat_error *err)
{
    agentchat_str text = is_rare(r->in) ? body_of(any_number(r->in)) : body_of(no);
    unsigned char digest[32];
    size_t len;

    FUZZ_CHECK(aci_sha256_of(text.ptr, text.len, digest));
    if (is_rare(r->in))
        digest[0] ^= 1;
    len = is_rare(r->in) ? 31 : sizeof digest;
    add_integer(r, no);
    add_bytes(r, digest, len);
    add_body_sum(r, no, (agentchat_str){(const char *)digest, len});
    if (columns == WITH_BYTES)
        add_bytes(r, text.ptr, text.len);
    else if (columns == WITH_LENGTH)
        add_integer(r, is_rare(r->in) ? any_number(r->in) : (int64_t)text.len);
    return give(r, request, err);
}

static agentchat_status give_pending(row *r, const aci_sql_request *request, agentchat_error *err)
{
    agentchat_str media = fuzz_below(r->in, 2) == 0 ? absent : AGENTCHAT_STR("text/plain");
    aci_table_sum sum;

    add_integer(r, is_rare(r->in) ? any_number(r->in) : NUM);
    add_text(r, AGENTCHAT_STR(""));
    add_text(r, is_rare(r->in) ? any_name(r->in) : AGENTCHAT_STR("c1"));
    add_text(r, any_name(r->in));
    add_text(r, any_name(r->in));
    add_integer(r, any_number(r->in));
    add_text(r, any_name(r->in));
    add_text(r, media);
    add_bytes(r, "[1]", 1 + fuzz_below(r->in, 3));
    add_text(r, maybe_name(r->in));
    aci_table_sum_begin(&sum);
    add_integer(r, sum_of(r, &sum, "bcdefghij"));
    return give(r, request, err);
}

/* ---- answers ---------------------------------------------------------------------------------------------------- */

static agentchat_status give_row(fuzz_input *in, const aci_sql_request *request, int64_t no, agentchat_error *err)
{
    row r = {.in = in};

    switch ((aci_thread_statement)request->statement->number) {
    case ACI_THREAD_ROW:
    case ACI_THREAD_LOCK:
        return give_thread(&r, request, true, err);
    case ACI_THREADS:
    case ACI_THREADS_AFTER:
    case ACI_THREAD_NEXT:
        return give_thread(&r, request, false, err);
    case ACI_LOST_CHECKPOINTS:
    case ACI_LOST_SEGMENTS:
    case ACI_LOST_ITEMS:
    case ACI_LOST_BODIES:
    case ACI_LOST_PENDING:
        add_text(&r, any_name(in));
        add_integer(&r, any_number(in));
        add_integer(&r, any_number(in));
        return give(&r, request, err);
    case ACI_CHECKPOINT_BY_ID:
    case ACI_CHECKPOINT_NEWEST:
    case ACI_CHECKPOINT_LINE_NEWEST:
    case ACI_CHECKPOINT_LINE_NEWEST_OF:
    case ACI_CHECKPOINT_LINE_NEXT:
    case ACI_CHECKPOINT_FIRST:
    case ACI_CHECKPOINT_HEADERS:
    case ACI_CHECKPOINT_HEADERS_ALL:
    case ACI_CHECKPOINT_BY_SEQ:
    case ACI_SCAN_CHECKPOINTS:
        return give_checkpoint(&r, request, err);
    case ACI_SEGMENT_ROW:
    case ACI_SCAN_SEGMENTS:
        return give_segment(&r, request, no, err);
    case ACI_ITEM_ROWS:
    case ACI_ITEM_LAST:
    case ACI_SCAN_ITEMS:
        return give_items(&r, request, no, err);
    case ACI_BODY_FIND:
        return give_body_number(&r, request, err);
    case ACI_BODY_DIGESTS:
        return give_body(&r, request, no, WITHOUT_BYTES, err);
    case ACI_BODY_ROWS:
    case ACI_SCAN_REFERENCES:
        return give_body(&r, request, no, WITH_BYTES, err);
    case ACI_SCAN_BODIES:
        return give_body(&r, request, no, WITH_LENGTH, err);
    case ACI_BODY_LENGTHS:
        add_integer(&r, no);
        add_integer(&r, is_rare(in) ? any_number(in) : (int64_t)body_of(no).len);
        return give(&r, request, err);
    case ACI_BODY_BY_DIGEST:
        return give_body(&r, request, 6, WITH_BYTES, err);
    case ACI_PENDING_ROWS:
    case ACI_PENDING_NEWEST:
    case ACI_SCAN_PENDING:
        return give_pending(&r, request, err);
    case ACI_NAMESPACE_NEXT:
        add_text(&r, any_name(in));
        return give(&r, request, err);
    default: /* one that gives a number or a name */
        if (fuzz_below(in, 2) == 0)
            add_integer(&r, any_number(in));
        else
            add_text(&r, any_name(in));
        return give(&r, request, err);
    }
}

/* How many rows: of bodies, as many as were asked for; of lists now and then, too; of others one, most often. */
static uint32_t rows_of(fuzz_input *in, const aci_sql_request *request)
{
    uint8_t choice = fuzz_byte(in);
    size_t last = request->param_count - 1;

    switch ((aci_thread_statement)request->statement->number) {
    case ACI_BODY_DIGESTS:
    case ACI_BODY_LENGTHS:
    case ACI_BODY_ROWS:
        if (choice < 240 && request->params[2].integer - request->params[1].integer < 64)
            return (uint32_t)(request->params[2].integer - request->params[1].integer) + 1;
        break;
    case ACI_CHECKPOINT_HEADERS:
    case ACI_CHECKPOINT_HEADERS_ALL:
    case ACI_THREADS:
    case ACI_THREADS_AFTER:
        if (choice >= 128 && choice < 240)
            return (uint32_t)request->params[last].integer;
        break;
    case ACI_SCAN_CHECKPOINTS:
    case ACI_SCAN_SEGMENTS:
    case ACI_SCAN_ITEMS:
    case ACI_SCAN_BODIES:
    case ACI_SCAN_REFERENCES:
    case ACI_SCAN_PENDING: /* a page that is full is asked to be gone on with */
        if (choice >= 64 && choice < 240)
            return choice == 64 ? (uint32_t)request->params[last].integer : choice % BODIES + 1;
        break;
    case ACI_BODY_FIND:
    case ACI_CHECKPOINT_LINE_NEWEST:
    case ACI_CHECKPOINT_LINE_NEWEST_OF:
    case ACI_CHECKPOINT_LINE_NEXT:
    case ACI_CHECKPOINT_FIRST:
    case ACI_SEGMENT_ROW:
        return choice < 160 ? 0 : choice < 240;
    default:
        break;
    }
    return choice < 240 ? 1 : fuzz_below(in, MOST_ROWS);
}

agentchat_status hostile_threads_answer(fuzz_input *in, const aci_sql_request *request, agentchat_error *err)
{
    uint32_t rows = rows_of(in, request);
    bool is_scan = request->statement->number >= ACI_SCAN_CHECKPOINTS;
    bool is_one = request->statement->number == ACI_SEGMENT_ROW || request->statement->number == ACI_ITEM_ROWS ||
                  request->statement->number == ACI_ITEM_LAST;
    int64_t no = 1;
    agentchat_status status = AGENTCHAT_OK;

    if (request->param_count > 1 && request->params[1].type == ACI_SQL_INTEGER && request->params[1].integer >= 0)
        no = request->params[1].integer;
    for (uint32_t i = 0; i < rows && status >= 0; i++)
        status = give_row(in, request, (int64_t)((uint64_t)no + (is_one ? 0 : i) + is_scan), err);
    return status;
}
