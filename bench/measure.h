/* SPDX-License-Identifier: Apache-2.0 */
/* What the benchmark programs share: a clock, medians, whole files, peak memory, a process for each file. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

/* The most memory that this process has had so far, in bytes. */
static inline double bench_peak(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}

/* Runs a benchmark of each file in a process of its own: none finds memory that another one has left, and the peak of
   the first reading is that of the reading. Returns main's exit status. */
static inline int bench_each(int argc, char **argv, void (*bench)(const char *path))
{
    for (int i = 1; i < argc; i++) {
        int status = 0;
        pid_t child = fork();

        if (child == 0) {
            bench(argv[i]);
            exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            fprintf(stderr, "%s: failed on %s\n", argv[0], argv[i]);
            return 1;
        }
    }
    return 0;
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

/* One row: program, file, bytes, microseconds to read, microseconds to write, bytes of memory that reading takes beside
   the bytes it is given (-1: not measured). scripts/bench turns rows into tables. */
static inline void bench_row(const char *program, const char *path, size_t bytes, double read_us, double write_us,
                             double peak)
{
    const char *name = strrchr(path, '/');

    printf("%s\t%s\t%zu\t%.2f\t%.2f\t%.0f\n", program, name ? name + 1 : path, bytes, read_us, write_us, peak);
    fflush(stdout);
}

#endif
