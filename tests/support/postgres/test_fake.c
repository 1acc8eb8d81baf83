/* SPDX-License-Identifier: Apache-2.0 */
/* The server that follows a script: one thread, which reads the words of it and sends the messages that they mean. */
#define _GNU_SOURCE /* asprintf */
#include "support/postgres/test_fake.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { OID_TEXT = 25 };

struct test_fake {
    const char *script;
    char *dir, *url;
    int listener, client;
    int wake[2]; /* closed to end the thread */
    pthread_t thread;
};

/* A message under way: its type, four bytes for its length, then what is put into it. */
typedef struct message {
    char bytes[1024];
    size_t len;
} message;

/* In another thread than the test's, an assertion cannot fail. */
static void give_up(const char *what)
{
    fprintf(stderr, "test_fake: %s\n", what);
    abort();
}

static void put(message *m, const void *bytes, size_t len)
{
    if (len > sizeof m->bytes - m->len)
        give_up("too long a message");
    memcpy(m->bytes + m->len, bytes, len);
    m->len += len;
}

static void put_number(message *m, unsigned long number, size_t size)
{
    while (size-- > 0) {
        char byte = (char)(number >> size * 8);

        put(m, &byte, 1);
    }
}

static message begin(char type)
{
    message m = {{type}, 5};

    return m;
}

static void end(const test_fake *fake, message *m)
{
    size_t len = m->len;

    m->len = 1;
    put_number(m, len - 1, 4);
    (void)send(fake->client, m->bytes, len, MSG_NOSIGNAL); /* a client that has gone is found out by the next wait */
}

/* ---- reading -------------------------------------------------------------------------------------------------- */

/* Waits for the client. false: it has closed, or the thread is to end. */
static bool receive(const test_fake *fake, char *bytes, size_t len)
{
    while (len > 0) {
        struct pollfd watched[] = {{fake->client, POLLIN, 0}, {fake->wake[0], POLLIN, 0}};
        ssize_t got;

        (void)poll(watched, 2, -1);
        got = watched[1].revents != 0 ? 0 : recv(fake->client, bytes, len, 0);
        if (got <= 0)
            return false;
        bytes += got;
        len -= (size_t)got;
    }
    return true;
}

/* Reads a message after its type. */
static bool skip_message(const test_fake *fake)
{
    unsigned char length[4];
    char byte;
    size_t left;

    if (!receive(fake, (char *)length, 4))
        return false;
    left = ((size_t)length[0] << 24 | (size_t)length[1] << 16 | (size_t)length[2] << 8 | length[3]) - 4;
    while (left > 0 && receive(fake, &byte, 1))
        left--;
    return left == 0;
}

static bool wait_for(const test_fake *fake, char type)
{
    char found = '\0';

    while (found != type) {
        if (!receive(fake, &found, 1) || !skip_message(fake))
            return false;
    }
    return true;
}

static bool pause_for(const test_fake *fake, int ms)
{
    struct pollfd watched = {fake->wake[0], POLLIN, 0};

    return poll(&watched, 1, ms) == 0;
}

/* ---- words ---------------------------------------------------------------------------------------------------- */

static bool let_in(const test_fake *fake)
{
    message m = begin('R');

    if (!skip_message(fake)) /* its first message has no type */
        return false;
    put_number(&m, 0, 4);
    end(fake, &m);
    m = begin('Z');
    put(&m, "I", 1);
    end(fake, &m);
    return true;
}

static void say_columns(const test_fake *fake, unsigned long count)
{
    message m = begin('T');

    put_number(&m, count, 2);
    for (unsigned long i = 0; i < count; i++) {
        put(&m, "c", 2);
        put_number(&m, 0, 6); /* of no table */
        put_number(&m, OID_TEXT, 4);
        put_number(&m, 0xFFFF, 2);
        put_number(&m, 0xFFFFFFFF, 4);
        put_number(&m, 0, 2); /* as text */
    }
    end(fake, &m);
}

static void say_row(const test_fake *fake, const char *values)
{
    message m = begin('D');
    size_t count = 1;

    for (const char *at = strchr(values, ','); at != NULL; at = strchr(at + 1, ','))
        count++;
    put_number(&m, count, 2);
    for (size_t i = 0; i < count; i++) {
        size_t len = strcspn(values, ",");

        put_number(&m, len, 4);
        put(&m, values, len);
        values += len + 1;
    }
    end(fake, &m);
}

