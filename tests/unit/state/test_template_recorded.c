/* SPDX-License-Identifier: Apache-2.0 */
/* The dialects of the ADKs against what google-adk and ADK-Rust made of the same templates
   (tests/interop/google-adk/recorded/ORIGIN.md). */
#include "support/test_support.h"

#include "state/state.h"
#include "json/value.h"
#include "json/walk.h"

#include <agentchat/template.h>
#include <jansson.h>
#include <stdlib.h>

typedef struct inputs {
    json_t *json;
    agentchat_state *state;
    bool is_rust;
} inputs;

static json_t *read_lines(const char *name)
{
    char *path = test_path(test_data_dir(), name);
    size_t len;
    char *text = test_file_read(path, &len);
    json_t *lines = json_array();

    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        json_t *value = json_loads(line, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);

        assert_non_null(value);
        assert_int_equal(json_array_append_new(lines, value), 0);
    }
    free(text);
    free(path);
    return lines;
}

/* What each library puts in place of an artifact: ADK-Rust of a text part alone; google-adk also of text and JSON that
   are inline. */
static agentchat_status artifact(void *user, agentchat_str name, agentchat_bytes *out, agentchat_error *err)
{
    const inputs *in = user;
    json_t *found = json_object_getn(json_object_get(in->json, "artifacts"), name.ptr, name.len);

    if (found == NULL)
        return AGENTCHAT_E_NOTFOUND;
    if (!json_is_string(found) && in->is_rust)
        return AGENTCHAT_OK;
    return agentchat_bytes_append(
        out, agentchat_str_from(json_string_value(json_is_string(found) ? found : json_object_get(found, "text"))),
        err);
}

/* The state as it is spelled; keys that a state of ours cannot have are left out: no recorded template gets their
   values. */
static agentchat_state *read_state(void)
{
    char *path = test_path(test_data_dir(), "interop/google-adk/recorded/template-inputs.jsonl");
    char *text = test_file_read(path, NULL);
    agentchat_state *state = NULL;
    agentchat_error err;
    aci_buf kept, key;
    aci_walk document, members;

    aci_buf_init(&kept, NULL, SIZE_MAX);
    aci_buf_init(&key, NULL, SIZE_MAX);
    aci_walk_begin(&document, agentchat_str_from(text));
    while (aci_walk_next(&document) && !agentchat_str_equal(document.key, AGENTCHAT_STR("\"state\"")))
        ;
    aci_walk_begin(&members, document.value);
    while (aci_walk_next(&members)) {
        key.len = 0;
        assert_true(aci_json_unquote(members.key, &key));
        if (aci_key_check(aci_buf_str(&key), NULL) < 0)
            continue;
        assert_true(aci_buf_printf(&kept, "%c%.*s:%.*s", kept.len == 0 ? '{' : ',', (int)members.key.len,
                                   members.key.ptr, (int)members.value.len, members.value.ptr));
    }
    assert_true(aci_buf_add(&kept, "}", 1));
    test_ok(agentchat_state_read(NULL, aci_buf_str(&kept), &state, &err), &err);
    aci_buf_clear(&kept);
    aci_buf_clear(&key);
    free(text);
    free(path);
    return state;
}

static agentchat_status status_of(json_t *expected)
{
    const char *text = json_string_value(json_object_get(expected, "text"));

    return strstr(text, "not found") != NULL ? AGENTCHAT_E_NOTFOUND : AGENTCHAT_E_INVALID;
}

static void check(inputs *in, json_t *recorded, const char *library, agentchat_template_dialect dialect)
{
    agentchat_template_options options = AGENTCHAT_TEMPLATE_OPTIONS_INIT;
    json_t *template_text = json_object_get(recorded, "template"), *expected = json_object_get(recorded, library);
    agentchat_str text = {json_string_value(template_text), json_string_length(template_text)};
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_status status;
    agentchat_error err;

    in->is_rust = dialect == AGENTCHAT_TEMPLATE_ADK_RUST;
    options.dialect = dialect;
    options.user = in;
    options.artifact = json_is_true(json_object_get(recorded, "artifact-service")) ? artifact : NULL;
    status = agentchat_template_render(in->state, text, &options, &out, &err);
    if (json_is_object(expected)) {
        if (status != status_of(expected))
            fail_msg("%s: %s gives %s", library, text.ptr, agentchat_status_name(status));
    } else if (status < 0 || out.len != json_string_length(expected) ||
               (out.len > 0 && memcmp(out.ptr, json_string_value(expected), out.len) != 0)) {
        fail_msg("%s: %s is %.*s (%s), not %s", library, text.ptr, (int)out.len, out.len > 0 ? out.ptr : "",
                 agentchat_status_name(status), json_string_value(expected));
    }
    agentchat_bytes_clear(&out);
}

static void test_template__is_what_the_libraries_made(void **state)
{
    json_t *inputs_lines = read_lines("interop/google-adk/recorded/template-inputs.jsonl");
    json_t *cases = read_lines("interop/google-adk/recorded/template.jsonl"), *recorded;
    inputs in = {.json = json_array_get(inputs_lines, 0)};
    size_t i;

    (void)state;
    in.state = read_state();
    assert_int_equal(json_array_size(cases), 112);
    json_array_foreach(cases, i, recorded)
    {
        /* An image becomes the printed form of an object of Python's: that is up to whoever loads artifacts. */
        if (strcmp(json_string_value(json_object_get(recorded, "template")), "{artifact.img}") != 0)
            check(&in, recorded, "python", AGENTCHAT_TEMPLATE_ADK_PYTHON);
        check(&in, recorded, "rust", AGENTCHAT_TEMPLATE_ADK_RUST);
    }
    agentchat_state_free(in.state);
    json_decref(cases);
    json_decref(inputs_lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_template__is_what_the_libraries_made),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
