/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LangGraph's page on memory, in C: a list with a reducer of its own, messages added and removed by id, a running
 * summary kept in a thread, a list trimmed to a number of tokens; then the store, with the page's embedder, each kind
 * of memory, and both ways of writing them. Each result is compared with what the page's code gives; the program fails
 * where it is another one.
 */
#include <agentchat/agentchat.h>
#include <stdio.h>
#include <stdlib.h>

static const agentchat_str absent = {NULL, 0};

static bool failed(const agentchat_error *err)
{
    agentchat_error_print(err, stderr);
    return false;
}

/* Prints a result, or on standard error that it is not the expected one. */
static bool expect(const char *what, agentchat_str is, const char *expected)
{
    bool ok = agentchat_str_equal(is, agentchat_str_from(expected));

    fprintf(ok ? stdout : stderr, "%s: " AGENTCHAT_STR_FMT "\n", what, AGENTCHAT_STR_ARG(is));
    if (!ok)
        fprintf(stderr, "expected: %s\n", expected);
    return ok;
}

/* The same with the texts of a list of messages. */
static bool expect_texts(const char *what, const agentchat_messages *messages, const char *expected)
{
    char texts[256] = "";

    for (size_t i = 0, len = 0; i < agentchat_messages_count(messages) && len < sizeof texts; i++) {
        agentchat_str text = agentchat_message_text(agentchat_messages_at(messages, i));

        len += (size_t)snprintf(texts + len, sizeof texts - len, "%s" AGENTCHAT_STR_FMT, i == 0 ? "" : " | ",
                                AGENTCHAT_STR_ARG(text));
    }
    return expect(what, agentchat_str_from(texts), expected);
}

/* The shorter spelling of an update: "DELETE" empties the list. Every other one is the library's to understand. */
static agentchat_status delete_all(void *user, agentchat_str existing, agentchat_str update, agentchat_bytes *out,
                                   agentchat_error *err)
{
    (void)user, (void)existing;
    if (!agentchat_str_equal(update, AGENTCHAT_STR("\"DELETE\"")))
        return AGENTCHAT_DONE;
    return agentchat_bytes_append(out, AGENTCHAT_STR("[]"), err);
}

/* manage_list: updates my_list, a value of the chat, and compares what it is then. */
static bool manage_list(agentchat_chat *chat, const char *update, const char *expected)
{
    agentchat_error err;

    if (agentchat_chat_update(chat, AGENTCHAT_STR("my_list"), agentchat_str_from(update), &err) < 0)
        return failed(&err);
    return expect("my_list", agentchat_chat_value(chat, AGENTCHAT_STR("my_list"), NULL), expected);
}

static bool lists(void)
{
    agentchat_chat_reducer reducer = AGENTCHAT_CHAT_REDUCER_INIT;
    agentchat_chat *chat = NULL;
    agentchat_error err;
    bool ok;

    reducer.reduce = delete_all;
    if (agentchat_chat_new(NULL, &chat, &err) < 0)
        return failed(&err);
    if (agentchat_chat_set_reducer(chat, AGENTCHAT_STR("my_list"), &reducer, &err) < 0)
        ok = failed(&err);
    else
        ok = manage_list(chat, "[1, 2, 3, 4]", "[1,2,3,4]") && manage_list(chat, "[5, 6, 7]", "[1,2,3,4,5,6,7]") &&
             manage_list(chat, "{\"type\": \"keep\", \"from\": -5, \"to\": null}", "[3,4,5,6,7]") &&
             manage_list(chat, "\"DELETE\"", "[]");
    agentchat_chat_free(chat);
    return ok;
}

/* A list becomes the edited list; the edit list is released. */
static bool apply(agentchat_list_edit *edit, agentchat_messages **list, agentchat_error *err)
{
    agentchat_messages *next = NULL;
    bool ok = agentchat_list_edit_apply(edit, *list, &next, err) >= 0;

    agentchat_list_edit_free(edit);
    if (ok) {
        agentchat_messages_unref(*list);
        *list = next;
    }
    return ok;
}

