/* SPDX-License-Identifier: Apache-2.0 */
/* Tools that a model calls: what each call answers, the same on every store. */
#include "session/scene.h"
#include "session/server.h"

#include <agentchat/json_text.h>
#include <agentchat/memory_kinds.h>
#include <agentchat/memory_tools.h>
#include <pthread.h>
#include <stdlib.h>

#define HOUR_US INT64_C(3600000000)

/* The answer to a call: what is said, and whether it has failed. */
typedef struct answer {
    char text[4000];
    bool failed;
} answer;

/* The namespace begins with the scene's application, which no other test has. */
static const char *space(const scene *s, const char *rest)
{
    static char names[4][100];
    static unsigned next;
    char *name = names[next++ % 4];

    (void)snprintf(name, sizeof names[0], "%s/ana%s", s->app, rest);
    return name;
}

static const agentchat_message *make_call(const char *function, const char *arguments)
{
    agentchat_message_builder *builder = NULL;
    agentchat_message *message = NULL;
    agentchat_error err;

    test_ok(agentchat_message_builder_new(NULL, "assistant", agentchat_str_null(), &builder, &err), &err);
    agentchat_message_builder_add_call(builder, AGENTCHAT_STR("c1"), (agentchat_str){NULL, 0},
                                       agentchat_str_from(function), agentchat_str_from(arguments));
    test_ok(agentchat_message_builder_finish(builder, &message, &err), &err);
    return message;
}

static answer call_with(scene *s, agentchat_store *store, const char *function, const char *arguments,
                        const agentchat_memory_tools_options *options)
{
    const agentchat_message *call = make_call(function, arguments);
    agentchat_message_builder *builder = NULL;
    agentchat_message *message = NULL;
    const agentchat_item *item;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_str result;
    agentchat_error err;
    answer a;

    test_ok(agentchat_message_builder_new(NULL, "tool", agentchat_str_null(), &builder, &err), &err);
    test_ok(agentchat_memory_tools_answer(store, space(s, ""), agentchat_message_item(call, 0), builder, options, &err),
            &err);
    test_ok(agentchat_message_builder_finish(builder, &message, &err), &err);
    assert_int_equal(agentchat_message_item_count(message), 1);
    item = agentchat_message_item(message, 0);
    assert_int_equal(agentchat_item_get_kind(item), AGENTCHAT_ITEM_RESULT);
    assert_true(agentchat_str_equal(agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID), AGENTCHAT_STR("c1")));
    assert_true(agentchat_str_equal(agentchat_item_get(item, AGENTCHAT_FIELD_FUNCTION), agentchat_str_from(function)));
    a.failed = agentchat_str_equal(agentchat_item_get(item, AGENTCHAT_FIELD_FAILED), AGENTCHAT_STR("true"));
    result = agentchat_item_get(item, AGENTCHAT_FIELD_RESULT);
    if (agentchat_json_kind_of(result) == AGENTCHAT_JSON_STRING)
        test_ok(agentchat_json_decode(NULL, result, &text, &err), &err);
    else
        test_ok(agentchat_bytes_append(&text, result, &err), &err);
    (void)snprintf(a.text, sizeof a.text, "%s", text.ptr != NULL ? text.ptr : "");
    agentchat_bytes_clear(&text);
    agentchat_message_unref(message);
    agentchat_message_unref(call);
    return a;
}

static answer call(scene *s, const char *function, const char *arguments)
{
    return call_with(s, s->store, function, arguments, NULL);
}

static void expect(scene *s, const char *function, const char *arguments, const char *expected)
{
    answer a = call(s, function, arguments);

    if (a.failed || strcmp(a.text, expected) != 0)
        fail_msg("%s %s: %s%s\nexpected: %s", function, arguments, a.failed ? "(failed) " : "", a.text, expected);
}

