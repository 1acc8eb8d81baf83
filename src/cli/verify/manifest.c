/* SPDX-License-Identifier: Apache-2.0 */
/* The manifest of agentchat verify: reading it, updating it, the files that it names. */
#include "cli/io/io.h"

#include "cli/json/json.h"
#include "cli/text/text.h"
#include "cli/verify/verify.h"
#include <agentchat/json_text.h>
#include <agentchat/verify.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== manifest =================================================================================================== */

char *verify_manifest_read_text(FILE *file, const char *path, agentchat_error *err)
{
    enum { MOST = 1 << 26 }; /* bytes of a manifest: room for some hundred thousand files */
    size_t len = 0, cap = 1 << 16;
    char *text = file != NULL ? malloc(cap) : NULL;

    while (text != NULL && len < MOST) {
        size_t got = fread(text + len, 1, cap - len - 1, file);
        char *more;

        len += got;
        if (got == 0)
            break;
        if (len + 1 < cap)
            continue;
        more = realloc(text, cap *= 2);
        if (more == NULL)
            free(text);
        text = more;
    }
    if (text == NULL || len >= MOST || ferror(file) != 0) {
        agentchat_error_clear(err);
        agentchat_error_set(err, AGENTCHAT_E_IO, "%s: cannot be read", path);
        free(text);
        text = NULL;
    } else {
        text[len] = '\0';
    }
    if (file != NULL)
        (void)fclose(file);
    return text;
}

static char *copy(const char *before, agentchat_str text, const char *after)
{
    size_t size = strlen(before) + text.len + strlen(after) + 1;
    char *out = malloc(size);

    if (out != NULL)
        (void)snprintf(out, size, "%s%.*s%s", before, (int)text.len, text.ptr, after);
    return out;
}

/* Takes ownership of both. */
static bool manifest_add(verify_manifest *manifest, char *path, char *expectation)
{
    if (manifest->count == manifest->cap) {
        size_t cap = manifest->cap > 0 ? manifest->cap * 2 : 64;
        verify_entry *list = realloc(manifest->list, cap * sizeof *list);

        if (list != NULL) {
            manifest->list = list;
            manifest->cap = cap;
        }
    }
    if (path == NULL || expectation == NULL || manifest->count == manifest->cap) {
        free(path);
        free(expectation);
        return false;
    }
    manifest->list[manifest->count++] = (verify_entry){path, expectation, false};
    return true;
}

/* "sha256:HEX  NAME" on each line. */
static bool take_lines(verify_manifest *manifest, const char *directory, const char *text)
{
    enum { DIGEST = 7 + AGENTCHAT_DIGEST_LEN };
    bool ok = true;

    manifest->has_shown_names = true;
    while (ok && *text != '\0') {
        size_t len = strcspn(text, "\n");

        ok = len > DIGEST + 2 && strncmp(text, "sha256:", 7) == 0 && strncmp(text + DIGEST, "  ", 2) == 0 &&
             manifest_add(manifest, copy(directory, (agentchat_str){text + DIGEST + 2, len - DIGEST - 2}, ""),
                          copy("{\"digest\":\"", (agentchat_str){text, DIGEST}, "\"}"));
        text += len + (text[len] == '\n');
    }
    return ok;
}

/* {"files": {NAME: EXPECTATION, …}} */
static bool take_json(verify_manifest *manifest, const char *directory, agentchat_str json)
{
    agentchat_str files = agentchat_json_find(json, AGENTCHAT_STR("files"));
    bool ok = agentchat_json_kind_of(files) == AGENTCHAT_JSON_OBJECT;
    agentchat_json_walk walk;

    (void)agentchat_json_walk_into(&walk, files);
    while (ok && agentchat_json_walk_next(&walk)) {
        agentchat_bytes name = AGENTCHAT_BYTES_INIT;

        ok = agentchat_json_decode(NULL, walk.key, &name, NULL) >= 0 &&
             manifest_add(manifest, copy(directory, agentchat_str_from(name.ptr), ""), copy("", walk.value, ""));
        agentchat_bytes_clear(&name);
    }
    return ok;
}

static int manifest_by_path(const void *a, const void *b)
{
    return strcmp(((const verify_entry *)a)->path, ((const verify_entry *)b)->path);
}

bool verify_manifest_read(verify_manifest *manifest, const char *path, agentchat_error *err)
{
    char *text = verify_manifest_read_text(fopen(path, "rb"), path, err);
    const char *slash = strrchr(path, '/');
    char *directory = copy("", (agentchat_str){path, slash != NULL ? (size_t)(slash + 1 - path) : 0}, "");
    bool ok = text != NULL && directory != NULL;
    agentchat_str json;

    if (ok && text[strspn(text, " \t\r\n")] == '{') {
        ok = agentchat_json_check(NULL, agentchat_str_from(text), &json, err) >= 0;
        if (ok && !take_json(manifest, directory, json)) {
            agentchat_error_set(err, AGENTCHAT_E_SCHEMA, "a manifest is an object with an object \"files\"");
            ok = false;
        }
    } else if (ok && !take_lines(manifest, directory, text)) {
        agentchat_error_clear(err);
        agentchat_error_set(err, AGENTCHAT_E_SCHEMA, "a manifest is JSON, or lines of agentchat digest");
        ok = false;
    }
    free(directory);
    free(text);
    if (manifest->count > 0)
        qsort(manifest->list, manifest->count, sizeof *manifest->list, manifest_by_path);
    return ok;
}

