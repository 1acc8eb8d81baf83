/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of memory. docs/stores.md describes them.
 *
 * The key of a document begins with its namespace, and nothing refers from one namespace to another, so that a
 * distributed database can spread the tables by it. Revisions are the one thing that all of a store shares.
 */
#include "memory/memory_internal.h"

/* memory_no has what the order of the latest follows from, so that only those that are shown are read from the table.
 */
#define INDEXES                                                                                                        \
    "CREATE INDEX memory_no ON memory(ns, no, updated, expires, key);\n"                                               \
    "CREATE INDEX memory_log_expiry ON memory_log(expires) WHERE expires IS NOT NULL;\n"                               \
    "CREATE INDEX memory_expiry ON memory(ns, expires) WHERE expires IS NOT NULL;\n"                                   \
    "CREATE INDEX work_due ON work(due) WHERE due IS NOT NULL;\n"

/* clang-format off */
static const char sqlite_1[] =
    ACI_CREATE_SQLITE("memory", ACI_DOCUMENT_COLUMNS, "ns, key") ";\n"
    ACI_CREATE_SQLITE("memory_ns", ACI_SPACE_COLUMNS, "ns") ", WITHOUT ROWID;\n"
    ACI_CREATE_SQLITE("memory_term", ACI_WORD_COLUMNS, "ns, term, no") ", WITHOUT ROWID;\n"
    ACI_CREATE_SQLITE("memory_vec", ACI_VECTOR_COLUMNS, "ns, no, gen, n") ";\n"
    ACI_CREATE_SQLITE("memory_settings", ACI_SETTING_COLUMNS, "name") ", WITHOUT ROWID;\n"
    ACI_CREATE_SQLITE("memory_log", ACI_LOG_COLUMNS, "ns, key, step") ";\n"
    ACI_CREATE_SQLITE("work", ACI_WORK_COLUMNS, "thread, kind") ", WITHOUT ROWID;\n"
    INDEXES;

/* The type of vectors is that of an extension, which need not be there: what needs it is made with the first vector. The
   functions are the extension's operators, whatever schema it is in, and leave room for its indexes. */
#define MEASURE(name, operator)                                                                                        \
    "EXECUTE format('CREATE FUNCTION agentchat.memory_" name "(a %1$s.vector, b %1$s.vector) RETURNS FLOAT8 LANGUAGE"  \
    " SQL IMMUTABLE PARALLEL SAFE AS ''SELECT a OPERATOR(%1$s." operator ") b''', home);\n"
static const char postgres_1[] =
    ACI_CREATE_POSTGRES("memory", ACI_DOCUMENT_COLUMNS, "ns, key")
    ACI_CREATE_POSTGRES("memory_ns", ACI_SPACE_COLUMNS, "ns")
    ACI_CREATE_POSTGRES("memory_term", ACI_WORD_COLUMNS, "ns, term, no")
    ACI_CREATE_POSTGRES("memory_vec", ACI_VECTOR_FACTS, "ns, no, gen, n")
    ACI_CREATE_POSTGRES("memory_settings", ACI_SETTING_COLUMNS, "name")
    ACI_CREATE_POSTGRES("memory_log", ACI_LOG_COLUMNS, "ns, key, step")
    ACI_CREATE_POSTGRES("work", ACI_WORK_COLUMNS, "thread, kind")
    INDEXES
    "CREATE INDEX memory_term_found ON memory_term(term, ns, no) INCLUDE (count, words);\n" /* in many namespaces */
    "CREATE SEQUENCE memory_revision AS BIGINT;\n"
    "CREATE FUNCTION memory_vectors() RETURNS BOOLEAN LANGUAGE plpgsql AS $$\n"
    "DECLARE home TEXT;\n"
    "BEGIN\n"
    "IF to_regtype('agentchat.memory_vector') IS NOT NULL THEN RETURN TRUE; END IF;\n"
    "PERFORM pg_advisory_xact_lock(hashtext('agentchat.memory_vectors'));\n" /* another may make it now */
    "IF to_regtype('agentchat.memory_vector') IS NOT NULL THEN RETURN TRUE; END IF;\n"
    "CREATE EXTENSION IF NOT EXISTS vector SCHEMA public;\n"
    "SELECT quote_ident(nspname) INTO home FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace"
    " WHERE extname = 'vector';\n"
    "EXECUTE format('ALTER TABLE agentchat.memory_vec ADD COLUMN vec %s.vector', home);\n"
    MEASURE("cosine", "<=>") MEASURE("product", "<#>") MEASURE("l2", "<->")
    "EXECUTE format('CREATE DOMAIN agentchat.memory_vector AS %s.vector', home);\n"
    "RETURN TRUE;\n"
    "EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object"
    " OR invalid_schema_name THEN RETURN FALSE;\n"
    "END $$;\n";
/* clang-format on */

static const aci_sql_migration sqlite[] = {{1, 1, sqlite_1}};
static const aci_sql_migration postgres[] = {{1, 1, postgres_1}};

const aci_service aci_memory_service = {
    {[ACI_SQL_SQLITE] = {"memory", sqlite, sizeof sqlite / sizeof *sqlite},
     [ACI_SQL_POSTGRES] = {"memory", postgres, sizeof postgres / sizeof *postgres}},
    ACI_SERVICE_VERSION(ACI_MEMORY_SERVICE, "memory"),
    aci_memory_check,
};
