/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat diff: where two chats differ in meaning. Layer: cli. */
#include "cli.h"
#include "json_out.h"
#include "json_text.h"
#include "terminal.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_PATH_COLUMNS = 44, MAX_VALUE_COLUMNS = 60, HOLD_BACK = 1000 };

typedef struct difference {
    char *text; /* path, left and right, one behind the other */
    agentchat_str path, left, right;
} difference;

/* Differences are held back so that their paths can be aligned; beyond HOLD_BACK they are printed as they come, with
   the width of the first ones. */
typedef struct listing {
    bool full;
    cli_json *json; /* NULL: for people */
    cli_style style;
    difference held[HOLD_BACK];
    size_t count;
    size_t width;
    bool streaming;
} listing;

static bool is_one(agentchat_str path, const char *parent)
{
    size_t len = strlen(parent);

    return path.len > len && memcmp(path.ptr, parent, len) == 0 && memchr(path.ptr + len, '/', path.len - len) == NULL;
}

/* `Vdx37EnWT9BS… (ChatHistoryChannel, 12 messages)` instead of the whole channel. */
static void put_channel(agentchat_str value)
{
    agentchat_str key = cli_json_string(cli_json_member(value, "channelkey"));
    agentchat_str type = cli_json_string(cli_json_member(value, "channeltype"));
    agentchat_str kind = cli_json_string(cli_json_member(value, "statekind"));
    agentchat_str state = cli_json_member(value, "channelstate");

    (void)cli_put_cut(stdout, key, 13);
    (void)fputs(" (", stdout);
    (void)cli_put_cut(stdout, cli_short_type(type), MAX_VALUE_COLUMNS);
    if (agentchat_str_equal(kind, AGENTCHAT_STR("messages"))) {
        (void)fputs(type.len > 0 ? ", " : "", stdout);
        cli_print_count(stdout, cli_json_length(state), "message", "messages");
    }
    (void)fputc(')', stdout);
}

static void put_value(const listing *l, agentchat_str path, agentchat_str value)
{
    char *text = NULL;
    size_t len = 0;

    if (!l->full && is_one(path, "/channels/") && value.len > 0 && value.ptr[0] == '{') {
        put_channel(value);
        return;
    }
    FILE *memory = open_memstream(&text, &len);
    if (memory != NULL)
        cli_json_one_line(memory, value);
    if (!cli_memory_end(memory, &text))
        (void)fputs("(out of memory)", stdout);
    else
        (void)cli_put_cut(stdout, (agentchat_str){text, len}, l->full ? 0 : MAX_VALUE_COLUMNS);
    free(text);
}

static void put_difference(listing *l, agentchat_str path, agentchat_str left, agentchat_str right)
{
    size_t used = cli_put(stdout, path.len == 0 ? AGENTCHAT_STR("/") : path);

    cli_pad(stdout, (used < l->width ? l->width - used : 0) + 3);
    if (left.ptr == NULL) {
        (void)fprintf(stdout, "%s+ ", l->style.green);
        put_value(l, path, right);
        (void)fputs(l->style.off, stdout);
    } else if (right.ptr == NULL) {
        (void)fprintf(stdout, "%s- ", l->style.red);
        put_value(l, path, left);
        (void)fputs(l->style.off, stdout);
    } else {
        put_value(l, path, left);
        (void)fputs(" → ", stdout);
        put_value(l, path, right);
    }
    (void)fputc('\n', stdout);
}

static void flush_held(listing *l)
{
    for (size_t i = 0; i < l->count; i++) {
        size_t columns = cli_width(l->held[i].path);
        if (columns > l->width && columns <= MAX_PATH_COLUMNS)
            l->width = columns;
    }
    for (size_t i = 0; i < l->count; i++) {
        difference *d = &l->held[i];

        put_difference(l, d->path, d->left, d->right);
        free(d->text);
    }
    l->count = 0;
    l->streaming = true;
}

