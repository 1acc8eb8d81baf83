/* SPDX-License-Identifier: Apache-2.0 */
/* The published vectors of the digests of events, of files of events and of sessions. */
#include "support/test_support.h"

#include "base/buf.h"
#include "json/reader.h"
#include "json/walk.h"
#include <agentchat/verify.h>

typedef struct vector {
    agentchat_str name, canonical, sha256, event, events, session;
} vector;

static void read_members(aci_json_reader *r, vector *v)
{
    agentchat_str key;

    memset(v, 0, sizeof *v);
    assert_true(aci_json_object(r));
    while (aci_json_member(r, &key)) {
        if (agentchat_str_equal(key, AGENTCHAT_STR("name")))
            aci_json_string(r, &v->name);
        else if (agentchat_str_equal(key, AGENTCHAT_STR("canonical")))
            aci_json_string(r, &v->canonical);
        else if (agentchat_str_equal(key, AGENTCHAT_STR("sha256")))
            aci_json_string(r, &v->sha256);
        else if (agentchat_str_equal(key, AGENTCHAT_STR("event")))
            aci_json_raw(r, &v->event);
        else if (agentchat_str_equal(key, AGENTCHAT_STR("events")))
            aci_json_raw(r, &v->events);
        else
            aci_json_raw(r, &v->session);
    }
}

/* The text of a document: one event, events one a line, or a session. */
static void put_document(const vector *v, aci_buf *out)
{
    aci_walk walk;

    if (v->events.ptr == NULL) {
        assert_true(aci_buf_add_str(out, v->event.ptr != NULL ? v->event : v->session));
        return;
    }
    aci_walk_begin(&walk, v->events);
    while (aci_walk_next(&walk))
        assert_true(aci_buf_add_str(out, walk.value) && aci_buf_add(out, "\n", 1));
}

static void check_vector(const vector *v)
{
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_document *document = NULL;
    agentchat_source *source = NULL;
    agentchat_error err;
    aci_buf text;

    aci_buf_init(&text, aci_env(NULL), SIZE_MAX);
    put_document(v, &text);
    test_ok(agentchat_source_memory(NULL, aci_buf_str(&text), &source, &err), &err);
    test_ok(agentchat_document_read(NULL, source, NULL, &document, NULL, &err), &err);
    test_ok(agentchat_document_digest(document, false, digest, &err), &err);
    if (!agentchat_str_equal(v->sha256, agentchat_str_from(digest)))
        fail_msg("%.*s: %s, not %.*s of %.*s", (int)v->name.len, v->name.ptr, digest, (int)v->sha256.len, v->sha256.ptr,
                 (int)v->canonical.len, v->canonical.ptr);
    agentchat_document_free(document);
    agentchat_source_free(source);
    aci_buf_clear(&text);
}

static void test_event_digest__agrees_with_the_vectors(void **state)
{
    char *path = test_path(test_data_dir(), "data/digest/event-vectors.json");
    aci_json_options options = {.env = aci_env(NULL), .arena = aci_arena_new(aci_env(NULL), 0)};
    agentchat_error err;
    aci_json_reader r;
    size_t len, count = 0;
    char *text = test_file_read(path, &len);
    vector v;

    (void)state;
    agentchat_error_clear(&err);
    aci_json_begin(&r, &options, text, len, &err);
    assert_true(aci_json_array(&r));
    for (; aci_json_element(&r); count++) {
        read_members(&r, &v);
        check_vector(&v);
    }
    aci_json_end(&r);
    test_ok(aci_json_close(&r), &err);
    assert_true(count >= 18);
    aci_arena_unref(options.arena);
    free(text);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_event_digest__agrees_with_the_vectors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
