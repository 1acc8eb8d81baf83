/* SPDX-License-Identifier: Apache-2.0 */
/* Stores, what is stored, and threads, as they are named on the command line. */
#include "cli/command/command.h"

#include "cli/io/io.h"
#include "cli/terminal/terminal.h"
#include "cli/text/text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ==== A name without one of the schemes is a file's, whatever stands in it ======================================= */

/* What may hold a password, the URL of a server, is never printed: the library says which server is meant. */

static bool begins_with(const char *text, const char *head)
{
    return strncmp(text, head, strlen(head)) == 0;
}

static bool is_server(const char *name)
{
    return begins_with(name, "postgresql:") || begins_with(name, "postgres:");
}

static bool is_url(const char *name)
{
    return begins_with(name, "sqlite:") || begins_with(name, "memory:") || is_server(name);
}

enum { PATH_SIZE = 4096 };

void cli_store_take(cli_store *s, char **argv)
{
    s->name = argv[1];
    s->who = (agentchat_session_id){argv[2], argv[3], argv[4]};
}

bool cli_store_check_names(cli_store *s)
{
    agentchat_session_id who = s->who;

    if (who.app == NULL)
        who.app = "-";
    if (who.user == NULL)
        who.user = "-";
    agentchat_status status = agentchat_session_id_check(&who, &s->err);
    if (status < 0)
        (void)cli_store_fail(s, status);
    return status >= 0;
}

/* ---- opening -------------------------------------------------------------------------------------------------- */

static agentchat_status open_any(cli_store *s, bool read_only)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;

    options.read_only = read_only;
    options.wait_ms = cli_arguments_wait_ms();
    return agentchat_store_open(NULL, s->name, &options, &s->store, &s->err);
}

/* The path of the store's file. false: the store is none. */
static bool path_of(const char *name, char path[PATH_SIZE])
{
    bool with_scheme = begins_with(name, "sqlite:");
    const char *file = with_scheme ? name + strlen("sqlite:") : name;
    size_t len = with_scheme ? strcspn(file, "?") : strlen(file);

    if ((is_url(name) && !with_scheme) || len >= PATH_SIZE)
        return false;
    memcpy(path, file, len);
    path[len] = '\0';
    return true;
}

/* Whether opening the file for writing would make a store: it is not there, or nothing is in it. */
static bool is_to_be_made(const char *name)
{
    char path[PATH_SIZE];
    struct stat info;

    if (!path_of(name, path))
        return false;
    if (stat(path, &info) != 0)
        return errno == ENOENT || errno == ENOTDIR;
    return S_ISREG(info.st_mode) && info.st_size == 0;
}

agentchat_status cli_store_try(cli_store *s, cli_access access)
{
    /* Opening for reading makes no store and says that there is none. */
    bool read_only = access == CLI_READ || (access == CLI_CHANGE && is_to_be_made(s->name));
    cli_waiting waiting;

    cli_waiting_begin(&waiting, "waiting for the store");
    agentchat_status status = open_any(s, read_only);
    cli_waiting_end(&waiting);
    return status;
}

bool cli_store_open(cli_store *s, cli_access access)
{
    agentchat_status status = cli_store_try(s, access);

    if (status < 0)
        (void)cli_store_fail(s, status);
    return status >= 0;
}

agentchat_status cli_store_make(cli_store *s)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;

    options.wait_ms = cli_arguments_wait_ms();
    return agentchat_store_init(NULL, s->name, &options, &s->err);
}

/* Splits a path after its last slash; where there is none, the directory is the present one. */
static const char *split(const char *path, char directory[PATH_SIZE])
{
    const char *slash = strrchr(path, '/');

    (void)snprintf(directory, PATH_SIZE, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 2,
                   slash != NULL ? path : "./");
    return slash != NULL ? slash + 1 : path;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether both names are of one file, be it there or not. */
static bool is_same_file(const char *a, const char *b)
{
    char directory_of_a[PATH_SIZE], directory_of_b[PATH_SIZE];
    struct stat info_a, info_b;
    bool is_a = stat(a, &info_a) == 0, is_b = stat(b, &info_b) == 0;

    if (is_a || is_b)
        return is_a && is_b && is_same(&info_a, &info_b);
    return strcmp(split(a, directory_of_a), split(b, directory_of_b)) == 0 && stat(directory_of_a, &info_a) == 0 &&
           stat(directory_of_b, &info_b) == 0 && is_same(&info_a, &info_b);
}

bool cli_store_lies_in(const cli_store *s, const char *file)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"}; /* SQLite's, beside the file itself */
    char path[PATH_SIZE], beside[PATH_SIZE];
    char *real;
    bool found = false;

    if (!path_of(s->name, path) || (real = realpath(path, NULL)) == NULL)
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0] && !found; i++)
        found = snprintf(beside, sizeof beside, "%s%s", real, suffixes[i]) < PATH_SIZE && is_same_file(beside, file);
    free(real);
    return found;
}

