/* SPDX-License-Identifier: Apache-2.0 */
/* The proxy: one thread that hands on bytes between two sockets. */
#define _GNU_SOURCE /* asprintf, memmem */
#include "support/postgres/test_proxy.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { CHUNK = 65536 };

struct test_proxy {
    char *dir, *url;
    char server[sizeof((struct sockaddr_un *)NULL)->sun_path];
    char path[sizeof((struct sockaddr_un *)NULL)->sun_path];
    int listener;
    int wake[2]; /* closed to end the thread */
    pthread_t thread;
    atomic_int mode;
    atomic_uint round_trips;
};

typedef struct relay {
    test_proxy *proxy;
    int client, server;
    bool server_spoke; /* last */
    bool is_cutting;   /* COMMIT has been handed on: what comes back is kept */
    char bytes[CHUNK];
} relay;

static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    memcpy(address.sun_path, path, strlen(path) + 1);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static bool send_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t sent = send(fd, bytes, len, MSG_NOSIGNAL);

        if (sent <= 0)
            return false;
        bytes += sent;
        len -= (size_t)sent;
    }
    return true;
}

static bool from_client(relay *r)
{
    test_proxy_mode mode = (test_proxy_mode)atomic_load(&r->proxy->mode);
    ssize_t len = recv(r->client, r->bytes, sizeof r->bytes, 0);
    bool commits;

    if (len <= 0)
        return false;
    if (r->server_spoke)
        atomic_fetch_add(&r->proxy->round_trips, 1);
    r->server_spoke = false;
    commits = memmem(r->bytes, (size_t)len, "COMMIT", 7) != NULL;
    if (commits && (mode == TEST_PROXY_CUT_BEFORE || mode == TEST_PROXY_CUT_AFTER))
        atomic_store(&r->proxy->mode, (int)TEST_PROXY_PASS); /* once */
    if (commits && mode == TEST_PROXY_CUT_BEFORE)
        return false;
    r->is_cutting = commits && mode == TEST_PROXY_CUT_AFTER;
    return send_all(r->server, r->bytes, (size_t)len);
}

static bool from_server(relay *r)
{
    test_proxy_mode mode = (test_proxy_mode)atomic_load(&r->proxy->mode);
    ssize_t len = recv(r->server, r->bytes, sizeof r->bytes, 0);
    char *version;

    if (len <= 0)
        return false;
    r->server_spoke = true;
    if (r->is_cutting) /* ReadyForQuery, of six bytes, is the end of the answer */
        return !(len >= 6 && r->bytes[len - 6] == 'Z');
    if (mode == TEST_PROXY_MUTE)
        return true;
    version = memmem(r->bytes, (size_t)len,
                     "\0\0\0\6"
                     "1",
                     5); /* server_version_num, after its length */
    if (mode == TEST_PROXY_OLD && version != NULL)
        version[5] = '4';
    return send_all(r->client, r->bytes, (size_t)len);
}

/* Hands on until one side closes. false: the proxy is to end. */
static bool hand_on(relay *r)
{
    for (;;) {
        struct pollfd watched[] = {{r->client, POLLIN, 0}, {r->server, POLLIN, 0}, {r->proxy->wake[0], POLLIN, 0}};

        (void)poll(watched, 3, -1);
        if (watched[2].revents != 0)
            return false;
        if (watched[0].revents != 0 && !from_client(r))
            return true;
        if (watched[1].revents != 0 && !from_server(r))
            return true;
    }
}

static void *work(void *user)
{
    test_proxy *proxy = user;
    bool is_wanted = true;

    while (is_wanted) {
        struct pollfd watched[] = {{proxy->listener, POLLIN, 0}, {proxy->wake[0], POLLIN, 0}};
        relay *r;

        (void)poll(watched, 2, -1);
        if (watched[1].revents != 0)
            break;
        r = calloc(1, sizeof *r);
        r->proxy = proxy;
        r->client = accept(proxy->listener, NULL, NULL);
        r->server = connect_to(proxy->server);
        if (r->client >= 0 && r->server >= 0)
            is_wanted = hand_on(r);
        if (r->server >= 0)
            close(r->server);
        if (r->client >= 0)
            close(r->client);
        free(r);
    }
    return NULL;
}

test_proxy *test_proxy_new(const char *url)
{
    test_proxy *proxy = calloc(1, sizeof *proxy);
    const char *host = strstr(url, "host=") + 5, *rest = host + strcspn(host, "&");
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    proxy->dir = test_dir_make();
    snprintf(proxy->server, sizeof proxy->server, "%.*s/.s.PGSQL.5432", (int)(rest - host), host);
    snprintf(proxy->path, sizeof proxy->path, "%s/.s.PGSQL.5432", proxy->dir);
    assert_true(asprintf(&proxy->url, "%.*s%s%s", (int)(host - url), url, proxy->dir, rest) > 0);
    memcpy(address.sun_path, proxy->path, sizeof address.sun_path);
    proxy->listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(proxy->listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(proxy->listener, 16), 0);
    assert_int_equal(pipe(proxy->wake), 0);
    assert_int_equal(pthread_create(&proxy->thread, NULL, work, proxy), 0);
    return proxy;
}

const char *test_proxy_url(const test_proxy *proxy)
{
    return proxy->url;
}

void test_proxy_set(test_proxy *proxy, test_proxy_mode mode)
{
    atomic_store(&proxy->mode, (int)mode);
}

unsigned test_proxy_round_trips(test_proxy *proxy)
{
    return atomic_exchange(&proxy->round_trips, 0);
}

void test_proxy_free(test_proxy *proxy)
{
    close(proxy->wake[1]);
    (void)pthread_join(proxy->thread, NULL);
    close(proxy->wake[0]);
    close(proxy->listener);
    test_dir_remove(proxy->dir);
    free(proxy->url);
    free(proxy);
}
