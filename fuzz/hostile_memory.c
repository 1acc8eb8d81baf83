/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the long-term memory whose contents are the fuzzer's. */
#include "hostile_memory.h"

#include "memory/memory_internal.h"
#include <string.h>

enum { MOST_ROWS = 4, MOST_COLUMNS = 16 };

static bool is_rare(fuzz_input *in)
{
    return fuzz_byte(in) >= 240;
}

static int64_t any_number(fuzz_input *in)
{
    static const int64_t extremes[] = {
        0, -1, INT64_C(1) << 40, INT64_MAX / 2, INT64_MAX / 2 + 1, INT64_MAX, INT64_MAX - 1, INT64_MIN};
    uint8_t choice = fuzz_byte(in);

    return choice < 230 ? 1 + choice % 8 : extremes[choice % (sizeof extremes / sizeof *extremes)];
}

static agentchat_str any_of(fuzz_input *in, const char *const *texts, size_t count)
{
    return agentchat_str_from(texts[fuzz_below(in, (uint32_t)count)]);
}
#define ANY_OF(in, texts) any_of(in, texts, sizeof(texts) / sizeof *(texts))

static agentchat_str any_space(fuzz_input *in)
{
    static const struct {
        const char *bytes;
        size_t len;
    } spaces[] = {{"a", 2}, {"a\0b", 4}, {"b", 2}, {"", 0}, {"a", 1}, {"\0", 1}, {"\xFF", 2}, {"~/*", 4}};
    uint8_t choice = fuzz_byte(in);
    size_t at = choice < 240 ? choice % 3 : choice % (sizeof spaces / sizeof *spaces);

    return (agentchat_str){spaces[at].bytes, spaces[at].len};
}

static agentchat_str any_document(fuzz_input *in)
{
    static const char *const documents[] = {
        "{\"text\":\"tea cup\",\"n\":1.50}",
        "{\"text\":\"\\u0074ea\",\"l\":[1,{\"a\":\"cup\"},\"tea\"]}",
        "{}",
        "{\"n\":null}",
        "[1,2]",
        "{",
        "",
        "\xFF",
        "{\"text\":\"\\ud800\"}",
    };

    return ANY_OF(in, documents);
}

static agentchat_str any_fields(fuzz_input *in)
{
    static const char *const fields[] = {"[]", "[\"text\"]", "[\"$\",\"l[*]\"]", "[1]", "[\"a..b\"]", "{}", "["};

    return is_rare(in) || fuzz_below(in, 3) == 0 ? ANY_OF(in, fields) : (agentchat_str){NULL, 0};
}