/* my_node_1: adds a message, which gets an id. */
static bool add(agentchat_messages **list, const char *role, const char *text, agentchat_error *err)
{
    agentchat_list_edit *edit = NULL;
    agentchat_message *message = NULL;
    bool ok = agentchat_message_new_text(NULL, role, absent, agentchat_str_from(text), &message, err) >= 0 &&
              agentchat_messages_add(NULL, *list, &(agentchat_message_update){message, absent}, 1, &edit, err) >= 0 &&
              apply(edit, list, err);

    agentchat_message_unref(message);
    return ok;
}

/* my_node_2: removes all but the last two messages, by their ids. */
static bool remove_old(agentchat_messages **list, agentchat_error *err)
{
    agentchat_list_edit *edit = NULL;
    size_t count = agentchat_messages_count(*list), old = count > 2 ? count - 2 : 0;
    agentchat_message_update *updates = calloc(old + 1, sizeof *updates);
    bool ok = updates != NULL || agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory") >= 0;

    for (size_t i = 0; ok && i < old; i++)
        updates[i].remove = agentchat_message_get(agentchat_messages_at(*list, i), AGENTCHAT_FIELD_ID);
    ok = ok && agentchat_messages_add(NULL, *list, updates, old, &edit, err) >= 0 && apply(edit, list, err);
    free(updates);
    return ok;
}

static bool messages_by_id(void)
{
    agentchat_messages *list = NULL;
    agentchat_error err;
    bool ok = agentchat_messages_new(NULL, NULL, 0, &list, &err) >= 0 && add(&list, "user", "Hello", &err) &&
              add(&list, "assistant", "Yes?", &err) && add(&list, "user", "It is Ann", &err) &&
              add(&list, "assistant", "Hi", &err);

    ok = ok ? expect_texts("added", list, "Hello | Yes? | It is Ann | Hi") : failed(&err);
    ok = ok && (remove_old(&list, &err) || failed(&err)) && expect_texts("removed", list, "It is Ann | Hi");
    agentchat_messages_unref(list);
    return ok;
}

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    char text[48];

    (void)user;
    (void)snprintf(text, sizeof text, "I am shown %zu", agentchat_messages_count(seen));
    return agentchat_replies_add_text(out, agentchat_str_from(text), err);
}

/* In place of a model: keeps what it is asked for at the end, and has a summary ready. */
typedef struct summarizer {
    char asked[256];
    const char *summary;
} summarizer;

static agentchat_status summarize(void *user, const agentchat_messages *messages, agentchat_bytes *out,
                                  agentchat_error *err)
{
    summarizer *model = user;
    size_t last = agentchat_messages_count(messages) - 1;
    agentchat_str prompt = agentchat_message_text(agentchat_messages_at(messages, last));

    (void)snprintf(model->asked, sizeof model->asked, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(prompt));
    return agentchat_bytes_append(out, agentchat_str_from(model->summary), err);
}

/* summarize_conversation: the summary becomes a named value of the chat, and all but the last two messages go. */
static bool summarize_conversation(agentchat_chat *chat, summarizer *model, agentchat_error *err)
{
    agentchat_str name = AGENTCHAT_STR("summary"), old = agentchat_chat_value(chat, name, NULL);
    const agentchat_messages *history = agentchat_chat_history(chat);
    agentchat_bytes new = AGENTCHAT_BYTES_INIT;
    agentchat_list_edit *edit = NULL;
    bool ok = agentchat_messages_summarize(NULL, history, old, summarize, model, NULL, &new, &edit, err) >= 0 &&
              agentchat_chat_set_value(chat, name, absent, (agentchat_str){new.ptr, new.len}, err) >= 0 &&
              agentchat_chat_edit(chat, edit, NULL, err) >= 0; /* this saves the chat in its thread */

    agentchat_list_edit_free(edit);
    agentchat_bytes_clear(&new);
    return ok;
}

