/* SPDX-License-Identifier: Apache-2.0 */
/* Connections that threads share, and waiting for one. */
#include "mock_driver.h"
#include <pthread.h>
#include <time.h>

static agentchat_status linger(aci_tx *tx, void *user, agentchat_error *err)
{
    mock *p = user;
    struct timespec moment = {0, 2000000};
    int now = atomic_fetch_add(&p->in_use, 1) + 1;
    int most = atomic_load(&p->most_in_use);

    (void)tx;
    (void)err;
    while (now > most && !atomic_compare_exchange_weak(&p->most_in_use, &most, now))
        ;
    nanosleep(&moment, NULL);
    atomic_fetch_sub(&p->in_use, 1);
    return AGENTCHAT_OK;
}

static void *use_store(void *user)
{
    agentchat_store *store = user;
    agentchat_error err;

    for (int i = 0; i < 20; i++)
        if (aci_transact(store, false, linger, store->self, &err) < 0)
            return store;
    return NULL;
}

static void test_store__threads_share_at_most_so_many_connections(void **state)
{
    mock p = sound();
    agentchat_store *store = NULL;
    pthread_t threads[8];
    agentchat_error err;

    (void)state;
    test_ok(open_mock(&p, 10000, false, false, &store, &err), &err);
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_store, store), 0);
    for (int i = 0; i < 8; i++) {
        void *failed = NULL;

        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    assert_in_range(atomic_load(&p.most_in_use), 1, 2);
    agentchat_store_close(store);
    assert_int_equal(p.opened, p.closed);
}

static agentchat_status inside(aci_tx *tx, void *user, agentchat_error *err)
{
    agentchat_store *store = tx->store;

    (void)user;
    return store->most > 2 ? AGENTCHAT_OK : aci_transact(store, false, inside, NULL, err);
}

static void test_store__waiting_for_a_connection_ends(void **state)
{
    mock p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    test_ok(open_mock(&p, 30, false, false, &store, &err), &err);
    agentchat_error_clear(&err);
    test_fails(aci_transact(store, false, inside, NULL, &err), &err, AGENTCHAT_E_BUSY, NULL, "all 2 connections");
    agentchat_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store__threads_share_at_most_so_many_connections),
        cmocka_unit_test(test_store__waiting_for_a_connection_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
