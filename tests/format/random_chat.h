/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chats with random contents: every kind of item with every field, contents of results, marks, extras of known and
 * unknown formats, participants, channels of every kind, named values. What is chosen is valid, often odd, and the same
 * after the same choices. Uses no cmocka: the fuzz targets make their chats with it too.
 */
#ifndef FORMAT_RANDOM_CHAT_H
#define FORMAT_RANDOM_CHAT_H

#include <agentchat/agentchat.h>

/* Where choices come from. pick: a number from 0 to below - 1. */
typedef struct random_source {
    size_t (*pick)(void *user, size_t below);
    void *user;
} random_source;

/* A chat; NULL when memory is out. */
agentchat_snapshot *random_chat(const random_source *random, const agentchat_env *env);

#endif