/* Says something in a thread, which a new chat takes up where the last one left it, and summarises. */
static bool talk(agentchat_store *store, const char *const said[2], summarizer *model, const char *prompt,
                 const char *expected)
{
    agentchat_chat *chat = NULL;
    agentchat_error err;
    bool ok = agentchat_chat_new(NULL, &chat, &err) >= 0 &&
              agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Desk"), answer, NULL, &err) >= 0 &&
              agentchat_thread_attach(store, "thread-1", chat, NULL, NULL, &err) >= 0;

    for (size_t i = 0; ok && i < 2; i++)
        ok = agentchat_chat_add_text(chat, "user", agentchat_str_from(said[i]), &err) >= 0 &&
             agentchat_chat_invoke(chat, AGENTCHAT_STR("Desk"), &err) >= 0;
    ok = ok && summarize_conversation(chat, model, &err);
    ok = ok ? expect("asked", agentchat_str_from(model->asked), prompt) &&
                  expect_texts("thread", agentchat_chat_history(chat), expected)
            : failed(&err);
    agentchat_chat_free(chat);
    return ok;
}

static bool thread(void)
{
    static const char *const first[] = {"I am Ann", "I bake bread"}, *const second[] = {"Who am I?", "Thanks"};
    summarizer model = {"", "Ann bakes."};
    agentchat_store *store = NULL;
    agentchat_error err;
    bool ok;

    /* "sqlite:FILE" outlives the program. */
    if (agentchat_store_open(NULL, "memory:", NULL, &store, &err) < 0)
        return failed(&err);
    ok = talk(store, first, &model, AGENTCHAT_SUMMARY_CREATE, "I bake bread | I am shown 3");
    model.summary = "Ann bakes and asks.";
    ok = ok && talk(store, second, &model,
                    "This is a summary of the conversation to date: Ann bakes.\n\n"
                    "Extend the summary by taking into account the new messages above:",
                    "Thanks | I am shown 5");
    agentchat_store_close(store);
    return ok;
}

static bool trim(void)
{
    agentchat_trim_options options = AGENTCHAT_TRIM_OPTIONS_INIT;
    agentchat_messages *list = NULL;
    agentchat_list_edit *edit = NULL;
    agentchat_error err;
    bool ok;

    options.strategy = AGENTCHAT_TRIM_LAST;
    options.counter = agentchat_count_approximately; /* or one that asks the model's tokenizer */
    options.max_tokens = 45;
    options.start_on = "human";
    options.end_on = "human,tool";
    options.include_system = true;
    ok = agentchat_messages_new(NULL, NULL, 0, &list, &err) >= 0 && add(&list, "system", "Be brief.", &err) &&
         add(&list, "user", "Tell me all about bread, in as many words as you like, from the start", &err) &&
         add(&list, "assistant", "Flour, water, salt and time", &err) && add(&list, "user", "How much salt?", &err) &&
         add(&list, "assistant", "Two in a hundred", &err) &&
         agentchat_messages_trim(NULL, list, &options, &edit, &err) >= 0 && apply(edit, &list, &err);
    ok = ok ? expect_texts("trimmed", list, "Be brief. | How much salt?") : failed(&err);
    agentchat_messages_unref(list);
    return ok;
}

/* The page's embedder: [[1.0, 2.0] * len(texts)] is one vector of 2n numbers for n texts. */
static agentchat_status embed_as_the_page(void *user, const agentchat_str *texts, size_t count,
                                          agentchat_memory_vectors *out, agentchat_error *err)
{
    float numbers[256];

    (void)user, (void)texts;
    for (size_t i = 0; i < 2 * count; i++)
        numbers[i] = i % 2 == 0 ? 1 : 2;
    return agentchat_memory_vectors_add(out, numbers, 2 * count, err);
}

