/* SPDX-License-Identifier: Apache-2.0 */
/* Documents: the rows of their tables, names, filters, words, and changing them within a transaction. */
#ifndef ACI_MEMORY_MEMORY_INTERNAL_H
#define ACI_MEMORY_MEMORY_INTERNAL_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/index.h"
#include "base/result_page.h"
#include "memory/memory.h"
#include "json/index.h"
#include <agentchat/memory.h>
#include <agentchat/message.h>

/* ==== tables and statements (tables.c) =========================================================================== */

/* A document. Its number stays as long as it is there; words have it. */
typedef struct aci_document {
    agentchat_str ns, key, fields,
        value; /* ns: space.c; fields: a JSON array of paths, [] for none, absent: all of it */
    int64_t no, rev, created, updated, expires, ttl, words;
    int64_t embedded; /* the generation of vectors for which it was; absent or one that is to come: it waits */
    bool has_expires, has_ttl, has_embedded;
} aci_document;
#define ACI_DOCUMENT_COLUMNS(C)                                                                                        \
    C(aci_document, ns, ns, BYTES)                                                                                     \
    C(aci_document, key, key, TEXT)                                                                                    \
    C(aci_document, no, no, INTEGER)                                                                                   \
    C(aci_document, rev, rev, INTEGER)                                                                                 \
    C(aci_document, created, created, INTEGER)                                                                         \
    C(aci_document, updated, updated, INTEGER)                                                                         \
    C(aci_document, expires, expires, MAYBE_INTEGER)                                                                   \
    C(aci_document, ttl, ttl, MAYBE_INTEGER)                                                                           \
    C(aci_document, fields, fields, MAYBE_TEXT)                                                                        \
    C(aci_document, words, words, INTEGER)                                                                             \
    C(aci_document, embedded, embedded, MAYBE_INTEGER)                                                                 \
    C(aci_document, value, value, TEXT)
extern const aci_table aci_document_table;

/* A namespace that has documents, expired ones among them. */
typedef struct aci_space_row {
    agentchat_str ns;
    int64_t documents, words, changed; /* changed: the highest number of the counter that a change in it took */
} aci_space_row;
#define ACI_SPACE_COLUMNS(C)                                                                                           \
    C(aci_space_row, ns, ns, BYTES)                                                                                    \
    C(aci_space_row, documents, documents, INTEGER)                                                                    \
    C(aci_space_row, words, words, INTEGER)                                                                            \
    C(aci_space_row, changed, changed, INTEGER)
extern const aci_table aci_space_table;

/* A word of a document, how often it has it, and how many words the document has in all. */
typedef struct aci_word_row {
    agentchat_str ns, term;
    int64_t no, count, words;
} aci_word_row;
#define ACI_WORD_COLUMNS(C)                                                                                            \
    C(aci_word_row, ns, ns, BYTES)                                                                                     \
    C(aci_word_row, term, term, TEXT)                                                                                  \
    C(aci_word_row, no, no, INTEGER)                                                                                   \
    C(aci_word_row, count, count, INTEGER)                                                                             \
    C(aci_word_row, words, words, INTEGER)
extern const aci_table aci_word_table;

/* A vector of a document, of a generation: those that a reindex makes are of a later one than those that are searched.
   `updated` is the document's; count: how many it has, of which this is number n. PostgreSQL has the numbers in a
   column "vec" of pgvector's type, from the first vector on, others the floats, the lowest byte first. */
typedef struct aci_vector {
    agentchat_str ns, field, numbers;
    int64_t no, gen, n, count, updated, kind;
} aci_vector;
#define ACI_VECTOR_FACTS(C)                                                                                            \
    C(aci_vector, ns, ns, BYTES)                                                                                       \
    C(aci_vector, no, no, INTEGER)                                                                                     \
    C(aci_vector, gen, gen, INTEGER)                                                                                   \
    C(aci_vector, n, n, INTEGER)                                                                                       \
    C(aci_vector, count, count, INTEGER)                                                                               \
    C(aci_vector, updated, updated, INTEGER)                                                                           \
    C(aci_vector, kind, kind, INTEGER)                                                                                 \
    C(aci_vector, field, field, MAYBE_TEXT)
