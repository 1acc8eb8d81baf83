/* SPDX-License-Identifier: Apache-2.0 */
/* What stands above a conversation: facts, participants, channels, named values, unknown properties. */
#include "view/page.h"

#include <stdio.h>
#include <string.h>

/* ---- facts ---------------------------------------------------------------------------------------------------- */

static agentchat_str time_of(const agentchat_messages *messages, bool last)
{
    size_t count = agentchat_messages_count(messages);
    agentchat_str time = {NULL, 0};

    for (size_t i = 0; i < count && !aci_page_has(time); i++)
        time = agentchat_message_get(agentchat_messages_at(messages, last ? count - 1 - i : i), AGENTCHAT_FIELD_TIME);
    return time;
}

static void put_span(aci_html *h, const agentchat_messages *messages)
{
    agentchat_str first = time_of(messages, false), last = time_of(messages, true);

    if (!aci_page_has(first))
        return;
    ACI_HTML(h, "<dt>time</dt><dd>");
    aci_html_text(h, first);
    if (!agentchat_str_equal(first, last)) {
        ACI_HTML(h, " to ");
        aci_html_text(h, last);
    }
    ACI_HTML(h, "</dd>");
}

void aci_page_facts(aci_page *page, const agentchat_snapshot *snapshot)
{
    const char *format = snapshot->format;
    aci_html *h = &page->html;

    ACI_HTML(h, "<dl class=\"facts\">");
    if (page->pool == NULL) /* a store's are of none */
        aci_page_fact(page, "format", format != NULL ? agentchat_str_from(format) : AGENTCHAT_STR("not from a file"));
    ACI_HTML(h, "<dt>history</dt><dd>");
    aci_page_count(page, agentchat_messages_count(agentchat_snapshot_history(snapshot)), "message");
    ACI_HTML(h, "</dd>");
    put_span(h, &snapshot->history);
    ACI_HTML(h, "<dt>state</dt><dd>");
    ACI_HTML(h, "turn ");
    aci_html_u64(h, snapshot->next_turn);
    if (snapshot->is_complete)
        ACI_HTML(h, ", complete");
    ACI_HTML(h, "</dd></dl>\n");
}

/* Unknown properties. */
static void put_unknown(aci_page *page, const aci_extras *extras)
{
    size_t bytes = 0;

    for (size_t i = 0; extras != NULL && i < extras->count; i++)
        bytes += extras->list[i].name.len + extras->list[i].value.len;
    if (bytes > 0 && aci_page_fits(page, bytes))
        aci_page_more(page, NULL, 0, extras);
}

/* ---- participants --------------------------------------------------------------------------------------------- */

static void put_cell(aci_html *h, agentchat_str text)
{
    ACI_HTML(h, "<td><bdi>");
    if (aci_page_has(text))
        aci_html_text(h, text);
    ACI_HTML(h, "</bdi></td>");
}

static void put_participant(aci_page *page, const agentchat_participant *participant)
{
    size_t number =
        aci_page_has(participant->name) ? aci_author_number(&page->authors, participant->name) : ACI_INDEX_NONE;
    aci_html *h = &page->html;

    if (number == ACI_INDEX_NONE) {
        ACI_HTML(h, "<tr>");
    } else {
        ACI_HTML(h, "<tr class=\"a");
        aci_html_u64(h, number % ACI_AUTHOR_COLOURS);
        ACI_HTML(h, "\">");
    }
    ACI_HTML(h, "<th scope=\"row\"><b class=\"author\"><bdi>");
    aci_html_text(h, aci_page_has(participant->name) ? participant->name : AGENTCHAT_STR("(no name)"));
    ACI_HTML(h, "</bdi></b></th>");
    put_cell(h, participant->type);
    put_cell(h, participant->id);
    ACI_HTML(h, "<td>");
    put_unknown(page, participant->extras);
    ACI_HTML(h, "</td></tr>\n");
}