void cli_store_close(cli_store *s)
{
    agentchat_store_close(s->store);
    s->store = NULL;
}

const agentchat_session_get_options cli_store_state_only = {.struct_size = sizeof(agentchat_session_get_options),
                                                            .no_events = true};

agentchat_session *cli_store_open_session(cli_store *s, cli_access access, const agentchat_session_get_options *options)
{
    agentchat_session *session = NULL;

    if (!cli_store_open(s, access))
        return NULL;
    agentchat_status status = agentchat_session_get(s->store, &s->who, options, &session, &s->err);
    if (status < 0) {
        (void)cli_store_fail_session(s, status);
        cli_store_close(s);
    }
    return session;
}

/* ---- saying what went wrong ----------------------------------------------------------------------------------- */

/* What to call the store that is at fault with what s->err holds; NULL: it is not, or has no name that may be shown. */
static const char *store_label(const cli_store *s, agentchat_status status)
{
    /* What has a source is the store's fault, everything else that of what was asked for. */
    if (status != AGENTCHAT_E_CORRUPT && s->err.source[0] == '\0')
        return NULL;
    if (!is_server(s->name))
        return s->name;
    return s->err.source[0] != '\0' ? s->err.source : NULL;
}

void cli_store_print(FILE *out, const cli_store *s, agentchat_status status)
{
    agentchat_error err = s->err;
    const char *label = store_label(s, status);

    if (status == AGENTCHAT_E_CORRUPT) /* a line of what is stored is no line of the file */
        err.line = err.column = 0;
    if (label != NULL) {
        cli_error_print(out, label, status, &err);
    } else {
        (void)fprintf(out, "agentchat %s: ", s->self->name);
        cli_error_print(out, NULL, status, &err);
    }
}

int cli_store_fail(const cli_store *s, agentchat_status status)
{
    cli_store_print(stderr, s, status);
    return status == AGENTCHAT_E_EXISTS ? CLI_NO : CLI_ERROR;
}

int cli_store_fail_session(const cli_store *s, agentchat_status status)
{
    if (status != AGENTCHAT_E_NOTFOUND || s->err.source[0] != '\0')
        return cli_store_fail(s, status);
    (void)fprintf(stderr, "agentchat %s: application ", s->self->name);
    (void)cli_put(stderr, agentchat_str_from(s->who.app));
    (void)fputs(", user ", stderr);
    (void)cli_put(stderr, agentchat_str_from(s->who.user));
    (void)fputs(": there is no session ", stderr);
    (void)cli_put(stderr, agentchat_str_from(s->who.id));
    (void)fputc('\n', stderr);
    return CLI_ERROR;
}

/* ==== stored ===================================================================================================== */

bool cli_stored_is(const char *name)
{
    return cli_arguments_store() != NULL && strcmp(name, "-") != 0;
}

/* ---- names ---------------------------------------------------------------------------------------------------- */

/* Copies a name up to the next slash, decoded, with a NUL. NULL: it is empty, or a ~ stands for nothing. */
static char *decode(const char **from, char *to)
{
    const char *at = *from, *start = at;

    for (; *at != '\0' && *at != '/'; at++) {
        if (*at == '~' && at[1] != '0' && at[1] != '1')
            return NULL;
        *to++ = *at != '~' ? *at : *++at == '1' ? '/' : '~';
    }
    *to++ = '\0';
    *from = *at == '/' ? at + 1 : at;
    return at > start ? to : NULL;
}

