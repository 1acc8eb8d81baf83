/* SPDX-License-Identifier: Apache-2.0 */
/* One item of a message. */
#include "view/page.h"

#include "view/json_text.h"

enum { SHORT_ARGUMENTS = 120, SHORT_OUTCOME = 80 };

static agentchat_str field(const agentchat_item *item, agentchat_field id)
{
    return agentchat_item_get(item, id);
}

/* ---- calls and results ---------------------------------------------------------------------------------------- */

static void put_function(aci_html *h, const agentchat_item *item)
{
    agentchat_str plugin = field(item, AGENTCHAT_FIELD_PLUGIN), function = field(item, AGENTCHAT_FIELD_FUNCTION);

    ACI_HTML(h, "<b class=\"function\">");
    if (aci_page_has(plugin) && plugin.len > 0) {
        aci_html_text(h, plugin);
        ACI_HTML(h, ".");
    }
    aci_html_text(h, aci_page_has(function) ? function : AGENTCHAT_STR("(no name)"));
    ACI_HTML(h, "</b>");
}

static void put_short(aci_html *h, agentchat_str json)
{
    if (aci_page_has(json))
        aci_view_json_short(h, json, SHORT_OUTCOME);
    else
        aci_html_text(h, json.ptr != NULL ? AGENTCHAT_STR("null") : AGENTCHAT_STR("nothing"));
}

static bool is_true(agentchat_str json)
{
    return aci_page_has(json) && *json.ptr == 't';
}

/* What a call led to, in short. */
static void put_outcome(aci_page *page, const agentchat_item *result)
{
    agentchat_str value = field(result, AGENTCHAT_FIELD_RESULT);
    bool has_failed = is_true(field(result, AGENTCHAT_FIELD_FAILED));
    aci_html *h = &page->html;

    if (has_failed)
        ACI_HTML(h, "<span class=\"outcome failed\">");
    else
        ACI_HTML(h, "<span class=\"outcome\">");
    ACI_HTML(h, "\xE2\x86\x90 ");
    if (has_failed)
        ACI_HTML(h, "failed: ");
    if (value.ptr == NULL && agentchat_item_has_content(result))
        aci_page_count(page, agentchat_item_content_count(result), "item");
    else
        put_short(h, value);
    ACI_HTML(h, "</span>");
}

/* The value of a result; a content stands below the item. */
static void put_value(aci_page *page, const agentchat_item *result)
{
    agentchat_str value = field(result, AGENTCHAT_FIELD_RESULT);

    if (value.ptr != NULL || !agentchat_item_has_content(result))
        aci_page_value(page, "result", value);
}

/* A link to the message of the partner of a call or a result. On a page of many chats, where the message may have other
   neighbours and another number in each, it says how far away that is, in messages of the history. */
static void put_message_of(aci_page *page, const aci_listing *listing, const agentchat_call *call, size_t from)
{
    bool is_linked = listing->elsewhere == NULL || !listing->elsewhere[call->message];
    aci_html *h = &page->html;

    if (is_linked) {
        ACI_HTML(h, "<a");
        if (!page->is_kept) {
            ACI_HTML(h, " href=\"#");
            aci_html_value(h, agentchat_str_from(listing->prefix));
            aci_html_u64(h, call->message);
            ACI_HTML(h, "\"");
        }
        if (page->pool != NULL) {
            ACI_HTML(h, " data-by=\"");
            if (call->message < from)
                ACI_HTML(h, "-");
            aci_html_u64(h, call->message < from ? from - call->message : call->message - from);
            ACI_HTML(h, "\"");
        }
        ACI_HTML(h, ">");
    }
    ACI_HTML(h, "message ");
    aci_html_u64(h, call->message);
    if (is_linked)
        ACI_HTML(h, "</a>");
}

/* The result of a call, the call of a result. NULL: there is none. */
static const agentchat_call *partner_of(const aci_listing *listing, const agentchat_call *call)
{
    if (call == NULL || call->partner == AGENTCHAT_NO_PARTNER)
        return NULL;
    return agentchat_calls_at(listing->calls, call->partner);
}

const agentchat_item *aci_page_item_result(const aci_listing *listing, const agentchat_item *item,
                                           const agentchat_call *call)
{
    const agentchat_call *partner = partner_of(listing, call);

    if (item->kind == AGENTCHAT_ITEM_CALL)
        return partner != NULL ? partner->item : NULL;
    return item->kind == AGENTCHAT_ITEM_RESULT && partner == NULL ? item : NULL;
}

