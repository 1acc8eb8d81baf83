/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repairing a history by a profile: calls and results are paired, each item gets what it must have, and then the
 * messages are laid out anew. What comes out as it went in is not touched.
 */
#include "list_edit/list_edit.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/index.h"
#include "list_edit/list_edit_internal.h"
#include "model/form_mark.h"
#include <agentchat/calls.h>
#include <agentchat/json_text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX
#define NO_RESULT "[no result was recorded for this call]"

/* An item of the history. */
typedef struct part {
    const agentchat_item *item;
    size_t message;
    size_t partner;                            /* of a call its result, of a result its call */
    size_t joined;                             /* of a result: another one that becomes a part of it */
    agentchat_str id, plugin, name, arguments; /* that it gets; absent: it keeps its own */
    const agentchat_extra *extra;              /* of its message, which it gets */
    bool released;                             /* it loses its id */
    bool gone;                                 /* it does not stand where it stood */
    bool away;                                 /* a result that does not follow its call */
    bool as_text;                              /* a result that becomes a text */
    bool unmarked;                             /* its form mark goes */
    bool mends_content;                        /* of a result: its content changes */
    bool follows;                              /* it stands in a message of its own, after the turn */
    bool shows;                                /* of a result: media of its content do */
    aci_media media;
} part;

/* What comes of a part: the item, a failed result of the call, the media in the content of the result. */
typedef enum placed_as { AS_ITEM, AS_FAILED, AS_CONTENT } placed_as;

/* An item where it comes to stand. */
typedef struct placed {
    size_t part;
    placed_as as;
} placed;

/* A message, or a piece of one, which is laid out as a message of its own. */
typedef struct piece {
    size_t message;
    bool is_results; /* of calls in the piece before */
} piece;

/* A message that comes out. */
typedef struct made {
    size_t from;      /* the message or piece that it is made of; NONE: none */
    bool moved;       /* it stood elsewhere */
    const char *role; /* that it gets; NULL: it keeps its own */
    size_t first, count;
} made;

typedef struct repairing {
    const agentchat_env *env;
    const agentchat_messages *messages;
    size_t length;
    const agentchat_repair_profile *profile;
    agentchat_repair_options options;
    const agentchat_repair_row *rows[AGENTCHAT_REPAIR_SAME_ROLE + 1]; /* by rule; NULL: it does not count */
    bool is_own;                                                      /* the history is of the provider's own format */
    aci_repair_fn each;
    void *user;
    aci_arena *arena;
    part *parts;
    size_t *start; /* part of each message */
    size_t *first; /* the same, and one more; of each piece, where there are pieces: then `length` counts them */
    piece *pieces; /* NULL: each message is one */
    size_t part_count;
    size_t answer;        /* the empty message of the assistant that may stay at the end; NONE */
    size_t frontier;      /* the message whose calls may wait; NONE */
    size_t system;        /* of what comes out: the one that system messages become part of */
    agentchat_str *names; /* of each message: the author's name that it gets; absent: it keeps its own */
    bool waits;           /* the calls of the message that is laid out wait: nothing may follow them */
    bool told_roles;      /* that results stand in messages of another role has been said */
    size_t *following;    /* parts that follow the turn that is laid out */
    size_t following_count, following_cap;
    placed *placed;
    size_t placed_count, placed_cap;
    made *made;
    size_t made_count, made_cap;
    agentchat_error *err;
    agentchat_status status;
} repairing;

/* ==== what is found ============================================================================================== */

/* Whether a rule makes a change: it counts, and not as advice only. */
static bool mends(const repairing *r, agentchat_repair_rule rule)
{
    return r->rows[rule] != NULL && !r->rows[rule]->is_advice;
}

/* The number of the message to which a piece belongs, and that message. */
static size_t message_of(const repairing *r, size_t index)
{
    return r->pieces != NULL ? r->pieces[index].message : index;
}

static const agentchat_message *message_at(const repairing *r, size_t index)
{
    return agentchat_messages_at(r->messages, message_of(r, index));
}

static void found_as(repairing *r, agentchat_repair_rule rule, size_t message, size_t item, bool is_loss,
                     const char *what)
{
    const aci_finding finding = {r->rows[rule], message_of(r, message), item, is_loss, what};

    if (r->status >= 0 && r->each != NULL && r->rows[rule] != NULL)
        r->status = r->each(r->user, &finding, r->err);
}

static void found(repairing *r, agentchat_repair_rule rule, size_t message, size_t item, const char *what)
{
    found_as(r, rule, message, item, false, what);
}

static void found_part(repairing *r, agentchat_repair_rule rule, size_t index, const char *what)
{
    size_t message = r->parts[index].message;

    found(r, rule, message, index - r->start[message_of(r, message)], what);
}

static void lost_part(repairing *r, agentchat_repair_rule rule, size_t index, const char *what)
{
    size_t message = r->parts[index].message;

    found_as(r, rule, message, index - r->start[message_of(r, message)], true, what);
}

static bool no_memory(repairing *r)
{
    if (r->status >= 0)
        r->status = aci_fail_nomem(r->err);
    return false;
}

static agentchat_str field_of(const part *p, agentchat_field field)
{
    agentchat_str text = agentchat_item_get(p->item, field);

    return text.ptr == NULL || agentchat_str_is_null(text) ? (agentchat_str){NULL, 0} : text;
}

static bool is_kind(const part *p, agentchat_item_kind kind)
{
    return agentchat_item_get_kind(p->item) == kind;
}

/* Whether what is laid out is the results of calls that stood in one message with them. */
static bool is_results(const repairing *r, size_t index)
{
    return r->pieces != NULL && r->pieces[index].is_results;
}

static agentchat_str role_of(const repairing *r, size_t message)
{
    return aci_roles_plain(is_results(r, message) ? agentchat_str_from(r->profile->result_role)
                                                  : agentchat_message_role(message_at(r, message)));
}

static bool is_role(const repairing *r, size_t message, const char *role)
{
    return agentchat_str_equal(role_of(r, message), agentchat_str_from(role));
}

/* ==== parts, and which belong together =========================================================================== */

static bool collect(repairing *r)
{
    size_t count = 0;

    for (size_t m = 0; m < r->length; m++)
        count += agentchat_message_item_count(agentchat_messages_at(r->messages, m));
    r->parts = aci_arena_alloc(r->arena, (count + 1) * sizeof *r->parts);
    r->first = aci_arena_alloc(r->arena, (r->length + 1) * sizeof *r->first);
    r->names = aci_arena_alloc(r->arena, (r->length + 1) * sizeof *r->names);
    if (r->parts == NULL || r->first == NULL || r->names == NULL)
        return no_memory(r);
    memset(r->names, 0, (r->length + 1) * sizeof *r->names);
    for (size_t m = 0; m < r->length; m++) {
        const agentchat_message *message = agentchat_messages_at(r->messages, m);

        r->first[m] = r->part_count;
        for (size_t i = 0; i < agentchat_message_item_count(message); i++)
            r->parts[r->part_count++] =
                (part){.item = agentchat_message_item(message, i), .message = m, .partner = NONE, .joined = NONE};
    }
    r->first[r->length] = r->part_count;
    r->start = r->first;
    return true;
}

typedef struct keyed {
    agentchat_str id;
    size_t part;
} keyed;

static int by_id(const void *left, const void *right)
{
    const keyed *a = left, *b = right;
    int order = aci_str_compare(a->id, b->id);

    return order != 0 ? order : (a->part > b->part) - (a->part < b->part);
}

static void join(repairing *r, size_t call, size_t result)
{
    part *first = &r->parts[r->parts[call].partner];

    r->parts[result].joined = first->joined; /* the newest one in front; printed the other way round */
    first->joined = result;
    r->parts[result].partner = call;
    r->parts[result].gone = true;
}

static void tie(repairing *r, size_t call, size_t result)
{
    r->parts[call].partner = result;
    r->parts[result].partner = call;
}

/* Calls and results of one id, in their order. A result belongs to the first call without one in the newest message
   that has calls of this id; one that comes before its call, to the first call that is left. */
static void pair_id(repairing *r, const keyed *keys, size_t count)
{
    size_t open = NONE, answered = NONE, message = NONE, left = 0;

    for (size_t i = 0; i < count; i++) {
        const part *p = &r->parts[keys[i].part];

        if (is_kind(p, AGENTCHAT_ITEM_CALL)) {
            if (p->message != message)
                open = i;
            message = p->message;
            continue;
        }
        while (open != NONE && open < i &&
               (!is_kind(&r->parts[keys[open].part], AGENTCHAT_ITEM_CALL) || r->parts[keys[open].part].partner != NONE))
            open++;
        if (open != NONE && open < i) {
            tie(r, keys[open].part, keys[i].part);
            answered = keys[open].part;
        } else if (answered != NONE && mends(r, AGENTCHAT_REPAIR_RESULT_TWICE)) {
            join(r, answered, keys[i].part);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_kind(&r->parts[keys[i].part], AGENTCHAT_ITEM_RESULT) || r->parts[keys[i].part].partner != NONE)
            continue;
        while (left < count &&
               (!is_kind(&r->parts[keys[left].part], AGENTCHAT_ITEM_CALL) || r->parts[keys[left].part].partner != NONE))
            left++;
        if (left < count)
            tie(r, keys[left].part, keys[i].part);
    }
}

