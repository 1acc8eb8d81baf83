/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of numbers, nodes, and what is to fail. */
#include "chat_model.h"

#include <string.h>

/* ---- numbers -------------------------------------------------------------------------------------------------- */

void numbers_add(numbers *list, uint16_t number)
{
    FUZZ_CHECK(list->count < NUMBERS);
    list->list[list->count++] = number;
}

void numbers_add_all(numbers *list, const numbers *more)
{
    for (size_t i = 0; i < more->count; i++)
        numbers_add(list, more->list[i]);
}

bool numbers_begin_with(const numbers *list, const numbers *beginning)
{
    return beginning->count <= list->count &&
           memcmp(list->list, beginning->list, beginning->count * sizeof *list->list) == 0;
}

bool numbers_equal(const numbers *a, const numbers *b)
{
    return a->count == b->count && numbers_begin_with(a, b);
}

bool numbers_contain(const numbers *list, uint16_t number)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->list[i] == number)
            return true;
    return false;
}

numbers numbers_within(const numbers *list, const numbers *in)
{
    numbers out = {.count = 0};

    for (size_t i = 0; i < list->count; i++)
        if (numbers_contain(in, list->list[i]))
            numbers_add(&out, list->list[i]);
    return out;
}

bool is_silent(uint16_t number)
{
    return number % 5 == 4;
}

numbers numbers_heard(const numbers *list)
{
    numbers out = {.count = 0};

    for (size_t i = 0; i < list->count; i++)
        if (!is_silent(list->list[i]))
            numbers_add(&out, list->list[i]);
    return out;
}

/* ---- messages ------------------------------------------------------------------------------------------------- */

/* A silent message has nothing that history channels take: its number is the label of an annotation. */
agentchat_status new_message(world *w, const char *role, agentchat_message **out, agentchat_error *err)
{
    uint16_t number = w->next_number++;
    agentchat_message_builder *builder;
    agentchat_status status;
    char text[8];

    status = agentchat_message_builder_new(w->memory.env, role, (agentchat_str){NULL, 0}, &builder, err);
    if (status < 0)
        return status;

    (void)snprintf(text, sizeof text, "%u", (unsigned)number);
    if (is_silent(number)) {
        agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_ANNOTATION);
        agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_LABEL, agentchat_str_from(text));
    } else {
        agentchat_message_builder_add_text(builder, agentchat_str_from(text));
    }
    return agentchat_message_builder_finish(builder, out, err);
}

static uint16_t number_of(const agentchat_message *message)
{
    agentchat_str text = agentchat_message_text(message);
    unsigned number = 0;

    if (text.ptr == NULL)
        text = agentchat_item_get(agentchat_message_item(message, 0), AGENTCHAT_FIELD_LABEL);
    FUZZ_CHECK(text.len > 0);
    for (size_t i = 0; i < text.len; i++) {
        FUZZ_CHECK(text.ptr[i] >= '0' && text.ptr[i] <= '9');
        number = number * 10 + (unsigned)(text.ptr[i] - '0');
    }
    return (uint16_t)number;
}

numbers numbers_of(const agentchat_messages *messages)
{
    numbers out = {.count = 0};

    for (size_t i = 0; i < agentchat_messages_count(messages); i++)
        numbers_add(&out, number_of(agentchat_messages_at(messages, i)));
    return out;
}

/* ---- nodes ---------------------------------------------------------------------------------------------------- */

node *node_new(world *w, node *outer, agentchat_error *err)
{
    node *n = calloc(1, sizeof *n);

    FUZZ_CHECK(n != NULL);
    n->w = w;
    n->outer = outer;
    n->depth = outer != NULL ? outer->depth + 1 : 0;
    n->holders = 1;
    n->next = w->nodes;
    w->nodes = n;
    if (agentchat_chat_new(w->memory.env, &n->chat, err) < 0)
        FUZZ_CHECK(out_of_memory(w));
    return n;
}

void node_release(node *n)
{
    node **at = &n->w->nodes;

    if (--n->holders > 0)
        return;
    while (*at != n)
        at = &(*at)->next;
    *at = n->next;
    free(n);
}

void node_free(node *n)
{
    agentchat_chat_free(n->chat);
    FUZZ_CHECK(n->holders == 1); /* the chat has released its agents */
    node_release(n);
}

/* ---- failures ------------------------------------------------------------------------------------------------- */

bool fires(world *w, fault which)
{
    if (w->calm || w->until[which] == 255)
        return false;
    if (w->until[which] > 0) {
        w->until[which]--;
        return false;
    }
    w->until[which] = 255;
    w->fired++;
    return true;
}

bool out_of_memory(const world *w)
{
    return w->memory.failures > w->memory_failures;
}

bool disturbed(const world *w)
{
    return w->fired > 0 || out_of_memory(w);
}

void operation_begin(world *w)
{
    w->fired = 0;
    w->memory_failures = w->memory.failures;
    w->completed = false;
    w->all_said.count = 0;
    for (node *n = w->nodes; n != NULL; n = n->next)
        n->said.count = 0;
}

void calm_down(world *w)
{
    memset(w->until, 255, sizeof w->until);
    w->meddles = false;
    w->completes = false;
    w->recreates = false;
    fuzz_memory_calm(&w->memory);
}