static agentchat_str any_name(fuzz_input *in)
{
    static const char *const names[] = {"k", "l", "m", "tea", "cup", "", "\xFF"};

    return ANY_OF(in, names);
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

/* Gives a row as its table says, most often with its checksum; then what the caller adds. */
static agentchat_status give(fuzz_input *in, const aci_sql_request *request, const aci_table *table, const void *row,
                             int64_t more, agentchat_error *err)
{
    aci_sql_value columns[MOST_COLUMNS];
    size_t count = table->count;

    for (size_t i = 0; i < table->count; i++) {
        const aci_column *column = &table->columns[i];
        const char *at = (const char *)row + column->offset;

        columns[i] = (aci_sql_value){column->type, 0, {NULL, 0}};
        if (column->type == ACI_SQL_INTEGER)
            memcpy(&columns[i].integer, at, sizeof columns[i].integer);
        else
            memcpy(&columns[i].text, at, sizeof columns[i].text);
        if (column->may_be_null &&
            (column->type == ACI_SQL_INTEGER ? !*((const bool *)row + column->has) : columns[i].text.ptr == NULL))
            columns[i].type = ACI_SQL_NULL;
    }
    columns[count] = (aci_sql_value){ACI_SQL_INTEGER, 0, {NULL, 0}};
    FUZZ_CHECK(aci_table_sum_row(table, row, &columns[count].integer, NULL) == AGENTCHAT_OK);
    if (is_rare(in))
        columns[count].integer ^= 1;
    columns[++count] = (aci_sql_value){ACI_SQL_INTEGER, more, {NULL, 0}};
    count++;
    if (is_rare(in))
        columns[fuzz_below(in, (uint32_t)count)].type = (aci_sql_type)fuzz_below(in, 4);
    return request->row(request->user, columns, is_rare(in) ? fuzz_below(in, (uint32_t)count) : count, err);
}

static agentchat_status give_document(fuzz_input *in, const aci_sql_request *request, agentchat_error *err)
{
    aci_document row = {.ns = any_space(in), .key = any_name(in), .fields = any_fields(in), .value = any_document(in)};

    row.no = any_number(in);
    row.rev = any_number(in);
    row.created = any_number(in);
    row.updated = any_number(in);
    row.has_expires = fuzz_below(in, 4) == 0;
    row.expires = row.has_expires ? any_number(in) : 0;
    row.has_ttl = fuzz_below(in, 4) == 0;
    row.ttl = row.has_ttl ? any_number(in) : 0;
    row.words = any_number(in);
    row.has_embedded = fuzz_below(in, 2) == 0;
    row.embedded = row.has_embedded ? any_number(in) : 0;
    return give(in, request, &aci_document_table, &row, 0, err);
}

static agentchat_status give_vector(fuzz_input *in, const aci_sql_request *request, agentchat_error *err)
{
    static const float numbers[] = {1, 2, 0, 0};
    aci_vector row = {.ns = any_space(in), .numbers = {(const char *)numbers, 8}};

    row.field = fuzz_below(in, 2) == 0 ? any_name(in) : (agentchat_str){NULL, 0};
    row.no = any_number(in);
    row.gen = any_number(in);
    row.n = any_number(in);
    row.count = any_number(in);
    row.updated = any_number(in);
    row.kind = any_number(in);
    if (is_rare(in))
        row.numbers.len = fuzz_below(in, 9);
    return give(in, request, &aci_vector_table, &row, 0, err);
}

static agentchat_status give_setting(fuzz_input *in, const aci_sql_request *request, agentchat_error *err)
{
    static const char *const texts[] = {
        "{\"dimensions\": 2, \"metric\": 1, \"fields\": [\"$\"]}",
        "{\"dimensions\": 2, \"metric\": 3, \"fields\": [\"text\"], \"model\": \"m\"}",
        "{\"dimensions\": 2, \"metric\": 2, \"fields\": []}",
        "{\"dimensions\": 0, \"metric\": 1, \"fields\": [\"$\"]}",
        "{\"dimensions\": 2, \"metric\": 9, \"fields\": 1}",
        "{\"dimensions\": \"2\", \"metric\": 1, \"fields\": [\"$\"]}",
        "[]",
        "{",
    };
    aci_setting_row row = {.name = AGENTCHAT_STR("vectors"), .number = any_number(in)};

    row.text = is_rare(in) ? (agentchat_str){NULL, 0} : ANY_OF(in, texts);
    return give(in, request, &aci_setting_table, &row, 0, err);
}

static agentchat_status give_work(fuzz_input *in, const aci_sql_request *request, agentchat_error *err)
{
    aci_work_row row = {.thread = any_name(in), .kind = any_name(in)};

    row.body = fuzz_below(in, 2) == 0 ? any_name(in) : (agentchat_str){NULL, 0};
    row.mark = fuzz_below(in, 2) == 0 ? any_name(in) : (agentchat_str){NULL, 0};
    row.error = fuzz_below(in, 2) == 0 ? any_name(in) : (agentchat_str){NULL, 0};
    row.has_due = fuzz_below(in, 4) != 0;
    row.due = row.has_due ? any_number(in) : 0;
    row.has_lease = fuzz_below(in, 2) == 0;
    row.lease = row.has_lease ? any_number(in) : 0;
    row.attempts = any_number(in);
    row.queued = any_number(in);
    row.claims = any_number(in);
    row.taken = any_number(in);
    return give(in, request, &aci_work_table, &row, 0, err);
}

/* Columns that belong to no table: of a search, of numbers. */
static agentchat_status give_others(fuzz_input *in, const aci_sql_request *request, agentchat_error *err)
{
    static const float numbers[] = {1, 2};
    aci_sql_value columns[MOST_COLUMNS] = {{ACI_SQL_BYTES, 0, any_space(in)}};
    size_t count = 6;

    for (size_t i = 1; i < count; i++)
        columns[i] = (aci_sql_value){ACI_SQL_INTEGER, any_number(in), {NULL, 0}};
    switch ((aci_memory_statement)request->statement->number) {
    case ACI_MEMORY_NEAREST_COSINE:
    case ACI_MEMORY_NEAREST_PRODUCT:
    case ACI_MEMORY_NEAREST_L2:
    case ACI_MEMORY_NEAREST_WHOLE:
        columns[4] = (aci_sql_value){is_rare(in) ? ACI_SQL_NULL : ACI_SQL_TEXT, 0, any_name(in)};
        columns[5] = (aci_sql_value){ACI_SQL_BYTES, 0, {(const char *)numbers, is_rare(in) ? 4 : 8}};
        break;
    case ACI_MEMORY_WORDS:
    case ACI_MEMORY_OLD_VECTORS:
    case ACI_MEMORY_EXPIRED_SPACE:
        break;
    case ACI_MEMORY_VECTORS_STALE:
        columns[0] = (aci_sql_value){ACI_SQL_TEXT, 0, any_name(in)};
        break;
    default:
        columns[0] = (aci_sql_value){ACI_SQL_INTEGER, any_number(in), {NULL, 0}};
        break;
    }
    return request->row(request->user, columns, is_rare(in) ? fuzz_below(in, (uint32_t)count) : count, err);
}

static agentchat_status give_row(fuzz_input *in, const aci_sql_request *request, agentchat_error *err)
{
    aci_space_row space = {any_space(in), any_number(in), any_number(in), any_number(in)};
    aci_word_row word = {any_space(in), any_name(in), any_number(in), any_number(in), any_number(in)};

    switch ((aci_memory_statement)request->statement->number) {
    case ACI_MEMORY_ROW:
    case ACI_MEMORY_LOCK:
    case ACI_MEMORY_BY_NUMBER:
    case ACI_MEMORY_LATEST:
    case ACI_MEMORY_UNSEEN:
    case ACI_MEMORY_AFTER:
    case ACI_MEMORY_EXPIRED:
    case ACI_MEMORY_WAITING:
        return give_document(in, request, err);
    case ACI_MEMORY_SPACE_ROW:
    case ACI_MEMORY_SPACE_LOCK:
    case ACI_MEMORY_SPACE_NEXT:
    case ACI_MEMORY_SPACE_NEXT_LOCK:
    case ACI_MEMORY_SPACES:
    case ACI_MEMORY_SPACE_ROWS:
        return give(in, request, &aci_space_table, &space, any_number(in), err);
    case ACI_MEMORY_WORD_ROWS:
        return give(in, request, &aci_word_table, &word, 0, err);
    case ACI_MEMORY_VECTORS_OWN:
    case ACI_MEMORY_VECTOR_ROWS:
        return give_vector(in, request, err);
    case ACI_MEMORY_SETTING:
    case ACI_MEMORY_SETTING_SHARE:
    case ACI_MEMORY_SETTING_LOCK:
        return give_setting(in, request, err);
    case ACI_MEMORY_WORK_LOCK:
    case ACI_MEMORY_WORK_DUE:
    case ACI_MEMORY_WORK_AFTER:
    case ACI_MEMORY_WORK_OF_THREAD:
        return give_work(in, request, err);
    default:
        return give_others(in, request, err);
    }
}

agentchat_status hostile_memory_answer(fuzz_input *in, const aci_sql_request *request, agentchat_error *err)
{
    uint32_t rows = fuzz_below(in, MOST_ROWS);
    agentchat_status status = AGENTCHAT_OK;

    for (uint32_t i = 0; i < rows && status >= 0; i++)
        status = give_row(in, request, err);
    return status;
}
