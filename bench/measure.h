/* SPDX-License-Identifier: Apache-2.0 */
/* What the benchmark programs share: a clock, medians, whole files, peak memory. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double bench_now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static inline double bench_median(double *times, size_t count)
{
    qsort(times, count, sizeof *times, bench_compare);
    return times[count / 2];
}

/* As many rounds as take a second or so, at least 5, at most 2000. */
static inline size_t bench_rounds(size_t bytes)
{
    size_t rounds = 400000000 / (bytes + 1);

    return rounds < 5 ? 5 : rounds > 2000 ? 2000 : rounds;
}

static inline char *bench_read_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    long size;

    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
        perror(path);
        exit(1);
    }
    rewind(file);
    data = (char *)malloc((size_t)size + 64);
    if (data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    memset(data + size, 0, 64);
    *len = (size_t)size;
    return data;
}

/* Where written bytes go: copied into a buffer that is used again and again, as a socket's or a file's would be. */
static inline void bench_take(size_t *total, const char *bytes, size_t len)
{
    static char buffer[1 << 16];

    for (size_t done = 0; done < len;) {
        size_t n = len - done < sizeof buffer ? len - done : sizeof buffer;

        memcpy(buffer, bytes + done, n);
        __asm__ volatile("" ::"r"(buffer) : "memory"); /* the copy must not be optimised away */
        done += n;
    }
    *total += len;
}

/* One row: program, file, bytes, microseconds to read, microseconds to write, extra peak bytes while reading (-1: not
   measured). scripts/bench turns rows into the table. */
static inline void bench_row(const char *program, const char *path, size_t bytes, double read_us, double write_us,
                             double peak)
{
    const char *name = strrchr(path, '/');

    printf("%s\t%s\t%zu\t%.2f\t%.2f\t%.0f\n", program, name ? name + 1 : path, bytes, read_us, write_us, peak);
    fflush(stdout);
}

#endif
