/* SPDX-License-Identifier: Apache-2.0 */
/* The same files through simdjson: parse to a document and walk it (simdjson does not write).    bench_simdjson FILE...
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

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        size_t len, kept = 0;
        char *data = bench_read_file(argv[i], &len);
        size_t rounds = bench_rounds(len * 4);
        std::vector<double> reads;

        for (size_t k = 0; k < rounds; k++) {
            double start = bench_now_us();
            simdjson::dom::parser parser;
            simdjson::dom::element root;

            if (parser.parse(data, len).get(root)) {
                fprintf(stderr, "%s: simdjson refuses it\n", argv[i]);
                return 1;
            }
            kept += walk(root);
            reads.push_back(bench_now_us() - start);
        }
        if (kept == 0)
            return 1;
        bench_row("simdjson, tree and walk", argv[i], len, bench_median(reads.data(), reads.size()), -1, -1);
        free(data);
    }
    return 0;
}