/* Those without an id, as agentchat_calls_find() has them. */
static bool pair_without_id(repairing *r)
{
    agentchat_calls *calls = NULL;
    size_t *parts = aci_arena_alloc(r->arena, (r->part_count + 1) * sizeof *parts), count = 0;

    if (parts == NULL || agentchat_calls_find(r->env, r->messages, &calls, NULL) < 0)
        return no_memory(r);
    for (size_t i = 0; i < r->part_count; i++)
        if (is_kind(&r->parts[i], AGENTCHAT_ITEM_CALL) || is_kind(&r->parts[i], AGENTCHAT_ITEM_RESULT))
            parts[count++] = i;
    for (size_t i = 0; i < count; i++) {
        const agentchat_call *call = agentchat_calls_at(calls, i);

        if (is_kind(&r->parts[parts[i]], AGENTCHAT_ITEM_CALL) && call->partner != AGENTCHAT_NO_PARTNER &&
            field_of(&r->parts[parts[i]], AGENTCHAT_FIELD_CALL_ID).len == 0)
            tie(r, parts[i], parts[call->partner]);
    }
    agentchat_calls_free(calls);
    return true;
}

static bool pair(repairing *r)
{
    keyed *keys = aci_arena_alloc(r->arena, (r->part_count + 1) * sizeof *keys);
    size_t count = 0;

    if (keys == NULL)
        return no_memory(r);
    for (size_t i = 0; i < r->part_count; i++) {
        agentchat_str id = field_of(&r->parts[i], AGENTCHAT_FIELD_CALL_ID);

        if (id.len > 0 && (is_kind(&r->parts[i], AGENTCHAT_ITEM_CALL) || is_kind(&r->parts[i], AGENTCHAT_ITEM_RESULT)))
            keys[count++] = (keyed){id, i};
    }
    if (count > 0)
        qsort(keys, count, sizeof *keys, by_id);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && agentchat_str_equal(keys[i].id, keys[end].id);)
            end++;
        pair_id(r, keys + i, end - i);
    }
    if (!pair_without_id(r))
        return false;
    for (size_t i = 0; i < r->part_count; i++)
        if (r->parts[i].joined != NONE && r->parts[r->parts[i].partner].partner == i)
            found_part(r, AGENTCHAT_REPAIR_RESULT_TWICE, r->parts[i].joined,
                       "the result was joined with the first one of its call");
    return true;
}

/* ==== what an item must have ===================================================================================== */

/* Whether a byte may stand in a word: in those that the provider has for ids and functions, in an author's name. */
typedef bool byte_test(const repairing *r, char c);

static bool is_word_byte(const repairing *r, char c)
{
    (void)r;
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static bool is_author_byte(const repairing *r, char c)
{
    return (unsigned char)c > ' ' && c != '\x7f' && strchr(r->profile->author_without, c) == NULL;
}

static bool is_word(const repairing *r, agentchat_str text, size_t most, byte_test *is)
{
    if (text.len == 0 || (most > 0 && text.len > most))
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (!is(r, text.ptr[i]))
            return false;
    return true;
}

/* A text with other bytes as underscores, cut between characters, and a number after it unless that is 0. */
static agentchat_str make_word(repairing *r, agentchat_str text, size_t most, size_t number, byte_test *is)
{
    char end[24] = "";
    size_t len, tail = number > 0 ? (size_t)snprintf(end, sizeof end, "_%zu", number) : 0;
    char *word;

    len = most > 0 && text.len + tail > most ? most - tail : text.len;
    while (len > 0 && len < text.len && ((unsigned char)text.ptr[len] & 0xC0u) == 0x80u)
        len--;
    word = aci_arena_text(r->arena, len + tail + 1);
    if (word == NULL) {
        (void)no_memory(r);
        return (agentchat_str){NULL, 0};
    }
    for (size_t i = 0; i < len; i++)
        word[i] = is(r, text.ptr[i]) ? text.ptr[i] : '_';
    memcpy(word + len, end, tail + 1);
    return (agentchat_str){word, len + tail};
}

/* A word that nobody has; taken: all that somebody has. */
static agentchat_str new_word(repairing *r, aci_index *taken, agentchat_str text, size_t most, size_t *number,
                              byte_test *is)
{
    agentchat_str word = make_word(r, text, most, 0, is);

    while (r->status >= 0 && aci_index_find(taken, word) != ACI_INDEX_NONE)
        word = make_word(r, text, most, ++*number, is);
    if (r->status >= 0 && !aci_index_put(taken, r->env, word, 0))
        (void)no_memory(r);
    return word;
}

/* ---- ids ---- */

/* Whether the provider's own format had a call elsewhere than others, where it needs no id. */
static bool is_elsewhere(const repairing *r, const part *call)
{
    return r->profile->name != NULL && aci_form_mark_member(agentchat_item_get(call->item, AGENTCHAT_FIELD_FORM),
                                                            agentchat_str_from(r->profile->name), "in")
                                               .ptr != NULL;
}

static void give_ids(repairing *r)
{
    aci_index taken = {NULL, 0, 0}, seen = {NULL, 0, 0}; /* seen: ids by the message that had them last */
    size_t number = 1;

    for (size_t i = 0; i < r->part_count && r->status >= 0; i++)
        if (is_kind(&r->parts[i], AGENTCHAT_ITEM_CALL) &&
            !aci_index_put(&taken, r->env, field_of(&r->parts[i], AGENTCHAT_FIELD_CALL_ID), 0))
            (void)no_memory(r);
    for (size_t i = 0; i < r->part_count && r->status >= 0; i++) {
        part *call = &r->parts[i];
        agentchat_str id = field_of(call, AGENTCHAT_FIELD_CALL_ID);
        bool is_bad, is_twice;

        if (!is_kind(call, AGENTCHAT_ITEM_CALL) || (id.len == 0 && is_elsewhere(r, call)))
            continue;
        is_bad = id.len == 0 || (r->profile->id_most > 0 && id.len > r->profile->id_most) ||
                 (!r->profile->any_id && !is_word(r, id, 0, is_word_byte));
        is_twice = id.len > 0 && aci_index_find(&seen, id) == call->message;
        if (id.len > 0 && !aci_index_put(&seen, r->env, id, call->message))
            (void)no_memory(r);
        is_bad = is_bad && mends(r, AGENTCHAT_REPAIR_ID_FORM);
        is_twice = is_twice && mends(r, AGENTCHAT_REPAIR_ID_TWICE);
        if (!is_bad && !is_twice)
            continue;
        call->id =
            new_word(r, &taken, id.len > 0 ? id : AGENTCHAT_STR("call"), r->profile->id_most, &number, is_word_byte);
        if (call->partner != NONE)
            r->parts[call->partner].id = call->id;
        found_part(r, is_bad ? AGENTCHAT_REPAIR_ID_FORM : AGENTCHAT_REPAIR_ID_TWICE, i,
                   is_bad ? "the call and its result got another id" : "the second call of an id got another one");
    }
    aci_index_clear(&taken, r->env);
    aci_index_clear(&seen, r->env);
}

/* ---- names ---- */

/* The name with which a function is called: its plugin in front. */
static agentchat_str whole_name(repairing *r, const part *p)
{
    agentchat_str plugin = field_of(p, AGENTCHAT_FIELD_PLUGIN), name = field_of(p, AGENTCHAT_FIELD_FUNCTION);
    char *whole;

    if (plugin.len == 0)
        return name;
    whole = aci_arena_text(r->arena, plugin.len + name.len + 1);
    if (whole == NULL) {
        (void)no_memory(r);
        return name;
    }
    memcpy(whole, plugin.ptr, plugin.len);
    whole[plugin.len] = '-';
    if (name.len > 0)
        memcpy(whole + plugin.len + 1, name.ptr, name.len);
    return (agentchat_str){whole, plugin.len + 1 + name.len};
}

static void give_names(repairing *r)
{
    aci_index taken = {NULL, 0, 0}, old = {NULL, 0, 0}; /* old: names that are replaced, by the call that was first */
    size_t number = 1;

    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < r->part_count && r->status >= 0; i++) {
            part *call = &r->parts[i];
            agentchat_str name;
            size_t before;

            if (!is_kind(call, AGENTCHAT_ITEM_CALL))
                continue;
            name = whole_name(r, call);
            if (is_word(r, name, r->profile->name_most, is_word_byte)) {
                if (pass == 0 && !aci_index_put(&taken, r->env, name, 0))
                    (void)no_memory(r);
                continue;
            }
            if (pass == 0)
                continue;
            before = aci_index_find(&old, name);
            if (before == ACI_INDEX_NONE) {
                call->name = new_word(r, &taken, name.len > 0 ? name : AGENTCHAT_STR("unknown"), r->profile->name_most,
                                      &number, is_word_byte);
                if (r->status >= 0 && !aci_index_put(&old, r->env, name, i))
                    (void)no_memory(r);
            } else {
                call->name = r->parts[before].name;
            }
            if (field_of(call, AGENTCHAT_FIELD_PLUGIN).ptr != NULL)
                call->plugin = AGENTCHAT_STR("");
            if (call->partner != NONE && field_of(&r->parts[call->partner], AGENTCHAT_FIELD_FUNCTION).ptr != NULL) {
                r->parts[call->partner].name = call->name;
                r->parts[call->partner].plugin = call->plugin;
            }
            found_part(r, AGENTCHAT_REPAIR_NAME_FORM, i, "the function got another name");
        }
    aci_index_clear(&taken, r->env);
    aci_index_clear(&old, r->env);
}

/* ---- arguments, texts, reasoning ---- */

