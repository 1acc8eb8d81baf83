/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal: colours, tables, a pager, progress, signals. */
#ifndef CLI_TERMINAL_TERMINAL_H
#define CLI_TERMINAL_TERMINAL_H

#include <agentchat/agentchat.h>
#include <agentchat/base.h>
#include <agentchat/stream.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* ==== style ====================================================================================================== */

/* Escape sequences of the tool's own: empty strings unless `out` is a terminal and NO_COLOR is not set. */
typedef struct cli_style {
    const char *bold, *dim, *red, *green, *off;
} cli_style;
cli_style cli_style_of(FILE *out);

/* ==== where a person reads the long outputs: standard output, or a pager before the terminal ===================== */

typedef struct cli_pager {
    FILE *out;
    cli_style style;
    size_t columns;                         /* of the terminal; 0: it is none, or does not say */
    pid_t process;                          /* 0: no pager */
    struct sigaction pipe, interrupt, quit; /* what these signals did before the pager */
} cli_pager;

/* With a pager, when it is wanted, standard output is a terminal, and there is one: the command line in the variable
   AGENTCHAT_PAGER, else that in PAGER, else less. None when that is empty or `cat`. */
void cli_pager_open(cli_pager *pager, bool with_pager);
/* Waits until the reader has left the pager; errors are said after that. false: it could not be run, which has been
   said. */
bool cli_pager_close(cli_pager *pager);

/* ==== long work with a line on the terminal that says how far it is ============================================== */

/* Of several files, or of steps. Nothing is printed unless standard error is a terminal and it takes a while. */
typedef struct cli_progress {
    bool is_shown; /* a line stands on the terminal */
    bool is_quiet; /* no terminal */
    int64_t next_ms;
    size_t file, files; /* which one of how many, from 1 */
    const char *name;
    uint64_t done, size; /* bytes of this file; size 0: not known */
} cli_progress;

void cli_progress_begin(cli_progress *progress, size_t files);
/* A source over the next file ("-": standard input) that shows how far it is. */
agentchat_status cli_progress_open(cli_progress *progress, const char *name, agentchat_source **out,
                                   agentchat_error *err);
/* So many steps are done, of `of` (0: not known): `12 of 100 checkpoints`. */
void cli_progress_count(cli_progress *progress, uint64_t done, uint64_t of, const char *what);
/* Removes the line, so that something else can be printed. */
void cli_progress_hide(cli_progress *progress);

/* ==== signals that would end the tool ============================================================================ */

/* A file that may not grow is an error of writing from here on, and no signal. Before anything is written. */
void cli_signals_begin(void);
/* Adds the signals that cli_signals_begin() has changed, for programs that the tool starts. */
void cli_signals_add_changed(sigset_t *signals);

/* Signals that would end the tool, while they wait for a file to be saved. */
typedef struct cli_signals {
    bool are_held;
    sigset_t held, before;
} cli_signals;
void cli_signals_hold(cli_signals *signals);
/* Fails when one of them has come; agentchat_sink_path_options::go_on, with the cli_signals as user. */
agentchat_status cli_signals_go_on(void *user, agentchat_error *err);
/* The tool ends here if it was to. Nothing happens when none are held. */
void cli_signals_let_go(const cli_signals *signals);

/* ==== A small table whose columns are aligned when it is printed ================================================= */

enum { CLI_MAX_COLUMNS = 6 };

typedef struct cli_table {
    size_t columns; /* at most CLI_MAX_COLUMNS */
    size_t cells, cap;
    char **cell; /* row after row, each cell as it is shown; NULL is an empty one */
    bool failed; /* out of memory */
} cli_table;

/* Adds the next cell: text from outside, or text of the tool's own. */
void cli_table_add(cli_table *table, agentchat_str text);
void cli_table_addf(cli_table *table, const char *format, ...) AGENTCHAT_PRINTF(2, 3);
/* Prints the table, its first row as a heading; empties it. false: out of memory. */
bool cli_table_print(FILE *out, cli_table *table);

/* ==== A line on the terminal during a call that cannot say how far it is: what is done, and for how long ========= */

typedef struct cli_waiting {
    const char *what;
    bool is_running;
    pthread_t thread;
    pthread_mutex_t mutex; /* of is_over */
    pthread_cond_t over;
    bool is_over;
} cli_waiting;

/* what: `copying`. The line appears after a second, when standard error is a terminal. Nobody else prints meanwhile. */
void cli_waiting_begin(cli_waiting *waiting, const char *what);
/* Removes the line. */
void cli_waiting_end(cli_waiting *waiting);

#endif