#define ACI_VECTOR_COLUMNS(C)                                                                                          \
    ACI_VECTOR_FACTS(C)                                                                                                \
    C(aci_vector, numbers, numbers, BYTES)
extern const aci_table aci_vector_table;
/* Sums of these. NONE: the document is embedded and has no vector. */
enum { ACI_VECTOR_OWN = 1, ACI_VECTOR_ZERO = 2, ACI_VECTOR_NONE = 4 };

/* Something of the store: "revision" is the counter, on SQLite; "vectors" the generation that is searched, and what its
   vectors are. */
typedef struct aci_setting_row {
    agentchat_str name, text;
    int64_t number;
} aci_setting_row;
#define ACI_SETTING_COLUMNS(C)                                                                                         \
    C(aci_setting_row, name, name, TEXT)                                                                               \
    C(aci_setting_row, number, number, INTEGER)                                                                        \
    C(aci_setting_row, text, text, MAYBE_TEXT)
extern const aci_table aci_setting_table;

/* Work of a thread. due: absent, there is nothing to do; with an error and attempts, it has failed. */
typedef struct aci_work_row {
    agentchat_str thread, kind, body, mark, error;
    int64_t due, lease; /* lease: until when somebody has it */
    int64_t attempts;
    int64_t queued, claims; /* how often it was queued, and claimed; both only grow */
    int64_t taken;          /* `queued` at the last claim */
    bool has_due, has_lease;
} aci_work_row;
#define ACI_WORK_COLUMNS(C)                                                                                            \
    C(aci_work_row, thread, thread, TEXT)                                                                              \
    C(aci_work_row, kind, kind, TEXT)                                                                                  \
    C(aci_work_row, due, due, MAYBE_INTEGER)                                                                           \
    C(aci_work_row, lease, lease, MAYBE_INTEGER)                                                                       \
    C(aci_work_row, attempts, attempts, INTEGER)                                                                       \
    C(aci_work_row, queued, queued, INTEGER)                                                                           \
    C(aci_work_row, claims, claims, INTEGER)                                                                           \
    C(aci_work_row, taken, taken, INTEGER)                                                                             \
    C(aci_work_row, body, body, MAYBE_TEXT)                                                                            \
    C(aci_work_row, mark, mark, MAYBE_TEXT)                                                                            \
    C(aci_work_row, error, error, MAYBE_TEXT)
extern const aci_table aci_work_table;

/* A step in the life of a document: what was there before. `step` is the number of the counter that it took; rev: the
   revision that it made, 0: it deleted the document; was: the one before, 0: there was no document. */
typedef struct aci_log_row {
    agentchat_str ns, key, fields, value;
    int64_t step, rev, was, undo, at, expires, ttl;
    bool has_expires, has_ttl;
} aci_log_row;
#define ACI_LOG_COLUMNS(C)                                                                                             \
    C(aci_log_row, ns, ns, BYTES)                                                                                      \
    C(aci_log_row, key, key, TEXT)                                                                                     \
    C(aci_log_row, step, step, INTEGER)                                                                                \
    C(aci_log_row, rev, rev, INTEGER)                                                                                  \
    C(aci_log_row, was, was, INTEGER)                                                                                  \
    C(aci_log_row, undo, undo, INTEGER)                                                                                \
    C(aci_log_row, at, at, INTEGER)                                                                                    \
    C(aci_log_row, expires, expires, MAYBE_INTEGER)                                                                    \
    C(aci_log_row, ttl, ttl, MAYBE_INTEGER)                                                                            \
    C(aci_log_row, fields, fields, MAYBE_TEXT)                                                                         \
    C(aci_log_row, value, value, MAYBE_TEXT)
