/* SPDX-License-Identifier: Apache-2.0 */
/* The check of pages itself, which the other tests and the fuzz targets rely on. */
#include "page_test.h"

/* A page in which one thing is replaced is refused: what finds no fault must be able to find one. */
static void test_page__faults_are_found(void **state)
{
    static const struct {
        const char *instead_of, *put, *fault;
    } cases[] = {
        {"<!DOCTYPE", "<!DOCTIPE", "no HTML"},
        {"<main ", "<mine ", "an element that is none of the library's"},
        {"</main>", "</nav>", "an end of what is not open"},
        {"<p class=\"by\">", "<b class=\"by\">", "an end of what is not open"},
        {"<p class=\"by\">", "<p style=\"by\">", "an attribute that is none of the library's"},
        {"<p class=\"by\">", "<p class=by>", "a value without quotes"},
        {"<p class=\"by\">", "<p class=\"B\">", "a value that is none of the library's"},
        {" href=\"#m0\"", " href=\"x:m0\"", "an address that is none of the library's"},
        {" href=\"#m0\"", " href=\"#m9\"", "a link that leads nowhere"},
        {" id=\"m1\"", " id=\"m0\"", "an id that is there twice"},
        {" src=\"data:", " src=\"http:", "an address that is none of the library's"},
        {" src=\"data:image", " src=\"data:text/", "an address that is no data"},
        {";base64,QUJD\"", ";base64,\"QUJD", "a tag that does not end"},
        {";base64,QUJD\"", ";base65,QUJD\"", "an address that is no data"},
        {"hello", "hel<o", "an element that is none of the library's"},
        {"hello", "hel>o", "a character that is written as a reference"},
        {"hello", "h&llo", "a character reference that is none of the library's"},
        {"hello", "h\x1Bllo", "a character that would not be seen"},
        {"hello", "he\xE2\x80\xAE", "a character that would not be seen"},
        {"hello", "h\xFFllo", "no UTF-8"},
        {"hello", "<br> ", "an element that is none of the library's"},
        {"<em>", "<hr>", "a block inside of what holds phrases"},
        {"\"use strict\"", "\"use Strict\"", "a style or script that is none of the library's"},
        {"</html>", "<html>", "the page is not complete"},
    };
    agentchat_snapshot *chat =
        read_text(CHAT(TEXT("user", "hello") ",{\"role\":\"a\",\"items\":[{\"type\":\"text\",\"text\":\"*hi*\"}," DATA(
                           "image", "image/png", "QUJD") "]}",
                       ""));
    agentchat_bytes page = page_of(chat, NULL);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t len = strlen(cases[i].instead_of), put_len = strlen(cases[i].put), before, at;
        char *changed = malloc(page.len + put_len + 1), *match = strstr(page.ptr, cases[i].instead_of);
        const char *fault;

        assert_non_null(match);
        before = (size_t)(match - page.ptr);
        memcpy(changed, page.ptr, before);
        memcpy(changed + before, cases[i].put, put_len);
        memcpy(changed + before + put_len, match + len, page.len - before - len);
        fault = page_fault(changed, page.len - len + put_len, PAGE_OF_CHAT, &at);
        assert_string_equal(fault != NULL ? fault : "none", cases[i].fault);
        free(changed);
    }
    agentchat_bytes_clear(&page);
    agentchat_snapshot_unref(chat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page__faults_are_found),
    };

    return cmocka_run_group_tests_name("page_check", tests, NULL, NULL);
}