/* text: "SEVERITY,STATE,MESSAGE"; fields: the letters for them, V for a severity that is not translated. */
static void say_error(const test_fake *fake, const char *text, const char *fields)
{
    message m = begin('E');
    int severity = (int)strcspn(text, ",");
    const char *state = text + severity + 1, *primary = state + strcspn(state, ",") + 1;

    for (; *fields != '\0'; fields++) {
        char field[200];

        if (*fields == 'C')
            snprintf(field, sizeof field, "C%.5s", state);
        else if (*fields == 'M')
            snprintf(field, sizeof field, "M%s", primary);
        else
            snprintf(field, sizeof field, "%c%.*s", *fields, severity, text);
        put(&m, field, strlen(field) + 1);
    }
    put(&m, "", 1);
    end(fake, &m);
}

static void say(const test_fake *fake, char type, const char *content, size_t len)
{
    message m = begin(type);

    put(&m, content, len);
    end(fake, &m);
}

static bool is(const char *word, const char *name)
{
    return strcmp(word, name) == 0;
}

/* false: the client has gone, or the thread is to end. */
static bool follow(const test_fake *fake, const char *word, const char *rest)
{
    if (is(word, "in"))
        return let_in(fake);
    if (is(word, "sync"))
        return wait_for(fake, 'S');
    if (is(word, "query"))
        return wait_for(fake, 'Q');
    if (is(word, "pause"))
        return pause_for(fake, (int)strtol(rest, NULL, 10));
    if (is(word, "hang"))
        return wait_for(fake, 'X');
    if (is(word, "parsed"))
        say(fake, '1', "", 0);
    else if (is(word, "bound"))
        say(fake, '2', "", 0);
    else if (is(word, "nothing"))
        say(fake, 'n', "", 0);
    else if (is(word, "columns"))
        say_columns(fake, strtoul(rest, NULL, 10));
    else if (is(word, "row"))
        say_row(fake, rest);
    else if (is(word, "done"))
        say(fake, 'C', rest, strlen(rest) + 1);
    else if (is(word, "ready"))
        say(fake, 'Z', "I", 1);
    else if (is(word, "error"))
        say_error(fake, rest, "SVCM");
    else if (is(word, "pooler"))
        say_error(fake, rest, "SCM");
    else if (is(word, "say"))
        (void)send(fake->client, rest, strlen(rest), MSG_NOSIGNAL);
    else
        give_up(word);
    return true;
}

static void serve(const test_fake *fake)
{
    bool is_there = true;

    for (const char *at = fake->script; *at != '\0' && is_there;) {
        size_t len = strcspn(at, ";");
        char word[200];
        char *rest;

        snprintf(word, sizeof word, "%.*s", (int)len, at);
        rest = word + strcspn(word, ":");
        if (*rest == ':')
            *rest++ = '\0';
        is_there = follow(fake, word, rest);
        at += len + (at[len] == ';');
    }
}

/* ---- the thread ----------------------------------------------------------------------------------------------- */

static void *work(void *user)
{
    test_fake *fake = user;

    for (;;) {
        struct pollfd watched[] = {{fake->listener, POLLIN, 0}, {fake->wake[0], POLLIN, 0}};

        (void)poll(watched, 2, -1);
        if (watched[1].revents != 0)
            return NULL;
        fake->client = accept(fake->listener, NULL, NULL);
        if (fake->client < 0)
            continue;
        serve(fake);
        close(fake->client);
    }
}

test_fake *test_fake_new(const char *script)
{
    test_fake *fake = calloc(1, sizeof *fake);
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    fake->script = script;
    fake->dir = test_dir_make();
    snprintf(address.sun_path, sizeof address.sun_path, "%s/.s.PGSQL.5432", fake->dir);
    assert_true(asprintf(&fake->url, "host=%s user=x password=hush dbname=d", fake->dir) > 0);
    fake->listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fake->listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(fake->listener, 16), 0);
    assert_int_equal(pipe(fake->wake), 0);
    assert_int_equal(pthread_create(&fake->thread, NULL, work, fake), 0);
    return fake;
}

const char *test_fake_host(const test_fake *fake)
{
    return fake->dir;
}

const char *test_fake_url(const test_fake *fake)
{
    return fake->url;
}

void test_fake_free(test_fake *fake)
{
    close(fake->wake[1]);
    (void)pthread_join(fake->thread, NULL);
    close(fake->wake[0]);
    close(fake->listener);
    test_dir_remove(fake->dir);
    free(fake->url);
    free(fake);
}
