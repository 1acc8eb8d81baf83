/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the semantic-kernel format share: tables of properties, places, small tools. Layer 4.
 * The tables say for each object which properties .NET knows, in the order in which it writes them; reader and writer
 * both run along them, so adding a property means adding a line in sk_names.c.
 */
#ifndef ACI_CODEC_SK_H
#define ACI_CODEC_SK_H

#include "codec/codec.h"
#include "json/value.h"
#include <string.h>

/* What a property holds. */
typedef enum aci_sk_how {
    ACI_SK_TEXT,     /* a string */
    ACI_SK_JSON,     /* any value */
    ACI_SK_LABEL,    /* {"Label": string} */
    ACI_SK_ITEMS,    /* the items of a message */
    ACI_SK_DATA,     /* base64 */
    ACI_SK_DATA_URI, /* read only: a data URI beside the other properties */
    ACI_SK_CONTENT,  /* read only: a message's text in the oldest files */
    ACI_SK_HISTORY,  /* envelope: a list of messages or its text */
    ACI_SK_LIST,     /* envelope: participants or channels */
    ACI_SK_STATE,    /* envelope: a channel's state */
    ACI_SK_OWN       /* our own "agentchat" property */
} aci_sk_how;

typedef struct aci_sk_prop {
    const char *name;   /* as .NET spells it */
    const char *quoted; /* the same with quotes and colon */
    const char *alias;  /* a name of the decision record that differs by more than letter case, or NULL */
    uint8_t len;        /* of name */
    uint8_t how;        /* aci_sk_how */
    uint8_t field;      /* agentchat_field; 0: none */
    bool always;        /* .NET writes it when it has no value too */
    bool legacy;        /* read, never written */
} aci_sk_prop;

typedef struct aci_sk_table {
    const aci_sk_prop *props;
    size_t count; /* at most 16 */
} aci_sk_table;

extern const aci_sk_table aci_sk_root, aci_sk_participant, aci_sk_channel;
extern const aci_sk_table aci_sk_message;        /* an element of History */
extern const aci_sk_table aci_sk_nested_message; /* a ChatMessageContent that is an item, or in a bare history */
/* Order of properties in the envelope's tables. */
enum { ACI_SK_PARTICIPANTS, ACI_SK_HISTORY_AT, ACI_SK_CHANNELS };
enum { ACI_SK_ID, ACI_SK_NAME, ACI_SK_TYPE };
enum { ACI_SK_KEY, ACI_SK_CHANNEL_TYPE, ACI_SK_STATE_AT };

/* Properties of an item kind; the empty table for OPAQUE. */
const aci_sk_table *aci_sk_item_table(agentchat_item_kind kind);
/* "TextContent", …; NULL for OPAQUE. */
const char *aci_sk_type_name(agentchat_item_kind kind);
/* The kind of a $type; 0 when there is none of that name. */
agentchat_item_kind aci_sk_kind_of(agentchat_str type_name);
/* Index of the property of that name, looked for first at `expected`; *exact says whether letter case fits too. -1 when
   there is none. */
int aci_sk_lookup(const aci_sk_table *table, size_t expected, agentchat_str name, bool *exact);
/* Whether the reader takes a value of this kind for a property that is not legacy; it keeps any other one as an unknown
   property of that name. The writer asks the same of an unknown property that it is about to write. */
bool aci_sk_takes(const aci_sk_prop *prop, aci_json_kind kind);

/* A place in a snapshot, for reports: a list that ends at the document. */
typedef struct aci_sk_path {
    const struct aci_sk_path *up;
    const char *name; /* NULL: index counts */
    size_t index;
} aci_sk_path;

/* Adds an entry at a place (terms of format 1). report may be NULL. false: out of memory. */
bool aci_sk_report(agentchat_report *report, const agentchat_env *env, agentchat_report_kind kind,
                   const aci_sk_path *path, const char *format, ...) AGENTCHAT_PRINTF(5, 6);

/* Gives an error its place; without memory it goes without. */
void aci_sk_error_at(const agentchat_env *env, const aci_sk_path *path, agentchat_error *err);

/* Walks the members of a validated raw object or the elements of a validated raw array. */
typedef struct aci_sk_walk {
    const char *at, *end;
    agentchat_str key; /* raw, with quotes; absent in an array */
    agentchat_str value;
} aci_sk_walk;
void aci_sk_walk_begin(aci_sk_walk *walk, agentchat_str raw);
bool aci_sk_walk_next(aci_sk_walk *walk);
/* Whether a raw value is a number that System.Text.Json takes for an Int32. */
bool aci_sk_is_int32(agentchat_str raw);

static inline bool aci_sk_view_is(agentchat_str view, const char *text)
{
    return view.len == strlen(text) && memcmp(view.len > 0 ? view.ptr : "", text, view.len) == 0;
}

/* Parts of a data URI (data:[type/subtype][;name=value]*[;format],payload). */
typedef struct aci_sk_data_uri {
    agentchat_str mime_type;  /* "text/plain" when there is none */
    agentchat_str parameters; /* "name=value;name=value" */
    agentchat_str payload;
    bool is_base64; /* payload is canonical base64; else it is the bytes */
} aci_sk_data_uri;
bool aci_sk_data_uri_parse(agentchat_str text, aci_sk_data_uri *out);
bool aci_sk_is_data_uri(agentchat_str text);
/* Sets MIME_TYPE and METADATA of a draft and makes the data. NULL: out of memory. */
aci_data *aci_sk_data_uri_apply(const aci_sk_data_uri *uri, aci_draft *draft, const agentchat_env *env, aci_home *home);

/* Whether Semantic Kernel's history channel keeps a message: it has text, a call, a result or an image. */
bool aci_sk_channel_keeps(const agentchat_message *message);
/* What a channel's state is by its key and type. */
typedef enum aci_sk_state { ACI_SK_STATE_OTHER, ACI_SK_STATE_HISTORY, ACI_SK_STATE_CHAT } aci_sk_state;
aci_sk_state aci_sk_state_of(agentchat_str key, agentchat_str type);
#define ACI_SK_HISTORY_KEY "Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4="

#endif
