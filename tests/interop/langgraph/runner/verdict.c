/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict.h"

#include "support/test_support.h"
#include <string.h>

verdict verdict_skipped(const char *rule)
{
    return (verdict){VERDICT_SKIPPED, rule};
}

verdict verdict_of(bool is_equal)
{
    return (verdict){is_equal ? VERDICT_EQUAL : VERDICT_FAILING, NULL};
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

agentchat_status verdict_status(const json_t *one)
{
    /* The one table of what a status stands for: the first row whose exception and part of a message fit. */
    static const struct {
        const char *exception, *part;
        agentchat_status status;
    } table[] = {
        {"ValueError", "doesn't exist", AGENTCHAT_E_NOTFOUND},
        {"ValueError", "", AGENTCHAT_E_INVALID},
        {"TypeError", "", AGENTCHAT_E_INVALID},
        {"KeyError", "", AGENTCHAT_E_INVALID},
        {"RuntimeError", "", AGENTCHAT_E_CALLBACK},
    };
    const json_t *error = json_object_get(one, "error");
    const char *name = notation_word(error, "name"), *message = notation_word(error, "message");

    for (size_t i = 0; name != NULL && message != NULL && i < sizeof table / sizeof *table; i++)
        if (strcmp(name, table[i].exception) == 0 && strstr(message, table[i].part) != NULL)
            return table[i].status;
    return AGENTCHAT_OK;
}

verdict verdict_by_rule(const json_t *one, agentchat_status status, const verdict_rule *rules)
{
    const char *error = notation_word(json_object_get(one, "error"), "name");

    for (; rules->says != NULL; rules++) {
        bool refused = status < 0 ? rules->refused == status : rules->error != NULL;
        bool raised = rules->error != NULL ? error != NULL && strcmp(rules->error, error) == 0 : error == NULL;

        if (refused && raised && rules->applies(one))
            return (verdict){VERDICT_DIFFERENT, rules->says};
    }
    return verdict_of(false);
}

verdict verdict_of_error(const json_t *one, agentchat_status status, const verdict_rule *rules)
{
    return status < 0 && verdict_status(one) == status ? verdict_of(true) : verdict_by_rule(one, status, rules);
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

/* All texts of a content as one, without whitespace and hyphens, of which separators are made, and what is no text. */
static json_t *without_borders(const json_t *content)
{
    json_t *parts = json_array(), *part;
    char texts[8192] = "";
    size_t i, at = 0;

    json_array_foreach(content, i, part)
    {
        agentchat_str text = notation_text(json_is_object(part) ? json_object_get(part, "text") : part);

        if (text.ptr == NULL)
            json_array_append(parts, part);
        for (size_t c = 0; c < text.len && at + 1 < sizeof texts; c++)
            if (strchr(" \n|-", text.ptr[c]) == NULL || text.ptr[c] == '\0')
                texts[at++] = text.ptr[c];
    }
    json_array_append_new(parts, json_stringn(texts, at));
    return parts;
}

static json_t *view_without(const agentchat_message *message, unsigned aspects)
{
    static const struct {
        unsigned aspect;
        const char *name;
    } members[] = {{ASPECT_ID, "id"},          {ASPECT_NAME, "name"},       {ASPECT_METADATA, "metadata"},
                   {ASPECT_CALLS, "calls"},    {ASPECT_CONTENT, "content"}, {ASPECT_ROLE, "role"},
                   {ASPECT_METADATA, "failed"}};
    json_t *view = notation_view(message);

    if ((aspects & ASPECT_METADATA) != 0 &&
        agentchat_str_equal(agentchat_message_role(message), AGENTCHAT_STR("developer")))
        json_object_set_new(view, "role", json_string("system"));
    if ((aspects & ASPECT_TEXTS) != 0)
        json_object_set_new(view, "content", without_borders(json_object_get(view, "content")));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if ((aspects & members[i].aspect) != 0)
            json_object_del(view, members[i].name);
    return view;
}

/* The view of what was recorded: a message, or the id of one that was given. NULL: it is neither. */
static json_t *view_of_recorded(const json_t *recorded, const agentchat_messages *given, unsigned aspects)
{
    agentchat_message *message = NULL;
    json_t *view = NULL;
    size_t index;

    if (json_is_string(recorded))
        return agentchat_messages_find_id(given, notation_text(recorded), &index)
                   ? view_without(agentchat_messages_at(given, index), aspects)
                   : NULL;
    if (notation_message(recorded, &message, NULL) == NOTATION_MESSAGE)
        view = view_without(message, aspects);
    agentchat_message_unref(message);
    return view;
}

/* An id that was made: a UUID, with its hyphens. */
static bool is_generated(const json_t *id)
{
    const char *text = json_string_value(id);

    return json_string_length(id) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-';
}

static bool is_same(const agentchat_message *message, const json_t *recorded, const agentchat_messages *given,
                    unsigned aspects)
{
    json_t *ours = view_without(message, aspects), *theirs = view_of_recorded(recorded, given, aspects);
    const char *id = notation_word(theirs, "id");
    bool same;

    if (id != NULL && strcmp(id, "$generated") == 0 && is_generated(json_object_get(ours, "id")))
        json_object_set(ours, "id", json_object_get(theirs, "id"));
    same = theirs != NULL && json_equal(ours, theirs);
    if (!same && test_number("RUNNER_SHOW", 0) > 0) {
        char *a = json_dumps(ours, JSON_SORT_KEYS), *b = theirs != NULL ? json_dumps(theirs, JSON_SORT_KEYS) : NULL;

        fprintf(stderr, "  ours   %s\n  theirs %s\n", a, b != NULL ? b : "none");
        free(a);
        free(b);
    }
    json_decref(ours);
    json_decref(theirs);
    return same;
}

static json_t *without_empty(const json_t *output)
{
    json_t *list = json_array(), *message;
    size_t i;

    json_array_foreach(output, i, message)
    {
        const json_t *content = json_object_get(message, "content");

        if (!json_is_string(content) || json_string_length(content) > 0)
            json_array_append(list, message);
    }
    return list;
}

static bool is_chat(const char *type)
{
    return type != NULL && (strcmp(type, "chat") == 0 || strcmp(type, "generic") == 0);
}

/* Whether the aspects except a message, as it was given or recorded. */
static bool is_excepted(const json_t *message, unsigned aspects)
{
    const char *class = notation_word(message, "class");
    bool is_chunk = json_object_get(message, "$chunk") != NULL ||
                    (class != NULL && strlen(class) > 5 && strcmp(class + strlen(class) - 5, "Chunk") == 0);

    return ((aspects & ASPECT_CHUNKS) != 0 && is_chunk) ||
           ((aspects & ASPECT_CHATS) != 0 && !is_chunk && is_chat(notation_type(message)));
}

/* The message of a list that has been given at an index, or has its id. */
static bool is_given_at(const agentchat_messages *given, size_t index, const agentchat_message *message)
{
    agentchat_str id = agentchat_message_get(agentchat_messages_at(given, index), AGENTCHAT_FIELD_ID);

    return agentchat_messages_at(given, index) == message ||
           (id.ptr != NULL && agentchat_str_equal(id, agentchat_message_get(message, AGENTCHAT_FIELD_ID)));
}

static bool is_ours_excepted(const verdict_answer *answer, const agentchat_message *message, unsigned aspects)
{
    for (size_t i = 0; i < json_array_size(answer->notation); i++)
        if (is_excepted(json_array_get(answer->notation, i), aspects) && is_given_at(answer->given, i, message))
            return true;
    return false;
}

static bool is_theirs_excepted(const verdict_answer *answer, const json_t *recorded, unsigned aspects)
{
    size_t index;

    if (!json_is_string(recorded))
        return is_excepted(recorded, aspects);
    return agentchat_messages_find_id(answer->given, notation_text(recorded), &index) &&
           is_excepted(json_array_get(answer->notation, index), aspects);
}

/* Each of the fewer is one of the others. */
static bool is_part(const json_t *output, const verdict_answer *answer, unsigned aspects)
{
    size_t found = 0, ours = agentchat_messages_count(answer->result), count = json_array_size(output);

    for (size_t i = 0; i < count; i++)
        for (size_t m = 0; m < ours; m++)
            if (is_same(agentchat_messages_at(answer->result, m), json_array_get(output, i), answer->given, aspects)) {
                found++;
                break;
            }
    return found == (count < ours ? count : ours);
}

static bool is_equal(const json_t *output, const verdict_answer *answer, unsigned aspects)
{
    size_t count = json_array_size(output), ours = agentchat_messages_count(answer->result), o = 0, t = 0;

    if (!json_is_array(output))
        return false;
    if ((aspects & ASPECT_EMPTY) != 0) {
        json_t *rest = without_empty(output);
        bool same = is_equal(rest, answer, aspects & ~(unsigned)ASPECT_EMPTY);

        json_decref(rest);
        return same;
    }
    if ((aspects & ASPECT_LIST) != 0)
        return is_part(output, answer, aspects);
    for (;;) {
        while (o < ours && is_ours_excepted(answer, agentchat_messages_at(answer->result, o), aspects))
            o++;
        while (t < count && is_theirs_excepted(answer, json_array_get(output, t), aspects))
            t++;
        if (o == ours || t == count)
            return o == ours && t == count;
        if (!is_same(agentchat_messages_at(answer->result, o++), json_array_get(output, t++), answer->given, aspects))
            return false;
    }
}

verdict verdict_of_list(const json_t *one, const verdict_answer *answer, const verdict_rule *rules)
{
    const json_t *output = json_object_get(one, "output");
    const char *says = NULL;
    unsigned aspects = 0;

    if (output == NULL || answer->status < 0)
        return verdict_of_error(one, answer->status, rules);
    if (is_equal(output, answer, 0))
        return verdict_of(true);
    for (const verdict_rule *rule = rules; rule->says != NULL; rule++) {
        if (rule->aspects == 0 || !rule->applies(one))
            continue;
        says = says != NULL ? says : rule->says;
        aspects |= rule->aspects;
        if (is_equal(output, answer, rule->aspects))
            return (verdict){VERDICT_DIFFERENT, rule->says};
    }
    return says != NULL && is_equal(output, answer, aspects) ? (verdict){VERDICT_DIFFERENT, says} : verdict_of(false);
}

agentchat_messages *verdict_applied(agentchat_list_edit *edit, const agentchat_messages *messages)
{
    agentchat_messages *result;
    agentchat_error err;

    test_ok(agentchat_list_edit_apply(edit, messages, &result, &err), &err);
    agentchat_list_edit_free(edit);
    return result;
}
