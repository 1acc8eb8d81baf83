/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DEMO_SAY_H
#define DEMO_SAY_H

#include <agentchat/agentchat.h>

/* Prints one line in plain words, at once, so that the lines of several processes stand in order. */
void say(const char *format, ...) AGENTCHAT_PRINTF(1, 2);

#endif
