/* SPDX-License-Identifier: Apache-2.0 */
/* What a command of the tool is: its operands, switches and exit statuses; groups of commands. */
#include "cli/command/command.h"

#include "cli/text/text.h"
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ==== command ==================================================================================================== */

int cli_command_usage(const char *command, const char *format, ...)
{
    char message[512];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    (void)fprintf(stderr, "agentchat %s: ", command);
    (void)cli_put(stderr, agentchat_str_from(message));
    (void)fprintf(stderr, " (see agentchat %s --help)\n", command);
    return CLI_ERROR;
}

/* Prints the help and returns CLI_SUCCESS. */
static int command_help(const cli_command *command)
{
    (void)fputs(command->help, stdout);
    return CLI_SUCCESS;
}

int cli_command_worse(int a, int b)
{
    return a > b ? a : b;
}

/* ==== formats as arguments: which names there are is what the library says ======================================= */

static uint32_t does(const agentchat_format *format, bool writes)
{
    return writes ? format->writes : format->reads;
}

static bool can(const cli_command *self, const char *name, uint32_t documents, bool writes)
{
    const agentchat_format *format = agentchat_format_find(name);
    char names[256] = "";
    size_t len = 0;

    if (format != NULL && (does(format, writes) & documents) != 0)
        return true;
    for (size_t i = 0; i < agentchat_format_count() && len < sizeof names; i++) {
        format = agentchat_format_at(i);
        if ((does(format, writes) & documents) != 0)
            len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", len > 0 ? ", " : "", format->name);
    }
    (void)cli_command_usage(self->name, "--%s needs a format that is %s here (%s), not \"%s\"", writes ? "to" : "from",
                            writes ? "written" : "read", names, name);
    return false;
}

bool cli_format_is_read(const cli_command *self, const char *name, uint32_t documents)
{
    return can(self, name, documents, false);
}

bool cli_format_is_written(const cli_command *self, const char *name, uint32_t documents)
{
    return can(self, name, documents, true);
}

/* ==== getopt_long() is asked for one option at a time, and stops at each operand, so that -5 can be one ========== */

/* Values of long options, above all characters. */
enum { OPT_HELP = 256, OPT_WAIT, OPT_FROM, OPT_STORE, OPT_FIRST, MAX_SWITCHES = 11, MORE_SWITCHES = 4 };

/* What a command works on, which its operands say. */
typedef enum subject { ON_NOTHING, ON_FILES, ON_CHATS, ON_STORE, ON_BOTH } subject;

static bool has_files(subject on)
{
    return on == ON_FILES || on == ON_CHATS || on == ON_BOTH;
}

static bool has_store(subject on)
{
    return on == ON_STORE || on == ON_CHATS || on == ON_BOTH;
}

static uint32_t wait_ms;
static const char *from, *store;

uint32_t cli_arguments_wait_ms(void)
{
    return wait_ms;
}

const char *cli_arguments_from(void)
{
    return from;
}

const char *cli_arguments_store(void)
{
    return store;
}

static const char from_help[] =
    "  --from FORMAT   what the files are in (agentchat formats), where it cannot be detected\n";

static const char store_help[] =
    "  --store STORE   take sessions of STORE, named APP/USER/ID (~1 is a / and ~0 a ~ in a name), instead\n"
    "                  of files; - stays standard input\n";

static const char wait_help[] =
    "  --wait SECONDS  how long to wait for others who hold the store, and for a server that is\n"
    "                  not ready (30)\n";

/* What a command takes of its own; lists after switches. */
typedef struct own_options {
    const cli_switch *switches;
    size_t count;
    cli_repeated *lists;
    size_t list_count;
} own_options;

