/* SPDX-License-Identifier: Apache-2.0 */
#include "buyer.h"
#include "path.h"
#include "say.h"
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define PRICE "4800 euros"

static path log_of(const char *remote)
{
    return path_join(remote, "prices");
}

size_t buyer_tool_runs(const char *remote)
{
    FILE *file = fopen(log_of(remote).text, "r");
    size_t runs = 0;

    if (file == NULL)
        return 0;
    for (int c = fgetc(file); c != EOF; c = fgetc(file))
        runs += c == '\n';
    return fclose(file) == 0 ? runs : 0;
}

/* The tool: the service notes each question, as a shop notes each order. */
static agentchat_status ask_price(const char *remote, agentchat_error *err)
{
    FILE *file = fopen(log_of(remote).text, "a");
    bool asked = file != NULL && fputs("oven: " PRICE "\n", file) >= 0;

    asked = file != NULL && fclose(file) == 0 && asked;
    return asked ? AGENTCHAT_OK : agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the service told no price");
}

/* The call of the tool, or what came of it. */
static agentchat_status add_call_or_result(agentchat_replies *out, bool result, agentchat_error *err)
{
    agentchat_str id = AGENTCHAT_STR("price-1"), plugin = AGENTCHAT_STR("Shop"), function = AGENTCHAT_STR("price");
    agentchat_message_builder *builder = NULL;
    agentchat_message *message = NULL;
    agentchat_status status = agentchat_message_builder_new(agentchat_replies_env(out), result ? "tool" : "assistant",
                                                            AGENTCHAT_STR("Buyer"), &builder, err);

    if (status < 0)
        return status;
    if (result)
        agentchat_message_builder_add_result(builder, id, plugin, function, AGENTCHAT_STR("\"" PRICE "\""));
    else
        agentchat_message_builder_add_call(builder, id, plugin, function, AGENTCHAT_STR("{\"of\":\"oven\"}"));
    status = agentchat_message_builder_finish(builder, &message, err);
    if (status >= 0)
        status = agentchat_replies_add(out, message, err);
    agentchat_message_unref(message);
    return status;
}

static agentchat_status look_up(const buyer *self, agentchat_replies *out, agentchat_error *err)
{
    agentchat_status status = add_call_or_result(out, false, err);

    if (status >= 0)
        status = ask_price(self->remote, err);
    if (status >= 0)
        status = add_call_or_result(out, true, err);
    if (status >= 0 && self->killed_after_tool) {
        say("The Buyer has the tool's result, and has not answered yet.\nProcess %ld is killed now (SIGKILL).",
            (long)getpid());
        (void)raise(SIGKILL);
    }
    return status;
}

/* What it said in a turn that did not end it says again: the tool does not run a second time. */
static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    const agentchat_messages *partial = agentchat_replies_partial(out);
    size_t count = agentchat_messages_count(partial);
    agentchat_status status = AGENTCHAT_OK;

    (void)seen;
    if (count > 0)
        say("  %zu messages of the answer are kept: the tool has run already.", count);
    for (size_t i = 0; i < count && status >= 0; i++)
        status = agentchat_replies_add(out, agentchat_messages_at(partial, i), err);
    if (count == 0)
        status = look_up(user, out, err);
    return status < 0 ? status : agentchat_replies_add_text(out, AGENTCHAT_STR("One oven is " PRICE "."), err);
}

agentchat_status buyer_join(buyer *self, agentchat_chat *chat, agentchat_error *err)
{
    return agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Buyer"), answer, self, err);
}
