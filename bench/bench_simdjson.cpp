/* SPDX-License-Identifier: Apache-2.0 */
/* The same files through simdjson: parse to a document and walk it (simdjson does not write).   bench_simdjson FILE...
 */
#include "measure.h"
#include <simdjson.h>
#include <vector>

static size_t walk(simdjson::dom::element value)
{
    size_t sum = 0;

    switch (value.type()) {
    case simdjson::dom::element_type::OBJECT:
        for (auto member : simdjson::dom::object(value))
            sum += member.key.size() + walk(member.value);
        break;
    case simdjson::dom::element_type::ARRAY:
        for (auto element : simdjson::dom::array(value))
            sum += walk(element);
        break;
    case simdjson::dom::element_type::STRING:
        sum += value.get_string_length().value();
        break;
    default:
        break;
    }
    return sum;
}

static void bench(const char *path)
{
    size_t len, kept = 0;
    char *data = bench_read_file(path, &len);
    size_t rounds = bench_rounds(len * 4);
    std::vector<double> reads;
    double before = bench_peak(), peak = 0;

    for (size_t k = 0; k < rounds; k++) {
        double start = bench_now_us();
        simdjson::dom::parser parser;
        simdjson::dom::element root;

        if (parser.parse(data, len).get(root)) {
            fprintf(stderr, "%s: simdjson refuses it\n", path);
            exit(1);
        }
        kept += walk(root);
        reads.push_back(bench_now_us() - start);
        if (k == 0)
            peak = bench_peak() - before;
    }
    if (kept == 0)
        exit(1);
    bench_row("simdjson, tree and walk", path, len, bench_median(reads.data(), reads.size()), -1, peak);
    free(data);
}

int main(int argc, char **argv)
{
    return bench_each(argc, argv, bench);
}
