/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A name without one of the schemes is a file's, whatever stands in it. What may hold a password, the URL of a server,
 * is never printed: the library says which server is meant.
 */
#include "cli/io/store.h"
#include "cli/command/arguments.h"
#include "cli/terminal/waiting.h"
#include "cli/text/error.h"
#include "cli/text/put.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

const char *cli_store_label(const cli_store *s, agentchat_status status)
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
    const char *label = cli_store_label(s, status);

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
