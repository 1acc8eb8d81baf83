/* SPDX-License-Identifier: Apache-2.0 */
/* What a chat has no use for itself and saves again: unknown properties, spelling, participants without an agent. */
#include "unit/chat/chat_mock.h"

#define HISTORY_KEY "Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4="

/* ---- documents ------------------------------------------------------------------------------------------------ */

static const char *mock_key(void)
{
    static char key[AGENTCHAT_KEY_LEN + 1];
    agentchat_str keys[2] = {AGENTCHAT_STR(MOCK_TYPE), AGENTCHAT_STR("M")};

    assert_int_equal(agentchat_channel_key(keys, 2, key), AGENTCHAT_OK);
    return key;
}

static const char *group_key(void)
{
    static char key[AGENTCHAT_KEY_LEN + 1];
    agentchat_str keys[2] = {AGENTCHAT_STR(AGENTCHAT_TYPE_AGGREGATOR_CHANNEL), AGENTCHAT_STR("G")};

    assert_int_equal(agentchat_channel_key(keys, 2, key), AGENTCHAT_OK);
    return key;
}

/* A chat of three agents, one of them a group, with unknown properties wherever one can stand. */
static const char *native_document(char text[8192])
{
    int len =
        snprintf(text, 8192,
                 "{\"agentchat\":{\"format\":1,\"reader\":1},"
                 "\"history\":[{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"hi\",\"x_item\":1}],"
                 "\"x_message\":[2]}],"
                 "\"participants\":["
                 "{\"id\":\"h\",\"name\":\"H\",\"type\":\"" AGENTCHAT_TYPE_HISTORY_AGENT "\",\"x_h\":{\"a\":1.50}},"
                 "{\"id\":\"m\",\"name\":\"M\",\"type\":\"" MOCK_TYPE "\",\"x_m\":3,"
                 "\"extras\":[{\"from\":\"semantic-kernel\",\"name\":\"Desc\",\"value\":\"d\"}]},"
                 "{\"id\":\"g\",\"name\":\"G\",\"type\":\"" AGENTCHAT_TYPE_AGGREGATOR "\",\"x_g\":4}],"
                 "\"channels\":["
                 "{\"channelkey\":\"" HISTORY_KEY "\",\"channeltype\":\"" AGENTCHAT_TYPE_HISTORY_CHANNEL "\","
                 "\"statekind\":\"messages\",\"channelstate\":[[0,1]],\"synced\":1,\"x_list\":5},"
                 "{\"channelkey\":\"%s\",\"channeltype\":\"" MOCK_TYPE "\",\"statekind\":\"text\","
                 "\"channelstate\":\"12.50\",\"raw\":true,\"synced\":1,\"x_text\":\"6\"},"
                 "{\"channelkey\":\"%s\",\"channeltype\":\"" AGENTCHAT_TYPE_AGGREGATOR_CHANNEL "\","
                 "\"statekind\":\"chat\",\"channelstate\":{\"history\":[],\"participants\":["
                 "{\"id\":\"i\",\"name\":\"I\",\"type\":\"" AGENTCHAT_TYPE_HISTORY_AGENT "\",\"x_i\":7}],"
                 "\"channels\":[],\"x_inner\":8},\"synced\":1,\"x_chat\":9}],"
                 "\"x_document\":{\"deep\":[null]},"
                 "\"extras\":[{\"from\":\"semantic-kernel\",\"name\":\"Tenant\",\"value\":10}]}",
                 mock_key(), group_key());

    assert_in_range(len, 1, 8191);
    return text;
}

/* The same as Semantic Kernel would write it, the state of M as a string that looks like JSON. */
static const char *foreign_document(char text[8192])
{
    int len = snprintf(
        text, 8192,
        "{\"Participants\":["
        "{\"Id\":\"h\",\"Name\":\"H\",\"Type\":\"" AGENTCHAT_TYPE_HISTORY_AGENT "\",\"x_h\":{\"a\":1.50}},"
        "{\"Id\":\"m\",\"Name\":\"M\",\"Type\":\"" MOCK_TYPE "\",\"x_m\":3},"
        "{\"Id\":\"g\",\"Name\":\"G\",\"Type\":\"" AGENTCHAT_TYPE_AGGREGATOR "\",\"x_g\":4}],"
        "\"History\":[{\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"hi\","
        "\"x_item\":1}],\"x_message\":[2]}],"
        "\"Channels\":["
        "{\"ChannelKey\":\"" HISTORY_KEY "\",\"ChannelType\":\"" AGENTCHAT_TYPE_HISTORY_CHANNEL "\","
        "\"ChannelState\":[{\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"hi\"}]}],"
        "\"x_list\":5},"
        "{\"ChannelKey\":\"%s\",\"ChannelType\":\"" MOCK_TYPE "\",\"ChannelState\":\"{\\\"t\\\":1}\","
        "\"x_text\":\"6\"},"
        "{\"ChannelKey\":\"%s\",\"ChannelType\":\"" AGENTCHAT_TYPE_AGGREGATOR_CHANNEL "\",\"ChannelState\":"
        "{\"Participants\":[{\"Id\":\"i\",\"Name\":\"I\",\"Type\":\"" AGENTCHAT_TYPE_HISTORY_AGENT "\",\"x_i\":7}],"
        "\"History\":[],\"Channels\":[],\"x_inner\":8},\"x_chat\":9}],"
        "\"x_document\":{\"deep\":[null]}}",
        mock_key(), group_key());

    assert_in_range(len, 1, 8191);
    return text;
}

