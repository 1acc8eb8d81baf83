/* SPDX-License-Identifier: Apache-2.0 */
/* One snapshot and one environment in the hands of several threads: read, written, compared, digested, edited. */
#include "concurrency/crowd.h"

static size_t rounds = 1;

static const char *const files[] = {
    "data/golden/format-1/channels.json",
    "data/golden/format-1/items.json",
    "data/golden/format-1/nested-chat.json",
    "data/golden/format-1/extras.json",
    "interop/semantic-kernel/recorded/named/all-content-types.json",
    "interop/semantic-kernel/recorded/named/aggregator-two-levels.json",
    "interop/semantic-kernel/recorded/named/mixed-completion-and-thread.json",
};
enum { FILES = sizeof files / sizeof files[0] };

typedef struct shared {
    const agentchat_env *env;
    const agentchat_snapshot *snapshot, *other; /* other: of the next file */
    agentchat_str bytes;                        /* the snapshot as format 1 */
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    bool same_as_other;
} shared;

/* ---- looking ---------------------------------------------------------------------------------------------------- */

static size_t look_at_message(const agentchat_message *message)
{
    size_t sum = agentchat_message_role(message).len + agentchat_message_extra_count(message);

    for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
        const agentchat_item *item = agentchat_message_item(message, i);
        const agentchat_message *inner = agentchat_item_message(item);
        agentchat_str bytes = {NULL, 0}, base64 = {NULL, 0};
        agentchat_error err;

        sum += (size_t)agentchat_item_get_kind(item) + agentchat_item_get(item, AGENTCHAT_FIELD_TEXT).len;
        if (agentchat_item_bytes(item, &bytes, &err) < 0 || agentchat_item_base64(item, &base64, &err) < 0)
            return SIZE_MAX;
        sum += bytes.len + base64.len + (inner != NULL ? look_at_message(inner) : 0);
    }
    return sum;
}

/* A number made of everything a snapshot says. */
static size_t look_at_snapshot(const agentchat_snapshot *snapshot)
{
    size_t sum = agentchat_snapshot_next_turn(snapshot) + agentchat_snapshot_is_complete(snapshot);

    for (size_t i = 0; i < agentchat_messages_count(agentchat_snapshot_history(snapshot)); i++)
        sum += look_at_message(agentchat_messages_at(agentchat_snapshot_history(snapshot), i));
    for (size_t i = 0; i < agentchat_snapshot_participant_count(snapshot); i++)
        sum += agentchat_participant_id(agentchat_snapshot_participant(snapshot, i)).len;
    for (size_t i = 0; i < agentchat_snapshot_value_count(snapshot); i++)
        sum += agentchat_snapshot_value_name(snapshot, i).len;
    for (size_t i = 0; i < agentchat_snapshot_channel_count(snapshot); i++) {
        const agentchat_channel_state *channel = agentchat_snapshot_channel(snapshot, i);
        const agentchat_messages *seen = agentchat_channel_state_messages(channel);
        const agentchat_snapshot *inner = agentchat_channel_state_chat(channel);

        sum += agentchat_channel_state_data(channel).len + agentchat_channel_state_pending_count(channel);
        for (size_t j = 0; j < agentchat_messages_count(seen); j++)
            sum += look_at_message(agentchat_messages_at(seen, j));
        sum += inner != NULL ? look_at_snapshot(inner) : 0;
    }
    return sum;
}

/* ---- what each thread does --------------------------------------------------------------------------------------- */

static const char *write_and_read_back(const shared *s)
{
    agentchat_bytes written = {NULL, 0, 0, s->env};
    agentchat_snapshot *again = NULL;
    agentchat_write_options foreign = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_report *report = NULL;
    agentchat_error err;
    bool equal = false;

    CROWD_CHECK(agentchat_snapshot_write_memory(s->snapshot, NULL, &written, NULL, &err) == AGENTCHAT_OK);
    CROWD_CHECK(agentchat_str_equal((agentchat_str){written.ptr, written.len}, s->bytes));
    CROWD_CHECK(agentchat_snapshot_read_memory(s->env, s->bytes, NULL, &again, NULL, &err) == AGENTCHAT_OK);
    CROWD_CHECK(agentchat_snapshot_diff(s->snapshot, again, NULL, NULL, &equal, &err) == AGENTCHAT_OK && equal);
    agentchat_snapshot_unref(again);
    agentchat_bytes_clear(&written);
    foreign.format = "semantic-kernel";
    CROWD_CHECK(agentchat_snapshot_write_memory(s->snapshot, &foreign, &written, &report, &err) >= 0);
    for (size_t i = 0; i < agentchat_report_count(report); i++)
        CROWD_CHECK(agentchat_report_at(report, i)->text.len > 0);
    agentchat_report_free(report);
    agentchat_bytes_clear(&written);
    return NULL;
}

static const char *digest_and_compare(const shared *s)
{
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_error err;
    bool equal = !s->same_as_other;

    CROWD_CHECK(agentchat_snapshot_digest(s->snapshot, true, digest, &err) == AGENTCHAT_OK);
    CROWD_CHECK(strcmp(digest, s->digest) == 0);
    CROWD_CHECK(agentchat_snapshot_diff(s->snapshot, s->other, NULL, NULL, &equal, &err) == AGENTCHAT_OK);
    CROWD_CHECK(equal == s->same_as_other);
    return NULL;
}

