/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An agent that asks a model and lets it use a tool: the program that most users write first.
 *
 *     ask_a_model PROVIDER
 *
 * PROVIDER is openai-chat, openai-responses or anthropic. No model is asked: serve() answers as the provider's server
 * would. In a program of your own, post() sends the request to it, with libcurl for example.
 */
#include <agentchat/agentchat.h>
#include <string.h>

/* ---- the provider's server: a call at first, and when it has the result an answer ------------------------------- */

static const char *serve(const char *provider, agentchat_str request)
{
    bool has_result = strstr(request.ptr, "21 degrees") != NULL;

    if (strcmp(provider, "anthropic") == 0)
        return has_result ? "{\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":["
                            "{\"type\":\"text\",\"text\":\"It is 21 degrees in Lyon.\"}],\"stop_reason\":\"end_turn\"}"
                          : "{\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":["
                            "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"weather\",\"input\":"
                            "{\"city\":\"Lyon\"}}],\"stop_reason\":\"tool_use\"}";
    if (strcmp(provider, "openai-responses") == 0)
        return has_result
                   ? "{\"object\":\"response\",\"model\":\"m\",\"output\":[{\"type\":\"message\","
                     "\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":"
                     "\"It is 21 degrees in Lyon.\",\"annotations\":[]}]}]}"
                   : "{\"object\":\"response\",\"model\":\"m\",\"output\":[{\"type\":\"function_call\","
                     "\"call_id\":\"call_1\",\"name\":\"weather\",\"arguments\":\"{\\\"city\\\":\\\"Lyon\\\"}\"}]}";
    return has_result
               ? "{\"object\":\"chat.completion\",\"model\":\"m\",\"choices\":[{\"index\":0,\"message\":"
                 "{\"role\":\"assistant\",\"content\":\"It is 21 degrees in Lyon.\"}}]}"
               : "{\"object\":\"chat.completion\",\"model\":\"m\",\"choices\":[{\"index\":0,\"message\":"
                 "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"call_1\",\"type\":"
                 "\"function\",\"function\":{\"name\":\"weather\",\"arguments\":\"{\\\"city\\\":\\\"Lyon\\\"}\"}}"
                 "]}}]}";
}

static agentchat_status post(const char *provider, agentchat_str request, agentchat_bytes *answer, agentchat_error *err)
{
    printf("request: %.*s\n", (int)request.len, request.ptr);
    return agentchat_bytes_append(answer, agentchat_str_from(serve(provider, request)), err);
}

/* ---- the agent -------------------------------------------------------------------------------------------------- */

/* What stands beside the messages, as the provider's documentation has it. */
static agentchat_str members_for(const char *provider)
{
    if (strcmp(provider, "openai-responses") == 0)
        return AGENTCHAT_STR("{\"model\":\"m\",\"tools\":[{\"type\":\"function\",\"name\":\"weather\"}]}");
    return agentchat_str_from(
        strcmp(provider, "anthropic") == 0
            ? "{\"model\":\"m\",\"max_tokens\":1024,\"tools\":[{\"name\":\"weather\",\"input_schema\":"
              "{\"type\":\"object\"}}]}"
            : "{\"model\":\"m\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"weather\"}}]}");
}

/* Runs the calls of what the model has said last; their results join the answer. */
static agentchat_status run_tools(const agentchat_message *said, agentchat_replies *out, size_t *calls,
                                  agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    *calls = 0;
    for (size_t i = 0; status >= 0 && i < agentchat_message_item_count(said); i++) {
        const agentchat_item *call = agentchat_message_item(said, i);
        agentchat_message_builder *builder = NULL;
        agentchat_message *result = NULL;

        if (agentchat_item_get_kind(call) != AGENTCHAT_ITEM_CALL)
            continue;
        ++*calls;
        status = agentchat_message_builder_new(agentchat_replies_env(out), "tool", agentchat_str_null(), &builder, err);
        if (status < 0)
            return status;
        agentchat_message_builder_add_result_text(
            builder, agentchat_item_get(call, AGENTCHAT_FIELD_CALL_ID), agentchat_str_null(),
            agentchat_item_get(call, AGENTCHAT_FIELD_FUNCTION), AGENTCHAT_STR("21 degrees")); /* your tool's result */
        status = agentchat_message_builder_finish(builder, &result, err);
        if (status >= 0)
            status = agentchat_replies_add(out, result, err);
        agentchat_message_unref(result);
    }
    return status;
}

static const agentchat_message *last_of(const agentchat_messages *list)
{
    return agentchat_messages_at(list, agentchat_messages_count(list) - 1);
}

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    agentchat_messages_format_options options = AGENTCHAT_MESSAGES_FORMAT_OPTIONS_INIT;
    const char *provider = user;
    agentchat_status status = AGENTCHAT_OK;
    size_t calls = 1;

    (void)seen;
    options.instructions = AGENTCHAT_STR("Be brief.");
    for (int round = 0; status >= 0 && calls > 0 && round < 8; round++) {
        agentchat_bytes request = AGENTCHAT_BYTES_INIT, body = AGENTCHAT_BYTES_INIT;

        /* What the agent sees, with what it has said so far, repaired so that the provider accepts it. */
        status = agentchat_messages_format(agentchat_replies_seen(out), provider, members_for(provider), &options,
                                           &request, NULL, err);
        if (status >= 0)
            status = post(provider, agentchat_bytes_str(&request), &body, err);
        if (status >= 0)
            status = agentchat_replies_add_document(out, provider, agentchat_bytes_str(&body), NULL, err);
        if (status >= 0)
            status = run_tools(last_of(agentchat_replies_seen(out)), out, &calls, err);
        agentchat_bytes_clear(&request);
        agentchat_bytes_clear(&body);
    }
    return status;
}

int main(int argc, char **argv)
{
    agentchat_chat *chat = NULL;
    agentchat_error err;
    int status = 1;

    if (argc != 2) {
        fputs("usage: ask_a_model PROVIDER\n", stderr);
        return 2;
    }
    if (agentchat_chat_new(NULL, &chat, &err) >= 0 &&
        agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Desk"), answer, argv[1], &err) >= 0 &&
        agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("How warm is it in Lyon?"), &err) >= 0 &&
        agentchat_chat_invoke(chat, AGENTCHAT_STR("Desk"), &err) >= 0 &&
        agentchat_chat_save_file(chat, "lyon.json", NULL, NULL, &err) >= 0)
        status = 0;
    else
        agentchat_error_print(&err, stderr);
    agentchat_chat_free(chat);
    return status;
}
