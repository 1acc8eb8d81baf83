/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the chats that the benchmarks run on, the same ones every time, in both formats:
 *
 *     bench_corpus DIR [PERCENT [LARGEST]]
 *
 * DIR/text.agentchat.json, DIR/text.semantic-kernel.json, and so for tools, images, small, and for the sizes 10, 100, …
 * up to LARGEST, if it is given.
 *
 * text: 10,000 messages of mixed English, Chinese, emoji and code; tools: 20,000 messages, calls and results in turn;
 * images: 200 messages of 256 KiB; small: 20 messages; 1000 and the other sizes: so many short messages. One history
 * channel holds what the history holds, as in any chat that was run. PERCENT scales the numbers of messages.
 */
#include <agentchat/agentchat.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

static uint32_t next_random(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 11) % below);
}

static const char *const english[] = {
    "The parcel left the warehouse on Tuesday and should reach you by the end of the week. ",
    "I looked at the three options that you named; the second one costs less but takes longer. ",
    "Could you tell me which version you are running, and what \"exactly\" the message says? ",
    "Let's go through it step by step: first the account, then the order, then the refund. ",
};
static const char *const chinese[] = {
    "包裹已于周二离开仓库，预计本周末之前送达。",
    "我看了您提到的三个方案，第二个更便宜，但需要更长时间。",
    "请告诉我您使用的版本，以及错误信息的具体内容。",
    "让我们一步一步来：先是账户，然后是订单，最后是退款。",
};
static const char *const emoji[] = {"😀 ", "👩‍👩‍👧‍👦 ", "🚀 ", "✅ "};
static const char *const code[] = {
    "```c\nfor (size_t i = 0; i < count; i++) {\n\tif (list[i] == NULL)\n\t\tbreak;\n}\n```\n",
    "```python\ndef total(rows):\n    return sum(r[\"price\"] * r[\"n\"] for r in rows)\n```\n",
};

static size_t prose(char *out, size_t cap, size_t want)
{
    size_t len = 0;

    while (len < want) {
        uint32_t kind = next_random(20);
        const char *piece = kind < 12   ? english[next_random(4)]
                            : kind < 16 ? chinese[next_random(4)]
                            : kind < 18 ? emoji[next_random(4)]
                                        : code[next_random(2)];
        size_t n = strlen(piece);

        if (len + n > cap)
            break;
        memcpy(out + len, piece, n);
        len += n;
    }
    return len;
}

/* name: NULL for none. */
static agentchat_message_builder *start(const char *role, const char *name)
{
    agentchat_message_builder *builder;

    if (agentchat_message_builder_new(NULL, role, agentchat_str_from(name), &builder, NULL) < 0)
        exit(1);
    return builder;
}

static agentchat_message *text_message(size_t i)
{
    static char text[8192];
    agentchat_message *message = NULL;
    agentchat_message_builder *b = start(i % 2 ? "assistant" : "user", i % 2 ? "Desk" : NULL);

    agentchat_message_builder_add_text(b, (agentchat_str){text, prose(text, sizeof text, 200 + next_random(2400))});
    if (i % 2)
        agentchat_message_builder_set(b, AGENTCHAT_FIELD_MODEL_ID, AGENTCHAT_STR("gpt-4o"));
    return agentchat_message_builder_finish(b, &message, NULL) < 0 ? NULL : message;
}

static agentchat_message *tool_message(size_t i)
{
    char id[32], json[2048];
    size_t len;
    agentchat_message *message = NULL;
    agentchat_message_builder *b = start(i % 2 ? "tool" : "assistant", i % 2 ? NULL : "Desk");

    snprintf(id, sizeof id, "call_%08zu", i / 2);
    if (i % 2 == 0) {
        len = (size_t)snprintf(json, sizeof json,
                               "{\"order\":%u,\"fields\":[\"status\",\"carrier\",\"eta\"],\"locale\":\"de-DE\","
                               "\"limit\":%u,\"filter\":{\"paid\":true,\"min\":%u.50}}",
                               next_random(1000000), next_random(100), next_random(1000));
        agentchat_message_builder_add_call(b, agentchat_str_from(id), AGENTCHAT_STR("Orders"), AGENTCHAT_STR("lookup"),
                                           (agentchat_str){json, len});
    } else {
        len = (size_t)snprintf(json, sizeof json, "{\"rows\":[");
        for (uint32_t row = 0, rows = 2 + next_random(5); row < rows; row++)
            len += (size_t)snprintf(json + len, sizeof json - len,
                                    "%s{\"id\":%u,\"status\":\"shipped\",\"carrier\":\"DHL\",\"price\":%u.%02u,"
                                    "\"note\":\"left at the \\\"side\\\" door\",\"tags\":[\"a\",\"b\"]}",
                                    row ? "," : "", next_random(1000000), next_random(500), next_random(100));
        len += (size_t)snprintf(json + len, sizeof json - len, "],\"next\":null}");
        agentchat_message_builder_add_result(b, agentchat_str_from(id), AGENTCHAT_STR("Orders"),
                                             AGENTCHAT_STR("lookup"), (agentchat_str){json, len});
    }
    return agentchat_message_builder_finish(b, &message, NULL) < 0 ? NULL : message;
}

