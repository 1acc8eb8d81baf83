/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of families, and how a document is made of one. Names begin with the format: f1 for agentchat, sk for
 * semantic-kernel, bare for a history without a chat around it.
 */
#include "families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define F1 "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":["
#define F1_AFTER_HISTORY "],\"participants\":[],\"channels\":["
#define F1_END F1_AFTER_HISTORY "]}"
#define F1_ITEM F1 "{\"role\":\"user\",\"items\":["
#define F1_ITEM_END "]}" F1_END
#define F1_TEXT F1_ITEM "{\"type\":\"text\",\"text\":\""
#define F1_TEXT_END "\"}" F1_ITEM_END
#define SK "{\"Participants\":[],\"History\":["
#define SK_AFTER_HISTORY "],\"Channels\":["
#define SK_END SK_AFTER_HISTORY "]}"
#define F1_HI "{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"@#\"}]}"
#define SK_MESSAGE "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":["
#define SK_ITEM SK SK_MESSAGE
#define SK_ITEM_END "]}" SK_END
#define SK_TEXT SK_ITEM "{\"$type\":\"TextContent\",\"Text\":\""
#define SK_TEXT_END "\"}" SK_ITEM_END
#define SK_HI SK_MESSAGE "{\"$type\":\"TextContent\",\"Text\":\"@#\"}]}"
#define SK_CHANNELS "{\"Participants\":[],\"History\":[" SK_HI SK_AFTER_HISTORY
#define HISTORY_KEY "Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4="
#define HISTORY_TYPE "Microsoft.SemanticKernel.Agents.ChatHistoryChannel"
#define AGGREGATOR_TYPE "Microsoft.SemanticKernel.Agents.AggregatorChannel"
#define AGGREGATOR "Microsoft.SemanticKernel.Agents.AggregatorAgent"
#define AGENT_TYPE "Microsoft.SemanticKernel.Agents.ChatCompletionAgent"
#define KEY_HEAD "{\"ChannelKey\":\"" HISTORY_KEY "\",\"ChannelType\":\"" HISTORY_TYPE "\",\"ChannelState\":"
#define TEN(text) text text text text text text text text text text
#define HUNDRED(text) TEN(TEN(text))
#define F1_NESTED "{\"type\":\"message\",\"message\":{\"role\":\"u\",\"items\":["
#define SK_NESTED "{\"$type\":\"ChatMessageContent\",\"Role\":{\"Label\":\"u\"},\"Items\":["
#define F1_CHAT                                                                                                        \
    "{\"channelkey\":\"k#\",\"channeltype\":\"" AGGREGATOR_TYPE "\",\"statekind\":\"chat\",\"channelstate\":"          \
    "{\"history\":[{\"role\":\"@\"}],\"participants\":[],\"channels\":["
#define SK_CHAT                                                                                                        \
    "{\"ChannelKey\":\"k#\",\"ChannelType\":\"" AGGREGATOR_TYPE "\",\"ChannelState\":{\"Participants\":[],"            \
    "\"History\":[{\"Role\":{\"Label\":\"@\"}}],\"Channels\":["

