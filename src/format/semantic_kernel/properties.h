/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The properties that .NET knows of each object, in the order in which it writes them: reader and writer both run along
 * these tables, so adding a property means adding a line in properties.c.
 */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_PROPERTIES_H
#define ACI_FORMAT_SEMANTIC_KERNEL_PROPERTIES_H

#include "snapshot/snapshot.h"
#include "json/reader.h"
#include <string.h>

/* The format's name, as it stands in `from`. */
extern const char aci_sk_name[16];
static inline bool aci_sk_is_own(agentchat_str tag)
{
    return aci_tag_is(tag, ACI_TAG(aci_sk_name));
}

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
    ACI_SK_SIDECAR   /* the sidecar: our "agentchat" property */
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

/* The property of a field that is not one of older files; NULL: the table has none. */
const aci_sk_prop *aci_sk_field_property(const aci_sk_table *table, agentchat_field field);
/* Properties of an item kind; the empty table for OPAQUE. */
const aci_sk_table *aci_sk_item_table(agentchat_item_kind kind);
/* "TextContent", …; NULL for OPAQUE. */
const char *aci_sk_type_name(agentchat_item_kind kind);
/* The kind of a $type; 0 when there is none of that name. */
agentchat_item_kind aci_sk_item_kind_of(agentchat_str type_name);
/* Index of the property of that name, looked for first at `expected`; *exact says whether letter case fits too. -1 when
   there is none. */
int aci_sk_find_property(const aci_sk_table *table, size_t expected, agentchat_str name, bool *exact);
/* Whether the reader takes a value of this kind for a property that is not legacy; it keeps any other one as an unknown
   property of that name. The writer asks the same of an unknown property that it is about to write. */
bool aci_sk_property_fits(const aci_sk_prop *prop, aci_json_kind kind);

static inline bool aci_sk_view_is(agentchat_str view, const char *text)
{
    return view.len == strlen(text) && memcmp(view.len > 0 ? view.ptr : "", text, view.len) == 0;
}

#endif
