/* SPDX-License-Identifier: Apache-2.0 */
/* That every format of the registry has cases of each kind of document that it is read or written as. */
#include "format/case_files.h"

#include <stdio.h>

static void note_kind(const case_files *files)
{
    *(uint32_t *)files->run->user |= files->kind->holds;
}

static void test_registry__has_cases_of_every_format(void **state)
{
    char *dir = test_path(test_data_dir(), "format");

    (void)state;
    for (size_t i = 0; i < agentchat_format_count(); i++) {
        const agentchat_format *format = agentchat_format_at(i);
        char *folder = test_path(dir, format->name), *cases = test_path(folder, "cases");
        uint32_t found = 0;
        case_run run = {.format = format->name, .user = &found};

        case_each(cases, &run, note_kind);
        if (((format->reads | format->writes) & ~found) != 0)
            fail_msg("%s: there are no cases of what it holds (bits %u)", format->name,
                     (unsigned)((format->reads | format->writes) & ~found));
        free(cases);
        free(folder);
    }
    free(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registry__has_cases_of_every_format),
    };

    return cmocka_run_group_tests_name("case_folders", tests, NULL, NULL);
}
