/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The form of the ADKs (docs/formats/adk.md): what its readers and writers share. Layer 5.
 *
 * A reader checks the whole text as JSON once and then walks over it, so from there on only kinds of values can be
 * wrong. Both spellings of a name, camelCase and snake_case, mean the same; tables say which names there are.
 */
#ifndef ACI_EVENT_ADK_H
#define ACI_EVENT_ADK_H

#include "event/draft.h"
#include "event/place.h"
#include "event/values.h"
#include "json/writer.h"

/* ---- names (adk_names.c) ---------------------------------------------------------------------------------------- */

/* What a value must be so that adk-python takes it, besides null. */
typedef enum aci_adk_value_kind {
    ACI_ADK_ANY,
    ACI_ADK_STRING, /* also where there is a list of words: adk-python takes others too */
    ACI_ADK_WORD,   /* one of those in `words` */
    ACI_ADK_BOOLEAN,
    ACI_ADK_INTEGER,
    ACI_ADK_COUNT, /* an integer that is not negative */
    ACI_ADK_NUMBER,
    ACI_ADK_BYTES,
    ACI_ADK_OBJECT, /* with any members */
    ACI_ADK_MODEL,  /* an object with the members of `of` */
    ACI_ADK_DATE,   /* the same, for which ADK-Rust has text */
    ACI_ADK_ROUTE,  /* a boolean, an integer or a string, or a list of such */
    ACI_ADK_AUTH_CONFIG,
    ACI_ADK_AUTH_SCHEME,
    ACI_ADK_SERVICE_ACCOUNT
} aci_adk_value_kind;

typedef enum aci_adk_form { ACI_ADK_ONE, ACI_ADK_LIST, ACI_ADK_MAP } aci_adk_form;

typedef struct aci_adk_name {
    const char *camel; /* in snake_case it is the same with `_` and a small letter for each capital */
    const struct aci_adk_table *of;
    const char *words;  /* with a space before and after each */
    uint8_t kind, form; /* aci_adk_value_kind, aci_adk_form */
    bool is_google;     /* Google's ADKs know it on this object; else ADK-Rust alone does */
} aci_adk_name;

/* The members of an object. */
typedef struct aci_adk_table {
    const aci_adk_name *list;
    uint32_t count;    /* at most ACI_ADK_NAMES */
    uint64_t required; /* bits of the members without which adk-python refuses the object */
    uint64_t together; /* bits of members that must all be there, or none */
    bool is_open;      /* adk-python passes over unknown members */
} aci_adk_table;
enum { ACI_ADK_NAMES = 40 };

