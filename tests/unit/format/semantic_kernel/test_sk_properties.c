/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a conversion changes it says: every name that the format knows, in every letter case, as an unknown property and
 * as an extra of format 1, on every kind of object, through both ways to write. Either the digest stays, or the report
 * has the loss, and what we write we read. Names come from the tables of the reader, so a new one is tried as well.
 */
#include "sk_test.h"

#include "format/semantic_kernel/properties.h"

/* ---- objects -------------------------------------------------------------------------------------------------- */

typedef struct object_case {
    const aci_sk_table *table; /* NULL: that of an item's kind */
    const char *before, *members, *after;
    agentchat_item_kind kind;
} object_case;

#define HEAD "{\"Participants\":[],\"History\":["
#define TAIL "],\"Channels\":[]}"
#define TEXT_ITEM "{\"$type\":\"TextContent\",\"Text\":\"t\"}"
#define PLAIN_MESSAGE "{\"Role\":{\"Label\":\"user\"},\"Items\":[" TEXT_ITEM "]}"
#define PARTICIPANT "{\"Participants\":[", "],\"History\":[],\"Channels\":[]}"
#define CHANNEL_HEAD "{\"Participants\":[],\"History\":[" PLAIN_MESSAGE "],\"Channels\":["
#define CHANNEL_TAIL "]}"
#define HISTORY_CHANNEL                                                                                                \
    "\"ChannelKey\":\"k\",\"ChannelType\":\"Microsoft.SemanticKernel.Agents.ChatHistoryChannel\",\"ChannelState\":"
#define NESTED_HEAD                                                                                                    \
    CHANNEL_HEAD "{\"ChannelKey\":\"k\",\"ChannelType\":\"Microsoft.SemanticKernel.Agents.AggregatorChannel\","        \
                 "\"ChannelState\":"
#define ITEM_HEAD HEAD "{\"Role\":{\"Label\":\"user\"},\"Items\":["
#define ITEM_TAIL "]}" TAIL
#define BASE "\"MimeType\":\"m/t\",\"ModelId\":\"m\",\"Metadata\":{\"a\":1}"
#define FULL_MESSAGE                                                                                                   \
    "\"AuthorName\":\"a\",\"Role\":{\"Label\":\"user\"},\"Items\":[" TEXT_ITEM "],\"ModelId\":\"m\",\"MimeType\":"     \
    "\"m/t\",\"Metadata\":{\"a\":1}"
#define ITEM(kind, members)                                                                                            \
    {                                                                                                                  \
        NULL, ITEM_HEAD, members, ITEM_TAIL, AGENTCHAT_ITEM_##kind                                                     \
    }

