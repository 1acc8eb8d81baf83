/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What counts of the sidecar: a value only where our writer, given it, would have written what stands beside the
 * sidecar. So nothing can say one thing to .NET and another one to us; what stands outside wins.
 */
#include "format/semantic_kernel/data_uri.h"
#include "format/semantic_kernel/read_sidecar_parts.h"
#include "format/semantic_kernel/repair.h"
#include "format/semantic_kernel/result_content.h"

#include "json/value.h"

#define BIT(id) (UINT64_C(1) << (id))

typedef struct checker {
    aci_sk_sidecar_reader *o;
    const aci_sk_beside *beside;
    aci_sk_writer wr; /* for the writer's rules; it writes nothing */
} checker;

static bool note(checker *c, const char *name)
{
    aci_location location = {c->o->path, agentchat_str_from(name), 0};

    return aci_sk_note(c->o->s, c->o->r, &location,
                       "agentchat says another thing than what stands beside it, which counts here");
}

/* ---- fields --------------------------------------------------------------------------------------------------- */

static const aci_field *outside(const checker *c, agentchat_field id)
{
    return aci_field_find(c->beside->draft->fields, c->beside->draft->field_count, id);
}

static const aci_field *inside(const checker *c, agentchat_field id)
{
    return aci_field_find(c->o->draft->fields, c->o->draft->field_count, id);
}

static bool is_nothing(const aci_field *field)
{
    return field == NULL || field->form == ACI_FORM_NULL;
}

static bool is_unchanged(const aci_field *a, const aci_field *b)
{
    return a == NULL || b == NULL ? a == b
                                  : a->form == b->form && agentchat_str_equal(aci_field_text(a), aci_field_text(b));
}

/* Whether two values of a field are equal: JSON by value, since it may have been indented since. */
static bool is_same(checker *c, aci_form form, agentchat_str a, agentchat_str b)
{
    const agentchat_env *env = c->o->s->env;
    aci_buf left, right;
    bool same;

    if (a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0))
        return true;
    if (form != ACI_FORM_JSON)
        return false;
    aci_buf_init(&left, env, SIZE_MAX);
    aci_buf_init(&right, env, SIZE_MAX);
    if (aci_json_canonical(a, &left, env, NULL) < 0 || aci_json_canonical(b, &right, env, NULL) < 0)
        aci_sk_fail(&c->wr, AGENTCHAT_E_NOMEM);
    same = agentchat_str_equal(aci_buf_str(&left), aci_buf_str(&right));
    aci_buf_clear(&left);
    aci_buf_clear(&right);
    return same;
}

/* Whether a property shows `shown` (NULL: absent) once our writer was given `field`. */
static bool shows(checker *c, const aci_sk_prop *prop, const aci_field *field, const aci_field *shown)
{
    aci_sk_repair fix = aci_sk_repair_field(&c->wr, c->beside->kind, prop, field);
    aci_form form = field != NULL && field->form == ACI_FORM_JSON ? ACI_FORM_JSON : ACI_FORM_TEXT;

    switch (fix.what) {
    case ACI_SK_OMIT:
    case ACI_SK_SKIP:
    case ACI_SK_NULL:
        return is_nothing(shown);
    case ACI_SK_REPLACE:
        return !is_nothing(shown) && is_same(c, form, fix.text, aci_field_text(shown));
    case ACI_SK_KEEP:
        break;
    }
    if (is_nothing(field) || is_nothing(shown))
        return is_nothing(field) && is_nothing(shown);
    return is_same(c, form, aci_field_text(field), aci_field_text(shown));
}

static void take_back(checker *c, agentchat_field id)
{
    const aci_field *field = outside(c, id);

    if (field == NULL)
        aci_draft_unset(c->o->draft, id);
    else
        aci_draft_set(c->o->draft, id, (aci_form)field->form,
                      field->form == ACI_FORM_NULL ? agentchat_str_null() : aci_field_text(field));
}

