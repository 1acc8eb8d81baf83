/* SPDX-License-Identifier: Apache-2.0 */
/* Putting, reading and expecting, in a line each. */
#include "thread/conformance/conformance.h"

const char *thread_of(scene *s, const char *name)
{
    static char names[3][128];
    static unsigned next;
    char *text = names[next++ % 3];

    snprintf(text, sizeof names[0], "%s-%s", s->app, name);
    return text;
}

void put_at(scene *s, const char *thread, const char *ns, const char *id, const agentchat_snapshot *chat)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;

    options.ns = ns;
    options.id = id;
    test_ok(agentchat_checkpoint_put(s->store, thread, chat, &options, NULL, &s->err), &s->err);
}

void put_labelled(scene *s, const char *thread, const char *ns, const char *id, const char *run, const char *metadata)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of(id, NULL, NULL);

    options.ns = ns;
    options.id = id;
    options.run = run;
    options.metadata = agentchat_str_from(metadata);
    test_ok(agentchat_checkpoint_put(s->store, thread, chat, &options, NULL, &s->err), &s->err);
    agentchat_snapshot_unref(chat);
}

void put_text(scene *s, const char *thread, const char *ns, const char *id)
{
    put_labelled(s, thread, ns, id, NULL, NULL);
}

agentchat_checkpoint *get_at(scene *s, const char *thread, const char *ns, const char *id)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;

    options.ns = ns;
    options.id = id;
    test_ok(agentchat_checkpoint_get(s->store, thread, &options, &checkpoint, &s->err), &s->err);
    return checkpoint;
}

void expect_at_line(scene *s, const char *thread, const char *ns, const char *id, const agentchat_snapshot *chat,
                    const char *file, int line)
{
    agentchat_checkpoint *checkpoint = get_at(s, thread, ns, id);

    expect_equal_at(agentchat_checkpoint_snapshot(checkpoint), chat, file, line);
    agentchat_checkpoint_free(checkpoint);
}

void expect_text_line(scene *s, const char *thread, const char *ns, const char *id, const char *file, int line)
{
    agentchat_snapshot *chat = chat_of(id, NULL, NULL);

    expect_at_line(s, thread, ns, id, chat, file, line);
    agentchat_snapshot_unref(chat);
}

void expect_none_line(scene *s, const char *thread, const char *ns, const char *id, const char *file, int line)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;

    options.ns = ns;
    options.id = id;
    test_fails_at(agentchat_checkpoint_get(s->store, thread, &options, &checkpoint, &s->err), &s->err,
                  AGENTCHAT_E_NOTFOUND, NULL, "no checkpoint", file, line);
}

void expect_list_line(scene *s, const char *thread, agentchat_checkpoint_list_options options, const char *expected,
                      const char *file, int line)
{
    char text[2048] = "", cursor[256] = "";
    bool is_one_page = options.limit > 0;
    size_t len = 0;

    do {
        agentchat_checkpoint_list *list = NULL;

        test_ok_at(agentchat_checkpoint_list_read(s->store, thread, &options, &list, &s->err), &s->err, file, line);
        for (size_t i = 0; i < agentchat_checkpoint_list_count(list); i++)
            len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", len > 0 ? " " : "",
                                    agentchat_checkpoint_list_at(list, i)->id);
        options.cursor = NULL;
        if (agentchat_checkpoint_list_cursor(list) != NULL)
            options.cursor = strcpy(cursor, agentchat_checkpoint_list_cursor(list));
        agentchat_checkpoint_list_free(list);
    } while (options.cursor != NULL && !is_one_page);
    _assert_string_equal(text, expected, file, line);
}

void expect_all_line(scene *s, const char *thread, const char *expected, const char *file, int line)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;

    options.all_namespaces = true;
    expect_list_line(s, thread, options, expected, file, line);
}

agentchat_pending_write write_of(const char *task, int64_t index, const char *channel, const char *json)
{
    return (agentchat_pending_write){"", task, channel, index, {NULL, 0}, agentchat_str_from(json), NULL};
}

void write_at(scene *s, const char *thread, const char *ns, const char *id, agentchat_pending_write write)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;

    options.ns = ns;
    options.id = id;
    test_ok(agentchat_checkpoint_put_writes(s->store, thread, &options, &write, 1, &s->err), &s->err);
}

void expect_writes_line(scene *s, const char *thread, const char *ns, const char *id, const char *expected,
                        const char *file, int line)
{
    agentchat_pending_options options = AGENTCHAT_PENDING_OPTIONS_INIT;
    agentchat_pending_list *list = NULL;
    char text[2048] = "";
    size_t len = 0;

    options.ns = ns;
    options.id = id;
    test_ok_at(agentchat_checkpoint_pending(s->store, thread, &options, &list, &s->err), &s->err, file, line);
    for (size_t i = 0; i < agentchat_pending_list_count(list); i++) {
        const agentchat_pending_write *w = agentchat_pending_list_at(list, i);

        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s/%lld/%s=" AGENTCHAT_STR_FMT, i > 0 ? " " : "",
                                w->task, (long long)w->index, w->channel, AGENTCHAT_STR_ARG(w->value));
    }
    agentchat_pending_list_free(list);
    _assert_string_equal(text, expected, file, line);
}

uint64_t delete_run(scene *s, const char *thread, const char *run)
{
    uint64_t removed = 0;

    test_ok(agentchat_thread_delete_run(s->store, thread, run, &removed, &s->err), &s->err);
    return removed;
}

void keep_latest(scene *s, const char *thread)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;

    options.keep = 1;
    test_ok(agentchat_thread_prune(s->store, thread, &options, NULL, &s->err), &s->err);
}