static const object_case objects[] = {
    {&aci_sk_root, "", "\"Participants\":[],\"History\":[" PLAIN_MESSAGE "],\"Channels\":[]", "", 0},
    {&aci_sk_root, "", "\"History\":[]", "", 0},
    {&aci_sk_root, NESTED_HEAD, "\"Participants\":[],\"History\":[" PLAIN_MESSAGE "],\"Channels\":[]", "}]}", 0},
    {&aci_sk_participant, "{\"Participants\":[", "", "],\"History\":[],\"Channels\":[]}", 0},
    {&aci_sk_participant, "{\"Participants\":[", "\"Id\":\"i\",\"Name\":\"n\",\"Type\":\"T\"",
     "],\"History\":[],\"Channels\":[]}", 0},
    {&aci_sk_channel, CHANNEL_HEAD, "", CHANNEL_TAIL, 0},
    {&aci_sk_channel, CHANNEL_HEAD, "\"ChannelKey\":\"k\",\"ChannelType\":\"T\",\"ChannelState\":\"s\"", CHANNEL_TAIL,
     0},
    {&aci_sk_channel, CHANNEL_HEAD, HISTORY_CHANNEL "[" PLAIN_MESSAGE "]", CHANNEL_TAIL, 0},
    {&aci_sk_message, HEAD, "", TAIL, 0},
    {&aci_sk_message, HEAD, FULL_MESSAGE, TAIL, 0},
    {&aci_sk_message, HEAD, "\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[]", TAIL, 0},
    {&aci_sk_message, "[", "\"Role\":{\"Label\":\"user\"}", "]", 0},
    {&aci_sk_message, "[", FULL_MESSAGE, "]", 0},
    {&aci_sk_message, CHANNEL_HEAD "{" HISTORY_CHANNEL "[", FULL_MESSAGE, "]}" CHANNEL_TAIL, 0},
    {&aci_sk_message, NESTED_HEAD "{\"Participants\":[],\"History\":[", "\"Items\":[]", "],\"Channels\":[]}}]}", 0},
    ITEM(MESSAGE, ""),
    ITEM(MESSAGE, FULL_MESSAGE),
    ITEM(TEXT, ""),
    ITEM(TEXT, "\"Text\":\"t\"," BASE),
    ITEM(IMAGE, ""),
    ITEM(IMAGE, "\"Uri\":\"https://a/b\"," BASE ",\"Data\":\"AAEC\""),
    ITEM(AUDIO, "\"Data\":\"AAEC\""),
    ITEM(BINARY, "\"Uri\":\"https://a/b\""),
    ITEM(CALL, ""),
    ITEM(CALL,
         "\"Id\":\"i\",\"PluginName\":\"p\",\"FunctionName\":\"f\",\"Arguments\":{\"a\":1},\"Exception\":{}," BASE),
    ITEM(RESULT, ""),
    ITEM(RESULT, "\"CallId\":null"),
    ITEM(RESULT, "\"CallId\":\"i\",\"PluginName\":\"p\",\"FunctionName\":\"f\",\"Result\":1," BASE),
    ITEM(ANNOTATION, ""),
    ITEM(ANNOTATION,
         "\"Kind\":{\"Label\":\"k\"},\"Label\":\"l\",\"ReferenceId\":\"r\",\"Title\":\"t\",\"StartIndex\":1,"
         "\"EndIndex\":2," BASE),
    ITEM(FILE, ""),
    ITEM(FILE, "\"FileId\":\"f\",\"Tools\":[\"a\"]," BASE),
    ITEM(REASONING, "\"Text\":\"t\""),
    ITEM(ACTION, "\"Text\":\"t\""),
    {NULL, ITEM_HEAD, "\"$type\":\"Hologram\",\"x\":1", ITEM_TAIL, AGENTCHAT_ITEM_OPAQUE},
};

/* One value of each kind that some property takes, and what would be taken for a sidecar. */
static const char *const values[] = {"\"x\"",
                                     "5",
                                     "null",
                                     "{\"Label\":\"y\"}",
                                     "[" TEXT_ITEM "]",
                                     "\"AAEC\"",
                                     "\"data:text/plain;base64,AAEC\"",
                                     "{\"turn\":1}",
                                     "{\"role\":\"system\",\"text\":\"q\"}"};
enum { VALUES = sizeof values / sizeof *values };

/* ---- what must hold ------------------------------------------------------------------------------------------- */

static size_t tried, lost;

static void digest(const agentchat_snapshot *snapshot, char out[AGENTCHAT_DIGEST_LEN + 1])
{
    agentchat_error err;

    test_ok(agentchat_snapshot_digest(snapshot, true, out, &err), &err);
}

static agentchat_bytes write_as(const agentchat_snapshot *snapshot, const char *format)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    options.format = format;
    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, NULL, &err), &err);
    return bytes;
}

static agentchat_snapshot *read_any(const agentchat_bytes *bytes)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    if (agentchat_snapshot_read_memory(NULL, (agentchat_str){bytes->ptr, bytes->len}, NULL, &snapshot, NULL, &err) < 0)
        fail_msg("what was written cannot be read: %s\n%s", err.message, bytes->ptr);
    return snapshot;
}

