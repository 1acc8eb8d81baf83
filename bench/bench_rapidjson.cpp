/* SPDX-License-Identifier: Apache-2.0 */
/* The same files through RapidJSON: in-place parse to a document and walk it; write it.    bench_rapidjson FILE... */
#include "measure.h"
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <vector>

static size_t walk(const rapidjson::Value &value)
{
    size_t sum = 0;

    if (value.IsObject())
        for (auto m = value.MemberBegin(); m != value.MemberEnd(); ++m)
            sum += m->name.GetStringLength() + walk(m->value);
    else if (value.IsArray())
        for (auto v = value.Begin(); v != value.End(); ++v)
            sum += walk(*v);
    else if (value.IsString())
        sum += value.GetStringLength();
    return sum;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        size_t len, kept = 0;
        char *data = bench_read_file(argv[i], &len);
        size_t rounds = bench_rounds(len * 4);
        std::vector<double> reads, writes;

        for (size_t k = 0; k < rounds; k++) {
            double start = bench_now_us();
            std::vector<char> copy(data, data + len + 1);
            {
                rapidjson::Document root;

                copy[len] = '\0';
                root.ParseInsitu<rapidjson::kParseValidateEncodingFlag | rapidjson::kParseNumbersAsStringsFlag>(
                    copy.data());
                if (root.HasParseError()) {
                    fprintf(stderr, "%s: RapidJSON refuses it\n", argv[i]);
                    return 1;
                }
                kept += walk(root);
                reads.push_back(bench_now_us() - start);
                start = bench_now_us();
                rapidjson::StringBuffer out;
                rapidjson::Writer<rapidjson::StringBuffer> writer(out);
                root.Accept(writer);
                kept += out.GetSize();
                writes.push_back(bench_now_us() - start);
            }
        }
        if (kept == 0)
            return 1;
        bench_row("RapidJSON, in place, tree and walk", argv[i], len, bench_median(reads.data(), reads.size()),
                  bench_median(writes.data(), writes.size()), -1);
        free(data);
    }
    return 0;
}
