/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our side of the exchange with Semantic Kernel.
 *
 *     peer continue FROM TO     restores every file of FROM into a chat with the participants it lists, adds a user
 *                               message, lets the first agent answer and saves the chat for .NET as TO/NAME
 *     peer make DIR COUNT SEED  random chats of ours, over every item kind, saved for .NET as DIR/ours-NNNN.json
 *
 * Prints a line a file: "NAME ok MESSAGES", or "NAME refused MESSAGES" when our report says that .NET will refuse it.
 */
#include "interop/semantic-kernel/agents.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static uint32_t next_random(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 11) % below);
}

static void fail(const char *what, const agentchat_error *err)
{
    fprintf(stderr, "%s: ", what);
    agentchat_error_print(err, stderr);
    exit(1);
}

/* ---- messages ---- */

static const char *const texts[] = {
    "Hello.",
    "",
    "   ",
    "tab\tline\r\n",
    "quotes \" ' ` \\ /",
    "<b>&amp;+</b>",
    "Grüße",
    "漢字かな",
    "😀👩‍👩‍👧‍👦",
    "עברית",
    "\033[31m\177",
    "{\"json\": [1, 2.50]}",
    "[1]",
    "null",
    "123",
    "a\xcc\x81",
};
static const char *const values[] = {
    "null",
    "true",
    "1.50",
    "1E5",
    "-0",
    "123456789012345678901234567890",
    "\"\\u00E9/\"",
    "[1, 2, {\"a\": []}]",
    "{\"b\":1,\"a\":[2.0]}",
};

static agentchat_str text(void)
{
    return agentchat_str_from(texts[next_random(sizeof texts / sizeof *texts)]);
}

static agentchat_str value(void)
{
    return agentchat_str_from(values[next_random(sizeof values / sizeof *values)]);
}

static agentchat_message_builder *start(const char *role, const char *name)
{
    agentchat_message_builder *builder;
    agentchat_error err;

    if (agentchat_message_builder_new(NULL, role, agentchat_str_from(name), &builder, &err) < 0)
        fail("message builder", &err);
    return builder;
}

static void add_item(agentchat_message_builder *b, unsigned depth)
{
    const agentchat_str bytes = AGENTCHAT_STR("\0\1\2\xff bytes");
    char arguments[256];

    switch (next_random(depth == 0 ? 12 : 11)) {
    case 0:
        agentchat_message_builder_add_data(b, AGENTCHAT_ITEM_IMAGE, AGENTCHAT_STR("image/png"), bytes);
        break;
    case 1:
        agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_IMAGE);
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_URI, AGENTCHAT_STR("https://example.com/a b?x=1&y=<2>"));
        break;
    case 2:
        agentchat_message_builder_add_data(b, AGENTCHAT_ITEM_AUDIO, AGENTCHAT_STR("audio/wav"), AGENTCHAT_STR("RIFF"));
        break;
    case 3:
        agentchat_message_builder_add_data(b, AGENTCHAT_ITEM_BINARY, (agentchat_str){NULL, 0}, bytes);
        break;
    case 4:
        snprintf(arguments, sizeof arguments, "{\"a\":%s,\"b\":%s}", value().ptr, value().ptr);
        agentchat_message_builder_add_call(b, AGENTCHAT_STR("call_1"), AGENTCHAT_STR("Plugin"), AGENTCHAT_STR("run"),
                                           agentchat_str_from(arguments));
        break;
    case 5:
        agentchat_message_builder_add_result(b, AGENTCHAT_STR("call_1"), (agentchat_str){NULL, 0}, AGENTCHAT_STR("run"),
                                             value());
        break;
    case 6:
        agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_ANNOTATION);
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_KIND, AGENTCHAT_STR("filecitation"));
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_LABEL, AGENTCHAT_STR("[1]"));
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_REFERENCE_ID, AGENTCHAT_STR("file_1"));
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_START_INDEX, AGENTCHAT_STR("3"));
        break;
    case 7:
        agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_FILE);
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_FILE_ID, AGENTCHAT_STR("file_2"));
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TOOLS, AGENTCHAT_STR("[\"search\"]"));
        break;
    case 8:
        agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_REASONING);
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TEXT, text());
        break;
    case 9:
        agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_ACTION);
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("click"));
        break;
    case 11: {
        agentchat_message *inner = NULL;
        agentchat_message_builder *nested = start("assistant", "Inner");

        add_item(nested, depth + 1);
        if (agentchat_message_builder_finish(nested, &inner, NULL) == AGENTCHAT_OK)
            agentchat_message_builder_add_message(b, inner);
        agentchat_message_unref(inner);
        break;
    }
    default:
        agentchat_message_builder_add_text(b, text());
        if (next_random(4) == 0)
            agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("{\"k\":1.50,\"n\":null}"));
    }
}

