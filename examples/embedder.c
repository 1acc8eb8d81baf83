/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program for `agentchat memory --embedder`: it reads a JSON string a line and writes a JSON array of numbers for
 * each.
 *
 * It knows no meaning. Words, cut to their first five letters, are scattered over 64 numbers, so that texts with words
 * in common are near each other. A program that asks a model has the same two loops.
 */
#include <agentchat/agentchat.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 64, LETTERS = 5 };

static void add_word(const char *word, size_t len, double vector[NUMBERS])
{
    unsigned long hash = 5381;

    for (size_t i = 0; i < len && i < LETTERS; i++)
        hash = (hash * 33 + (unsigned char)tolower((unsigned char)word[i])) & 0xFFFFFFFF;
    vector[hash % NUMBERS] += hash & 0x10000 ? 1 : -1;
}

static void embed(agentchat_str text)
{
    double vector[NUMBERS] = {0};

    for (size_t at = 0, len; at < text.len; at += len + 1) {
        for (len = 0; at + len < text.len && !strchr(" .,;:!?'\"\n", text.ptr[at + len]); len++)
            ;
        if (len > 2)
            add_word(text.ptr + at, len, vector);
    }
    for (size_t i = 0; i < NUMBERS; i++)
        printf("%s%g", i == 0 ? "[" : ",", vector[i]);
    printf("]\n");
}

int main(void)
{
    char line[65536];

    while (fgets(line, sizeof line, stdin) != NULL) {
        agentchat_str json = {line, strcspn(line, "\n")};
        agentchat_bytes text = AGENTCHAT_BYTES_INIT;
        agentchat_error err;

        if (agentchat_json_check(NULL, json, &json, &err) < 0 || agentchat_json_decode(NULL, json, &text, &err) < 0) {
            agentchat_error_print(&err, stderr);
            return 1;
        }
        embed((agentchat_str){text.ptr, text.len});
        agentchat_bytes_clear(&text);
    }
    return ferror(stdin) || fflush(stdout) != 0;
}
