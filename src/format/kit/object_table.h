/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects as tables of names. Both spellings of a name, camelCase and snake_case, mean the same.
 *
 * A reader of a small format: the document is indexed once, its objects are sorted by their tables, and what no table
 * knows stays as extras with the reader's tag.
 *
 *     aci_raw_reader a = {.env = env, .arena = arena, .document = text, .index = &index, .tag = tag, .err = err};
 *     aci_table_value values[ACI_TABLE_ROWS];
 *
 *     aci_json_index_init(&index, env);
 *     status = aci_json_index_text(&index, text, 0, 0, err);
 *     ok = aci_object_table_members(&a, NULL, aci_json_index_raw(&index, 0), &table, values, &draft);
 *     if (ok && aci_table_has(&values[ROLE])) {
 *         const aci_location at = {NULL, values[ROLE].name, 0};
 *         ok = aci_raw_reader_string(&a, &at, values[ROLE].raw, &role);
 *     }
 *     aci_raw_reader_walk(&a, &walk, values[PARTS].raw);
 *     while (ok && aci_walk_next(&walk))
 *         ok = read_part(&a, &at_part, walk.value);
 *     aci_json_index_clear(&index);
 *
 * A writer puts its own members and then the extras with its tag; what it leaves out or changes it says with
 * aci_raw_reader_report(). Text that is not for the caller's sink goes to aci_buffer_sink_new().
 */
#ifndef ACI_FORMAT_KIT_OBJECT_TABLE_H
#define ACI_FORMAT_KIT_OBJECT_TABLE_H

#include "format/kit/raw_reader.h"
#include "model/model.h"

typedef struct aci_table_row {
    const char *camel; /* in snake_case it is the same with `_` and a small letter for each capital */
    const struct aci_object_table *of;
    const char *words; /* with a space before and after each */
    uint8_t kind;      /* what its value must be, in the terms of the format */
    uint8_t form;      /* aci_table_form: of an object of `of`, too */
    bool is_shared;    /* other formats have it, too, and mean the same: what they had is written */
    bool is_google;    /* Google's ADKs know it on this object; else ADK-Rust alone does */
    uint8_t field;     /* of the model, which it is; 0: none, or the format's code reads and writes it */
    const char *takes; /* first bytes of the values that the format's code takes; NULL: none, or any */
} aci_table_row;

typedef enum aci_table_form { ACI_TABLE_ONE, ACI_TABLE_LIST, ACI_TABLE_MAP } aci_table_form;

/* The members of an object. */
typedef struct aci_object_table {
    const aci_table_row *list;
    uint32_t count;    /* at most ACI_TABLE_ROWS */
    uint64_t required; /* bits of the members without which adk-python refuses the object */
    uint64_t together; /* bits of members that must all be there, or none */
    bool is_open;      /* adk-python ignores unknown members */
} aci_object_table;
enum { ACI_TABLE_ROWS = 40 };

/* A row for the format's code; one that is a field; one that other formats have; one whose values begin with these
   bytes; a table of rows. */
#define ACI_ROW(name)                                                                                                  \
    {                                                                                                                  \
        .camel = (name)                                                                                                \
    }
#define ACI_ROW_FIELD(name, id)                                                                                        \
    {                                                                                                                  \
        .camel = (name), .field = AGENTCHAT_FIELD_##id                                                                 \
    }
#define ACI_ROW_SHARED(name)                                                                                           \
    {                                                                                                                  \
        .camel = (name), .is_shared = true                                                                             \
    }
#define ACI_ROW_TAKEN(name, bytes)                                                                                     \
    {                                                                                                                  \
        .camel = (name), .takes = (bytes)                                                                              \
    }
#define ACI_ROWS(rows)                                                                                                 \
    {                                                                                                                  \
        .list = (rows), .count = (uint32_t)(sizeof(rows) / sizeof(rows)[0])                                            \
    }

/* Index of a name (decoded) in either spelling; count when the table has none. *camel (NULL: not wanted): whether it is
   the one in camelCase, which a name of one word always is. */
uint32_t aci_object_table_find(const aci_object_table *table, agentchat_str name, bool *camel);
static inline agentchat_str aci_table_camel(const aci_object_table *table, uint32_t index)
{
    return agentchat_str_from(table->list[index].camel);
}

/* A member that a table knows: its name as it was decoded and its value; the value is absent when it has none. */
typedef struct aci_table_value {
    agentchat_str name, raw;
} aci_table_value;

/* Whether a value is there and is not null. */
static inline bool aci_table_has(const aci_table_value *value)
{
    return value->raw.ptr != NULL && *value->raw.ptr != 'n';
}
/* All of these return false after a failure. */
/* Sorts the members of a raw object: those that the table knows into values, by index; others, as extras with the
   reader's tag, into others. A name that stands twice is E_SCHEMA, or the last one counts, if the reader is lenient; of
   two spellings of one name that in camelCase counts, unless it is null. */
bool aci_object_table_members(aci_raw_reader *a, const aci_location *path, agentchat_str raw,
                              const aci_object_table *table, aci_table_value values[ACI_TABLE_ROWS], aci_draft *others);
/* A raw object whose members, and those of the objects in it that are in tables, have their names in camelCase: a view,
   or a copy in the arena. A name that stands there in camelCase too stays as it is. */
bool aci_object_table_spell(aci_raw_reader *a, const aci_object_table *table, agentchat_str *raw);
/* The same of the value of a row. */
bool aci_object_table_spell_value(aci_raw_reader *a, const aci_table_row *row, agentchat_str *raw);
/* Puts the values from index `from` on, nulls left out, into others, all names in camelCase. */
bool aci_object_table_keep(aci_raw_reader *a, const aci_object_table *table, const aci_table_value *values,
                           uint32_t from, aci_draft *others);

#endif
