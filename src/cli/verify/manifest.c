/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify/manifest.h"
#include "cli/text/put.h"
#include <agentchat/json_text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static bool add(verify_manifest *manifest, char *path, char *expectation)
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
             add(manifest, copy(directory, (agentchat_str){text + DIGEST + 2, len - DIGEST - 2}, ""),
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
             add(manifest, copy(directory, agentchat_str_from(name.ptr), ""), copy("", walk.value, ""));
        agentchat_bytes_clear(&name);
    }
    return ok;
}

static int by_path(const void *a, const void *b)
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
        qsort(manifest->list, manifest->count, sizeof *manifest->list, by_path);
    return ok;
}

static verify_entry *find(verify_manifest *manifest, const char *path)
{
    const verify_entry key = {.path = (char *)(uintptr_t)path};

    return manifest->count > 0 ? bsearch(&key, manifest->list, manifest->count, sizeof *manifest->list, by_path) : NULL;
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
