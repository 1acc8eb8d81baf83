/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the node of LangGraph's page that summarises a conversation: each turn adds messages by their ids, asks a
   model that answers S1, S2, …, and drops all but two messages. The prompts of the recording are CREATE and EXTEND
   [SUMMARY]. */
#include "kinds.h"

#include "support/test_support.h"
#include <string.h>

enum { MOST = 512 };

typedef struct conversation {
    agentchat_messages *list;
    agentchat_bytes state;
    agentchat_messages *asked; /* in the turn that is on */
    int answers;
} conversation;

static agentchat_status answer(void *user, const agentchat_messages *messages, agentchat_bytes *out,
                               agentchat_error *err)
{
    conversation *c = user;
    char summary[16];

    (void)snprintf(summary, sizeof summary, "S%d", ++c->answers);
    test_ok(agentchat_messages_ref(messages, &c->asked, err), err);
    return agentchat_bytes_append(out, agentchat_str_from(summary), err);
}

static void take_list(conversation *c, agentchat_list_edit *edit)
{
    agentchat_messages *next = verdict_applied(edit, c->list);

    agentchat_messages_unref(c->list);
    c->list = next;
}

/* What a graph's state of messages does with what comes. */
static notation_form add_turn(conversation *c, const json_t *turn)
{
    agentchat_message_update updates[MOST];
    agentchat_list_edit *edit = NULL;
    size_t count = 0;
    notation_form form = json_array_size(turn) <= MOST ? NOTATION_MESSAGE : NOTATION_ODD;
    agentchat_error err;

    while (form != NOTATION_ODD && count < json_array_size(turn)) {
        agentchat_message *message = NULL;
        agentchat_str removal = {NULL, 0};

        form = notation_message(json_array_get(turn, count), &message, &removal);
        if (form != NOTATION_ODD)
            updates[count++] = (agentchat_message_update){message, removal};
    }
    if (form != NOTATION_ODD && agentchat_messages_add(NULL, c->list, updates, count, &edit, &err) < 0)
        form = NOTATION_ODD; /* a graph that fails is no conversation */
    if (form != NOTATION_ODD)
        take_list(c, edit);
    while (count > 0)
        agentchat_message_unref(updates[--count].message);
    return form;
}

static void summarize(conversation *c)
{
    agentchat_summary_options options = AGENTCHAT_SUMMARY_OPTIONS_INIT;
    agentchat_str state = {c->state.ptr, c->state.len};
    agentchat_bytes next = AGENTCHAT_BYTES_INIT;
    agentchat_list_edit *edit = NULL;
    agentchat_error err;

    options.create_prompt = "CREATE";
    options.extend_prompt = "EXTEND [{summary}]";
    options.split_calls = true;
    test_ok(agentchat_messages_summarize(NULL, c->list, state, answer, c, &options, &next, &edit, &err), &err);
    take_list(c, edit);
    agentchat_bytes_clear(&c->state);
    c->state = next;
}

/* A list of messages, or of ids of those that are in another one. */
static bool is_list(const agentchat_messages *list, const agentchat_messages *known, const json_t *recorded)
{
    static const verdict_rule none = {NULL, NULL, 0, NULL, AGENTCHAT_OK};
    verdict_answer given = {.given = known, .result = list};
    json_t *one = json_object();
    bool same;

    json_object_set(one, "output", (json_t *)recorded);
    same = verdict_of_list(one, &given, &none).kind == VERDICT_EQUAL;
    json_decref(one);
    return same;
}

static bool is_summary(const conversation *c, const json_t *result)
{
    json_t *state = json_loads(c->state.ptr != NULL ? c->state.ptr : "null", JSON_DECODE_ANY, NULL);
    bool same = json_equal(json_object_get(state, "summary"), json_object_get(result, "summary"));

    json_decref(state);
    return same;
}

/* The summary that there was before the first turn is told by what that turn asked alone. */
static void take_first_state(conversation *c, const json_t *results)
{
    const json_t *asked = json_object_get(json_array_get(results, 0), "asked");
    const char *prompt = notation_word(json_array_get(asked, json_array_size(asked) - 1), "content");
    static const char extend[] = "EXTEND [";
    json_t *state;
    agentchat_error err;

    if (prompt == NULL || strncmp(prompt, extend, sizeof extend - 1) != 0)
        return;
    state = json_pack("{s:s%}", "summary", prompt + sizeof extend - 1, strlen(prompt) - sizeof extend);
    test_ok(agentchat_json_dump(NULL, state, &c->state, &err), &err);
    json_decref(state);
}

static verdict run_turn(conversation *c, const json_t *turn, const json_t *result)
{
    agentchat_messages *before = NULL;
    agentchat_error err;
    bool same;

    if (add_turn(c, turn) == NOTATION_ODD)
        return kind_passed_over(NOTATION_ODD);
    test_ok(agentchat_messages_ref(c->list, &before, &err), &err);
    summarize(c);
    same = is_list(c->asked, before, json_object_get(result, "asked")) && is_summary(c, result) &&
           is_list(c->list, before, json_object_get(result, "messages"));
    agentchat_messages_unref(before);
    agentchat_messages_unref(c->asked);
    c->asked = NULL;
    return verdict_of(same);
}

verdict kind_summarize(const kind_case *c)
{
    const json_t *turns = json_object_get(c->one, "turns"), *results = json_object_get(c->one, "results");
    conversation talk = {NULL, AGENTCHAT_BYTES_INIT, NULL, 0};
    verdict found = verdict_of(json_array_size(turns) == json_array_size(results) && json_array_size(turns) > 0);
    agentchat_error err;

    test_ok(agentchat_messages_new(NULL, NULL, 0, &talk.list, &err), &err);
    take_first_state(&talk, results);
    for (size_t i = 0; found.kind == VERDICT_EQUAL && i < json_array_size(turns); i++)
        found = run_turn(&talk, json_array_get(turns, i), json_array_get(results, i));
    agentchat_messages_unref(talk.list);
    agentchat_bytes_clear(&talk.state);
    return found;
}