static void fill_options(struct option *options, const own_options *own, subject on)
{
    const cli_switch *switches = own->switches;
    size_t count = own->count;

    options[0] = (struct option){"help", no_argument, NULL, OPT_HELP};
    for (size_t i = 0; i < count; i++) {
        int value = switches[i].value == NULL  ? no_argument
                    : switches[i].flag == NULL ? required_argument
                                               : optional_argument;

        options[i + 1] = (struct option){switches[i].name, value, NULL, OPT_FIRST + (int)i};
    }
    for (size_t i = 0; i < own->list_count; i++, count++)
        options[count + 1] = (struct option){own->lists[i].name, required_argument, NULL, OPT_FIRST + (int)count};
    if (has_store(on))
        options[++count] = (struct option){"wait", required_argument, NULL, OPT_WAIT};
    if (has_files(on))
        options[++count] = (struct option){"from", required_argument, NULL, OPT_FROM};
    if (on == ON_CHATS)
        options[++count] = (struct option){"store", required_argument, NULL, OPT_STORE};
    options[count + 1] = (struct option){NULL, 0, NULL, 0};
}

/* Whether several options begin as the argument does; one that is exactly it is the only one, and no error. */
static bool is_ambiguous(const char *argument, const struct option *options)
{
    size_t len, count = 0;

    if (strncmp(argument, "--", 2) != 0)
        return false;
    len = strcspn(argument + 2, "=");
    for (; options->name != NULL; options++)
        count += strncmp(options->name, argument + 2, len) == 0;
    return count > 1;
}

/* getopt_long() without its own messages: says what is wrong with an option in the tool's style. Gives the option's
   value, -1 at an operand or the end, '?' after an error. */
static int next_option(const char *command, int argc, char **argv, const struct option *options)
{
    opterr = 0; /* its messages would print the argument raw */
    int option = getopt_long(argc, argv, "+:h", options, NULL);

    if (option == 'h')
        return OPT_HELP;
    if (option != '?' && option != ':')
        return option;
    bool is_long = optopt == 0 || optopt >= OPT_HELP;
    char letter[] = {'-', (char)optopt, '\0'};
    const char *given = is_long ? argv[optind - 1] : letter;

    (void)fprintf(stderr, "agentchat %s: ", command);
    if (option == ':')
        (void)fputs("this option needs a value: ", stderr);
    else if (is_long && optopt != 0)
        (void)fputs("this option takes no value: ", stderr);
    else if (is_ambiguous(given, options))
        (void)fputs("more than one option begins like this: ", stderr);
    else
        (void)fputs("no such option: ", stderr);
    (void)cli_put(stderr, agentchat_str_from(given));
    (void)fprintf(stderr, " (see agentchat %s --help)\n", command);
    return '?';
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
            return *operand == NULL ? CLI_GO_ON
                                    : cli_command_usage(self->name, "one argument too many: \"%s\"", *operand);
        if (*operand == NULL)
            return name.ptr[0] == '['
                       ? CLI_GO_ON
                       : cli_command_usage(self->name, "%.*s is missing",
                                           (int)(ends_with_dots(name) ? name.len - 3 : name.len), name.ptr);
        if (ends_with_dots(name))
            return CLI_GO_ON;
        operand++;
    }
}

static subject subject_of(const char *operands)
{
    static const char *const chats[] = {"FILE", "FILE...", "IN OUT", "A B"};

    if (operands[0] == '\0')
        return ON_NOTHING;
    for (size_t i = 0; i < sizeof chats / sizeof *chats; i++) {
        if (strcmp(operands, chats[i]) == 0)
            return ON_CHATS;
    }
    if (strncmp(operands, "STORE", 5) != 0)
        return ON_FILES;
    return strcmp(operands, "STORE THREAD [FILE]") == 0 ? ON_BOTH : ON_STORE;
}

static int arguments_print_help(const cli_command *self, subject on)
{
    int status = command_help(self);

    if (on != ON_NOTHING)
        (void)fputc('\n', stdout);
    if (has_files(on))
        (void)fputs(from_help, stdout);
    if (on == ON_CHATS)
        (void)fputs(store_help, stdout);
    if (has_store(on))
        (void)fputs(wait_help, stdout);
    return status;
}

