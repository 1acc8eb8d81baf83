/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What our own reader would make of a value that strict mode is about to write: asked of the reader itself. Layer 4.
 * Out of memory sticks in the JSON writer; a value that a limit stops is none that would be taken.
 */
#include "codec/sk_read.h"
#include "codec/sk_write.h"

typedef struct probe { /* in memory of its own, since the readers are large */
    aci_read in;
    aci_sk_reader s;
    aci_json_reader r;
} probe;

static probe *begin(aci_sk_writer *wr, agentchat_str raw)
{
    probe *p = aci_alloc_zero(wr->env, sizeof *p);
    aci_json_options options = {0};

    if (p != NULL)
        p->in.home = aci_home_new(wr->env, 0);
    if (p == NULL || p->in.home == NULL) {
        aci_free(wr->env, p, sizeof *p);
        aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
        return NULL;
    }
    p->in.env = wr->env;
    p->in.len = raw.len;
    p->in.limits = wr->env->limits;
    p->s.in = &p->in;
    p->s.env = wr->env;
    p->s.home = p->in.home;
    options.env = wr->env;
    options.home = p->in.home;
    options.max_depth = p->in.limits.max_depth;
    aci_json_begin(&p->r, &options, (char *)(uintptr_t)raw.ptr, raw.len, NULL);
    return p;
}

static void end(aci_sk_writer *wr, probe *p)
{
    if (aci_json_close(&p->r) == AGENTCHAT_E_NOMEM)
        aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
    aci_free(wr->env, p->s.items, p->s.item_cap * sizeof *p->s.items);
    aci_home_unref(p->in.home);
    aci_free(wr->env, p, sizeof *p);
}

bool aci_sk_reads_as_own(aci_sk_writer *wr, agentchat_str raw, const aci_sk_object *object)
{
    agentchat_str texts[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    aci_sk_own own;
    aci_draft draft;
    aci_sk_beside beside = {NULL, object->kind, &draft, object->envelope ? texts : NULL, NULL};
    bool foreign;
    probe *p;

    if (aci_json_kind_of(raw) != ACI_JSON_OBJECT)
        return false;
    p = begin(wr, raw);
    if (p == NULL)
        return true;
    aci_draft_begin(&draft);
    /* What is somebody else's becomes an unknown property, whole. */
    foreign = aci_sk_read_own(&p->s, &p->r, raw, NULL, &beside, &own) && draft.extra_count == 1 &&
              draft.extras[0].value.ptr == raw.ptr;
    aci_draft_clear(&draft, wr->env);
    end(wr, p);
    return !foreign;
}

/* The kind that an item is read as, and its $type; as sk_read_item.c finds them. */
static agentchat_item_kind kind_of_object(probe *p, agentchat_str raw, agentchat_str *type)
{
    agentchat_str key, value;

    *type = (agentchat_str){NULL, 0};
    if (!aci_json_object(&p->r) || !aci_json_member(&p->r, &key))
        return (agentchat_item_kind)0;
    if (aci_sk_view_is(key, "$type")) {
        (void)(aci_json_peek(&p->r) == ACI_JSON_STRING ? aci_json_string(&p->r, type) : aci_json_raw(&p->r, &value));
        return aci_sk_kind_of(*type);
    }
    if (!aci_sk_find_type(&p->s, &p->r, raw, type))
        return (agentchat_item_kind)0;
    return type->ptr == NULL ? aci_sk_guess_kind(raw) : aci_sk_kind_of(*type);
}

bool aci_sk_reads_as_opaque(aci_sk_writer *wr, const agentchat_item *item)
{
    agentchat_str raw = aci_field_view(aci_find(item->fields, item->field_count, AGENTCHAT_FIELD_RAW));
    agentchat_str given = aci_field_view(aci_find(item->fields, item->field_count, AGENTCHAT_FIELD_TYPE)), type;
    bool has_type = given.ptr != NULL && !agentchat_str_is_null(given), same;
    probe *p;

    if (raw.len == 0 || aci_json_kind_of(raw) == ACI_JSON_NULL)
        return item->is_null != 0;
    if (aci_json_kind_of(raw) != ACI_JSON_OBJECT)
        return !has_type;
    p = begin(wr, raw);
    if (p == NULL)
        return true;
    same = kind_of_object(p, raw, &type) == 0 && p->r.status >= 0 &&
           (has_type ? agentchat_str_equal(given, type) : type.ptr == NULL || agentchat_str_is_null(type));
    end(wr, p);
    return same;
}

bool aci_sk_reads_as_state(aci_sk_writer *wr, agentchat_str text, aci_sk_state kind)
{
    agentchat_snapshot *chat = NULL;
    aci_sk_list list = {0};
    bool is_state;
    probe *p;

    if (kind == ACI_SK_STATE_OTHER || text.len == 0)
        return false;
    p = begin(wr, text);
    if (p == NULL)
        return true;
    is_state = (kind == ACI_SK_STATE_CHAT ? aci_sk_read_chat(&p->s, &p->r, NULL, NULL, &chat)
                                          : aci_sk_read_messages(&p->s, &p->r, NULL, NULL, &list)) &&
               aci_json_end(&p->r);
    agentchat_snapshot_unref(chat);
    aci_sk_list_clear(&list, wr->env);
    end(wr, p);
    return is_state;
}