/* Indices into the tables; from …_KEPT on, names that are known but have no place in an event of ours. */
enum {
    ACI_ADK_ID,
    ACI_ADK_TIMESTAMP,
    ACI_ADK_INVOCATION,
    ACI_ADK_AUTHOR,
    ACI_ADK_BRANCH,
    ACI_ADK_CONTENT,
    ACI_ADK_PARTIAL,
    ACI_ADK_LONG_RUNNING,
    ACI_ADK_ACTIONS,
    ACI_ADK_EVENT_KEPT,
    ACI_ADK_FINISH_REASON = ACI_ADK_EVENT_KEPT, /* three that ADK-Rust spells otherwise */
    ACI_ADK_USAGE,
    ACI_ADK_CITATIONS
};
enum {
    ACI_ADK_STATE_DELTA,
    ACI_ADK_ARTIFACT_DELTA,
    ACI_ADK_TRANSFER,
    ACI_ADK_ESCALATE,
    ACI_ADK_SKIP_SUMMARIZATION,
    ACI_ADK_COMPACTION,
    ACI_ADK_ACTIONS_KEPT,
    ACI_ADK_AUTH_CONFIGS = ACI_ADK_ACTIONS_KEPT, /* these two are written always */
    ACI_ADK_TOOL_CONFIRMATIONS
};
enum { ACI_ADK_ROLE, ACI_ADK_PARTS };
enum {
    ACI_ADK_TEXT,
    ACI_ADK_THINKING,
    ACI_ADK_INLINE_DATA,
    ACI_ADK_FILE_DATA,
    ACI_ADK_CALL,
    ACI_ADK_RESPONSE,
    ACI_ADK_FLAT_DATA, /* ADK-Rust puts what follows right into the part */
    ACI_ADK_FLAT_FILE_URI,
    ACI_ADK_FLAT_NAME,
    ACI_ADK_PART_OTHER, /* parts of other kinds: kept whole */
    ACI_ADK_PART_MAINS = ACI_ADK_PART_OTHER + 7,
    ACI_ADK_THOUGHT = ACI_ADK_PART_MAINS, /* what stands beside one of these */
    ACI_ADK_THOUGHT_SIGNATURE,
    ACI_ADK_SIGNATURE,
    ACI_ADK_FLAT_MIME_TYPE,
    ACI_ADK_FLAT_URI,
    ACI_ADK_FLAT_ARGS,
    ACI_ADK_FLAT_ID,
    ACI_ADK_PART_KEPT
};
enum { ACI_ADK_DATA_DATA, ACI_ADK_DATA_MIME_TYPE, ACI_ADK_DATA_KEPT };
enum { ACI_ADK_FILE_URI, ACI_ADK_FILE_MIME_TYPE, ACI_ADK_FILE_KEPT };
enum { ACI_ADK_CALL_ID, ACI_ADK_CALL_NAME, ACI_ADK_CALL_ARGS, ACI_ADK_CALL_KEPT };
enum {
    ACI_ADK_RESPONSE_ID,
    ACI_ADK_RESPONSE_NAME,
    ACI_ADK_RESPONSE_RESPONSE,
    ACI_ADK_RESPONSE_KEPT,
    ACI_ADK_RESPONSE_PARTS = ACI_ADK_RESPONSE_KEPT,
    ACI_ADK_RESPONSE_INLINE = ACI_ADK_RESPONSE_KEPT + 3, /* two of ADK-Rust's */
    ACI_ADK_RESPONSE_FILE
};
enum { ACI_ADK_USAGE_CACHED = 1, ACI_ADK_USAGE_THOUGHTS = 6, ACI_ADK_USAGE_RUST = 11, ACI_ADK_CITATIONS_RUST = 1 };
enum { ACI_ADK_START, ACI_ADK_END, ACI_ADK_COMPACTED };
enum { ACI_ADK_SESSION_ID, ACI_ADK_APP_NAME, ACI_ADK_USER_ID, ACI_ADK_STATE, ACI_ADK_EVENTS, ACI_ADK_LAST_UPDATE_TIME };

extern const aci_adk_table aci_adk_event, aci_adk_actions, aci_adk_content, aci_adk_part, aci_adk_data, aci_adk_file,
    aci_adk_call, aci_adk_response, aci_adk_compaction, aci_adk_session;
/* Objects deeper down (adk_models.c, adk_models_auth.c). */
extern const aci_adk_table aci_adk_executable_code, aci_adk_code_result, aci_adk_tool_call, aci_adk_tool_response,
    aci_adk_partial_arg, aci_adk_response_part, aci_adk_video, aci_adk_resolution, aci_adk_speech,
    aci_adk_transcription, aci_adk_grounding, aci_adk_usage, aci_adk_resumption, aci_adk_go_away,
    aci_adk_voice_activity, aci_adk_logprobs, aci_adk_cache, aci_adk_citation, aci_adk_citation_list, aci_adk_node_info,
    aci_adk_confirmation, aci_adk_widget, aci_adk_auth_config;

#define ACI_ADK_VALUE_OF(name, kind, form, of)                                                                         \
    {                                                                                                                  \
        (name), (of), NULL, (uint8_t)(kind), (uint8_t)(form), true                                                     \
    }
#define ACI_ADK_KIND(kind, name) ACI_ADK_VALUE_OF(name, ACI_ADK_##kind, ACI_ADK_ONE, NULL)
#define ACI_ADK_KINDS(kind, name) ACI_ADK_VALUE_OF(name, ACI_ADK_##kind, ACI_ADK_LIST, NULL)
#define ACI_ADK_IS(name, of) ACI_ADK_VALUE_OF(name, ACI_ADK_MODEL, ACI_ADK_ONE, of)
#define ACI_ADK_ARE(name, of) ACI_ADK_VALUE_OF(name, ACI_ADK_MODEL, ACI_ADK_LIST, of)
#define ACI_ADK_TABLE(list) ACI_ADK_TABLE_OF(list, 0, 0, false)
#define ACI_ADK_TABLE_OF(list, required, together, is_open)                                                            \
    {                                                                                                                  \
        (list), (uint32_t)(sizeof(list) / sizeof(list)[0]), (required), (together), (is_open)                          \
    }

