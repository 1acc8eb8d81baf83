/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of any bytes: each token is bounded, valid, where it should be and its own only token, the part of the text
 * that it is of gives it again, and asking for single characters adds those and changes nothing else.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "text/tokenizer.h"
#include <string.h>

static bool has_token(agentchat_str text, agentchat_str wanted)
{
    aci_tokenizer tokenizer;
    aci_token token;

    aci_tokenizer_begin(&tokenizer, text, false);
    while (aci_tokenizer_next(&tokenizer, &token))
        if (agentchat_str_equal(token.text, wanted))
            return true;
    return false;
}

static void check_alone(agentchat_str text)
{
    aci_tokenizer tokenizer;
    aci_token token;

    aci_tokenizer_begin(&tokenizer, text, false);
    FUZZ_CHECK(aci_tokenizer_next(&tokenizer, &token));
    FUZZ_CHECK(agentchat_str_equal(token.text, text) && token.begin == 0 && token.end == text.len);
    FUZZ_CHECK(!aci_tokenizer_next(&tokenizer, &token));
}

static void check_token(agentchat_str source, const aci_token *token, size_t *last_end)
{
    char copy[ACI_MOST_TOKEN];
    agentchat_str text = {copy, token->text.len};

    FUZZ_CHECK(token->text.len > 0 && token->text.len <= ACI_MOST_TOKEN);
    FUZZ_CHECK(token->begin < token->end && token->end <= source.len && token->end >= *last_end);
    *last_end = token->end;
    FUZZ_CHECK(aci_utf8_is_valid(token->text, false));
    memcpy(copy, token->text.ptr, token->text.len);
    check_alone(text);
    FUZZ_CHECK(has_token((agentchat_str){source.ptr + token->begin, token->end - token->begin}, text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    agentchat_str source = {(const char *)data, size};
    aci_tokenizer pairs, singles;
    aci_token token, other;
    size_t last_end = 0, most = size < 2000 ? SIZE_MAX : 100; /* each token costs what it is of */

    aci_tokenizer_begin(&pairs, source, false);
    aci_tokenizer_begin(&singles, source, true);
    while (aci_tokenizer_next(&pairs, &token) && most-- > 0) {
        check_token(source, &token, &last_end);
        do
            FUZZ_CHECK(aci_tokenizer_next(&singles, &other));
        while (!agentchat_str_equal(other.text, token.text) || other.begin != token.begin || other.end != token.end);
    }
    return 0;
}
