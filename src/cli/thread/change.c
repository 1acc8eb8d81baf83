/* SPDX-License-Identifier: Apache-2.0 */
/* Putting, copying and removing checkpoints. */
#include "cli/command/command.h"

#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/show/show.h"
#include "cli/terminal/terminal.h"
#include "cli/text/text.h"
#include "cli/thread/thread.h"
#include <time.h>

/* ==== agentchat thread put: a chat as the next checkpoint of a thread ============================================ */

typedef struct job {
    cli_thread thread;
    agentchat_checkpoint_put_options options;
    bool as_json;
    char parent[AGENTCHAT_ID_SIZE], expect[AGENTCHAT_ID_SIZE]; /* in full */
} job;

static void print(const job *j, const cli_input *file, const char *id)
{
    cli_json json = {.out = stdout};

    if (!j->as_json) {
        (void)cli_put(stdout, agentchat_str_from(id));
        (void)fputc('\n', stdout);
        if (j->options.branch)
            (void)fputs("agentchat: note: the branch is the newest checkpoint now; who attaches without naming a"
                        " checkpoint or a line takes it\n",
                        stderr);
        return;
    }
    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "thread", j->thread.id);
    cli_json_cstr(&json, "namespace", j->thread.ns != NULL ? j->thread.ns : "");
    cli_json_cstr(&json, "id", id);
    cli_json_report(&json, file->report, NULL);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

/* Gives the shortened ids in full. What is not there cannot be followed; that it is not the newest one is for the
   library to say. */
static bool resolve(job *j)
{
    agentchat_checkpoint_put_options *options = &j->options;
    bool missing = false;

    if (options->parent != NULL) {
        if (!cli_thread_find(&j->thread, options->parent, j->parent, NULL))
            return false;
        options->parent = j->parent;
    }
    if (options->expect != NULL) {
        if (cli_thread_find(&j->thread, options->expect, j->expect, &missing))
            options->expect = j->expect;
        else if (!missing)
            return false;
    }
    return true;
}

static int put(job *j, const cli_input *file)
{
    char id[AGENTCHAT_ID_SIZE];
    cli_store *s = &j->thread.store;

    if (!resolve(j))
        return CLI_ERROR;
    agentchat_status status =
        agentchat_checkpoint_put(s->store, j->thread.id, file->snapshot, &j->options, id, &s->err);
    if (status < 0) {
        int failed = cli_store_fail(s, status);

        return status == AGENTCHAT_E_CONFLICT ? CLI_NO : failed;
    }
    print(j, file, id);
    if (j->as_json || cli_report_print(stderr, 0, file->report, NULL))
        return CLI_SUCCESS;
    (void)fputs("agentchat: out of memory\n", stderr);
    return CLI_ERROR;
}

/* The file comes first, so that no store is made for one that is no chat. */
static int put_file(job *j, const char *name)
{
    int status = CLI_ERROR;
    cli_input file;

    if (!cli_input_open(&file, name))
        return CLI_ERROR;
    if (cli_store_open(&j->thread.store, CLI_MAKE)) {
        status = put(j, &file);
        cli_store_close(&j->thread.store);
    }
    cli_input_close(&file);
    return status;
}