const family families[] = {
    /* strings */
    {"f1-long-string", F1_TEXT, "@@@@@@@@@@@@@@@@", "", F1_TEXT_END, "one string", false, false},
    {"sk-long-string", SK_TEXT, "@@@@@@@@@@@@@@@@", "", SK_TEXT_END, "one string", false, false},
    {"f1-escapes", F1_TEXT, "\\n\\\"\\\\\\/", "", F1_TEXT_END, "nothing but escapes", false, false},
    {"sk-escapes", SK_TEXT, "\\n\\\"\\\\\\/", "", SK_TEXT_END, "nothing but escapes", false, false},
    {"f1-units", F1_TEXT, "\\u4e2d\\uD83D\\uDE00", "", F1_TEXT_END, "\\uXXXX and pairs", false, false},
    {"sk-units", SK_TEXT, "\\u4e2d\\uD83D\\uDE00", "", SK_TEXT_END, "\\uXXXX and pairs", false, false},
    {"f1-lone", F1_TEXT, "\\ud800@", "", F1_TEXT_END, "half pairs, each to be replaced", false, false},
    {"sk-lone", SK_TEXT, "\\ud800@", "", SK_TEXT_END, "half pairs, each to be replaced", false, false},
    {"f1-controls", F1_TEXT, "\\u0000\\u001b", "", F1_TEXT_END, "characters that grow when they are escaped", false,
     false},
    {"f1-wide", F1_TEXT, "\xE4\xB8\xAD\xF0\x9F\x98\x80", "", F1_TEXT_END, "characters that .NET spells as escapes",
     false, false},
    {"f1-whitespace", F1 "", " \n\t", "", F1_END, "whitespace and lines", false, false},
    {"sk-whitespace", SK "", " \n\t", "", SK_END, "whitespace and lines", false, false},
    {"f1-number", F1 "{\"role\":\"u\",\"metadata\":1.", "8", "", "e5}" F1_END, "one number", false, false},
    {"f1-exponent", F1 "{\"role\":\"u\",\"metadata\":1.5e", "8", "", "}" F1_END, "one exponent", false, false},
    {"sk-number", SK "{\"Role\":{\"Label\":\"u\"},\"Metadata\":1.", "8", "", "e5}" SK_END, "one number", false, false},
    {"f1-zeros", F1 "{\"role\":\"u\",\"metadata\":1", "0", "", "e-7}" F1_END, "zeros that the digest drops", false,
     false},
    /* messages and items */
    {"f1-messages", F1 "", "{\"role\":\"@\"}", ",", F1_END, "small messages", false, false},
    {"sk-messages", SK "", "{}", ",", SK_END, "small messages", false, false},
    {"bare-messages", "[", "{\"Role\":{\"Label\":\"@\"}}", ",", "]", "small messages", false, false},
    {"f1-nulls", F1 "", "null", ",", F1_END, "null messages", false, false},
    {"sk-nulls", SK "", "null", ",", SK_END, "null messages: a note and a repair each", false, false},
    {"f1-texts", F1 "", "{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"@#\"}]}", ",", F1_END,
     "different messages", false, false},
    {"sk-texts", SK "", SK_HI, ",", SK_END, "different messages", false, false},
    {"bare-texts", "[", SK_HI, ",", "]", "different messages", false, false},
    {"f1-same-texts", F1 "", "{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"@\"}]}", ",", F1_END,
     "equal messages", false, false},
    {"f1-items", F1_ITEM, "{\"type\":\"text\"}", ",", F1_ITEM_END, "items of one message", false, false},
    {"sk-items", SK_ITEM, "{\"$type\":\"TextContent\"}", ",", SK_ITEM_END, "items of one message", false, false},
    {"f1-null-items", F1_ITEM, "null", ",", F1_ITEM_END, "null items", false, false},
    {"sk-null-items", SK_ITEM, "null", ",", SK_ITEM_END, "null items", false, false},
    {"f1-opaque-items", F1_ITEM, "{\"type\":\"t#\",\"@\":[]}", ",", F1_ITEM_END, "items of unknown types", false,
     false},
    {"sk-opaque-items", SK_ITEM, "{\"$type\":\"t#\",\"@\":[]}", ",", SK_ITEM_END, "items of unknown types", false,
     false},
    {"sk-calls", SK_ITEM, "{\"$type\":\"FunctionCallContent\",\"Id\":\"@\",\"FunctionName\":\"f\",\"Arguments\":[]}",
     ",", SK_ITEM_END, "calls with one id and arguments to be repaired", false, false},
    {"f1-calls", F1_ITEM, "{\"type\":\"call\",\"id\":\"c#\",\"function\":\"@\"},{\"type\":\"result\",\"id\":\"c#\"}",
     ",", F1_ITEM_END, "calls and their results", false, false},
    {"f1-calls-one-id", F1_ITEM,
     "{\"type\":\"call\",\"id\":\"c\",\"function\":\"@\"},{\"type\":\"result\",\"id\":\"c\"}", ",", F1_ITEM_END,
     "calls and results of one id", false, false},
    {"f1-calls-far-results", F1_ITEM, "{\"type\":\"call\",\"id\":\"c#\",\"function\":\"@\"}", ",", F1_ITEM_END,
     "calls without results", false, false},
    /* properties */
    {"f1-metadata-names", F1 "{\"role\":\"u\",\"metadata\":{", "\"@#\":1", ",", "}}" F1_END,
     "names of one open-ended object", false, false},
    {"sk-metadata-names", SK "{\"Role\":{\"Label\":\"u\"},\"Metadata\":{", "\"@#\":1", ",", "}}" SK_END,
     "names of one open-ended object", false, false},
    {"f1-metadata-one-name", F1 "{\"role\":\"u\",\"metadata\":{", "\"@\":1", ",", "}}" F1_END,
     "one name again and again", false, false},
    {"f1-metadata-descending", F1 "{\"role\":\"u\",\"metadata\":{", "\"z\":#,\"@\":#", ",", "}}" F1_END,
     "names to be sorted", false, false},
    {"f1-metadata-escaped-names", F1 "{\"role\":\"u\",\"metadata\":{", "\"\\u4e2d#\":1,\"\\u0061#\":1", ",",
     "}}" F1_END, "names to be decoded for sorting", false, false},
    {"f1-long-names", F1 "{\"role\":\"u\",\"metadata\":{", "\"~#\":1", ",", "}}" F1_END,
     "names that differ at their ends", false, false},
    {"f1-unknown-values", F1, "{\"x1\":#,\"x2\":2,\"x3\":3,\"x4\":4,\"x5\":5,\"x6\":6,\"x7\":7,\"x8\":8}", ",", F1_END,
     "unknown properties of many messages", false, false},
    {"f1-too-many-unknown", F1 "{", "\"@#\":1", ",", "}" F1_END, "unknown properties of one message", true, false},
    {"sk-unknown", SK "{", "\"@#\":1", ",", "}" SK_END, "unknown properties of one message", false, false},
    {"sk-unknown-one-name", SK "{", "\"@\":1", ",", "}" SK_END, "one unknown property again and again", false, false},
    {"sk-unknown-root", "{\"Participants\":[],\"Channels\":[],\"History\":[],", "\"@#\":1", ",", "}",
     "unknown properties of the chat", false, false},
    {"sk-unknown-item", SK_ITEM "{\"$type\":\"TextContent\",", "\"@#\":1", ",", "}" SK_ITEM_END,
     "unknown properties of one item", false, false},
    {"sk-dollar", SK_ITEM "{\"$type\":\"TextContent\",", "\"$@#\":1", ",", "}" SK_ITEM_END,
     "$id, $ref and the like, each to be repaired", false, false},
    {"sk-dollar-types", SK_ITEM "{", "\"$type\":\"TextContent\"", ",", "}" SK_ITEM_END, "$type again and again", false,
     false},
    {"sk-duplicates", SK "{", "\"ModelId\":\"@\"", ",", "}" SK_END, "a known property again and again", false, false},
    {"sk-duplicates-and-unknown", SK "{", "\"@#\":1,\"ModelId\":\"@\"", ",", "}" SK_END,
     "a known property again and again between unknown ones", false, false},
    {"sk-duplicates-other-case", SK "{", "\"@#\":1,\"modelid\":\"@\",\"MODELID\":\"@\"", ",", "}" SK_END,
     "the same in another letter case", false, false},
    {"sk-duplicates-wrong-type", SK "{", "\"@#\":1,\"ModelId\":1", ",", "}" SK_END,
     "the same with a value that does not fit", false, false},
    {"sk-duplicate-items", SK "{", "\"Items\":[{}]", ",", "}" SK_END, "a known list again and again", false, false},
    {"sk-duplicate-history", "{\"Participants\":[],\"Channels\":[],", "\"History\":[{}]", ",", "}",
     "the history again and again", false, false},
    {"sk-duplicate-channels", "{\"Participants\":[],\"History\":[],", "\"Channels\":[]", ",", "}",
     "the channels again and again", false, false},
    {"sk-roles", SK "", "{\"Role\":{\"label\":\"u\",\"Label\":\"@\",\"x\":#}}", ",", SK_END,
     "roles that are kept as they stand too", false, false},
    {"f1-extras", F1 "{\"role\":\"u\",\"extras\":[", "{\"name\":\"@#\",\"value\":1}", ",", "]}" F1_END,
     "extras of one message", false, false},
    {"f1-extras-of-sk", F1 "{\"role\":\"u\",\"extras\":[", "{\"from\":\"semantic-kernel\",\"name\":\"@#\",\"value\":1}",
     ",", "]}" F1_END, "extras of another format", false, false},
    {"f1-extras-and-unknown", F1 "{\"x1\":1,\"x2\":1,\"x3\":1,\"x4\":1,\"x5\":1,\"extras\":[",
     "{\"from\":\"agentchat\",\"name\":\"role\",\"value\":#}", ",", "]}" F1_END,
     "extras of a known name beside unknown properties", false, false},
    {"f1-extras-agentchat", F1 "{\"role\":\"u\",\"extras\":[", "{\"from\":\"agentchat\",\"name\":\"@#\",\"value\":1}",
     ",", "]}" F1_END, "unknown properties beyond 256, as extras", false, false},
    /* depth */
    {"f1-deep-metadata", F1 "", "{\"role\":\"u\",\"metadata\":" HUNDRED("[") HUNDRED("]") "}", ",", F1_END,
     "metadata near the limit of depth", false, false},
    {"sk-deep-metadata", SK "", "{\"Role\":{\"Label\":\"u\"},\"Metadata\":" HUNDRED("[") HUNDRED("]") "}", ",", SK_END,
     "the same; .NET's limit is lower", false, false},
    {"f1-deep-objects", F1 "", "{\"role\":\"u\",\"metadata\":" HUNDRED("{\"b\":1,\"a\":") "0" HUNDRED("}") "}", ",",
     F1_END, "objects to be sorted inside each other", false, false},
    {"f1-nested-messages-deep", F1_ITEM, TEN(F1_NESTED) TEN(F1_NESTED) "null" TEN("]}}") TEN("]}}"), ",", F1_ITEM_END,
     "messages in items of messages", false, false},
    {"sk-nested-messages-deep", SK_ITEM, TEN(SK_NESTED) TEN(SK_NESTED) "null" TEN("]}") TEN("]}"), ",", SK_ITEM_END,
     "messages in items of messages", false, false},
    {"f1-nested-chats", F1 F1_AFTER_HISTORY, TEN(F1_CHAT) TEN(F1_CHAT) TEN("]}}") TEN("]}}"), ",", "]}",
     "chats in channels of chats", false, false},
    {"sk-nested-chats", SK SK_AFTER_HISTORY, TEN(SK_CHAT) TEN(SK_CHAT) TEN("]}}") TEN("]}}"), ",", "]}",
     "chats in channels of chats", false, false},
    {"sk-nested-unknown", SK SK_AFTER_HISTORY, "{\"ChannelKey\":\"k#\",\"ChannelState\":" HUNDRED("[") HUNDRED("]") "}",
     ",", "]}", "deep states of unknown kind", false, false},
    {"f1-too-deep", F1 "{\"role\":\"u\",\"metadata\":", "[", "", "", "a bomb", true, false},
    {"sk-too-deep", SK "{\"x\":", "{\"a\":", "", "", "a bomb", true, false},
    /* participants, channels, values */
    {"f1-participants", F1 "],\"participants\":[", "{\"id\":\"@#\",\"name\":\"n#\",\"type\":\"" AGENT_TYPE "\"}", ",",
     "],\"channels\":[]}", "participants", false, false},
    {"f1-participants-one-id", F1 "],\"participants\":[", "{\"id\":\"@\",\"name\":\"n\",\"type\":\"t\"}", ",",
     "],\"channels\":[]}", "participants of one id and name", false, false},
    {"sk-participants-one-id", "{\"History\":[],\"Channels\":[],\"Participants\":[",
     "{\"Id\":\"@\",\"Name\":\"n\",\"Type\":\"" AGENT_TYPE "\"}", ",", "]}", "participants of one id and name", false,
     false},
    {"sk-participants-silent", "{\"History\":[],\"Channels\":[],\"Participants\":[",
     "{\"Id\":\"@#\",\"Name\":\"n#\",\"Type\":\"Microsoft.SemanticKernel.Agents.AggregatorAgent\"}", ",", "]}",
     "aggregators that never spoke: a channel each to be made", false, false},
    {"f1-channels", F1 F1_AFTER_HISTORY, "{\"channelkey\":\"@#\",\"statekind\":\"text\",\"channelstate\":\"s\"}", ",",
     "]}", "channels", false, false},
    {"f1-channels-one-key", F1 F1_AFTER_HISTORY,
     "{\"channelkey\":\"@\",\"statekind\":\"text\",\"channelstate\":\"s#\"}", ",", "]}", "channels of one key", false,
     false},
    {"sk-channels", SK_CHANNELS, "{\"ChannelKey\":\"@#\",\"ChannelType\":\"t\",\"ChannelState\":\"s\"}", ",", "]}",
     "channels", false, false},
    {"sk-channels-one-key", SK_CHANNELS, "{\"ChannelKey\":\"@\",\"ChannelType\":\"t\",\"ChannelState\":\"s#\"}", ",",
     "]}", "channels of one key", false, false},
    {"sk-channels-history-key", SK_CHANNELS, KEY_HEAD "[" SK_HI "]}", ",", "]}",
     "history channels of one key, each to be repaired", false, false},
    {"sk-channels-no-key", SK_CHANNELS, "{\"ChannelType\":\"" HISTORY_TYPE "\",\"ChannelState\":null}", ",", "]}",
     "channels without key and state", false, false},
    {"sk-channel-copy", SK SK_AFTER_HISTORY KEY_HEAD "[", SK_HI, ",", "]}]}",
     "messages of a channel that are not the history's", false, false},
    {"sk-channel-alike", SK_CHANNELS KEY_HEAD "[",
     SK_MESSAGE "{\"$type\":\"TextContent\",\"Text\":\"" TEN("0123456789") "\"}]}", ",", "]}]}",
     "messages alike, none the history's", false, false},
    {"f1-channel-messages", F1 F1_AFTER_HISTORY "{\"channelkey\":\"k\",\"statekind\":\"messages\",\"channelstate\":[",
     "{\"role\":\"@\"}", ",", "]}]}", "messages of a channel that are not the history's", false, false},
    {"f1-channel-bytes", F1 F1_AFTER_HISTORY "{\"channelkey\":\"k\",\"statekind\":\"bytes\",\"channelstate\":\"",
     "QUJD", "", "\"}]}", "a state of bytes", false, false},
    {"f1-channel-text", F1 F1_AFTER_HISTORY "{\"channelkey\":\"k\",\"statekind\":\"text\",\"channelstate\":\"[",
     "\\\"@\\\"", ",", "]\"}]}", "a state that is JSON in a string", false, false},
    {"f1-runs", F1 "{\"role\":\"u\"}" F1_AFTER_HISTORY,
     "{\"channelkey\":\"k#\",\"statekind\":\"messages\",\"channelstate\":[[0,1]]}", ",", "]}", "runs over one message",
     false, false},
    {"f1-runs-long-message", F1_TEXT "~\"}]}" F1_AFTER_HISTORY,
     "{\"channelkey\":\"k#\",\"statekind\":\"messages\",\"channelstate\":[[0,1]]}", ",", "]}",
     "runs over one long message", false, true},
    {"f1-pending", F1 "{\"role\":\"u\"}" F1_AFTER_HISTORY,
     "{\"channelkey\":\"k#\",\"statekind\":\"text\",\"synced\":1,\"pending\":[0]}", ",", "]}",
     "pending positions of many channels", false, false},
    {"f1-values", F1 "],\"participants\":[],\"channels\":[],\"values\":[", "{\"name\":\"@#\",\"value\":#}", ",", "]}",
     "named values", false, false},
    {"f1-values-one-name", F1 "],\"participants\":[],\"channels\":[],\"values\":[", "{\"name\":\"@\",\"value\":#}", ",",
     "]}", "named values of one name", false, false},
    /* two dimensions: a history, and what repeats it */
    {"sk-silent-agents", "{\"History\":[|" SK_HI ",|" SK_HI "],\"Channels\":[],\"Participants\":[",
     "{\"Id\":\"#\",\"Name\":\"n#\",\"Type\":\"" AGGREGATOR "\"}", ",", "]}", "agents that lack a channel", false,
     true},
    {"sk-silent-agents-empty", "{\"History\":[|{},|{}],\"Channels\":[],\"Participants\":[",
     "{\"Id\":\"#\",\"Name\":\"n#\",\"Type\":\"" AGGREGATOR "\"}", ",", "]}",
     "the same, with messages that grow when they are written", false, true},
    {"sk-silent-agents-inside",
     "{\"History\":[],\"Participants\":[{\"Id\":\"a\",\"Name\":\"a\",\"Type\":\"" AGGREGATOR
     "\"}],\"Channels\":[{\"ChannelKey\":\"k\",\"ChannelType\":\"" AGGREGATOR_TYPE
     "\",\"ChannelState\":{\"History\":[|" SK_HI ",|" SK_HI "],\"Channels\":[],\"Participants\":[",
     "{\"Id\":\"#\",\"Name\":\"n#\",\"Type\":\"" AGGREGATOR "\"}", ",", "]}}]}",
     "agents that lack a channel, in a chat inside a chat", false, true},
    {"sk-stateless-channels", "{\"Participants\":[],\"History\":[|" SK_HI ",|" SK_HI "],\"Channels\":[",
     "{\"ChannelKey\":\"#\",\"ChannelType\":\"" HISTORY_TYPE "\",\"ChannelState\":null}", ",", "]}",
     "channels without a state", false, true},
    {"sk-stateless-chats", "{\"Participants\":[],\"History\":[|" SK_HI ",|" SK_HI "],\"Channels\":[",
     "{\"ChannelKey\":\"#\",\"ChannelType\":\"" AGGREGATOR_TYPE "\",\"ChannelState\":null}", ",", "]}",
     "aggregators' channels without a state", false, true},
    {"f1-channels-given-nothing", F1 "|" F1_HI ",|" F1_HI F1_AFTER_HISTORY,
     "{\"channelkey\":\"#\",\"channeltype\":\"" HISTORY_TYPE
     "\",\"statekind\":\"messages\",\"channelstate\":[],\"synced\":0}",
     ",", "]}", "channels that have been given nothing", false, true},
    {"f1-pending-long-message", F1_TEXT "~\"}]}" F1_AFTER_HISTORY,
     "{\"channelkey\":\"#\",\"channeltype\":\"" HISTORY_TYPE
     "\",\"statekind\":\"messages\",\"channelstate\":[],\"synced\":1,\"pending\":[0]}",
     ",", "]}", "channels for which one long message waits", false, true},
    {"f1-runs-all", F1 "|" F1_HI ",|" F1_HI F1_AFTER_HISTORY,
     "{\"channelkey\":\"#\",\"statekind\":\"messages\",\"channelstate\":[[0,&]]}", ",", "]}",
     "channels that name the whole history", false, true},
    {"f1-runs-later", F1 "|" F1_HI ",|" F1_HI F1_AFTER_HISTORY,
     "{\"channelkey\":\"#\",\"statekind\":\"messages\",\"channelstate\":[[1,&]]}", ",", "]}",
     "channels that name all but the first message", false, true},
    {"f1-runs-gaps", F1 "|" F1_HI ",|" F1_HI "," F1_HI F1_AFTER_HISTORY,
     "{\"channelkey\":\"#\",\"statekind\":\"messages\",\"channelstate\":[[0,1],[2,&]]}", ",", "]}",
     "channels that name all but the second message", false, true},
    {"f1-runs-last", F1 "|" F1_HI ",|" F1_HI F1_AFTER_HISTORY,
     "{\"channelkey\":\"#\",\"statekind\":\"messages\",\"channelstate\":[[&,1]]}", ",", "]}",
     "channels that name the last message", false, true},
    {"f1-runs-first", F1 "|" F1_HI ",|" F1_HI F1_AFTER_HISTORY,
     "{\"channelkey\":\"#\",\"statekind\":\"messages\",\"channelstate\":[[0,1]]}", ",", "]}",
     "channels that name the first message", false, true},
    {"f1-runs-inside",
     F1 F1_AFTER_HISTORY "{\"channelkey\":\"k\",\"channeltype\":\"" AGGREGATOR_TYPE
                         "\",\"statekind\":\"chat\",\"channelstate\":{\"history\":[|" F1_HI ",|" F1_HI F1_AFTER_HISTORY,
     "{\"channelkey\":\"#\",\"statekind\":\"messages\",\"channelstate\":[[0,&]]}", ",", "]}}]}",
     "channels of a chat inside a chat that name its history", false, true},
    /* base64 */
    {"f1-base64", F1_ITEM "{\"type\":\"binary\",\"data\":\"", "QUJD", "", "\"}" F1_ITEM_END, "data", false, false},
    {"f1-base64-wrong", F1_ITEM "{\"type\":\"binary\",\"data\":\"", "QUJD", "", "Q=JD\"}" F1_ITEM_END,
     "data wrong at its end", true, false},
    {"sk-base64", SK_ITEM "{\"$type\":\"BinaryContent\",\"Data\":\"", "QUJD", "", "\"}" SK_ITEM_END, "data", false,
     false},
    {"sk-base64-whitespace", SK_ITEM "{\"$type\":\"BinaryContent\",\"Data\":\"", "QUJD\\r\\n", "", "\"}" SK_ITEM_END,
     "data with line breaks", false, false},
    {"sk-base64-wrong", SK_ITEM "{\"$type\":\"BinaryContent\",\"Data\":\"", "QUJD", "", "!\"}" SK_ITEM_END,
     "data wrong at its end", true, false},
    {"sk-data-uri", SK_ITEM "{\"$type\":\"ImageContent\",\"Uri\":\"data:image/png", ";p#=@", "",
     ";base64,QUJD\"}" SK_ITEM_END, "parameters of a data URI", false, false},
    {"sk-data-uri-data", SK_ITEM "{\"$type\":\"ImageContent\",\"Uri\":\"data:image/png,", "%41", "", "\"}" SK_ITEM_END,
     "percent escapes of a data URI", false, false},
    /* Markdown, for pages */
    {"f1-md-images", F1_TEXT, "![[]()", "", F1_TEXT_END, "images inside one another", false, false},
    {"f1-md-links", F1_TEXT, "[@](b", "", F1_TEXT_END, "links that do not end", false, false},
    {"f1-md-emphasis", F1_TEXT, "*@ **b_ ", "", F1_TEXT_END, "emphasis that does not end", false, false},
    {"f1-md-ticks", F1_TEXT, "`@``b", "", F1_TEXT_END, "code that does not end", false, false},
    {"f1-md-tags", F1_TEXT, "@<!-- <?<a b='", "", F1_TEXT_END, "HTML that does not end", false, false},
    {"f1-md-quotes", F1_TEXT, "> ", "", F1_TEXT_END, "quotes inside one another", false, false},
    {"f1-md-lists", F1_TEXT, "+ ", "", F1_TEXT_END, "lists inside one another", false, false},
    {"f1-md-items", F1_TEXT, "- @\\n\\n", "", F1_TEXT_END, "items of one list", false, false},
    {"f1-md-empty-lines", F1_TEXT HUNDRED("+ ") "@\\n", "\\n", "", F1_TEXT_END, "lists that go on over empty lines",
     false, false},
    {"f1-md-texts", F1 "", "{\"role\":\"@\",\"items\":[{\"type\":\"text\",\"text\":\"+ + + *@#*\\n\\n\\n\"}]}", ",",
     F1_END, "small texts, each with lists", false, false},
    {"f1-md-quotes-emphasis", F1_TEXT "^>^", "@*", "", F1_TEXT_END, "emphasis inside quotes inside one another", false,
     false},
    {"f1-md-lists-emphasis", F1_TEXT "^+ ^", "*@ **b_ ", "", F1_TEXT_END, "emphasis inside lists inside one another",
     false, false},
    {"f1-md-deep-emphasis", F1_TEXT TEN("> + ") TEN("> + "), "*@*", "", F1_TEXT_END,
     "emphasis as deep as blocks are shown", false, false},
    {"f1-md-deep-lines", F1_TEXT TEN("1) ") TEN("> ") "@\\n", "> > >\\n\\n", "", F1_TEXT_END,
     "empty lines in as many lists as are shown", false, false},
    {"f1-md-lists-lines", F1_TEXT "^- ^@\\n", " \\r\\n", "", F1_TEXT_END, "lists that go on over blank lines", false,
     false},
    {"f1-md-lists-after-a-mark", F1_TEXT "\\ufeff^* ^@\\n", "\\n", "", F1_TEXT_END, "the same after a byte order mark",
     false, false},
    {"f1-md-images-links", F1_TEXT "^![^", "[@]()", "", F1_TEXT_END, "links inside images that do not end", false,
     false},
    {"f1-md-images-links-near", F1_TEXT, "![![![[@]()[]()", "", F1_TEXT_END, "the same, one by one", false, false},
    {"f1-md-brackets", F1_TEXT "^[^", "@](b)", "", F1_TEXT_END, "brackets inside one another", false, false},
    {"f1-md-nested-emphasis", F1_TEXT "^*a **a ^", "@** a*", "", F1_TEXT_END, "emphasis inside one another", false,
     false},
    {"f1-md-stars", F1_TEXT, "*", "", F1_TEXT_END, "nothing but marks", false, false},
    {"f1-md-definitions", F1_TEXT "^[a]: b\\n^\\n", "[@#]: b\\n\\n[@#]", "", F1_TEXT_END, "definitions of targets",
     false, false},
    {"f1-md-one-target", F1_TEXT "[@]: /~\\n\\n", "[@]", "", F1_TEXT_END, "one long target of many links", false,
     false},
    {"f1-md-quoted-tags", F1_TEXT "@^<a b='^", "<a b=\\\"@", "", F1_TEXT_END, "tags in values of tags", false, false},
    {"f1-md-headings", F1_TEXT, "#\\n@\\n=\\n", "", F1_TEXT_END, "headings that say nothing", false, false},
    {"f1-md-targets", F1 "",
     "{\"role\":\"@\",\"items\":[{\"type\":\"text\",\"text\":\"[a]: /" HUNDRED("u") "\\n\\n" TEN("[a] ") "\"}]}", ",",
     F1_END, "one target of many links", false, false},
    {"f1-authors", F1 "", "{\"role\":\"user\",\"name\":\"@#\"}", ",", F1_END, "a name for each message", false, false},
    {"f1-deep-arguments", F1 "",
     "{\"role\":\"a\",\"items\":[{\"type\":\"call\",\"id\":\"@#\",\"function\":\"f\",\"arguments\":{\"a\":" HUNDRED("[")
         HUNDRED("]") "}}]}",
     ",", F1_END, "arguments near the limit of depth, each on a line of its own", false, false},
    /* JSON in strings */
    {"sk-history-string", "{\"Participants\":[],\"Channels\":[],\"History\":\"[",
     "{\\\"Role\\\":{\\\"Label\\\":\\\"@\\\"}}", ",", "]\"}", "the history in a string", false, false},
    {"sk-strings-in-strings",
     "{\"Participants\":[],\"History\":[],\"Channels\":[{\"ChannelKey\":\"k\",\"ChannelType\":\"" AGGREGATOR_TYPE
     "\",\"ChannelState\":\"{\\\"Participants\\\":[],\\\"Channels\\\":[],\\\"History\\\":\\\"[",
     "{\\\\\\\"Role\\\\\\\":\\\\\\\"@\\\\\\\"}", ",", "]\\\"}\"}]}", "a history in a string in a chat in a string",
     false, false},
    {"sk-states-in-strings", SK SK_AFTER_HISTORY,
     "{\"ChannelKey\":\"k#\",\"ChannelType\":\"" HISTORY_TYPE
     "\",\"ChannelState\":\"[{\\\"Role\\\":{\\\"Label\\\":\\\"@\\\"}}]\"}",
     ",", "]}", "states in strings", false, false},
    {"sk-sidecar", SK "",
     "{\"Role\":{\"Label\":\"u\"},\"Items\":[],\"agentchat\":{\"id\":\"@#\",\"extras\":[{\"name\":\"x\",\"value\":1}]}"
     "}",
     ",", SK_END, "sidecars", false, false},
    {"sk-sidecar-extras", SK "{\"Role\":{\"Label\":\"u\"},\"Items\":[],\"agentchat\":{\"extras\":[",
     "{\"at\":#,\"name\":\"@#\",\"value\":1}", ",", "]}}" SK_END, "extras with one position", false, false},
    {"sk-sidecar-nulls", "{\"Participants\":[],\"Channels\":[],\"History\":[],\"agentchat\":{\"nulls\":[", "#", ",",
     "]}}", "positions of null messages", false, false},
    {"sk-sidecar-channels", "{\"Participants\":[],\"Channels\":[],\"History\":[],\"agentchat\":{\"channels\":[",
     "{\"at\":#,\"channel\":{\"ChannelKey\":\"@#\",\"ChannelState\":\"s\"}}", ",", "]}}",
     "channels that were left out, at one position", false, false},
    {"sk-sidecar-absent", SK "{\"Role\":{\"Label\":\"u\"},\"agentchat\":{\"absent\":[", "\"role\"", ",", "]}}" SK_END,
     "absent fields again and again", false, false},
};
const size_t family_count = sizeof(families) / sizeof(families[0]);

