/* SPDX-License-Identifier: Apache-2.0 */
/* A driver whose answers are the fuzzer's. */
#include "hostile_database.h"

#include "hostile_memory.h"
#include "hostile_threads.h"
#include "memory/memory.h"
#include "thread/thread.h"
#include <string.h>

enum { MOST_ROWS = 5, MOST_COLUMNS = 11, ORIGIN = 7 };

/* ---- answers -------------------------------------------------------------------------------------------------- */

/* What the statements that begin so give: i for integers, t for texts, in capitals for those of the owner, which the
   checksum, s, leaves out; o: the origin of a session, which with O in front the checksum covers. */
static const struct {
    const char *begins, *columns;
} shapes[] = {
    {"SELECT version", "iii"},
    {"SELECT app, usr, id", "tttioiiiis"},
    {"SELECT app, usr, sid", "TTTttisi"},
    {"SELECT app, usr, rev", "ttis"},
    {"SELECT app, num", "tii"},
    {"SELECT key", "ttis"},
    {"SELECT seq, id", "Oititts"},
    {"SELECT seq FROM", "i"},
    {"SELECT id, num", "ti"},
};

static const char *const texts[] = {
    "",
    "a",
    "u",
    "s1",
    "topic",
    "temp:x",
    "null",
    "1",
    "9223372036854775807",
    "{\"a\":[1.50]}",
    "[1,",
    "{}",
    "{\"author\":\"user\",\"id\":\"e1\",\"time\":\"2026-11-21T10:02:00Z\"}",
    "{\"id\":\"e2\",\"invocation\":\"i\",\"author\":\"desk\",\"time\":\"2026-11-21T10:02:01Z\",\"content\":{\"role\":"
    "\"user\","
    "\"items\":[{\"type\":\"text\",\"text\":\"hi\"}]},\"actions\":{\"statedelta\":{\"topic\":1,\"app:x\":2},"
    "\"statedelete\":[\"gone\"],\"stateadd\":{\"count\":3}}}",
    "{\"app\":1,\"user\":2,\"sums\":{\"count\":3},\"undo\":[[\"topic\",1,\"old\"],[\"gone\",2]]}",
    "{\"undo\":[[\"topic\"]]}",
    "{\"undo\":[[1,2,3]]}",
    "{\"sums\":{\"count\":\"x\"}}",
    "\xED\xA0\x80",
    "\xFF",
};

static const int64_t numbers[] = {0, 1, 2, 3, 7, -1, -2, INT64_MAX, INT64_MIN, INT64_MAX - 1, 1795292121309192};

static aci_sql_value any_value(hostile_database *database, char wanted)
{
    aci_sql_value value = {ACI_SQL_NULL, 0, {NULL, 0}};
    uint8_t choice = fuzz_byte(database->in);

    if (choice >= 250)
        wanted = choice == 255 ? 'n' : choice == 254 ? 'b' : wanted == 'i' ? 't' : 'i';
    if (wanted == 'i') {
        value.type = ACI_SQL_INTEGER;
        value.integer = numbers[choice % (sizeof numbers / sizeof *numbers)];
    } else if (wanted != 'n') {
        value.type = wanted == 't' ? ACI_SQL_TEXT : ACI_SQL_BYTES;
        value.text =
            choice < sizeof texts / sizeof *texts ? agentchat_str_from(texts[choice]) : fuzz_text(database->in);
    }
    return value;
}

static const char *columns_of(const char *statement)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strncmp(statement, shapes[i].begins, strlen(shapes[i].begins)) == 0)
            return shapes[i].columns;
    return "i";
}

/* The checksum of the columns before it. */
static aci_sql_value sum_of(const aci_sql_value *columns, const char *shape, bool is_salted)
{
    aci_sql_value value = {ACI_SQL_INTEGER, 0, {NULL, 0}};
    aci_table_sum sum;

    aci_table_sum_begin(&sum);
    if (is_salted)
        aci_table_sum_integer(&sum, ORIGIN);
    for (size_t i = 0; shape[i] != 's'; i++) {
        if (shape[i] == 't')
            aci_table_sum_text(&sum, columns[i].text);
        else if (shape[i] == 'i' || shape[i] == 'o')
            aci_table_sum_integer(&sum, columns[i].integer);
    }
    FUZZ_CHECK(aci_table_sum_end(&sum, &value.integer, NULL) == AGENTCHAT_OK);
    return value;
}

static agentchat_status answer(hostile_database *database, const aci_sql_request *request, agentchat_error *err)
{
    const char *shape = columns_of(request->statement->text);
    bool is_salted = *shape == 'O';
    uint32_t rows = fuzz_below(database->in, MOST_ROWS);
    agentchat_status status = AGENTCHAT_OK;

    shape += is_salted;
    for (uint32_t i = 0; i < rows && status >= 0; i++) {
        aci_sql_value columns[MOST_COLUMNS];
        size_t count = strlen(shape);
        uint8_t choice;

        for (size_t k = 0; k < count; k++)
            columns[k] = shape[k] == 's'   ? sum_of(columns, shape, is_salted)
                         : shape[k] == 'o' ? (aci_sql_value){ACI_SQL_INTEGER, ORIGIN, {NULL, 0}}
                                           : any_value(database, shape[k] == 'T' ? 't' : shape[k]);
        choice = fuzz_byte(database->in);
        for (size_t k = 0; k < count && choice == 254; k++)
            columns[k] = shape[k] == 's' ? any_value(database, 'i') : columns[k];
        if (choice == 255 && count > 0)
            count--;
        status = request->row(request->user, columns, count, err);
    }
    return status;
}