static void put_participants(aci_page *page, const agentchat_snapshot *snapshot)
{
    aci_html *h = &page->html;

    if (snapshot->participant_count == 0) {
        ACI_HTML(h, "<p class=\"none\">no participants</p>\n");
        return;
    }
    ACI_HTML(h, "<div class=\"table\"><table class=\"participants\"><caption>");
    aci_page_count(page, snapshot->participant_count, "participant");
    ACI_HTML(h, "</caption><thead><tr><th scope=\"col\">name</th><th scope=\"col\">type</th><th scope=\"col\">id</th>"
                "<th scope=\"col\"><span class=\"hidden\">more</span></th></tr></thead><tbody>\n");
    for (size_t i = 0; h->status >= 0 && i < snapshot->participant_count; i++)
        put_participant(page, &snapshot->participants[i]);
    ACI_HTML(h, "</tbody></table></div>\n");
}

/* ---- channels ------------------------------------------------------------------------------------------------- */

/* prefix NULL: the number alone. */
static void put_link(aci_html *h, const char *prefix, size_t message)
{
    if (prefix == NULL) {
        aci_html_u64(h, message);
        return;
    }
    ACI_HTML(h, "<a href=\"#");
    aci_html_raw(h, prefix, strlen(prefix));
    aci_html_u64(h, message);
    ACI_HTML(h, "\">");
    aci_html_u64(h, message);
    ACI_HTML(h, "</a>");
}

/* `0 to 12, 15` of the messages to which it stands so. */
static void put_ranges(aci_page *page, const char *prefix, const aci_channel_view *view, aci_standing standing)
{
    aci_html *h = &page->html;
    size_t at = 0, ranges = 0;

    for (size_t i = 0; h->status >= 0 && i < view->run_count; at += view->runs[i++].count) {
        if (view->runs[i].standing != standing)
            continue;
        if (ranges > 0)
            ACI_HTML(h, ", ");
        if (ranges++ == ACI_MOST_KEPT_RANGES && page->is_kept) {
            ACI_HTML(h, "\xE2\x80\xA6");
            return;
        }
        put_link(h, prefix, at);
        if (view->runs[i].count > 1) {
            ACI_HTML(h, " to ");
            put_link(h, prefix, at + view->runs[i].count - 1);
        }
    }
}

static void put_standing(aci_page *page, const char *prefix, const aci_channel_view *view, aci_standing standing,
                         const char *what)
{
    size_t count = aci_channel_view_count(view, standing);
    aci_html *h = &page->html;

    if (count == 0)
        return;
    ACI_HTML(h, "<li>");
    aci_html_raw(h, what, strlen(what));
    ACI_HTML(h, " ");
    aci_html_u64(h, count);
    ACI_HTML(h, ": ");
    put_ranges(page, prefix, view, standing);
    ACI_HTML(h, "</li>");
}

static void put_standings(aci_page *page, const char *prefix, const agentchat_channel_state *channel,
                          const aci_channel_view *view)
{
    bool holds = channel->kind == AGENTCHAT_CHANNEL_MESSAGES;
    aci_html *h = &page->html;

    ACI_HTML(h, "<ul class=\"standings\">");
    put_standing(page, prefix, view, ACI_HELD, holds ? "holds" : "was given");
    put_standing(page, prefix, view, ACI_LEFT, "was given and does not hold");
    put_standing(page, prefix, view, ACI_NOT_HELD, "does not hold");
    put_standing(page, prefix, view, ACI_WAITING, "has waiting");
    put_standing(page, prefix, view, ACI_NOT_GIVEN, "was not given");
    if (aci_channel_view_count(view, ACI_UNKNOWN) > 0)
        ACI_HTML(h, "<li>what it was given is not known</li>");
    if (view->own_count > 0) {
        ACI_HTML(h, "<li>alone holds ");
        aci_page_count(page, view->own_count, "message");
        ACI_HTML(h, "</li>");
    }
    ACI_HTML(h, "</ul>");
}

static const char *kind_of(const agentchat_channel_state *channel)
{
    const char *name = aci_snapshot_state_kind_name(channel->kind);

    return name != NULL ? name : "unknown";
}

