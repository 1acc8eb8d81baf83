/* SPDX-License-Identifier: Apache-2.0 */
/* The digest: the published vectors, what it does not depend on, and what it costs. */
#include "support/test_support.h"

#include "base/error.h"
#include "base/utf8.h"
#include "snapshot/canonical.h"
#include "snapshot/key_order.h"
#include "json/reader.h"
#include "json/value.h"

static const agentchat_str absent = {NULL, 0};

typedef struct vector {
    agentchat_str name, canonical, sha256, messages, snapshot;
} vector;

static agentchat_snapshot *read_vector(const vector *v)
{
    static const char header[] = "{\"agentchat\":{\"format\":1,\"reader\":1},";
    static const char history[] = "\"history\":", rest[] = ",\"participants\":[],\"channels\":[]}";
    agentchat_snapshot *snapshot;
    agentchat_error err;
    aci_buf text;

    aci_buf_init(&text, aci_env(NULL), SIZE_MAX);
    assert_true(aci_buf_add(&text, header, sizeof header - 1));
    if (v->snapshot.ptr != NULL) {
        assert_true(aci_buf_add(&text, v->snapshot.ptr + 1, v->snapshot.len - 1));
    } else {
        assert_true(aci_buf_add(&text, history, sizeof history - 1) && aci_buf_add_str(&text, v->messages) &&
                    aci_buf_add(&text, rest, sizeof rest - 1));
    }
    test_ok(agentchat_snapshot_read_memory(NULL, aci_buf_str(&text), NULL, &snapshot, NULL, &err), &err);
    aci_buf_clear(&text);
    return snapshot;
}

static void check_vector(const vector *v)
{
    agentchat_snapshot *snapshot = read_vector(v);
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_error err;
    aci_canonical c;

    aci_canonical_begin(&c, aci_env(NULL), NULL, NULL);
    if (v->snapshot.ptr != NULL)
        aci_canonical_snapshot(&c, snapshot);
    else
        aci_canonical_messages(&c, agentchat_snapshot_history(snapshot));
    assert_int_equal(c.status, AGENTCHAT_OK);
    if (!agentchat_str_equal(aci_buf_str(&c.buf), v->canonical))
        fail_msg("%.*s: canonical text is %.*s", AGENTCHAT_STR_ARG(v->name), AGENTCHAT_STR_ARG(aci_buf_str(&c.buf)));
    aci_canonical_clear(&c);
    test_ok(agentchat_snapshot_digest(snapshot, v->snapshot.ptr != NULL, digest, &err), &err);
    assert_str(v->sha256, digest);
    agentchat_snapshot_unref(snapshot);
}

static void read_members(aci_json_reader *r, vector *v)
{
    agentchat_str key;

    *v = (vector){absent, absent, absent, absent, absent};
    assert_true(aci_json_object(r));
    while (aci_json_member(r, &key)) {
        if (agentchat_str_equal(key, AGENTCHAT_STR("name")))
            aci_json_string(r, &v->name);
        else if (agentchat_str_equal(key, AGENTCHAT_STR("canonical")))
            aci_json_string(r, &v->canonical);
        else if (agentchat_str_equal(key, AGENTCHAT_STR("sha256")))
            aci_json_string(r, &v->sha256);
        else
            aci_json_raw(r, agentchat_str_equal(key, AGENTCHAT_STR("messages")) ? &v->messages : &v->snapshot);
    }
}

static void test_digest__agrees_with_the_vectors(void **state)
{
    char *path = test_path(test_data_dir(), "data/digest/vectors.json");
    aci_json_options options = {.env = aci_env(NULL), .arena = aci_arena_new(aci_env(NULL), 0)};
    agentchat_error err;
    aci_json_reader r;
    size_t len, count = 0;
    char *text = test_file_read(path, &len);
    vector v;

    (void)state;
    text = realloc(text, len + 64);
    assert_non_null(text);
    memset(text + len, 0, 64);
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
    assert_true(count >= 20);
    aci_arena_unref(options.arena);
    free(text);
    free(path);
}

static void test_keys__are_ordered_by_utf16_units(void **state)
{
    /* Ascending; absent and null come first and are alike. A lone surrogate is what its unit says. */
    static const char *const keys[] = {"",
                                       "\r",
                                       "1",
                                       "\x7f",
                                       "\xC2\x80",
                                       "\xC3\xB6",
                                       "\xE2\x82\xAC",
                                       "\xED\x95\x9C",
                                       "\xED\xA0\xBD",
                                       "\xF0\x9F\x98\x80",
                                       "\xED\xA0\xBE",
                                       "\xED\xBF\xBF",
                                       "\xEE\x80\x80",
                                       "\xEF\xAC\xB3"};
    enum { COUNT = sizeof keys / sizeof *keys };

    (void)state;
    assert_int_equal(aci_key_order_compare(absent, agentchat_str_null()), 0);
    for (size_t i = 0; i < COUNT; i++) {
        agentchat_str a = agentchat_str_from(keys[i]);

        assert_true(aci_key_order_compare(absent, a) < 0);
        assert_true(aci_key_order_compare(a, agentchat_str_null()) > 0);
        for (size_t j = 0; j < COUNT; j++) {
            int order = aci_key_order_compare(a, agentchat_str_from(keys[j]));

            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
        }
    }
}