static verify_entry *find(verify_manifest *manifest, const char *path)
{
    const verify_entry key = {.path = (char *)(uintptr_t)path};

    return manifest->count > 0
               ? bsearch(&key, manifest->list, manifest->count, sizeof *manifest->list, manifest_by_path)
               : NULL;
}

verify_entry *verify_manifest_find(verify_manifest *manifest, const char *path)
{
    verify_entry *entry = find(manifest, path);
    char *shown = NULL;
    size_t size = 0;
    FILE *out = entry == NULL && manifest->has_shown_names ? open_memstream(&shown, &size) : NULL;

    if (out == NULL)
        return entry;
    (void)cli_put(out, agentchat_str_from(path));
    if (fclose(out) == 0)
        entry = find(manifest, shown);
    free(shown);
    return entry;
}

void verify_manifest_clear(verify_manifest *manifest)
{
    for (size_t i = 0; i < manifest->count; i++) {
        free(manifest->list[i].path);
        free(manifest->list[i].expectation);
    }
    free(manifest->list);
    *manifest = (verify_manifest){0};
}

/* ==== files ====================================================================================================== */

FILE *verify_files_open(const char *path, const char *mode)
{
    int how = *mode == 'w' ? O_WRONLY | O_CREAT | O_EXCL : O_RDONLY;
    int fd = open(path, how | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0666);
    struct stat about;
    FILE *file = NULL;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &about) == 0 && !S_ISREG(about.st_mode))
        errno = ELOOP;
    else
        file = fdopen(fd, mode);
    if (file == NULL) {
        int reason = errno;

        (void)close(fd);
        errno = reason;
    }
    return file;
}

char *verify_files_join(const char *a, const char *b)
{
    size_t size = strlen(a) + strlen(b) + 1;
    char *joined = malloc(size);

    if (joined != NULL)
        (void)snprintf(joined, size, "%s%s", a, b);
    return joined;
}

/* Takes ownership of the path. */
static bool files_add(verify_files *files, char *path, bool is_regular)
{
    if (path != NULL && files->count == files->cap) {
        size_t cap = files->cap > 0 ? files->cap * 2 : 64;
        verify_file *list = realloc(files->list, cap * sizeof *list);

        if (list != NULL) {
            files->list = list;
            files->cap = cap;
        }
    }
    if (path == NULL || files->count == files->cap) {
        free(path);
        errno = ENOMEM;
        return false;
    }
    files->list[files->count++] = (verify_file){path, is_regular};
    return true;
}

/* Adds what is in a directory; the directories in it go to the end of `directories`. */
static bool add_directory(verify_files *files, verify_files *directories, const char *path)
{
    DIR *dir = opendir(path);
    const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
    struct dirent *entry;
    bool ok = dir != NULL;

    while (ok && (errno = 0, entry = readdir(dir)) != NULL) {
        char *prefix, *name;
        struct stat about;

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        prefix = verify_files_join(path, slash);
        name = prefix != NULL ? verify_files_join(prefix, entry->d_name) : NULL;
        free(prefix);
        if (name == NULL || lstat(name, &about) != 0) {
            free(name);
            ok = false;
        } else {
            ok = files_add(S_ISDIR(about.st_mode) ? directories : files, name, S_ISREG(about.st_mode));
        }
    }
    ok = ok && errno == 0;
    if (dir != NULL) {
        int reason = errno;

        (void)closedir(dir);
        errno = reason;
    }
    return ok;
}

bool verify_files_add(verify_files *files, const char *path, char **failed)
{
    verify_files directories = {NULL, 0, 0};
    struct stat about;
    bool ok = stat(path, &about) == 0; /* a link that is named is meant */

    if (!ok)
        *failed = verify_files_join(path, "");
    else if (!S_ISDIR(about.st_mode))
        ok = files_add(files, verify_files_join(path, ""), S_ISREG(about.st_mode));
    else
        ok = files_add(&directories, verify_files_join(path, ""), false);
    for (size_t i = 0; ok && i < directories.count; i++) {
        ok = add_directory(files, &directories, directories.list[i].path);
        if (!ok)
            *failed = verify_files_join(directories.list[i].path, "");
    }
    verify_files_clear(&directories);
    return ok;
}

static int files_by_path(const void *a, const void *b)
{
    return strcmp(((const verify_file *)a)->path, ((const verify_file *)b)->path);
}

