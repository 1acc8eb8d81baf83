/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who may do what with a file after it was saved: nobody more than before, and everybody as much where the system lets
 * the saver keep that. Other users and groups are played by children of a test that root runs; for anybody else those
 * cases are skipped. Lists of access control are written as the system keeps them.
 */
#define _GNU_SOURCE /* setgroups(), setresuid() */
#include "sink_path_test.h"

#include <errno.h>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

#define ALICE 51001u
#define BOB 51002u
#define USERS 52000u
#define HR 52001u

/* In capitals, as tests/hostile/check_promises.py knows a test. */
#define WITH_DIR(test) test_with_dir(test)

typedef struct saver {
    uid_t user;
    gid_t group, other_group; /* 0: in no other */
} saver;

static const saver alice = {ALICE, USERS, 0}, alice_of_hr = {ALICE, USERS, HR}, root = {0, 0, 0};

/* Not in a container either whose root may not give files away. */
static bool is_root(const fixture *p)
{
    bool may;

    test_file_write(p->path, "", 0);
    may = geteuid() == 0 && chown(p->path, ALICE, HR) == 0 && chown(p->path, BOB, USERS) == 0;
    assert_int_equal(unlink(p->path), 0);
    return may;
}

static void only_for_root(const fixture *p)
{
    if (!is_root(p)) {
        print_message("skipped: only root can play other users\n");
        skip();
    }
}

/* Puts a file there that belongs to somebody. */
static void put_file(const fixture *p, uid_t owner, gid_t group, mode_t mode)
{
    unlink(p->path);
    test_file_write(p->path, "old", 3);
    assert_int_equal(chown(p->path, owner, group), 0);
    assert_int_equal(chmod(p->path, mode), 0);
}

/* Saves as somebody, in a directory that everybody may write to. */
static void save_as(const fixture *p, saver who)
{
    int result = -1;
    pid_t child;

    assert_int_equal(chmod(p->dir, 0777), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        agentchat_error err;

        if (who.user != 0 &&
            (setgroups(who.other_group != 0, &who.other_group) != 0 ||
             setresgid(who.group, who.group, who.group) != 0 || setresuid(who.user, who.user, who.user) != 0))
            _exit(2);
        umask(0);
        if (save(p->path, "new", true, &err) != AGENTCHAT_OK) {
            agentchat_error_print(&err, stderr);
            _exit(1);
        }
        _exit(0);
    }
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    assert_int_equal(WEXITSTATUS(result), 0);
    assert_holds(p->path, "new");
    assert_int_equal(files_in(p->dir), 1);
}

static void assert_rights(const fixture *p, uid_t owner, gid_t group, mode_t mode)
{
    struct stat info;

    assert_int_equal(stat(p->path, &info), 0);
    assert_int_equal(info.st_uid, owner);
    assert_int_equal(info.st_gid, group);
    assert_int_equal(info.st_mode & 07777u, mode);
}

static void test_sink_path_rights__root_leaves_a_file_to_its_owner(void **state)
{
    static const mode_t modes[] = {0600, 0640, 0664, 0604, 0777};
    const fixture *p = *state;

    only_for_root(p);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        put_file(p, ALICE, HR, modes[i]);
        save_as(p, root);
        assert_rights(p, ALICE, HR, modes[i]);
    }
}

static void test_sink_path_rights__a_group_that_cannot_be_kept_widens_nothing(void **state)
{
    /* Those of the old group are others now, those of the new one are others no more. */
    static const mode_t modes[][2] = {{0600, 0600}, {0640, 0600}, {0660, 0600}, {0644, 0644}, {0664, 0644},
                                      {0666, 0666}, {0604, 0600}, {0606, 0600}, {0642, 0600}, {0755, 0755}};
    const fixture *p = *state;

    only_for_root(p);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        put_file(p, ALICE, HR, modes[i][0]);
        save_as(p, alice);
        assert_rights(p, ALICE, USERS, modes[i][1]);
    }
}

static void test_sink_path_rights__a_group_of_the_savers_own_is_kept(void **state)
{
    const fixture *p = *state;

    only_for_root(p);
    put_file(p, ALICE, HR, 0640);
    save_as(p, alice_of_hr);
    assert_rights(p, ALICE, HR, 0640);
    put_file(p, BOB, HR, 0664); /* the owner cannot be kept, the group can */
    save_as(p, alice_of_hr);
    assert_rights(p, ALICE, HR, 0664);
    put_file(p, BOB, HR, 0666); /* neither can */
    save_as(p, alice);
    assert_rights(p, ALICE, USERS, 0666);
}

static void test_sink_path_rights__set_id_bits_go_and_the_sticky_bit_stays(void **state)
{
    const fixture *p = *state;

    only_for_root(p);
    put_file(p, ALICE, HR, 07755);
    save_as(p, root);
    assert_rights(p, ALICE, HR, 01755);
    put_file(p, ALICE, USERS, 02755);
    save_as(p, alice);
    assert_rights(p, ALICE, USERS, 0755);
}

static void test_sink_path_rights__what_is_taken_away_meanwhile_stays_away(void **state)
{
    const fixture *p = *state;
    agentchat_sink *sink;
    agentchat_error err;

    test_file_write(p->path, "old", 3);
    assert_int_equal(chmod(p->path, 0644), 0);
    test_ok(agentchat_sink_path(NULL, p->path, NULL, &sink, &err), &err);
    test_ok(aci_sink_write(sink, "new", 3, &err), &err);
    assert_int_equal(chmod(p->path, 0600), 0);
    test_ok(aci_sink_commit(sink, &err), &err);
    agentchat_sink_free(sink);
    assert_int_equal(mode_of(p->path), 0600);
}

