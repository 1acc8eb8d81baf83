/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same files through jansson, as a C program would do it without agentchat: parse to a tree, then walk the tree
 * into an array of typed messages whose strings point into it; and dump the tree. Base64 stays encoded, as it does with
 * us.
 *
 *     bench_jansson FILE...
 */
#include "measure.h"
#include <jansson.h>

typedef struct part {
    const char *kind, *text, *name, *id;
    size_t text_len;
    json_t *value;
} part;

typedef struct message {
    const char *role, *name;
    size_t part_count;
    part *parts;
} message;

static const char *string_of(json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void walk_part(json_t *item, part *out)
{
    json_t *text = json_object_get(item, "text");

    out->kind = string_of(item, "type") ? string_of(item, "type") : string_of(item, "$type");
    if (text == NULL)
        text = json_object_get(item, "Text");
    if (text == NULL)
        text = json_object_get(item, "data");
    if (text == NULL)
        text = json_object_get(item, "Data");
    out->text = json_string_value(text);
    out->text_len = json_string_length(text);
    out->name = string_of(item, "function") ? string_of(item, "function") : string_of(item, "FunctionName");
    out->id = string_of(item, "id") ? string_of(item, "id") : string_of(item, "Id");
    out->value = json_object_get(item, "arguments");
    if (out->value == NULL)
        out->value = json_object_get(item, "Arguments");
}

static message *walk(json_t *list, size_t *count)
{
    message *messages;

    *count = json_array_size(list);
    messages = calloc(*count + 1, sizeof *messages);
    for (size_t i = 0; i < *count; i++) {
        json_t *one = json_array_get(list, i), *items = json_object_get(one, "items");

        if (items == NULL)
            items = json_object_get(one, "Items");
        messages[i].role = string_of(one, "role");
        if (messages[i].role == NULL)
            messages[i].role = string_of(json_object_get(one, "Role"), "Label");
        messages[i].name = string_of(one, "name") ? string_of(one, "name") : string_of(one, "AuthorName");
        messages[i].part_count = json_array_size(items);
        messages[i].parts = calloc(messages[i].part_count + 1, sizeof(part));
        for (size_t k = 0; k < messages[i].part_count; k++)
            walk_part(json_array_get(items, k), &messages[i].parts[k]);
    }
    return messages;
}

static void release(message *messages, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(messages[i].parts);
    free(messages);
}

static void walk_all(json_t *root)
{
    json_t *history = json_object_get(root, "history"), *channels, *state;
    message *messages;
    size_t count, i;

    if (history == NULL)
        history = json_object_get(root, "History");
    messages = walk(history, &count);
    release(messages, count);
    channels = json_object_get(root, "Channels");
    json_array_foreach(channels, i, state)
    {
        messages = walk(json_object_get(state, "ChannelState"), &count);
        release(messages, count);
    }
}

static int take(const char *bytes, size_t len, void *total)
{
    bench_take(total, bytes, len);
    return 0;
}

static void bench(const char *path)
{
    size_t len, total = 0;
    char *data = bench_read_file(path, &len);
    size_t rounds = bench_rounds(len * 8);
    double *reads = malloc(rounds * sizeof *reads), *writes = malloc(rounds * sizeof *writes);
    double before = bench_peak(), peak = 0;

    if (reads == NULL || writes == NULL)
        exit(1);
    for (size_t i = 0; i < rounds; i++) {
        json_error_t err;
        double start = bench_now_us();
        json_t *root = json_loadb(data, len, JSON_ALLOW_NUL, &err);

        if (root == NULL) {
            fprintf(stderr, "%s: %s\n", path, err.text);
            exit(1);
        }
        walk_all(root);
        reads[i] = bench_now_us() - start;
        if (i == 0)
            peak = bench_peak() - before;
        start = bench_now_us();
        json_dump_callback(root, take, &total, JSON_COMPACT);
        writes[i] = bench_now_us() - start;
        json_decref(root);
    }
    bench_row("jansson, tree and walk", path, len, bench_median(reads, rounds), bench_median(writes, rounds), peak);
    free(reads);
    free(writes);
    free(data);
}

int main(int argc, char **argv)
{
    return bench_each(argc, argv, bench);
}
