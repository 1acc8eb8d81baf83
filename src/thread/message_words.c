/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a message. */
#include "thread/message_words.h"

#include "json/lex.h"
#include "json/value.h"

/* The tokenizer would be a part of each level of messages in messages. */
static ACI_NOINLINE void look_at_text(aci_message_words *words, agentchat_str text)
{
    aci_tokenizer tokenizer;
    aci_token token;

    aci_tokenizer_begin(&tokenizer, text, true);
    while (!words->stopped && aci_tokenizer_next(&tokenizer, &token))
        words->stopped = !words->take(words->user, text, &token);
}

/* A string with its quotes. */
static void look_at_string(aci_message_words *words, agentchat_str raw)
{
    if (memchr(raw.ptr, '\\', raw.len) == NULL) {
        look_at_text(words, (agentchat_str){raw.ptr + 1, raw.len - 2});
        return;
    }
    words->decoded.len = 0;
    if (aci_json_unquote(raw, &words->decoded))
        look_at_text(words, aci_buf_str(&words->decoded));
    else
        words->stopped = words->failed = true;
}

/* Strings, names of members and numbers, wherever they stand in a validated value. */
static void look_at_json(aci_message_words *words, agentchat_str json)
{
    const char *p = json.ptr, *end = json.ptr + json.len, *begin, *bad;

    while (p < end && !words->stopped) {
        begin = p;
        if (*p == '"') {
            p = aci_lex_string(p + 1, end, &bad);
            if (p == NULL)
                return;
            look_at_string(words, (agentchat_str){begin, (size_t)(++p - begin)});
        } else if (*p == '-' || (*p >= '0' && *p <= '9')) {
            p = aci_lex_number(p, end, &bad);
            if (p == NULL)
                return;
            look_at_text(words, (agentchat_str){begin, (size_t)(p - begin)});
        } else {
            p++;
        }
    }
}

static bool is_looked_at(unsigned field)
{
    const uint64_t fields = UINT64_C(1) << AGENTCHAT_FIELD_TEXT | UINT64_C(1) << AGENTCHAT_FIELD_PLUGIN |
                            UINT64_C(1) << AGENTCHAT_FIELD_FUNCTION | UINT64_C(1) << AGENTCHAT_FIELD_ARGUMENTS |
                            UINT64_C(1) << AGENTCHAT_FIELD_EXCEPTION | UINT64_C(1) << AGENTCHAT_FIELD_RESULT |
                            UINT64_C(1) << AGENTCHAT_FIELD_LABEL | UINT64_C(1) << AGENTCHAT_FIELD_TITLE;

    return (fields >> (field & 63) & 1) != 0;
}

static void look_at_message(aci_message_words *words, const agentchat_message *message)
{
    for (size_t i = 0; i < message->item_count; i++) {
        const agentchat_item *item = message->items[i];

        for (size_t k = 0; k < item->field_count; k++) {
            const aci_field *field = &item->fields[k];

            if (!is_looked_at(field->id))
                continue;
            if (field->form == ACI_FORM_TEXT)
                look_at_text(words, aci_field_text(field));
            else if (field->form == ACI_FORM_JSON)
                look_at_json(words, aci_field_text(field));
        }
        if (aci_item_nested(item) != NULL) /* as deep as the reader of the message allowed */
            look_at_message(words, aci_item_nested(item));
    }
}

void aci_message_words_begin(aci_message_words *words, const agentchat_env *env,
                             bool (*take)(void *user, agentchat_str text, const aci_token *token), void *user)
{
    *words = (aci_message_words){.take = take, .user = user};
    aci_buf_init(&words->decoded, env, SIZE_MAX);
}

void aci_message_words_clear(aci_message_words *words)
{
    aci_buf_clear(&words->decoded);
}

bool aci_message_words_each(aci_message_words *words, const agentchat_message *message)
{
    words->stopped = words->failed = false;
    look_at_message(words, message);
    return !words->failed;
}