static agentchat_message *random_message(const char *role, const char *name)
{
    agentchat_error err;
    agentchat_message *message = NULL;
    agentchat_message_builder *b = start(role, name);

    if (next_random(4) == 0)
        agentchat_message_builder_set(b, AGENTCHAT_FIELD_MODEL_ID, AGENTCHAT_STR("gpt-x"));
    if (next_random(6) == 0)
        agentchat_message_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("{\"__summary__\":true}"));
    for (uint32_t i = 1 + next_random(4); i > 0; i--)
        add_item(b, 0);
    if (agentchat_message_builder_finish(b, &message, &err) < 0)
        fail("random message", &err);
    return message;
}

/* ---- agents ---- */

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    agentchat_str name = agentchat_agent_name(agentchat_replies_agent(out));
    char author[64];
    agentchat_message *message;
    agentchat_status st = AGENTCHAT_OK;

    (void)user;
    (void)seen;
    snprintf(author, sizeof author, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(name));
    for (uint32_t i = 1 + next_random(2); i > 0 && st >= 0; i--) {
        message = random_message("assistant", name.len ? author : NULL);
        st = agentchat_replies_add(out, message, err);
        agentchat_message_unref(message);
    }
    return st;
}

static agentchat_status thread_create(void *user, agentchat_bytes *out_id, agentchat_error *err)
{
    static const char *const ids[] = {"thread of ours", "123",        "null", "true", "[1]",
                                      "{\"a\":1}",      "\"quoted\"", "ü \n"};

    (void)user;
    return agentchat_bytes_append(out_id, agentchat_str_from(ids[next_random(sizeof ids / sizeof *ids)]), err);
}

static agentchat_status thread_answer(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)id;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("from the thread"), err);
}

static const agentchat_remote_ops thread_ops = {sizeof thread_ops, thread_create, thread_takes_all, thread_answer,
                                                NULL};

static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_chat *chat = NULL;
    agentchat_agent *agent = NULL;
    agentchat_status st;

    (void)user;
    options.name = AGENTCHAT_STR("Inner");
    options.id = AGENTCHAT_STR("inner-id");
    options.answer = answer;
    (void)((st = agentchat_chat_new(NULL, &chat, err)) < 0 ||
           (st = agentchat_history_agent_new(NULL, &options, &agent, err)) < 0 ||
           (st = agentchat_chat_add_agent(chat, agent, err)));
    if (st < 0) {
        agentchat_chat_free(chat);
        chat = NULL;
    }
    *out = chat;
    return st;
}

static agentchat_chat *new_chat(void)
{
    agentchat_chat *chat;
    agentchat_error err;

    if (agentchat_chat_new(NULL, &chat, &err) < 0)
        fail("new", &err);
    return chat;
}

/* what: for the message when that fails */
static void add_agent(agentchat_chat *chat, agentchat_str type, agentchat_str id, agentchat_str name, const char *what)
{
    agent_parts parts = {answer, &thread_ops, AGENTCHAT_AGGREGATOR_OPTIONS_INIT};
    agentchat_agent *agent;
    agentchat_error err;

    parts.aggregator.make = make_inner;
    parts.aggregator.mode = next_random(2) ? AGENTCHAT_AGGREGATOR_FLAT : AGENTCHAT_AGGREGATOR_NESTED;
    if (agent_for(type, id, name, &parts, &agent, &err) < 0 || agentchat_chat_add_agent(chat, agent, &err) < 0)
        fail(what, &err);
}

/* ---- files ---- */