/* ---- the driver ----------------------------------------------------------------------------------------------- */

static agentchat_status rows_connect(void *self, uint32_t wait_ms, void **connection, aci_sql_outcome *outcome,
                                     agentchat_error *err)
{
    hostile_database *database = self;

    (void)wait_ms;
    (void)err;
    *outcome = ACI_SQL_FINAL;
    *connection = database;
    database->open++;
    return AGENTCHAT_OK;
}

static agentchat_status rows_run(void *connection, unsigned flags, aci_sql_request *requests, size_t count,
                                 aci_sql_outcome *outcome, agentchat_error *err)
{
    hostile_database *database = connection;
    agentchat_status status = AGENTCHAT_OK;

    (void)flags;
    *outcome = ACI_SQL_FINAL;
    if (fuzz_byte(database->in) == 255)
        return agentchat_error_set(err, AGENTCHAT_E_IO, "the database has gone");
    for (size_t i = 0; i < count && status >= 0; i++) {
        bool is_version = strncmp(requests[i].statement->text, "SELECT version", 14) == 0;
        static const aci_sql_value version[] = {
            {ACI_SQL_INTEGER, 1, {NULL, 0}}, {ACI_SQL_INTEGER, 1, {NULL, 0}}, {ACI_SQL_INTEGER, 1, {NULL, 0}}};

        requests[i].changed = fuzz_below(database->in, 4) != 3;
        if (requests[i].row == NULL)
            continue;
        if (is_version && fuzz_byte(database->in) < 250)
            status = requests[i].row(requests[i].user, version, 3, err);
        else if (requests[i].statement->service == ACI_THREAD_SERVICE)
            status = hostile_threads_answer(database->in, &requests[i], err);
        else if (requests[i].statement->service == ACI_MEMORY_SERVICE)
            status = hostile_memory_answer(database->in, &requests[i], err);
        else
            status = answer(database, &requests[i], err);
    }
    return status;
}

static void rows_rollback(void *connection)
{
    (void)connection;
}

static bool rows_is_alive(void *connection)
{
    return connection != NULL;
}

static void rows_disconnect(void *connection)
{
    ((hostile_database *)connection)->open--;
}

static agentchat_status rows_version(void *connection, aci_sql_versions *out, aci_sql_outcome *outcome,
                                     agentchat_error *err)
{
    (void)connection;
    (void)err;
    *outcome = ACI_SQL_FINAL;
    *out = (aci_sql_versions){.store = {2, 2, 2}, .services = {{3, 3, 3}, {3, 3, 3}, {1, 1, 1}}};
    return AGENTCHAT_OK;
}

static agentchat_status rows_install(void *connection, const aci_sql_step *step, aci_sql_outcome *outcome,
                                     agentchat_error *err)
{
    (void)connection;
    (void)step;
    *outcome = ACI_SQL_FINAL;
    return agentchat_error_set(err, AGENTCHAT_E_INTERNAL, "nothing is to be installed");
}

static agentchat_status rows_confirm(void *connection, aci_sql_outcome *outcome, agentchat_error *err)
{
    (void)connection;
    (void)err;
    *outcome = ACI_SQL_FINAL;
    return AGENTCHAT_OK;
}

static agentchat_status rows_check(void *connection, agentchat_store_check_fn each, void *user, agentchat_error *err)
{
    (void)connection;
    return each(user, AGENTCHAT_STR("file"), (agentchat_str){NULL, 0}, err);
}

static const char *rows_source(void *connection)
{
    (void)connection;
    return "rows";
}

static void rows_attach(void *self, const aci_sql_host *host)
{
    (void)self;
    (void)host;
}

static void rows_serve(void *connection, const aci_sql_call *call)
{
    (void)connection;
    (void)call;
}

static void rows_allow(void *connection, uint32_t wait_ms)
{
    (void)connection;
    (void)wait_ms;
}

static void rows_free(void *self)
{
    (void)self;
}

static const aci_sql_driver hostile = {
    .name = "rows",
    .connect = rows_connect,
    .run = rows_run,
    .rollback = rows_rollback,
    .is_alive = rows_is_alive,
    .disconnect = rows_disconnect,
    .version = rows_version,
    .install = rows_install,
    .confirm = rows_confirm,
    .check = rows_check,
    .source = rows_source,
    .attach = rows_attach,
    .serve = rows_serve,
    .allow = rows_allow,
    .free = rows_free,
};

agentchat_status hostile_database_store(hostile_database *database, const agentchat_env *env, agentchat_store **out,
                                        agentchat_error *err)
{
    aci_sql_store_options options = {false, false, 1, 1, 0};

    return aci_driver_store(env, &hostile, database, &options, out, err);
}
