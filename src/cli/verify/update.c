/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify/update.h"
#include "cli/io/document.h"
#include "cli/json/print.h"
#include "cli/json/writer.h"
#include "cli/verify/files.h"
#include <agentchat/verify.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
