/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row: "run", what, durability, turns, puts; microseconds a put: the median, the median of the first 1,000 puts and
 * of the last (of halves where there are fewer than 2,000), the mean; microseconds a turn, the mean; bytes of the
 * store, bytes of the messages, bytes that were written; syncs of the log a put, syncs of log and file a put (-1: not
 * known).
 */
#include "run.h"

enum { PART = 1000, SAMPLE = 50 };

bench_syncs bench_synced;

/* What this process has written in all, in bytes, without what went through mapped memory; -1: not known. */
static double bytes_written(void)
{
    FILE *file = fopen("/proc/self/io", "r");
    double bytes = -1;
    char line[128];

    if (file == NULL)
        return -1;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "wchar: ", 7) == 0)
            bytes = strtod(line + 7, NULL);
    fclose(file);
    return bytes;
}

void bench_run_begin(bench_run *run, const char *what, const char *durability, size_t turns, size_t puts)
{
    memset(run, 0, sizeof *run);
    run->what = what;
    run->durability = durability;
    run->turns = turns;
    run->puts = malloc(turns * puts * sizeof *run->puts);
    if (run->puts == NULL) {
        perror("bench_threads");
        exit(1);
    }
}

void bench_run_go_on(bench_run *run)
{
    run->written_then = bytes_written();
    run->syncs_then = bench_synced;
}

void bench_run_pause(bench_run *run)
{
    double written = bytes_written();

    run->written = written < 0 ? -1 : run->written + written - run->written_then;
    run->syncs.log += bench_synced.log - run->syncs_then.log;
    run->syncs.file += bench_synced.file - run->syncs_then.file;
}

void bench_run_turn_begin(bench_run *run)
{
    run->before = bench_now_us();
}

void bench_run_turn_end(bench_run *run, bench_sizes sizes)
{
    run->turning += bench_now_us() - run->before;
    run->said += sizes.question + sizes.answer;
}

double bench_run_put_begin(void)
{
    return bench_now_us();
}

void bench_run_put_end(bench_run *run, double began)
{
    run->puts[run->count++] = bench_now_us() - began;
}

/* Microseconds of the puts from that one on. */
static double sum_of(const bench_run *run, size_t from)
{
    double sum = 0;

    for (size_t i = from; i < run->count; i++)
        sum += run->puts[i];
    return sum;
}

void bench_run_row(bench_run *run)
{
    size_t part = run->count >= (size_t)2 * PART ? PART : (run->count + 1) / 2;
    double puts = (double)run->count, mean = sum_of(run, 0) / puts, first, last;

    first = bench_median(run->puts, part);
    last = bench_median(run->puts + run->count - part, part);
    printf("run\t%s\t%s\t%zu\t%zu\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.0f\t%zu\t%.0f\t%.4f\t%.4f\n", run->what,
           run->durability, run->turns, run->count, bench_median(run->puts, run->count), first, last, mean,
           run->turning / (double)run->turns, run->stored, run->said, run->written,
           run->counts_syncs ? (double)run->syncs.log / puts : -1,
           run->counts_syncs ? (double)(run->syncs.log + run->syncs.file) / puts : -1);
    fflush(stdout);
    free(run->puts);
    run->puts = NULL;
}

static void save(bench_run *run, bench_conversation *conversation, agentchat_store *store)
{
    double began = bench_run_put_begin();

    bench_save(conversation, store, "thread");
    bench_run_put_end(run, began);
}

void bench_run_turns(bench_run *run, bench_conversation *conversation, size_t turns, agentchat_store *store,
                     size_t puts)
{
    bench_run_go_on(run);
    for (size_t i = 0; i < turns; i++) {
        bench_prepare(conversation);
        bench_run_turn_begin(run);
        bench_ask(conversation);
        for (size_t k = 1; k < puts; k++)
            save(run, conversation, store);
        bench_answer(conversation);
        save(run, conversation, store);
        bench_run_turn_end(run, conversation->sizes);
    }
    bench_run_pause(run);
}

void bench_run_chat(bench_run *run, agentchat_store *store, bench_kind kind, bench_sizes sizes, size_t puts,
                    double (*size)(void))
{
    bench_conversation conversation;
    size_t count;

    bench_begin(&conversation, kind, sizes);
    for (size_t i = 0; i < run->turns; i += count) {
        size_t before = run->count;

        count = run->turns - i < SAMPLE ? run->turns - i : SAMPLE;
        bench_run_turns(run, &conversation, count, store, puts);
        if (size != NULL)
            printf("series\t%s\t%zu\t%.1f\t%.0f\n", run->what, i + count, sum_of(run, before) / (double)count, size());
    }
    bench_end(&conversation);
}

const char *bench_durability_name(agentchat_durability durability)
{
    return durability == AGENTCHAT_DURABILITY_FULL ? "full" : "normal";
}
