/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows a list of messages. A function's result usually stands in a message of its own, after several calls; a reader
 * wants it below its call. So a message that holds nothing but results shown above is left out.
 */
#include "cli/show/message.h"
#include "cli/show/item.h"
#include "cli/show/line.h"
#include "cli/text/put.h"

static bool is_call_or_result(const agentchat_item *item)
{
    agentchat_item_kind kind = agentchat_item_get_kind(item);

    return kind == AGENTCHAT_ITEM_CALL || kind == AGENTCHAT_ITEM_RESULT;
}

static bool is_below_its_call(const show *s, const agentchat_call *call)
{
    return call != NULL && !s->full && agentchat_item_get_kind(call->item) == AGENTCHAT_ITEM_RESULT &&
           call->partner != AGENTCHAT_NO_PARTNER && call->partner >= s->first_call;
}

/* Whether a message has items, and all of them are results that were shown below their calls. */
static bool is_shown_already(const show *s, const agentchat_message *message)
{
    size_t count = agentchat_message_item_count(message), call = s->next_call;

    for (size_t i = 0; i < count; i++) {
        if (!is_call_or_result(agentchat_message_item(message, i)) ||
            !is_below_its_call(s, agentchat_calls_at(s->calls, call++)))
            return false;
    }
    return count > 0;
}

/* An item: a message in it goes before what the item says besides, a content after it. */
static void put_item(show *s, const agentchat_item *item, unsigned indent)
{
    if (agentchat_item_get_kind(item) == AGENTCHAT_ITEM_MESSAGE) {
        cli_put_spaces(s->out, indent);
        (void)fputs("message\n", s->out);
        show_message(s, agentchat_item_message(item), indent + 2, false);
    }
    show_item(s, item, indent);
    for (size_t i = 0; i < agentchat_item_content_count(item); i++)
        put_item(s, agentchat_item_content(item, i), indent + 2);
}

/* What belongs to a call or a result that was shown-> */
static void put_partner(show *s, const agentchat_call *shown, unsigned indent)
{
    bool is_call = agentchat_item_get_kind(shown->item) == AGENTCHAT_ITEM_CALL;

    if (shown->partner == AGENTCHAT_NO_PARTNER && is_call) {
        if (!has(agentchat_item_get(shown->item, AGENTCHAT_FIELD_EXCEPTION)))
            show_note(s, "no result", indent + 2);
    } else if (shown->partner == AGENTCHAT_NO_PARTNER) {
        if (s->is_complete)
            show_note(s, "no call", indent + 2);
    } else if (is_call && !s->full) {
        put_item(s, agentchat_calls_at(s->calls, shown->partner)->item, indent);
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

    cli_put_spaces(s->out, indent);
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
        const agentchat_call *call = NULL;

        if (linked && is_call_or_result(item))
            call = agentchat_calls_at(s->calls, s->next_call++);
        if (is_below_its_call(s, call))
            continue;
        put_item(s, item, indent);
        if (call != NULL)
            put_partner(s, call, indent);
    }
}

void show_message(show *s, const agentchat_message *message, unsigned indent, bool linked)
{
    put_header(s, message, indent);
    show_body(s, message, indent + 2, linked);
}

bool show_begin(show *s, const cli_pager *pager, bool full, const agentchat_messages *messages, size_t first,
                bool is_complete)
{
    *s = (show){
        .out = pager->out, .style = pager->style, .columns = pager->columns, .full = full, .is_complete = is_complete};
    if (agentchat_calls_find(NULL, messages, &s->calls, NULL) < 0)
        return false;
    while (s->first_call < agentchat_calls_count(s->calls) &&
           agentchat_calls_at(s->calls, s->first_call)->message < first)
        s->first_call++;
    s->next_call = s->first_call;
    return true;
}

void show_end(show *s)
{
    agentchat_calls_free(s->calls);
    s->calls = NULL;
}

/* before: so many messages stand before the list, in the chat that it is of. */
static bool show_list(const cli_pager *pager, const agentchat_messages *messages, size_t first, uint64_t before,
                      bool full)
{
    size_t count = agentchat_messages_count(messages);
    show s = {.out = pager->out};
    bool ok = show_begin(&s, pager, full, messages, first, before == 0);

    for (size_t i = first; ok && i < count && !ferror(s.out); i++) { /* nobody reads on after an error */
        const agentchat_message *message = agentchat_messages_at(messages, i);

        if (is_shown_already(&s, message)) {
            s.next_call += agentchat_message_item_count(message);
        } else {
            (void)fprintf(s.out, "%s#%llu%s ", s.style.dim, (unsigned long long)before + i, s.style.off);
            show_message(&s, message, 0, true);
        }
    }
    show_end(&s);
    return ok && !s.failed;
}

bool show_messages(const cli_pager *pager, const agentchat_messages *messages, size_t first, bool full)
{
    return show_list(pager, messages, first, 0, full);
}

bool show_message_tail(const cli_pager *pager, const agentchat_messages *messages, uint64_t before, bool full)
{
    return show_list(pager, messages, 0, before, full);
}