extern const aci_table aci_log_table;

typedef enum aci_memory_statement {
    ACI_MEMORY_NOW,
    ACI_MEMORY_REVISION,
    ACI_MEMORY_REVISION_PUT,
    ACI_MEMORY_REVISION_RAISE,
    ACI_MEMORY_ROW,
    ACI_MEMORY_LOCK,
    ACI_MEMORY_BY_NUMBER,
    ACI_MEMORY_LATEST,
    ACI_MEMORY_AFTER,
    ACI_MEMORY_EXPIRED_SPACE,
    ACI_MEMORY_EXPIRED,
    ACI_MEMORY_PUT,
    ACI_MEMORY_DELETE,
    ACI_MEMORY_REFRESH,
    ACI_MEMORY_COUNT,
    ACI_MEMORY_SPACE_HOLD,
    ACI_MEMORY_SPACE_ROW,
    ACI_MEMORY_SPACE_LOCK,
    ACI_MEMORY_SPACE_NEXT,
    ACI_MEMORY_SPACE_NEXT_LOCK,
    ACI_MEMORY_SPACES,
    ACI_MEMORY_SPACES_SUM,
    ACI_MEMORY_SPACE_PUT,
    ACI_MEMORY_SPACE_DELETE,
    ACI_MEMORY_SPACE_ROWS,
    ACI_MEMORY_WORD_PUT,
    ACI_MEMORY_WORD_DELETE,
    ACI_MEMORY_WORDS,
    ACI_MEMORY_WORD_ROWS,
    ACI_MEMORY_LOST_DOCUMENTS,
    ACI_MEMORY_LOST_WORDS,
    ACI_MEMORY_LOST_VECTORS,
    ACI_MEMORY_SETTING,
    ACI_MEMORY_SETTING_SHARE,
    ACI_MEMORY_SETTING_LOCK,
    ACI_MEMORY_SETTING_NEW,
    ACI_MEMORY_SETTING_PUT,
    ACI_MEMORY_VECTORS_MAKE,
    ACI_MEMORY_VECTORS_MAY,
    ACI_MEMORY_VECTOR_PUT,
    ACI_MEMORY_VECTORS_DELETE,
    ACI_MEMORY_VECTORS_OWN,
    ACI_MEMORY_VECTOR_ROWS,
    ACI_MEMORY_VECTORS_STALE,
    ACI_MEMORY_VECTORS_ORPHANED,
    ACI_MEMORY_NEAREST_COSINE,
    ACI_MEMORY_NEAREST_PRODUCT,
    ACI_MEMORY_NEAREST_L2,
    ACI_MEMORY_NEAREST_WHOLE,
    ACI_MEMORY_UNSEEN,
    ACI_MEMORY_EMBEDDED,
    ACI_MEMORY_WAITING,
    ACI_MEMORY_OLD_VECTORS,
    ACI_MEMORY_OLD_DELETE,
    ACI_MEMORY_LOG_KEEP,
    ACI_MEMORY_LOG_OFF,
    ACI_MEMORY_LOG_PUT,
    ACI_MEMORY_LOG_PRUNE,
    ACI_MEMORY_LOG_CLEAR,
    ACI_MEMORY_LOG_CLEAR_BELOW,
    ACI_MEMORY_LOG_EXPIRED,
    ACI_MEMORY_LOG_OF_KEY,
    ACI_MEMORY_LOG_NEWEST,
    ACI_MEMORY_LOG_AFTER,
    ACI_MEMORY_WORK_HOLD,
    ACI_MEMORY_WORK_LOCK,
    ACI_MEMORY_WORK_PUT,
    ACI_MEMORY_WORK_DELETE,
    ACI_MEMORY_WORK_DUE,
    ACI_MEMORY_WORK_AFTER,
    ACI_MEMORY_WORK_OF_THREAD,
    ACI_MEMORY_STATEMENT_COUNT_
} aci_memory_statement;
extern const aci_statement aci_memory_statements[ACI_MEMORY_STATEMENT_COUNT_];
#define ACI_MEMORY_ASK(tx, which, row, user, ...) ACI_ASK(tx, &aci_memory_statements[which], row, user, __VA_ARGS__)

