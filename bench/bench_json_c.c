/* SPDX-License-Identifier: Apache-2.0 */
/* The same files through json-c: parse to a tree and walk it; print the tree.    bench_json_c FILE... */
#include "measure.h"
#include <json-c/json.h>

static size_t walk(struct json_object *value)
{
    size_t sum = 0;

    switch (json_object_get_type(value)) {
    case json_type_object: {
        json_object_object_foreach(value, key, member)
        {
            sum += (unsigned char)key[0] + walk(member);
        }
        break;
    }
    case json_type_array:
        for (size_t i = 0; i < json_object_array_length(value); i++)
            sum += walk(json_object_array_get_idx(value, i));
        break;
    case json_type_string:
        sum += (size_t)json_object_get_string_len(value);
        break;
    default:
        break;
    }
    return sum;
}

static void bench(const char *path)
{
    size_t len, rounds, kept = 0;
    char *data = bench_read_file(path, &len);
    double *reads, *writes, before = bench_peak(), peak = 0;

    rounds = bench_rounds(len * 8);
    reads = malloc(rounds * sizeof *reads);
    writes = malloc(rounds * sizeof *writes);
    if (reads == NULL || writes == NULL)
        exit(1);
    for (size_t i = 0; i < rounds; i++) {
        struct json_tokener *tokener = json_tokener_new_ex(256);
        double start = bench_now_us();
        struct json_object *root = json_tokener_parse_ex(tokener, data, (int)len);

        kept += walk(root);
        reads[i] = bench_now_us() - start;
        if (i == 0)
            peak = bench_peak() - before;
        start = bench_now_us();
        kept += strlen(json_object_to_json_string_ext(root, JSON_C_TO_STRING_PLAIN));
        writes[i] = bench_now_us() - start;
        json_object_put(root);
        json_tokener_free(tokener);
    }
    if (kept == 0)
        exit(1);
    bench_row("json-c, tree and walk", path, len, bench_median(reads, rounds), bench_median(writes, rounds), peak);
    free(reads);
    free(writes);
    free(data);
}

int main(int argc, char **argv)
{
    return bench_each(argc, argv, bench);
}