/* Arguments that are no object become a member of one; none, or an empty text, is an object without members. */
static void give_arguments(repairing *r, size_t index)
{
    part *call = &r->parts[index];
    agentchat_str given = field_of(call, AGENTCHAT_FIELD_ARGUMENTS);
    bool is_text = agentchat_json_kind_of(given) == AGENTCHAT_JSON_STRING;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_status status = AGENTCHAT_OK;
    bool ok = true;

    if (agentchat_json_kind_of(given) == AGENTCHAT_JSON_OBJECT)
        return;
    text.env = r->env;
    call->arguments = AGENTCHAT_STR("{}");
    if (given.ptr != NULL && !(is_text && given.len == 2)) {
        status = agentchat_bytes_append(&text, AGENTCHAT_STR("{\"INVALID_JSON\": "), r->err);
        if (status >= 0)
            status = is_text ? agentchat_bytes_append(&text, given, r->err)
                             : agentchat_json_quote(r->env, given, &text, r->err);
        if (status >= 0)
            status = agentchat_bytes_append(&text, AGENTCHAT_STR("}"), r->err);
        call->arguments = aci_arena_copy(r->arena, (agentchat_str){text.ptr, text.len}, &ok);
    }
    agentchat_bytes_clear(&text);
    if (status < 0 || !ok)
        r->status = status < 0 ? status : aci_fail_nomem(r->err);
    found_part(r, AGENTCHAT_REPAIR_ARGUMENTS, index, "arguments that are no object were put into one");
}

/* Whether the provider has stored an item. */
static bool is_stored(const repairing *r, const part *p)
{
    for (size_t i = 0; r->profile->item_id != NULL && i < agentchat_item_extra_count(p->item); i++) {
        const agentchat_extra *extra = agentchat_item_extra(p->item, i);

        if (agentchat_str_equal(extra->name, agentchat_str_from(r->profile->item_id)) &&
            agentchat_str_equal(extra->from, agentchat_str_from(r->profile->name)))
            return true;
    }
    return false;
}

/* Whether reasoning is the provider's. */
static bool is_signed(const repairing *r, const part *p)
{
    return r->profile->issuer == NULL || (is_stored(r, p) && field_of(p, AGENTCHAT_FIELD_SIGNATURE).len == 0) ||
           (field_of(p, AGENTCHAT_FIELD_SIGNATURE).len > 0 &&
            agentchat_str_equal(field_of(p, AGENTCHAT_FIELD_ISSUER), agentchat_str_from(r->profile->issuer)));
}

/* Reasoning that others have not signed goes, such as a gateway's copy as a text. All of a message goes where some of
   the provider's own has lost its signature, or somebody else has signed: what is signed counts as a whole. */
static void drop_reasoning(repairing *r, size_t message)
{
    bool is_torn = false;

    for (size_t i = r->first[message]; i < r->first[message + 1]; i++) {
        const part *p = &r->parts[i];

        is_torn = is_torn || (is_kind(p, AGENTCHAT_ITEM_REASONING) && !is_signed(r, p) &&
                              (r->is_own || field_of(p, AGENTCHAT_FIELD_SIGNATURE).len > 0));
    }
    for (size_t i = r->first[message]; i < r->first[message + 1]; i++) {
        if (!is_kind(&r->parts[i], AGENTCHAT_ITEM_REASONING) || (!is_torn && is_signed(r, &r->parts[i])))
            continue;
        r->parts[i].gone = true;
        lost_part(r, AGENTCHAT_REPAIR_REASONING, i, "reasoning that the provider has not signed was left out");
    }
}

/* ---- authors ---- */

enum { AUTHOR_MOST = 64 };

static bool is_author(const repairing *r, agentchat_str name)
{
    return is_word(r, name, AUTHOR_MOST, is_author_byte);
}

static agentchat_str author_of(const repairing *r, size_t message)
{
    agentchat_str name = agentchat_message_get(message_at(r, message), AGENTCHAT_FIELD_NAME);

    return agentchat_str_is_null(name) || is_role(r, message, "tool") ? (agentchat_str){NULL, 0} : name;
}

/* Equal names stay equal, and others differ. */
static void give_authors(repairing *r)
{
    aci_index taken = {NULL, 0, 0}, old = {NULL, 0, 0}; /* old: by the message that had it first */

    for (size_t m = 0; m < r->length && r->status >= 0; m++)
        if (author_of(r, m).ptr != NULL && is_author(r, author_of(r, m)) &&
            !aci_index_put(&taken, r->env, author_of(r, m), 0))
            (void)no_memory(r);
    for (size_t m = 0, number = 1; m < r->length && r->status >= 0; m++) {
        agentchat_str name = author_of(r, m), other = AGENTCHAT_STR("");
        size_t before;

        if (name.ptr == NULL || is_author(r, name))
            continue;
        before = aci_index_find(&old, name);
        if (before != ACI_INDEX_NONE) {
            other = r->names[before];
        } else if (name.len > 0) {
            other = new_word(r, &taken, name, AUTHOR_MOST, &number, is_author_byte);
            if (r->status >= 0 && !aci_index_put(&old, r->env, name, m))
                (void)no_memory(r);
        }
        r->names[m] = other;
        found(r, AGENTCHAT_REPAIR_AUTHOR, m, NONE, "the author got another name");
    }
    aci_index_clear(&taken, r->env);
    aci_index_clear(&old, r->env);
}

/* ---- texts, media, forms ---- */

/* Whether anything of an item is written for the provider where it stands in a message. */
static bool is_written(const repairing *r, const part *p)
{
    switch (agentchat_item_get_kind(p->item)) {
    case AGENTCHAT_ITEM_TEXT:
    case AGENTCHAT_ITEM_ACTION:
    case AGENTCHAT_ITEM_CALL:
    case AGENTCHAT_ITEM_RESULT:
    case AGENTCHAT_ITEM_IMAGE:
    case AGENTCHAT_ITEM_AUDIO:
    case AGENTCHAT_ITEM_BINARY:
    case AGENTCHAT_ITEM_FILE:
        return true;
    case AGENTCHAT_ITEM_REASONING:
        return r->is_own || r->profile->issuer != NULL;
    case AGENTCHAT_ITEM_OPAQUE:
        return r->profile->name != NULL &&
               agentchat_str_equal(field_of(p, AGENTCHAT_FIELD_FROM), agentchat_str_from(r->profile->name));
    case AGENTCHAT_ITEM_ANNOTATION:
        return r->is_own;
    case AGENTCHAT_ITEM_MESSAGE:
    case AGENTCHAT_ITEM_MAX_:
        break;
    }
    return false;
}

/* Reasoning that is stored stands before what followed it, which is stored, too, or a call. Without that it needs a
   signature, and loses its id. */
static void release_reasoning(repairing *r, size_t message)
{
    agentchat_str id = agentchat_message_get(message_at(r, message), AGENTCHAT_FIELD_ID);
    bool is_followed = false;

    for (size_t i = r->first[message + 1]; i-- > r->first[message];) {
        part *p = &r->parts[i];

        if (p->gone || !is_written(r, p))
            continue;
        if (!is_kind(p, AGENTCHAT_ITEM_REASONING)) {
            is_followed = is_kind(p, AGENTCHAT_ITEM_TEXT)
                              ? id.len > 0
                              : is_kind(p, AGENTCHAT_ITEM_CALL) || is_kind(p, AGENTCHAT_ITEM_OPAQUE);
        } else if (is_stored(r, p) && !is_followed) {
            p->released = field_of(p, AGENTCHAT_FIELD_SIGNATURE).len > 0;
            p->gone = !p->released;
            if (p->gone)
                lost_part(r, AGENTCHAT_REPAIR_REASONING, i, "reasoning was left out: what followed it is missing");
            else
                found_part(r, AGENTCHAT_REPAIR_REASONING, i, "reasoning lost its id: what followed it is missing");
        }
    }
}

static bool is_whitespace(const part *p)
{
    agentchat_str text = field_of(p, AGENTCHAT_FIELD_TEXT);

    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '\0' || strchr(" \t\r\n", text.ptr[i]) == NULL)
            return false;
    return text.len > 0;
}

static bool is_empty_text(const part *p)
{
    return is_kind(p, AGENTCHAT_ITEM_TEXT) && field_of(p, AGENTCHAT_FIELD_TEXT).len == 0;
}

/* Texts of whitespace go where anything else is written. */
static void drop_whitespace(repairing *r, size_t message)
{
    bool has_more = false;

    for (size_t i = r->first[message]; i < r->first[message + 1]; i++)
        has_more = has_more || (!r->parts[i].gone && is_written(r, &r->parts[i]) &&
                                !(is_kind(&r->parts[i], AGENTCHAT_ITEM_TEXT) && is_whitespace(&r->parts[i])));
    for (size_t i = r->first[message]; has_more && i < r->first[message + 1]; i++)
        if (is_kind(&r->parts[i], AGENTCHAT_ITEM_TEXT) && !r->parts[i].gone && is_whitespace(&r->parts[i])) {
            r->parts[i].gone = true;
            found_part(r, AGENTCHAT_REPAIR_WHITESPACE_TEXT, i, "a text of whitespace was left out");
        }
}

/* What an item becomes, where that counts. The data of an item has been decoded by then for those that build. */
static aci_media media_of(const repairing *r, const agentchat_item *item, agentchat_status *status)
{
    aci_media media;

    if (aci_media_for(r->profile, item, &media) < 0 && *status >= 0)
        *status = aci_fail_nomem(r->err);
    if (media.as > ACI_MEDIA_AS_IT_IS && !mends(r, AGENTCHAT_REPAIR_MEDIA))
        media.as = ACI_MEDIA_AS_IT_IS;
    return media;
}

