/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat digest: equal for chats of the same meaning, whatever their formats. Layer: cli. */
#include "cli.h"
#include "json_out.h"
#include "terminal.h"

static int digest_file(const char *name, bool all, bool as_json)
{
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    cli_file file;

    if (!cli_file_open(&file, name))
        return CLI_ERROR;
    agentchat_status status = agentchat_snapshot_digest(file.snapshot, all, digest, &file.err);
    if (status < 0) {
        cli_print_error(stderr, name, status, &file.err);
    } else if (as_json) {
        cli_json json = {.out = stdout};

        cli_json_begin(&json, NULL, '{');
        cli_json_cstr(&json, "file", name);
        cli_json_cstr(&json, "sha256", digest);
        cli_json_bool(&json, "all", all);
        cli_json_end(&json, '}');
        cli_json_line(&json);
    } else {
        (void)printf("sha256:%s  ", digest);
        (void)cli_put(stdout, agentchat_str_from(name));
        (void)fputc('\n', stdout);
    }
    cli_file_close(&file);
    return status < 0 ? CLI_ERROR : CLI_FINE;
}

static int run(int argc, char **argv)
{
    enum { OPT_ALL = CLI_OPT_FIRST, OPT_MAX_COPIES };
    static const struct option options[] = {CLI_OPTION_HELP,
                                            CLI_OPTION_JSON,
                                            {"all", no_argument, NULL, OPT_ALL},
                                            {"max-copies", required_argument, NULL, OPT_MAX_COPIES},
                                            {NULL, 0, NULL, 0}};
    bool all = false, as_json = false;
    int status = CLI_FINE;

    for (int option; (option = cli_option(argc, argv, options)) != -1;) {
        if (option == CLI_OPT_HELP)
            return cli_help(&cli_digest);
        if (option == CLI_OPT_JSON)
            as_json = true;
        else if (option == OPT_ALL)
            all = true;
        else if (option == OPT_MAX_COPIES && cli_max_copies(&cli_digest, optarg))
            continue;
        else
            return CLI_ERROR;
    }
    if (optind >= argc)
        return cli_usage(cli_digest.name, "no file is given");
    for (int i = optind; i < argc; i++)
        status = cli_worse(status, digest_file(argv[i], all, as_json));
    return status;
}

const cli_command cli_digest = {
    .name = "digest",
    .summary = "print a digest that is equal for chats of the same meaning",
    .help = "usage: agentchat digest [OPTION...] FILE...\n"
            "\n"
            "Prints sha256:HEX  FILE for each FILE. Two histories with the same meaning have the same digest,\n"
            "whatever formats they are stored in.\n"
            "\n"
            "  --all           cover participants and channels too, not only the history\n"
            "  --max-copies N  let channels repeat the history up to N times FILE's size, not 16\n"
            "  --json          one JSON object per file (schema: agentchat check --schema cli-digest)\n"
            "\n"
            "exit status: 0 fine, 2 a file is no chat or cannot be read\n",
    .run = run,
};
