/* SPDX-License-Identifier: Apache-2.0 */
/* A table of notes and a connection to it, for the tests of batches. */
#include "batch_scene.h"

char *database;

int set_up(void **state)
{
    scene *s = calloc(1, sizeof *s);

    pg_make_notes(database);
    s->c = pg_open(database, 5000);
    agentchat_error_clear(&s->err);
    *state = s;
    return 0;
}

int tear_down(void **state)
{
    scene *s = *state;

    pg_close(s->c);
    free(s);
    return 0;
}

agentchat_status run(scene *s, unsigned flags, aci_sql_request *requests, size_t count)
{
    agentchat_error_clear(&s->err);
    return aci_postgres_driver.run(s->c, flags, requests, count, &s->outcome, &s->err);
}

void assert_usable(scene *s)
{
    assert_true(aci_postgres_driver.is_alive(s->c));
    (void)notes_in(s->c);
}
