/* SPDX-License-Identifier: Apache-2.0 */
#include "conversation.h"

enum { LONGEST = 1300, WINDOW = 40 };

const bench_sizes bench_long = {LONGEST, LONGEST}, bench_short = {100, 400};

/* ---- what is said ----------------------------------------------------------------------------------------------- */

agentchat_str bench_text(size_t number, size_t size)
{
    static const char *const words[] = {
        "the",     "order", "of",     "our",    "customer", "was",     "sent", "on",  "Monday",  "and",      "arrived",
        "without", "a",     "notice", "please", "check",    "whether", "it",   "can", "be",      "replaced", "before",
        "Friday",  "thank", "you",    "for",    "waiting",  "I",       "will", "ask", "storage", "again"};
    static char buffers[2][LONGEST + 16];
    static unsigned next;
    char *text = buffers[next++ % 2];
    size_t len = (size_t)snprintf(text, LONGEST, "%zu", number);
    uint32_t random = (uint32_t)number * 2654435761u + 1;

    while (len < size) {
        random = random * 1664525u + 1013904223u;
        text[len++] = ' ';
        for (const char *word = words[random >> 27]; *word != '\0';)
            text[len++] = *word++;
    }
    return (agentchat_str){text, size};
}

/* ---- chats ------------------------------------------------------------------------------------------------------ */

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    const bench_conversation *conversation = user;

    (void)seen;
    return agentchat_replies_add_text(out, conversation->answer, err);
}

/* Drops what is before the window. */
static agentchat_status reduce(void *user, const agentchat_messages *seen, agentchat_messages **out,
                               agentchat_error *err)
{
    const agentchat_message *kept[WINDOW];
    size_t count = agentchat_messages_count(seen);

    (void)user;
    if (count <= WINDOW)
        return AGENTCHAT_OK;
    for (size_t i = 0; i < WINDOW; i++)
        kept[i] = agentchat_messages_at(seen, count - WINDOW + i);
    return agentchat_messages_new(NULL, kept, WINDOW, out, err);
}

static agentchat_status add_speaker(agentchat_chat *chat, bench_conversation *conversation, const char *name,
                                    agentchat_error *err)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_agent *agent = NULL;
    agentchat_status status;

    options.name = options.id = agentchat_str_from(name);
    options.answer = answer;
    options.reduce = conversation->kind == BENCH_WINDOW ? reduce : NULL;
    options.user = conversation;
    status = agentchat_history_agent_new(NULL, &options, &agent, err);
    return status < 0 ? status : agentchat_chat_add_agent(chat, agent, err);
}

static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    agentchat_status status = agentchat_chat_new(NULL, out, err);

    return status < 0 ? status : add_speaker(*out, user, "Inner", err);
}

static agentchat_status add_group(agentchat_chat *chat, bench_conversation *conversation, agentchat_error *err)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;
    agentchat_agent *agent = NULL;
    agentchat_status status;

    options.name = options.id = AGENTCHAT_STR("Desk");
    options.make = make_inner;
    options.user = conversation;
    status = agentchat_aggregator_new(NULL, &options, &agent, err);
    return status < 0 ? status : agentchat_chat_add_agent(chat, agent, err);
}

void bench_begin(bench_conversation *conversation, bench_kind kind, bench_sizes sizes)
{
    agentchat_error err;

    memset(conversation, 0, sizeof *conversation);
    conversation->kind = kind;
    conversation->sizes = sizes;
    bench_must(agentchat_chat_new(NULL, &conversation->chat, &err), &err);
    if (kind == BENCH_NESTED)
        bench_must(add_group(conversation->chat, conversation, &err), &err);
    else
        bench_must(add_speaker(conversation->chat, conversation, "Desk", &err), &err);
    bench_must(add_speaker(conversation->chat, conversation, "Back", &err), &err);
}

void bench_end(bench_conversation *conversation)
{
    agentchat_chat_free(conversation->chat);
}

/* ---- turns ------------------------------------------------------------------------------------------------------ */

void bench_prepare(bench_conversation *conversation)
{
    conversation->question = bench_text(2 * conversation->turn, conversation->sizes.question);
    conversation->answer = bench_text(2 * conversation->turn + 1, conversation->sizes.answer);
}

void bench_ask(bench_conversation *conversation)
{
    agentchat_error err;

    bench_must(agentchat_chat_add_text(conversation->chat, "user", conversation->question, &err), &err);
}

static void set_value(bench_conversation *conversation, agentchat_str name, agentchat_str json)
{
    agentchat_error err;

    bench_must(agentchat_chat_set_value(conversation->chat, name, (agentchat_str){NULL, 0}, json, &err), &err);
}

static void grow_list(bench_conversation *conversation)
{
    char element[64];
    agentchat_error err;
    size_t len = (size_t)snprintf(element, sizeof element, "[{\"turn\":%zu}]", conversation->turn);

    bench_must(agentchat_chat_update(conversation->chat, AGENTCHAT_STR("turns"), (agentchat_str){element, len}, &err),
               &err);
}

static void replace_summary(bench_conversation *conversation)
{
    char json[LONGEST + 3];
    agentchat_str text = bench_text(SIZE_MAX - conversation->turn, LONGEST);
    int len = snprintf(json, sizeof json, "\"%.*s\"", (int)text.len, text.ptr);

    set_value(conversation, AGENTCHAT_STR("summary"), (agentchat_str){json, (size_t)len});
}

void bench_answer(bench_conversation *conversation)
{
    agentchat_error err;

    bench_must(agentchat_chat_invoke(conversation->chat, AGENTCHAT_STR("Desk"), &err), &err);
    if (conversation->kind == BENCH_LIST)
        grow_list(conversation);
    else if (conversation->kind == BENCH_SUMMARY)
        replace_summary(conversation);
    conversation->turn++;
}

void bench_save(bench_conversation *conversation, agentchat_store *store, const char *thread)
{
    agentchat_error err;

    bench_must(agentchat_thread_save(store, thread, conversation->chat, NULL, NULL, &err), &err);
}
