/* SPDX-License-Identifier: Apache-2.0 */
/* What .NET would refuse to read, and what default mode writes instead. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_REPAIR_H
#define ACI_FORMAT_SEMANTIC_KERNEL_REPAIR_H

#include "format/semantic_kernel/writer.h"

/* Whether .NET is sure to take the text for an absolute URI. */
bool aci_sk_uri_is_absolute(agentchat_str uri);

typedef enum aci_sk_what {
    ACI_SK_KEEP,    /* as it is */
    ACI_SK_OMIT,    /* leave the property out */
    ACI_SK_NULL,    /* null */
    ACI_SK_REPLACE, /* another text, or another raw value for a JSON field */
    ACI_SK_SKIP     /* leave it out; nothing is repaired thereby */
} aci_sk_what;

typedef struct aci_sk_repair {
    aci_sk_what what;
    agentchat_str text; /* valid until the next fix */
    const char *why;    /* half a sentence for the report */
} aci_sk_repair;

/* What default mode does with a field (NULL: absent). kind: 0 for a message. */
aci_sk_repair aci_sk_repair_field(aci_sk_writer *wr, agentchat_item_kind kind, const aci_sk_prop *prop,
                                  const aci_field *field);
/* The same for the value of a JSON field. */
aci_sk_repair aci_sk_repair_json(aci_sk_writer *wr, agentchat_field id, agentchat_str raw);
/* The same for a text of the envelope: only lone surrogates matter there. */
aci_sk_repair aci_sk_repair_text(aci_sk_writer *wr, agentchat_str text);
/* Whether names of a raw object's members are the same to .NET, which ignores case there. */
bool aci_sk_names_collide(aci_sk_writer *wr, agentchat_str raw);
/* A readable text for an item of unknown kind, in wr->text. */
agentchat_str aci_sk_opaque_text(aci_sk_writer *wr, const aci_field *fields, size_t count);

#endif
