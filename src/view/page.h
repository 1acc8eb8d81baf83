/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a chat, or of many, while it is written, and its parts. */
#ifndef ACI_VIEW_PAGE_H
#define ACI_VIEW_PAGE_H

#include "view/authors.h"
#include "view/channel_view.h"
#include "view/html.h"
#include "view/message_pool.h"

#include <agentchat/calls.h>
#include <agentchat/view.h>

typedef struct aci_page {
    aci_html html;
    const agentchat_env *env;
    aci_authors authors;
    bool no_media;
    unsigned nesting; /* messages and chats that what is written stands in */
    /* Of a page of many chats; of one chat: NULL, "" and false. */
    aci_message_pool *pool;
    const char *mark; /* in front of the ids of the chat that is written: `s5-` */
    bool is_kept;     /* it is not shown at once: what is long besides its messages is left out */
} aci_page;

/* Bytes of a state, value or property, and runs of a channel, of a chat that is not shown at once: a page of many chats
   grows with their messages, not with what each of them repeats. */
enum { ACI_LONGEST_KEPT = 1024, ACI_MOST_KEPT_RUNS = 256, ACI_MOST_KEPT_RANGES = 8 };

typedef enum aci_page_kind { ACI_PAGE_OF_CHAT, ACI_PAGE_OF_COMPARISON, ACI_PAGE_OF_THREAD } aci_page_kind;

/* What is nested deeper stands below, not inside: browsers stop to nest elements at some hundreds. */
enum { ACI_DEEPEST_NESTING = 24 };

/* The title of a page: what was asked for, unless that is nothing. */
static inline agentchat_str aci_page_title(agentchat_str asked, const char *otherwise)
{
    return asked.len > 0 ? asked : agentchat_str_from(otherwise);
}

/* page_head.c: everything before the body's own content, and what ends the document. */
void aci_page_begin(aci_page *page, agentchat_str title, aci_page_kind kind);
void aci_page_end(aci_page *page);

/* page_overview.c: facts, participants, channels with what they were given, named values, the report. */
void aci_page_overview(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views,
                       agentchat_str title, const agentchat_report *report);
/* The same of a chat inside a chat. prefix: of the ids of its messages. */
void aci_page_nested_overview(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views,
                              const char *prefix);

/* The same of a checkpoint, with what is known of it. prefix: as above. */
void aci_page_checkpoint(aci_page *page, const agentchat_checkpoint_info *info, const agentchat_snapshot *snapshot,
                         const aci_channel_views *views, const char *prefix);

/* The facts alone. */
void aci_page_facts(aci_page *page, const agentchat_snapshot *snapshot);

/* page_report.c */
void aci_page_report(aci_page *page, const agentchat_report *report);

/* page_outside.c: what differs between two chats outside their histories, folded or open. */
void aci_page_outside(aci_page *page, const agentchat_snapshot *before, const agentchat_snapshot *after, bool is_open);

/* page_tools.c: the index of a channel by its key; SIZE_MAX without one. E_NOTFOUND. */
agentchat_status aci_page_find_channel(const agentchat_snapshot *snapshot, agentchat_str key, size_t *chosen,
                                       agentchat_error *err);
/* Search, filters, and the choice of the view. chosen: a channel's index, or SIZE_MAX. */
void aci_page_tools(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views, size_t chosen);
/* ` data-runs="h12n3"`: it stands in this way to the first 12 messages of its chat, in that way to the next 3. */
void aci_page_runs(aci_html *h, const aci_channel_view *view);
/* Whether the page says that of each message: not with too many runs, of a chat that is not shown at once. */
bool aci_page_has_runs(const aci_page *page, const aci_channel_view *view);
/* The choice of the view: an option for each channel. */
void aci_page_view_options(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views,
                           size_t chosen);

/* page_tree.c: the checkpoints of a thread, newest first, each with a line down to the one that it follows. */
void aci_page_tree(aci_page *page, const agentchat_html_thread *thread);

/* page_conversation.c: the history with what only channels hold between its messages, and the chats that channels
   hold. */
void aci_page_conversation(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views);
/* The same of a chat that is not shown at once: of its messages those that do not stand on the page yet. */
void aci_page_kept_conversation(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views);

/* The list that a message belongs to, and the state of writing it. */
typedef struct aci_listing {
    const char *prefix; /* of the ids: `m` gives m0, m1, … */
    const agentchat_calls *calls;
    size_t next_call;      /* of calls */
    const bool *elsewhere; /* messages of the list that do not stand on the page; NULL: all do */
} aci_listing;

/* page_message.c: an article. own_of: index of the channel that alone holds it, or SIZE_MAX. */
void aci_page_message(aci_page *page, aci_listing *listing, const agentchat_message *message, size_t index,
                      size_t own_of);
/* Its beginning, with its first line; to be ended with </article>. */
void aci_page_message_begin(aci_page *page, const char *prefix, const agentchat_message *message, size_t index,
                            size_t own_of);
/* Its items, without its first line. */
void aci_page_items(aci_page *page, aci_listing *listing, const agentchat_message *message);

/* page_item.c: one item; of one that is a message the details alone. call: what the list says of it, NULL for what is
   neither call nor result or is in no list. */
void aci_page_item(aci_page *page, const aci_listing *listing, const agentchat_item *item, const agentchat_call *call);
/* The result that is shown with the item: that of a call, or the item itself where there is no call. NULL: none. */
const agentchat_item *aci_page_item_result(const aci_listing *listing, const agentchat_item *item,
                                           const agentchat_call *call);

/* page_media.c: an image, audio or binary item. */
void aci_page_media(aci_page *page, const agentchat_item *item);
/* The media type of an image that may stand in a document by its data; NULL: it may not. */
const char *aci_page_image_type(agentchat_str mime_type);
/* Data as base64. */
void aci_page_base64(aci_html *h, const aci_data *data);

/* page_parts.c: small parts. */
bool aci_page_has(agentchat_str text); /* neither absent nor null */
/* Text as Markdown, with the text as it stands to switch to. */
void aci_page_text(aci_page *page, agentchat_str text);
/* A label and a JSON value: a string as its text, anything else indented. */
void aci_page_value(aci_page *page, const char *label, agentchat_str json);
/* Whether something that long is written; what is not is named. */
bool aci_page_fits(aci_page *page, size_t len);
enum { ACI_PAGE_TIME_SIZE = 32 };
/* `2026-11-21 10:02:03 UTC`; "not known" where that is no date. Returns text. */
const char *aci_page_time(int64_t time_us, char text[ACI_PAGE_TIME_SIZE]);
/* `name: text` in a list of facts (between <dl> and </dl>); nothing when it is absent. */
void aci_page_fact(aci_page *page, const char *name, agentchat_str text);
/* Text that a person may want to copy, folded when it is long. what: "address". */
void aci_page_copyable(aci_page *page, const char *what, agentchat_str text);
/* Something besides that an item or a message has; nothing when it is absent. */
typedef struct aci_detail {
    const char *name;
    agentchat_str value;
    bool is_json;
} aci_detail;
/* Folded: details and unknown properties; nothing when there are none. */
void aci_page_more(aci_page *page, const aci_detail *details, size_t count, const aci_extras *extras);
/* `1 message`, `2 messages`. */
void aci_page_count(aci_page *page, size_t count, const char *singular);

#endif