/* Row function: the first column, into an int64_t. */
agentchat_status aci_memory_load_number(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);

/* ==== names of namespaces (space.c) ============================================================================== */

/* In a store a namespace is its labels, each ended by a NUL byte, so that those below another one begin with its bytes
   and stand together. */
enum { ACI_MOST_SPACE = 1024 };
typedef struct aci_space {
    char bytes[ACI_MOST_SPACE + 1];
    size_t len;
} aci_space;

/* Reads a name as it is written. NULL and "/": the empty one. E_INVALID. stars: a label that is
   "*" becomes the byte 0xFF, which no label can be: any one. */
agentchat_status aci_space_read(const char *text, bool stars, aci_space *out, agentchat_error *err);
agentchat_str aci_space_bytes(const aci_space *space);
/* The bytes of a label, from a position on, which moves on to the next; false: there is none. */
bool aci_space_label(agentchat_str space, size_t *at, agentchat_str *label);
/* As it is written, NUL-terminated; NULL: out of memory. */
const char *aci_space_print(agentchat_str space, aci_arena *arena);
/* What follows all that is in the namespace (exact), or in and below it. false: out of memory. */
bool aci_space_end(agentchat_str space, bool exact, aci_arena *arena, agentchat_str *out);

/* ==== filters (filter.c) ========================================================================================= */

typedef struct aci_filter {
    aci_json_index index; /* of its own text */
    bool is_set;
} aci_filter;

/* Reads and checks a filter; an absent text matches all. E_INVALID. */
agentchat_status aci_filter_begin(aci_filter *filter, const agentchat_env *env, agentchat_str text,
                                  agentchat_error *err);
void aci_filter_end(aci_filter *filter);
/* What is no JSON is an argument that is wrong: `what` says which. Other failures stay. */
agentchat_status aci_filter_refuse(agentchat_status status, const char *what, agentchat_error *err);
/* Whether an indexed document matches. E_NOMEM. */
agentchat_status aci_filter_matches(const aci_filter *filter, const aci_json_index *document, bool *out,
                                    agentchat_error *err);

/* ==== words (words.c) ============================================================================================ */

typedef struct aci_word_count {
    agentchat_str term;
    int64_t count;
} aci_word_count;

typedef struct aci_word_list { /* of a document, each once */
    const agentchat_env *env;
    aci_arena *arena;
    aci_index index;
    aci_word_count *list;
    size_t count, cap;
    int64_t total;
} aci_word_list;

bool aci_words_begin(aci_word_list *words, const agentchat_env *env);
void aci_words_end(aci_word_list *words);
/* Adds those of a text. as_query: as a query's. false: out of memory. */
bool aci_words_add_text(aci_word_list *words, agentchat_str text, bool as_query);
/* Adds those of the fields of an indexed document. E_SYNTAX, E_CORRUPT: the fields are not such as are stored. */
agentchat_status aci_words_add_document(aci_word_list *words, const aci_json_index *document, agentchat_str fields,
                                        agentchat_error *err);
/* Makes the JSON array that is stored of fields. E_INVALID. */
agentchat_status aci_words_fields(const char *const *fields, size_t count, aci_arena *arena, agentchat_str *out,
                                  agentchat_error *err);

/* What a path of fields leads to in a document: begin is called for each path, each for each value. false: out of
   memory. */
typedef void (*aci_field_begin_fn)(void *user, agentchat_str path);
typedef bool (*aci_field_fn)(void *user, const aci_json_index *document, uint32_t value);
agentchat_status aci_fields_visit(const aci_json_index *document, agentchat_str fields, aci_arena *arena,
                                  aci_field_begin_fn begin, aci_field_fn each, void *user, agentchat_error *err);

