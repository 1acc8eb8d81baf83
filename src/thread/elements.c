/* SPDX-License-Identifier: Apache-2.0 */
/* Lists whose elements are stored one by one. */
#include "thread/elements.h"

#include "base/error.h"
#include "json/walk.h"

bool aci_elements_is_list(const aci_value *value)
{
    agentchat_str text = value->value;
    aci_walk walk;

    if (value->list != NULL || value->media_type.ptr != NULL || text.len < 2 || text.ptr[0] != '[')
        return value->list != NULL;
    aci_walk_begin(&walk, text);
    return text.len == 2 || aci_walk_next(&walk); /* an empty one with whitespace in it would lose that */
}

void aci_elements_of_messages(aci_elements *elements, const agentchat_messages *messages)
{
    *elements = (aci_elements){.count = messages->count};
    aci_list_cursor_begin(&elements->cursor, messages);
}

void aci_elements_of_numbers(aci_elements *elements, const int64_t *numbers, size_t count)
{
    *elements = (aci_elements){.numbers = numbers, .count = count};
}

void aci_elements_of_values(aci_elements *elements, const aci_value_list *list)
{
    *elements = (aci_elements){.count = aci_value_list_count(list)};
    aci_value_list_cursor_begin(&elements->values, list);
}

bool aci_elements_of_array(aci_elements *elements, agentchat_str array, aci_arena *arena)
{
    agentchat_str *texts = NULL;
    size_t count = 0;
    bool ok = aci_value_list_split(array, arena, &texts, &count);

    *elements = (aci_elements){.texts = texts, .count = count};
    return ok;
}

static bool is_messages(const aci_elements *elements)
{
    return elements->texts == NULL && elements->numbers == NULL && elements->values.list == NULL;
}

static agentchat_str text_at(aci_elements *elements, size_t index)
{
    return elements->texts != NULL ? elements->texts[index] : aci_value_list_cursor_at(&elements->values, index);
}

agentchat_status aci_elements_body(aci_elements *elements, size_t index, aci_bodies *bodies, size_t *body,
                                   agentchat_error *err)
{
    if (!is_messages(elements))
        return aci_bodies_add(bodies, text_at(elements, index), body, err);
    return aci_bodies_add_message(bodies, aci_list_cursor_at(&elements->cursor, index), body, err);
}

/* The number of an element's body; 0: not known. What has only numbers is compared with what is in the bodies. */
static int64_t number_of(aci_elements *elements, size_t index, aci_bodies *bodies)
{
    size_t body;

    if (elements->numbers != NULL)
        return elements->numbers[index];
    return aci_elements_body(elements, index, bodies, &body, NULL) >= 0 ? bodies->list[body].no : 0;
}

bool aci_elements_same(aci_elements *a, size_t i, aci_elements *b, size_t k, aci_bodies *bodies)
{
    if (a->numbers != NULL || b->numbers != NULL) {
        int64_t number = number_of(a, i, bodies);

        return number != 0 && number == number_of(b, k, bodies);
    }
    if (is_messages(a) != is_messages(b))
        return false;
    if (!is_messages(a))
        return agentchat_str_equal(text_at(a, i), text_at(b, k));
    return aci_list_cursor_at(&a->cursor, i) == aci_list_cursor_at(&b->cursor, k);
}

void aci_elements_shared(const aci_elements *a, const aci_elements *b, size_t *skipped, size_t *run)
{
    *skipped = *run = 0;
    if (a->values.list != NULL && b->values.list != NULL)
        aci_value_list_shared(a->values.list, b->values.list, skipped, run);
    else if (a->count > 0 && is_messages(a) && is_messages(b) && aci_list_is_prefix(a->cursor.list, b->cursor.list))
        *run = a->count;
}

size_t aci_elements_run(aci_elements *a, size_t i, aci_elements *b, size_t k, aci_bodies *bodies)
{
    size_t run = 0;

    while (i + run < a->count && k + run < b->count && aci_elements_same(a, i + run, b, k + run, bodies))
        run++;
    return run;
}
