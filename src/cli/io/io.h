/* SPDX-License-Identifier: Apache-2.0 */
/* Input and output: documents, stores, threads, web pages. */
#ifndef CLI_IO_IO_H
#define CLI_IO_IO_H

#include "cli/command/command.h"
#include "cli/terminal/terminal.h"
#include <agentchat/agentchat.h>
#include <agentchat/session.h>
#include <agentchat/thread.h>
#include <agentchat/view.h>

/* ==== finds the channel that the user means ====================================================================== */

/* The channel of that key, or the one whose key begins so when there is exactly one. NULL: there is none, or there are
   several, which has been reported, and *status is the exit status to end with. lister: the command that lists them. */
const agentchat_channel_state *cli_channel_find(const cli_command *self, const agentchat_snapshot *snapshot,
                                                const char *key, const char *lister, int *status);

/* ==== files of every kind ======================================================================================== */

/* A file that was read, or why it was not. Released by cli_document_close(). */
typedef struct cli_document {
    const char *name; /* as given; "-" is standard input */
    agentchat_document *document;
    agentchat_report *report;
    agentchat_status status;
    agentchat_error err;
} cli_document;

/* Reads NAME. false: status and err say why not. */
bool cli_document_read(cli_document *file, const char *name);
void cli_document_close(cli_document *file);
/* Opens NAME, "-" being standard input. */
agentchat_status cli_document_source(const char *name, agentchat_source **out, agentchat_error *err);
/* Whether a failure is the content's fault: the file could be read, but holds no document. */
bool cli_document_is_bad(agentchat_status status);

/* ==== chats that are read from files, and from stores of sessions ================================================ */

/* A file that was read, or why it was not. Released by cli_input_close(). */
typedef struct cli_input {
    const char *name; /* as given; "-" is standard input */
    agentchat_snapshot *snapshot;
    agentchat_report *report;
    agentchat_status status;
    agentchat_error err;
} cli_input;

/* Reads NAME: the file of a chat, or of a session, or a session of the store that --store names. false: status and err
   say why not. */
bool cli_input_read(cli_input *file, const char *name);
/* --max-copies: takes the number for all files that are read from here on. false: it is none, and the usage was
   printed. */
bool cli_input_max_copies(const cli_command *self, const char *number);
/* The environment of files, which that sets. */
const agentchat_env *cli_input_env(void);
/* Reads NAME and says on standard error why it cannot. */
bool cli_input_open(cli_input *file, const char *name);
/* Whether what is to be written is the file of that name, which is read. */
bool cli_input_is(const char *output, const char *name);
void cli_input_close(cli_input *file);

/* ==== reads a file or standard input line by line, as the lines come in ========================================== */

typedef struct cli_line_reader {
    int fd;
    bool ended;
    char *buffer; /* [start, end) has been read and not given yet */
    size_t start, end, cap;
    uint64_t number; /* of the line that was given last, from 1 */
} cli_line_reader;

/* "-" is standard input. */
agentchat_status cli_line_reader_open(cli_line_reader *lines, const char *name, agentchat_error *err);
/* The next line without its end, a view until the next call; what follows the last line end is a line too. DONE at the
   end of the file; E_LIMIT for a line longer than any input may be. */
agentchat_status cli_line_reader_next(cli_line_reader *lines, agentchat_str *line, agentchat_error *err);
void cli_line_reader_close(cli_line_reader *lines);

/* ==== where the commands that write a file write to ============================================================== */

typedef struct cli_output {
    agentchat_sink *sink;
    FILE *terminal;        /* NULL: it goes elsewhere */
    cli_signals signals;   /* what waits until a file is saved, or given up with nothing left beside it */
    agentchat_bytes shown; /* what is for the terminal, until it is complete */
} cli_output;

/* A file that is replaced atomically, or for "-" standard output: byte for byte, but on a terminal, whatever its name,
   unsafe characters become escapes, which is for JSON text only. To be closed in any case. */
agentchat_status cli_output_open(cli_output *output, const char *name, agentchat_error *err);
void cli_output_close(cli_output *output);
/* Writes a chat to a file that is not the store itself. */
agentchat_status cli_output_chat(const char *name, const agentchat_snapshot *snapshot,
                                 const agentchat_write_options *options, agentchat_report **report,
                                 agentchat_error *err);
/* Whether a person would read it there. */
bool cli_output_is_terminal(const char *name);
/* What messages call it. */
const char *cli_output_name(const char *name);

/* ==== the store and the session that a command works on ========================================================== */

typedef struct cli_store {
    const cli_command *self;
    const char *name;         /* as it was given */
    agentchat_session_id who; /* set by the command, as far as it names them */
    agentchat_store *store;
    agentchat_error err; /* of the last call */
} cli_store;