static void found_media(repairing *r, size_t index, const agentchat_item *item, const aci_media *media)
{
    if (media->as == ACI_MEDIA_ANOTHER)
        found_part(r, AGENTCHAT_REPAIR_MEDIA, index, "its kind or media type was changed to one that is taken");
    else if (media->as == ACI_MEDIA_TEXT)
        found_part(r, AGENTCHAT_REPAIR_MEDIA, index, "a file of text became that text");
    else if (media->as == ACI_MEDIA_MISSING && aci_data_of(item) == NULL)
        found_part(r, AGENTCHAT_REPAIR_MEDIA, index, "a text with the link was written instead");
    else if (media->as == ACI_MEDIA_MISSING)
        lost_part(r, AGENTCHAT_REPAIR_MEDIA, index, "a text that says what is missing was written instead");
}

/* Whether something stays what it is and is no text. */
static bool stays_media(const aci_media *media)
{
    return media->as == ACI_MEDIA_AS_IT_IS || media->as == ACI_MEDIA_ANOTHER;
}

/* Whether a message may have images and files. */
static bool has_media(const repairing *r, size_t message)
{
    return is_role(r, message, "user") || (is_role(r, message, "tool") && mends(r, AGENTCHAT_REPAIR_RESULT_ROLE));
}

/* What of the content of a result must change. */
static void mend_content(repairing *r, size_t index)
{
    part *result = &r->parts[index];
    size_t count = agentchat_item_content_count(result->item), left = 0;

    for (size_t i = 0; i < count && r->status >= 0; i++) {
        const part inner = {.item = agentchat_item_content(result->item, i)};
        aci_media media = media_of(r, inner.item, &r->status);

        if (media.as > ACI_MEDIA_AS_IT_IS) {
            result->mends_content = true;
            found_media(r, index, inner.item, &media);
        }
        if (stays_media(&media) && mends(r, AGENTCHAT_REPAIR_ITEM_ROLE) &&
            (!r->profile->media_in_results || (result->partner == NONE && !has_media(r, result->message)))) {
            result->mends_content = result->shows = true;
            found_part(r, AGENTCHAT_REPAIR_ITEM_ROLE, index, "what it shows follows in a message of the user");
        }
        if (is_empty_text(&inner) && mends(r, AGENTCHAT_REPAIR_EMPTY_TEXT)) {
            result->mends_content = true;
            found_part(r, AGENTCHAT_REPAIR_EMPTY_TEXT, index, "an empty text in it was left out");
        } else {
            left += is_written(r, &inner);
        }
    }
    if (result->item->u.message != NULL && left == 0 && !result->mends_content && mends(r, AGENTCHAT_REPAIR_EMPTY) &&
        !r->profile->takes_empty_results) {
        result->mends_content = true;
        found_as(r, AGENTCHAT_REPAIR_EMPTY, result->message, index - r->first[result->message], count > 0,
                 count > 0 ? "nothing of its content can be written" : "an empty content became an empty text");
    }
}

static void mend_media(repairing *r, size_t index)
{
    part *p = &r->parts[index];

    p->media = media_of(r, p->item, &r->status);
    found_media(r, index, p->item, &p->media);
    if (stays_media(&p->media) && mends(r, AGENTCHAT_REPAIR_ITEM_ROLE) && !has_media(r, p->message) &&
        !is_role(r, p->message, "tool")) {
        p->follows = true;
        found_part(r, AGENTCHAT_REPAIR_ITEM_ROLE, index, "it follows in a message of the user");
    }
}

/* A message of a tool has nothing but results, where that is the role of results. */
static void mend_tool(repairing *r, size_t message)
{
    size_t results = 0;

    if (!is_role(r, message, "tool") || strcmp(r->profile->result_role, "tool") != 0)
        return;
    for (size_t i = r->first[message]; i < r->first[message + 1]; i++)
        results += !r->parts[i].gone && is_kind(&r->parts[i], AGENTCHAT_ITEM_RESULT) && !r->parts[i].as_text;
    for (size_t i = r->first[message]; results > 0 && i < r->first[message + 1]; i++) {
        part *p = &r->parts[i];

        if (p->gone || (is_kind(p, AGENTCHAT_ITEM_RESULT) && !p->as_text))
            continue;
        if (!is_written(r, p)) {
            p->gone = true;
            lost_part(r, AGENTCHAT_REPAIR_ITEM_ROLE, i, "it was left out");
            continue;
        }
        p->follows = true;
        p->shows = false;
        found_part(r, AGENTCHAT_REPAIR_ITEM_ROLE, i, "it follows in a message of the user");
    }
}

static void mend_form(repairing *r, size_t index)
{
    part *p = &r->parts[index];
    agentchat_str mark = agentchat_item_get(p->item, AGENTCHAT_FIELD_FORM);

    for (size_t i = 0; mark.ptr != NULL && r->profile->name != NULL && i < r->profile->form_count; i++) {
        const agentchat_repair_form *form = &r->profile->forms[i];
        agentchat_str value = aci_form_mark_member(mark, agentchat_str_from(r->profile->name), form->member);

        if (value.len < 2 ||
            !agentchat_str_equal((agentchat_str){value.ptr + 1, value.len - 2}, agentchat_str_from(form->value)))
            continue;
        p->unmarked = true;
        found_part(r, AGENTCHAT_REPAIR_FORM, index, "it is written as the provider spells it");
    }
}

/* What stands in a message of another format, and here in its last item. */
static void move_extra(repairing *r, size_t message)
{
    const agentchat_message *given = message_at(r, message);
    size_t last = r->first[message + 1];

    while (last > r->first[message] && (r->parts[last - 1].gone || !is_written(r, &r->parts[last - 1])))
        last--;
    for (size_t i = 0; last > r->first[message] && i < agentchat_message_extra_count(given); i++) {
        const agentchat_extra *extra = agentchat_message_extra(given, i);

        if (!agentchat_str_equal(extra->name, agentchat_str_from(r->profile->item_extra)) ||
            agentchat_str_equal(extra->from, agentchat_str_from(r->profile->name)))
            continue;
        r->parts[last - 1].extra = extra;
        found_part(r, AGENTCHAT_REPAIR_FORM, last - 1, "it got what stood in the message");
    }
}

/* What is advice, and concerns single messages and items. */
static void advise(repairing *r)
{
    if (r->rows[AGENTCHAT_REPAIR_ARGUMENTS] != NULL && r->rows[AGENTCHAT_REPAIR_ARGUMENTS]->is_advice)
        for (size_t i = 0; i < r->part_count; i++)
            if (is_kind(&r->parts[i], AGENTCHAT_ITEM_CALL) &&
                agentchat_json_kind_of(field_of(&r->parts[i], AGENTCHAT_FIELD_ARGUMENTS)) != AGENTCHAT_JSON_OBJECT)
                found_part(r, AGENTCHAT_REPAIR_ARGUMENTS, i, "the arguments are no object");
    for (size_t m = 0; m < r->length && r->rows[AGENTCHAT_REPAIR_SAME_ROLE] != NULL; m++)
        if (m > 0 && agentchat_str_equal(role_of(r, m), role_of(r, m - 1)))
            found(r, AGENTCHAT_REPAIR_SAME_ROLE, m, NONE, "the message before has the same role");
    if (r->rows[AGENTCHAT_REPAIR_FIRST] != NULL && r->length > 0 && is_role(r, 0, "assistant"))
        found(r, AGENTCHAT_REPAIR_FIRST, 0, NONE, "the assistant speaks first");
}

static void mend_part(repairing *r, size_t index)
{
    part *p = &r->parts[index];

    if (r->profile->forms != NULL && mends(r, AGENTCHAT_REPAIR_FORM))
        mend_form(r, index);
    if (is_kind(p, AGENTCHAT_ITEM_CALL) && mends(r, AGENTCHAT_REPAIR_ARGUMENTS)) {
        give_arguments(r, index);
    } else if (is_kind(p, AGENTCHAT_ITEM_RESULT)) {
        mend_content(r, index);
        if (p->partner == NONE && mends(r, AGENTCHAT_REPAIR_RESULT_ALONE)) {
            p->as_text = true;
            found_part(r, AGENTCHAT_REPAIR_RESULT_ALONE, index, "a result without a call became a text");
        }
    } else if (is_empty_text(p) && mends(r, AGENTCHAT_REPAIR_EMPTY_TEXT)) {
        p->gone = true;
        found_part(r, AGENTCHAT_REPAIR_EMPTY_TEXT, index, "an empty text was left out");
    } else {
        mend_media(r, index);
    }
}

static void mend_parts(repairing *r)
{
    if (mends(r, AGENTCHAT_REPAIR_ID_FORM) || mends(r, AGENTCHAT_REPAIR_ID_TWICE))
        give_ids(r);
    if (mends(r, AGENTCHAT_REPAIR_NAME_FORM))
        give_names(r);
    if (r->profile->author_without != NULL && mends(r, AGENTCHAT_REPAIR_AUTHOR))
        give_authors(r);
    for (size_t i = 0; i < r->part_count && r->status >= 0; i++)
        mend_part(r, i);
    for (size_t m = 0; m < r->length && r->status >= 0; m++) {
        if (mends(r, AGENTCHAT_REPAIR_REASONING))
            drop_reasoning(r, m);
        if (mends(r, AGENTCHAT_REPAIR_REASONING) && r->profile->item_id != NULL && m + 1 < r->length)
            release_reasoning(r, m);
        if (mends(r, AGENTCHAT_REPAIR_WHITESPACE_TEXT) && !r->is_own)
            drop_whitespace(r, m);
        if (mends(r, AGENTCHAT_REPAIR_ITEM_ROLE))
            mend_tool(r, m);
        if (r->profile->item_extra != NULL && mends(r, AGENTCHAT_REPAIR_FORM))
            move_extra(r, m);
    }
    advise(r);
}

/* ==== messages =================================================================================================== */