/* Takes the three names apart; names: as long as they are together. */
static bool take(agentchat_session_id *who, const char *name, char *names)
{
    const char **parts[] = {&who->app, &who->user, &who->id};
    size_t slashes = 0;

    for (const char *at = name; *at != '\0'; at++)
        slashes += *at == '/';
    if (slashes != 2) /* with fewer there is no room for three ends */
        return false;
    for (size_t i = 0; i < 3 && names != NULL; i++) {
        *parts[i] = names;
        names = decode(&name, names);
    }
    return names != NULL;
}

/* ---- the session ---------------------------------------------------------------------------------------------- */

/* Puts the store's name in front of what is its fault. */
static agentchat_status blame(cli_stored *stored, agentchat_status status)
{
    const char *label = store_label(&stored->store, status);

    stored->err = stored->store.err;
    if (label != NULL) {
        (void)agentchat_error_set(&stored->err, status, "%s: %s", label, stored->store.err.message);
        stored->err.line = stored->err.column = 0; /* of what is stored, not of a file */
    }
    return status;
}

agentchat_status cli_stored_open(cli_stored *stored, const char *name)
{
    agentchat_status status;

    *stored = (cli_stored){.store = {.name = cli_arguments_store()}};
    agentchat_error_clear(&stored->err);
    stored->names = malloc(strlen(name) + 1);
    if (stored->names == NULL)
        return agentchat_error_set(&stored->err, AGENTCHAT_E_NOMEM, "out of memory");
    if (!take(&stored->store.who, name, stored->names))
        return agentchat_error_set(&stored->err, AGENTCHAT_E_INVALID,
                                   "a session of the store is named APP/USER/ID, where ~1 is a / and ~0 a ~ in a name");
    status = cli_store_try(&stored->store, CLI_READ);
    if (status >= 0)
        status =
            agentchat_session_get(stored->store.store, &stored->store.who, NULL, &stored->session, &stored->store.err);
    return status < 0 ? blame(stored, status) : AGENTCHAT_OK;
}

void cli_stored_close(cli_stored *stored)
{
    agentchat_session_free(stored->session);
    cli_store_close(&stored->store);
    free(stored->names);
    stored->session = NULL;
    stored->names = NULL;
}

bool cli_stored_lies_in(const char *file)
{
    cli_store store = {.name = cli_arguments_store()};

    return store.name != NULL && strcmp(file, "-") != 0 && cli_store_lies_in(&store, file);
}

/* ==== thread ===================================================================================================== */
/* An id that is given completely is found at once; for a part of one all ids of the namespace are looked at. */

enum {
    PAGE = 100,      /* checkpoints that are looked at in one go */
    MOST_NAMED = 10, /* ids of which one has to be chosen */
};

/* What `thread log` prints in front of the end of an id, which may come back with it. */
static const char ellipsis[] = "…";

void cli_thread_take(cli_thread *t, char **argv)
{
    t->store.name = argv[1];
    t->id = argv[2];
}

/* ---- parts of ids --------------------------------------------------------------------------------------------- */

typedef struct part {
    const char *text;
    size_t len;
    bool is_end; /* it was given as the end of an id */
    size_t count;
    char id[MOST_NAMED][AGENTCHAT_ID_SIZE]; /* those that have it */
} part;

static bool matches(const part *p, const char *id)
{
    size_t len = strlen(id);

    if (len < p->len)
        return false;
    return memcmp(id + len - p->len, p->text, p->len) == 0 || (!p->is_end && memcmp(id, p->text, p->len) == 0);
}

static void take_page(part *p, const agentchat_checkpoint_list *list)
{
    for (size_t i = 0; i < agentchat_checkpoint_list_count(list); i++) {
        const char *id = agentchat_checkpoint_list_at(list, i)->id;

        if (!matches(p, id))
            continue;
        if (p->count < MOST_NAMED)
            (void)snprintf(p->id[p->count], AGENTCHAT_ID_SIZE, "%s", id);
        p->count++;
    }
}

static agentchat_status find_part(cli_thread *t, part *p)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *list = NULL, *before = NULL;
    agentchat_status status;

    options.ns = t->ns;
    options.limit = PAGE;
    do {
        status = agentchat_checkpoint_list_read(t->store.store, t->id, &options, &list, &t->store.err);
        agentchat_checkpoint_list_free(before); /* with its cursor */
        if (status < 0)
            return status;
        take_page(p, list);
        options.cursor = agentchat_checkpoint_list_cursor(list);
        before = list;
    } while (options.cursor != NULL);
    agentchat_checkpoint_list_free(before);
    return AGENTCHAT_OK;
}