static bool check_field(checker *c, agentchat_field id)
{
    const aci_sk_prop *prop = aci_sk_field_property(c->beside->table, id);

    if (prop == NULL || is_unchanged(inside(c, id), outside(c, id)) || shows(c, prop, inside(c, id), outside(c, id)))
        return true;
    take_back(c, id);
    return note(c, aci_field_name(id));
}

/* ---- data URIs ------------------------------------------------------------------------------------------------ */

/* Whether the item that has a data URI and no data was written as what stands outside. */
static bool shows_data_uri(checker *c, agentchat_str uri)
{
    static const agentchat_field set[] = {AGENTCHAT_FIELD_MIME_TYPE, AGENTCHAT_FIELD_METADATA};
    const agentchat_env *env = c->o->s->env;
    aci_sk_data_uri parts;
    const aci_data *data;
    aci_arena *arena;
    aci_draft given;
    bool shown;

    if (c->beside->data == NULL || !aci_sk_data_uri_parse(uri, &parts))
        return false;
    arena = aci_arena_new(env, 0);
    aci_draft_begin(&given);
    memcpy(given.fields, c->o->draft->fields, c->o->draft->field_count * sizeof *given.fields);
    given.field_count = c->o->draft->field_count;
    data = arena != NULL ? aci_sk_data_uri_apply(&parts, &given, env, arena) : NULL;
    if (data == NULL)
        aci_sk_fail(&c->wr, AGENTCHAT_E_NOMEM);
    shown = data != NULL && aci_data_equal(data, c->beside->data);
    for (size_t i = 0; shown && i < 2; i++)
        shown = shows(c, aci_sk_field_property(c->beside->table, set[i]),
                      aci_field_find(given.fields, given.field_count, set[i]), outside(c, set[i]));
    aci_draft_clear(&given, env);
    aci_arena_unref(arena);
    return shown;
}

/* The sidecar has a data URI, or says that there is no data. *settled: bits of the fields that need no further look. */
static bool check_data_uri(checker *c, uint64_t *settled)
{
    agentchat_str uri = aci_field_view(inside(c, AGENTCHAT_FIELD_URI));
    bool is_uri = uri.len > 0 && aci_sk_is_data_uri(uri) && is_nothing(outside(c, AGENTCHAT_FIELD_URI)), good;
    aci_sk_data_uri parts;

    if (!is_uri && !c->o->sidecar->data_absent)
        return true;
    if (c->o->sidecar->data_absent)
        good = is_uri && shows_data_uri(c, uri);
    else /* the writer took it out */
        good = c->beside->data != NULL || !aci_sk_data_uri_parse(uri, &parts);
    if (good) {
        *settled = BIT(AGENTCHAT_FIELD_URI);
        if (c->o->sidecar->data_absent)
            *settled |= BIT(AGENTCHAT_FIELD_MIME_TYPE) | BIT(AGENTCHAT_FIELD_METADATA);
        return true;
    }
    c->o->sidecar->data_absent = false;
    take_back(c, AGENTCHAT_FIELD_URI);
    return note(c, is_uri ? "uri" : "data");
}

/* ---- contents of results --------------------------------------------------------------------------------------- */

/* A content counts beside a value, and where the value outside is what the writer makes of its texts. */
static bool check_content(checker *c, uint64_t *settled)
{
    const aci_sk_prop *prop = aci_sk_field_property(c->beside->table, AGENTCHAT_FIELD_RESULT);
    aci_draft made;
    aci_buf text;
    bool good;

    if (c->o->sidecar->content == NULL || !is_nothing(inside(c, AGENTCHAT_FIELD_RESULT)))
        return true;
    aci_draft_begin(&made);
    aci_buf_init(&text, c->o->s->env, SIZE_MAX);
    if (!aci_sk_content_text(c->o->sidecar->content, &text))
        aci_sk_fail(&c->wr, AGENTCHAT_E_NOMEM);
    if (text.len > 0)
        aci_draft_set(&made, AGENTCHAT_FIELD_RESULT, ACI_FORM_JSON, aci_buf_str(&text));
    good = shows(c, prop, aci_field_find(made.fields, made.field_count, AGENTCHAT_FIELD_RESULT),
                 outside(c, AGENTCHAT_FIELD_RESULT));
    aci_buf_clear(&text);
    *settled |= BIT(AGENTCHAT_FIELD_RESULT);
    if (good)
        return true;
    c->o->sidecar->content = NULL;
    take_back(c, AGENTCHAT_FIELD_RESULT);
    return note(c, "content");
}