/* ==== vectors (vectors.c) ======================================================================================== */

struct agentchat_memory_vectors {
    const agentchat_env *env;
    float *numbers;
    size_t count, dimensions, cap; /* cap: numbers that there is room for */
};

/* What the vectors of a store are; what is absent or 0 is not known, or any. */
typedef struct aci_vector_settings {
    aci_arena *arena;
    bool is_there;
    int64_t gen, dimensions, metric;
    agentchat_str fields, model; /* fields: a JSON array of paths */
} aci_vector_settings;
agentchat_status aci_vector_settings_begin(aci_vector_settings *settings, const agentchat_env *env,
                                           agentchat_error *err);
void aci_vector_settings_end(aci_vector_settings *settings);
/* Queues reading them. which: ACI_MEMORY_SETTING, or one that locks. */
void aci_vector_settings_ask(aci_tx *tx, aci_memory_statement which, aci_vector_settings *out);
/* A piece of work that reads them: user is an aci_vector_settings. */
agentchat_status aci_vector_settings_read(aci_tx *tx, void *user, agentchat_error *err);
/* Runs writing them. which: ACI_MEMORY_SETTING_NEW or ACI_MEMORY_SETTING_PUT. */
agentchat_status aci_vector_settings_put(aci_tx *tx, aci_memory_statement which, const aci_vector_settings *settings,
                                         agentchat_error *err);
/* E_CONFLICT unless they are what is wanted. */
agentchat_status aci_vector_settings_compare(const aci_vector_settings *settings, const aci_vector_settings *wanted,
                                             agentchat_error *err);
/* Fixes the settings of a store that has none (as asked for in this transaction), or compares them. E_CONFLICT. */
agentchat_status aci_vector_settings_fix(aci_tx *tx, aci_vector_settings *settings, const aci_vector_settings *wanted,
                                         agentchat_error *err);
/* E_UNSUPPORTED when a store without vectors cannot have any. */
agentchat_status aci_vectors_may(aci_tx *tx, const aci_vector_settings *settings, agentchat_error *err);

/* Texts of some documents and their vectors, or vectors alone, which are the caller's. */
typedef struct aci_embedding {
    const agentchat_env *env;
    aci_arena *arena;
    agentchat_str *texts, *fields;
    size_t count, text_cap, field_cap;
    agentchat_str field; /* under way */
    agentchat_memory_vectors made;
    const agentchat_memory_embedder *embedder; /* of several calls; NULL: none */
} aci_embedding;
agentchat_status aci_embedding_begin(aci_embedding *e, const agentchat_env *env, agentchat_error *err);
void aci_embedding_end(aci_embedding *e);
/* Adds the texts of an indexed document. */
agentchat_status aci_embedding_add(aci_embedding *e, const aci_json_index *document, agentchat_str fields,
                                   agentchat_error *err);
/* Gives a call that shares texts with others their embedder; E_INVALID when it has one of its own. */
agentchat_status aci_embedding_share(const aci_embedding *texts, const agentchat_memory_embedder **own,
                                     agentchat_error *err);
/* Adds a text, of no field. false: out of memory. */
bool aci_embedding_add_text(aci_embedding *e, agentchat_str text);
/* Adds a vector of JSON. E_INVALID. */
agentchat_status aci_embedding_add_json(aci_embedding *e, const aci_json_index *json, uint32_t node,
                                        agentchat_error *err);
/* Reads the struct. E_INVALID. */
agentchat_status aci_embedder_load(agentchat_memory_embedder *out, const agentchat_memory_embedder *embedder,
                                   agentchat_error *err);
/* Makes the vectors of all texts. E_INVALID, and what the embedder fails with. */
agentchat_status aci_embedding_run(aci_embedding *e, const agentchat_memory_embedder *embedder, agentchat_error *err);