static void expect_failed(scene *s, const char *function, const char *arguments, const char *part)
{
    answer a = call(s, function, arguments);

    if (!a.failed || strstr(a.text, part) == NULL)
        fail_msg("%s %s: %s%s\nexpected: (failed) … %s", function, arguments, a.failed ? "(failed) " : "", a.text,
                 part);
}

/* ---- manage_memory and search_memory ---------------------------------------------------------------------------- */

/* The id in an answer "created memory ID". */
static const char *id_of(const answer *a)
{
    static const char begin[] = "created memory ";

    assert_false(a->failed);
    assert_memory_equal(a->text, begin, strlen(begin));
    return a->text + strlen(begin);
}

static void test_L9_hot_path__an_agent_manages_its_memories(void **state)
{
    scene *s = *state;
    answer made = call(s, "manage_memory", "{\"content\": \"drinks green tea\", \"action\": \"create\"}");
    answer other = call(s, "manage_memory", "{\"content\": {\"likes\": \"jazz\"}, \"id\": null}"), found;
    char text[300], expected[300];

    (void)snprintf(text, sizeof text, "{\"id\": \"%s\", \"content\": \"drinks black tea\", \"action\": \"update\"}",
                   id_of(&made));
    (void)snprintf(expected, sizeof expected, "updated memory %s", id_of(&made));
    expect(s, "manage_memory", text, expected);
    found = call(s, "search_memory", "{\"query\": \"What tea?\"}");
    (void)snprintf(expected, sizeof expected,
                   "[{\"id\":\"%s\",\"content\":\"drinks black tea\",\"score\":", id_of(&made));
    assert_memory_equal(found.text, expected, strlen(expected)); /* an id that manage_memory takes */
    (void)snprintf(expected, sizeof expected,
                   "[{\"id\":\"%s\",\"content\":{\"likes\": \"jazz\"}},{\"id\":\"%s\","
                   "\"content\":\"drinks black tea\"}]",
                   id_of(&other), id_of(&made));
    found = call(s, "search_memory", "{\"query\": \"\"}"); /* the last ones */
    assert_int_equal(strlen(found.text), strlen(expected));
    expect(s, "search_memory", "{\"query\": \"\", \"limit\": 1, \"offset\": 1, \"filter\": {\"content\": 7}}", "[]");
    expect(s, "search_memory", "{\"query\": \"tea\", \"offset\": 9223372036854775807}", "[]");
    found = call(s, "search_memory", "{\"query\": \"\", \"limit\": 9223372036854775807}");
    assert_int_equal(strlen(found.text), strlen(expected));
    found = call(s, "search_memory", "{\"query\": \"tea\", \"limit\": 9223372036854775807}");
    assert_false(found.failed);
    (void)snprintf(text, sizeof text, "{\"id\": \"%s\", \"action\": \"delete\"}", id_of(&made));
    (void)snprintf(expected, sizeof expected, "deleted memory %s", id_of(&made));
    expect(s, "manage_memory", text, expected);
    expect_failed(s, "manage_memory", text, "there is no memory with the id");
    expect(s, "search_memory", "{\"query\": \"tea\"}", "[]");
    expect_sound(s->store);
}