static const char *const everywhere[] = {"x_item", "x_message", "x_h",     "x_m",    "x_g",       "x_list",
                                         "x_text", "x_i",       "x_inner", "x_chat", "x_document"};

static agentchat_snapshot *read_text(const char *text)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), NULL, &snapshot, NULL, &err), &err);
    return snapshot;
}

/* free() it. */
static char *write_text(const agentchat_snapshot *snapshot, const char *format)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    char *text;

    options.format = format;
    options.strict = true;
    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, NULL, &err), &err);
    text = malloc(bytes.len + 1);
    assert_non_null(text);
    memcpy(text, bytes.ptr, bytes.len + 1);
    agentchat_bytes_clear(&bytes);
    return text;
}

/* What a chat saves in format 1. free() it. */
static char *saved_text(agentchat_chat *chat)
{
    agentchat_snapshot *snapshot = capture(chat);
    char *text = write_text(snapshot, "agentchat");

    agentchat_snapshot_unref(snapshot);
    return text;
}

static void assert_saves(agentchat_chat *chat, const char *const *parts, size_t count, bool expected)
{
    char *text = saved_text(chat);

    for (size_t i = 0; i < count; i++)
        if ((strstr(text, parts[i]) != NULL) != expected)
            fail_msg("%s is %s: %s", parts[i], expected ? "not saved" : "saved", text);
    free(text);
}

#define SAVES(chat, expected, ...)                                                                                     \
    do {                                                                                                               \
        const char *const parts_[] = {__VA_ARGS__};                                                                    \
        assert_saves((chat), parts_, sizeof parts_ / sizeof *parts_, (expected));                                      \
    } while (0)

/* ---- agents --------------------------------------------------------------------------------------------------- */

typedef struct cast {
    const agentchat_env *env;
    mock m;
} cast;

static agentchat_agent *with_id(agentchat_agent *agent, const char *id)
{
    if (agent != NULL && agentchat_agent_set_id(agent, agentchat_str_from(id), NULL) < 0) {
        agentchat_agent_free(agent);
        agent = NULL;
    }
    return agent;
}

static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    const cast *c = user;
    agentchat_chat *chat = test_chat_new(c->env);
    agentchat_status status = test_add_agent(chat, with_id(speaker(c->env, "I", "i"), "i"), err);

    if (status < 0) {
        agentchat_chat_free(chat);
        chat = NULL;
    }
    *out = chat;
    return status;
}

static agentchat_agent *group(cast *c)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

    options.name = AGENTCHAT_STR("G");
    options.id = AGENTCHAT_STR("g");
    options.make = make_inner;
    options.user = c;
    return test_aggregator_new(c->env, &options);
}

/* who: any of "hmg", in the order of joining. */
static agentchat_status join(cast *c, agentchat_chat *chat, const char *who, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (; *who != '\0' && status >= 0; who++) {
        agentchat_agent *agent = *who == 'h'   ? with_id(speaker(c->env, "H", "h"), "h")
                                 : *who == 'm' ? with_id(mock_agent(c->env, "M", &c->m), "m")
                                               : group(c);

        status = test_add_agent(chat, agent, err);
    }
    return status;
}

static agentchat_chat *chat_of(cast *c, const char *who)
{
    agentchat_chat *chat = test_chat_new(c->env);
    agentchat_error err;

    test_ok(join(c, chat, who, &err), &err);
    return chat;
}

static agentchat_chat *restored(cast *c, const char *who, const char *document)
{
    agentchat_chat *chat = chat_of(c, who);
    agentchat_snapshot *snapshot = read_text(document);
    agentchat_error err;

    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    agentchat_snapshot_unref(snapshot); /* the chat needs it no more */
    return chat;
}

