/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/base/sha256.c and ids.c. */
#include "support/test_support.h"

#include "base/ids.h"
#include "base/sha256.h"
#include <time.h>

static void assert_digest(const unsigned char digest[32], const char *hex)
{
    char text[65];

    for (size_t i = 0; i < 32; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    assert_string_equal(text, hex);
}

static void test_sha256__knows_the_standard_vectors(void **state)
{
    unsigned char digest[32];

    (void)state;
    assert_true(aci_sha256_of("", 0, digest));
    assert_digest(digest, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_true(aci_sha256_of(NULL, 0, digest));
    assert_digest(digest, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_true(aci_sha256_of("abc", 3, digest));
    assert_digest(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void test_sha256__pieces_give_the_digest_of_the_whole(void **state)
{
    static const char text[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    unsigned char digest[32];
    aci_sha256 sha;

    (void)state;
    assert_true(aci_sha256_begin(&sha));
    for (size_t i = 0; text[i] != '\0'; i++)
        assert_true(aci_sha256_add(&sha, text + i, 1));
    assert_true(aci_sha256_add(&sha, NULL, 0));
    assert_true(aci_sha256_end(&sha, digest));
    assert_digest(digest, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    assert_null(sha.context);
    assert_false(aci_sha256_add(&sha, "x", 1));
    assert_false(aci_sha256_end(&sha, digest));
    assert_true(aci_sha256_begin(&sha));
    assert_true(aci_sha256_end(&sha, NULL));
}

static int counting_random(void *user, void *bytes, size_t size)
{
    unsigned char *next = user, *out = bytes;

    for (size_t i = 0; i < size; i++)
        out[i] = (unsigned char)(*next + i);
    *next = (unsigned char)(*next + size);
    return 0;
}

static int failing_random(void *user, void *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return 1;
}

static int64_t fixed_clock(void *user)
{
    return *(unsigned char *)user;
}

static void test_id__is_a_random_uuid(void **state)
{
    char a[ACI_ID_LEN + 1], b[ACI_ID_LEN + 1];
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    test_ok(aci_id_new(NULL, a, &err), &err);
    test_ok(aci_id_new(NULL, b, &err), &err);
    assert_string_not_equal(a, b);
    assert_int_equal(strlen(a), ACI_ID_LEN);
    for (size_t i = 0; i < ACI_ID_LEN; i++) {
        if (i == 8 || i == 13 || i == 18 || i == 23)
            assert_int_equal(a[i], '-');
        else
            assert_non_null(strchr("0123456789abcdef", a[i]));
    }
    assert_int_equal(a[14], '4');
    assert_non_null(strchr("89ab", a[19]));
}

static void test_id__comes_from_the_environment(void **state)
{
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    unsigned char next = 0xF0;
    char id[ACI_ID_LEN + 1];
    agentchat_error err;
    agentchat_env *env;

    (void)state;
    options.random = counting_random;
    options.now_us = fixed_clock;
    options.user = &next;
    env = test_env(&options);
    agentchat_error_clear(&err);
    test_ok(aci_id_new(env, id, &err), &err);
    assert_string_equal(id, "f0f1f2f3-f4f5-46f7-b8f9-fafbfcfdfeff");
    next = 77;
    assert_true(aci_now_us(env) == 77);
    agentchat_env_free(env);

    options.random = failing_random;
    env = test_env(&options);
    test_fails(aci_id_new(env, id, &err), &err, AGENTCHAT_E_INTERNAL, "", "random bytes");
    assert_string_equal(id, "");
    agentchat_env_free(env);
}

static void test_clock__is_the_systems_by_default(void **state)
{
    int64_t before = (int64_t)time(NULL) * 1000000, now = aci_now_us(NULL);

    (void)state;
    assert_true(now >= before - 1000000 && now < before + 60000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256__knows_the_standard_vectors),
        cmocka_unit_test(test_sha256__pieces_give_the_digest_of_the_whole),
        cmocka_unit_test(test_id__is_a_random_uuid),
        cmocka_unit_test(test_id__comes_from_the_environment),
        cmocka_unit_test(test_clock__is_the_systems_by_default),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