static void put_call_line(aci_page *page, const agentchat_item *call, const agentchat_item *result, bool is_listed)
{
    agentchat_str arguments = field(call, AGENTCHAT_FIELD_ARGUMENTS);
    aci_html *h = &page->html;

    ACI_HTML(h, "<summary><span class=\"sign\">\xE2\x86\x92</span> ");
    put_function(h, call);
    ACI_HTML(h, "<span class=\"arguments\">(");
    if (aci_page_has(arguments))
        aci_view_json_members_short(h, arguments, SHORT_ARGUMENTS);
    ACI_HTML(h, ")</span> ");
    if (aci_page_has(field(call, AGENTCHAT_FIELD_EXCEPTION))) {
        ACI_HTML(h, "<span class=\"outcome failed\">could not be called</span>");
    } else if (result != NULL) {
        put_outcome(page, result);
    } else if (is_listed) {
        ACI_HTML(h, "<span class=\"outcome missing\">no result</span>");
    }
    ACI_HTML(h, "</summary>");
}

static void put_call(aci_page *page, const aci_listing *listing, const agentchat_item *item, const agentchat_call *call)
{
    const agentchat_call *result = partner_of(listing, call);
    agentchat_str exception = field(item, AGENTCHAT_FIELD_EXCEPTION);
    aci_html *h = &page->html;

    ACI_HTML(h, "<details class=\"i call\">");
    put_call_line(page, item, result != NULL ? result->item : NULL, call != NULL);
    ACI_HTML(h, "<dl>");
    aci_page_fact(page, "call", field(item, AGENTCHAT_FIELD_CALL_ID));
    ACI_HTML(h, "</dl>");
    aci_page_value(page, "arguments", field(item, AGENTCHAT_FIELD_ARGUMENTS));
    if (exception.ptr != NULL)
        aci_page_value(page, "could not be called", exception);
    if (result != NULL) {
        put_value(page, result->item);
        ACI_HTML(h, "<p class=\"from\">from ");
        put_message_of(page, listing, result, call->message);
        ACI_HTML(h, "</p>");
    }
    ACI_HTML(h, "</details>");
}

static void put_result(aci_page *page, const aci_listing *listing, const agentchat_item *item,
                       const agentchat_call *result)
{
    const agentchat_call *call = partner_of(listing, result);
    aci_html *h = &page->html;

    if (call != NULL) {
        ACI_HTML(h, "<p class=\"i answer\"><span class=\"sign\">\xE2\x86\x90</span> result of ");
        put_function(h, call->item);
        ACI_HTML(h, ", shown with its call in ");
        put_message_of(page, listing, call, result->message);
        ACI_HTML(h, "</p>");
        return;
    }
    ACI_HTML(h, "<details class=\"i call\"><summary>");
    put_function(h, item);
    ACI_HTML(h, " ");
    put_outcome(page, item);
    if (result != NULL)
        ACI_HTML(h, " <span class=\"outcome missing\">no call</span>");
    ACI_HTML(h, "</summary><dl>");
    aci_page_fact(page, "call", field(item, AGENTCHAT_FIELD_CALL_ID));
    ACI_HTML(h, "</dl>");
    put_value(page, item);
    ACI_HTML(h, "</details>");
}

/* ---- the others ----------------------------------------------------------------------------------------------- */

static void put_signature(aci_page *page, const agentchat_item *item)
{
    agentchat_str signature = field(item, AGENTCHAT_FIELD_SIGNATURE);

    if (!aci_page_has(signature))
        return;
    ACI_HTML(&page->html, "<p class=\"label\">signature</p>");
    aci_page_copyable(page, "signature", signature);
}

static void put_reasoning(aci_page *page, const agentchat_item *item)
{
    aci_html *h = &page->html;

    ACI_HTML(h, "<details class=\"i reasoning\"><summary>reasoning");
    if (is_true(field(item, AGENTCHAT_FIELD_REDACTED)))
        ACI_HTML(h, " (redacted)");
    ACI_HTML(h, "</summary>");
    aci_page_text(page, field(item, AGENTCHAT_FIELD_TEXT));
    put_signature(page, item);
    ACI_HTML(h, "</details>");
}

static void put_annotation(aci_page *page, const agentchat_item *item)
{
    aci_html *h = &page->html;

    ACI_HTML(h, "<div class=\"i annotation\"><p class=\"label\">annotation</p><dl>");
    aci_page_fact(page, "kind", field(item, AGENTCHAT_FIELD_KIND));
    aci_page_fact(page, "label", field(item, AGENTCHAT_FIELD_LABEL));
    aci_page_fact(page, "title", field(item, AGENTCHAT_FIELD_TITLE));
    aci_page_fact(page, "reference", field(item, AGENTCHAT_FIELD_REFERENCE_ID));
    aci_page_fact(page, "start", field(item, AGENTCHAT_FIELD_START_INDEX));
    aci_page_fact(page, "end", field(item, AGENTCHAT_FIELD_END_INDEX));
    ACI_HTML(h, "</dl></div>");
}

