/* SPDX-License-Identifier: Apache-2.0 */
/* getopt_long() is asked for one option at a time, and stops at each operand, so that -5 can be one. Layer: cli. */
#include "arguments.h"
#include "store.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_WAIT = CLI_OPT_FIRST + CLI_MAX_SWITCHES };

static const char wait_help[] =
    "\n"
    "  --wait SECONDS  how long to wait for others who hold the store, and for a server that is\n"
    "                  not ready (30)\n";

static void fill_options(struct option *options, const cli_switch *switches, size_t count, bool is_on_store)
{
    options[0] = (struct option)CLI_OPTION_HELP;
    for (size_t i = 0; i < count; i++) {
        bool has_value = switches[i].value != NULL;

        options[i + 1] = (struct option){switches[i].name, has_value ? required_argument : no_argument, NULL,
                                         CLI_OPT_FIRST + (int)i};
    }
    if (is_on_store)
        options[++count] = (struct option){"wait", required_argument, NULL, OPT_WAIT};
    options[count + 1] = (struct option){NULL, 0, NULL, 0};
}

static bool is_operand(const char *argument)
{
    return argument[0] != '-' || argument[1] == '\0' || (argument[1] >= '0' && argument[1] <= '9');
}

/* The next word of a list of operands; len 0 at the end. */
static agentchat_str next_word(const char **at)
{
    const char *start = *at + strspn(*at, " ");
    size_t len = strcspn(start, " ");

    *at = start + len;
    return (agentchat_str){start, len};
}

static bool ends_with_dots(agentchat_str word)
{
    return word.len > 3 && memcmp(word.ptr + word.len - 3, "...", 3) == 0;
}

static int check_operands(const cli_command *self, char **operand, const char *names)
{
    for (;;) {
        agentchat_str name = next_word(&names);

        if (name.len == 0) /* NULL or one that has no name */
            return *operand == NULL ? CLI_GO_ON : cli_usage(self->name, "one argument too many: \"%s\"", *operand);
        if (*operand == NULL)
            return name.ptr[0] == '[' ? CLI_GO_ON
                                      : cli_usage(self->name, "%.*s is missing",
                                                  (int)(ends_with_dots(name) ? name.len - 3 : name.len), name.ptr);
        if (ends_with_dots(name))
            return CLI_GO_ON;
        operand++;
    }
}

int cli_arguments(const cli_command *self, int argc, char **argv, const char *operands, const cli_switch *switches,
                  size_t count)
{
    struct option options[CLI_MAX_SWITCHES + 3];
    bool is_on_store = strncmp(operands, "STORE", 5) == 0;
    int found = 0;

    fill_options(options, switches, count, is_on_store);
    for (;;) {
        if (optind < argc && is_operand(argv[optind])) {
            argv[++found] = argv[optind++]; /* never in front of what was read */
            continue;
        }
        int option = cli_option_of(self->name, argc, argv, "+:h", options);

        if (option == -1)
            break;
        if (option == CLI_OPT_HELP) {
            int status = cli_help(self);

            if (is_on_store)
                (void)fputs(wait_help, stdout);
            return status;
        }
        if (option == OPT_WAIT) {
            if (!cli_store_set_wait(optarg))
                return cli_usage(self->name, "--wait takes seconds, such as 5 or 0.5, not \"%s\"", optarg);
            continue;
        }
        if (option < CLI_OPT_FIRST)
            return CLI_ERROR;
        const cli_switch *given = &switches[option - CLI_OPT_FIRST];
        if (given->flag != NULL)
            *given->flag = true;
        else
            *given->value = optarg;
    }
    while (optind < argc) /* behind -- */
        argv[++found] = argv[optind++];
    for (int i = found + 1; i < argc; i++)
        argv[i] = NULL;
    return check_operands(self, argv + 1, operands);
}

bool cli_parse_count(const char *text, uint64_t *out)
{
    char *end = NULL;

    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
        return false;
    *out = value;
    return true;
}

bool cli_parse_integer(const char *text, int64_t *out)
{
    const char *digits = text[0] == '-' ? text + 1 : text;
    char *end = NULL;

    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (digits[0] < '0' || digits[0] > '9' || *end != '\0' || errno != 0)
        return false;
    *out = value;
    return true;
}