/* ---- unknown properties --------------------------------------------------------------------------------------- */

static void there_and_back(const char *document, const char *format)
{
    cast c = {.m = {.says = "m"}};
    agentchat_snapshot *stored = read_text(document), *again;
    agentchat_chat *chat = restored(&c, "hmg", document);
    char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1], *before, *after;
    agentchat_error err;

    again = capture(chat);
    agentchat_chat_free(chat); /* nor does what was captured need the chat */
    test_ok(agentchat_snapshot_digest(stored, true, left, &err), &err);
    test_ok(agentchat_snapshot_digest(again, true, right, &err), &err);
    assert_string_equal(left, right);
    before = write_text(stored, format);
    after = write_text(again, format);
    assert_string_equal(before, after);
    for (size_t i = 0; i < sizeof everywhere / sizeof *everywhere; i++)
        assert_non_null(strstr(after, everywhere[i]));
    free(before);
    free(after);
    agentchat_snapshot_unref(stored);
    agentchat_snapshot_unref(again);
}

static void test_origin__unknown_properties_of_format_1_are_saved_again(void **state)
{
    char text[8192];

    (void)state;
    there_and_back(native_document(text), "agentchat");
}

static void test_origin__unknown_properties_of_semantic_kernel_are_saved_again(void **state)
{
    char text[8192];

    (void)state;
    there_and_back(foreign_document(text), "semantic-kernel");
}

static void test_origin__goes_on_with_the_chat(void **state)
{
    cast c = {.m = {.says = "m"}};
    char text[8192];
    agentchat_chat *chat = restored(&c, "gmh", native_document(text));

    (void)state;
    add_text(chat, "go on");
    invoke(chat, "H");
    invoke(chat, "M");
    invoke(chat, "G");
    assert_saves(chat, everywhere, sizeof everywhere / sizeof *everywhere, true);
    agentchat_chat_free(chat);
}

static void test_origin__goes_with_a_reset(void **state)
{
    cast c = {.m = {.says = "m"}};
    char text[8192];
    agentchat_chat *chat = restored(&c, "hg", native_document(text));
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_chat_reset(chat, &err), &err);
    SAVES(chat, false, "x_", "Tenant", "Desc", "\"id\":\"m\"");
    snapshot = read_text(text);
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    agentchat_snapshot_unref(snapshot);
    assert_saves(chat, everywhere, sizeof everywhere / sizeof *everywhere, true);
    agentchat_chat_free(chat);
}