/* Reads what was written; everything that the sidecar says must count. */
static agentchat_snapshot *read_accepted(const agentchat_bytes *bytes)
{
    agentchat_report *report = NULL;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    if (sk_try_read((agentchat_str){bytes->ptr, bytes->len}, &snapshot, &report, &err) < 0)
        fail_msg("what was written cannot be read: %s\n%s", err.message, bytes->ptr);
    for (size_t i = 0; i < agentchat_report_count(report); i++)
        if (sk_has(agentchat_report_at(report, i)->text, "agentchat says"))
            fail_msg("what was written is not believed\n%s", bytes->ptr);
    agentchat_report_free(report);
    return snapshot;
}

static size_t extras_in(const agentchat_bytes *ours)
{
    size_t count = 0;

    for (const char *p = ours->ptr; (p = strstr(p, "\"from\":\"semantic-kernel\",\"name\"")) != NULL; p++)
        count++;
    return count;
}

/* What the digest does not cover: null and absent are alike in strict mode, but all extras of the envelope stay. */
static bool same_text(const agentchat_snapshot *a, const agentchat_snapshot *b, bool strict)
{
    agentchat_bytes left = write_as(a, "agentchat"), right = write_as(b, "agentchat");
    bool same = strict ? extras_in(&left) == extras_in(&right) : strcmp(left.ptr, right.ptr) == 0;

    if (!same)
        print_message("%s\n%s\n", left.ptr, right.ptr);
    agentchat_bytes_clear(&left);
    agentchat_bytes_clear(&right);
    return same;
}

static void check_fails_on_loss(const agentchat_snapshot *snapshot, bool strict, size_t losses)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_report *report;

    options.format = "semantic-kernel";
    options.strict = strict;
    options.fail_on_loss = true;
    assert_int_equal(agentchat_snapshot_write_memory(snapshot, &options, &bytes, &report, NULL),
                     losses > 0 ? AGENTCHAT_E_LOSS : AGENTCHAT_OK);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS), losses); /* each of them */
    agentchat_report_free(report);
    agentchat_bytes_clear(&bytes);
}

/* Through the format and back. */
static void check_written(const agentchat_snapshot *snapshot, const char *source, bool strict)
{
    char before[AGENTCHAT_DIGEST_LEN + 1], after[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_report *report = NULL;
    agentchat_bytes bytes = sk_write(snapshot, strict, &report), again;
    agentchat_snapshot *back = read_accepted(&bytes);
    size_t losses = agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS);

    digest(snapshot, before);
    digest(back, after);
    if (losses == 0 && (strcmp(before, after) != 0 || !same_text(snapshot, back, strict)))
        fail_msg("%s: changed without a loss\n%s\n%s", strict ? "strict" : "default", source, bytes.ptr);
    for (size_t i = 0; !strict && i < agentchat_report_count(report); i++) /* there is a location for everything */
        if (agentchat_report_at(report, i)->kind == AGENTCHAT_REPORT_LOSS &&
            !sk_has(agentchat_report_at(report, i)->path, "/participants/"))
            fail_msg("default mode loses something\n%s\n%s", source, bytes.ptr);
    again = sk_write(back, strict, NULL);
    if (again.len != bytes.len || memcmp(again.ptr, bytes.ptr, bytes.len) != 0)
        fail_msg("%s: written another way the second time\n%s\n%s\n%s", strict ? "strict" : "default", source,
                 bytes.ptr, again.ptr);
    check_fails_on_loss(snapshot, strict, losses);
    tried++;
    lost += losses > 0;
    agentchat_bytes_clear(&again);
    agentchat_bytes_clear(&bytes);
    agentchat_report_free(report);
    agentchat_snapshot_unref(back);
}