/* The state of a channel whose messages or chat the page does not show. */
static void put_state(aci_page *page, const agentchat_channel_state *channel)
{
    aci_html *h = &page->html;

    if (channel->kind != AGENTCHAT_CHANNEL_TEXT && channel->kind != AGENTCHAT_CHANNEL_BYTES)
        return;
    if (!aci_page_has(channel->data)) {
        ACI_HTML(h, "<p class=\"none\">no state</p>");
    } else if (channel->kind == AGENTCHAT_CHANNEL_TEXT && aci_page_fits(page, channel->data.len)) {
        aci_page_copyable(page, "state", channel->data);
    } else if (channel->kind == AGENTCHAT_CHANNEL_BYTES) {
        ACI_HTML(h, "<p class=\"name\">");
        aci_page_count(page, channel->data.len, "byte");
        ACI_HTML(h, "</p>");
    }
}

/* What a channel of a chat inside had been given stands with its button; that of the others in the choice of the view.
   A chat that is too deep to have a part of the page of its own is not looked at. */
static void put_look(aci_page *page, const aci_channel_view *view, size_t index)
{
    aci_html *h = &page->html;

    if (page->nesting > ACI_DEEPEST_NESTING || !aci_page_has_runs(page, view))
        return;
    ACI_HTML(h, "<button type=\"button\" class=\"look js\" aria-pressed=\"false\" data-view=\"");
    aci_html_u64(h, index);
    ACI_HTML(h, "\"");
    if (page->nesting > 0)
        aci_page_runs(h, view);
    ACI_HTML(h, ">View as this channel</button>");
}

static void put_channel(aci_page *page, const char *prefix, const agentchat_channel_state *channel,
                        const aci_channel_view *view, size_t index)
{
    aci_html *h = &page->html;

    ACI_HTML(h, "<tr><td>");
    aci_html_u64(h, index);
    ACI_HTML(h, "</td><th scope=\"row\"><bdi>");
    aci_html_text(h, aci_page_has(channel->type) ? channel->type : AGENTCHAT_STR("(no type)"));
    ACI_HTML(h, "</bdi> <code class=\"key\">");
    if (aci_page_has(channel->key))
        aci_html_text(h, channel->key);
    ACI_HTML(h, "</code></th><td>");
    aci_html_raw(h, kind_of(channel), strlen(kind_of(channel)));
    ACI_HTML(h, "</td><td>");
    put_standings(page, prefix, channel, view);
    put_state(page, channel);
    put_unknown(page, channel->extras);
    put_look(page, view, index);
    ACI_HTML(h, "</td></tr>\n");
}

static void put_channels(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views,
                         const char *prefix)
{
    aci_html *h = &page->html;

    if (snapshot->channel_count == 0) {
        ACI_HTML(h, "<p class=\"none\">no channels</p>\n");
        return;
    }
    ACI_HTML(h, "<div class=\"table\"><table class=\"channels\"><caption>");
    aci_page_count(page, snapshot->channel_count, "channel");
    ACI_HTML(h, "</caption><thead><tr><th scope=\"col\"><span class=\"hidden\">number</span></th>"
                "<th scope=\"col\">channel</th><th scope=\"col\">kind</th><th scope=\"col\">of the history</th></tr>"
                "</thead><tbody>\n");
    for (size_t i = 0; h->status >= 0 && i < snapshot->channel_count; i++)
        put_channel(page, prefix, &snapshot->channels[i], &views->list[i], i);
    ACI_HTML(h, "</tbody></table></div>\n");
}

/* ---- named values, unknown properties -------------------------------------------------------------- */

