/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The input as operations on a chat in any order, while agents fail, call back and memory runs out: each operation does
 * what it promises or nothing, each channel is given every message once and in order, and what is saved comes back.
 */
#include "chat_model.h"

#include <string.h>

enum { OPERATIONS = 100 };

static const char *const value_names[VALUES] = {"first", "second", "third"};

/* The status of an operation: what it should be, or a failure that was made. */
static void check_status(const world *w, agentchat_status status, agentchat_status expected, const agentchat_error *err)
{
    FUZZ_CHECK(err->code == (status < 0 ? (int32_t)status : 0));
    if (status == expected)
        return;
    FUZZ_CHECK(disturbed(w));
    FUZZ_CHECK(status == AGENTCHAT_E_CALLBACK ? w->fired > 0 : status == AGENTCHAT_E_NOMEM && out_of_memory(w));
}

/* ---- agents and messages -------------------------------------------------------------------------------------- */

static bool is_there(const world *w, const seat_info *info)
{
    for (size_t i = 0; i < agentchat_chat_agent_count(w->top->chat); i++) {
        const seat *s = agentchat_agent_user(agentchat_chat_agent(w->top->chat, i));

        if (s->info == info)
            return true;
    }
    return false;
}

static void join(world *w)
{
    const seat_info *info = &outer_seats[fuzz_below(&w->in, SEATS)];
    size_t count = agentchat_chat_agent_count(w->top->chat);
    bool there = is_there(w, info);
    agentchat_status status;
    agentchat_error err;

    if (there && info->id == NULL) { /* would get another id, and be another one of the name */
        status = agentchat_chat_add_agent(w->top->chat, agentchat_chat_agent(w->top->chat, 0), &err);
        FUZZ_CHECK(status == AGENTCHAT_E_EXISTS); /* in the chat already, which does not take ownership again */
        return;
    }
    status = agent_join(w->top, info, &err);
    check_status(w, status, there ? AGENTCHAT_E_EXISTS : AGENTCHAT_OK, &err);
    FUZZ_CHECK(agentchat_chat_agent_count(w->top->chat) == count + (status == AGENTCHAT_OK));
}

static void add_messages(world *w)
{
    agentchat_message *batch[4] = {NULL};
    size_t count = fuzz_below(&w->in, 4), until = w->memory.until_fails;
    uint32_t wrong = fuzz_below(&w->in, 16);
    agentchat_status expected = AGENTCHAT_OK, status;
    uint16_t first = w->next_number;
    agentchat_error err;

    if (w->history.count + count > HISTORY_ROOM)
        return;
    w->memory.until_fails = SIZE_MAX;
    for (size_t i = 0; i < count; i++)
        FUZZ_CHECK(new_message(w, wrong == i ? "SYSTEM" : "user", &batch[i], NULL) == AGENTCHAT_OK);
    w->memory.until_fails = until;
    if (wrong < count)
        expected = AGENTCHAT_E_INVALID;
    if (wrong == 15) {
        expected = AGENTCHAT_E_INVALID; /* the one after the last is NULL */
        count++;
    }
    status = agentchat_chat_add_messages(w->top->chat, (const agentchat_message *const *)batch, count, &err);
    check_status(w, status, expected, &err);
    for (size_t i = 0; i < count; i++) {
        if (status == AGENTCHAT_OK)
            numbers_add(&w->history, (uint16_t)(first + i));
        agentchat_message_unref(batch[i]);
    }
}

/* ---- invoking ------------------------------------------------------------------------------------------------- */

/* What an invocation added to the history: what the chat's own agents said, and of what inner ones said. */
static numbers take_what_was_said(world *w)
{
    numbers history = numbers_of(agentchat_chat_history(w->top->chat)), added = {.count = 0}, found;

    FUZZ_CHECK(numbers_begin_with(&history, &w->history));
    for (size_t i = w->history.count; i < history.count; i++)
        numbers_add(&added, history.list[i]);
    found = numbers_within(&w->all_said, &added);
    FUZZ_CHECK(numbers_equal(&found, &added)); /* in the order in which it was said */
    found = numbers_within(&added, &w->top->said);
    FUZZ_CHECK(numbers_equal(&found, &w->top->said)); /* all of it */
    w->history = history;
    w->complete = w->complete || w->completed;
    return added;
}