static void put_as(repairing *r, size_t index, placed_as as)
{
    void *list = r->placed;

    if (!aci_grow(r->env, &list, &r->placed_cap, r->placed_count, sizeof *r->placed)) {
        (void)no_memory(r);
        return;
    }
    r->placed = list;
    r->placed[r->placed_count++] = (placed){index, as};
    r->made[r->made_count - 1].count++;
}

static void put(repairing *r, size_t index)
{
    part *p = &r->parts[index];
    void *list = r->following;

    if ((p->follows || p->shows) && r->waits) {
        p->media.as = p->follows ? ACI_MEDIA_MISSING : p->media.as;
        p->follows = p->shows = false;
        lost_part(r, AGENTCHAT_REPAIR_ITEM_ROLE, index,
                  "nothing may follow calls that wait: a text says what is missing");
    }
    if (p->follows || p->shows) {
        if (!aci_grow(r->env, &list, &r->following_cap, r->following_count, sizeof *r->following)) {
            (void)no_memory(r);
            return;
        }
        r->following = list;
        r->following[r->following_count++] = index;
    }
    if (!p->follows)
        put_as(r, index, AS_ITEM);
}

/* Begins a message that comes out, in which parts are placed then. */
static void begin_message(repairing *r, size_t from, bool moved, const char *role)
{
    void *list = r->made;

    if (!aci_grow(r->env, &list, &r->made_cap, r->made_count, sizeof *r->made)) {
        (void)no_memory(r);
        return;
    }
    r->made = list;
    role = role == NULL && from != NONE && is_results(r, from) ? r->profile->result_role : role;
    r->made[r->made_count++] = (made){from, moved, role, r->placed_count, 0};
}

/* A message of the user with what follows a turn. */
static void put_following(repairing *r)
{
    if (r->following_count == 0)
        return;
    begin_message(r, NONE, true, "user");
    for (size_t i = 0; i < r->following_count && r->status >= 0; i++)
        put_as(r, r->following[i], r->parts[r->following[i]].follows ? AS_ITEM : AS_CONTENT);
    r->following_count = 0;
}

static void put_all(repairing *r, size_t message)
{
    for (size_t i = r->first[message]; i < r->first[message + 1] && r->status >= 0; i++)
        if (!r->parts[i].gone)
            put(r, i);
}

/* Whether a message has nothing but results of the calls of another one, and some. */
static bool is_answer(const repairing *r, size_t message, size_t calls)
{
    size_t count = 0;

    for (size_t i = r->first[message]; i < r->first[message + 1]; i++) {
        const part *p = &r->parts[i];

        if (p->gone)
            continue;
        if (!is_kind(p, AGENTCHAT_ITEM_RESULT) || p->partner == NONE || r->parts[p->partner].message != calls)
            return false;
        count++;
    }
    return count > 0;
}

/* Whether a message has a result of the calls of another one that may stay in it: it follows, and is no assistant's. */
static bool has_answer(const repairing *r, size_t message, size_t calls)
{
    if (message >= r->length || is_role(r, message, "assistant") || is_role(r, message, "system"))
        return false;
    for (size_t i = r->first[message]; i < r->first[message + 1]; i++)
        if (!r->parts[i].gone && is_kind(&r->parts[i], AGENTCHAT_ITEM_RESULT) && r->parts[i].partner != NONE &&
            r->parts[r->parts[i].partner].message == calls)
            return true;
    return false;
}

/* The message after those that have nothing but results of the calls of a message. */
static size_t end_of_answers(const repairing *r, size_t message)
{
    size_t end = message + 1;

    while (end < r->length && is_answer(r, end, message))
        end++;
    return end;
}

/* Whether a part is the result of a call that stands before it in its message. */
static bool is_own_result(const repairing *r, size_t index)
{
    const part *p = &r->parts[index];

    return is_kind(p, AGENTCHAT_ITEM_RESULT) && !p->gone && p->partner != NONE && p->partner < index &&
           r->parts[p->partner].message == p->message;
}

/* Whether something is said after such results, or called, unless the provider takes calls there. */
static bool goes_on(const repairing *r, size_t message)
{
    bool has_result = false, goes = false;

    for (size_t i = r->first[message]; i < r->first[message + 1] && !goes; i++) {
        const part *p = &r->parts[i];

        goes = has_result && !p->gone && !p->follows && (p->as_text || !is_kind(p, AGENTCHAT_ITEM_RESULT)) &&
               !(r->profile->results_anywhere && is_kind(p, AGENTCHAT_ITEM_CALL)) && is_written(r, p);
        has_result = has_result || is_own_result(r, i);
    }
    return goes && is_role(r, message, "assistant");
}

/* One message becomes pieces: up to the calls, their results, what follows these, and so on. */
static void split(repairing *r, size_t message, piece *pieces, size_t *first, size_t *count)
{
    bool is_in_results = false;

    for (size_t i = r->first[message]; i < r->first[message + 1]; i++) {
        part *p = &r->parts[i];
        bool is_own = is_own_result(r, i);

        if (is_in_results && !is_own && !p->gone && !is_written(r, p)) {
            p->gone = true;
            lost_part(r, AGENTCHAT_REPAIR_RESULT_ELSEWHERE, i, "it was left out: nothing of it can be written");
        }
        if (p->gone || is_own == is_in_results)
            continue;
        if (is_own)
            found_part(r, AGENTCHAT_REPAIR_RESULT_ELSEWHERE, i,
                       "results got a message of their own, and what came after them another one");
        is_in_results = is_own;
        pieces[*count] = (piece){message, is_own};
        first[(*count)++] = i;
    }
}

/* An assistant's message with results between what it says becomes several: the provider wants results in messages of
   their own, and what was said after them must not come before. */
static void split_messages(repairing *r)
{
    size_t most = r->part_count + r->length + 1, count = 0;
    piece *pieces;
    size_t *first;
    bool any = false;

    for (size_t m = 0; m < r->length && !any; m++)
        any = goes_on(r, m);
    if (!any)
        return;
    pieces = aci_arena_alloc(r->arena, most * sizeof *pieces);
    first = aci_arena_alloc(r->arena, most * sizeof *first);
    if (pieces == NULL || first == NULL) {
        (void)no_memory(r);
        return;
    }
    for (size_t m = 0; m < r->length; m++) {
        pieces[count] = (piece){m, false};
        first[count++] = r->first[m];
        if (goes_on(r, m))
            split(r, m, pieces, first, &count);
    }
    first[count] = r->part_count;
    for (size_t i = 0; i < count; i++)
        for (size_t k = first[i]; k < first[i + 1]; k++)
            r->parts[k].message = i;
    r->pieces = pieces;
    r->first = first;
    r->length = count;
}

static void send_away(repairing *r, size_t result)
{
    r->parts[result].away = r->parts[result].gone = true;
}

/* Results that do not follow their calls: first those with an assistant between, so that nothing of them stands between
   others and their calls. */
static void find_away(repairing *r)
{
    size_t *speakers = aci_arena_alloc(r->arena, (r->length + 1) * sizeof *speakers); /* assistants up to a message */
    size_t *ends = aci_arena_alloc(r->arena, (r->length + 1) * sizeof *ends);

    if (speakers == NULL || ends == NULL) {
        (void)no_memory(r);
        return;
    }
    speakers[0] = 0;
    for (size_t m = 0; m < r->length; m++)
        speakers[m + 1] = speakers[m] + is_role(r, m, "assistant");
    for (size_t i = 0; i < r->part_count; i++) {
        const part *p = &r->parts[i];
        bool is_beside; /* after its call in the same message, where the provider knows items and no messages */
        size_t calls;

        if (!is_kind(p, AGENTCHAT_ITEM_RESULT) || p->partner == NONE || p->gone)
            continue;
        calls = r->parts[p->partner].message;
        is_beside = r->profile->item_id != NULL && p->message == calls && p->partner < i;
        if ((p->message <= calls && !is_beside) || is_role(r, p->message, "system") ||
            (!r->profile->results_anywhere && speakers[p->message + 1] != speakers[calls + 1]))
            send_away(r, i);
    }
    for (size_t m = 0; m < r->length; m++) {
        ends[m] = end_of_answers(r, m);
        ends[m] += has_answer(r, ends[m], m); /* one that has more beside its results */
    }
    for (size_t i = 0; i < r->part_count && !r->profile->results_anywhere; i++) {
        const part *p = &r->parts[i];

        if (is_kind(p, AGENTCHAT_ITEM_RESULT) && p->partner != NONE && !p->gone &&
            p->message >= ends[r->parts[p->partner].message])
            send_away(r, i);
    }
}

/* Whether a call has no result in the messages after it, up to `end`: it is moved there, or made. */
static bool is_missing(const repairing *r, size_t call, size_t end)
{
    size_t result = r->parts[call].partner;

    if (result != NONE)
        return (r->parts[result].away || (r->parts[result].message >= end && !r->profile->results_anywhere)) &&
               mends(r, AGENTCHAT_REPAIR_RESULT_ELSEWHERE);
    return (r->parts[call].message != r->frontier || r->options.complete) && mends(r, AGENTCHAT_REPAIR_CALL_ALONE);
}

static void put_missing(repairing *r, size_t call)
{
    size_t result = r->parts[call].partner;

    if (result != NONE)
        put(r, result);
    else
        put_as(r, call, AS_FAILED);
    if (result != NONE) {
        r->parts[result].gone = true;
        found_part(r, AGENTCHAT_REPAIR_RESULT_ELSEWHERE, result, "the result was moved after its call");
    } else {
        found_part(r, AGENTCHAT_REPAIR_CALL_ALONE, call, "a failed result was added to a call without one");
    }
}

