/* SPDX-License-Identifier: Apache-2.0 */
/* Every SQL statement of memory, and its tables as rows are read and written; what gives one number. */
#include "memory/memory_internal.h"

static const aci_column document_columns[] = {ACI_DOCUMENT_COLUMNS(ACI_COLUMN)};
static const aci_column space_columns[] = {ACI_SPACE_COLUMNS(ACI_COLUMN)};
static const aci_column word_columns[] = {ACI_WORD_COLUMNS(ACI_COLUMN)};
static const aci_column vector_columns[] = {ACI_VECTOR_COLUMNS(ACI_COLUMN)};
static const aci_column setting_columns[] = {ACI_SETTING_COLUMNS(ACI_COLUMN)};
static const aci_column log_columns[] = {ACI_LOG_COLUMNS(ACI_COLUMN)};
static const aci_column work_columns[] = {ACI_WORK_COLUMNS(ACI_COLUMN)};

const aci_table aci_document_table = ACI_TABLE("a stored document", document_columns, 0, 2);
const aci_table aci_space_table = ACI_TABLE("a stored namespace", space_columns, 0, 1);
const aci_table aci_word_table = ACI_TABLE("a stored word", word_columns, 0, 3);
const aci_table aci_vector_table = ACI_TABLE("a stored vector", vector_columns, 0, 4);
const aci_table aci_setting_table = ACI_TABLE("a stored setting", setting_columns, 0, 1);
const aci_table aci_log_table = ACI_TABLE("a logged step", log_columns, 0, 3);
const aci_table aci_work_table = ACI_TABLE("stored work", work_columns, 0, 2);

#define OWN(which, text)                                                                                               \
    {                                                                                                                  \
        ACI_MEMORY_SERVICE, which, text                                                                                \
    }
#define BOTH(which, sqlite, postgres) [which] = {{OWN(which, sqlite), OWN(which, postgres)}}
#define SAME(which, text) BOTH(which, text, text)
/* PostgreSQL locks rows; SQLite's transactions that write are alone. */
#define LOCKS(which, text) BOTH(which, text, text " FOR UPDATE")
#define DOCUMENT "SELECT " ACI_DOCUMENT_COLUMNS(ACI_NAME) "sum FROM memory "
#define IN_MEMORY(row, member, name, kind) "memory." #name ", "
#define WORK "SELECT " ACI_WORK_COLUMNS(ACI_NAME) "sum FROM work "
#define LOG "SELECT " ACI_LOG_COLUMNS(ACI_NAME) "sum FROM memory_log "
#define WORK_DUE                                                                                                       \
    WORK "WHERE due <= $1 AND (lease IS NULL OR lease <= $1) AND ($2 = '' OR kind = $2) ORDER BY due LIMIT $3"
#define SPACE "SELECT " ACI_SPACE_COLUMNS(ACI_NAME) "sum FROM memory_ns "
#define BELOW "ns >= $1 AND ns < $2"
/* The time of each document comes from an index, which has it for this. */
#define WORDS(join)                                                                                                    \
    "SELECT memory_term.ns, memory_term.no, count, memory_term.words, updated FROM memory_ns " join                    \
    " memory_term ON memory_term.ns = memory_ns.ns AND term = $1 " join " memory ON memory.ns = memory_term.ns AND"    \
    " memory.no = memory_term.no WHERE memory_ns.ns >= $2 AND memory_ns.ns < $3"
/* The vectors of a document that a search can see. */
#define SEEN(gen, kind)                                                                                                \
    "SELECT 1 FROM memory_vec WHERE memory_vec.ns = memory.ns AND memory_vec.no = memory.no AND gen = " gen            \
    " AND kind < " kind