static agentchat_message *image_message(size_t i)
{
    enum { SIZE = 256 * 1024 };
    static char bytes[SIZE];
    agentchat_message *message = NULL;
    agentchat_message_builder *b = start(i % 2 ? "assistant" : "user", i % 2 ? "Desk" : NULL);

    for (size_t k = 0; k < SIZE; k += 4) {
        uint32_t r = next_random(0xffffffffu);

        memcpy(bytes + k, &r, 4);
    }
    agentchat_message_builder_add_text(b, AGENTCHAT_STR("Look at this picture."));
    agentchat_message_builder_add_data(b, AGENTCHAT_ITEM_IMAGE, AGENTCHAT_STR("image/png"),
                                       (agentchat_str){bytes, SIZE});
    return agentchat_message_builder_finish(b, &message, NULL) < 0 ? NULL : message;
}

static agentchat_message *small_message(size_t i)
{
    return i % 4 == 2 ? tool_message(2 * i) : i % 4 == 3 ? tool_message(2 * i + 1) : text_message(i);
}

static agentchat_message *short_message(size_t i)
{
    char text[400];
    agentchat_message *message = NULL;
    agentchat_message_builder *b = start(i % 2 ? "assistant" : "user", i % 2 ? "Desk" : NULL);

    agentchat_message_builder_add_text(b, (agentchat_str){text, prose(text, sizeof text, 60 + next_random(120))});
    return agentchat_message_builder_finish(b, &message, NULL) < 0 ? NULL : message;
}

static int write_chat(const char *dir, const char *name, size_t count, agentchat_message *(*make)(size_t))
{
    static const agentchat_str key = {"Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4=", 44};
    agentchat_snapshot_builder *b = NULL;
    agentchat_message **all = calloc(count, sizeof *all);
    agentchat_messages *list = NULL;
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;
    char path[4096];
    int failed = 1;

    if (all == NULL || agentchat_snapshot_builder_new(NULL, NULL, &b, &err) < 0)
        goto cleanup;
    for (size_t i = 0; i < count; i++) {
        all[i] = make(i);
        agentchat_snapshot_builder_add_message(b, all[i]);
    }
    agentchat_snapshot_builder_add_participant(b, AGENTCHAT_STR("01b6a120-7fef-45e2-aafb-81cf4a90d931"),
                                               AGENTCHAT_STR("Desk"), AGENTCHAT_STR(AGENTCHAT_TYPE_HISTORY_AGENT));
    if (agentchat_messages_new(NULL, (const agentchat_message *const *)all, count, &list, &err) < 0)
        goto cleanup;
    agentchat_snapshot_builder_set_channel_messages(b, key, AGENTCHAT_STR(AGENTCHAT_TYPE_HISTORY_CHANNEL), list, count);
    if (agentchat_snapshot_builder_finish(b, &snapshot, &err) < 0) {
        b = NULL;
        goto cleanup;
    }
    b = NULL;
    for (int i = 0; i < 2; i++) {
        agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;

        options.format = i == 0 ? "agentchat" : "semantic-kernel";
        options.strict = i == 1;
        snprintf(path, sizeof path, "%s/%s.%s.json", dir, name, options.format);
        if (agentchat_snapshot_write_file(snapshot, path, &options, NULL, &err) < 0)
            goto cleanup;
    }
    failed = 0;
cleanup:
    if (failed)
        agentchat_error_print(&err, stderr);
    agentchat_snapshot_unref(snapshot);
    agentchat_messages_unref(list);
    agentchat_snapshot_builder_free(b);
    for (size_t i = 0; all != NULL && i < count; i++)
        agentchat_message_unref(all[i]);
    free(all);
    return failed;
}

int main(int argc, char **argv)
{
    size_t percent = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 100;
    size_t largest = argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : 0;
    char name[32];

    if (argc < 2 || percent == 0) {
        fprintf(stderr, "usage: bench_corpus DIR [PERCENT [LARGEST]]\n");
        return 2;
    }
    if (write_chat(argv[1], "text", 100 * percent, text_message) ||
        write_chat(argv[1], "tools", 200 * percent, tool_message) ||
        write_chat(argv[1], "images", 2 * percent, image_message) || write_chat(argv[1], "small", 20, small_message))
        return 1;
    for (size_t size = 10; size <= largest; size *= 10) {
        snprintf(name, sizeof name, "%zu", size);
        if (write_chat(argv[1], name, size, short_message))
            return 1;
    }
    return 0;
}