/* Whether the results that follow a message all stand in one message of the right role, or in one each where the role
   is a tool's. */
static bool is_together(const repairing *r, size_t message, size_t end)
{
    if (!mends(r, AGENTCHAT_REPAIR_RESULT_ROLE))
        return true;
    for (size_t m = message + 1; m < end; m++)
        if (!is_role(r, m, r->profile->result_role))
            return false;
    return true;
}

/* The results of the calls of a message, in messages up to `end`, become one message, in the order of the calls. */
static void put_together(repairing *r, size_t message, size_t end)
{
    size_t into = message + 1 < end ? message + 1 : NONE;

    if (into != NONE && !r->told_roles)
        found(r, AGENTCHAT_REPAIR_RESULT_ROLE, into, NONE, "results were put together, here and after each turn");
    r->told_roles = r->told_roles || into != NONE;
    begin_message(r, into, false, r->profile->result_role);
    for (size_t i = r->first[message]; i < r->first[message + 1] && r->status >= 0; i++) {
        size_t result = r->parts[i].partner;

        if (!is_kind(&r->parts[i], AGENTCHAT_ITEM_CALL) || r->parts[i].gone)
            continue;
        if (is_missing(r, i, end)) {
            put_missing(r, i);
        } else if (result != NONE && !r->parts[result].gone && r->parts[result].message > message &&
                   r->parts[result].message < end) {
            put(r, result);
            r->parts[result].gone = true;
        }
    }
}

/* Messages that follow with nothing but results, and what is missing there. Returns the message after them. */
static size_t lay_out_results(repairing *r, size_t message)
{
    size_t end = end_of_answers(r, message), seen = end + has_answer(r, end, message), missing = 0;

    for (size_t i = r->first[message]; i < r->first[message + 1]; i++)
        missing += is_kind(&r->parts[i], AGENTCHAT_ITEM_CALL) && is_missing(r, i, seen);
    if (mends(r, AGENTCHAT_REPAIR_RESULT_ROLE) && (missing > 0 || !is_together(r, message, end)) &&
        (end > message + 1 || (missing > 0 && seen == end))) {
        put_together(r, message, end);
        return end;
    }
    for (size_t m = message + 1; m < end && r->status >= 0; m++) {
        begin_message(r, m, false, NULL);
        put_all(r, m);
    }
    if (missing > 0 && mends(r, AGENTCHAT_REPAIR_RESULT_ROLE)) { /* at the head of the one that has more */
        begin_message(r, end, false, NULL);
        for (size_t i = r->first[message]; i < r->first[message + 1] && r->status >= 0; i++)
            if (is_kind(&r->parts[i], AGENTCHAT_ITEM_CALL) && is_missing(r, i, seen))
                put_missing(r, i);
        put_all(r, end);
        return end + 1;
    }
    for (size_t i = r->first[message]; missing > 0 && i < r->first[message + 1] && r->status >= 0; i++) {
        if (!is_kind(&r->parts[i], AGENTCHAT_ITEM_CALL) || !is_missing(r, i, seen))
            continue;
        begin_message(r, NONE, true, r->profile->result_role);
        put_missing(r, i);
    }
    return end;
}

static bool has_calls(const repairing *r, size_t message)
{
    for (size_t i = r->first[message]; i < r->first[message + 1]; i++)
        if (is_kind(&r->parts[i], AGENTCHAT_ITEM_CALL) && !r->parts[i].gone)
            return true;
    return false;
}

/* The role that a message gets: of a tool's that has no results, or none any more, the user's. */
static const char *other_role(repairing *r, size_t message)
{
    size_t results = 0, texts = 0, others = 0;
    agentchat_str name;

    for (size_t i = r->first[message]; i < r->first[message + 1]; i++) {
        const part *p = &r->parts[i];

        if (p->gone || p->follows)
            continue;
        results += (is_kind(p, AGENTCHAT_ITEM_RESULT) && !p->as_text) ||
                   (r->profile->item_id != NULL && is_kind(p, AGENTCHAT_ITEM_OPAQUE) && is_written(r, p));
        texts += p->as_text;
        others += !is_kind(p, AGENTCHAT_ITEM_RESULT);
    }
    if (results > 0 || is_role(r, message, "user") || is_role(r, message, "assistant"))
        return NULL;
    if (texts == 0 && others > 0 && is_role(r, message, "tool") && r->rows[AGENTCHAT_REPAIR_ITEM_ROLE] != NULL) {
        found(r, AGENTCHAT_REPAIR_ITEM_ROLE, message, NONE, "a tool's message without results became the user's");
        texts++;
    }
    if (texts == 0)
        return NULL;
    name = agentchat_message_get(message_at(r, message), AGENTCHAT_FIELD_NAME);
    if (r->profile->author_without != NULL && mends(r, AGENTCHAT_REPAIR_AUTHOR) && name.len > 0 &&
        !is_author(r, name) && r->names[message_of(r, message)].ptr == NULL)
        r->names[message_of(r, message)] = make_word(r, name, AUTHOR_MOST, 0, is_author_byte);
    return "user";
}

/* After the items of all system messages: of which nothing may be left but what follows. */
static void end_system(repairing *r)
{
    const made *system;
    bool is_left = false;

    if (r->status < 0)
        return;
    system = &r->made[r->made_count - 1];
    for (size_t i = 0; i < system->count; i++)
        is_left = is_left || is_written(r, &r->parts[r->placed[system->first + i].part]);
    if (!is_left && mends(r, AGENTCHAT_REPAIR_EMPTY)) {
        found_as(r, AGENTCHAT_REPAIR_EMPTY, r->system, NONE, system->count > 0,
                 "the system's message, of which nothing can be written, was left out");
        r->placed_count -= r->made[--r->made_count].count;
    }
    put_following(r);
}

/* A system message becomes part of the first one. false: it is that. */
static bool lay_out_system(repairing *r, size_t message)
{
    const char *role =
        agentchat_str_equal(agentchat_message_role(message_at(r, message)), AGENTCHAT_STR("system")) ? NULL : "system";

    if (r->is_own || !mends(r, AGENTCHAT_REPAIR_SYSTEM) || !is_role(r, message, "system"))
        return false;
    if (role != NULL || (r->system != NONE && r->system != message))
        found(r, AGENTCHAT_REPAIR_SYSTEM, message, NONE,
              role != NULL ? "the developer's message became the system's"
                           : "the message became part of the first one");
    if (r->system == message) { /* all of them, wherever they stand */
        begin_message(r, message, false, role);
        for (size_t m = message; m < r->length && r->status >= 0; m++)
            if (is_role(r, m, "system"))
                put_all(r, m);
        end_system(r);
    }
    return true;
}

/* Where system messages do not begin the history, the first one is moved there. */
static void begin_with_system(repairing *r)
{
    for (size_t m = 0; m < r->length && r->system == NONE; m++)
        r->system = is_role(r, m, "system") ? m : NONE;
    if (r->system == NONE || r->system == 0 || r->is_own || !mends(r, AGENTCHAT_REPAIR_SYSTEM))
        return;
    found(r, AGENTCHAT_REPAIR_SYSTEM, r->system, NONE, "the system's message was moved to the beginning");
    begin_message(r, r->system, true, "system");
    for (size_t m = r->system; m < r->length && r->status >= 0; m++)
        if (is_role(r, m, "system"))
            put_all(r, m);
    end_system(r);
    r->system = r->length; /* none of those that follow is the first */
}

/* Whether anything is written of a message where it stands. */
static bool says_something(const repairing *r, size_t message)
{
    const agentchat_message *given = message_at(r, message);

    for (size_t i = r->first[message]; i < r->first[message + 1]; i++)
        if (!r->parts[i].gone && !r->parts[i].follows && is_written(r, &r->parts[i]))
            return true;
    for (size_t i = 0; r->profile->name != NULL && i < agentchat_message_extra_count(given); i++)
        if (agentchat_str_equal(agentchat_message_extra(given, i)->from, agentchat_str_from(r->profile->name)))
            return true; /* such as the id of audio */
    return false;
}

/* Whether a message is one of the system's that does not stay where it stands. */
static bool is_moved_system(const repairing *r, size_t message)
{
    return is_role(r, message, "system") && !r->is_own && mends(r, AGENTCHAT_REPAIR_SYSTEM);
}

/* The answer of which nothing came, which may stay at the end; NONE: there is none. */
static size_t find_empty_answer(const repairing *r)
{
    for (size_t m = r->length; m-- > 0 && r->profile->takes_empty_answer;) {
        bool is_left = r->first[m] == r->first[m + 1];

        if (is_moved_system(r, m))
            continue;
        if (says_something(r, m))
            return NONE;
        for (size_t i = r->first[m]; i < r->first[m + 1]; i++) {
            if (r->parts[i].follows)
                return NONE;
            is_left = is_left || !r->parts[i].gone;
        }
        if (is_left && is_role(r, m, "assistant"))
            return m;
    }
    return NONE;
}

/* The last message that is more than results, and stays there. */
static size_t find_frontier(const repairing *r)
{
    for (size_t m = r->length; m-- > 0;) {
        if (is_moved_system(r, m))
            continue;
        for (size_t i = r->first[m]; i < r->first[m + 1]; i++)
            if (!r->parts[i].gone && (is_written(r, &r->parts[i]) || !mends(r, AGENTCHAT_REPAIR_EMPTY)) &&
                (!is_kind(&r->parts[i], AGENTCHAT_ITEM_RESULT) || r->parts[i].as_text))
                return m;
        if (r->first[m] == r->first[m + 1] &&
            (!mends(r, AGENTCHAT_REPAIR_EMPTY) || m == r->answer || says_something(r, m)))
            return m;
    }
    return NONE;
}