static void put_values(aci_page *page, const agentchat_snapshot *snapshot)
{
    aci_html *h = &page->html;

    if (snapshot->value_count == 0)
        return;
    ACI_HTML(h, "<details class=\"values\"><summary>");
    aci_page_count(page, snapshot->value_count, "named value");
    ACI_HTML(h, "</summary>");
    for (size_t i = 0; h->status >= 0 && i < snapshot->value_count; i++) {
        const aci_value *value = &snapshot->values[i];
        agentchat_str text = {NULL, 0};

        if (!aci_snapshot_value_text(value, &text)) {
            aci_html_fail(h, AGENTCHAT_E_NOMEM, "out of memory");
            return;
        }
        ACI_HTML(h, "<p class=\"name\"><b><bdi>");
        aci_html_text(h, value->name);
        ACI_HTML(h, "</bdi></b></p>");
        if (value->media_type.ptr == NULL) {
            if (aci_page_fits(page, text.len))
                aci_page_value(page, "value", text);
            continue;
        }
        ACI_HTML(h, "<p class=\"name\">");
        aci_html_text(h, value->media_type);
        ACI_HTML(h, ", ");
        aci_page_count(page, text.len, "byte");
        ACI_HTML(h, "</p>");
    }
    ACI_HTML(h, "</details>\n");
}

static void put_parts(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views,
                      const char *prefix)
{
    put_participants(page, snapshot);
    put_channels(page, snapshot, views, page->is_kept ? NULL : prefix);
    put_values(page, snapshot);
    put_unknown(page, snapshot->extras);
}

static void put_rest(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views,
                     const char *prefix)
{
    aci_page_facts(page, snapshot);
    put_parts(page, snapshot, views, prefix);
}

void aci_page_overview(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views,
                       agentchat_str title, const agentchat_report *report)
{
    aci_html *h = &page->html;

    ACI_HTML(h, "<header>\n<h1 dir=\"auto\">");
    aci_html_text(h, title);
    ACI_HTML(h, "</h1>\n");
    put_rest(page, snapshot, views, "m");
    aci_page_report(page, report);
    ACI_HTML(h, "</header>\n");
}

void aci_page_nested_overview(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views,
                              const char *prefix)
{
    put_rest(page, snapshot, views, prefix);
}

static void put_made(aci_page *page, const agentchat_checkpoint_info *info)
{
    aci_html *h = &page->html;
    char text[32];

    ACI_HTML(h, "<dl class=\"facts\">");
    aci_page_fact(page, "id", agentchat_str_from(info->id));
    if (info->parent != NULL)
        aci_page_fact(page, "follows", agentchat_str_from(info->parent));
    if (info->has_step) {
        (void)snprintf(text, sizeof text, "%lld", (long long)info->step);
        aci_page_fact(page, "step", agentchat_str_from(text));
    }
    if (info->source != NULL)
        aci_page_fact(page, "source", agentchat_str_from(info->source));
    if (info->run != NULL)
        aci_page_fact(page, "run", agentchat_str_from(info->run));
    aci_page_fact(page, "made", agentchat_str_from(aci_page_time(info->time_us, text)));
    ACI_HTML(h, "</dl>\n");
    if (info->metadata.len > 2 && aci_page_fits(page, info->metadata.len)) {
        ACI_HTML(h, "<details class=\"metadata\"><summary>metadata</summary>");
        aci_page_value(page, "metadata", info->metadata);
        ACI_HTML(h, "</details>\n");
    }
}

void aci_page_checkpoint(aci_page *page, const agentchat_checkpoint_info *info, const agentchat_snapshot *snapshot,
                         const aci_channel_views *views, const char *prefix)
{
    aci_html *h = &page->html;

    ACI_HTML(h, "<h2>Checkpoint ");
    aci_html_u64(h, info->sequence);
    ACI_HTML(h, "</h2>\n");
    put_made(page, info);
    aci_page_facts(page, snapshot);
    ACI_HTML(h, "<details class=\"parts\"><summary>");
    aci_page_count(page, snapshot->participant_count, "participant");
    ACI_HTML(h, ", ");
    aci_page_count(page, snapshot->channel_count, "channel");
    if (snapshot->value_count > 0) {
        ACI_HTML(h, ", ");
        aci_page_count(page, snapshot->value_count, "named value");
    }
    ACI_HTML(h, "</summary>\n");
    put_parts(page, snapshot, views, prefix);
    ACI_HTML(h, "</details>\n");
}