static void put_file(aci_page *page, const agentchat_item *item)
{
    agentchat_str id = field(item, AGENTCHAT_FIELD_FILE_ID), tools = field(item, AGENTCHAT_FIELD_TOOLS);
    aci_html *h = &page->html;

    ACI_HTML(h, "<div class=\"i file\"><p class=\"name\">file</p>");
    if (aci_page_has(id))
        aci_page_copyable(page, "file", id);
    if (tools.ptr != NULL)
        aci_page_value(page, "tools", tools);
    ACI_HTML(h, "</div>");
}

static void put_opaque(aci_page *page, const agentchat_item *item)
{
    agentchat_str type = field(item, AGENTCHAT_FIELD_TYPE);
    aci_html *h = &page->html;

    ACI_HTML(h, "<details class=\"i opaque\"><summary>");
    aci_html_text(h, aci_page_has(type) ? type : AGENTCHAT_STR("unknown item"));
    ACI_HTML(h, "</summary>");
    aci_page_value(page, "as it stands in its source", field(item, AGENTCHAT_FIELD_RAW));
    ACI_HTML(h, "</details>");
}

static void put_action(aci_page *page, const agentchat_item *item)
{
    ACI_HTML(&page->html, "<div class=\"i action\"><p class=\"label\">action</p>");
    aci_page_text(page, field(item, AGENTCHAT_FIELD_TEXT));
    ACI_HTML(&page->html, "</div>");
}

static void put_text(aci_page *page, const agentchat_item *item)
{
    ACI_HTML(&page->html, "<div class=\"i text\">");
    if (is_true(field(item, AGENTCHAT_FIELD_REFUSAL)))
        ACI_HTML(&page->html, "<p class=\"label\">refusal</p>");
    aci_page_text(page, field(item, AGENTCHAT_FIELD_TEXT));
    ACI_HTML(&page->html, "</div>");
}

static void put_details(aci_page *page, const agentchat_item *item)
{
    bool is_media =
        item->kind == AGENTCHAT_ITEM_IMAGE || item->kind == AGENTCHAT_ITEM_AUDIO || item->kind == AGENTCHAT_ITEM_BINARY;
    bool has_signature_line = item->kind == AGENTCHAT_ITEM_REASONING;
    const aci_detail details[] = {
        {"signature", has_signature_line ? (agentchat_str){NULL, 0} : field(item, AGENTCHAT_FIELD_SIGNATURE), false},
        {"issuer", field(item, AGENTCHAT_FIELD_ISSUER), false},
        {"model", field(item, AGENTCHAT_FIELD_MODEL_ID), false},
        {"media type", is_media ? (agentchat_str){NULL, 0} : field(item, AGENTCHAT_FIELD_MIME_TYPE), false},
        {"metadata", field(item, AGENTCHAT_FIELD_METADATA), true},
    };

    aci_page_more(page, details, sizeof details / sizeof *details, item->extras);
}

void aci_page_item(aci_page *page, const aci_listing *listing, const agentchat_item *item, const agentchat_call *call)
{
    switch ((agentchat_item_kind)item->kind) {
    case AGENTCHAT_ITEM_TEXT:
        put_text(page, item);
        break;
    case AGENTCHAT_ITEM_IMAGE:
    case AGENTCHAT_ITEM_AUDIO:
    case AGENTCHAT_ITEM_BINARY:
        aci_page_media(page, item);
        break;
    case AGENTCHAT_ITEM_CALL:
        put_call(page, listing, item, call);
        break;
    case AGENTCHAT_ITEM_RESULT:
        put_result(page, listing, item, call);
        break;
    case AGENTCHAT_ITEM_ANNOTATION:
        put_annotation(page, item);
        break;
    case AGENTCHAT_ITEM_FILE:
        put_file(page, item);
        break;
    case AGENTCHAT_ITEM_REASONING:
        put_reasoning(page, item);
        break;
    case AGENTCHAT_ITEM_ACTION:
        put_action(page, item);
        break;
    case AGENTCHAT_ITEM_MESSAGE: /* stands on the page already */
        break;
    case AGENTCHAT_ITEM_OPAQUE:
    case AGENTCHAT_ITEM_MAX_:
        put_opaque(page, item);
        break;
    }
    put_details(page, item);
}
