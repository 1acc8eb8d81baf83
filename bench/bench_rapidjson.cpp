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

static void bench(const char *path)
{
    size_t len, kept = 0;
    char *data = bench_read_file(path, &len);
    size_t rounds = bench_rounds(len * 4);
    std::vector<double> reads, writes;
    double before = bench_peak(), peak = 0;

    for (size_t k = 0; k < rounds; k++) {
        double start = bench_now_us();
        std::vector<char> copy(data, data + len + 1);
        rapidjson::Document root;

        copy[len] = '\0';
        root.ParseInsitu<rapidjson::kParseValidateEncodingFlag | rapidjson::kParseNumbersAsStringsFlag>(copy.data());
        if (root.HasParseError()) {
            fprintf(stderr, "%s: RapidJSON refuses it\n", path);
            exit(1);
        }
        kept += walk(root);
        reads.push_back(bench_now_us() - start);
        if (k == 0)
            peak = bench_peak() - before;
        start = bench_now_us();
        rapidjson::StringBuffer out;
        rapidjson::Writer<rapidjson::StringBuffer> writer(out);
        root.Accept(writer);
        kept += out.GetSize();
        writes.push_back(bench_now_us() - start);
    }
    if (kept == 0)
        exit(1);
    bench_row("RapidJSON, in place, tree and walk", path, len, bench_median(reads.data(), reads.size()),
              bench_median(writes.data(), writes.size()), peak);
    free(data);
}

int main(int argc, char **argv)
{
    return bench_each(argc, argv, bench);
}