void verify_files_sort(verify_files *files)
{
    size_t kept = 0;

    if (files->count > 0)
        qsort(files->list, files->count, sizeof *files->list, files_by_path);
    for (size_t i = 0; i < files->count; i++) {
        if (kept > 0 && strcmp(files->list[kept - 1].path, files->list[i].path) == 0)
            free(files->list[i].path);
        else
            files->list[kept++] = files->list[i];
    }
    files->count = kept;
}

bool verify_files_have(const verify_files *files, const char *path)
{
    const verify_file key = {(char *)(uintptr_t)path, true};

    return files->count > 0 && bsearch(&key, files->list, files->count, sizeof *files->list, files_by_path) != NULL;
}

void verify_files_clear(verify_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->list[i].path);
    free(files->list);
    *files = (verify_files){NULL, 0, 0};
}

/* ==== update ===================================================================================================== */

/* Losses that are being written, of one format after the other. */
typedef struct losses {
    cli_json *json;
    char format[64]; /* whose array is open; empty: none is */
} losses;

static void end_format(losses *l)
{
    if (*l->format != '\0')
        cli_json_end(l->json, ']');
}

/* The text of a loss begins with the format's name and a colon. */
static void take_loss(void *user, const char *check, agentchat_str path, agentchat_str text)
{
    losses *l = user;
    const char *colon = memchr(text.ptr, ':', text.len);
    char format[sizeof l->format];

    if (strcmp(check, "losses") != 0 || colon == NULL)
        return;
    (void)snprintf(format, sizeof format, "%.*s", (int)(colon - text.ptr), text.ptr);
    if (strcmp(format, l->format) != 0) {
        if (*l->format == '\0')
            cli_json_begin(l->json, "losses", '{');
        end_format(l);
        memcpy(l->format, format, sizeof format);
        cli_json_begin(l->json, format, '[');
    }
    cli_json_text(l->json, NULL, path.ptr != NULL ? path : AGENTCHAT_STR(""));
}

static agentchat_status put_losses(cli_json *json, const char *path, agentchat_error *err)
{
    losses l = {.json = json};
    agentchat_source *source = NULL;
    size_t failed;
    agentchat_status status = cli_document_source(path, &source, err);

    if (status >= 0)
        status = agentchat_verify(NULL, source, (agentchat_str){NULL, 0}, take_loss, &l, NULL, &failed, err);
    agentchat_source_free(source);
    end_format(&l);
    if (*l.format != '\0')
        cli_json_end(json, '}');
    return status;
}

static void put_counts(cli_json *json, const agentchat_document *document)
{
    const agentchat_snapshot *snapshot = agentchat_document_snapshot(document);

    cli_json_begin(json, "counts", '{');
    if (snapshot == NULL)
        cli_json_count(json, "events", agentchat_document_event_count(document));
    else
        cli_json_count(json, "messages", agentchat_messages_count(agentchat_snapshot_history(snapshot)));
    if (agentchat_document_get_kind(document) == AGENTCHAT_DOCUMENT_CHAT) {
        cli_json_count(json, "participants", agentchat_snapshot_participant_count(snapshot));
        cli_json_count(json, "channels", agentchat_snapshot_channel_count(snapshot));
    }
    cli_json_end(json, '}');
}

static agentchat_status put_expectation(FILE *out, const char *path, agentchat_error *err)
{
    char digest[sizeof "sha256:" + AGENTCHAT_DIGEST_LEN] = "sha256:";
    cli_json json = {.out = out};
    cli_document file;

    if (cli_document_read(&file, path))
        file.status = agentchat_document_digest(file.document, false, digest + strlen(digest), &file.err);
    if (file.status >= 0) {
        cli_json_begin(&json, NULL, '{');
        cli_json_cstr(&json, "kind", agentchat_document_kind_name(agentchat_document_get_kind(file.document)));
        cli_json_cstr(&json, "format", agentchat_document_format(file.document));
        cli_json_cstr(&json, "digest", digest);
        put_counts(&json, file.document);
        file.status = put_losses(&json, path, &file.err);
        cli_json_end(&json, '}');
    }
    *err = file.err;
    agentchat_status status = file.status;
    cli_document_close(&file);
    return status;
}

bool verify_update(const char *path, const char *sidecar, agentchat_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *buffer = open_memstream(&text, &size), *out;
    agentchat_status status = AGENTCHAT_E_NOMEM;
    bool ok;

    agentchat_error_clear(err);
    if (buffer != NULL) {
        status = put_expectation(buffer, path, err);
        if (fclose(buffer) != 0)
            status = AGENTCHAT_E_NOMEM;
    }
    ok = status >= 0;
    out = ok ? verify_files_open(sidecar, "wb") : NULL;
    if (out != NULL) {
        cli_json_indented(out, (agentchat_str){text, size});
        ok = fputc('\n', out) != EOF;
        ok = fclose(out) == 0 && ok;
    }
    if (status >= 0 && (out == NULL || !ok)) {
        agentchat_error_set(err, AGENTCHAT_E_IO, "the expectation cannot be written");
        ok = false;
    }
    free(text);
    return ok;
}
