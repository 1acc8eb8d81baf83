/* SPDX-License-Identifier: Apache-2.0 */
/* Lost power: recorded steps, and the states that a disk may come up in. */
#include "sqlite_power.h"

#include "sqlite_vfs.h"
#include "support/test_support.h"

#include <stdio.h>
#include <unistd.h>

#define ACKNOWLEDGED 0 /* kinds beside those of sqlite_vfs.h */
#define NOTHING 2048
#define SECTOR 512
#define MOST_STEPS 60000
#define MOST_STATES 256
#define MOST_PENDING 4096
#define MOST_PARTS 64
#define SEEN_SLOTS ((size_t)1 << 21)

static const char *const suffixes[] = {"", "-wal", "-journal"};
enum { FILES = 3 };

typedef struct step {
    unsigned kind;
    int file;
    char *bytes;
    size_t len;
    uint64_t at;
} step;

static struct {
    step steps[MOST_STEPS];
    size_t count;
    uint64_t states[MOST_STATES]; /* after transaction i */
    bool in_parts[MOST_STATES];   /* what came before it was several transactions */
    size_t acknowledged;          /* transactions */
} record;

/* ---- recording --------------------------------------------------------------------------------------------------- */

static int file_of(const char *name)
{
    for (int file = FILES - 1; file > 0; file--) {
        size_t len = strlen(name), tail = strlen(suffixes[file]);

        if (len > tail && strcmp(name + len - tail, suffixes[file]) == 0)
            return file;
    }
    return 0;
}

static void watch(unsigned kind, const char *name, const void *bytes, size_t len, uint64_t at)
{
    step *s = &record.steps[record.count++];

    assert_true(record.count < MOST_STEPS);
    *s = (step){.kind = kind, .file = file_of(name), .len = len, .at = at};
    if (len > 0) {
        s->bytes = malloc(len);
        assert_non_null(s->bytes);
        memcpy(s->bytes, bytes, len);
    }
}

void test_power_begin(void)
{
    test_vfs_watcher = watch;
}

void test_power_end(void)
{
    test_vfs_watcher = NULL;
}

void test_power_acknowledge(uint64_t state)
{
    record.states[++record.acknowledged] = state;
    assert_true(record.acknowledged + 1 < MOST_STATES);
    record.steps[record.count++] = (step){.kind = ACKNOWLEDGED};
}

void test_power_acknowledge_parts(uint64_t state)
{
    test_power_acknowledge(state);
    record.in_parts[record.acknowledged] = true;
}

size_t test_power_steps(void)
{
    return record.count;
}

static bool flushes_log(const step *s)
{
    return s->kind == TEST_VFS_SYNC && s->file == 1;
}

size_t test_power_flushes(void)
{
    size_t flushes = 0;

    for (size_t i = 0; i < record.count; i++)
        flushes += flushes_log(&record.steps[i]);
    return flushes;
}

void test_power_forget_flushes(void)
{
    for (size_t i = 0; i < record.count; i++) {
        if (flushes_log(&record.steps[i]))
            record.steps[i].kind = NOTHING;
    }
}

void test_power_forget(void)
{
    for (size_t i = 0; i < record.count; i++)
        free(record.steps[i].bytes);
    memset(&record, 0, sizeof record);
}

/* ---- a disk ------------------------------------------------------------------------------------------------------ */

typedef struct content {
    char *bytes;
    size_t len, room;
    bool exists;
} content;

static void resize(content *c, size_t len)
{
    if (len > c->room) {
        c->room = len * 2;
        c->bytes = realloc(c->bytes, c->room);
        assert_non_null(c->bytes);
    }
    if (len > c->len)
        memset(c->bytes + c->len, 0, len - c->len);
    c->len = len;
    c->exists = true;
}

static void apply(content *c, const step *s, size_t from, size_t to)
{
    if (s->kind == TEST_VFS_WRITE) {
        if (c->len < s->at + to)
            resize(c, (size_t)s->at + to);
        memcpy(c->bytes + s->at + from, s->bytes + from, to - from);
    } else if (s->kind == TEST_VFS_TRUNCATE) {
        resize(c, (size_t)s->at);
    } else if (s->kind == TEST_VFS_DELETE) {
        c->len = 0;
        c->exists = false;
    }
}

/* Where the sector of a write ends in which byte `from` of it stands. */
static size_t sector_end(const step *s, size_t from)
{
    size_t to = from + SECTOR - (size_t)((s->at + from) % SECTOR);

    return to < s->len ? to : s->len;
}

static uint32_t next(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return (uint32_t)(*random >> 16);
}

/* Which of the writes that were not flushed are there. */
typedef struct choice {
    enum { NONE, ALL, SUBSET, BUT_ONE, ONLY_ONE, TORN, AT_RANDOM } how;
    uint64_t subset; /* bits of the pending ones */
    size_t one;      /* of the pending ones */
    size_t sectors;  /* that arrived, of TORN; all others are there */
} choice;