static void test_sink_path_rights__the_mask_of_the_process_does_not_matter(void **state)
{
    const fixture *p = *state;
    mode_t before = umask(0777);
    agentchat_error err;

    test_ok(save(p->path, "new", true, &err), &err);
    umask(before);
    assert_int_equal(mode_of(p->path), 0600);
    assert_int_equal(chmod(p->path, 0640), 0);
    umask(0777);
    test_ok(save(p->path, "new", true, &err), &err);
    umask(before);
    assert_int_equal(mode_of(p->path), 0640);
}

/* ---- access control lists ---------------------------------------------------------------------------------------- */

#ifdef __linux__

#define ACCESS_LIST "system.posix_acl_access"
#define DEFAULT_LIST "system.posix_acl_default"

/* Version 2; owner rw, BOB rw, owning group r, mask rw, others nothing; all numbers little-endian. */
static const unsigned char list[] = {
    2,    0, 0,    0,                                   /* version */
    0x01, 0, 0x06, 0, 0xFF,       0xFF,     0xFF, 0xFF, /* the owner */
    0x02, 0, 0x06, 0, BOB & 0xFF, BOB >> 8, 0,    0,    /* a user by name */
    0x04, 0, 0x04, 0, 0xFF,       0xFF,     0xFF, 0xFF, /* the owning group */
    0x10, 0, 0x06, 0, 0xFF,       0xFF,     0xFF, 0xFF, /* the mask */
    0x20, 0, 0x00, 0, 0xFF,       0xFF,     0xFF, 0xFF, /* others */
};

static void give_list(const char *path, const char *name)
{
    if (setxattr(path, name, list, sizeof list, 0) != 0) {
        assert_true(errno == ENOTSUP || errno == EINVAL); /* the latter: a container without that user */
        print_message("skipped: no access control lists here\n");
        skip();
    }
}

static void assert_list(const char *path)
{
    unsigned char found[200];

    assert_int_equal(getxattr(path, ACCESS_LIST, found, sizeof found), sizeof list);
    assert_memory_equal(found, list, sizeof list);
}

static void assert_no_list(const char *path)
{
    assert_int_equal(getxattr(path, ACCESS_LIST, NULL, 0), -1);
    assert_int_equal(errno, ENODATA);
}

static void test_sink_path_rights__a_list_is_kept(void **state)
{
    const fixture *p = *state;
    agentchat_error err;

    test_file_write(p->path, "old", 3);
    give_list(p->path, ACCESS_LIST);
    test_ok(save(p->path, "new", true, &err), &err);
    assert_list(p->path);
    assert_int_equal(mode_of(p->path), 0660); /* the group bits are the list's mask */
    if (is_root(p)) {
        put_file(p, ALICE, HR, 0600);
        give_list(p->path, ACCESS_LIST);
        save_as(p, root);
        assert_rights(p, ALICE, HR, 0660);
        assert_list(p->path);
    }
}

static void test_sink_path_rights__a_list_of_a_lost_group_leaves_the_owner_alone(void **state)
{
    const fixture *p = *state;

    only_for_root(p);
    put_file(p, ALICE, HR, 0600);
    give_list(p->path, ACCESS_LIST);
    save_as(p, alice);
    assert_rights(p, ALICE, USERS, 0600);
    assert_no_list(p->path);
}

static void test_sink_path_rights__a_list_of_the_directory_gives_nothing(void **state)
{
    const fixture *p = *state;
    unsigned char found[200];
    agentchat_error err;

    test_file_write(p->path, "old", 3); /* before the directory has its list */
    assert_int_equal(chmod(p->path, 0640), 0);
    give_list(p->dir, DEFAULT_LIST);
    test_ok(save(p->path, "new", true, &err), &err);
    assert_int_equal(mode_of(p->path), 0640);
    assert_no_list(p->path);
    /* A new file has the entries, and a mask that lets none of them do anything. */
    unlink(p->path);
    test_ok(save(p->path, "new", true, &err), &err);
    assert_int_equal(mode_of(p->path), 0600);
    if (getxattr(p->path, ACCESS_LIST, found, sizeof found) == (ssize_t)sizeof list)
        assert_int_equal(found[4 + 3 * 8 + 2], 0);
}

/* A file that may be written but not read: its list cannot be seen. */
static void test_sink_path_rights__an_unseen_list_leaves_the_owner_alone(void **state)
{
    const fixture *p = *state;

    only_for_root(p);
    put_file(p, BOB, HR, 0620);
    save_as(p, alice_of_hr);
    assert_rights(p, ALICE, HR, 0600);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DIR(test_sink_path_rights__root_leaves_a_file_to_its_owner),
        WITH_DIR(test_sink_path_rights__a_group_that_cannot_be_kept_widens_nothing),
        WITH_DIR(test_sink_path_rights__a_group_of_the_savers_own_is_kept),
        WITH_DIR(test_sink_path_rights__set_id_bits_go_and_the_sticky_bit_stays),
        WITH_DIR(test_sink_path_rights__what_is_taken_away_meanwhile_stays_away),
        WITH_DIR(test_sink_path_rights__the_mask_of_the_process_does_not_matter),
#ifdef __linux__
        WITH_DIR(test_sink_path_rights__a_list_is_kept),
        WITH_DIR(test_sink_path_rights__a_list_of_a_lost_group_leaves_the_owner_alone),
        WITH_DIR(test_sink_path_rights__a_list_of_the_directory_gives_nothing),
        WITH_DIR(test_sink_path_rights__an_unseen_list_leaves_the_owner_alone),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
