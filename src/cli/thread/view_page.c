/* SPDX-License-Identifier: Apache-2.0 */
/* The page asks for one chat after the other, so that the thread is never held as a whole. */
#include "cli/thread/view_page.h"
#include "cli/io/output.h"
#include "cli/terminal/progress.h"
#include "cli/text/error.h"
#include "cli/text/memory.h"
#include "cli/thread/last_message.h"
#include <stdlib.h>
#include <string.h>

enum { LONGEST_SUMMARY = 240 }; /* bytes */

typedef struct job {
    cli_thread *thread;
    const agentchat_checkpoint *shown;
    agentchat_checkpoint_list *list; /* the newest ones */
    agentchat_html_checkpoint *checkpoints;
    char **summaries;
    agentchat_html_thread what;
    size_t done;
    cli_progress progress;
} job;

/* ---- the chats ------------------------------------------------------------------------------------------------- */

static agentchat_status get_snapshot(void *user, size_t index, agentchat_snapshot **out, agentchat_error *err)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;
    job *j = user;

    cli_progress_count(&j->progress, j->done++, j->what.count, "checkpoints");
    if (index == j->what.shown) {
        *out = agentchat_snapshot_ref(agentchat_checkpoint_snapshot(j->shown));
        return AGENTCHAT_OK;
    }
    options.ns = j->thread->ns;
    options.id = j->checkpoints[index].info->id;
    agentchat_status status =
        agentchat_checkpoint_get(j->thread->store.store, j->thread->id, &options, &checkpoint, err);
    if (status >= 0)
        *out = agentchat_snapshot_ref(agentchat_checkpoint_snapshot(checkpoint));
    agentchat_checkpoint_free(checkpoint);
    return status;
}

/* ---- the checkpoints ------------------------------------------------------------------------------------------- */

/* Cuts between characters; the row ends there anyway. */
static void cut(char *text)
{
    size_t len = strlen(text);

    if (len <= LONGEST_SUMMARY)
        return;
    for (len = LONGEST_SUMMARY; len > 0 && ((unsigned char)text[len] & 0xC0) == 0x80;)
        len--;
    text[len] = '\0';
}

static agentchat_status summarize(job *j, size_t index)
{
    cli_store *s = &j->thread->store;
    agentchat_status status = AGENTCHAT_OK;
    cli_memory text;

    if (cli_memory_begin(&text))
        status = cli_thread_last_message_put(j->thread, text.out, j->checkpoints[index].info);
    if (!cli_memory_end(&text))
        return agentchat_error_set(&s->err, AGENTCHAT_E_NOMEM, "out of memory");
    j->summaries[index] = text.text;
    cut(text.text);
    j->checkpoints[index].summary = agentchat_str_from(text.text);
    return status;
}

/* The shown one is among the newest, or stands after them. */
static agentchat_status take_checkpoints(job *j)
{
    const agentchat_checkpoint_info *shown = agentchat_checkpoint_get_info(j->shown);
    size_t count = agentchat_checkpoint_list_count(j->list), at = count;
    agentchat_status status = AGENTCHAT_OK;

    j->checkpoints = calloc(count + 1, sizeof *j->checkpoints);
    j->summaries = calloc(count + 1, sizeof *j->summaries);
    if (j->checkpoints == NULL || j->summaries == NULL)
        return agentchat_error_set(&j->thread->store.err, AGENTCHAT_E_NOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        j->checkpoints[i].info = agentchat_checkpoint_list_at(j->list, i);
        if (j->checkpoints[i].info->sequence == shown->sequence)
            at = i;
    }
    if (at == count)
        j->checkpoints[count++].info = shown;
    j->what.checkpoints = j->checkpoints;
    j->what.count = count;
    for (size_t i = 0; status >= 0 && i < count; i++)
        status = summarize(j, i);
    j->what.shown = at;
    j->what.has_more = agentchat_checkpoint_list_cursor(j->list) != NULL;
    return status;
}

static agentchat_status list_newest(job *j, uint64_t limit)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    cli_store *s = &j->thread->store;

    options.ns = j->thread->ns;
    options.limit = (size_t)limit;
    return agentchat_checkpoint_list_read(s->store, j->thread->id, &options, &j->list, &s->err);
}

static void release(job *j)
{
    for (size_t i = 0; j->summaries != NULL && i < j->what.count; i++)
        free(j->summaries[i]);
    free(j->summaries);
    free(j->checkpoints);
    agentchat_checkpoint_list_free(j->list);
}

bool cli_thread_view_page_write(cli_thread *t, const cli_web_page *page, const agentchat_checkpoint *shown,
                                uint64_t limit)
{
    job j = {.thread = t, .shown = shown, .what = AGENTCHAT_HTML_THREAD_INIT};
    agentchat_error err;

    j.what.snapshot = get_snapshot;
    j.what.user = &j;
    cli_progress_begin(&j.progress, 1);
    agentchat_status status = list_newest(&j, limit);
    if (status >= 0)
        status = take_checkpoints(&j);
    if (status < 0) {
        (void)cli_store_fail(&t->store, status);
    } else {
        status = cli_web_page_write_thread(page, t->id, &j.what, &err);
        cli_progress_hide(&j.progress);
        if (status < 0)
            cli_error_print(stderr, cli_output_name(page->output), status, &err);
    }
    release(&j);
    return status >= 0;
}
