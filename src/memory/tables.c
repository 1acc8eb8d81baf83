/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of memory. docs/stores.md describes them.
 *
 * The key of a document begins with its namespace, and nothing refers from one namespace to another, so that a
 * distributed database can spread the tables by it. Revisions are the one thing that all of a store shares.
 */
#include "memory/memory_internal.h"

#define INDEXES                                                                                                        \
    "CREATE INDEX memory_no ON memory(ns, no, updated);\n"                                                             \
    "CREATE INDEX memory_expiry ON memory(ns, expires) WHERE expires IS NOT NULL;\n"

static const char sqlite_1[] = ACI_CREATE_SQLITE("memory", ACI_DOCUMENT_COLUMNS, "ns, key") ";\n" ACI_CREATE_SQLITE(
    "memory_ns", ACI_SPACE_COLUMNS,
    "ns") ", WITHOUT ROWID;\n" ACI_CREATE_SQLITE("memory_term", ACI_WORD_COLUMNS,
                                                 "ns, term, no") ", WITHOUT "
                                                                 "ROWID;"
                                                                 "\n" ACI_CREATE_SQLITE("memory_settings",
                                                                                        ACI_SETTING_COLUMNS,
                                                                                        "name") ", WITHOUT "
                                                                                                "ROWID;\n" INDEXES;

static const char postgres_1[] = ACI_CREATE_POSTGRES("memory", ACI_DOCUMENT_COLUMNS, "ns, key")
    ACI_CREATE_POSTGRES("memory_ns", ACI_SPACE_COLUMNS, "ns")
        ACI_CREATE_POSTGRES("memory_term", ACI_WORD_COLUMNS, "ns, term, no")
            ACI_CREATE_POSTGRES("memory_settings", ACI_SETTING_COLUMNS, "name") INDEXES
    "CREATE SEQUENCE memory_revision AS BIGINT;\n";

static const aci_sql_migration sqlite[] = {{1, 1, sqlite_1}};
static const aci_sql_migration postgres[] = {{1, 1, postgres_1}};

const aci_service aci_memory_service = {
    {[ACI_SQL_SQLITE] = {"memory", sqlite, sizeof sqlite / sizeof *sqlite},
     [ACI_SQL_POSTGRES] = {"memory", postgres, sizeof postgres / sizeof *postgres}},
    ACI_SERVICE_VERSION(ACI_MEMORY_SERVICE, "memory"),
    aci_memory_check,
};
