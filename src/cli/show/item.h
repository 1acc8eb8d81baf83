/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_SHOW_ITEM_H
#define CLI_SHOW_ITEM_H

#include "cli/show/show.h"

/* Shows one item, indented, without what is nested in it. */
void show_item(show *s, const agentchat_item *item, unsigned indent);

#endif