typedef struct crash {
    size_t count;                 /* steps before it */
    size_t pending[MOST_PENDING]; /* steps that may be missing */
    size_t pending_count;
    content base[FILES], files[FILES]; /* what is certain; what the disk comes up with */
    uint64_t random;
} crash;

static void apply_torn(content *c, const step *s, size_t sectors)
{
    for (size_t from = 0; from < s->len && sectors > 0; sectors--) {
        size_t to = sector_end(s, from);

        apply(c, s, from, to);
        from = to;
    }
}

static void apply_at_random(content *c, const step *s, uint64_t *random)
{
    if (s->kind != TEST_VFS_WRITE || next(random) % 4 != 0) {
        if (next(random) % 2 == 0)
            apply(c, s, 0, s->len);
        return;
    }
    for (size_t from = 0; from < s->len;) {
        size_t to = sector_end(s, from);

        if (next(random) % 2 == 0)
            apply(c, s, from, to);
        from = to;
    }
}

static void come_up(crash *c, const choice *how)
{
    for (int file = 0; file < FILES; file++) {
        resize(&c->files[file], c->base[file].len);
        if (c->base[file].len > 0)
            memcpy(c->files[file].bytes, c->base[file].bytes, c->base[file].len);
        c->files[file].exists = c->base[file].exists;
    }
    for (size_t i = 0; i < c->pending_count; i++) {
        const step *s = &record.steps[c->pending[i]];
        content *file = &c->files[s->file];
        bool is_there = how->how == ALL || (how->how == SUBSET && (how->subset >> i & 1) != 0) ||
                        (how->how == BUT_ONE && i != how->one) || (how->how == ONLY_ONE && i == how->one) ||
                        (how->how == TORN && i != how->one);

        if (is_there)
            apply(file, s, 0, s->len);
        else if (how->how == TORN)
            apply_torn(file, s, how->sectors);
        else if (how->how == AT_RANDOM)
            apply_at_random(file, s, &c->random);
    }
}

/* Brings a crash to the point after `count` steps: what is certain is applied to its base, in order; the rest is
   pending. A step of a file is certain before its last flush, and so is a deletion once something follows: the file
   that comes next under the name is another one. */
static void advance(crash *c, size_t count)
{
    size_t flushed[FILES] = {0}, kept = 0;

    for (size_t i = c->count; i < count; i++) {
        const step *s = &record.steps[i];

        if (s->kind == TEST_VFS_SYNC || s->kind == TEST_VFS_DELETE)
            flushed[s->file] = i;
        if (s->kind == TEST_VFS_WRITE || s->kind == TEST_VFS_TRUNCATE || s->kind == TEST_VFS_DELETE) {
            assert_true(c->pending_count < MOST_PENDING);
            c->pending[c->pending_count++] = i;
        }
    }
    c->count = count;
    for (size_t i = 0; i < c->pending_count; i++) {
        const step *s = &record.steps[c->pending[i]];
        bool is_certain = c->pending[i] < flushed[s->file] || (s->kind == TEST_VFS_DELETE && c->pending[i] + 1 < count);

        if (is_certain)
            apply(&c->base[s->file], s, 0, s->len);
        else
            c->pending[kept++] = c->pending[i];
    }
    c->pending_count = kept;
}

/* ---- looking ----------------------------------------------------------------------------------------------------- */

typedef struct look {
    const char *path;
    test_power_read read;
    void *user;
    size_t acknowledged;
    test_power_tally tally;
    struct {
        uint64_t state;
        size_t after;    /* this transaction */
    } parts[MOST_PARTS]; /* states within what took several */
    size_t part_count;
    struct {
        uint64_t image, state;
    } * seen; /* by the hash of the image; image 0: free */
} look;

static uint64_t hash(const content files[FILES])
{
    uint64_t sum = 0x9E3779B97F4A7C15u;

    for (int file = 0; file < FILES; file++) {
        const content *c = &files[file];
        size_t i = 0;

        sum = (sum ^ (c->exists ? c->len + 1 : 0)) * 0xFF51AFD7ED558CCDu;
        for (; i + 8 <= c->len; i += 8) {
            uint64_t word;

            memcpy(&word, c->bytes + i, 8);
            sum = (sum ^ word) * 0xFF51AFD7ED558CCDu;
            sum ^= sum >> 29;
        }
        for (; i < c->len; i++)
            sum = (sum ^ (unsigned char)c->bytes[i]) * 0xFF51AFD7ED558CCDu;
        sum ^= sum >> 32;
    }
    return sum != 0 ? sum : 1;
}