#define LIVES "(expires IS NULL OR expires > $1)"
#define COUNTS(length)                                                                                                 \
    "SELECT COUNT(*), COUNT(CASE WHEN expires <= $1 THEN 1 END), COUNT(CASE WHEN " LIVES                               \
    " AND (fields IS NULL OR fields <> '[]') AND (embedded IS NULL OR embedded > $2) THEN 1 END), COUNT(CASE "         \
    "WHEN " LIVES " AND NOT EXISTS (" SEEN("$2", "$3") ") THEN 1 END), CAST(COALESCE(SUM(" length                      \
                                                       "), 0) AS BIGINT) FROM memory WHERE ns >= $4 AND ns < $5"
#define LATEST(more, limit)                                                                                            \
    "SELECT " ACI_DOCUMENT_COLUMNS(                                                                                    \
        IN_MEMORY) "memory.sum FROM (SELECT ns, no FROM memory WHERE " BELOW                                           \
                   " AND (expires IS NULL OR expires > $3) AND (updated < $4 OR (updated = $4 AND"                     \
                   " (ns, key) > ($5, $6)))" more " ORDER BY updated DESC, ns, key LIMIT " limit                       \
                   ") AS latest JOIN memory ON memory.ns = latest.ns AND memory.no = latest.no"                        \
                   " ORDER BY memory.updated DESC, memory.ns, memory.key"
/* PostgreSQL measures, and gives the nearest first; SQLite gives the numbers. */
#define NEAREST(which, how)                                                                                            \
    BOTH(which, "SELECT ns, no, n, updated, field, numbers FROM memory_vec WHERE " NEAR,                               \
         "SELECT ns, no, n, updated, field, CAST(far AS TEXT) FROM (SELECT ns, no, n, updated, field, memory_" how     \
         "(vec, (SELECT CAST(CAST($5 AS TEXT) AS memory_vector))) AS far FROM memory_vec WHERE " NEAR                  \
         ") AS measured ORDER BY measured.far, updated DESC, no LIMIT $6")
#define NEAR "ns >= $1 AND ns < $2 AND gen = $3 AND kind < $4"
#define SETTING(which, postgres)                                                                                       \
    BOTH(which, "SELECT " ACI_SETTING_COLUMNS(ACI_NAME) "sum FROM memory_settings WHERE name = 'vectors'",             \
         "SELECT " ACI_SETTING_COLUMNS(ACI_NAME) "sum FROM memory_settings WHERE name = 'vectors'" postgres)
/* Columns of a vector, in either database. */
#define VECTOR(which, more)                                                                                            \
    BOTH(which, "SELECT " ACI_VECTOR_COLUMNS(ACI_NAME) "sum FROM memory_vec WHERE " more,                              \
         "SELECT " ACI_VECTOR_FACTS(ACI_NAME) "CAST(vec AS TEXT), sum FROM memory_vec WHERE " more)