/* Takes an option that is not a command's own. false: what is wrong has been reported. */
static bool take_common(const cli_command *self, int option, bool *waits)
{
    switch (option) {
    case OPT_STORE:
        store = optarg;
        return true;
    case OPT_WAIT:
        *waits = true;
        if (cli_number_ms(optarg, &wait_ms))
            return true;
        (void)cli_command_usage(self->name, "--wait takes seconds, such as 5 or 0.5, not \"%s\"", optarg);
        return false;
    case OPT_FROM:
        from = optarg;
        return cli_format_is_read(self, from, AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_HISTORY);
    default:
        return false;
    }
}

/* Takes an option of a command's own. false: it was given too often, which has been reported. */
static bool take_own(const cli_command *self, const own_options *own, size_t index)
{
    const cli_switch *given = own->switches + index;
    cli_repeated *list;

    if (index >= own->count && own->lists != NULL) {
        list = &own->lists[index - own->count];
        if (list->count < CLI_MOST_VALUES) {
            list->values[list->count++] = optarg;
            return true;
        }
        (void)cli_command_usage(self->name, "--%s is given more than %d times", list->name, (int)CLI_MOST_VALUES);
        return false;
    }
    if (given->flag != NULL)
        *given->flag = true;
    if (given->value != NULL)
        *given->value = optarg;
    return true;
}

int cli_arguments(const cli_command *self, int argc, char **argv, const char *operands, const cli_switch *switches,
                  size_t count)
{
    return cli_arguments_with_lists(self, argc, argv, operands, switches, count, NULL, 0);
}

int cli_arguments_with_lists(const cli_command *self, int argc, char **argv, const char *operands,
                             const cli_switch *switches, size_t count, cli_repeated *lists, size_t list_count)
{
    const own_options own = {switches, count, lists, list_count};
    struct option options[MAX_SWITCHES + MORE_SWITCHES + 1];
    subject on = subject_of(operands);
    bool waits = false;
    int found = 0;

    fill_options(options, &own, on);
    for (;;) {
        if (optind < argc && is_operand(argv[optind])) {
            argv[++found] = argv[optind++]; /* never in front of what was read */
            continue;
        }
        int option = next_option(self->name, argc, argv, options);

        if (option == -1)
            break;
        if (option == OPT_HELP)
            return arguments_print_help(self, on);
        if (option >= OPT_FIRST ? !take_own(self, &own, (size_t)(option - OPT_FIRST))
                                : !take_common(self, option, &waits))
            return CLI_ERROR;
    }
    if (waits && on == ON_CHATS && store == NULL)
        return cli_command_usage(self->name, "--wait goes with --store");
    while (optind < argc) /* after -- */
        argv[++found] = argv[optind++];
    for (int i = found + 1; i < argc; i++)
        argv[i] = NULL;
    return check_operands(self, argv + 1, operands);
}

/* ==== group ====================================================================================================== */

/* "create" of "session create". */
static const char *own_name(const cli_group *group, const cli_command *command)
{
    return command->name + strlen(group->name) + 1;
}

static void group_print_help(FILE *out, const cli_group *group)
{
    (void)fprintf(out, "usage: agentchat %s COMMAND ARGUMENT...\n\n", group->name);
    for (size_t i = 0; i < group->count; i++)
        (void)fprintf(out, "  %-13s%s\n", own_name(group, group->commands[i]), group->commands[i]->summary);
    (void)fprintf(out, "\n%sagentchat %s COMMAND --help explains a command.\n", group->about, group->name);
}

int cli_group_run(const cli_group *group, int argc, char **argv)
{
    if (argc < 2) {
        group_print_help(stderr, group);
        return CLI_ERROR;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        group_print_help(stdout, group);
        return CLI_SUCCESS;
    }
    for (size_t i = 0; i < group->count; i++) {
        if (strcmp(argv[1], own_name(group, group->commands[i])) == 0)
            return group->commands[i]->run(argc - 1, argv + 1);
    }
    (void)fprintf(stderr, "agentchat %s: there is no command \"", group->name);
    (void)cli_put(stderr, agentchat_str_from(argv[1]));
    (void)fprintf(stderr, "\" (agentchat %s --help lists them)\n", group->name);
    return CLI_ERROR;
}
