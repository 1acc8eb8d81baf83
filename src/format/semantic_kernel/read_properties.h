/* SPDX-License-Identifier: Apache-2.0 */
/* Running along the properties of an object that is read. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_READ_PROPERTIES_H
#define ACI_FORMAT_SEMANTIC_KERNEL_READ_PROPERTIES_H

#include "format/semantic_kernel/properties.h"
#include "format/semantic_kernel/reader.h"
#include "model/model.h"

typedef struct aci_sk_other { /* a property read in another letter case, in case the exact one follows */
    agentchat_str key, raw;
    size_t extra; /* where the draft has the exact one's value as an extra, from 1; 0: nowhere */
} aci_sk_other;

typedef struct aci_sk_props {
    aci_sk_reader *s;
    aci_json_reader *r;
    const aci_sk_table *table;
    const aci_location *path;
    aci_draft *draft; /* takes the extras */
    size_t expected;
    agentchat_str key;       /* of the property that is being read */
    int current;             /* its index */
    const char *other_begin; /* where its value stands if its name is spelled in another case; else NULL */
    bool skip_type;
    bool removed;          /* extras of the draft are marked as removed, without a name */
    uint32_t exact, other; /* bits of the properties seen */
    uint32_t old;          /* bits of the properties of older files, whose values wait in others */
    aci_sk_other *others;  /* by index; made when it is first needed */
} aci_sk_props;

enum { ACI_SK_END = -1 };
void aci_sk_props_begin(aci_sk_props *p, aci_sk_reader *s, aci_json_reader *r, const aci_sk_table *table,
                        const aci_location *path, aci_draft *draft);
/* Index of the next property that the table knows; unknown ones are put into the draft's extras on the way. END at the
   end and on failure. */
int aci_sk_props_next(aci_sk_props *p);
/* Releases what the run holds. */
void aci_sk_props_end(aci_sk_props *p);
/* The next value is not of the type that its property should have: it becomes an extra of that name. */
bool aci_sk_props_mismatch(aci_sk_props *p, const char *wanted);
/* Reads the value of the current property into a field of the draft: text, label or JSON. */
bool aci_sk_props_field(aci_sk_props *p, const aci_sk_prop *prop);
/* Defers the value of the current property, for what is decided at the object's end. */
bool aci_sk_props_keep(aci_sk_props *p);
/* The value deferred under a property of the table; absent when it did not occur. */
agentchat_str aci_sk_props_kept(const aci_sk_props *p, const char *name);
/* It turned out not to be wanted: it becomes an extra. */
bool aci_sk_props_give_back(aci_sk_props *p, const char *name);
/* Whether the property has been seen, with a value of the right type or null. */
bool aci_sk_props_seen(const aci_sk_props *p, const char *name);
/* Reads a text property of an envelope object into a view; null and absent are kept apart. */
bool aci_sk_props_text(aci_sk_props *p, agentchat_str *out);
/* The unknown properties that the draft has received. */
bool aci_sk_props_extras(aci_sk_props *p, aci_extras **out);

#endif
