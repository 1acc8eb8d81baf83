/* SPDX-License-Identifier: Apache-2.0 */
/* The published vectors of events, files of several events, and sessions (tests/data/digest/events.json). */
#include "support/test_support.h"

#include "json/reader.h"
#include "json/value.h"
#include "json/walk.h"
#include <agentchat/verify.h>

typedef struct vector {
    agentchat_str name, canonical, sha256, document;
    agentchat_document_kind kind;
} vector;

static agentchat_document_kind kind_of(agentchat_str key)
{
    return agentchat_str_equal(key, AGENTCHAT_STR("event"))    ? AGENTCHAT_DOCUMENT_EVENT
           : agentchat_str_equal(key, AGENTCHAT_STR("events")) ? AGENTCHAT_DOCUMENT_EVENTS
                                                               : AGENTCHAT_DOCUMENT_SESSION;
}

static void read_members(aci_json_reader *r, vector *v)
{
    agentchat_str key;

    *v = (vector){0};
    assert_true(aci_json_object(r));
    while (aci_json_member(r, &key)) {
        if (agentchat_str_equal(key, AGENTCHAT_STR("name"))) {
            aci_json_string(r, &v->name);
        } else if (agentchat_str_equal(key, AGENTCHAT_STR("canonical"))) {
            aci_json_string(r, &v->canonical);
        } else if (agentchat_str_equal(key, AGENTCHAT_STR("sha256"))) {
            aci_json_string(r, &v->sha256);
        } else {
            v->kind = kind_of(key);
            aci_json_raw(r, &v->document);
        }
    }
}

/* A document as its file: of several events one on each line. */
static void put_file(const vector *v, aci_buf *file)
{
    aci_walk walk;

    if (v->kind != AGENTCHAT_DOCUMENT_EVENTS) {
        assert_true(aci_buf_add_str(file, v->document));
        return;
    }
    aci_walk_begin(&walk, v->document);
    while (aci_walk_next(&walk))
        assert_true(aci_buf_add_str(file, walk.value) && aci_buf_add(file, "\n", 1));
}

static void check_vector(const vector *v)
{
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_document *document;
    agentchat_source *source;
    agentchat_error err;
    aci_buf file;

    aci_buf_init(&file, aci_env(NULL), SIZE_MAX);
    put_file(v, &file);
    test_ok(agentchat_source_memory(NULL, aci_buf_str(&file), &source, &err), &err);
    test_ok(agentchat_document_read(NULL, source, NULL, &document, NULL, &err), &err);
    assert_int_equal(agentchat_document_get_kind(document), v->kind);
    test_ok(agentchat_document_digest(document, false, digest, &err), &err);
    if (!agentchat_str_equal(v->sha256, agentchat_str_from(digest)))
        fail_msg("%.*s: the digest is %s; the canonical text should be %.*s", AGENTCHAT_STR_ARG(v->name), digest,
                 AGENTCHAT_STR_ARG(v->canonical));
    agentchat_document_free(document);
    agentchat_source_free(source);
    aci_buf_clear(&file);
}

static void test_digest__agrees_with_the_vectors(void **state)
{
    char *path = test_path(test_data_dir(), "data/digest/events.json");
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
    while (aci_json_element(&r)) {
        read_members(&r, &v);
        check_vector(&v);
        count++;
    }
    aci_json_end(&r);
    test_ok(aci_json_close(&r), &err);
    assert_true(count >= 60);
    aci_arena_unref(options.arena);
    free(text);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digest__agrees_with_the_vectors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