/* Those of one document. */
typedef struct aci_vector_part {
    aci_embedding *of;
    size_t first, count;
    bool is_own;
} aci_vector_part;
/* Queues putting them for a document, instead of those that it has of the generation, or of any (all). */
agentchat_status aci_vectors_put(aci_tx *tx, const aci_document *row, int64_t gen, bool all,
                                 const aci_vector_part *part, agentchat_error *err);
/* Reads the vectors that the caller has given to a document, of a generation. */
agentchat_status aci_vectors_own(aci_tx *tx, const aci_document *row, int64_t gen, aci_embedding *out,
                                 agentchat_error *err);
/* Appends a vector as JSON. */
bool aci_vector_print(const float *numbers, size_t count, aci_buf *out);
/* Reads a row of the table, with the numbers as others than PostgreSQL have them: in the arena. */
agentchat_status aci_vector_read(const agentchat_store *store, const aci_sql_value *columns, size_t count,
                                 aci_arena *arena, aci_vector *out, agentchat_error *err);

typedef struct aci_near {
    agentchat_str ns, field;
    int64_t no, n, updated;
    double score;
} aci_near;
typedef agentchat_status (*aci_near_fn)(void *user, const aci_near *near, agentchat_error *err);
/* Where one searches, and for what. */
typedef struct aci_nearest {
    aci_tx *tx;
    const aci_vector_settings *settings;
    agentchat_str ns, end;
    const float *vector; /* with the dimensions of the settings */
    bool is_whole;       /* that is all of the store */
    int64_t limit;       /* vectors that are wanted; the database may give all, in any order */
    bool is_all;         /* set: it has given all */
    aci_near_fn each;
    void *user;
    /* ---- inside ---- */
    double norm;
    int64_t rows;
} aci_nearest;
agentchat_status aci_vectors_nearest(aci_nearest *n, agentchat_error *err);
/* Vectors of a kind below this can be searched. */
int64_t aci_vector_kinds(const aci_vector_settings *settings);

/* ==== reading documents (get.c) ================================================================================== */

struct agentchat_memory_results {
    aci_result_page page;
};

/* Documents that were read, with their texts. */
typedef struct aci_document_list {
    const agentchat_env *env;
    aci_arena *arena;
    aci_document *list;
    size_t count, cap;
    agentchat_str ns, key; /* that is asked for, where it is one document: damage is of this */
} aci_document_list;
bool aci_documents_begin(aci_document_list *documents, const agentchat_env *env);
void aci_documents_end(aci_document_list *documents);
/* Row function: adds one. user: aci_document_list. E_CORRUPT names the document. */
agentchat_status aci_documents_load(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);
/* What a stored document fails with: E_CORRUPT names it, also where it is no JSON. Other failures stay. */
agentchat_status aci_document_damage(agentchat_status status, const aci_document *row, agentchat_error *err);
/* Row function: the first column, into an aci_space. */
agentchat_status aci_memory_load_space(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);

/* The time of the store: known at once, or asked for in the next batch. */
void aci_memory_ask_now(aci_tx *tx, int64_t *now);
bool aci_document_lives(const aci_document *row, int64_t now);
/* When a document expires that lives so long from now on. */
int64_t aci_document_expiry(int64_t now, int64_t ttl);
/* E_CORRUPT unless the last of some documents comes after a namespace and key: damaged pages may lead in circles. */
agentchat_status aci_documents_go_on(const aci_document_list *documents, agentchat_str ns, agentchat_str key,
                                     agentchat_error *err);
/* An empty page; NULL: out of memory. */
agentchat_memory_results *aci_documents_page(const agentchat_env *env);
/* Adds a document to a page, whose texts are copied. E_NOMEM. */
agentchat_status aci_document_show(agentchat_memory_results *out, const aci_document *row, agentchat_error *err);
/* Queues that the time to live of a document begins anew. */
void aci_document_refresh(aci_tx *tx, aci_document *row, int64_t now);
/* Reads the namespace and key of a document. E_INVALID. */
agentchat_status aci_document_name(const char *ns, const char *key, aci_space *space, agentchat_str *name,
                                   agentchat_error *err);