/* Index of a name (decoded) in either spelling; count when the table has none. *camel (NULL: not wanted): whether it is
   the one in camelCase, which a name of one word always is. */
uint32_t aci_adk_find(const aci_adk_table *table, agentchat_str name, bool *camel);
static inline agentchat_str aci_adk_camel(const aci_adk_table *table, uint32_t index)
{
    return agentchat_str_from(table->list[index].camel);
}

/* ---- places ----------------------------------------------------------------------------------------------------- */

/* A place in a document, for errors and reports: a list that ends at the document. */
typedef struct aci_adk_path {
    const struct aci_adk_path *up;
    agentchat_str name; /* absent: index counts */
    size_t index;
} aci_adk_path;

/* Appends the JSON Pointer. false: out of memory. */
bool aci_adk_pointer(const aci_adk_path *path, aci_buf *out);
/* Adds an entry at a place; report may be NULL. prefix: of the document around it. false: out of memory. */
bool aci_adk_report(agentchat_report *report, const agentchat_env *env, agentchat_report_kind kind,
                    agentchat_str prefix, const aci_adk_path *path, const char *format, ...) AGENTCHAT_PRINTF(6, 7);

/* How much deeper an event may stand in their form than in ours, which is the one that is limited: arguments and
   results are in an object of the part, and in one more when they are none. */
enum { ACI_ADK_MORE_LEVELS = 2 };

/* ---- reading ---------------------------------------------------------------------------------------------------- */

typedef struct aci_adk_reader {
    const agentchat_env *env;
    aci_home *home;         /* of what is decoded */
    agentchat_str document; /* the text, validated, in the home or as long-lived as it */
    agentchat_str prefix;   /* JSON Pointer of the document in a larger one */
    agentchat_report *report;
    agentchat_status status; /* the first failure sticks */
    agentchat_error *err;
    bool is_lenient; /* what the ADKs read is read: names that stand twice, numbers as text; null stands for nothing */
} aci_adk_reader;

/* A member that a table knows: its name as it was decoded and its value; the value is absent when it has none. */
typedef struct aci_adk_value {
    agentchat_str name, raw;
} aci_adk_value;

/* All of these return false after a failure. */
bool aci_adk_nomem(aci_adk_reader *a);
/* Fails at a value. */
bool aci_adk_fail(aci_adk_reader *a, const aci_adk_path *path, agentchat_str value, agentchat_status status,
                  const char *format, ...) AGENTCHAT_PRINTF(5, 6);
bool aci_adk_note(aci_adk_reader *a, agentchat_report_kind kind, const aci_adk_path *path, const char *format, ...)
    AGENTCHAT_PRINTF(4, 5);

/* Whether a value is there and is not null. */
static inline bool aci_adk_has(const aci_adk_value *value)
{
    return value->raw.ptr != NULL && *value->raw.ptr != 'n';
}
/* Decodes a raw string into the home if it has escapes. */
bool aci_adk_decode(aci_adk_reader *a, agentchat_str raw, agentchat_str *out);
/* A value that must be a string. */
bool aci_adk_string(aci_adk_reader *a, const aci_adk_path *path, agentchat_str raw, agentchat_str *out);
/* A value that must be of a kind; wanted: for the sentence. */
bool aci_adk_kind(aci_adk_reader *a, const aci_adk_path *path, agentchat_str raw, aci_json_kind kind,
                  const char *wanted);
/* Sorts the members of a raw object: those that the table knows into values, by index; others, as extras from ADK, into
   others. A name that stands twice is E_SCHEMA, or the last one counts, if the reader is lenient; of two spellings of
   one name that in camelCase counts, unless it is null. */
bool aci_adk_members(aci_adk_reader *a, const aci_adk_path *path, agentchat_str raw, const aci_adk_table *table,
                     aci_adk_value values[ACI_ADK_NAMES], aci_draft *others);