static void say_ambiguous(const cli_thread *t, const part *p)
{
    (void)fprintf(stderr, "agentchat %s: %zu checkpoints have ids that %s with \"", t->store.self->name, p->count,
                  p->is_end ? "end" : "begin or end");
    (void)cli_put(stderr, (agentchat_str){p->text, p->len});
    (void)fputs("\"; give more of it\n", stderr);
    for (size_t i = 0; i < p->count && i < MOST_NAMED; i++) {
        (void)fputs("  ", stderr);
        (void)cli_put(stderr, agentchat_str_from(p->id[i]));
        (void)fputc('\n', stderr);
    }
    if (p->count > MOST_NAMED)
        (void)fprintf(stderr, "  and %zu more\n", p->count - MOST_NAMED);
}

/* ---- checkpoints ---------------------------------------------------------------------------------------------- */

/* Whether there is a checkpoint of that id: what NOTFOUND says otherwise. */
static agentchat_status look_up(cli_thread *t, const char *id)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_messages *none = NULL;

    options.ns = t->ns;
    options.id = id;
    agentchat_status status = agentchat_thread_tail(t->store.store, t->id, 0, &options, &none, &t->store.err);
    agentchat_messages_unref(none);
    return status;
}

/* Looks for those whose ids have the part. OK: there is exactly one; NOTFOUND: none; DONE: there are several, which has
   been reported. */
static agentchat_status search(cli_thread *t, part *p, char id[AGENTCHAT_ID_SIZE])
{
    agentchat_error missing = t->store.err; /* which says that there is none */
    agentchat_status status = find_part(t, p);

    if (status < 0)
        return status;
    if (p->count == 1) {
        (void)snprintf(id, AGENTCHAT_ID_SIZE, "%s", p->id[0]);
        return AGENTCHAT_OK;
    }
    if (p->count > 1) {
        say_ambiguous(t, p);
        return AGENTCHAT_DONE;
    }
    t->store.err = missing;
    return AGENTCHAT_E_NOTFOUND;
}

static agentchat_status find(cli_thread *t, const char *name, char id[AGENTCHAT_ID_SIZE])
{
    bool is_end = strncmp(name, ellipsis, sizeof ellipsis - 1) == 0;
    const char *text = is_end ? name + sizeof ellipsis - 1 : name;
    agentchat_status status = look_up(t, name);

    if (status >= 0)
        (void)snprintf(id, AGENTCHAT_ID_SIZE, "%s", name);
    if (status != AGENTCHAT_E_NOTFOUND || *text == '\0')
        return status;
    part *p = calloc(1, sizeof *p);
    if (p == NULL)
        return agentchat_error_set(&t->store.err, AGENTCHAT_E_NOMEM, "out of memory");
    p->text = text;
    p->len = strlen(text);
    p->is_end = is_end;
    status = search(t, p, id);
    free(p);
    return status;
}

bool cli_thread_find(cli_thread *t, const char *name, char id[AGENTCHAT_ID_SIZE], bool *missing)
{
    agentchat_status status = find(t, name, id);
    bool is_missing = status == AGENTCHAT_E_NOTFOUND;

    if (missing != NULL)
        *missing = is_missing;
    if (status < 0 && (missing == NULL || !is_missing))
        (void)cli_store_fail(&t->store, status);
    return status == AGENTCHAT_OK;
}

agentchat_checkpoint *cli_thread_get(cli_thread *t, const char *name)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;
    char id[AGENTCHAT_ID_SIZE];

    options.ns = t->ns;
    if (name != NULL && !cli_thread_find(t, name, id, NULL))
        return NULL;
    options.id = name != NULL ? id : NULL;
    agentchat_status status = agentchat_checkpoint_get(t->store.store, t->id, &options, &checkpoint, &t->store.err);
    if (status < 0)
        (void)cli_store_fail(&t->store, status);
    return checkpoint;
}

agentchat_checkpoint *cli_thread_open(cli_thread *t, const char *name)
{
    agentchat_checkpoint *checkpoint;

    if (!cli_store_open(&t->store, CLI_READ))
        return NULL;
    checkpoint = cli_thread_get(t, name);
    if (checkpoint == NULL)
        cli_store_close(&t->store);
    return checkpoint;
}