/* A snapshot of one message with data in either form. */
static agentchat_snapshot *with_data(bool base64, agentchat_str data)
{
    agentchat_snapshot_builder *sb = test_snapshot_builder(NULL, NULL);
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
    agentchat_snapshot *snapshot;
    agentchat_message *m;
    agentchat_error err;

    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_IMAGE);
    if (base64)
        agentchat_message_builder_set_data_base64(b, data);
    else
        agentchat_message_builder_set_data(b, data);
    test_ok(agentchat_message_builder_finish(b, &m, &err), &err);
    agentchat_snapshot_builder_add_message(sb, m);
    agentchat_message_unref(m);
    test_ok(agentchat_snapshot_builder_finish(sb, &snapshot, &err), &err);
    return snapshot;
}

static void test_digest__does_not_depend_on_the_form_of_data(void **state)
{
    enum { BYTES = 30000 };
    char *bytes = calloc(BYTES, 1), *text = malloc(BYTES / 3 * 4);
    char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_snapshot *a, *b;
    agentchat_error err;
    bool equal;

    (void)state;
    memset(text, 'A', BYTES / 3 * 4);
    a = with_data(false, (agentchat_str){bytes, BYTES});
    b = with_data(true, (agentchat_str){text, BYTES / 3 * 4});
    test_ok(agentchat_snapshot_digest(a, false, left, &err), &err);
    test_ok(agentchat_snapshot_digest(b, false, right, &err), &err);
    assert_string_equal(left, right);
    test_ok(agentchat_snapshot_diff(a, b, NULL, NULL, &equal, &err), &err);
    assert_true(equal);
    agentchat_snapshot_unref(a);
    agentchat_snapshot_unref(b);
    free(bytes);
    free(text);
}

static void test_digest__needs_memory_of_one_message_only(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    agentchat_snapshot_builder *sb = test_snapshot_builder(env, NULL);
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_snapshot *snapshot;
    agentchat_message *m;
    agentchat_error err;
    uint64_t before;

    (void)state;
    for (size_t i = 0; i < 5000; i++) {
        test_ok(
            agentchat_message_new_text(env, "user", (agentchat_str){NULL, 0}, AGENTCHAT_STR("some words"), &m, &err),
            &err);
        agentchat_snapshot_builder_add_message(sb, m);
        agentchat_message_unref(m);
    }
    test_ok(agentchat_snapshot_builder_finish(sb, &snapshot, &err), &err);
    before = oom.peak_bytes = oom.live_bytes;
    test_ok(agentchat_snapshot_digest(snapshot, true, digest, &err), &err);
    assert_true(oom.peak_bytes - before < 100000); /* the text has 300,000 bytes and more */
    agentchat_snapshot_unref(snapshot);
    agentchat_env_free(env);
}

static agentchat_status digest_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_extra extra = {AGENTCHAT_STR("b"), AGENTCHAT_STR("{\"z\":1,\"a\":[2]}"), {NULL, 0}};
    agentchat_message_builder *b;
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_snapshot_builder *sb;
    agentchat_snapshot *snapshot;
    agentchat_message *m;
    agentchat_status status;

    (void)user;
    status = agentchat_message_builder_new(env, "user", AGENTCHAT_STR("Ana"), &b, err);
    if (status < 0)
        return status;
    agentchat_message_builder_add_extra(b, extra.name, extra.value, extra.from);
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("{\"y\":1,\"x\":{\"b\":1,\"a\":1}}"));
    agentchat_message_builder_add_data(b, AGENTCHAT_ITEM_IMAGE, absent, AGENTCHAT_STR("bytes"));
    status = agentchat_message_builder_finish(b, &m, err);
    if (status < 0)
        return status;
    sb = test_snapshot_builder(env, NULL);
    agentchat_snapshot_builder_add_message(sb, m);
    agentchat_message_unref(m);
    if (sb == NULL)
        return AGENTCHAT_E_NOMEM;
    agentchat_snapshot_builder_add_participant(sb, AGENTCHAT_STR("p"), absent, AGENTCHAT_STR("T"));
    agentchat_snapshot_builder_set_channel(sb, AGENTCHAT_STR("k"), absent, AGENTCHAT_CHANNEL_BYTES, AGENTCHAT_STR("x"),
                                           0);
    status = agentchat_snapshot_builder_finish(sb, &snapshot, err);
    if (status < 0)
        return status;
    status = agentchat_snapshot_digest(snapshot, true, digest, err);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static void test_digest__survives_running_out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(digest_scenario, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digest__agrees_with_the_vectors),
        cmocka_unit_test(test_keys__are_ordered_by_utf16_units),
        cmocka_unit_test(test_digest__does_not_depend_on_the_form_of_data),
        cmocka_unit_test(test_digest__needs_memory_of_one_message_only),
        cmocka_unit_test(test_digest__survives_running_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