/* Puts the values from index `from` on, nulls left out, into others, under their names in camelCase. */
bool aci_adk_keep(aci_adk_reader *a, const aci_adk_table *table, const aci_adk_value *values, uint32_t from,
                  aci_draft *others);
/* A time: a number of seconds or milliseconds, or RFC 3339. Absent when it is in no year that can be told, which is
   reported. */
bool aci_adk_time(aci_adk_reader *a, const aci_adk_path *path, agentchat_str raw, agentchat_str *out);
/* Base64 of either alphabet, padded or not, or an array of numbers; both are absent when it is none of these. */
bool aci_adk_bytes(aci_adk_reader *a, const aci_adk_path *path, agentchat_str raw, agentchat_str *base64,
                   agentchat_str *bytes);

/* Any base64 as our model has it: the standard alphabet, padded; absent: it is none. false: out of memory. */
bool aci_adk_standard_base64(aci_adk_reader *a, agentchat_str text, agentchat_str *out);

/* A data URI taken apart: its bytes, in one way or the other, and its media type, absent where it names none. false: it
   is none, or it is malformed, or a failure, which a->status tells (adk_data_uri.c). */
bool aci_adk_data_uri(aci_adk_reader *a, agentchat_str uri, aci_data *data, agentchat_str *mime_type);

/* Whether text is base64 of one of the alphabets, padded or not, its unused bits zero. */
bool aci_adk_is_base64(agentchat_str text);

/* A Content as a message in the reader's home; NULL after a failure. */
agentchat_message *aci_adk_content_read(aci_adk_reader *a, const aci_adk_path *path, agentchat_str raw);
/* A Part as an item. */
agentchat_item *aci_adk_part_read(aci_adk_reader *a, const aci_adk_path *path, agentchat_str raw);

/* Reads one event; as aci_own_event_read(). */
agentchat_status aci_adk_event_read(const agentchat_env *env, agentchat_str text, const aci_event_place *place,
                                    agentchat_report *report, agentchat_event **out, agentchat_error *err);

/* Tells the form of an event from its properties: AGENTCHAT or ADK. Malformed text is AGENTCHAT. E_NOMEM. */
agentchat_status aci_event_detect(const agentchat_env *env, agentchat_str text, agentchat_format *out,
                                  agentchat_error *err);
/* Reads one event in whatever form, NONE: to be told. sequence: as aci_own_event_read(). */
agentchat_status aci_event_read(const agentchat_env *env, agentchat_str text, agentchat_format format,
                                const aci_event_place *place, agentchat_report *report, uint64_t *sequence,
                                agentchat_event **out, agentchat_error *err);

/* ---- writing ---------------------------------------------------------------------------------------------------- */

enum { ACI_ADK_TIME_SIZE = 40 };

/* What an event has from those before it (adk_context.c). All zero to begin with, but for env. */
typedef struct aci_adk_context {
    const agentchat_env *env;
    aci_index calls; /* by id: position in functions */
    agentchat_str *functions;
    size_t count, cap;
    bool keep_times;
    bool has_time;
    double time; /* of the event before, as the reader holds it */
} aci_adk_context;

/* Takes the calls of an event. false: out of memory. */
bool aci_adk_context_add(aci_adk_context *context, const agentchat_event *event);
/* The function of a call by its id; absent: not known. */
agentchat_str aci_adk_context_function(const aci_adk_context *context, agentchat_str call);
/* Takes a time as it is written, a number of seconds. Where it is not after the one before, and times are not kept, it
   becomes the next that a double holds. Returns whether it has. */
bool aci_adk_context_time(aci_adk_context *context, char number[ACI_ADK_TIME_SIZE]);
void aci_adk_context_clear(aci_adk_context *context);

typedef struct aci_adk_writer {
    aci_json_writer w; /* failures stick there */
    const agentchat_env *env;
    agentchat_report *report;
    agentchat_str prefix; /* JSON Pointer of the event that is written */
    aci_adk_context *context;
    aci_buf scratch;
} aci_adk_writer;