static bool waits(const repairing *r, size_t message)
{
    if (message != r->frontier || r->options.complete)
        return false;
    for (size_t i = r->first[message]; i < r->first[message + 1]; i++)
        if (is_kind(&r->parts[i], AGENTCHAT_ITEM_CALL) && r->parts[i].partner == NONE)
            return true;
    return false;
}

/* Takes back the message that was begun last where nothing is left of it. */
static void drop_empty(repairing *r, size_t message)
{
    bool was_empty = r->first[message] == r->first[message + 1];

    if (r->made[r->made_count - 1].count == 0 && !was_empty) {
        r->made_count--; /* what has been moved away or joined leaves nothing, and nothing to say */
    } else if (mends(r, AGENTCHAT_REPAIR_EMPTY) && !says_something(r, message) && message != r->answer) {
        r->placed_count -= r->made[--r->made_count].count;
        found_as(r, AGENTCHAT_REPAIR_EMPTY, message, NONE, !was_empty,
                 was_empty ? "a message without anything in it was left out"
                           : "a message of which nothing can be written was left out");
    }
}

static void lay_out(repairing *r)
{
    if (mends(r, AGENTCHAT_REPAIR_RESULT_ELSEWHERE)) {
        split_messages(r);
        find_away(r);
    }
    r->answer = find_empty_answer(r);
    r->frontier = find_frontier(r);
    begin_with_system(r);
    for (size_t m = 0; m < r->length && r->status >= 0;) {
        size_t before = r->made_count, calls = m;

        if (lay_out_system(r, m)) {
            m++;
            continue;
        }
        r->waits = waits(r, m);
        begin_message(r, m, false, other_role(r, m));
        put_all(r, m);
        if (r->status >= 0)
            drop_empty(r, m);
        m = r->made_count > before && has_calls(r, m) ? lay_out_results(r, m) : m + 1;
        r->waits = false;
        if (!has_answer(r, m, calls)) /* after which it follows */
            put_following(r);
    }
}

/* ==== what comes out ============================================================================================= */

static bool is_as_it_was(const repairing *r, const made *m)
{
    const agentchat_message *message = m->from != NONE ? message_at(r, m->from) : NULL;

    if (message == NULL || m->moved || r->names[message_of(r, m->from)].ptr != NULL ||
        m->count != agentchat_message_item_count(message) ||
        (m->role != NULL && !agentchat_str_equal(agentchat_message_role(message), agentchat_str_from(m->role))))
        return false;
    for (size_t i = 0; i < m->count; i++) {
        const placed *at = &r->placed[m->first + i];
        const part *p = &r->parts[at->part];

        if (at->as != AS_ITEM || at->part != r->first[m->from] + i || p->id.ptr != NULL || p->name.ptr != NULL ||
            p->unmarked || p->released || p->mends_content || p->extra != NULL || p->media.as > ACI_MEDIA_AS_IT_IS ||
            p->arguments.ptr != NULL || p->as_text || (p->joined != NONE && is_kind(p, AGENTCHAT_ITEM_RESULT)))
            return false;
    }
    return true;
}

/* Appends what a result says, as a text. */
static agentchat_status say_result(const repairing *r, const part *p, agentchat_bytes *out, agentchat_error *err)
{
    agentchat_str value = field_of(p, AGENTCHAT_FIELD_RESULT);
    agentchat_status status = AGENTCHAT_OK;

    if (agentchat_json_kind_of(value) == AGENTCHAT_JSON_STRING)
        status = agentchat_json_decode(r->env, value, out, err);
    else if (value.ptr != NULL)
        status = agentchat_bytes_append(out, value, err);
    for (size_t i = 0; i < agentchat_item_content_count(p->item) && status >= 0; i++) {
        agentchat_str text = agentchat_item_get(agentchat_item_content(p->item, i), AGENTCHAT_FIELD_TEXT);

        if (text.ptr != NULL)
            status = agentchat_bytes_append(out, text, err);
    }
    return status;
}

/* The media in the content of a result that follow it. */
static agentchat_status add_shown(const repairing *r, agentchat_message_builder *builder, const part *p)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < agentchat_item_content_count(p->item) && status >= 0; i++) {
        const agentchat_item *item = agentchat_item_content(p->item, i);
        aci_media media = media_of(r, item, &status);

        if (status >= 0 && stays_media(&media))
            status = aci_media_add(r->env, builder, r->profile, item, &media, r->err);
    }
    return status;
}

/* One item of a result's content, as the provider takes it. */
static agentchat_status add_inner(const repairing *r, agentchat_message_builder *builder, const part *result,
                                  const agentchat_item *item)
{
    const part inner = {.item = item};
    agentchat_status status = AGENTCHAT_OK;
    aci_media media = media_of(r, item, &status);

    if (status < 0)
        return status;
    if (stays_media(&media) && !r->profile->media_in_results && mends(r, AGENTCHAT_REPAIR_ITEM_ROLE)) {
        if (result->shows) {
            agentchat_message_builder_add_text(builder, AGENTCHAT_STR("[it follows]"));
            return AGENTCHAT_OK;
        }
        media.as = ACI_MEDIA_MISSING;
    }
    if (is_empty_text(&inner) && mends(r, AGENTCHAT_REPAIR_EMPTY_TEXT))
        return AGENTCHAT_OK;
    return aci_media_add(r->env, builder, r->profile, item, &media, r->err);
}

/* The content of a result, as the provider takes it; where nothing of it is left, an empty text. */
static agentchat_status set_content(const repairing *r, agentchat_message_builder *builder, const part *p)
{
    agentchat_message_builder *content = NULL;
    agentchat_message *whole = NULL;
    bool is_left = false;
    agentchat_status status = agentchat_message_builder_new(r->env, "tool", (agentchat_str){NULL, 0}, &content, r->err);

    for (size_t i = 0; i < agentchat_item_content_count(p->item) && status >= 0; i++) {
        const part inner = {.item = agentchat_item_content(p->item, i)};

        is_left =
            is_left || (is_written(r, &inner) && !(is_empty_text(&inner) && mends(r, AGENTCHAT_REPAIR_EMPTY_TEXT)));
        status = add_inner(r, content, p, inner.item);
    }
    if (status >= 0) {
        status = agentchat_message_builder_finish(content, &whole, r->err);
        content = NULL;
    }
    if (status >= 0)
        agentchat_message_builder_set_content(builder, is_left ? whole : NULL);
    if (status >= 0 && !is_left && field_of(p, AGENTCHAT_FIELD_RESULT).ptr == NULL)
        agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_RESULT, AGENTCHAT_STR("\"\""));
    agentchat_message_builder_free(content);
    agentchat_message_unref(whole);
    return status;
}

/* A result that has become a text, and what of it is no text. */
static agentchat_status add_as_text(const repairing *r, agentchat_message_builder *builder, const part *p)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_status status;

    text.env = r->env;
    status = agentchat_bytes_append(&text, AGENTCHAT_STR("[output of a tool]\n"), r->err);
    if (status >= 0)
        status = say_result(r, p, &text, r->err);
    if (status >= 0)
        agentchat_message_builder_add_text(builder, (agentchat_str){text.ptr, text.len});
    for (size_t i = 0; i < agentchat_item_content_count(p->item) && status >= 0; i++) {
        const agentchat_item *item = agentchat_item_content(p->item, i);
        aci_media media = media_of(r, item, &status);

        if (stays_media(&media) && !p->shows && !p->follows && is_role(r, p->message, "assistant") &&
            mends(r, AGENTCHAT_REPAIR_ITEM_ROLE))
            media.as = ACI_MEDIA_MISSING;
        if (status >= 0 && agentchat_item_get_kind(item) != AGENTCHAT_ITEM_TEXT && !(p->shows && stays_media(&media)))
            status = aci_media_add(r->env, builder, r->profile, item, &media, r->err);
    }
    agentchat_bytes_clear(&text);
    return status;
}

/* A result with what the other results of its call say, unless that is the same. *is_value: it has become a value. */
static agentchat_status add_joined(const repairing *r, agentchat_message_builder *builder, const part *p,
                                   bool *is_value)
{
    agentchat_bytes all = AGENTCHAT_BYTES_INIT, one = AGENTCHAT_BYTES_INIT, json = AGENTCHAT_BYTES_INIT;
    size_t count = 0, *others;
    bool differs = false;
    agentchat_status status = AGENTCHAT_OK;

    all.env = one.env = json.env = r->env;
    for (size_t i = p->joined; i != NONE; i = r->parts[i].joined)
        count++;
    others = aci_arena_alloc(r->arena, count * sizeof *others);
    if (others == NULL)
        return aci_fail_nomem(r->err);
    for (size_t i = p->joined, at = count; i != NONE; i = r->parts[i].joined)
        others[--at] = i;
    status = say_result(r, p, &all, r->err);
    for (size_t i = 0, len = all.len; i < count && status >= 0; i++) {
        one.len = 0;
        status = say_result(r, &r->parts[others[i]], &one, r->err);
        if (status < 0 || (one.len == len && (len == 0 || memcmp(one.ptr, all.ptr, len) == 0)))
            continue;
        differs = true;
        status = agentchat_bytes_append(&all, AGENTCHAT_STR("\n"), r->err);
        if (status >= 0)
            status = agentchat_bytes_append(&all, (agentchat_str){one.len > 0 ? one.ptr : "", one.len}, r->err);
    }
    agentchat_message_builder_add_item_copy(builder, p->item);
    if (status >= 0 && differs) {
        status = agentchat_json_quote(r->env, (agentchat_str){all.ptr, all.len}, &json, r->err);
        agentchat_message_builder_set_content(builder, NULL);
        if (status >= 0)
            agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_RESULT, (agentchat_str){json.ptr, json.len});
    }
    *is_value = differs;
    agentchat_bytes_clear(&all);
    agentchat_bytes_clear(&one);
    agentchat_bytes_clear(&json);
    return status;
}

