/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The line appears after a second and changes five times a second. Storing what was read cannot be watched, so for a
 * file that will keep it busy it is said at once that this has begun.
 */
#include "cli/terminal/progress.h"
#include "cli/text/put.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_MS = 1000, STEP_MS = 200, NAME_COLUMNS = 40, LARGE_FILE = 1024 * 1024 };

typedef struct file {
    cli_progress *progress;
    int fd;
} file;

static int64_t now_ms(void)
{
    struct timespec now = {0, 0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void cli_progress_begin(cli_progress *progress, size_t files)
{
    *progress = (cli_progress){.files = files, .is_quiet = !isatty(STDERR_FILENO), .next_ms = now_ms() + FIRST_MS};
}

void cli_progress_hide(cli_progress *progress)
{
    if (progress->is_shown)
        (void)fputs("\r\033[K", stderr);
    progress->is_shown = false;
}

/* Begins the line anew when it is time for that, or at once. */
static bool begin_line(cli_progress *progress, bool at_once)
{
    int64_t now = progress->is_quiet ? 0 : now_ms();

    if (progress->is_quiet || (now < progress->next_ms && !at_once))
        return false;
    progress->next_ms = now + STEP_MS;
    cli_progress_hide(progress);
    progress->is_shown = true;
    return true;
}

void cli_progress_count(cli_progress *progress, uint64_t done, uint64_t of, const char *what)
{
    if (!begin_line(progress, false))
        return;
    (void)fprintf(stderr, "%llu ", (unsigned long long)done);
    if (of > 0)
        (void)fprintf(stderr, "of %llu ", (unsigned long long)of);
    (void)fputs(what, stderr);
    (void)fflush(stderr);
}

static void show(cli_progress *progress, bool is_read)
{
    if (!begin_line(progress, is_read && progress->done >= LARGE_FILE))
        return;
    if (progress->files > 1)
        (void)fprintf(stderr, "%zu of %zu: ", progress->file, progress->files);
    (void)cli_put_cut(stderr, agentchat_str_from(progress->name), NAME_COLUMNS);
    if (is_read)
        (void)fputs(", storing", stderr);
    else if (progress->size > 0)
        (void)fprintf(stderr, ", %u %% read", (unsigned)(100.0 * (double)progress->done / (double)progress->size));
    else
        (void)fprintf(stderr, ", %llu bytes read", (unsigned long long)progress->done);
    (void)fflush(stderr);
}

static agentchat_status read_some(void *self, void *buffer, size_t cap, size_t *out_len, agentchat_error *err)
{
    file *f = self;
    ssize_t got;

    do {
        got = read(f->fd, buffer, cap);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return agentchat_error_set(err, AGENTCHAT_E_IO, "cannot read the file: %s", strerror(errno));
    *out_len = (size_t)got;
    f->progress->done += (uint64_t)got;
    show(f->progress, got == 0);
    return got == 0 ? AGENTCHAT_DONE : AGENTCHAT_OK;
}

static void release(void *self)
{
    file *f = self;

    if (f->fd > STDIN_FILENO)
        (void)close(f->fd);
    free(f);
}

agentchat_status cli_progress_open(cli_progress *progress, const char *name, agentchat_source **out,
                                   agentchat_error *err)
{
    static const agentchat_source_ops ops = {sizeof ops, read_some, release};
    file *f = calloc(1, sizeof *f);
    struct stat info;

    *out = NULL;
    agentchat_error_clear(err);
    progress->file++;
    progress->name = name;
    progress->done = progress->size = 0;
    if (f == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    f->progress = progress;
    f->fd = strcmp(name, "-") == 0 ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    if (f->fd < 0) {
        free(f);
        return agentchat_error_set(err, AGENTCHAT_E_IO, "cannot open the file: %s", strerror(errno));
    }
    if (fstat(f->fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
        progress->size = (uint64_t)info.st_size;
    return agentchat_source_new(NULL, &ops, f, out, err);
}
