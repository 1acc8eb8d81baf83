/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Channels of a file that does not say how much of the history they were given, as none of .NET's does: what is missing
 * is delivered, and the report says what had to be found out.
 *
 * Histories and channels are words of letters, each a message of one text: '.' is an empty text, which the receive
 * filter keeps from channels, a capital stands in no history, and a '*' before a letter gives the message metadata.
 */
#include "restore_test.h"

#define HISTORY_KEY "Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4="

/* The words as messages of a .NET file. */
static void add_messages(char *text, size_t size, const char *letters)
{
    const char *separator = "";

    for (; *letters != '\0'; letters++) {
        size_t len = strlen(text);
        bool has_metadata = *letters == '*';

        letters += has_metadata;
        snprintf(text + len, size - len,
                 "%s{%s\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"%.*s\"}]}",
                 separator, has_metadata ? "\"Metadata\":{\"n\":1}," : "", *letters == '.' ? 0 : 1, letters);
        separator = ",";
    }
}

static agentchat_snapshot *document(const char *history, const char *channel)
{
    static char text[65536];
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    snprintf(text, sizeof text, "{\"Participants\":[{\"Id\":\"h\",\"Name\":\"H\",\"Type\":\"%s\"}],\"History\":[",
             AGENTCHAT_TYPE_HISTORY_AGENT);
    add_messages(text, sizeof text, history);
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "],\"Channels\":[{\"ChannelKey\":\"%s\",\"ChannelType\":\"%s\",\"ChannelState\":[", HISTORY_KEY,
             AGENTCHAT_TYPE_HISTORY_CHANNEL);
    add_messages(text, sizeof text, channel);
    strncat(text, "]}]}", sizeof text - strlen(text) - 1);
    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), NULL, &snapshot, NULL, &err), &err);
    return snapshot;
}

/* The notes of a report, each followed by ";". */
static void notes_of(const agentchat_report *report, char *out, size_t size)
{
    out[0] = '\0';
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);

        if (entry->kind == AGENTCHAT_REPORT_NOTE)
            snprintf(out + strlen(out), size - strlen(out), AGENTCHAT_STR_FMT ": " AGENTCHAT_STR_FMT ";",
                     AGENTCHAT_STR_ARG(entry->path), AGENTCHAT_STR_ARG(entry->text));
    }
}

typedef struct example {
    const char *history, *channel;
    const char *seen;  /* texts of the channel after the next turn, which says "!" */
    const char *notes; /* NULL: none */
} example;

#define MISSING(n) "/channels/0: the channel lacks " n " of the history's messages; they are delivered to it;"
#define ASSUMED "/channels/0: how much of the history the channel was given is not known; all of it, it is assumed;"

static const example examples[] = {
    {"", "", "!;", NULL},
    {"", "X", "X;!;", NULL},
    {"abc", "abc", "a;b;c;!;", NULL},
    {"abc", "ab", "a;b;c;!;", MISSING("1")},
    {"abc", "", "a;b;c;!;", MISSING("3")},
    {"a.c", "ac", "a;c;!;", NULL},         /* the filter */
    {"ab..", "ab", "a;b;!;", NULL},        /* nothing that a channel takes is missing */
    {"ab..", "a", "a;b;!;", MISSING("1")}, /* what it does not take is not counted */
    {"..", "", "!;", NULL},                /* nor here */
    {"a.b", "a.b", "a;;b;!;", NULL},       /* an agent's own empty answer */
    {"abcd", "Scd", "S;c;d;!;", NULL},     /* reduced: a summary and the end */
    {"abcd", "Sb", "S;b;c;d;!;", MISSING("2")},
    {"abcd", "S", "S;!;", ASSUMED},                    /* nothing to compare */
    {"abcd", "abXYc", "a;b;X;Y;c;d;!;", MISSING("1")}, /* calls and results of its own */
    {"abcd", "abXcdY", "a;b;X;c;d;Y;!;", NULL},
    {"abab", "ab", "a;b;a;b;!;", MISSING("2")}, /* the first of several positions: nothing is to be missed */
    {"xabab", "ab", "a;b;!;", NULL},            /* the last one, where the list does not begin as the history does */
    {"abab", "aba", "a;b;a;b;!;", MISSING("1")},
    {"zabab", "zab", "z;a;b;a;b;!;", MISSING("2")}, /* but z stands there once */
    {"aaaa", "aa", "a;a;a;a;!;", MISSING("2")},
    {"*ab*c", "abc", "a;b;c;!;", NULL}, /* only one of them has metadata */
    {"*ab*cd", "abc", "a;b;c;d;!;", MISSING("1")},
};