/* To be ended with aci_adk_writer_end() in any case. */
agentchat_status aci_adk_writer_begin(aci_adk_writer *wr, const agentchat_env *env, agentchat_sink *sink,
                                      agentchat_report *report, agentchat_error *err);
agentchat_status aci_adk_writer_end(aci_adk_writer *wr);
void aci_adk_failed(aci_adk_writer *wr, agentchat_status status);
void aci_adk_told(aci_adk_writer *wr, agentchat_report_kind kind, const aci_adk_path *path, const char *format, ...)
    AGENTCHAT_PRINTF(4, 5);
/* Text, and open-ended values as they are spelled; lone surrogates, which Python's models refuse, become
   U+FFFD, which is reported. */
void aci_adk_put_text(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str text);
void aci_adk_put_json(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str json);
/* The name of a member, as it is spelled in a raw object. */
void aci_adk_put_key(aci_adk_writer *wr, agentchat_str raw);
/* A time as a number of seconds, and what is lost of it; empty: it is none. */
void aci_adk_time_number(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str time,
                         char number[ACI_ADK_TIME_SIZE]);
void aci_adk_put_time(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str time);
/* Whether adk-python takes a value under a name; null is none. false after a failure too. (adk_fits.c) */
bool aci_adk_fits(aci_adk_writer *wr, const aci_adk_name *name, agentchat_str raw);
/* The same of a member of a map, */
bool aci_adk_fits_in_map(aci_adk_writer *wr, const aci_adk_name *name, agentchat_str raw);
/* of a date as text, */
bool aci_adk_is_date(agentchat_str raw);
/* and of what it reads as true or false. */
bool aci_adk_boolean(agentchat_str raw, bool *value);
/* The values of a raw object by index of the table: of several the last one in camelCase, absent where none fits. false
   after a failure. */
bool aci_adk_taken(aci_adk_writer *wr, const aci_adk_table *table, agentchat_str raw,
                   agentchat_str taken[ACI_ADK_NAMES]);
/* A value that fits, without what adk-python refuses inside of it, which is reported. */
void aci_adk_put_value(aci_adk_writer *wr, const aci_adk_path *path, const aci_adk_name *name, agentchat_str raw);
/* The members of a raw object with a table, as above; those of the indices in `elsewhere` are left to the caller, those
   before `from` have been written. */
void aci_adk_put_members(aci_adk_writer *wr, const aci_adk_path *path, const aci_adk_table *table, agentchat_str raw,
                         uint64_t elsewhere, uint32_t from);
/* Whether anything of a raw object can be written so, or there is nothing in it. */
bool aci_adk_is_writable(aci_adk_writer *wr, const aci_adk_table *table, agentchat_str raw);
/* The members of an object that stand in `extras` of ours: those from ADK that Google's ADKs know in this table from
   `from` on (in an open one also unknown ones) are written, others reported as lost. Of two of a name the first one
   counts. */
void aci_adk_put_extras(aci_adk_writer *wr, const aci_adk_path *path, const aci_extras *extras,
                        const aci_adk_table *table, uint32_t from);
void aci_adk_put_content(aci_adk_writer *wr, const aci_adk_path *path, const agentchat_message *message,
                         const agentchat_event *event);
void aci_adk_put_part(aci_adk_writer *wr, const aci_adk_path *path, const agentchat_item *item);
/* Bytes as adk-python writes them. false: out of memory. */
bool aci_adk_put_bytes(aci_adk_writer *wr, const aci_data *data);
/* The `parts` of a function response, raw, which ADK-Rust has as `inline_data` and `file_data` (adk_write_media.c).
   Returns the bits of the members that were written so. */
uint64_t aci_adk_put_response_media(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str response);
/* What ADK-Rust spells otherwise than Google's ADKs, written their way. false: index is none of those. */
bool aci_adk_put_translated(aci_adk_writer *wr, const aci_adk_path *path, uint32_t index, agentchat_str json);
void aci_adk_put_event(aci_adk_writer *wr, const agentchat_event *event);
/* Appends one event as a line. prefix: JSON Pointer of the event, for the report. context: NULL for an event alone. */
agentchat_status aci_adk_event_line(const agentchat_event *event, agentchat_str prefix, aci_adk_context *context,
                                    agentchat_report *report, aci_buf *out, agentchat_error *err);

#endif
