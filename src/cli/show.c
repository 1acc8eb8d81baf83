/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows a list of messages. A function's result usually stands in a message of its own, behind several calls; a reader
 * wants it below its call. So calls and results of what is shown are paired by id first, in n log n, and a message
 * that holds nothing but results shown above is left out. Layer: cli.
 */
#include "show.h"
#include <stdlib.h>
#include <string.h>

static bool is_link(const agentchat_item *item)
{
    agentchat_item_kind kind = agentchat_item_get_kind(item);

    return kind == AGENTCHAT_ITEM_CALL || kind == AGENTCHAT_ITEM_RESULT;
}

static int by_id(const void *left, const void *right)
{
    const show_link *a = left, *b = right;
    size_t shorter = a->id.len < b->id.len ? a->id.len : b->id.len;
    int bytes = shorter > 0 ? memcmp(a->id.ptr, b->id.ptr, shorter) : 0;

    if (bytes != 0)
        return bytes;
    if (a->id.len != b->id.len)
        return a->id.len < b->id.len ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static int by_order(const void *left, const void *right)
{
    const show_link *a = left, *b = right;

    return a->order < b->order ? -1 : a->order > b->order;
}

/* A result belongs to the last call of its id before it that has none yet. */
static void pair(show_link *links, size_t count)
{
    show_link *call = NULL;

    for (size_t i = 0; i < count; i++) {
        show_link *link = &links[i];

        if (!has(link->id))
            continue; /* among those whose id is empty */
        if (call != NULL && !agentchat_str_equal(call->id, link->id))
            call = NULL;
        if (agentchat_item_get_kind(link->item) == AGENTCHAT_ITEM_CALL) {
            call = link;
        } else if (call != NULL) {
            call->partner = link->order;
            link->partner = call->order;
            call = NULL;
        }
    }
}

static size_t collect(show_link *links, const agentchat_message *const *messages, size_t message_count)
{
    size_t count = 0;

    for (size_t m = 0; m < message_count; m++) {
        for (size_t i = 0; i < agentchat_message_item_count(messages[m]); i++) {
            const agentchat_item *item = agentchat_message_item(messages[m], i);

            if (!is_link(item))
                continue;
            if (links != NULL)
                links[count] =
                    (show_link){item, agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID), count, SHOW_NO_PARTNER};
            count++;
        }
    }
    return count;
}

static bool is_below_its_call(const show *s, const show_link *link)
{
    return !s->full && agentchat_item_get_kind(link->item) == AGENTCHAT_ITEM_RESULT &&
           link->partner != SHOW_NO_PARTNER && link->partner >= s->first_link;
}

/* Whether a message has items, and all of them are results that were shown below their calls. */
static bool is_shown_already(const show *s, const agentchat_message *message)
{
    size_t count = agentchat_message_item_count(message), link = s->next_link;

    for (size_t i = 0; i < count; i++) {
        if (!is_link(agentchat_message_item(message, i)) || !is_below_its_call(s, &s->links[link++]))
            return false;
    }
    return count > 0;
}

/* What belongs to a call or a result that was shown. */
static void put_partner(show *s, const show_link *link, unsigned indent)
{
    bool is_call = agentchat_item_get_kind(link->item) == AGENTCHAT_ITEM_CALL;

    if (link->partner == SHOW_NO_PARTNER && is_call) {
        if (!has(agentchat_item_get(link->item, AGENTCHAT_FIELD_EXCEPTION)))
            show_note(s, "no result", indent + 2);
    } else if (link->partner == SHOW_NO_PARTNER) {
        if (s->is_whole)
            show_note(s, "no call", indent + 2);
    } else if (is_call && !s->full) {
        show_item(s, s->links[link->partner].item, indent);
    }
}

void show_time(const show *s, agentchat_str time)
{
    static const char shape[] = "0000-00-00T00:00";
    size_t zone = sizeof shape - 1;
    bool fits = !s->full && time.len >= zone;

    for (size_t i = 0; fits && i < zone; i++)
        fits = shape[i] == '0' ? time.ptr[i] >= '0' && time.ptr[i] <= '9' : time.ptr[i] == shape[i];
    if (!fits) {
        (void)cli_put(s->out, time);
        return;
    }
    (void)fprintf(s->out, "%.10s %.5s", time.ptr, time.ptr + 11);
    while (zone < time.len && time.ptr[zone] != '+' && time.ptr[zone] != '-')
        zone++; /* seconds and Z */
    if (zone < time.len) {
        (void)fputc(' ', s->out);
        (void)cli_put(s->out, (agentchat_str){time.ptr + zone, time.len - zone});
    }
}