static void save(agentchat_chat *chat, const char *dir, const char *name)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_report *report = NULL;
    agentchat_error err;
    char path[4096];
    bool refused = false;

    options.format = "semantic-kernel";
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (agentchat_chat_save_file(chat, path, &options, &report, &err) < 0)
        fail(name, &err);
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        agentchat_str sentence = agentchat_report_at(report, i)->text;

        for (size_t k = 0; k + 11 <= sentence.len; k++)
            refused = refused || memcmp(sentence.ptr + k, "will refuse", 11) == 0;
    }
    printf("%s %s %zu\n", name, refused ? "refused" : "ok", agentchat_chat_message_count(chat));
    agentchat_report_free(report);
}

static void continue_file(const char *from, const char *to, const char *name)
{
    agentchat_snapshot *saved = NULL;
    agentchat_chat *chat = new_chat();
    agentchat_error err;
    char path[4096];
    agentchat_message *message;

    snprintf(path, sizeof path, "%s/%s", from, name);
    if (agentchat_snapshot_read_file(NULL, path, NULL, &saved, NULL, &err) < 0)
        fail(name, &err);
    for (size_t i = 0; i < agentchat_snapshot_participant_count(saved); i++) {
        const agentchat_participant *who = agentchat_snapshot_participant(saved, i);

        add_agent(chat, agentchat_participant_type(who), agentchat_participant_id(who), agentchat_participant_name(who),
                  name);
    }
    if (agentchat_chat_restore(chat, saved, NULL, NULL, &err) < 0)
        fail(name, &err);
    message = random_message("user", NULL);
    if (agentchat_chat_add_message(chat, message, &err) < 0 || agentchat_chat_invoke_next(chat, &err) < 0)
        fail(name, &err);
    agentchat_message_unref(message);
    save(chat, to, name);
    agentchat_chat_free(chat);
    agentchat_snapshot_unref(saved);
}

static int continue_all(const char *from, const char *to)
{
    struct dirent **entries = NULL;
    int count = scandir(from, &entries, NULL, alphasort);

    if (count < 0) {
        perror(from);
        return 1;
    }
    for (int i = 0; i < count; i++) {
        const char *ending = strrchr(entries[i]->d_name, '.');

        if (ending != NULL && strcmp(ending, ".json") == 0)
            continue_file(from, to, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return 0;
}

static void make_chat(const char *dir, size_t number)
{
    static const char *const types[] = {AGENTCHAT_TYPE_HISTORY_AGENT, AGENTCHAT_TYPE_HISTORY_AGENT,
                                        AGENTCHAT_TYPE_AGGREGATOR, "ThreadAgent"};
    agentchat_chat *chat = new_chat();
    agentchat_error err;
    char id[64], name[64];
    bool has_thread = false;

    for (uint32_t i = 0, n = 1 + next_random(3); i < n; i++) {
        const char *type = types[next_random(4)];

        if (strcmp(type, "ThreadAgent") == 0) {
            if (has_thread)
                type = types[0];
            has_thread = true;
        }
        snprintf(id, sizeof id, "agent-%zu-%u", number, i);
        snprintf(name, sizeof name, "Agent%u", i);
        add_agent(chat, agentchat_str_from(type), agentchat_str_from(id), agentchat_str_from(name), "make");
    }
    for (uint32_t turn = next_random(6); turn > 0; turn--) {
        agentchat_message *message = random_message(next_random(8) ? "user" : "tool", next_random(3) ? NULL : "Ana");
        const agentchat_agent *agent =
            agentchat_chat_agent(chat, next_random((uint32_t)agentchat_chat_agent_count(chat)));

        if (agentchat_chat_add_message(chat, message, &err) < 0 || agentchat_chat_invoke_agent(chat, agent, &err) < 0)
            fail("make", &err);
        agentchat_message_unref(message);
    }
    snprintf(name, sizeof name, "ours-%04zu.json", number);
    save(chat, dir, name);
    agentchat_chat_free(chat);
}

int main(int argc, char **argv)
{
    state = 88172645463325252u;
    if (argc == 4 && strcmp(argv[1], "continue") == 0)
        return continue_all(argv[2], argv[3]);
    if (argc == 5 && strcmp(argv[1], "make") == 0) {
        state ^= strtoull(argv[4], NULL, 10) * 0x9e3779b97f4a7c15u;
        for (size_t i = 0, n = (size_t)strtoul(argv[3], NULL, 10); i < n; i++)
            make_chat(argv[2], i);
        return 0;
    }
    fprintf(stderr, "usage: peer continue FROM TO | peer make DIR COUNT SEED\n");
    return 2;
}