static void add_failed(const repairing *r, agentchat_message_builder *builder, const part *call)
{
    agentchat_message_builder_add_result_text(
        builder, call->id.ptr != NULL ? call->id : field_of(call, AGENTCHAT_FIELD_CALL_ID), (agentchat_str){NULL, 0},
        (agentchat_str){NULL, 0}, AGENTCHAT_STR(NO_RESULT));
    if (r->profile->has_failed)
        agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_FAILED, AGENTCHAT_STR("true"));
}

static agentchat_status add_part(const repairing *r, agentchat_message_builder *builder, const placed *at)
{
    const part *p = &r->parts[at->part];
    agentchat_status status = AGENTCHAT_OK;
    bool is_value = false; /* a joined result, which has no content any more */

    if (at->as == AS_FAILED) {
        add_failed(r, builder, p);
        return status;
    }
    if (at->as == AS_CONTENT)
        return add_shown(r, builder, p);
    if (p->as_text)
        return add_as_text(r, builder, p);
    if (p->joined != NONE && is_kind(p, AGENTCHAT_ITEM_RESULT))
        status = add_joined(r, builder, p, &is_value);
    else
        status = aci_media_add(r->env, builder, r->profile, p->item, &p->media, r->err);
    if (status >= 0 && p->mends_content && !is_value)
        status = set_content(r, builder, p);
    if (p->released)
        agentchat_message_builder_remove_extra(builder, agentchat_str_from(r->profile->item_id));
    if (p->extra != NULL)
        agentchat_message_builder_add_extra(builder, p->extra->name, p->extra->value, p->extra->from);
    if (p->unmarked)
        agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_FORM, (agentchat_str){NULL, 0});
    if (p->id.ptr != NULL)
        agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_CALL_ID, p->id);
    if (p->plugin.ptr != NULL)
        agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_PLUGIN, (agentchat_str){NULL, 0});
    if (p->name.ptr != NULL)
        agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_FUNCTION, p->name);
    if (p->arguments.ptr != NULL)
        agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_ARGUMENTS, p->arguments);
    return status;
}

/* A later piece of a message has its author, model and time; what a message has once stays with the first piece. */
static agentchat_status begin_piece(const repairing *r, const agentchat_message *whole, agentchat_message_builder **out)
{
    static const agentchat_field fields[] = {AGENTCHAT_FIELD_ROLE, AGENTCHAT_FIELD_NAME, AGENTCHAT_FIELD_MODEL_ID,
                                             AGENTCHAT_FIELD_TIME};
    agentchat_status status = agentchat_message_builder_new(r->env, "assistant", (agentchat_str){NULL, 0}, out, r->err);

    for (size_t i = 0; i < sizeof fields / sizeof *fields && status >= 0; i++)
        agentchat_message_builder_set(*out, fields[i], agentchat_message_get(whole, fields[i]));
    return status;
}

static agentchat_status begin_whole(const repairing *r, const made *m, const agentchat_message *from,
                                    agentchat_message_builder **out)
{
    agentchat_status status = agentchat_message_builder_from(r->env, from, out, r->err);
    size_t count = agentchat_message_item_count(from);

    if (status < 0)
        return status;
    agentchat_message_builder_remove_items(*out, 0, count);
    for (size_t i = 0; i < count; i++) /* wherever the part that got it comes to stand */
        if (r->parts[r->first[m->from] + i].extra != NULL)
            agentchat_message_builder_remove_extra(*out, agentchat_str_from(r->profile->item_extra));
    if (m->role != NULL)
        agentchat_message_builder_set(*out, AGENTCHAT_FIELD_ROLE, agentchat_str_from(m->role));
    return status;
}

static agentchat_status build(const repairing *r, const made *m, agentchat_message **out)
{
    const agentchat_message *from = m->from != NONE && !is_results(r, m->from) ? message_at(r, m->from) : NULL;
    agentchat_str name = from != NULL ? r->names[message_of(r, m->from)] : (agentchat_str){NULL, 0};
    agentchat_message_builder *builder = NULL;
    agentchat_status status;

    *out = NULL;
    if (from == NULL)
        status = agentchat_message_builder_new(r->env, m->role, (agentchat_str){NULL, 0}, &builder, r->err);
    else if (r->first[m->from] > r->start[message_of(r, m->from)])
        status = begin_piece(r, from, &builder);
    else
        status = begin_whole(r, m, from, &builder);
    if (status < 0)
        return status;
    if (name.ptr != NULL)
        agentchat_message_builder_set(builder, AGENTCHAT_FIELD_NAME, name.len > 0 ? name : (agentchat_str){NULL, 0});
    for (size_t i = 0; i < m->count && status >= 0; i++)
        status = add_part(r, builder, &r->placed[m->first + i]);
    if (status >= 0)
        return agentchat_message_builder_finish(builder, out, r->err);
    agentchat_message_builder_free(builder);
    return status;
}

static agentchat_status make_edit(const repairing *r, agentchat_list_edit **out)
{
    size_t next = 0; /* of the history: those before have become something */
    size_t length = agentchat_messages_count(r->messages);
    agentchat_status status = agentchat_list_edit_new(r->env, length, out, r->err);

    for (size_t i = 0; i < r->made_count && status >= 0; i++) {
        const made *m = &r->made[i];
        size_t from = m->from != NONE ? message_of(r, m->from) : NONE;
        bool stays = from != NONE && !m->moved && from >= next;
        agentchat_message *message = NULL;

        if (stays && from > next)
            status = agentchat_list_edit_remove(*out, next, from - next, r->err);
        if (stays)
            next = from + 1;
        if (status < 0 || is_as_it_was(r, m))
            continue;
        status = build(r, m, &message);
        if (status >= 0 && (!stays || !aci_message_equal(message, agentchat_messages_at(r->messages, from))))
            status = stays ? agentchat_list_edit_replace(*out, from, message, r->err)
                           : agentchat_list_edit_insert(*out, next, message, r->err);
        agentchat_message_unref(message);
    }
    if (status >= 0 && next < length)
        status = agentchat_list_edit_remove(*out, next, length - next, r->err);
    return status;
}

/* ==== the whole of it ============================================================================================ */

static agentchat_status begin(repairing *r, const agentchat_repair_profile *profile,
                              const agentchat_repair_options *options, agentchat_error *err)
{
    agentchat_repair_profile *loaded;
    agentchat_status status = aci_env_options_load(&r->options, sizeof r->options, options, err);

    r->arena = aci_arena_new(r->env, 0);
    loaded = r->arena != NULL ? aci_arena_alloc(r->arena, sizeof *loaded) : NULL;
    if (loaded == NULL)
        return aci_fail_nomem(err);
    if (status >= 0)
        status = aci_env_struct_load(loaded, sizeof *loaded, profile, "profile", err);
    if (status < 0)
        return status;
    r->profile = loaded;
    if ((loaded->rows == NULL && loaded->row_count > 0) || loaded->result_role == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the profile has no rows, or no role of results");
    if ((loaded->item_extra != NULL || loaded->item_id != NULL) && loaded->name == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the profile has no name");
    if ((loaded->media == NULL && loaded->media_count > 0) || (loaded->forms == NULL && loaded->form_count > 0))
        return aci_fail(err, AGENTCHAT_E_INVALID, "the profile counts media or forms that it has not");
    if ((loaded->id_most > 0 && loaded->id_most < 32) || (loaded->name_most > 0 && loaded->name_most < 32))
        return aci_fail(err, AGENTCHAT_E_INVALID, "ids and names of less than 32 bytes are not made here");
    for (size_t i = 0; i < loaded->row_count; i++) {
        if (loaded->rows[i].rule < 1 || loaded->rows[i].rule > AGENTCHAT_REPAIR_SAME_ROLE)
            return aci_fail(err, AGENTCHAT_E_INVALID, "row %zu of the profile has no rule", i);
        r->rows[loaded->rows[i].rule] = &loaded->rows[i];
    }
    r->is_own = r->options.from != NULL && loaded->name != NULL && strcmp(r->options.from, loaded->name) == 0;
    return AGENTCHAT_OK;
}

agentchat_status aci_repair(const agentchat_env *env, const agentchat_messages *messages,
                            const agentchat_repair_profile *profile, const agentchat_repair_options *options,
                            aci_repair_fn each, void *user, agentchat_list_edit **out, agentchat_error *err)
{
    repairing r = {.env = aci_env(env),
                   .messages = messages,
                   .length = agentchat_messages_count(messages),
                   .each = each,
                   .user = user,
                   .system = NONE,
                   .err = err};

    *out = NULL;
    r.status = begin(&r, profile, options, err);
    if (r.status >= 0 && collect(&r) && pair(&r)) {
        mend_parts(&r);
        if (r.status >= 0)
            lay_out(&r);
        if (r.status >= 0)
            r.status = make_edit(&r, out);
    }
    if (r.status < 0) {
        agentchat_list_edit_free(*out);
        *out = NULL;
    }
    aci_free(r.env, r.placed, r.placed_cap * sizeof *r.placed);
    aci_free(r.env, r.made, r.made_cap * sizeof *r.made);
    aci_free(r.env, r.following, r.following_cap * sizeof *r.following);
    aci_arena_unref(r.arena);
    return r.status;
}