const aci_statement aci_memory_statements[ACI_MEMORY_STATEMENT_COUNT_] = {
    /* the store's clock, where it is not the program's */
    BOTH(ACI_MEMORY_NOW, NULL, "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)"),
    /* a number that was never taken; where a row counts, the row is written then */
    BOTH(ACI_MEMORY_REVISION, "SELECT COALESCE(MAX(number), 0) + 1 FROM memory_settings WHERE name = 'revision'",
         "SELECT nextval('memory_revision')"),
    BOTH(ACI_MEMORY_REVISION_PUT,
         ACI_INSERT("memory_settings", ACI_SETTING_COLUMNS,
                    ACI_VALUES_4) " ON CONFLICT(name) DO UPDATE SET number = excluded.number, sum = excluded.sum",
         NULL),
    /* the number up to which all are taken */
    BOTH(ACI_MEMORY_REVISION_RAISE, NULL, "SELECT setval('memory_revision', $1)"),
    /* ns, key */
    SAME(ACI_MEMORY_ROW, DOCUMENT "WHERE ns = $1 AND key = $2"),
    LOCKS(ACI_MEMORY_LOCK, DOCUMENT "WHERE ns = $1 AND key = $2"),
    /* ns, no */
    SAME(ACI_MEMORY_BY_NUMBER, DOCUMENT "WHERE ns = $1 AND no = $2"),
    /* ns, its end, now, then the document after which they begin: updated, ns, key; limit */
    SAME(ACI_MEMORY_LATEST, LATEST("", "$7")),
    /* the same, but before the limit generation and kind: those without such vectors */
    SAME(ACI_MEMORY_UNSEEN, LATEST(" AND NOT EXISTS (" SEEN("$7", "$8") ")", "$9")),
    /* ns, its end, the ns and key after which they begin, limit */
    SAME(ACI_MEMORY_AFTER, DOCUMENT "WHERE " BELOW " AND (ns, key) > ($3, $4) ORDER BY ns, key LIMIT $5"),
    /* now: a namespace that has an expired one */
    SAME(ACI_MEMORY_EXPIRED_SPACE,
         "SELECT ns FROM memory WHERE expires IS NOT NULL AND expires <= $1 ORDER BY ns LIMIT 1"),
    /* ns, now, limit */
    SAME(ACI_MEMORY_EXPIRED, DOCUMENT "WHERE ns = $1 AND expires IS NOT NULL AND expires <= $2 LIMIT $3"),
    SAME(ACI_MEMORY_PUT,
         ACI_INSERT("memory", ACI_DOCUMENT_COLUMNS,
                    ACI_VALUES_13) " ON CONFLICT(ns, key) DO UPDATE SET no = excluded.no, rev = excluded.rev, created ="
                                   " excluded.created, updated = excluded.updated, expires = excluded.expires, ttl ="
                                   " excluded.ttl, fields = excluded.fields, words = excluded.words, embedded"
                                   " = excluded.embedded, value = excluded.value, sum = excluded.sum"),
    /* ns, key */
    SAME(ACI_MEMORY_DELETE, "DELETE FROM memory WHERE ns = $1 AND key = $2"),
    /* expires, sum, ns, key, rev */
    SAME(ACI_MEMORY_REFRESH, "UPDATE memory SET expires = $1, sum = $2 WHERE ns = $3 AND key = $4 AND rev = $5"),
    /* now, generation, kind, ns, its end */
    BOTH(ACI_MEMORY_COUNT, COUNTS("LENGTH(CAST(value AS BLOB))"), COUNTS("OCTET_LENGTH(value)")),
    SAME(ACI_MEMORY_SPACE_HOLD, ACI_INSERT("memory_ns", ACI_SPACE_COLUMNS, ACI_VALUES_5) " ON CONFLICT DO NOTHING"),
    /* ns */
    SAME(ACI_MEMORY_SPACE_ROW, SPACE "WHERE ns = $1"),
    LOCKS(ACI_MEMORY_SPACE_LOCK, SPACE "WHERE ns = $1"),
    /* ns, its end, the one after which it comes */
    SAME(ACI_MEMORY_SPACE_NEXT, SPACE "WHERE " BELOW " AND ns > $3 ORDER BY ns LIMIT 1"),
    LOCKS(ACI_MEMORY_SPACE_NEXT_LOCK, SPACE "WHERE " BELOW " AND ns > $3 ORDER BY ns LIMIT 1"),
    /* now, ns, its end, the one after which they begin, limit: each with how many of its documents have expired */
    SAME(ACI_MEMORY_SPACES,
         "SELECT " ACI_SPACE_COLUMNS(
             ACI_NAME) "sum, (SELECT COUNT(*) FROM memory WHERE memory.ns = memory_ns.ns AND memory.expires <= $1)"
                       " FROM memory_ns WHERE ns >= $2 AND ns < $3 AND ns > $4 ORDER BY ns LIMIT $5"),
    /* ns, its end */
    SAME(ACI_MEMORY_SPACES_SUM, "SELECT CAST(COALESCE(SUM(documents), 0) AS BIGINT), CAST(COALESCE(SUM(words), 0) AS"
                                " BIGINT), COALESCE(MAX(changed), 0) FROM memory_ns WHERE " BELOW),
    SAME(ACI_MEMORY_SPACE_PUT, "UPDATE memory_ns SET documents = $1, words = $2, changed = $3, sum = $4 WHERE ns = $5"),
    /* ns */
    SAME(ACI_MEMORY_SPACE_DELETE, "DELETE FROM memory_ns WHERE ns = $1"),
    /* the key after which they begin, limit */
    SAME(ACI_MEMORY_SPACE_ROWS, SPACE "WHERE ns > $1 ORDER BY ns LIMIT $2"),
    SAME(ACI_MEMORY_WORD_PUT,
         ACI_INSERT("memory_term", ACI_WORD_COLUMNS, ACI_VALUES_6) " ON CONFLICT(ns, term, no) DO UPDATE SET count ="
                                                                   " excluded.count, words = excluded.words, sum ="
                                                                   " excluded.sum"),
    /* ns, term, no */
    SAME(ACI_MEMORY_WORD_DELETE, "DELETE FROM memory_term WHERE ns = $1 AND term = $2 AND no = $3"),
    /* term, ns, its end; in SQLite the namespaces are gone through first, whatever it believes of the tables */
    BOTH(ACI_MEMORY_WORDS, WORDS("CROSS JOIN"), WORDS("JOIN")),
    /* ns, the term and number after which they begin, limit */
    SAME(ACI_MEMORY_WORD_ROWS,
         "SELECT " ACI_WORD_COLUMNS(ACI_NAME) "sum FROM memory_term WHERE ns = $1 AND"
                                              " (term, no) > ($2, $3) ORDER BY term, no LIMIT $4"),
    /* what is of no namespace */
    SAME(ACI_MEMORY_LOST_DOCUMENTS, "SELECT COUNT(*) FROM memory WHERE ns NOT IN (SELECT memory_ns.ns FROM memory_ns)"),
    SAME(ACI_MEMORY_LOST_WORDS,
         "SELECT COUNT(*) FROM memory_term WHERE ns NOT IN (SELECT memory_ns.ns FROM memory_ns)"),
    SAME(ACI_MEMORY_LOST_VECTORS,
         "SELECT COUNT(*) FROM memory_vec WHERE ns NOT IN (SELECT memory_ns.ns FROM memory_ns)"),
    /* what the vectors of the store are */
    SETTING(ACI_MEMORY_SETTING, ""),
    SETTING(ACI_MEMORY_SETTING_SHARE, " FOR SHARE"),
    SETTING(ACI_MEMORY_SETTING_LOCK, " FOR UPDATE"),
    SAME(ACI_MEMORY_SETTING_NEW,
         ACI_INSERT("memory_settings", ACI_SETTING_COLUMNS, ACI_VALUES_4) " ON CONFLICT(name) DO NOTHING"),
    SAME(ACI_MEMORY_SETTING_PUT,
         ACI_INSERT("memory_settings", ACI_SETTING_COLUMNS,
                    ACI_VALUES_4) " ON CONFLICT(name) DO UPDATE SET number = excluded.number, text = excluded.text,"
                                  " sum = excluded.sum"),
    /* whether there can be vectors: after making what they need, or as far as one can know */
    BOTH(ACI_MEMORY_VECTORS_MAKE, NULL, "SELECT CASE WHEN memory_vectors() THEN 1 ELSE 0 END"),
    BOTH(ACI_MEMORY_VECTORS_MAY, NULL,
         "SELECT CASE WHEN to_regtype('agentchat.memory_vector') IS NOT NULL OR EXISTS (SELECT 1 FROM"
         " pg_available_extensions WHERE name = 'vector') THEN 1 ELSE 0 END"),
    BOTH(ACI_MEMORY_VECTOR_PUT, ACI_INSERT("memory_vec", ACI_VECTOR_COLUMNS, ACI_VALUES_10),
         "INSERT INTO memory_vec(" ACI_VECTOR_FACTS(ACI_NAME) "vec, sum) VALUES(" ACI_VALUES_8
                                                              ", CAST(CAST($9 AS TEXT) AS memory_vector), $10)"),
    /* ns, no, generation, and 0 for one or 1 for any */
    SAME(ACI_MEMORY_VECTORS_DELETE, "DELETE FROM memory_vec WHERE ns = $1 AND no = $2 AND (gen = $3 OR $4 > 0)"),
    /* ns, no, generation */
    VECTOR(ACI_MEMORY_VECTORS_OWN, "ns = $1 AND no = $2 AND gen = $3 AND kind IN (1, 3) ORDER BY n"),
    /* ns, the no, gen and n after which they begin, limit */
    VECTOR(ACI_MEMORY_VECTOR_ROWS, "ns = $1 AND (no, gen, n) > ($2, $3, $4) ORDER BY no, gen, n LIMIT $5"),
    /* ns, generation, limit: documents that are embedded for it and do not have all their vectors, and nothing else */
    SAME(ACI_MEMORY_VECTORS_STALE,
         "SELECT key FROM memory WHERE ns = $1 AND (CASE WHEN embedded <= $2 THEN 1 ELSE 0 END) <> (SELECT CASE WHEN"
         " COUNT(*) = 0 THEN 0 WHEN COUNT(*) = MAX(count) + MAX(CASE WHEN kind >= 4 THEN 1 ELSE 0 END) AND MIN(count) ="
         " MAX(count) AND MIN(memory_vec.updated) = memory.updated AND MAX(memory_vec.updated) = memory.updated THEN 1"
         " ELSE 2 END FROM memory_vec WHERE memory_vec.ns = memory.ns AND memory_vec.no = memory.no AND gen = $2)"
         " ORDER BY key LIMIT $3"),
    /* ns: those of documents that are not there */
    SAME(ACI_MEMORY_VECTORS_ORPHANED,
         "SELECT COUNT(*) FROM memory_vec WHERE ns = $1 AND NOT EXISTS (SELECT 1 FROM memory WHERE memory.ns ="
         " memory_vec.ns AND memory.no = memory_vec.no)"),
    /* ns, its end, generation, kind; PostgreSQL: also the vector and a limit */
    NEAREST(ACI_MEMORY_NEAREST_COSINE, "cosine"),
    NEAREST(ACI_MEMORY_NEAREST_PRODUCT, "product"),
    NEAREST(ACI_MEMORY_NEAREST_L2, "l2"),
    /* generation, kind; SQLite: all of the store, in the order of the table */
    BOTH(ACI_MEMORY_NEAREST_WHOLE,
         "SELECT ns, no, n, updated, field, numbers FROM memory_vec NOT INDEXED WHERE gen = $1 AND kind < $2", NULL),
    /* embedded, sum, ns, key, rev */
    SAME(ACI_MEMORY_EMBEDDED, "UPDATE memory SET embedded = $1, sum = $2 WHERE ns = $3 AND key = $4 AND rev = $5"),
    /* the ns and key after which they begin, generation, the one that is searched, limit: documents that have no
       vectors of the generation, and are to have some */
    SAME(ACI_MEMORY_WAITING, DOCUMENT "WHERE (ns, key) > ($1, $2) AND NOT EXISTS (" SEEN(
                                 "$3", "8") " AND memory_vec.updated ="
                                            " memory.updated) AND (fields IS NULL OR fields <> '[]' OR EXISTS (" SEEN(
                                                "$4", "4") " AND kind IN (1, 3)))"
                                                           " ORDER BY ns, key LIMIT $5"),
    /* the generation that is searched, limit: those of other ones */
    SAME(ACI_MEMORY_OLD_VECTORS, "SELECT ns, no, gen, n FROM memory_vec WHERE gen <> $1 LIMIT $2"),
    /* ns, no, gen, n */
    SAME(ACI_MEMORY_OLD_DELETE, "DELETE FROM memory_vec WHERE ns = $1 AND no = $2 AND gen = $3 AND n = $4"),
    /* a namespace as it is written */
    SAME(ACI_MEMORY_LOG_KEEP,
         "SELECT " ACI_SETTING_COLUMNS(ACI_NAME) "sum FROM memory_settings WHERE name = 'log ' || CAST($1 AS TEXT)"),
    SAME(ACI_MEMORY_LOG_OFF, "DELETE FROM memory_settings WHERE name = 'log ' || CAST($1 AS TEXT)"),
    SAME(ACI_MEMORY_LOG_PUT, ACI_INSERT("memory_log", ACI_LOG_COLUMNS, ACI_VALUES_12)),
    /* ns, key, how many are kept */
    SAME(ACI_MEMORY_LOG_PRUNE, "DELETE FROM memory_log WHERE ns = $1 AND key = $2 AND step NOT IN (SELECT step FROM"
                               " memory_log WHERE ns = $1 AND key = $2 ORDER BY step DESC LIMIT $3)"),
    /* ns, key */
    SAME(ACI_MEMORY_LOG_CLEAR, "DELETE FROM memory_log WHERE ns = $1 AND key = $2"),
    /* ns, its end */
    SAME(ACI_MEMORY_LOG_CLEAR_BELOW, "DELETE FROM memory_log WHERE " BELOW),
    /* now */
    SAME(ACI_MEMORY_LOG_EXPIRED, "DELETE FROM memory_log WHERE expires IS NOT NULL AND expires <= $1"),
    /* now, ns, key, limit */
    SAME(ACI_MEMORY_LOG_OF_KEY, LOG "WHERE " LIVES " AND ns = $2 AND key = $3 ORDER BY step DESC LIMIT $4"),
    /* now, ns, its end, limit */
    SAME(ACI_MEMORY_LOG_NEWEST, LOG "WHERE " LIVES " AND ns >= $2 AND ns < $3 ORDER BY step DESC, ns, key LIMIT $4"),
    /* the ns, key and step after which they begin, limit */
    SAME(ACI_MEMORY_LOG_AFTER, LOG "WHERE (ns, key, step) > ($1, $2, $3) ORDER BY ns, key, step LIMIT $4"),
    SAME(ACI_MEMORY_WORK_HOLD, ACI_INSERT("work", ACI_WORK_COLUMNS, ACI_VALUES_12) " ON CONFLICT DO NOTHING"),
    /* thread, kind */
    LOCKS(ACI_MEMORY_WORK_LOCK, WORK "WHERE thread = $1 AND kind = $2"),
    SAME(ACI_MEMORY_WORK_PUT,
         ACI_INSERT("work", ACI_WORK_COLUMNS,
                    ACI_VALUES_12) " ON CONFLICT(thread, kind) DO UPDATE SET due = excluded.due, lease ="
                                   " excluded.lease, attempts = excluded.attempts, queued = excluded.queued, claims ="
                                   " excluded.claims, taken = excluded.taken, body = excluded.body, mark ="
                                   " excluded.mark, error = excluded.error, sum = excluded.sum"),
    /* thread, kind */
    SAME(ACI_MEMORY_WORK_DELETE, "DELETE FROM work WHERE thread = $1 AND kind = $2"),
    /* now, kind or '', limit: what may be claimed; others claim the next ones meanwhile */
    BOTH(ACI_MEMORY_WORK_DUE, WORK_DUE, WORK_DUE " FOR UPDATE SKIP LOCKED"),
    /* the thread and kind after which it begins, limit */
    SAME(ACI_MEMORY_WORK_AFTER, WORK "WHERE (thread, kind) > ($1, $2) ORDER BY thread, kind LIMIT $3"),
    /* thread */
    LOCKS(ACI_MEMORY_WORK_OF_THREAD, WORK "WHERE thread = $1"),
};

agentchat_status aci_memory_load_number(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    return aci_transact_column_integer(columns, count, 0, user, err);
}