static agentchat_str keep(char **at, agentchat_str text)
{
    agentchat_str kept = {text.ptr == NULL ? NULL : *at, text.len};

    if (text.len > 0)
        memcpy(*at, text.ptr, text.len);
    *at += text.len;
    return kept;
}

static agentchat_status each(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                             agentchat_error *err)
{
    listing *l = user;

    if (l->json != NULL) {
        cli_json_begin(l->json, NULL, '{');
        cli_json_text(l->json, "path", path);
        cli_json_raw(l->json, "left", left);
        cli_json_raw(l->json, "right", right);
        cli_json_end(l->json, '}');
        return AGENTCHAT_OK;
    }
    if (!l->streaming && l->count == HOLD_BACK)
        flush_held(l);
    if (l->streaming) {
        put_difference(l, path, left, right);
        return AGENTCHAT_OK;
    }
    char *text = malloc(path.len + left.len + right.len + 1), *at = text;
    if (text == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    agentchat_str kept_path = keep(&at, path), kept_left = keep(&at, left);
    l->held[l->count++] = (difference){text, kept_path, kept_left, keep(&at, right)};
    return AGENTCHAT_OK;
}

static int compare(const char *left_name, const char *right_name, bool full, bool as_json)
{
    cli_json json = {.out = stdout};
    cli_file left, right;
    bool equal = false;

    if (!cli_file_open(&left, left_name))
        return CLI_ERROR;
    if (!cli_file_open(&right, right_name)) {
        cli_file_close(&left);
        return CLI_ERROR;
    }
    listing *l = calloc(1, sizeof *l);
    agentchat_error err = {.offset = AGENTCHAT_NO_OFFSET};
    agentchat_status status = AGENTCHAT_E_NOMEM;
    if (l != NULL) {
        l->full = full;
        l->style = cli_style_of(stdout);
        if (as_json) {
            l->json = &json;
            cli_json_begin(&json, NULL, '{');
            cli_json_cstr(&json, "left", left_name);
            cli_json_cstr(&json, "right", right_name);
            cli_json_begin(&json, "differences", '[');
        }
        status = agentchat_snapshot_diff(left.snapshot, right.snapshot, each, l, &equal, &err);
        flush_held(l);
        if (as_json) {
            cli_json_end(&json, ']');
            if (status >= 0)
                cli_json_bool(&json, "equal", equal);
            cli_json_end(&json, '}');
            cli_json_line(&json);
        }
    }
    if (status < 0)
        cli_print_error(stderr, NULL, status, &err);
    free(l);
    cli_file_close(&left);
    cli_file_close(&right);
    return status < 0 ? CLI_ERROR : equal ? CLI_FINE : CLI_NO;
}

static int run(int argc, char **argv)
{
    enum { OPT_FULL = CLI_OPT_FIRST };
    static const struct option options[] = {
        CLI_OPTION_HELP, CLI_OPTION_JSON, {"full", no_argument, NULL, OPT_FULL}, {NULL, 0, NULL, 0}};
    bool full = false, as_json = false;

    for (int option; (option = cli_option(argc, argv, options)) != -1;) {
        if (option == CLI_OPT_HELP)
            return cli_help(&cli_diff);
        if (option == CLI_OPT_JSON)
            as_json = true;
        else if (option == OPT_FULL)
            full = true;
        else
            return CLI_ERROR;
    }
    if (argc - optind != 2)
        return cli_usage(cli_diff.name, "give two files");
    return compare(argv[optind], argv[optind + 1], full, as_json);
}

const cli_command cli_diff = {
    .name = "diff",
    .summary = "tell where two chats differ in meaning",
    .help = "usage: agentchat diff [--full] [--json] A B\n"
            "\n"
            "Prints one line per difference: the place, and A → B, - what only A has, + what only B has. The\n"
            "formats of the files do not matter; only the meaning is compared, as agentchat digest --all does.\n"
            "\n"
            "  --full     shorten nothing\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-diff)\n"
            "\n"
            "exit status: 0 the same, 1 different, 2 a file is no chat or cannot be read\n",
    .run = run,
};
