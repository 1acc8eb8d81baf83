/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal: colours, tables, progress, signals, waiting. */
#include "cli/terminal/terminal.h"

#include "cli/text/text.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ==== the line appears after a second and changes five times a second ============================================ */

/* Storing what was read cannot be watched, so for a file that will keep it busy it is said at once that this has
   begun. */

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

static void progress_show(cli_progress *progress, bool is_read)
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
    progress_show(f->progress, got == 0);
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

/* ==== signals ==================================================================================================== */
/*
 * No handler is installed: the signals that would end the tool are blocked while a file is being saved, and whether
 * one has come is asked at each write and before the file is renamed. The save is then given up as after any other
 * failure, which removes the temporary file, and the signal does what it does when it is unblocked again.
 */

static const int ending[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE,   SIGALRM, SIGTERM,
                             SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF};

static bool was_size_limit_changed;

static bool is_default(int number)
{
    struct sigaction now;

    return sigaction(number, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL;
}

void cli_signals_begin(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};

    was_size_limit_changed = is_default(SIGXFSZ) && sigaction(SIGXFSZ, &ignore, NULL) == 0;
}

void cli_signals_add_changed(sigset_t *signals)
{
    if (was_size_limit_changed)
        (void)sigaddset(signals, SIGXFSZ);
}

/* An ignored signal is pending, too, while it is blocked: only those that would end the tool are. */
void cli_signals_hold(cli_signals *signals)
{
    (void)sigemptyset(&signals->held);
    (void)sigprocmask(SIG_SETMASK, NULL, &signals->before);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (is_default(ending[i]) && sigismember(&signals->before, ending[i]) == 0)
            (void)sigaddset(&signals->held, ending[i]);
    (void)sigprocmask(SIG_BLOCK, &signals->held, NULL);
    signals->are_held = true;
}

agentchat_status cli_signals_go_on(void *user, agentchat_error *err)
{
    const cli_signals *signals = user;
    sigset_t pending;

    if (sigpending(&pending) != 0)
        return AGENTCHAT_OK;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigismember(&signals->held, ending[i]) == 1 && sigismember(&pending, ending[i]) == 1)
            return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "given up because of a signal");
    return AGENTCHAT_OK;
}

void cli_signals_let_go(const cli_signals *signals)
{
    if (signals->are_held)
        (void)sigprocmask(SIG_SETMASK, &signals->before, NULL);
}

/* ==== style ====================================================================================================== */

cli_style cli_style_of(FILE *out)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    bool plain = (no_color != NULL && no_color[0] != '\0') || term == NULL || strcmp(term, "dumb") == 0;

    if (plain || !isatty(fileno(out)))
        return (cli_style){"", "", "", "", ""};
    return (cli_style){"\033[1m", "\033[2m", "\033[31m", "\033[32m", "\033[0m"};
}

/* ==== cells are made safe for a terminal when they are added; printing them again changes nothing ================ */

static void add(cli_table *table, char *text)
{
    if (table->cells == table->cap) {
        size_t cap = table->cap == 0 ? 64 : table->cap * 2;
        char **bigger = table->failed ? NULL : realloc(table->cell, cap * sizeof *bigger);

        if (bigger == NULL) {
            table->failed = true;
            free(text);
            return;
        }
        table->cell = bigger;
        table->cap = cap;
    }
    table->cell[table->cells++] = text;
}

/* The shown form, so that NUL bytes are gone and a C string can hold it. */
void cli_table_add(cli_table *table, agentchat_str text)
{
    cli_memory shown;

    if (cli_memory_begin(&shown))
        (void)cli_put(shown.out, text);
    if (cli_memory_end(&shown))
        add(table, shown.text);
    else
        table->failed = true;
}

void cli_table_addf(cli_table *table, const char *format, ...)
{
    char text[128];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cli_table_add(table, agentchat_str_from(text));
}

static void print_rows(FILE *out, const cli_table *table)
{
    size_t width[CLI_MAX_COLUMNS] = {0};
    cli_style style = cli_style_of(out);

    for (size_t i = 0; i < table->cells; i++) {
        size_t columns = cli_put_width(agentchat_str_from(table->cell[i]));
        if (columns > width[i % table->columns])
            width[i % table->columns] = columns;
    }
    for (size_t i = 0; i < table->cells; i++) {
        size_t column = i % table->columns;
        agentchat_str cell = agentchat_str_from(table->cell[i]);

        if (i == 0)
            (void)fputs(style.dim, out);
        size_t used = cli_put(out, cell);
        if (column + 1 < table->columns)
            cli_put_spaces(out, width[column] - used + 2);
        else
            (void)fprintf(out, "%s\n", i < table->columns ? style.off : "");
    }
}

bool cli_table_print(FILE *out, cli_table *table)
{
    bool ok = !table->failed;

    if (ok)
        print_rows(out, table);
    for (size_t i = 0; i < table->cells; i++)
        free(table->cell[i]);
    free(table->cell);
    *table = (cli_table){.columns = table->columns};
    return ok;
}

/* ==== the line is written by a thread of its own, which leaves signals to the first one ========================== */

static void *waiting_show(void *user)
{
    cli_waiting *waiting = user;
    struct timespec next;
    unsigned long seconds = 0;

    (void)pthread_mutex_lock(&waiting->mutex);
    (void)clock_gettime(CLOCK_REALTIME, &next);
    while (!waiting->is_over) {
        next.tv_sec++;
        while (!waiting->is_over && pthread_cond_timedwait(&waiting->over, &waiting->mutex, &next) != ETIMEDOUT)
            continue;
        if (!waiting->is_over)
            (void)fprintf(stderr, "\r\033[K%s, %lu s", waiting->what, ++seconds);
        (void)fflush(stderr);
    }
    if (seconds > 0)
        (void)fputs("\r\033[K", stderr);
    (void)pthread_mutex_unlock(&waiting->mutex);
    return NULL;
}

void cli_waiting_begin(cli_waiting *waiting, const char *what)
{
    sigset_t all, before;

    *waiting = (cli_waiting){.what = what};
    if (!isatty(STDERR_FILENO) || pthread_mutex_init(&waiting->mutex, NULL) != 0)
        return;
    (void)pthread_cond_init(&waiting->over, NULL);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    waiting->is_running = pthread_create(&waiting->thread, NULL, waiting_show, waiting) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void cli_waiting_end(cli_waiting *waiting)
{
    if (!waiting->is_running)
        return;
    (void)pthread_mutex_lock(&waiting->mutex);
    waiting->is_over = true;
    (void)pthread_cond_signal(&waiting->over);
    (void)pthread_mutex_unlock(&waiting->mutex);
    (void)pthread_join(waiting->thread, NULL);
    (void)pthread_cond_destroy(&waiting->over);
    (void)pthread_mutex_destroy(&waiting->mutex);
}