static void check_aggregator(const world *w, const seat_info *info, agentchat_status status, const numbers *added)
{
    if (info->kind == SEAT_FLAT) /* at once, so that not even a lack of memory comes between */
        FUZZ_CHECK(numbers_equal(added, &w->all_said));
    if (info->kind == SEAT_NESTED && !out_of_memory(w))
        FUZZ_CHECK(added->count == (status == AGENTCHAT_OK && w->all_said.count > 0 ? 1 : 0));
}

/* The agent that has an id, else the only one of a name. */
static agentchat_status find(const world *w, const char *name, const seat_info **out)
{
    agentchat_status status = AGENTCHAT_E_NOTFOUND;

    *out = NULL;
    for (size_t i = 0; i < agentchat_chat_agent_count(w->top->chat); i++) {
        const agentchat_agent *agent = agentchat_chat_agent(w->top->chat, i);
        const seat *s = agentchat_agent_user(agent);

        if (agentchat_str_equal(agentchat_agent_id(agent), agentchat_str_from(name))) {
            *out = s->info;
            return AGENTCHAT_OK;
        }
        if (strcmp(s->info->name, name) != 0)
            continue;
        status = *out == NULL ? AGENTCHAT_OK : AGENTCHAT_E_INVALID;
        *out = s->info;
    }
    return status;
}

static void invoke(world *w)
{
    const seat_info *info = &outer_seats[fuzz_below(&w->in, SEATS)];
    const char *name = info->id != NULL && fuzz_below(&w->in, 2) == 0 ? info->id : info->name;
    agentchat_status expected = find(w, name, &info), status;
    agentchat_error err;
    numbers added;

    status = agentchat_chat_invoke(w->top->chat, agentchat_str_from(name), &err);
    check_status(w, status, expected, &err);
    added = take_what_was_said(w);
    if (expected == AGENTCHAT_OK)
        check_aggregator(w, info, status, &added);
    if (status == expected || expected != AGENTCHAT_OK)
        return;
    calm_down(w); /* again, with nothing in the way */
    operation_begin(w);
    FUZZ_CHECK(agentchat_chat_invoke(w->top->chat, agentchat_str_from(name), &err) == AGENTCHAT_OK);
    (void)take_what_was_said(w);
}

static size_t whose_turn(const world *w)
{
    return w->turn < agentchat_chat_agent_count(w->top->chat) ? w->turn : 0;
}

static agentchat_status after_turn(void *user, const agentchat_chat *chat, const agentchat_agent *spoke, bool *out,
                                   agentchat_error *err)
{
    world *w = user;

    FUZZ_CHECK(spoke == agentchat_chat_agent(chat, whose_turn(w)));
    meddle(w->top);
    w->turn = whose_turn(w) + 1;
    w->turn_is_over = fires(w, FAULT_COMPLETE);
    if (w->turn_is_over)
        return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "it is to fail");
    *out = false;
    return AGENTCHAT_OK;
}

static void run(world *w)
{
    agentchat_run_options options = AGENTCHAT_RUN_OPTIONS_INIT;
    size_t agents = agentchat_chat_agent_count(w->top->chat);
    agentchat_status expected = AGENTCHAT_OK, status;
    bool begins = false;
    agentchat_error err;

    options.max_turns = 1 + fuzz_below(&w->in, 3);
    options.reset_complete = fuzz_below(&w->in, 2) == 0;
    options.is_complete = after_turn;
    options.user = w;
    if (agents == 0)
        expected = AGENTCHAT_E_NO_AGENTS;
    else if (w->complete && !options.reset_complete)
        expected = AGENTCHAT_E_INVALID;
    else
        begins = true;
    if (begins) {
        w->complete = false;
        w->turn = whose_turn(w);
    }
    w->turn_is_over = false;
    status = agentchat_chat_run(w->top->chat, &options, &err);
    if (begins && status < 0 && !w->turn_is_over) /* a turn that failed can be had again */
        w->turn = whose_turn(w);
    if (expected == AGENTCHAT_OK && w->completed)
        expected = AGENTCHAT_DONE;
    check_status(w, status, expected, &err);
    (void)take_what_was_said(w);
}

/* ---- the rest ------------------------------------------------------------------------------------------------- */

static void reset(world *w)
{
    agentchat_error err;
    agentchat_status status = agentchat_chat_reset(w->top->chat, &err);

    check_status(w, status, AGENTCHAT_OK, &err);
    if (status < 0) {
        calm_down(w);
        check_world(w);
        if (fuzz_below(&w->in, 2) == 0)
            return; /* go on with what is left, which is given the history again */
        FUZZ_CHECK(agentchat_chat_reset(w->top->chat, &err) == AGENTCHAT_OK);
    }
    w->history.count = 0;
    w->turn = 0;
    w->complete = false;
    FUZZ_CHECK(agentchat_chat_kept_count(w->top->chat) == 0);
}