/* Whether the value of a document matches. index: begun, for this to use. E_CORRUPT, E_NOMEM. */
agentchat_status aci_document_matches(const aci_document *row, const aci_filter *filter, aci_json_index *index,
                                      bool *out, agentchat_error *err);

/* ==== the log (log.c) ============================================================================================ */

/* Queues asking how many steps are kept of a namespace's documents: the innermost switch counts. 0: none. */
void aci_log_ask(aci_tx *tx, agentchat_str ns, aci_arena *arena, int64_t *keep);
/* Reads a row of the log. */
agentchat_status aci_log_read(const aci_sql_value *columns, size_t count, aci_log_row *row, agentchat_error *err);
/* Queues that a step is logged, if any is; before: NULL, there was no document. */
void aci_log_step(aci_tx *tx, int64_t keep, const aci_document *before, aci_log_row *step);

/* ==== putting documents (put.c) ================================================================================== */

/* A document that is put: what the caller says of it, and what is found. */
typedef struct aci_putting {
    const agentchat_env *env;
    agentchat_memory_put_options options;
    aci_space space;
    aci_document row; /* that is put: namespace, key, fields and value */
    aci_word_list words;
    aci_document_list before; /* what is there */
    int64_t revision;
    const aci_log_row *undoes; /* it is brought back; NULL: it is not */
    /* ---- its vectors ---- */
    const aci_vector_part *vectors; /* NULL: it has none */
    aci_vector_settings wanted;     /* of the store */
    aci_vector_settings settings;   /* as they are */
    agentchat_str made_of;          /* the store's fields, where the vectors were made of them; else absent */
    bool is_stale;                  /* set: those are other ones meanwhile, and nothing was put */
    /* ---- an import ---- */
    bool is_import;
    agentchat_memory_import_mode mode;
    aci_document given; /* revision and times, of one that is not there */
    bool is_written;
    /* ---- of who puts only if the others in the namespace let it ---- */
    /* Called when the namespace is locked, and `before`, `settings` and `vectors` are known; NULL: nobody asks. */
    agentchat_status (*guard)(const struct aci_putting *p, aci_tx *tx, void *user, agentchat_error *err);
    void *guard_user;
} aci_putting;

/* Calls of the public functions, whose like they are. */
agentchat_status aci_putting_undo(agentchat_store *store, const agentchat_memory_op *op, const aci_log_row *step,
                                  agentchat_error *err);
agentchat_status aci_delete_undo(agentchat_store *store, const agentchat_memory_op *op, agentchat_error *err);
bool aci_putting_begin(aci_putting *p, const agentchat_env *env);
void aci_putting_end(aci_putting *p);
/* agentchat_memory_put() with a guard. */
agentchat_status aci_putting_put(agentchat_store *store, const agentchat_memory_op *op,
                                 agentchat_status (*guard)(const aci_putting *p, aci_tx *tx, void *user,
                                                           agentchat_error *err),
                                 void *user, agentchat_error *err);
/* Reads the document and its words. E_INVALID. */
agentchat_status aci_putting_read(aci_putting *p, agentchat_str json, agentchat_error *err);
/* Adds the texts of its vectors, and notes which of the store's fields they are of. */
agentchat_status aci_putting_embed(aci_putting *p, agentchat_store *store, aci_embedding *e, agentchat_error *err);
/* Puts it in a transaction, and commits it; an import is committed by the caller, after all of its lines. */
agentchat_status aci_putting_run(aci_putting *p, aci_tx *tx, agentchat_error *err);

/* ==== all documents of a namespace (all.c) ======================================================================= */

