/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Characters that would not be seen, or would change how others are: one table for messages, pages and the command line
 * tool.
 *
 * What is in it is shown as its number. Two kinds of it are part of honest text and stay where they have something to
 * act on: the joiners U+200C and U+200D after a letter of a script that is written with them, or after an emoji; and
 * the selectors U+FE0E and U+FE0F after a symbol that has two looks. One of each can follow a character, no more; so
 * nothing of any length can be hidden there.
 */
#ifndef ACI_BASE_INVISIBLE_H
#define ACI_BASE_INVISIBLE_H

#include "base/shared.h"
#include <agentchat/base.h>

/* Whether it is in the table: controls (line ends and tabs among them), separators of lines and paragraphs, surrogates,
   noncharacters, format characters, and what Unicode says to ignore. What is no code point is, too. */
ACI_SHARED bool aci_is_invisible(uint32_t code_point);
/* Whether the invisible character at p stays, because of what is before it in the text: begin <= p < end, WTF-8. */
ACI_SHARED bool aci_invisible_is_joined(const unsigned char *begin, const unsigned char *p, const unsigned char *end);

#endif