/* A chat restored from a document without history may be restored again. */
static void test_origin__is_replaced_by_a_restore_that_succeeds(void **state)
{
    static const char first[] = "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":["
                                "{\"id\":\"h\",\"x_first_h\":1},{\"id\":\"e\",\"x_first_e\":1},"
                                "{\"id\":\"gone\"}],\"channels\":[],\"x_first\":1}";
    cast c = {.m = {.fail_restore = 1}};
    char text[8192], *before, *after;
    agentchat_chat *chat = restored(&c, "hm", first);
    agentchat_snapshot *second = read_text(native_document(text));
    agentchat_error err;

    (void)state;
    add_agent(chat, with_id(speaker(NULL, "E", "e"), "e")); /* the second document does not know it */
    before = saved_text(chat);
    assert_non_null(strstr(before, "x_first_h"));
    assert_non_null(strstr(before, "x_first_e"));
    assert_non_null(strstr(before, "gone"));
    test_fails(agentchat_chat_restore(chat, second, NULL, NULL, &err), &err, AGENTCHAT_E_CALLBACK, "/channels/1",
               "restore is down");
    after = saved_text(chat);
    assert_string_equal(before, after);
    test_ok(agentchat_chat_restore(chat, second, NULL, NULL, &err), &err);
    SAVES(chat, false, "x_first", "gone");
    assert_saves(chat, everywhere, sizeof everywhere / sizeof *everywhere, true);
    free(before);
    free(after);
    agentchat_snapshot_unref(second);
    agentchat_chat_free(chat);
}

static void test_origin__is_a_copy_of_its_own(void **state)
{
    enum { LARGE = 1000000 };
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    cast c = {.env = env};
    agentchat_chat *chat = chat_of(&c, "h");
    char *text = malloc(LARGE + 1000);
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    (void)state;
    assert_non_null(text);
    strcpy(text,
           "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":[{\"id\":\"h\",\"x_h\":1}],"
           "\"channels\":[],\"values\":[{\"name\":\"large\",\"value\":\"");
    memset(strchr(text, '\0'), 'x', LARGE + 1);
    strcpy(strstr(text, "xxxx") + LARGE, "\"}],\"x_document\":1}");
    test_ok(agentchat_snapshot_read_memory(env, agentchat_str_from(text), NULL, &snapshot, NULL, &err), &err);
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    agentchat_snapshot_unref(snapshot);
    test_ok(agentchat_chat_set_value(chat, AGENTCHAT_STR("large"), (agentchat_str){NULL, 0}, (agentchat_str){NULL, 0},
                                     &err),
            &err);
    assert_true(oom.live_bytes < LARGE / 10);
    SAVES(chat, true, "x_h", "x_document");
    agentchat_chat_free(chat);
    agentchat_env_free(env);
    free(text);
}

/* ---- spelling ------------------------------------------------------------------------------------------------- */

static void test_origin__spelling_stays_while_the_text_does(void **state)
{
    cast c = {.m = {.says = "m"}};
    char text[8192];
    agentchat_chat *chat = restored(&c, "hmg", native_document(text));

    (void)state;
    SAVES(chat, true, "\"statekind\":\"text\",\"raw\":true,\"channelstate\":\"12.50\"");
    invoke(chat, "M");
    SAVES(chat, true, "\"statekind\":\"text\",\"channelstate\":\"12.50m;\"", "x_text");
    agentchat_chat_free(chat);
    chat = restored(&c, "hmg", foreign_document(text));
    SAVES(chat, true, "\"raw\":false,\"channelstate\":\"{\\\"t\\\":1}\"");
    agentchat_chat_free(chat);
}

static void test_origin__claimed_state_brings_its_own(void **state)
{
    cast c = {.m = {.says = NULL}};
    char text[8192];
    agentchat_chat *chat = restored(&c, "hg", native_document(text));
    agentchat_error err;

    (void)state;
    SAVES(chat, true, "\"raw\":true,\"channelstate\":\"12.50\",\"synced\":1,\"x_text\"");
    test_ok(join(&c, chat, "m", &err), &err);
    invoke(chat, "M");
    assert_int_equal(agentchat_chat_kept_count(chat), 0);
    assert_int_equal(c.m.restores, 1);
    SAVES(chat, true, "\"raw\":true,\"channelstate\":\"12.50\",\"synced\":1,\"x_text\"");
    agentchat_chat_free(chat);
}

/* ---- participants without an agent ---------------------------------------------------------------------------- */

/* Ids of those who took part, each followed by ";", in the order of the list. */
static void assert_participants(agentchat_chat *chat, const char *expected)
{
    agentchat_snapshot *snapshot = capture(chat);
    char ids[1024] = "";

    for (size_t i = 0; i < agentchat_snapshot_participant_count(snapshot); i++)
        mock_note(ids, sizeof ids, agentchat_participant_id(agentchat_snapshot_participant(snapshot, i)));
    assert_string_equal(ids, expected);
    agentchat_snapshot_unref(snapshot);
}

static void test_origin__missing_participant_stays_until_it_joins(void **state)
{
    cast c = {.m = {.says = NULL}};
    char text[8192];
    agentchat_chat *chat = restored(&c, "hg", native_document(text));
    agentchat_snapshot *snapshot = through_bytes(capture(chat));
    agentchat_error err;

    (void)state;
    assert_participants(chat, "h;g;m;");
    agentchat_chat_free(chat);
    chat = chat_of(&c, "hg"); /* and again */
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    agentchat_snapshot_unref(snapshot);
    assert_participants(chat, "h;g;m;");
    SAVES(chat, true, "{\"id\":\"m\",\"name\":\"M\",\"type\":\"" MOCK_TYPE "\",\"extras\":[", "Desc", "x_m");
    test_ok(join(&c, chat, "m", &err), &err);
    assert_participants(chat, "h;g;m;");
    SAVES(chat, true, "Desc", "x_m"); /* now as the agent's own */
    assert_participants(chat, "h;g;m;");
    agentchat_chat_free(chat);
}

static void test_origin__missing_participant_is_known_by_name_and_type(void **state)
{
    cast c = {.m = {.says = NULL}};
    char text[8192];
    agentchat_chat *chat = restored(&c, "h", native_document(text));

    (void)state;
    add_agent(chat, with_id(speaker(NULL, "M", "m"), "other type"));
    assert_participants(chat, "h;other type;m;g;");
    SAVES(chat, true, "x_m");
    add_agent(chat, with_id(mock_agent(NULL, "M", &c.m), "new id"));
    assert_participants(chat, "h;other type;new id;g;");
    SAVES(chat, true, "\"id\":\"new id\",\"name\":\"M\",\"type\":\"" MOCK_TYPE "\",\"extras\":[", "x_m");
    add_agent(chat, with_id(mock_agent(NULL, "M", &c.m), "m")); /* the participant has an agent again */
    assert_participants(chat, "h;other type;new id;m;g;");
    agentchat_chat_free(chat);
}

/* The turn is an index into the list: the agents stand first. */
static void test_origin__missing_participants_do_not_move_the_turn(void **state)
{
    static const char document[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":["
        "{\"id\":\"gone\"},{\"id\":\"h\"},{\"name\":\"nobody\"},{\"id\":\"m\"}],\"channels\":[],\"turn\":3}";
    cast c = {.m = {.says = "m"}};
    agentchat_chat *chat = restored(&c, "hm", document);
    agentchat_snapshot *snapshot = through_bytes(capture(chat));
    agentchat_error err;

    (void)state;
    assert_int_equal(agentchat_snapshot_participant_count(snapshot), 4);
    agentchat_chat_free(chat);
    chat = chat_of(&c, "hm");
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    agentchat_snapshot_unref(snapshot);
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    assert_int_equal(c.m.invokes, 1);
    agentchat_chat_free(chat);
}

static void test_origin__one_id_twice_is_one_participant(void **state)
{
    static const char document[] = "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":["
                                   "{\"id\":\"h\",\"x_one\":1},{\"id\":\"h\",\"x_two\":1},"
                                   "{\"id\":\"z\",\"x_three\":1},{\"id\":\"z\",\"x_four\":1}],\"channels\":[]}";
    cast c = {.env = NULL};
    agentchat_chat *chat = restored(&c, "h", document);

    (void)state;
    assert_participants(chat, "h;z;z;");
    SAVES(chat, true, "x_one", "x_three", "x_four");
    SAVES(chat, false, "x_two");
    add_agent(chat, with_id(speaker(NULL, "Z", "z"), "z"));
    assert_participants(chat, "h;z;");
    SAVES(chat, true, "x_one", "x_three");
    agentchat_chat_free(chat);
}

/* ---- out of memory -------------------------------------------------------------------------------------------- */

static agentchat_status restore_join_capture(const agentchat_env *env, void *user, agentchat_error *err)
{
    cast c = {.env = env, .m = {.says = NULL}};
    agentchat_chat *chat = test_chat_new(env);
    agentchat_snapshot *again = NULL;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_status status = join(&c, chat, "hg", err);

    bytes.env = env;
    if (status >= 0)
        status = agentchat_chat_restore(chat, user, NULL, NULL, err);
    if (status == AGENTCHAT_E_NOMEM) {
        assert_int_equal(agentchat_chat_message_count(chat), 0);
        assert_int_equal(agentchat_chat_kept_count(chat), 0);
    }
    if (status >= 0)
        status = join(&c, chat, "m", err);
    if (status >= 0)
        status = agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), err);
    if (status >= 0)
        status = agentchat_chat_capture(chat, NULL, &again, NULL, err);
    if (status >= 0)
        status = agentchat_snapshot_write_memory(again, NULL, &bytes, NULL, err);
    for (size_t i = 0; status >= 0 && i < sizeof everywhere / sizeof *everywhere; i++)
        assert_non_null(strstr(bytes.ptr, everywhere[i]));
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(again);
    agentchat_chat_free(chat);
    return status;
}

static void test_oom__restore_join_capture(void **state)
{
    char text[8192];
    agentchat_snapshot *snapshot = read_text(native_document(text));

    (void)state;
    assert_true(test_oom_sweep(restore_join_capture, snapshot) > 40);
    agentchat_snapshot_unref(snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_origin__unknown_properties_of_format_1_are_saved_again),
        cmocka_unit_test(test_origin__unknown_properties_of_semantic_kernel_are_saved_again),
        cmocka_unit_test(test_origin__goes_on_with_the_chat),
        cmocka_unit_test(test_origin__goes_with_a_reset),
        cmocka_unit_test(test_origin__is_replaced_by_a_restore_that_succeeds),
        cmocka_unit_test(test_origin__is_a_copy_of_its_own),
        cmocka_unit_test(test_origin__spelling_stays_while_the_text_does),
        cmocka_unit_test(test_origin__claimed_state_brings_its_own),
        cmocka_unit_test(test_origin__missing_participant_stays_until_it_joins),
        cmocka_unit_test(test_origin__missing_participant_is_known_by_name_and_type),
        cmocka_unit_test(test_origin__missing_participants_do_not_move_the_turn),
        cmocka_unit_test(test_origin__one_id_twice_is_one_participant),
        cmocka_unit_test(test_oom__restore_join_capture),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