static void write_files(const char *path, const content files[FILES])
{
    char name[4096];

    snprintf(name, sizeof name, "%s-shm", path);
    unlink(name);
    for (int file = 0; file < FILES; file++) {
        snprintf(name, sizeof name, "%s%s", path, suffixes[file]);
        unlink(name);
        if (files[file].exists)
            test_file_write(name, files[file].bytes, files[file].len);
    }
}

/* The state that the image holds; each image is read once. */
static uint64_t state_of(look *l, const content files[FILES])
{
    uint64_t image = hash(files);
    size_t slot = (size_t)image & (SEEN_SLOTS - 1);

    while (l->seen[slot].image != 0 && l->seen[slot].image != image)
        slot = (slot + 1) & (SEEN_SLOTS - 1);
    if (l->seen[slot].image == 0) {
        assert_true(l->tally.distinct++ < SEEN_SLOTS / 2);
        write_files(l->path, files);
        l->seen[slot].image = image;
        l->seen[slot].state = l->read(l->user);
    }
    return l->seen[slot].state;
}

/* The newest transaction that left this state, at most the one that is under way; SIZE_MAX: none. */
static size_t find(const look *l, uint64_t state)
{
    size_t found = l->acknowledged + 1;

    while (found != SIZE_MAX && (found > record.acknowledged || record.states[found] != state))
        found--;
    for (size_t i = 0; i < l->part_count && found == SIZE_MAX; i++) {
        if (l->parts[i].state == state)
            found = l->parts[i].after;
    }
    return found;
}

static void try_choice(look *l, crash *c, const choice *how)
{
    size_t found;

    come_up(c, how);
    found = find(l, state_of(l, c->files));
    l->tally.states++;
    l->tally.damaged += found == SIZE_MAX;
    l->tally.outdated += found != SIZE_MAX && found < l->acknowledged;
}

/* With everything that was written there, the files are in one of the states that the parts of a call leave. */
static void note_part(look *l, crash *c)
{
    uint64_t state;

    if (l->acknowledged == record.acknowledged || !record.in_parts[l->acknowledged + 1])
        return;
    come_up(c, &(choice){.how = ALL});
    state = state_of(l, c->files);
    if (state == TEST_POWER_DAMAGED || find(l, state) != SIZE_MAX)
        return;
    assert_true(l->part_count < MOST_PARTS);
    l->parts[l->part_count].state = state;
    l->parts[l->part_count++].after = l->acknowledged;
}

static void try_each(look *l, crash *c)
{
    for (size_t i = 0; i < c->pending_count; i++) {
        const step *s = &record.steps[c->pending[i]];
        size_t sectors = s->kind == TEST_VFS_WRITE ? (s->len + SECTOR - 1) / SECTOR + 1 : 1;

        try_choice(l, c, &(choice){.how = BUT_ONE, .one = i});
        try_choice(l, c, &(choice){.how = ONLY_ONE, .one = i});
        for (size_t k = 1; k < sectors; k++)
            try_choice(l, c, &(choice){.how = TORN, .one = i, .sectors = k});
    }
}

static void try_all(look *l, crash *c, const test_power_amount *amount)
{
    try_choice(l, c, &(choice){.how = NONE});
    try_choice(l, c, &(choice){.how = ALL});
    if (c->pending_count == 0)
        return;
    for (unsigned i = 0; i < amount->random; i++)
        try_choice(l, c, &(choice){.how = AT_RANDOM});
    for (uint64_t subset = 1; c->pending_count <= amount->all && subset >> c->pending_count == 0; subset++)
        try_choice(l, c, &(choice){.how = SUBSET, .subset = subset});
    if (amount->each)
        try_each(l, c);
}

test_power_tally test_power_crash(const char *path, const test_power_amount *amount, test_power_read read, void *user)
{
    look l = {.path = path, .read = read, .user = user};
    crash *c = calloc(1, sizeof *c);

    assert_non_null(c);
    l.seen = calloc(SEEN_SLOTS, sizeof *l.seen);
    assert_non_null(l.seen);
    c->random = 0x2545F4914F6CDD1Du;
    for (size_t count = 0; count <= record.count; count++) {
        bool is_acknowledged = count > 0 && record.steps[count - 1].kind == ACKNOWLEDGED;

        l.acknowledged += is_acknowledged;
        advance(c, count);
        note_part(&l, c);
        if (is_acknowledged || count % amount->step_every == 0)
            try_all(&l, c, amount);
    }
    for (int file = 0; file < FILES; file++) {
        free(c->base[file].bytes);
        free(c->files[file].bytes);
    }
    free(c);
    free(l.seen);
    print_message("%zu transactions in %zu steps: %zu states, %zu distinct, %zu older than acknowledged, %zu of none\n",
                  record.acknowledged, record.count, l.tally.states, l.tally.distinct, l.tally.outdated,
                  l.tally.damaged);
    return l.tally;
}