static void test_wrong_calls_say_what_to_do(void **state)
{
    static const struct {
        const char *function, *arguments, *part;
    } cases[] = {
        {"manage_memory", "{}", "the argument `content` is missing"},
        {"manage_memory", "{\"content\":null,\"action\":\"update\",\"id\":\"x\"}", "`content` is missing"},
        {"manage_memory", "{\"content\":\"x\",\"id\":\"mine\"}", "use the action update, or no id"},
        {"manage_memory", "{\"content\":\"x\",\"action\":\"update\"}", "`id` is missing; search_memory gives"},
        {"manage_memory", "{\"action\":\"delete\"}", "`id` is missing"},
        {"manage_memory", "{\"content\":\"x\",\"action\":\"update\",\"id\":\"none\"}", "no memory with the id none"},
        {"manage_memory", "{\"action\":\"delete\",\"id\":\"\"}", "must not be empty"},
        {"manage_memory", "{\"action\":\"delete\",\"id\":\"a\\u0000b\"}", "NUL"},
        {"manage_memory", "{\"content\":\"x\",\"action\":\"upsert\"}", "create, update or delete"},
        {"manage_memory", "{\"content\":\"x\",\"action\":7}", "`action` is a text"},
        {"manage_memory", "[]", "the arguments are a JSON object"},
        {"manage_memory", "\"content\"", "the arguments are a JSON object"},
        {"search_memory", "{}", "`query` is missing"},
        {"search_memory", "{\"query\":\"x\",\"limit\":0}", "`limit` is 1 or more"},
        {"search_memory", "{\"query\":\"x\",\"limit\":\"10\"}", "`limit` is a whole number"},
        {"search_memory", "{\"query\":\"x\",\"limit\":1.5}", "`limit` is a whole number"},
        {"search_memory", "{\"query\":\"x\",\"offset\":-1}", "`offset` is 0 or more"},
        {"search_memory", "{\"query\":\"x\",\"filter\":{\"a\":{\"$near\":1}}}", "$near"},
        {"memory", "{}", "`command` is missing"},
        {"memory", "{\"command\":\"move\"}", "the command is view"},
        {"memory", "{\"command\":\"view\"}", "`path` is missing"},
        {"memory", "{\"command\":\"create\",\"path\":\"/memories/x\"}", "`file_text` is missing"},
    };
    scene *s = *state;
    agentchat_memory_counts counts;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_failed(s, cases[i].function, cases[i].arguments, cases[i].part);
    test_ok(agentchat_memory_stats(s->store, space(s, ""), &counts, &s->err), &s->err);
    assert_true(counts.documents == 0);
}

static void test_what_is_no_call_of_a_tool(void **state)
{
    scene *s = *state;
    agentchat_memory_tools_options options = AGENTCHAT_MEMORY_TOOLS_OPTIONS_INIT;
    const agentchat_message *other = make_call("get_weather", "{}"), *own = make_call("memory", "{}");
    agentchat_message_builder *builder = NULL;
    agentchat_message *message = NULL;
    const agentchat_item *item = agentchat_message_item(own, 0);

    test_ok(agentchat_message_builder_new(NULL, "tool", agentchat_str_null(), &builder, &s->err), &s->err);
    assert_int_equal(
        agentchat_memory_tools_answer(s->store, space(s, ""), agentchat_message_item(other, 0), builder, NULL, &s->err),
        AGENTCHAT_DONE);
    options.tools = AGENTCHAT_MEMORY_TOOL_MANAGE | AGENTCHAT_MEMORY_TOOL_SEARCH;
    assert_int_equal(agentchat_memory_tools_answer(s->store, space(s, ""), item, builder, &options, &s->err),
                     AGENTCHAT_DONE);
    expect_fails(s, agentchat_memory_tools_answer(s->store, "/", item, builder, NULL, &s->err), AGENTCHAT_E_INVALID,
                 "is none");
    options.tools = 8;
    expect_fails(s, agentchat_memory_tools_answer(s->store, "x", item, builder, &options, &s->err), AGENTCHAT_E_INVALID,
                 "no tools with the bits 0x8");
    agentchat_message_builder_add_text(builder, AGENTCHAT_STR("text"));
    test_ok(agentchat_message_builder_finish(builder, &message, &s->err), &s->err);
    assert_int_equal(agentchat_message_item_count(message), 1);
    test_ok(agentchat_message_builder_new(NULL, "tool", agentchat_str_null(), &builder, &s->err), &s->err);
    expect_fails(
        s, agentchat_memory_tools_answer(s->store, "x", agentchat_message_item(message, 0), builder, NULL, &s->err),
        AGENTCHAT_E_INVALID, "the item is no call");
    agentchat_message_builder_free(builder);
    agentchat_message_unref(message);
    agentchat_message_unref(other);
    agentchat_message_unref(own);
}

