/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/format/semantic_kernel/absolute_uri.c: what .NET 10's System.Uri decides, and what we decide where we
 * are more careful. */
#include "support/test_support.h"

#include "format/semantic_kernel/repair.h"

#define TEN "aaaaaaaaaa"
#define SIXTY TEN TEN TEN TEN TEN TEN

/* .NET takes them, and so do we. */
static const char *const absolute[] = {
    "https://e.com",
    "HTTPS://E.COM/a b?c#d",
    "https://e.com:65535/",
    "https://u@e.com",
    "https://u:p@[::1]:8/",
    "https://[2001:db8::ff00:42:8329]",
    "https://[1:2:3:4:5:6:7:8]/",
    "https://127.0.0.1/",
    "https://a-b.c_d.e",
    "https://\xC3\xA9.com/",
    "https://\xE4\xB8\xAD.com/",
    "https://e.com?x",
    "https://e.com#x",
    "https://" SIXTY "aaa/",
    "file:///x",
    "file://h/x",
    "ftp://e.com/x",
    "ws://e.com",
    "net.tcp://h/x",
    "urn:a:b",
    "cid:x",
    "xy:///x",
    "xy://h",
    "x+y-z.1:a",
    "tel:+1-816-555-1212",
};

/* .NET refuses them. */
static const char *const refused[] = {
    "",
    "x",
    "not a uri",
    "/a/b",
    "//e.com/",
    "http:",
    "http:x",
    "https://",
    "https:///x",
    "https://:80/",
    "https://u@",
    "https://e.com:99999/",
    "https://e.com:8a/",
    "https://a..b",
    "https://.a",
    "https://a b/",
    "https://a!b",
    "https://a%b",
    "https://a\\b@c",
    "https://a@b@c",
    "https://[]",
    "https://[1]",
    "https://[::g]",
    "https://[1::2::3]",
    "https://[1:2:3:4:5:6:7:8:9]",
    "https://[12345::]",
    "https://[::1",
    "https://\xC2\x85",
    "https://\xE3\x80\x82",
    "file:x",
    "file:/x",
    "file://u@h/",
    "file://h:80/",
    "ws:x",
    "wss:x",
    "ftp:x",
    "net.tcp:x",
    "net.pipe://x:1",
    "vsmacros:x",
    "gopher:",
    "nntp:",
    "telnet:",
    "ldap:",
    "a:b",
    "c:x",
    "1a:x",
    ":x",
};

/* .NET would take them; they are rejected, and kept in the sidecar. */
static const char *const more_careful[] = {
    "mailto:a@e.com",   "https://@e.com", "https://-a",      "https://[::1]x",         "file:////x",
    "data:,x",          "cid:/\\x",       "https://e.com./", "https://" SIXTY "aaaa/", "https://[fe80::1%25eth0]/",
    "net.tcp://h:808/",
};

static void check(const char *const *uris, size_t count, bool expected)
{
    for (size_t i = 0; i < count; i++)
        if (aci_sk_uri_is_absolute(agentchat_str_from(uris[i])) != expected)
            fail_msg("%s: not expected to be %s", uris[i], expected ? "refused" : "taken");
}

static void test_sk_absolute_uri__takes_what_dotnet_is_sure_to_take(void **state)
{
    (void)state;
    check(absolute, sizeof absolute / sizeof *absolute, true);
    check(refused, sizeof refused / sizeof *refused, false);
    check(more_careful, sizeof more_careful / sizeof *more_careful, false);
}

/* U+0000 ends no text, and no list of characters has it. */
static void test_sk_absolute_uri__nul_is_a_character(void **state)
{
    (void)state;
    assert_false(aci_sk_uri_is_absolute(AGENTCHAT_STR("https://h\0")));
    assert_false(aci_sk_uri_is_absolute(AGENTCHAT_STR("https://h\0x/")));
    assert_false(aci_sk_uri_is_absolute(AGENTCHAT_STR("https://u\0@h/")));
}

static void test_sk_absolute_uri__has_dotnets_lengths(void **state)
{
    static char text[66000];
    agentchat_str uri = {text, 0};

    (void)state;
    memset(text, 'a', sizeof text);
    memcpy(text, "https://e.com/", 14);
    uri.len = 65519;
    assert_true(aci_sk_uri_is_absolute(uri));
    uri.len++;
    assert_false(aci_sk_uri_is_absolute(uri));
    memset(text, 'a', sizeof text);
    text[1024] = ':';
    uri.len = 1030;
    assert_true(aci_sk_uri_is_absolute(uri));
    text[1024] = 'a';
    text[1025] = ':';
    assert_false(aci_sk_uri_is_absolute(uri));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sk_absolute_uri__takes_what_dotnet_is_sure_to_take),
        cmocka_unit_test(test_sk_absolute_uri__nul_is_a_character),
        cmocka_unit_test(test_sk_absolute_uri__has_dotnets_lengths),
    };

    return cmocka_run_group_tests_name("sk_uri", tests, NULL, NULL);
}