/* A changed copy shares messages and channels with the snapshot, and outlives or predeceases it. */
static const char *edit(const shared *s, size_t number)
{
    agentchat_snapshot_builder *builder = test_snapshot_builder(s->env, s->snapshot);
    agentchat_snapshot *changed;
    agentchat_error err;
    char text[2] = {(char)('a' + number), '\0'};

    for (size_t i = 0; i < agentchat_messages_count(agentchat_snapshot_history(s->other)); i++)
        agentchat_snapshot_builder_add_message(builder, agentchat_messages_at(agentchat_snapshot_history(s->other), i));
    agentchat_snapshot_builder_set_value(builder, AGENTCHAT_STR("thread"), AGENTCHAT_STR("text/plain"),
                                         agentchat_str_from(text));
    CROWD_CHECK(agentchat_snapshot_builder_finish(builder, &changed, &err) == AGENTCHAT_OK);
    CROWD_CHECK(agentchat_messages_count(agentchat_snapshot_history(changed)) ==
                agentchat_messages_count(agentchat_snapshot_history(s->snapshot)) +
                    agentchat_messages_count(agentchat_snapshot_history(s->other)));
    CROWD_CHECK(look_at_snapshot(changed) != SIZE_MAX);
    agentchat_snapshot_unref(changed);
    return NULL;
}

static const char *use(void *user, size_t number)
{
    const shared *s = user;
    const agentchat_snapshot *mine = agentchat_snapshot_ref(s->snapshot);
    const char *complaint = NULL;
    size_t seen = look_at_snapshot(mine);

    CROWD_CHECK(seen != SIZE_MAX);
    for (size_t step = 0; step < 4 && complaint == NULL; step++) {
        switch ((step + number) % 4) {
        case 0:
            complaint = write_and_read_back(s);
            break;
        case 1:
            complaint = digest_and_compare(s);
            break;
        case 2:
            complaint = edit(s, number);
            break;
        default:
            CROWD_CHECK(look_at_snapshot(mine) == seen);
            break;
        }
    }
    agentchat_snapshot_unref(mine);
    agentchat_snapshot_unref(s->snapshot); /* that of this thread; the last one frees the snapshot */
    return complaint;
}

static void use_file(const agentchat_env *env, size_t file)
{
    agentchat_bytes bytes = {NULL, 0, 0, NULL};
    shared s = {.env = env};
    agentchat_error err;

    s.snapshot = crowd_snapshot(env, files[file]);
    s.other = crowd_snapshot(env, files[(file + 1) % FILES]);
    /* Once alone, from readings of their own, so that nothing made on demand is there before the threads come. */
    for (int fresh = 0; fresh < 2; fresh++) {
        agentchat_snapshot_unref(s.snapshot);
        s.snapshot = crowd_snapshot(env, files[file]);
        if (fresh == 0) {
            test_ok(agentchat_snapshot_write_memory(s.snapshot, NULL, &bytes, NULL, &err), &err);
            test_ok(agentchat_snapshot_digest(s.snapshot, true, s.digest, &err), &err);
            test_ok(agentchat_snapshot_diff(s.snapshot, s.other, NULL, NULL, &s.same_as_other, &err), &err);
        }
    }
    s.bytes = (agentchat_str){bytes.ptr, bytes.len};
    for (size_t i = 0; i < CROWD_THREADS; i++)
        agentchat_snapshot_ref(s.snapshot);
    agentchat_snapshot_unref(s.snapshot);
    crowd_run(use, &s);
    agentchat_snapshot_unref(s.other);
    agentchat_bytes_clear(&bytes);
}

static void test_snapshots__are_used_by_all_threads(void **state)
{
    agentchat_env *env = crowd_env();

    (void)state;
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < FILES; i++)
            use_file(env, i);
    crowd_env_end(env);
}

/* ---- references alone, where a lost count would be most likely --------------------------------------------------- */

static const char *count_references(void *user, size_t number)
{
    const shared *s = user;

    for (size_t i = 0; i < 2000; i++) {
        const agentchat_snapshot *mine = agentchat_snapshot_ref(s->snapshot);
        const agentchat_message *message =
            agentchat_message_ref(agentchat_messages_at(agentchat_snapshot_history(mine), number % 2));

        CROWD_CHECK(message != NULL);
        agentchat_snapshot_unref(mine);
        agentchat_message_unref(message);
    }
    agentchat_snapshot_unref(s->snapshot);
    return NULL;
}

/* A message that is held lives on when the snapshot that it came from has gone. */
static void test_snapshots__references_are_counted_by_all_threads(void **state)
{
    agentchat_env *env = crowd_env();

    (void)state;
    for (size_t round = 0; round < 5 * rounds; round++) {
        shared s = {.env = env, .snapshot = crowd_snapshot(env, files[0])};
        const agentchat_message *held =
            agentchat_message_ref(agentchat_messages_at(agentchat_snapshot_history(s.snapshot), 0));
        size_t text = agentchat_message_text(held).len;

        for (size_t i = 1; i < CROWD_THREADS; i++)
            agentchat_snapshot_ref(s.snapshot);
        crowd_run(count_references, &s);
        assert_int_equal(agentchat_message_text(held).len, text);
        agentchat_message_unref(held);
    }
    crowd_env_end(env);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snapshots__are_used_by_all_threads),
        cmocka_unit_test(test_snapshots__references_are_counted_by_all_threads),
    };

    rounds = crowd_rounds(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