typedef enum cli_access {
    CLI_READ,   /* nothing is written, no file is made */
    CLI_CHANGE, /* changes what is there: a file that is not there, or empty, is an error */
    CLI_MAKE,   /* makes the store when it is not there */
} cli_access;

/* Takes the operands STORE APP USER ID. */
void cli_store_take(cli_store *s, char **argv);
/* Checks the names of a session that is to be made, before a store is made for it; NULL: to be found out later. false:
   what is wrong has been reported. */
bool cli_store_check_names(cli_store *s);
/* Opens what s->name names: a URL, or a file. false: the reason has been reported. */
bool cli_store_open(cli_store *s, cli_access access);
/* The same, saying nothing. */
agentchat_status cli_store_try(cli_store *s, cli_access access);
void cli_store_close(cli_store *s);

/* Whether the file is that of the store, or one that SQLite keeps beside it. */
bool cli_store_lies_in(const cli_store *s, const char *file);

/* Makes the tables of a store. */
agentchat_status cli_store_make(cli_store *s);

/* Opens the store and gets the session; options: NULL for all of its events. NULL: the reason has been reported. */
agentchat_session *cli_store_open_session(cli_store *s, cli_access access,
                                          const agentchat_session_get_options *options);
/* Options: no events. */
extern const agentchat_session_get_options cli_store_state_only;

/* Prints what s->err holds. */
void cli_store_print(FILE *out, const cli_store *s, agentchat_status status);
/* Says what s->err holds and returns the exit status for it: CLI_NO when what was to be made is there already. */
int cli_store_fail(const cli_store *s, agentchat_status status);
/* The same for a call that names the session: its absence is reported with its full name. */
int cli_store_fail_session(const cli_store *s, agentchat_status status);

/* ==== sessions of the store that --store names, where a file of a chat could stand =============================== */

/* A session with all of its events, or why there is none. Released by cli_stored_close(). */
typedef struct cli_stored {
    char *names; /* APP, USER and ID, each with a NUL */
    cli_store store;
    agentchat_session *session;
    agentchat_error err; /* its message begins with the store's name where that is at fault */
} cli_stored;

/* Whether an operand names a session: --store was given, and it is not -. */
bool cli_stored_is(const char *name);
/* Gets the session that APP/USER/ID names, for reading; ~1 is a /, and ~0 a ~, in each of the three. */
agentchat_status cli_stored_open(cli_stored *stored, const char *name);
void cli_stored_close(cli_stored *stored);
/* Whether a file that is to be written is that of the store, or one that SQLite keeps beside it. */
bool cli_stored_lies_in(const char *file);

/* ==== the thread that a command works on, and those of its checkpoints that are named ============================ */

typedef struct cli_thread {
    cli_store store;
    const char *id;
    const char *ns; /* the namespace whose checkpoints are meant; NULL: the usual one */
} cli_thread;

/* What lists the channels of a checkpoint, for cli_channel_find(). */
#define CLI_THREAD_CHANNELS "agentchat thread export STORE THREAD | agentchat channels -"

/* Takes the operands STORE THREAD. */
void cli_thread_take(cli_thread *t, char **argv);

/* Finds the checkpoint that a name means, in a store that is open: its id, or the beginning or the end of the id, when
   only one begins or ends so. false: the reason has been reported; where `missing` is given, that there is none is said
   there instead. */
bool cli_thread_find(cli_thread *t, const char *name, char id[AGENTCHAT_ID_SIZE], bool *missing);

/* Gets a checkpoint; name: as above, NULL for the newest. NULL: the reason has been reported. */
agentchat_checkpoint *cli_thread_get(cli_thread *t, const char *name);
/* The same of a store that is opened for reading before, and closed again when there is none. */
agentchat_checkpoint *cli_thread_open(cli_thread *t, const char *name);

/* ==== writes web pages: of a chat, and of what two chats differ in =============================================== */

typedef struct cli_web_page {
    const char *output;    /* "-" is standard output */
    const char *title;     /* NULL, empty or whitespace-only: the names of the files */
    agentchat_str channel; /* as of agentchat_html_options; absent: none */
    bool no_media, with_report;
} cli_web_page;

/* Whether these options will do: false: no, which has been reported. */
bool cli_web_page_check(const cli_command *self, const cli_web_page *page);
/* Whether the page would replace the file or the store that it shows, which is said then. */
bool cli_web_page_replaces(const cli_web_page *page, const char *file);
/* Writes a page that shows the chat, or two side by side; `after` may be NULL. false: not written, and the reason has
   been reported. */
bool cli_web_page_write(const cli_web_page *page, const cli_input *chat, const cli_input *after);
/* Writes a page that shows a thread; name: what it is called. Nothing is reported. */
agentchat_status cli_web_page_write_thread(const cli_web_page *page, const char *name,
                                           const agentchat_html_thread *thread, agentchat_error *err);

#endif