/* ---- objects -------------------------------------------------------------------------------------------------- */

/* An item of unknown kind is written as a text, and nothing else. */
static bool check_opaque(checker *c)
{
    const aci_draft *shown = c->beside->draft;
    aci_draft *draft = c->o->draft;
    agentchat_str text = aci_sk_opaque_text(&c->wr, draft->fields, draft->field_count);
    bool good = c->beside->kind == AGENTCHAT_ITEM_TEXT;

    for (size_t i = 0; good && i < shown->field_count; i++)
        good = is_nothing(&shown->fields[i]) || (shown->fields[i].id == AGENTCHAT_FIELD_TEXT &&
                                                 agentchat_str_equal(aci_field_text(&shown->fields[i]), text));
    if (good && (text.len == 0 || !is_nothing(outside(c, AGENTCHAT_FIELD_TEXT))))
        return true;
    memcpy(draft->fields, shown->fields, shown->field_count * sizeof *shown->fields);
    draft->field_count = shown->field_count;
    c->o->sidecar->opaque = false;
    return note(c, "text");
}

static bool check_fields(checker *c)
{
    uint64_t settled = 0;
    bool ok = true;

    if (c->o->sidecar->opaque)
        return check_opaque(c);
    if (c->beside->kind == AGENTCHAT_ITEM_IMAGE || c->beside->kind == AGENTCHAT_ITEM_AUDIO ||
        c->beside->kind == AGENTCHAT_ITEM_BINARY)
        ok = check_data_uri(c, &settled);
    else if (c->beside->kind == AGENTCHAT_ITEM_RESULT)
        ok = check_content(c, &settled);
    for (int id = 1; ok && id <= AGENTCHAT_FIELD_FORM; id++)
        if ((settled & BIT(id)) == 0)
            ok = check_field(c, (agentchat_field)id);
    return ok;
}

/* Texts of the envelope stand in the sidecar for their lone surrogates only. */
static bool check_texts(checker *c)
{
    static const char *const names[] = {"id", "name", "type"}, *const channel_names[] = {"channelkey", "",
                                                                                         "channeltype"};
    bool ok = true;

    for (size_t i = 0; ok && i < 3; i++) {
        agentchat_str *text = &c->o->texts[i], shown = c->beside->texts[i];
        aci_sk_repair fix;

        if (agentchat_str_equal(*text, shown))
            continue;
        fix = aci_sk_repair_text(&c->wr, *text);
        if (fix.what == ACI_SK_REPLACE && agentchat_str_equal(fix.text, shown))
            continue;
        *text = shown;
        ok = note(c, c->beside->table == &aci_sk_channel ? channel_names[i] : names[i]);
    }
    return ok;
}

bool aci_sk_check_sidecar(aci_sk_sidecar_reader *o)
{
    checker c = {o, o->beside, {.env = o->s->env}};
    bool ok = o->refused == 0 || note(&c, "extras");

    if (o->beside->table == NULL) /* there is nothing outside */
        return ok;
    aci_buf_init(&c.wr.text, o->s->env, SIZE_MAX);
    ok = ok && (o->texts != NULL ? check_texts(&c) : check_fields(&c));
    aci_buf_clear(&c.wr.text);
    return c.wr.w.status < 0 ? aci_sk_nomem(o->r) : ok;
}
