/* SPDX-License-Identifier: Apache-2.0 */
/* Lists whose elements are stored one by one. */
#include "thread/elements.h"

#include "base/error.h"
#include "json/walk.h"
#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool aci_elements_is_list(agentchat_str media_type, agentchat_str value)
{
    size_t at = 1;

    if (media_type.ptr != NULL || value.len < 2 || value.ptr[0] != '[')
        return false;
    while (is_space(value.ptr[at]))
        at++;
    return at == 1 || value.ptr[at] != ']'; /* an empty one with whitespace in it would lose that */
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

bool aci_elements_of_array(aci_elements *elements, agentchat_str array, aci_arena *arena)
{
    agentchat_str *texts;
    const char *begin = array.ptr + 1; /* of the element, whitespace before it included */
    size_t count = 0;
    aci_walk walk;

    aci_walk_begin(&walk, array);
    while (aci_walk_next(&walk))
        count++;
    texts = aci_arena_alloc(arena, (count + 1) * sizeof *texts);
    if (texts == NULL)
        return false;
    *elements = (aci_elements){.texts = texts};
    aci_walk_begin(&walk, array);
    while (elements->count < count && aci_walk_next(&walk)) {
        const char *end = walk.value.ptr + walk.value.len;

        while (is_space(*end))
            end++;
        texts[elements->count++] = (agentchat_str){begin, (size_t)(end - begin)};
        begin = end + 1;
    }
    return true;
}

agentchat_status aci_elements_body(aci_elements *elements, size_t index, aci_bodies *bodies, size_t *body,
                                   agentchat_error *err)
{
    if (elements->texts != NULL)
        return aci_bodies_add(bodies, elements->texts[index], body, err);
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
    if (a->texts != NULL)
        return b->texts != NULL && agentchat_str_equal(a->texts[i], b->texts[k]);
    return b->texts == NULL && aci_list_cursor_at(&a->cursor, i) == aci_list_cursor_at(&b->cursor, k);
}

size_t aci_elements_run(aci_elements *a, size_t i, aci_elements *b, size_t k, aci_bodies *bodies)
{
    size_t run = 0;

    if (i == 0 && k == 0 && a->numbers == NULL && b->numbers == NULL && a->texts == NULL && b->texts == NULL &&
        aci_list_is_prefix(a->cursor.list, b->cursor.list))
        return a->count; /* at no cost where they share what they have in common */
    while (i + run < a->count && k + run < b->count && aci_elements_same(a, i + run, b, k + run, bodies))
        run++;
    return run;
}