/* [[1.0, 2.0] for _ in texts] */
static agentchat_status embed_each(void *user, const agentchat_str *texts, size_t count, agentchat_memory_vectors *out,
                                   agentchat_error *err)
{
    static const float numbers[] = {1, 2};
    agentchat_status status = AGENTCHAT_OK;

    (void)user, (void)texts;
    for (size_t i = 0; i < count && status >= 0; i++)
        status = agentchat_memory_vectors_add(out, numbers, 2, err);
    return status;
}

/* Puts, gets and searches as the page does. */
static bool remember(agentchat_store *store, const agentchat_memory_embedder *embedder)
{
    static const char memory[] =
        "{\"rules\": [\"User likes short, direct language\", \"User only speaks English & python\"], "
        "\"my-key\": \"my-value\"}";
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_results *item = NULL, *items = NULL;
    agentchat_error err;
    bool ok;

    options.embedder = embedder;
    query.embedder = embedder;
    query.filter = AGENTCHAT_STR("{\"my-key\": \"my-value\"}");
    query.text = AGENTCHAT_STR("language preferences");
    if (agentchat_memory_put(store, "my-user/chitchat", "a-memory", agentchat_str_from(memory), &options, &err) < 0 ||
        agentchat_memory_get(store, "my-user/chitchat", "a-memory", false, &item, &err) < 0 ||
        agentchat_memory_search(store, "my-user/chitchat", &query, &items, &err) < 0) {
        agentchat_memory_results_free(item);
        return failed(&err);
    }
    ok = expect("got", agentchat_memory_results_at(item, 0)->value, memory) &&
         agentchat_memory_results_count(items) == 1 && agentchat_memory_results_at(items, 0)->score > 0.99999 &&
         expect("found", agentchat_str_from(agentchat_memory_results_at(items, 0)->key), "a-memory");
    agentchat_memory_results_free(item);
    agentchat_memory_results_free(items);
    return ok;
}

static bool long_term(void)
{
    static const char *const rules[] = {"rules[*]"};
    agentchat_memory_embedder embedder = AGENTCHAT_MEMORY_EMBEDDER_INIT;
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;
    bool ok;

    embedder.embed = embed_as_the_page;
    if (agentchat_store_open(NULL, "memory:", NULL, &store, &err) < 0)
        return failed(&err);
    ok = remember(store, &embedder); /* one text at a time */
    options.embedder = &embedder;    /* two texts: one vector is not enough, and nothing is stored */
    options.fields = rules;
    options.field_count = 1;
    ok = ok &&
         agentchat_memory_put(store, "my-user/chitchat", "two",
                              AGENTCHAT_STR("{\"rules\": [\"be brief\", \"be kind\"]}"), &options,
                              &err) == AGENTCHAT_E_INVALID &&
         expect("refused", agentchat_str_from(err.message),
                "the embedder gave 1 vectors for 2 texts; it is to give one for each");
    embedder.embed = embed_each;
    ok = ok && remember(store, &embedder);
    agentchat_store_close(store);
    return ok;
}

/* ---- kinds of memory ----------------------------------------------------------------------------------------------
 */

/* What a model would say: at first a profile that is refused, then a merge patch of the one that is there. */
static agentchat_status write_profile(void *user, agentchat_profile_draft *draft, agentchat_error *err)
{
    const char *text = draft->attempt == 1 ? "{\"language\": 7}" : "{\"language\": \"English\", \"style\": \"direct\"}";

    (void)user;
    if (draft->refusal != NULL)
        printf("refused: %s\n", draft->refusal);
    draft->change = AGENTCHAT_PROFILE_MERGE_PATCH;
    return agentchat_bytes_append(&draft->text, agentchat_str_from(text), err);
}

static agentchat_status check_profile(void *user, agentchat_str document, agentchat_error *err)
{
    agentchat_str language = agentchat_json_find(document, AGENTCHAT_STR("language"));

    (void)user;
    if (agentchat_json_kind_of(language) == AGENTCHAT_JSON_STRING)
        return AGENTCHAT_OK;
    return agentchat_error_set(err, AGENTCHAT_E_INVALID, "language is a text");
}