typedef struct aci_all {
    const agentchat_env *env;
    agentchat_memory_results **pages;
    size_t page_count, page_cap;
    const agentchat_memory_item **items;
    size_t count, cap;
} aci_all;
/* Reads them in the order of their revisions. all: zero; to be dropped also on failure. */
agentchat_status aci_all_read(aci_all *all, agentchat_store *store, const char *ns, bool exact, agentchat_error *err);
void aci_all_drop(aci_all *all);

/* ==== calls of tools (tool_call.c) =============================================================================== */

/* A call, and what is said to it. */
typedef struct aci_tool_call {
    agentchat_store *store;
    const agentchat_env *env;
    const char *ns;
    agentchat_memory_put_options put;
    aci_arena *arena; /* of its arguments */
    aci_json_index arguments;
    aci_buf said; /* a text, or JSON */
    bool is_json, failed;
    agentchat_status status; /* of the store, or E_NOMEM: no call is to blame */
    agentchat_error *err;
} aci_tool_call;
/* Adds to what is said. */
void aci_tool_say(aci_tool_call *call, const char *format, ...) AGENTCHAT_PRINTF(2, 3);
/* The same of any text. */
void aci_tool_say_text(aci_tool_call *call, agentchat_str text);
/* The call has failed, and this is all that is said. */
void aci_tool_fail(aci_tool_call *call, const char *format, ...) AGENTCHAT_PRINTF(2, 3);
/* Notes what a call of the library gave: a call that was wrong has failed then. Whether all is well. */
bool aci_tool_did(aci_tool_call *call, agentchat_status status, const agentchat_error *why);
/* An argument that is a text; absent if it is not there or null. false: it is something else, or needed and absent; the
   call has failed. */
bool aci_tool_text(aci_tool_call *call, const char *name, bool needed, agentchat_str *out);
/* The same of a whole number, which stays as it is if there is none. */
bool aci_tool_number(aci_tool_call *call, const char *name, bool needed, int64_t *out);
/* The raw value of an argument; absent if it is not there or null. */
agentchat_str aci_tool_value(const aci_tool_call *call, const char *name);
/* Puts {"NAME": value} with an expected revision; keeps the expiry. value: JSON. */
agentchat_status aci_tool_put(aci_tool_call *call, const char *ns, const char *key, const char *name,
                              agentchat_str value, uint64_t expect, agentchat_error *err);
/* Deletes with an expected revision. */
agentchat_status aci_tool_delete(const aci_tool_call *call, const char *ns, const char *key, uint64_t expect,
                                 agentchat_error *err);
enum { ACI_TOOL_ATTEMPTS = 3 };
/* Anthropic's `memory` (tool_files.c). */
void aci_tool_files(aci_tool_call *call);

/* ==== kinds of memory (instructions.c) =========================================================================== */

/* Appends {"NAME": text, "messages": […]}; messages NULL: without them. E_INVALID. */
agentchat_status aci_document_with_messages(const char *name, agentchat_str text, const agentchat_messages *messages,
                                            agentchat_bytes *out, agentchat_error *err);

/* ==== calls that may be parts of one transaction (batch.c) ======================================================= */

/* What a call does with its state, which is all zero at first. begin: reads what is asked for; texts that are to become
   vectors are added to `texts`, or are made into vectors at once where that is NULL. take: gets the vectors of those.
   end: gives the results, if the call has succeeded, and releases the state. */
typedef struct aci_memory_part {
    size_t size;
    bool writes;
    agentchat_status (*begin)(void *state, agentchat_store *store, const agentchat_memory_op *op, aci_embedding *texts,
                              agentchat_error *err);
    agentchat_status (*take)(void *state, aci_embedding *made, agentchat_error *err); /* NULL: it has no vectors */
    aci_work run;
    void (*end)(void *state, agentchat_memory_op *op, agentchat_status status);
} aci_memory_part;
extern const aci_memory_part aci_memory_get_part, aci_memory_search_part, aci_memory_namespaces_part,
    aci_memory_put_part, aci_memory_delete_part;

agentchat_status aci_memory_check(aci_store_check *all, agentchat_error *err);

#endif
