/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing unknown properties: beside .NET's only where our reader gets them back as such, by the look-up that it uses
 * itself. Any other one goes into the sidecar in default mode, and is a loss in strict mode.
 */
#include "format/semantic_kernel/data_uri.h"
#include "format/semantic_kernel/trial_read.h"
#include "format/semantic_kernel/write_message.h"
#include "format/semantic_kernel/write_sidecar.h"

#include "json/value.h"

static void write_extra(aci_sk_writer *wr, const agentchat_extra *extra)
{
    aci_writer_key(&wr->w, extra->name);
    aci_writer_inline_begin(&wr->w);
    aci_writer_raw(&wr->w, extra->value);
    aci_writer_inline_end(&wr->w);
}

/* ---- strict mode ------------------------------------------------------------------------------------------------- */

enum { MOST_PROPS = 16 };

/* What stands in an object while its unknown properties are written. */
typedef struct extras_out {
    aci_sk_writer *wr;
    const aci_sk_table *table;
    const aci_extras *extras;
    const aci_sk_object *object;
    uint32_t names;           /* bits of the properties that stand there in their exact spelling */
    size_t last[MOST_PROPS];  /* of the unknown ones of a property's exact name the last, from 1 */
    size_t other[MOST_PROPS]; /* the same in another spelling */
} extras_out;

static int lookup(const extras_out *x, size_t at, bool *exact)
{
    const agentchat_extra *extra = &x->extras->list[at];

    return aci_sk_is_own(extra->from) ? aci_sk_find_property(x->table, 0, extra->name, exact) : -1;
}

static void find_last(extras_out *x)
{
    bool exact;

    memset(x->last, 0, sizeof x->last);
    memset(x->other, 0, sizeof x->other);
    for (size_t i = 0; i < x->extras->count; i++) {
        int index = lookup(x, i, &exact);

        if (index >= 0)
            *(exact ? &x->last[index] : &x->other[index]) = i + 1;
    }
}

/* Whether the reader finds something newer, and so does not use a property of older files (read_legacy.c,
   read_message.c). */
static bool is_superseded(const extras_out *x, const aci_sk_prop *old)
{
    for (size_t i = 0; i < x->table->count; i++) {
        const aci_sk_prop *prop = &x->table->props[i];

        if ((x->object->written >> i & 1) == 0)
            continue;
        if (old->how == ACI_SK_TEXT ? prop->field == old->field || prop->how == ACI_SK_LABEL
                                    : old->how != ACI_SK_CONTENT && prop->how == ACI_SK_DATA)
            return true;
    }
    return old->how == ACI_SK_CONTENT && x->object->has_text;
}

/* Whether the reader gives a property of older files back. */
static bool is_given_back(const extras_out *x, const aci_sk_prop *old, const agentchat_extra *extra)
{
    aci_sk_data_uri uri;
    bool is_uri;

    if (aci_json_kind_of(extra->value) != ACI_JSON_STRING || is_superseded(x, old))
        return true;
    if (old->how != ACI_SK_DATA_URI)
        return false;
    x->wr->text.len = 0;
    if (!aci_json_unquote(extra->value, &x->wr->text)) {
        aci_sk_fail(x->wr, AGENTCHAT_E_NOMEM);
        return false;
    }
    is_uri = aci_sk_data_uri_parse(aci_buf_str(&x->wr->text), &uri);
    return !is_uri;
}

/* Whether the reader makes an unknown property of it again. */
static bool comes_back(const extras_out *x, size_t at)
{
    const agentchat_extra *extra = &x->extras->list[at];
    const aci_sk_prop *prop;
    bool exact, stands;
    int index = lookup(x, at, &exact);

    if (x->object->in_item && aci_sk_view_is(extra->name, "$type"))
        return false;
    if (index < 0)
        return true;
    prop = &x->table->props[index];
    stands = (x->names >> index & 1) != 0;
    if (exact ? x->last[index] != at + 1 : prop->legacy && !stands && x->other[index] != at + 1)
        return false; /* of several the last counts */
    if (prop->how == ACI_SK_SIDECAR)
        return !aci_sk_reads_as_sidecar(x->wr, extra->value, x->object);
    if (!exact && stands)
        return true; /* the exact spelling wins */
    if (prop->legacy)
        return is_given_back(x, prop, extra);
    return !stands && !aci_sk_property_fits(prop, aci_json_kind_of(extra->value));
}

bool aci_sk_stands_in(const aci_extras *extras, const aci_sk_prop *prop)
{
    for (size_t i = extras != NULL ? extras->count : 0; i-- > 0;) {
        const agentchat_extra *extra = &extras->list[i];

        if (aci_sk_is_own(extra->from) && aci_sk_view_is(extra->name, prop->name))
            return !aci_sk_property_fits(prop, aci_json_kind_of(extra->value));
    }
    return false;
}

/* Writes an unknown property, or says why strict mode does not. */
static void write_strict(extras_out *x, const aci_location *path, size_t at)
{
    bool exact;
    int index = lookup(x, at, &exact);

    if (!aci_sk_is_own(x->extras->list[at].from)) {
        aci_sk_loss(x->wr, path, ".NET's format cannot hold a property of another format");
    } else if (comes_back(x, at)) {
        write_extra(x->wr, &x->extras->list[at]);
        if (index >= 0 && exact)
            x->names |= UINT32_C(1) << index;
    } else if (index >= 0 && (x->names >> index & 1) == 0) {
        aci_sk_loss(x->wr, path, "it would be read as the property %s", x->table->props[index].name);
    } else {
        aci_sk_loss(x->wr, path, "a property of the same name stands beside it");
    }
}

/* ---- both modes -------------------------------------------------------------------------------------------------- */

static void write_all_strict(aci_sk_writer *wr, const aci_location *list, const aci_sk_table *table,
                             const aci_extras *extras, const aci_sk_object *object)
{
    extras_out x = {.wr = wr, .table = table, .extras = extras, .object = object, .names = object->written};
    aci_location location = {list, {NULL, 0}, 0};

    find_last(&x);
    for (; location.index < extras->count && wr->w.status >= 0; location.index++)
        write_strict(&x, &location, location.index);
}

void aci_sk_write_extras(aci_sk_writer *wr, const aci_location *path, const aci_sk_table *table,
                         const aci_extras *extras, const aci_sk_object *object)
{
    if (extras == NULL)
        return;
    if (wr->strict) {
        write_all_strict(wr, ACI_AT(path, "extras"), table, extras, object);
        return;
    }
    for (size_t i = 0; i < extras->count && wr->w.status >= 0; i++)
        if (!aci_sk_extra_is_moved(table, &extras->list[i], object->in_item))
            write_extra(wr, &extras->list[i]);
}