static void set_value(world *w)
{
    size_t which = fuzz_below(&w->in, VALUES);
    value made = {true, false, 0};
    agentchat_str media_type = {NULL, 0}, text;
    agentchat_status status;
    agentchat_error err;
    char content[8];

    made.is_bytes = fuzz_below(&w->in, 2) == 0; /* one after the other: an initializer leaves the order open */
    made.content = fuzz_byte(&w->in);
    (void)snprintf(content, sizeof content, "%u", (unsigned)made.content);
    text = agentchat_str_from(content);
    made.is_set = made.content % 4 != 0;
    if (!made.is_set)
        text.ptr = NULL, text.len = 0;
    if (made.is_bytes)
        media_type = AGENTCHAT_STR("text/plain");
    status = agentchat_chat_set_value(w->top->chat, agentchat_str_from(value_names[which]), media_type, text, &err);
    check_status(w, status, AGENTCHAT_OK, &err);
    if (status == AGENTCHAT_OK)
        w->values[which] = made;
}

static void look(world *w)
{
    size_t agents = agentchat_chat_agent_count(w->top->chat);
    agentchat_agent *agent = agents > 0 ? agentchat_chat_agent(w->top->chat, fuzz_below(&w->in, SEATS) % agents) : NULL;
    const seat *s = agent != NULL ? agentchat_agent_user(agent) : NULL;
    const agentchat_messages *view = NULL;
    agentchat_status status, expected = s != NULL ? AGENTCHAT_OK : AGENTCHAT_E_NOTFOUND;
    agentchat_error err;

    status = agentchat_chat_channel_history(w->top->chat, agent, &view, &err);
    FUZZ_CHECK((view != NULL) == (status == AGENTCHAT_OK));
    if (status != AGENTCHAT_E_UNSUPPORTED)
        check_status(w, status, expected, &err);
}

static void complete(world *w)
{
    w->complete = fuzz_below(&w->in, 2) == 0;
    agentchat_chat_set_complete(w->top->chat, w->complete);
}

/* What is to go wrong, and how agents behave from here on. */
static void arrange(world *w)
{
    uint32_t choice = fuzz_below(&w->in, FAULTS + 6);

    if (choice < FAULTS)
        w->until[choice] = (uint8_t)fuzz_below(&w->in, 8);
    else if (choice == FAULTS)
        w->says = (uint8_t)fuzz_below(&w->in, 3);
    else if (choice == FAULTS + 1)
        w->meddles = !w->meddles;
    else if (choice == FAULTS + 2)
        w->completes = !w->completes;
    else if (choice == FAULTS + 3)
        w->recreates = !w->recreates;
    else
        fuzz_memory_fail(&w->memory, fuzz_below(&w->in, 128), choice == FAULTS + 4);
}

static void operate(world *w)
{
    uint32_t choice = fuzz_below(&w->in, 16);

    operation_begin(w);
    if (choice >= 14) {
        arrange(w); /* an allocation that is to fail fails in the operation that follows */
        return;
    }
    switch (choice) {
    case 0:
    case 1:
        add_messages(w);
        break;
    case 2:
    case 3:
    case 4:
        invoke(w);
        break;
    case 5:
        run(w);
        break;
    case 6:
    case 7:
        join(w);
        break;
    case 8:
        save(w);
        break;
    case 9:
        restore_fresh(w);
        break;
    case 10:
        reset(w);
        break;
    case 11:
        set_value(w);
        break;
    case 12:
        look(w);
        break;
    default:
        if (fuzz_below(&w->in, 2) == 0)
            restore_here(w);
        else
            complete(w);
        break;
    }
    fuzz_memory_calm(&w->memory);
    check_world(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    world *w = calloc(1, sizeof *w);

    FUZZ_CHECK(w != NULL);
    w->in = (fuzz_input){data, size};
    w->says = 1;
    fuzz_memory_begin(&w->memory, 0);
    calm_down(w);
    w->top = node_new(w, NULL, NULL);
    for (int i = 0; i < OPERATIONS && w->in.size > 0; i++)
        operate(w);
    operation_begin(w);
    check_caught_up(w);
    agentchat_snapshot_unref(w->saved.snapshot);
    node_free(w->top);
    FUZZ_CHECK(w->nodes == NULL && w->instances == NULL);
    fuzz_memory_end(&w->memory);
    free(w);
    return 0;
}