/* One document that is kept up to date. */
static bool profile(agentchat_store *store)
{
    agentchat_profile_options options = AGENTCHAT_PROFILE_OPTIONS_INIT;
    agentchat_memory_results *item = NULL;
    agentchat_error err;
    bool ok;

    options.validate = check_profile;
    if (agentchat_memory_put(store, "my-user", "profile", AGENTCHAT_STR("{\"height\": 1.70}"), NULL, &err) < 0 ||
        agentchat_profile_update(store, "my-user", "profile", write_profile, NULL, &options, &err) < 0 ||
        agentchat_memory_get(store, "my-user", "profile", false, &item, &err) < 0)
        return failed(&err);
    ok = expect("profile", agentchat_memory_results_at(item, 0)->value,
                "{\"height\": 1.70, \"language\": \"English\", \"style\": \"direct\"}");
    agentchat_memory_results_free(item);
    return ok;
}

/* Many documents: what a model decides about each fact. */
static bool collection(agentchat_store *store)
{
    static const agentchat_collection_change decisions[] = {
        {AGENTCHAT_COLLECTION_ADD, "tea", {"{\"fact\": \"likes tea\"}", 21}, 0, false},
        {AGENTCHAT_COLLECTION_ADD, "again", {"{\"fact\":\"likes tea\"}", 20}, 0, false},
        {AGENTCHAT_COLLECTION_UPDATE, "tea", {"{\"fact\": \"likes green tea\"}", 27}, 0, false},
        {AGENTCHAT_COLLECTION_NONE, NULL, {NULL, 0}, 0, false},
    };
    agentchat_collection_counts counts = {{0}, {0}, 0, 0};
    agentchat_collection_outcomes *outcomes = NULL;
    agentchat_error err;
    bool ok;

    if (agentchat_collection_apply(store, "my-user/facts", decisions, 4, NULL, &outcomes, &counts, &err) < 0)
        return failed(&err);
    ok = expect("the same again", agentchat_str_from(agentchat_collection_outcomes_at(outcomes, 1)->why),
                "document tea says nearly the same: update it, or insist") &&
         counts.done[0] == 1 && counts.done[1] == 1 && counts.near == 1;
    agentchat_collection_outcomes_free(outcomes);
    return ok;
}

/* Examples for a prompt: the episode that is nearest to a question, within a number of tokens. */
static bool episodes(agentchat_store *store)
{
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_render_options options = AGENTCHAT_MEMORY_RENDER_OPTIONS_INIT;
    agentchat_messages *told = NULL, *examples = NULL;
    agentchat_error err;
    bool ok;

    if (agentchat_messages_new(NULL, NULL, 0, &told, &err) < 0 || !add(&told, "user", "My parcel is broken.", &err) ||
        !add(&told, "assistant", "We send a new one.", &err) ||
        agentchat_episode_put(store, "my-user/episodes", "refund", AGENTCHAT_STR("a broken parcel"), told, NULL, &err) <
            0 ||
        agentchat_memory_put(store, "my-user/episodes", "sum", AGENTCHAT_STR("{\"input\": \"2 + 2\", \"output\": 4}"),
                             NULL, &err) < 0)
        return failed(&err);
    agentchat_messages_unref(told);
    query.text = AGENTCHAT_STR("The parcel came broken");
    query.limit = 1;
    options.max_tokens = 100;
    if (agentchat_episodes_recall(store, "my-user/episodes", &query, &options, &examples, &err) < 0)
        return failed(&err);
    ok = expect_texts("examples", examples, "My parcel is broken. | We send a new one.");
    agentchat_messages_unref(examples);
    return ok;
}

/* update_instructions: what a model makes of the prompt and of what was said about it. */
static agentchat_status reflect(void *user, agentchat_instructions_draft *draft, agentchat_error *err)
{
    agentchat_str feedback = agentchat_json_find(draft->feedback[0]->value, AGENTCHAT_STR("feedback"));
    agentchat_status status = agentchat_bytes_append(&draft->text, draft->current, err);

    (void)user;
    if (status >= 0)
        status = agentchat_bytes_append(&draft->text, AGENTCHAT_STR(" They said: "), err);
    return status < 0 ? status : agentchat_json_decode(draft->text.env, feedback, &draft->text, err);
}

