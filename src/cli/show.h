/* SPDX-License-Identifier: Apache-2.0 */
/* Shows messages to a person. Layer: cli. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "terminal.h"
#include <agentchat/agentchat.h>

/* A function call or a function's result of a message that is shown. */
typedef struct show_link {
    const agentchat_item *item;
    agentchat_str id;
    size_t order;                  /* place among all links */
    const agentchat_item *partner; /* the result of this call, the call of this result; NULL: none is shown */
} show_link;

typedef struct show {
    FILE *out;
    cli_style style;
    bool full;
    show_link *links; /* in the order in which the items stand; none when everything is shown in its place */
    size_t link_count, next_link;
} show;

/* Shows messages first to count-1. A result stands below its call; with full, everything stands where it is stored and
   nothing is shortened. false: out of memory. */
bool show_messages(FILE *out, const agentchat_messages *messages, size_t first, bool full);

/* Shows one item, indented. */
void show_item(show *s, const agentchat_item *item, unsigned indent);
/* Shows a message's first line and its items. */
void show_message(show *s, const agentchat_message *message, unsigned indent, bool linked);

/* show_item.c: a call's or a result's line, with the id of the call at the right. */
void show_call(show *s, const agentchat_item *item, unsigned indent);
void show_result(show *s, const agentchat_item *item, unsigned indent);
/* Data that belongs to a field of the item or message and is shown with full only: `  name: value`. */
void show_detail(show *s, const char *name, agentchat_str value, unsigned indent);

#endif