static void test_position__what_is_missing_is_delivered(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const example *e = &examples[i];
        agentchat_snapshot *snapshot = document(e->history, e->channel);
        agentchat_chat *chat = test_chat_new(NULL);
        agentchat_report *report = NULL;
        agentchat_error err;
        char notes[1024];

        add_agent(chat, speaker(NULL, "H", "!"));
        test_ok(agentchat_chat_restore(chat, snapshot, NULL, &report, &err), &err);
        notes_of(report, notes, sizeof notes);
        if (strcmp(notes, e->notes != NULL ? e->notes : "") != 0)
            fail_msg("\"%s\" in \"%s\" has the notes %s", e->channel, e->history, notes);
        invoke(chat, "H");
        assert_channel_texts(chat, 0, e->seen);
        agentchat_report_free(report);
        agentchat_snapshot_unref(snapshot);
        agentchat_chat_free(chat);
    }
}

/* Kept by a reduced restore, claimed later: given what it lacked then, and what was said since. */
static void test_position__a_kept_channel_is_given_what_it_lacks(void **state)
{
    agentchat_snapshot *snapshot = document("abc", "ab");
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = NULL};
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    add_text(chat, "d");
    add_agent(chat, speaker(NULL, "H", "!"));
    invoke(chat, "H");
    assert_channel_texts(chat, 1, "a;b;c;d;!;");
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

/* A text says nothing about where it stands. */
static void test_position__other_states_are_taken_as_up_to_date(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = NULL};
    agentchat_agent *agent = mock_agent(NULL, "M", &m);
    agentchat_snapshot *history = document("ab", ""), *snapshot = NULL;
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, history);
    agentchat_report *report = NULL;
    agentchat_error err;
    char notes[1024];

    (void)state;
    agentchat_snapshot_builder_set_channel(b, agentchat_agent_channel_key(agent), AGENTCHAT_STR(MOCK_TYPE),
                                           AGENTCHAT_CHANNEL_TEXT, AGENTCHAT_STR("old;"), AGENTCHAT_SYNCED_UNKNOWN);
    test_ok(agentchat_snapshot_builder_finish(b, &snapshot, &err), &err);
    add_agent(chat, agent);
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, &report, &err), &err);
    notes_of(report, notes, sizeof notes);
    assert_non_null(strstr(notes, "/channels/1: how much of the history the channel was given is not known"));
    invoke(chat, "M");
    assert_string_equal(m.given, "");
    agentchat_report_free(report);
    agentchat_snapshot_unref(history);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static agentchat_status restore_lagging(const agentchat_env *env, void *context, agentchat_error *err)
{
    agentchat_chat *chat = test_chat_new(env);
    agentchat_status status = test_add_agent(chat, speaker(env, "H", "!"), err);

    if (status >= 0)
        status = agentchat_chat_restore(chat, context, NULL, NULL, err);
    agentchat_chat_free(chat);
    return status;
}

static void test_position__out_of_memory(void **state)
{
    agentchat_snapshot *snapshot = document("abcdef", "Sbd");

    (void)state;
    test_oom_sweep(restore_lagging, snapshot);
    agentchat_snapshot_unref(snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_position__what_is_missing_is_delivered),
        cmocka_unit_test(test_position__a_kept_channel_is_given_what_it_lacks),
        cmocka_unit_test(test_position__other_states_are_taken_as_up_to_date),
        cmocka_unit_test(test_position__out_of_memory),
    };

    return cmocka_run_group_tests_name("position", tests, NULL, NULL);
}