static void put_header(show *s, const agentchat_message *message, unsigned indent)
{
    agentchat_str role = agentchat_message_role(message), name = agentchat_message_name(message);
    agentchat_str time = agentchat_message_get(message, AGENTCHAT_FIELD_TIME);
    agentchat_str model = agentchat_message_get(message, AGENTCHAT_FIELD_MODEL_ID);

    cli_pad(s->out, indent);
    (void)fputs(s->style.bold, s->out);
    (void)cli_put(s->out, has(role) ? role : AGENTCHAT_STR("(no role)"));
    if (has(name)) {
        (void)fputs("  ", s->out);
        (void)cli_put(s->out, name);
    }
    (void)fputs(s->style.off, s->out);
    if (has(time)) {
        (void)fputs(" · ", s->out);
        show_time(s, time);
    }
    if (has(model)) {
        (void)fputs(" · ", s->out);
        (void)cli_put(s->out, model);
    }
    (void)fputc('\n', s->out);
}

void show_body(show *s, const agentchat_message *message, unsigned indent, bool linked)
{
    show_detail(s, "id", agentchat_message_get(message, AGENTCHAT_FIELD_ID), indent);
    show_detail(s, "mime type", agentchat_message_get(message, AGENTCHAT_FIELD_MIME_TYPE), indent);
    show_detail(s, "metadata", agentchat_message_get(message, AGENTCHAT_FIELD_METADATA), indent);
    for (size_t i = 0; i < agentchat_message_extra_count(message); i++)
        show_extra(s, agentchat_message_extra(message, i), indent);
    for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
        const agentchat_item *item = agentchat_message_item(message, i);
        const show_link *link = linked && is_link(item) ? &s->links[s->next_link++] : NULL;

        if (link != NULL && is_below_its_call(s, link))
            continue;
        show_item(s, item, indent);
        if (link != NULL)
            put_partner(s, link, indent);
    }
}

void show_message(show *s, const agentchat_message *message, unsigned indent, bool linked)
{
    put_header(s, message, indent);
    show_body(s, message, indent + 2, linked);
}

bool show_begin(show *s, const cli_screen *screen, bool full, show_range list)
{
    *s = (show){.out = screen->out, .style = screen->style, .columns = screen->columns, .full = full};
    s->is_whole = list.is_whole;
    s->link_count = collect(NULL, list.messages, list.count);
    s->first_link = s->next_link = collect(NULL, list.messages, list.first);
    if (s->link_count == 0)
        return true;
    s->links = calloc(s->link_count, sizeof *s->links);
    if (s->links == NULL)
        return false;
    (void)collect(s->links, list.messages, list.count);
    qsort(s->links, s->link_count, sizeof *s->links, by_id);
    pair(s->links, s->link_count);
    qsort(s->links, s->link_count, sizeof *s->links, by_order);
    return true;
}

void show_end(show *s)
{
    free(s->links);
    s->links = NULL;
}

bool show_messages(const cli_screen *screen, const agentchat_messages *messages, size_t first, bool full)
{
    size_t count = agentchat_messages_count(messages);
    const agentchat_message **list = calloc(count + 1, sizeof *list);
    show s = {.out = screen->out};
    bool ok = list != NULL;

    for (size_t i = 0; ok && i < count; i++)
        list[i] = agentchat_messages_at(messages, i);
    ok = ok && show_begin(&s, screen, full,
                          (show_range){list, count, .first = first < count ? first : count, .is_whole = true});
    for (size_t i = first; ok && i < count && !ferror(s.out); i++) { /* nobody reads on behind an error */
        if (is_shown_already(&s, list[i])) {
            s.next_link += agentchat_message_item_count(list[i]);
        } else {
            (void)fprintf(s.out, "%s#%zu%s ", s.style.dim, i, s.style.off);
            show_message(&s, list[i], 0, true);
        }
    }
    show_end(&s);
    free(list);
    return ok && !s.failed;
}