static int put_run(int argc, char **argv)
{
    job j = {.thread = {.store = {.self = &cli_thread_put}}, .options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT};
    const char *metadata = NULL, *step = NULL;
    const cli_switch switches[] = {{"id", NULL, &j.options.id},
                                   {"parent", NULL, &j.options.parent},
                                   {"expect", NULL, &j.options.expect},
                                   {"branch", &j.options.branch, NULL},
                                   {"metadata", NULL, &metadata},
                                   {"source", NULL, &j.options.source},
                                   {"step", NULL, &step},
                                   {"run", NULL, &j.options.run},
                                   {"namespace", NULL, &j.thread.ns},
                                   {"json", &j.as_json, NULL}};
    int status = cli_arguments(j.thread.store.self, argc, argv, "STORE THREAD [FILE]", switches,
                               sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    j.options.has_step = step != NULL;
    if (step != NULL && !cli_number_integer(step, &j.options.step))
        return cli_command_usage(j.thread.store.self->name, "--step needs an integer, not \"%s\"", step);
    if (metadata != NULL)
        j.options.metadata = agentchat_str_from(metadata);
    cli_thread_take(&j.thread, argv);
    j.options.ns = j.thread.ns;
    return put_file(&j, argv[3] != NULL ? argv[3] : "-");
}

const cli_command cli_thread_put = {
    .name = "thread put",
    .summary = "put a chat into a thread, and print the checkpoint's id",
    .help = "usage: agentchat thread put [OPTION...] STORE THREAD [FILE]\n"
            "\n"
            "Puts a chat, from FILE or standard input, in any format that is read, into a thread as a checkpoint\n"
            "that follows the newest one, and prints the checkpoint's id. Only what is new in it is stored. The\n"
            "thread is made when it is not there, and so is an SQLite file.\n"
            "\n"
            "  --id ID          its id, so that the same may be put again after a failure; without it one is made\n"
            "  --parent ID      it follows this checkpoint instead\n"
            "  --branch         it begins a line of its own, whatever follows its parent already. Chats that are\n"
            "                   attached stay on their lines; who attaches from now on takes the newest, which it is\n"
            "  --expect ID      this checkpoint must be the newest one\n"
            "  --metadata JSON  an object that thread log --filter looks at\n"
            "  --source WORD    what made it: input, loop, update, fork or another word\n"
            "  --step N         the step of the run that made it\n"
            "  --run RUN        the run that made it\n"
            "  --namespace NS   put it among the checkpoints of this namespace\n"
            "  --json           one JSON object (schema: agentchat check --schema cli-thread-put)\n"
            "\n"
            "exit status: 0 success, 1 somebody else was faster: another checkpoint follows that one already, the\n"
            "newest one is another than was expected, or there is another one of that id; 2 error\n",
    .run = put_run,
};

/* ==== agentchat thread copy: a thread once more, under another id ================================================ */

static void copy_print_json(const char *id)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "thread", id);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static int copy_run(int argc, char **argv)
{
    bool as_json = false;
    cli_waiting waiting;
    cli_thread t = {.store = {.self = &cli_thread_copy}};
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(t.store.self, argc, argv, "STORE THREAD NEW", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    cli_thread_take(&t, argv);
    if (!cli_store_open(&t.store, CLI_CHANGE))
        return CLI_ERROR;
    cli_waiting_begin(&waiting, "copying");
    agentchat_status done = agentchat_thread_copy(t.store.store, t.id, argv[3], &t.store.err);
    cli_waiting_end(&waiting);
    if (done >= 0 && as_json)
        copy_print_json(argv[3]);
    status = done < 0 ? cli_store_fail(&t.store, done) : CLI_SUCCESS;
    cli_store_close(&t.store);
    return status;
}

const cli_command cli_thread_copy = {
    .name = "thread copy",
    .summary = "copy a thread to another id",
    .help = "usage: agentchat thread copy [--json] STORE THREAD NEW\n"
            "\n"
            "Copies a thread, all its checkpoints with their ids, sequence numbers and pending writes, to a thread\n"
            "of the id NEW.\n"
            "\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-thread-copy)\n"
            "\n"
            "exit status: 0 success, 1 there is a thread of the new id, 2 error\n",
    .run = copy_run,
};

/* ==== agentchat thread delete: a thread with all its checkpoints, or those that a run made ======================= */

static void delete_print_json(uint64_t threads)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_count(&json, "threads", threads);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static agentchat_status delete_run(cli_thread *t, const char *name, bool as_json)
{
    uint64_t removed = 0;
    cli_waiting waiting;

    cli_waiting_begin(&waiting, "deleting");
    agentchat_status status = agentchat_thread_delete_run(t->store.store, t->id, name, &removed, &t->store.err);
    cli_waiting_end(&waiting);

    if (status >= 0)
        cli_thread_removed_print(removed, as_json);
    return status;
}

static agentchat_status delete_all(cli_thread *t, bool as_json)
{
    cli_waiting waiting;

    cli_waiting_begin(&waiting, "deleting");
    agentchat_status status = agentchat_thread_delete(t->store.store, t->id, &t->store.err);
    cli_waiting_end(&waiting);

    if (status >= 0 && as_json)
        delete_print_json(1);
    return status;
}

static int delete_thread_run(int argc, char **argv)
{
    const char *name = NULL;
    bool as_json = false;
    cli_thread t = {.store = {.self = &cli_thread_delete}};
    const cli_switch switches[] = {{"run", NULL, &name}, {"json", &as_json, NULL}};
    int status = cli_arguments(t.store.self, argc, argv, "STORE THREAD", switches, 2);

    if (status != CLI_GO_ON)
        return status;
    cli_thread_take(&t, argv);
    if (!cli_store_open(&t.store, CLI_CHANGE))
        return CLI_ERROR;
    agentchat_status done = name != NULL ? delete_run(&t, name, as_json) : delete_all(&t, as_json);
    status = done < 0 ? cli_store_fail(&t.store, done) : CLI_SUCCESS;
    cli_store_close(&t.store);
    return status;
}

const cli_command cli_thread_delete = {
    .name = "thread delete",
    .summary = "delete a thread, or what a run put there",
    .help = "usage: agentchat thread delete [--run RUN] [--json] STORE THREAD\n"
            "\n"
            "Deletes a thread with the checkpoints of all its namespaces.\n"
            "\n"
            "  --run RUN  only the checkpoints that this run made, and what only they needed; prints how many they\n"
            "             were, of which none is no error\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-thread-delete)\n"
            "\n"
            "exit status: 0 success, 2 there is no such thread, or error\n",
    .run = delete_thread_run,
};

/* ==== agentchat thread prune: takes old checkpoints out of a thread ============================================== */

/* A time before which nothing was made would be one that nobody asked for: 0. */
static int64_t time_before(int64_t span_us)
{
    int64_t now_us = (int64_t)time(NULL) * 1000000;

    return now_us > span_us ? now_us - span_us : 1;
}

static int prune(cli_thread *t, const agentchat_thread_prune_options *options, bool as_json)
{
    uint64_t removed = 0;
    cli_waiting waiting;

    if (!cli_store_open(&t->store, CLI_CHANGE))
        return CLI_ERROR;
    cli_waiting_begin(&waiting, "pruning");
    agentchat_status done = agentchat_thread_prune(t->store.store, t->id, options, &removed, &t->store.err);
    cli_waiting_end(&waiting);
    if (done >= 0)
        cli_thread_removed_print(removed, as_json);
    int status = done < 0 ? cli_store_fail(&t->store, done) : CLI_SUCCESS;
    cli_store_close(&t->store);
    return status;
}

static int prune_run(int argc, char **argv)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    cli_thread t = {.store = {.self = &cli_thread_prune}};
    const char *keep = NULL, *older = NULL, *name = t.store.self->name;
    int64_t span_us = 0;
    bool as_json = false;
    const cli_switch switches[] = {{"keep", NULL, &keep},
                                   {"older-than", NULL, &older},
                                   {"branches", &options.branches, NULL},
                                   {"json", &as_json, NULL}};
    int status = cli_arguments(t.store.self, argc, argv, "STORE THREAD", switches, 4);

    if (status != CLI_GO_ON)
        return status;
    if (keep == NULL && older == NULL)
        return cli_command_usage(name, "--keep or --older-than is missing: which checkpoints may go");
    if (keep != NULL && (!cli_number_count(keep, &options.keep) || options.keep == 0))
        return cli_command_usage(name, "--keep needs a number of checkpoints from 1, not \"%s\"", keep);
    if (older != NULL && !cli_number_span_us(older, &span_us))
        return cli_command_usage(name, "--older-than needs a time such as 90s, 15m, 12h, 30d or 2w, not \"%s\"", older);
    if (older != NULL)
        options.before_us = time_before(span_us);
    cli_thread_take(&t, argv);
    return prune(&t, &options, as_json);
}

const cli_command cli_thread_prune = {
    .name = "thread prune",
    .summary = "delete old checkpoints of a thread",
    .help = "usage: agentchat thread prune [--keep N] [--older-than D] [--branches] [--json] STORE THREAD\n"
            "\n"
            "Deletes old checkpoints of all namespaces, and what only they needed, and prints how many they were.\n"
            "The newest one of each namespace always stays, and so does the newest of every line. What stays can be\n"
            "read completely.\n"
            "\n"
            "  --keep N        the newest N of each namespace stay\n"
            "  --older-than D  those stay that were made within this time: 90s, 15m, 12h, 30d, 2w; where both are\n"
            "                  given, what either keeps stays\n"
            "  --branches      the newest of other lines may go too, though a chat may be attached there\n"
            "  --json          one JSON object (schema: agentchat check --schema cli-thread-prune)\n"
            "\n"
            "exit status: 0 success, 2 there is no such thread, or error\n",
    .run = prune_run,
};
