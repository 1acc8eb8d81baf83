/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat thread put: a chat as the next checkpoint of a thread. */
#include "cli/text/put.h"
#include "cli/command/arguments.h"
#include "cli/io/input.h"
#include "cli/io/thread.h"
#include "cli/json/writer.h"
#include "cli/show/report.h"
#include "cli/text/number.h"
#include "cli/thread/thread.h"

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

static int run(int argc, char **argv)
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
    .run = run,
};
