/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors from files, and from a program that makes them of texts. */
#include "cli/memory/memory.h"

#include "cli/json/json.h"
#include "cli/terminal/terminal.h"
#include "cli/text/text.h"
#include <agentchat/json_text.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

static agentchat_status fail_vector(agentchat_error *err, const char *what)
{
    return agentchat_error_set(err, AGENTCHAT_E_INVALID, "%s", what);
}

/* The numbers of a JSON array, which the caller frees. */
static agentchat_status parse_numbers(agentchat_str json, float **out, size_t *count, agentchat_error *err)
{
    agentchat_json_walk walk;
    float *numbers = malloc((json.len / 2 + 1) * sizeof *numbers); /* each has a digit and a comma */
    agentchat_status status = AGENTCHAT_OK;
    size_t got = 0;

    if (numbers == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    if (agentchat_json_kind_of(json) != AGENTCHAT_JSON_ARRAY)
        status = fail_vector(err, "a vector is a JSON array of numbers");
    agentchat_json_walk_into(&walk, json);
    while (status >= 0 && agentchat_json_walk_next(&walk)) {
        double number = 0;
        char text[64];

        if (agentchat_json_kind_of(walk.value) != AGENTCHAT_JSON_NUMBER || walk.value.len >= sizeof text) {
            status = fail_vector(err, "a vector is a JSON array of numbers");
            break;
        }
        memcpy(text, walk.value.ptr, walk.value.len);
        text[walk.value.len] = '\0';
        number = strtod(text, NULL);
        numbers[got++] = fabs(number) <= (double)HUGE_VALF ? (float)number : HUGE_VALF;
    }
    if (status < 0) {
        free(numbers);
        return status;
    }
    *out = numbers;
    *count = got;
    return AGENTCHAT_OK;
}

static agentchat_status add_vector(cli_vectors *out, agentchat_str json, agentchat_error *err)
{
    float *numbers = NULL, *all;
    size_t count = 0;
    agentchat_status status = parse_numbers(json, &numbers, &count, err);

    if (status < 0)
        return status;
    if (count == 0 || (out->count > 0 && count != out->dimensions)) {
        free(numbers);
        return fail_vector(err, count == 0 ? "a vector has no numbers" : "vectors have different numbers of numbers");
    }
    all = realloc(out->numbers, (out->count + 1) * count * sizeof *all);
    if (all != NULL) {
        memcpy(all + out->count * count, numbers, count * sizeof *all);
        out->numbers = all;
        out->dimensions = count;
        out->count++;
    }
    free(numbers);
    return all != NULL ? AGENTCHAT_OK : agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
}

static agentchat_status read_all(FILE *in, cli_memory *out, agentchat_error *err)
{
    char buffer[4096];
    size_t len;

    if (!cli_memory_begin(out))
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    while ((len = fread(buffer, 1, sizeof buffer, in)) > 0)
        (void)fwrite(buffer, 1, len, out->out);
    if (!cli_memory_end(out))
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    return ferror(in) ? agentchat_error_set(err, AGENTCHAT_E_IO, "it cannot be read") : AGENTCHAT_OK;
}

static agentchat_status read_file(const char *name, cli_memory *out, agentchat_error *err)
{
    bool is_input = strcmp(name, "-") == 0;
    FILE *in = is_input ? stdin : fopen(name, "r");
    agentchat_status status;

    if (in == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_IO, "%s", strerror(errno));
    status = read_all(in, out, err);
    if (!is_input)
        (void)fclose(in);
    return status;
}

/* One vector, or a list of them. */
static agentchat_status take_file(agentchat_str json, cli_vectors *out, agentchat_error *err)
{
    agentchat_json_walk walk;
    agentchat_status status = agentchat_json_check(NULL, json, &json, err);

    if (status < 0)
        return status;
    agentchat_json_walk_into(&walk, json);
    if (agentchat_json_kind_of(json) != AGENTCHAT_JSON_ARRAY || !agentchat_json_walk_next(&walk))
        return fail_vector(err, "a vector is a JSON array of numbers, and this is none");
    if (agentchat_json_kind_of(walk.value) != AGENTCHAT_JSON_ARRAY)
        return add_vector(out, json, err);
    do
        status = add_vector(out, walk.value, err);
    while (status >= 0 && agentchat_json_walk_next(&walk));
    return status;
}

bool cli_vectors_read(const char *name, cli_vectors *out)
{
    cli_memory text = {.text = NULL};
    agentchat_error err;
    agentchat_status status;

    agentchat_error_clear(&err);
    *out = (cli_vectors){.numbers = NULL};
    if (name == NULL)
        return true;
    status = read_file(name, &text, &err);
    if (status >= 0)
        status = take_file((agentchat_str){text.text, text.len}, out, &err);
    if (status < 0)
        cli_error_print(stderr, name, status, &err);
    free(text.text);
    return status >= 0;
}

void cli_vectors_free(cli_vectors *vectors)
{
    free(vectors->numbers);
    *vectors = (cli_vectors){.numbers = NULL};
}

/* ---- a program -------------------------------------------------------------------------------------------------- */

/* 0, or why not, as errno. */
static int spawn(const char *command, int in, int out, pid_t *process)
{
    char *words[] = {(char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c", (char *)(uintptr_t)command, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t usual;
    int reason = posix_spawn_file_actions_init(&actions);

    if (reason != 0)
        return reason;
    reason = posix_spawnattr_init(&attributes);
    if (reason == 0) {
        (void)sigemptyset(&usual);
        cli_signals_add_changed(&usual);
        (void)posix_spawnattr_setsigdefault(&attributes, &usual);
        (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        reason = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
        if (reason == 0)
            reason = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
        if (reason == 0)
            reason = posix_spawnp(process, words[0], &actions, &attributes, words, environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return reason;
}

/* Runs the command on a file and reads what it writes. */
static agentchat_status run(const char *command, FILE *in, cli_memory *out, agentchat_error *err)
{
    int ends[2], reason, how = 0;
    pid_t process = 0;
    FILE *answer;
    agentchat_status status;

    if (pipe(ends) != 0)
        return agentchat_error_set(err, AGENTCHAT_E_IO, "%s", strerror(errno));
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    answer = fdopen(ends[0], "r");
    reason = answer != NULL ? spawn(command, fileno(in), ends[1], &process) : errno;
    (void)close(ends[1]);
    if (reason == 0)
        status = read_all(answer, out, err);
    else
        status = agentchat_error_set(err, AGENTCHAT_E_IO, "the embedder could not be run: %s", strerror(reason));
    if (answer != NULL)
        (void)fclose(answer);
    else
        (void)close(ends[0]);
    if (reason != 0)
        return status;
    while (waitpid(process, &how, 0) < 0 && errno == EINTR)
        ;
    if (status >= 0 && !(WIFEXITED(how) && WEXITSTATUS(how) == 0))
        status = WIFEXITED(how)
                     ? agentchat_error_set(err, AGENTCHAT_E_IO, "the embedder ended with %d", WEXITSTATUS(how))
                     : agentchat_error_set(err, AGENTCHAT_E_IO, "the embedder was ended by signal %d", WTERMSIG(how));
    return status;
}

static agentchat_status take_line(agentchat_str line, size_t number, agentchat_memory_vectors *out,
                                  agentchat_error *err)
{
    float *numbers = NULL;
    size_t count = 0;
    agentchat_status status = agentchat_json_check(NULL, line, &line, err);

    if (status >= 0)
        status = parse_numbers(line, &numbers, &count, err);
    if (status >= 0)
        status = agentchat_memory_vectors_add(out, numbers, count, err);
    free(numbers);
    if (status < 0 && status != AGENTCHAT_E_NOMEM) {
        agentchat_error why = *err;

        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "line %zu of the embedder: %s", number, why.message);
    }
    return status;
}

static agentchat_status embed(void *user, const agentchat_str *texts, size_t count, agentchat_memory_vectors *out,
                              agentchat_error *err)
{
    FILE *in = tmpfile();
    cli_memory answer = {.text = NULL};
    agentchat_status status;
    size_t number = 0;

    if (in == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_IO, "no temporary file: %s", strerror(errno));
    (void)fcntl(fileno(in), F_SETFD, FD_CLOEXEC);
    for (size_t i = 0; i < count; i++) {
        cli_json json = {.out = in};

        cli_json_text(&json, NULL, texts[i]);
        (void)fputc('\n', in);
    }
    if (fflush(in) != 0 || ferror(in) || lseek(fileno(in), 0, SEEK_SET) != 0)
        status = agentchat_error_set(err, AGENTCHAT_E_IO, "a temporary file cannot be written: %s", strerror(errno));
    else
        status = run(user, in, &answer, err);
    for (const char *at = answer.text; status >= 0 && at < answer.text + answer.len;) {
        const char *end = answer.text + answer.len, *stop = memchr(at, '\n', (size_t)(end - at));
        agentchat_str line = {at, (size_t)((stop != NULL ? stop : end) - at)};

        status = take_line(line, ++number, out, err);
        at += line.len + (stop != NULL);
    }
    free(answer.text);
    (void)fclose(in);
    return status;
}

const agentchat_memory_embedder *cli_embedder(const char *command, const char *model, agentchat_memory_embedder *out)
{
    if (command == NULL)
        command = getenv("AGENTCHAT_EMBEDDER");
    if (command == NULL || *command == '\0')
        return NULL;
    agentchat_memory_embedder_init(out, sizeof *out);
    out->embed = embed;
    out->user = (void *)(uintptr_t)command;
    out->model = model;
    return out;
}
