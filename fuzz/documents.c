/* SPDX-License-Identifier: Apache-2.0 */
/* What every target checks about a document: errors say where, what is accepted comes back. */
#include "documents.h"

#include "cost.h"

#include <string.h>

/* One line of readable text: nothing of the document reaches a message raw. (A path is the exact pointer; whoever
   prints it shows what is in it as agentchat_error_print() does.) */
static bool is_clean(const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++) {
        if (*p < 0x20 || *p == 0x7F || (p[0] == 0xC2 && p[1] >= 0x80 && p[1] < 0xA0))
            return false;
    }
    return true;
}

static void check_error(agentchat_status status, const agentchat_error *err, size_t size)
{
    FUZZ_CHECK(status == AGENTCHAT_E_SYNTAX || status == AGENTCHAT_E_SCHEMA || status == AGENTCHAT_E_VERSION ||
               status == AGENTCHAT_E_LIMIT);
    FUZZ_CHECK(err->code == (int32_t)status);
    FUZZ_CHECK(err->message[0] != '\0' && memchr(err->message, '\0', sizeof(err->message)) != NULL);
    FUZZ_CHECK(is_clean(err->message));
    if (status != AGENTCHAT_E_LIMIT)
        FUZZ_CHECK(err->offset != AGENTCHAT_NO_OFFSET);
    if (err->offset != AGENTCHAT_NO_OFFSET) {
        FUZZ_CHECK(err->offset <= size);
        FUZZ_CHECK(err->line >= 1 && err->column >= 1);
    }
    FUZZ_CHECK(err->path[0] == '\0' || err->path[0] == '/' || strncmp(err->path, "...", 3) == 0 ||
               strncmp(err->path, "\xE2\x80\xA6", 3) == 0);
}

agentchat_snapshot *fuzz_read(agentchat_str document, const char *format, agentchat_error *err)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_report *report = NULL;
    agentchat_snapshot *snapshot = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    options.format = format;
    status = agentchat_snapshot_read_memory(NULL, document, &options, &snapshot, &report, err);
    if (status < 0) {
        FUZZ_CHECK(snapshot == NULL);
        check_error(status, err, document.len);
    } else {
        FUZZ_CHECK(status == AGENTCHAT_OK && snapshot != NULL && report != NULL && err->code == 0);
        for (size_t i = 0; i < agentchat_report_count(report); i++)
            FUZZ_CHECK(agentchat_report_at(report, i)->text.len > 0);
    }
    agentchat_report_free(report);
    return snapshot;
}

agentchat_str fuzz_view(const agentchat_bytes *bytes)
{
    return (agentchat_str){bytes->ptr, bytes->len};
}

static void check_fail_on_loss(const agentchat_snapshot *snapshot, const char *format, bool strict, size_t losses)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    agentchat_status status;

    agentchat_error_clear(&err);
    options.format = format;
    options.strict = strict;
    options.fail_on_loss = true;
    status = agentchat_snapshot_write_memory(snapshot, &options, &bytes, NULL, &err);
    FUZZ_CHECK(status == (losses > 0 ? AGENTCHAT_E_LOSS : AGENTCHAT_OK));
    FUZZ_CHECK(status == AGENTCHAT_OK || bytes.len == 0);
    agentchat_bytes_clear(&bytes);
}

agentchat_bytes fuzz_write(const agentchat_snapshot *snapshot, const char *format, bool strict, size_t *losses)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_report *report = NULL;
    agentchat_error err;
    size_t lost;

    agentchat_error_clear(&err);
    options.format = format;
    options.strict = strict;
    FUZZ_CHECK(agentchat_snapshot_write_memory(snapshot, &options, &bytes, &report, &err) == AGENTCHAT_OK);
    lost = agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS);
    agentchat_report_free(report);
    check_fail_on_loss(snapshot, format, strict, lost);
    if (losses != NULL)
        *losses = lost;
    return bytes;
}

bool fuzz_same_digest(const agentchat_snapshot *a, const agentchat_snapshot *b, bool all)
{
    char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1];

    FUZZ_CHECK(agentchat_snapshot_digest(a, all, left, NULL) == AGENTCHAT_OK);
    FUZZ_CHECK(agentchat_snapshot_digest(b, all, right, NULL) == AGENTCHAT_OK);
    return strcmp(left, right) == 0;
}

static bool same_bytes(const agentchat_bytes *a, const agentchat_bytes *b)
{
    return a->len == b->len && memcmp(a->ptr, b->ptr, a->len) == 0;
}