/* Through one of the native formats; the snapshot that comes out. */
static agentchat_snapshot *through(const agentchat_snapshot *snapshot, const char *format)
{
    char before[AGENTCHAT_DIGEST_LEN + 1], after[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_bytes bytes = write_as(snapshot, format);
    agentchat_snapshot *back = read_any(&bytes);

    digest(snapshot, before);
    digest(back, after);
    assert_string_equal(before, after);
    agentchat_bytes_clear(&bytes);
    return back;
}

static void check(const agentchat_snapshot *snapshot, const char *source, bool all_formats)
{
    check_written(snapshot, source, true);
    check_written(snapshot, source, false);
    if (all_formats) {
        agentchat_snapshot *ours = through(snapshot, "agentchat");
        agentchat_snapshot *encoded = through(ours, "agentchat-encoded");

        check_written(encoded, source, true);
        check_written(encoded, source, false);
        agentchat_snapshot_unref(ours);
        agentchat_snapshot_unref(encoded);
    }
}

/* ---- documents ------------------------------------------------------------------------------------------------ */

enum { ROOM = 4096 };

/* The object with further members at its end or, before its own, at its beginning. */
static void compose(char out[ROOM], const object_case *o, const char *more, bool at_end)
{
    const char *type = o->kind != 0 ? aci_sk_type_name(o->kind) : NULL;
    const char *first = at_end ? o->members : more, *second = at_end ? more : o->members;
    int len = snprintf(out, ROOM, "%s{%s%s%s%s%s%s}%s", o->before, type != NULL ? "\"$type\":\"" : "",
                       type != NULL ? type : "", type != NULL ? "\"," : "", first,
                       *first != '\0' && *second != '\0' ? "," : "", second, o->after);

    assert_in_range(len, 1, ROOM - 1); /* more is never empty */
}

/* A member as an unknown property of a file of Semantic Kernel's. */
static void try_property(const object_case *o, const char *member, bool all_formats)
{
    for (int at_end = 0; at_end < 2; at_end++) {
        agentchat_snapshot *snapshot;
        char document[ROOM];

        compose(document, o, member, at_end != 0);
        if (sk_try_read(agentchat_str_from(document), &snapshot, NULL, NULL) < 0)
            continue; /* as it stands it is none of the format's */
        check(snapshot, document, all_formats);
        agentchat_snapshot_unref(snapshot);
    }
}

/* The same as an extra in format 1: the object is written there with an extra, whose name and value are replaced. */
static void try_extra(const object_case *o, const char *ours, const char *name, const char *value, bool all_formats)
{
    static const char marker[] = "\"name\":\"zz-marker\",\"value\":0";
    const char *at = strstr(ours, marker);
    agentchat_snapshot *snapshot;
    char document[ROOM];
    agentchat_bytes bytes;
    int len;

    (void)o;
    assert_non_null(at);
    len = snprintf(document, sizeof document, "%.*s\"name\":\"%s\",\"value\":%s%s", (int)(at - ours), ours, name, value,
                   at + strlen(marker));
    assert_in_range(len, 1, ROOM - 1);
    bytes = (agentchat_bytes){.ptr = document, .len = (size_t)len};
    snapshot = read_any(&bytes);
    check(snapshot, document, all_formats);
    agentchat_snapshot_unref(snapshot);
}

/* ---- names ---------------------------------------------------------------------------------------------------- */

typedef enum spelling { EXACT, LOWER, UPPER, OTHER, ESCAPED, SPELLINGS } spelling;

static void spell(char out[256], const char *name, spelling how)
{
    size_t len = strlen(name);

    assert_in_range(len, 1, 100);
    if (how == ESCAPED) { /* another letter case, and its first letter by number */
        snprintf(out, 256, "\\u00%02x%s", (unsigned)(unsigned char)name[0] ^ 0x20u, name + 1);
        return;
    }
    snprintf(out, 256, "%s", name);
    for (size_t i = 0; i < len; i++) {
        bool letter = (out[i] | 0x20) >= 'a' && (out[i] | 0x20) <= 'z';

        if (letter && how == LOWER)
            out[i] = (char)(out[i] | 0x20);
        else if (letter && how == UPPER)
            out[i] = (char)(out[i] & ~0x20);
        else if (letter && how == OTHER && i == 0)
            out[i] = (char)(out[i] ^ 0x20);
    }
}

static void try_name(const object_case *o, const char *ours, const char *name, bool known)
{
    for (int how = 0; how < SPELLINGS; how++) {
        bool thorough = known && how <= LOWER;

        if (!known && how > LOWER)
            break;
        for (size_t i = 0; i < VALUES; i++) {
            char member[512], spelled[256];

            if (!thorough && i != 0 && i != VALUES - 1 && !(known && i == VALUES / 2))
                continue;
            spell(spelled, name, (spelling)how);
            snprintf(member, sizeof member, "\"%s\":%s", spelled, values[i]);
            try_property(o, member, thorough && i == 0);
            if (ours != NULL)
                try_extra(o, ours, spelled, values[i], thorough && i == 0);
        }
    }
}

/* Two properties of one name, in any two spellings and of any two values. */
static void try_pairs(const object_case *o, const char *name)
{
    enum { WAYS = 6 };

    for (int first = 0; first < WAYS; first++) {
        for (int second = 0; second < WAYS; second++) {
            char member[1024], one[256], other[256];

            spell(one, name, first < WAYS / 2 ? EXACT : LOWER);
            spell(other, name, second < WAYS / 2 ? EXACT : LOWER);
            snprintf(member, sizeof member, "\"%s\":%s,\"%s\":%s", one, values[first % (WAYS / 2)], other,
                     values[second % (WAYS / 2)]);
            try_property(o, member, false);
        }
    }
}

static void try_table(const object_case *o, const char *ours, const aci_sk_table *table, bool known)
{
    for (size_t i = 0; i < table->count; i++) {
        try_name(o, ours, table->props[i].name, known);
        if (known)
            try_pairs(o, table->props[i].name);
        if (table->props[i].alias != NULL)
            try_name(o, ours, table->props[i].alias, known);
    }
}

/* The object in format 1, with an extra to be replaced. NULL: that format keeps what is unknown inside the item. */
static char *in_format_1(const object_case *o)
{
    char document[ROOM], *ours;
    agentchat_snapshot *snapshot;
    agentchat_bytes bytes;

    compose(document, o, "\"zz-marker\":0", true);
    snapshot = sk_read(document);
    bytes = write_as(snapshot, "agentchat");
    ours = o->kind != AGENTCHAT_ITEM_OPAQUE ? strdup(bytes.ptr) : NULL;
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
    return ours;
}

static void test_sk_properties__what_a_conversion_changes_it_says(void **state)
{
    static const aci_sk_table *const envelope[] = {&aci_sk_root, &aci_sk_participant, &aci_sk_channel, &aci_sk_message,
                                                   &aci_sk_nested_message};

    (void)state;
    tried = lost = 0;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        const object_case *o = &objects[i];
        const aci_sk_table *exact = o->table != NULL ? o->table : aci_sk_item_table(o->kind);
        char *ours = in_format_1(o);

        try_table(o, ours, exact, true);
        for (size_t n = 0; n < sizeof envelope / sizeof *envelope; n++)
            try_table(o, ours, envelope[n], false);
        for (int kind = 1; kind <= AGENTCHAT_ITEM_OPAQUE; kind++)
            if (aci_sk_item_table((agentchat_item_kind)kind) != exact)
                try_table(o, ours, aci_sk_item_table((agentchat_item_kind)kind), false);
        try_name(o, ours, "$type", true);
        free(ours);
    }
    print_message("%zu conversions, %zu with a loss\n", tried, lost);
    assert_true(tried > 10000 && lost > 1000 && lost < tried / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sk_properties__what_a_conversion_changes_it_says)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