static bool instructions(agentchat_store *store)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    bool ok;

    if (agentchat_memory_put(store, "agent_instructions", "agent_a", AGENTCHAT_STR("{\"text\": \"Summarize papers.\"}"),
                             NULL, &err) < 0 ||
        agentchat_instructions_feedback(store, "agent_instructions", "agent_a", NULL, AGENTCHAT_STR("too long"), &err) <
            0 ||
        agentchat_instructions_revise(store, "agent_instructions", "agent_a", reflect, NULL, &err) < 0 ||
        agentchat_instructions_get(store, "agent_instructions", "agent_a", &text, &err) < 0)
        return failed(&err);
    ok = expect("instructions", (agentchat_str){text.ptr, text.len}, "Summarize papers. They said: too long");
    agentchat_bytes_clear(&text);
    return ok;
}

/* ---- writing memories ---------------------------------------------------------------------------------------------
 */

/* In the hot path: the agent's call of a tool, and its result. */
static bool hot_path(agentchat_store *store)
{
    agentchat_message_builder *builder = NULL;
    agentchat_message *call = NULL, *result = NULL;
    agentchat_error err;
    bool ok;

    if (agentchat_message_builder_new(NULL, "assistant", absent, &builder, &err) < 0)
        return failed(&err);
    agentchat_message_builder_add_call(
        builder, AGENTCHAT_STR("call-1"), absent, AGENTCHAT_STR("memory"),
        AGENTCHAT_STR("{\"command\": \"create\", \"path\": \"/memories/tea.md\", \"file_text\": \"likes tea\"}"));
    if (agentchat_message_builder_finish(builder, &call, &err) < 0 ||
        agentchat_message_builder_new(NULL, "tool", absent, &builder, &err) < 0)
        return failed(&err);
    if (agentchat_memory_tools_answer(store, "my-user", agentchat_message_item(call, 0), builder, NULL, &err) < 0 ||
        agentchat_message_builder_finish(builder, &result, &err) < 0)
        return failed(&err);
    ok = expect("the tool", agentchat_item_get(agentchat_message_item(result, 0), AGENTCHAT_FIELD_RESULT),
                "\"File created successfully at: /memories/tea.md\"");
    agentchat_message_unref(result);
    agentchat_message_unref(call);
    return ok;
}

/* In the background: work that is queued again while the user goes on, and done once when it is due. */
static bool background(agentchat_store *store)
{
    const agentchat_work_request later = {"extract", 0, AGENTCHAT_STR("my-user")};
    agentchat_work_item_list *claimed = NULL;
    agentchat_error err;
    bool ok;

    if (agentchat_work_queue(store, "chat-1", &later, &err) < 0 ||
        agentchat_work_queue(store, "chat-1", &later, &err) < 0 ||
        agentchat_work_claim(store, NULL, &claimed, &err) < 0)
        return failed(&err);
    ok = agentchat_work_item_list_count(claimed) == 1 &&
         expect("in the background", agentchat_work_item_list_at(claimed, 0)->body, "my-user") &&
         agentchat_work_done(store, agentchat_work_item_list_at(claimed, 0), NULL, &err) >= 0;
    agentchat_work_item_list_free(claimed);
    return ok;
}

static bool kinds(void)
{
    agentchat_store *store = NULL;
    agentchat_error err;
    bool ok;

    if (agentchat_store_open(NULL, "memory:", NULL, &store, &err) < 0)
        return failed(&err);
    ok = profile(store) && collection(store) && episodes(store) && instructions(store) && hot_path(store) &&
         background(store);
    agentchat_store_close(store);
    return ok;
}

int main(void)
{
    return lists() && messages_by_id() && thread() && trim() && long_term() && kinds() ? 0 : 1;
}