void fuzz_round_trip(const agentchat_snapshot *snapshot, const char *format)
{
    agentchat_bytes written = fuzz_write(snapshot, format, false, NULL), again;
    agentchat_error err;
    agentchat_snapshot *back = fuzz_read(fuzz_view(&written), NULL, &err);
    bool equal = false;

    /* What stands beyond the default limits is written all the same, and then no default reader takes it. */
    if (back != NULL) {
        FUZZ_CHECK(strcmp(agentchat_snapshot_format(back), format) == 0);
        FUZZ_CHECK(fuzz_same_digest(snapshot, back, true) && fuzz_same_digest(snapshot, back, false));
        FUZZ_CHECK(agentchat_snapshot_diff(snapshot, back, NULL, NULL, &equal, NULL) >= 0 && equal);
        again = fuzz_write(back, format, false, NULL);
        FUZZ_CHECK(same_bytes(&written, &again));
        agentchat_bytes_clear(&again);
    } else {
        FUZZ_CHECK(err.code == AGENTCHAT_E_LIMIT);
    }
    agentchat_snapshot_unref(back);
    agentchat_bytes_clear(&written);
}

void fuzz_read_and_round_trip(agentchat_str document, const char *format)
{
    agentchat_error err;
    agentchat_snapshot *snapshot = fuzz_read(document, format, &err);

    fuzz_check_cost_of_reading(document, format);
    if (snapshot != NULL) {
        FUZZ_CHECK(strcmp(agentchat_snapshot_format(snapshot), format) == 0);
        fuzz_round_trip(snapshot, "agentchat");
        fuzz_round_trip(snapshot, "agentchat-encoded");
    }
    agentchat_snapshot_unref(snapshot);
}

static bool begins_with(agentchat_str text, const char *begin)
{
    return text.len >= strlen(begin) && memcmp(text.ptr, begin, strlen(begin)) == 0;
}

/* Wants the sidecar of what was written to say nothing that contradicts what stands beside it. */
static void check_believed(agentchat_str document)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_snapshot *snapshot = NULL;
    agentchat_report *report = NULL;

    options.format = "semantic-kernel";
    if (agentchat_snapshot_read_memory(NULL, document, &options, &snapshot, &report, NULL) < 0)
        FUZZ_CHECK(snapshot == NULL);
    for (size_t i = 0; i < agentchat_report_count(report); i++)
        FUZZ_CHECK(!begins_with(agentchat_report_at(report, i)->text, "agentchat says"));
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
}

void fuzz_convert_to_semantic_kernel(agentchat_str document, bool strict)
{
    agentchat_error err;
    agentchat_snapshot *snapshot = fuzz_read(document, NULL, &err), *back;
    agentchat_bytes written, again;
    size_t losses, later;

    if (snapshot == NULL)
        return;
    written = fuzz_write(snapshot, "semantic-kernel", strict, &losses);
    back = fuzz_read(fuzz_view(&written), "semantic-kernel", &err);
    if (back != NULL) {
        if (losses == 0)
            FUZZ_CHECK(fuzz_same_digest(snapshot, back, false) && fuzz_same_digest(snapshot, back, true));
        /* What has been through the format once goes through it again without a change; but in strict mode what is
           lost may be that a text is read as something else. */
        again = fuzz_write(back, "semantic-kernel", strict, &later);
        FUZZ_CHECK((strict && losses > 0) || same_bytes(&written, &again));
        agentchat_bytes_clear(&again);
    } else {
        FUZZ_CHECK(err.code == AGENTCHAT_E_LIMIT);
    }
    check_believed(fuzz_view(&written));
    agentchat_snapshot_unref(back);
    agentchat_bytes_clear(&written);
    agentchat_snapshot_unref(snapshot);
}

void fuzz_each_pair(const uint8_t *data, size_t size,
                    void (*call)(const agentchat_snapshot *left, const agentchat_snapshot *right))
{
    const uint8_t *middle = size > 0 ? memchr(data, 0xFF, size) : NULL;
    size_t len = middle != NULL ? (size_t)(middle - data) : size;
    agentchat_error err;
    agentchat_snapshot *left, *right = NULL;

    left = fuzz_read((agentchat_str){(const char *)data, len}, NULL, &err);
    if (left != NULL && middle != NULL)
        right = fuzz_read((agentchat_str){(const char *)middle + 1, size - len - 1}, NULL, &err);
    if (left != NULL)
        call(left, left);
    if (right != NULL) {
        call(left, right);
        call(right, left);
    }
    agentchat_snapshot_unref(left);
    agentchat_snapshot_unref(right);
}

void fuzz_check_page(const agentchat_bytes *page, const agentchat_bytes *again, page_kind kind, bool no_media)
{
    const char *fault;
    size_t at;

    FUZZ_CHECK(page->len == again->len && memcmp(page->ptr, again->ptr, page->len) == 0);
    fault = page_fault(page->ptr, page->len, kind, &at);
    if (fault != NULL)
        fprintf(stderr, "%s: %.*s\n", fault, (int)(page->len - at < 200 ? page->len - at : 200), page->ptr + at);
    FUZZ_CHECK(fault == NULL);
    FUZZ_CHECK(!no_media || (strstr(page->ptr, "<img") == NULL && strstr(page->ptr, "<audio") == NULL));
}