const family *family_find(const char *name)
{
    for (size_t i = 0; i < family_count; i++)
        if (strcmp(families[i].name, name) == 0)
            return &families[i];
    return NULL;
}

/* Writes the text so often that it takes `fill` bytes at most. */
static size_t repeat(const char *text, size_t len, size_t fill, char **out)
{
    size_t all = fill / len * len;

    for (size_t at = 0; *out != NULL && at < all; at += len, *out += len)
        memcpy(*out, text, len);
    return all;
}

/* What placeholders stand for. */
typedef struct filling {
    size_t number, fill, repeats;
    char letter;
} filling;

static size_t expand(const char *text, const filling *with, char **out);

/* What stands between two `|`, of which the first is at `text`, again and again. Returns its length once. */
static size_t expand_repeated(const char *text, const filling *with, char **out, size_t *len)
{
    char once[512];
    size_t n = strcspn(text + 1, "|");

    memcpy(once, text + 1, n);
    once[n] = '\0';
    for (filling one = *with; one.number < with->repeats; one.number++)
        *len += expand(once, &one, out);
    return n;
}

/* Writes the text with its placeholders filled in to *out, which moves on; only counts while *out is NULL. */
static size_t expand(const char *text, const filling *with, char **out)
{
    size_t len = 0;

    for (; *text != '\0'; text++) {
        char digits[24] = "";
        size_t n = *text == '~' ? with->fill : 1;

        if (*text == '^') {
            const char *close = strchr(text + 1, '^');

            len += repeat(text + 1, (size_t)(close - text - 1), with->fill, out);
            text = close;
            continue;
        }
        if (*text == '|') {
            text += expand_repeated(text, with, out, &len) + 1;
            continue;
        }
        if (*text == '#' || *text == '&')
            n = (size_t)snprintf(digits, sizeof(digits), "%zu", *text == '#' ? with->number : with->repeats);
        len += n;
        if (*out == NULL)
            continue;
        if (digits[0] != '\0')
            memcpy(*out, digits, n);
        else
            memset(*out, *text == '@' || *text == '~' ? with->letter : *text, n);
        *out += n;
    }
    return len;
}

/* How often the part of a head between two `|` fills half of the size. */
static size_t repeats_of(const char *head, size_t size)
{
    const char *part = strchr(head, '|');

    return part != NULL ? size / 2 / strcspn(part + 1, "|") : 0;
}

char *family_make(const family *f, size_t size, char letter, size_t *out_len)
{
    filling head = {0, size / 2, repeats_of(f->head, size), letter};
    filling with = {0, size / 128, head.repeats, letter};
    size_t count = 0, len;
    char *end = NULL, *text;

    len = expand(f->head, &head, &end) + strlen(f->tail);
    while (count == 0 || len < size) {
        len += count > 0 ? strlen(f->join) : 0;
        with.number = count++;
        len += expand(f->piece, &with, &end);
    }
    text = end = malloc(len + 1);
    if (text == NULL)
        return NULL;
    (void)expand(f->head, &head, &end);
    for (with.number = 0; with.number < count; with.number++) {
        if (with.number > 0)
            (void)expand(f->join, &with, &end);
        (void)expand(f->piece, &with, &end);
    }
    (void)expand(f->tail, &with, &end);
    *end = '\0';
    *out_len = len;
    return text;
}