static void test_definitions(void **state)
{
    scene *s = *state;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_str json;

    test_ok(agentchat_memory_tools_define(0, "openai-chat", &text, &s->err), &s->err);
    test_ok(agentchat_json_check(NULL, (agentchat_str){text.ptr, text.len}, &json, &s->err), &s->err);
    assert_non_null(strstr(text.ptr, "{\"type\":\"function\",\"function\":{\"name\":\"manage_memory\""));
    assert_non_null(strstr(text.ptr, "\"name\":\"search_memory\""));
    assert_non_null(strstr(text.ptr, "\"name\":\"memory\",\"description\""));
    agentchat_bytes_clear(&text);
    test_ok(agentchat_memory_tools_define(AGENTCHAT_MEMORY_TOOL_SEARCH | AGENTCHAT_MEMORY_TOOL_FILES, "anthropic",
                                          &text, &s->err),
            &s->err);
    test_ok(agentchat_json_check(NULL, (agentchat_str){text.ptr, text.len}, &json, &s->err), &s->err);
    assert_memory_equal(text.ptr, "[{\"name\":\"search_memory\"", 24);
    assert_non_null(strstr(text.ptr, "\"input_schema\":{\"type\":\"object\""));
    assert_non_null(strstr(text.ptr, ",{\"type\":\"memory_20250818\",\"name\":\"memory\"}]"));
    agentchat_bytes_clear(&text);
    expect_fails(s, agentchat_memory_tools_define(8, "anthropic", &text, &s->err), AGENTCHAT_E_INVALID, "0x8");
    expect_fails(s, agentchat_memory_tools_define(0, "agentchat", &text, &s->err), AGENTCHAT_E_INVALID,
                 "for openai-chat and anthropic");
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

#define CREATE(path, text) "{\"command\":\"create\",\"path\":\"" path "\",\"file_text\":\"" text "\"}"
#define VIEW(path) "{\"command\":\"view\",\"path\":\"" path "\"}"

static void create(scene *s, const char *path, const char *text)
{
    char arguments[600], expected[300];

    (void)snprintf(arguments, sizeof arguments, CREATE("%s", "%s"), path, text);
    (void)snprintf(expected, sizeof expected, "File created successfully at: %s", path);
    expect(s, "memory", arguments, expected);
}

static void test_files__are_made_and_viewed(void **state)
{
    scene *s = *state;
    agentchat_memory_results *page = NULL;

    expect(s, "memory", VIEW("/memories"),
           "Here're the files and directories up to 2 levels deep in /memories:\n(empty)");
    create(s, "/memories/notes.md", "one\\ntwo\\n\\nfour");
    create(s, "/memories/a/b/deep.md", "x");
    create(s, "/memories/a/in.md", "");
    create(s, "/memories/a-c/in.md", "x");
    create(s, "/memories/%2e%2e", "nothing is decoded");
    expect(s, "memory", VIEW("/memories"),
           "Here're the files and directories up to 2 levels deep in /memories:\n"
           "/memories/%2e%2e\n/memories/notes.md\n"
           "/memories/a/\n/memories/a/in.md\n/memories/a/b/\n"
           "/memories/a-c/\n/memories/a-c/in.md");
    expect(s, "memory", VIEW("/memories/a"),
           "Here're the files and directories up to 2 levels deep in /memories/a:\n"
           "/memories/a/in.md\n/memories/a/b/\n/memories/a/b/deep.md");
    expect(s, "memory", VIEW("/memories/notes.md"),
           "Here's the content of /memories/notes.md with line numbers:\n"
           "     1\tone\n     2\ttwo\n     3\t\n     4\tfour");
    expect(s, "memory", "{\"command\":\"view\",\"path\":\"/memories/notes.md\",\"view_range\":[2,-1]}",
           "Here's the content of /memories/notes.md with line numbers:\n     2\ttwo\n     3\t\n     4\tfour");
    expect(s, "memory", "{\"command\":\"view\",\"path\":\"/memories/notes.md\",\"view_range\":[4,4]}",
           "Here's the content of /memories/notes.md with line numbers:\n     4\tfour");
    expect(s, "memory", VIEW("/memories/a/in.md"), "Here's the content of /memories/a/in.md with line numbers:");
    test_ok(agentchat_memory_get(s->store, space(s, "/memories/a"), "in.md", false, &page, &s->err), &s->err);
    assert_string_equal(agentchat_memory_results_at(page, 0)->value.ptr, "{\"text\": \"\"}");
    agentchat_memory_results_free(page);
    expect(s, "search_memory", "{\"query\": \"four\"}", "[]"); /* files are no memories of manage_memory */
    expect_failed(s, "memory", CREATE("/memories/notes.md", "x"), "exists already");
    expect_failed(s, "memory", CREATE("/memories/a", "x"), "exists already");
    expect_failed(s, "memory", CREATE("/memories", "x"), "exists already");
    expect_failed(s, "memory", CREATE("/memories/notes.md/below/it", "x"), "lies below a file");
    expect_failed(s, "memory", VIEW("/memories/none"), "/memories/none does not exist");
    expect_failed(s, "memory", "{\"command\":\"view\",\"path\":\"/memories/notes.md\",\"view_range\":[0,1]}",
                  "lines from 1 to 4");
    expect_failed(s, "memory", "{\"command\":\"view\",\"path\":\"/memories/notes.md\",\"view_range\":[3,5]}",
                  "Invalid `view_range`");
    expect_failed(s, "memory", "{\"command\":\"view\",\"path\":\"/memories/notes.md\",\"view_range\":[1]}",
                  "Invalid `view_range`");
    expect_failed(s, "memory", "{\"command\":\"view\",\"path\":\"/memories/notes.md\",\"view_range\":\"1\"}",
                  "Invalid `view_range`");
    expect_sound(s->store);
}

static void test_files__paths_are_checked_name_by_name(void **state)
{
    static const char *const wrong[] = {"/memoriesx",
                                        "/memoriesx/a",
                                        "memories/a",
                                        "/",
                                        "",
                                        "/other/memories/a",
                                        "/memories/",
                                        "/memories//a",
                                        "/memories/a/",
                                        "/memories/.",
                                        "/memories/..",
                                        "/memories/../memories/a",
                                        "/memories/a/./b",
                                        "/memories/a\\\\b",
                                        "/memories/a\\u0000b",
                                        "/Memories/a",
                                        "/memories/a/.."};
    static const char *const commands[] = {
        "{\"command\":\"view\",\"path\":\"%s\"}",
        "{\"command\":\"create\",\"path\":\"%s\",\"file_text\":\"x\"}",
        "{\"command\":\"str_replace\",\"path\":\"%s\",\"old_str\":\"x\",\"new_str\":\"y\"}",
        "{\"command\":\"insert\",\"path\":\"%s\",\"insert_line\":0,\"insert_text\":\"y\"}",
        "{\"command\":\"delete\",\"path\":\"%s\"}",
        "{\"command\":\"rename\",\"old_path\":\"%s\",\"new_path\":\"/memories/z\"}",
        "{\"command\":\"rename\",\"old_path\":\"/memories/there\",\"new_path\":\"%s\"}",
    };
    scene *s = *state;
    agentchat_memory_counts counts;
    char arguments[1500], longest[1200];

    create(s, "/memories/there", "x");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
            (void)snprintf(arguments, sizeof arguments, commands[k], wrong[i]);
            expect_failed(s, "memory", arguments, "A path is /memories, or");
        }
    memset(longest, 'n', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    memcpy(longest, "/memories/", 10);
    (void)snprintf(arguments, sizeof arguments, commands[1], longest);
    expect_failed(s, "memory", arguments, "is too long");
    longest[600] = '\0'; /* a name of a file has 512 bytes at most */
    (void)snprintf(arguments, sizeof arguments, commands[1], longest);
    expect_failed(s, "memory", arguments, "at most");
    expect_failed(s, "memory", "{\"command\":\"delete\",\"path\":\"/memories\"}", "cannot be deleted or renamed");
    expect_failed(s, "memory", "{\"command\":\"rename\",\"old_path\":\"/memories\",\"new_path\":\"/memories/z\"}",
                  "cannot be deleted or renamed");
    test_ok(agentchat_memory_stats(s->store, space(s, ""), &counts, &s->err), &s->err);
    assert_true(counts.documents == 1);
}

#define REPLACE(old, new)                                                                                              \
    "{\"command\":\"str_replace\",\"path\":\"/memories/f\",\"old_str\":\"" old "\",\"new_str\":\"" new "\"}"
#define INSERT(line, text)                                                                                             \
    "{\"command\":\"insert\",\"path\":\"/memories/f\",\"insert_line\":" line ",\"insert_text\":\"" text "\"}"

static void expect_file(scene *s, const char *json)
{
    agentchat_memory_results *page = NULL;

    test_ok(agentchat_memory_get(s->store, space(s, "/memories"), "f", false, &page, &s->err), &s->err);
    assert_string_equal(agentchat_memory_results_at(page, 0)->value.ptr, json);
    agentchat_memory_results_free(page);
}

static void test_files__texts_are_replaced_and_inserted(void **state)
{
    static const char edited[] = "The memory file has been edited: /memories/f";
    scene *s = *state;

    create(s, "/memories/f", "tea\\nno coffee\\naaa\\n");
    expect(s, "memory", REPLACE("no coffee", "one \\\"coffee\\\"\\nat \\u00e9 \\ud83d\\ude00"), edited);
    expect_file(s, "{\"text\": \"tea\\none \\\"coffee\\\"\\nat \xc3\xa9 \xf0\x9f\x98\x80\\naaa\\n\"}");
    expect(s, "memory",
           "{\"command\":\"str_replace\",\"path\":\"/memories/f\",\"old_str\":\"one \\\"coffee\\\"\\nat \\u00e9 "
           "\\ud83d\\ude00\\n\"}",
           edited); /* by nothing */
    expect_file(s, "{\"text\": \"tea\\naaa\\n\"}");
    expect_failed(s, "memory", REPLACE("coffee", "x"), "does not stand in /memories/f");
    expect_failed(s, "memory", REPLACE("", "x"), "does not stand in");
    expect_failed(s, "memory", REPLACE("a", "x"), "in lines 1, 2. Give more");
    expect_failed(s, "memory", REPLACE("aa", "x"), "in lines 2. Give more"); /* they overlap */
    expect(s, "memory", INSERT("0", "first"), edited);
    expect(s, "memory", INSERT("3", "last"), edited);
    expect_file(s, "{\"text\": \"first\\ntea\\naaa\\nlast\"}");
    expect(s, "memory", INSERT("4", "more\\n"), edited); /* the last line has no end yet */
    expect_file(s, "{\"text\": \"first\\ntea\\naaa\\nlast\\nmore\\n\"}");
    expect_failed(s, "memory", INSERT("6", "x"), "from 0 to 5");
    expect_failed(s, "memory", INSERT("-1", "x"), "Invalid `insert_line`: -1");
    expect_failed(s, "memory",
                  "{\"command\":\"insert\",\"path\":\"/memories/none\",\"insert_line\":0,"
                  "\"insert_text\":\"x\"}",
                  "does not exist");
    expect_failed(s, "memory", "{\"command\":\"str_replace\",\"path\":\"/memories\",\"old_str\":\"x\"}",
                  "does not exist");
    expect_file(s, "{\"text\": \"first\\ntea\\naaa\\nlast\\nmore\\n\"}");
    expect_sound(s->store);
}

static void test_files__are_renamed_and_deleted(void **state)
{
    scene *s = *state;

    create(s, "/memories/a/b/one", "1");
    create(s, "/memories/a/two", "2");
    create(s, "/memories/other", "3");
    expect(s, "memory", "{\"command\":\"rename\",\"old_path\":\"/memories/other\",\"new_path\":\"/memories/c/three\"}",
           "Successfully renamed /memories/other to /memories/c/three");
    expect_failed(s, "memory", "{\"command\":\"rename\",\"old_path\":\"/memories/a\",\"new_path\":\"/memories/a/b/c\"}",
                  "lies in what is to be renamed");
    expect_failed(s, "memory", "{\"command\":\"rename\",\"old_path\":\"/memories/a\",\"new_path\":\"/memories/c\"}",
                  "exists already");
    expect_failed(s, "memory",
                  "{\"command\":\"rename\",\"old_path\":\"/memories/a/two\",\"new_path\":\"/memories/c/three\"}",
                  "exists already");
    expect_failed(s, "memory", "{\"command\":\"rename\",\"old_path\":\"/memories/no\",\"new_path\":\"/memories/x\"}",
                  "does not exist");
    expect(s, "memory", "{\"command\":\"rename\",\"old_path\":\"/memories/a\",\"new_path\":\"/memories/c/d\"}",
           "Successfully renamed /memories/a to /memories/c/d");
    expect(s, "memory", VIEW("/memories/c"),
           "Here're the files and directories up to 2 levels deep in /memories/c:\n"
           "/memories/c/three\n/memories/c/d/\n/memories/c/d/two\n/memories/c/d/b/");
    expect(s, "memory", VIEW("/memories/c/d/b/one"),
           "Here's the content of /memories/c/d/b/one with line numbers:\n     1\t1");
    expect_failed(s, "memory", VIEW("/memories/a"), "does not exist");
    expect(s, "memory", "{\"command\":\"delete\",\"path\":\"/memories/c/d\"}", "Successfully deleted /memories/c/d");
    expect(s, "memory", "{\"command\":\"delete\",\"path\":\"/memories/c/three\"}",
           "Successfully deleted /memories/c/three");
    expect_failed(s, "memory", "{\"command\":\"delete\",\"path\":\"/memories/c\"}", "does not exist");
    expect(s, "memory", VIEW("/memories"),
           "Here're the files and directories up to 2 levels deep in /memories:\n(empty)");
    expect_sound(s->store);
}

static void test_a_change_keeps_the_expiry(void **state)
{
    scene *s = *state;
    agentchat_memory_put_options put = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_tools_options options = AGENTCHAT_MEMORY_TOOLS_OPTIONS_INIT;
    agentchat_memory_results *page = NULL;
    int64_t expires;

    put.has_ttl = true;
    put.ttl_us = HOUR_US;
    options.put = &put;
    assert_false(call_with(s, s->store, "memory", CREATE("/memories/f", "a b"), &options).failed);
    test_ok(agentchat_memory_get(s->store, space(s, "/memories"), "f", false, &page, &s->err), &s->err);
    expires = agentchat_memory_results_at(page, 0)->expires_us;
    assert_true(expires != AGENTCHAT_MEMORY_NEVER);
    agentchat_memory_results_free(page);
    s->now_us += HOUR_US / 4;
    expect(s, "memory", REPLACE("a", "c"), "The memory file has been edited: /memories/f");
    test_ok(agentchat_memory_get(s->store, space(s, "/memories"), "f", false, &page, &s->err), &s->err);
    assert_true(agentchat_memory_results_at(page, 0)->expires_us == expires);
    agentchat_memory_results_free(page);
    expect(s, "memory", "{\"command\":\"rename\",\"old_path\":\"/memories/f\",\"new_path\":\"/memories/g\"}",
           "Successfully renamed /memories/f to /memories/g");
    test_ok(agentchat_memory_get(s->store, space(s, "/memories"), "g", false, &page, &s->err), &s->err);
    assert_true(agentchat_memory_results_at(page, 0)->expires_us != AGENTCHAT_MEMORY_NEVER);
    if (s->kind != STORE_POSTGRES) /* whose clock is its own */
        assert_true(llabs(agentchat_memory_results_at(page, 0)->expires_us - expires) < 1000000);
    agentchat_memory_results_free(page);
}

/* Odd texts become results all the same. */
static void test_texts_of_any_kind_come_back(void **state)
{
    scene *s = *state;
    answer a;

    create(s, "/memories/f", "lone \\ud800, NUL \\u0000, end");
    a = call(s, "memory", VIEW("/memories/f"));
    assert_false(a.failed);
    expect(s, "memory", REPLACE("lone \\ud800, NUL \\u0000, ", ""), "The memory file has been edited: /memories/f");
    expect_file(s, "{\"text\": \"end\"}");
    test_ok(
        agentchat_memory_put(s->store, space(s, "/memories"), "other", AGENTCHAT_STR("{\"n\": 1.50}"), NULL, &s->err),
        &s->err);
    expect(s, "memory", VIEW("/memories/other"),
           "Here's the content of /memories/other with line numbers:\n     1\t{\"n\": 1.50}");
}

/* ---- two at once ------------------------------------------------------------------------------------------------ */

enum { LINES = 20 };

typedef struct writer {
    scene *s;
    agentchat_store *store;
    int number, done;
} writer;

static void *insert_lines(void *user)
{
    writer *w = user;
    char arguments[200];

    for (int i = 0; i < LINES; i++) {
        answer a;

        (void)snprintf(arguments, sizeof arguments, INSERT("0", "line %d of %d"), i, w->number);
        a = call_with(w->s, w->store, "memory", arguments, NULL);
        w->done += !a.failed; /* a third conflict in a row fails, and says so */
    }
    return NULL;
}

static void test_two_writers_of_a_file_lose_nothing(void **state)
{
    scene *s = *state;
    writer writers[2] = {{.s = s, .number = 0}, {.s = s, .number = 1}};
    pthread_t threads[2];
    agentchat_memory_results *page = NULL;
    int lines = 0;

    create(s, "/memories/f", "");
    for (int i = 0; i < 2; i++) {
        writers[i].store = scene_is_shared(s) ? scene_open(s, NULL) : s->store;
        assert_int_equal(pthread_create(&threads[i], NULL, insert_lines, &writers[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        if (writers[i].store != s->store)
            agentchat_store_close(writers[i].store);
    }
    test_ok(agentchat_memory_get(s->store, space(s, "/memories"), "f", false, &page, &s->err), &s->err);
    for (const char *p = agentchat_memory_results_at(page, 0)->value.ptr; (p = strstr(p, "line ")) != NULL; p++)
        lines++;
    assert_int_equal(lines, writers[0].done + writers[1].done);
    assert_true(lines > 0);
    agentchat_memory_results_free(page);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_L9_hot_path__an_agent_manages_its_memories),
        SCENE_TEST(test_wrong_calls_say_what_to_do),
        SCENE_TEST(test_what_is_no_call_of_a_tool),
        SCENE_TEST(test_definitions),
        SCENE_TEST(test_files__are_made_and_viewed),
        SCENE_TEST(test_files__paths_are_checked_name_by_name),
        SCENE_TEST(test_files__texts_are_replaced_and_inserted),
        SCENE_TEST(test_files__are_renamed_and_deleted),
        SCENE_TEST(test_a_change_keeps_the_expiry),
        SCENE_TEST(test_texts_of_any_kind_come_back),
        SCENE_TEST(test_two_writers_of_a_file_lose_nothing),
    };

    scene_files_in_memory();
    if (!scene_program("memory.tools", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("memory_tools", tests, NULL, NULL);
}
