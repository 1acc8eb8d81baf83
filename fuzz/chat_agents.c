/* SPDX-License-Identifier: Apache-2.0 */
/* The agents of fuzz_chat.c: they note what they are given, say numbers, fail on demand and call back into the chat. */
#include "chat_model.h"

#include <string.h>

static const char mock_type[] = "fuzz.Mock";

const seat_info outer_seats[SEATS] = {
    {SEAT_HISTORY, "H", "id-h", NULL}, {SEAT_HISTORY, "K", NULL, NULL},
    {SEAT_TEXT, "A", "id-a", "a"},     {SEAT_BYTES, "B", "id-b", "b"},
    {SEAT_MESSAGES, "C", NULL, "c"},   {SEAT_THREAD, "T", "id-t", NULL},
    {SEAT_FLAT, "F", "id-f", NULL},    {SEAT_NESTED, "N", NULL, NULL},
    {SEAT_TEXT, "A", "id-a-2", "a"}, /* of one name, and one channel, with the third */
};

static const seat_info inner_seats[] = {
    {SEAT_HISTORY, "J", "id-j", NULL},
    {SEAT_TEXT, "I", "id-i", "i"},
    {SEAT_FLAT, "G", "id-g", NULL},
};

static agentchat_status failed(agentchat_error *err)
{
    return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "it is to fail");
}

/* ---- calling back --------------------------------------------------------------------------------------------- */

static void refuse(agentchat_chat *chat, world *w)
{
    agentchat_snapshot *snapshot = NULL;
    const agentchat_messages *view = NULL;
    agentchat_agent *agent = agentchat_chat_agent(chat, 0);
    size_t count = agentchat_chat_message_count(chat);

    FUZZ_CHECK(agentchat_chat_invoke_next(chat, NULL) == AGENTCHAT_E_BUSY);
    FUZZ_CHECK(agentchat_chat_capture(chat, NULL, &snapshot, NULL, NULL) == AGENTCHAT_E_BUSY && snapshot == NULL);
    FUZZ_CHECK(agentchat_chat_reset(chat, NULL) == AGENTCHAT_E_BUSY);
    FUZZ_CHECK(agentchat_chat_add_messages(chat, NULL, 0, NULL) == AGENTCHAT_E_BUSY);
    FUZZ_CHECK(agentchat_chat_set_value(chat, AGENTCHAT_STR("v"), (agentchat_str){NULL, 0}, AGENTCHAT_STR("1"), NULL) ==
               AGENTCHAT_E_BUSY);
    FUZZ_CHECK(agentchat_chat_channel_history(chat, agent, &view, NULL) == AGENTCHAT_E_BUSY && view == NULL);
    FUZZ_CHECK(agentchat_chat_invoke_agent(chat, agent, NULL) == AGENTCHAT_E_BUSY);
    if (w->saved.snapshot != NULL)
        FUZZ_CHECK(agentchat_chat_restore(chat, w->saved.snapshot, NULL, NULL, NULL) == AGENTCHAT_E_BUSY);
    FUZZ_CHECK(agentchat_chat_message_count(chat) == count);
}

void meddle(node *n)
{
    world *w = n->w;

    if (!w->meddles || w->calm)
        return;
    for (; n != NULL; n = n->outer)
        refuse(n->chat, w);
}

/* ---- saying --------------------------------------------------------------------------------------------------- */

static void try_system(node *owner, agentchat_replies *out)
{
    agentchat_message *message = NULL;

    if (agentchat_message_new_text(NULL, "System", (agentchat_str){NULL, 0}, AGENTCHAT_STR("x"), &message, NULL) >= 0)
        FUZZ_CHECK(agentchat_replies_add(out, message, NULL) == AGENTCHAT_E_INVALID);
    agentchat_message_unref(message);
    FUZZ_CHECK(agentchat_replies_env(out) == owner->w->memory.env);
}

/* Says what is to be said; *said: what the chat took. */
static agentchat_status say(seat *s, agentchat_replies *out, numbers *said, agentchat_error *err)
{
    node *owner = s->owner;
    world *w = owner->w;
    size_t count = w->says;

    said->count = 0;
    FUZZ_CHECK(agentchat_agent_user(agentchat_replies_agent(out)) == s);
    meddle(owner);
    if (w->meddles && !w->calm)
        try_system(owner, out);
    if (fires(w, FAULT_ANSWER))
        return failed(err);
    if (agentchat_chat_message_count(owner->chat) >= SPEECH_ROOM)
        count = 0;
    for (size_t i = 0; i < count; i++) {
        agentchat_message *message = NULL;
        agentchat_status status = new_message(w, "assistant", &message, err);

        if (status >= 0)
            status = agentchat_replies_add(out, message, err);
        agentchat_message_unref(message);
        if (status < 0)
            return status;
        numbers_add(said, (uint16_t)(w->next_number - 1));
        numbers_add(&owner->said, (uint16_t)(w->next_number - 1));
        numbers_add(&w->all_said, (uint16_t)(w->next_number - 1));
    }
    if (w->completes && !w->calm && owner->outer == NULL) {
        agentchat_chat_set_complete(owner->chat, true);
        w->completed = true;
    }
    return fires(w, FAULT_ANSWERED) ? failed(err) : AGENTCHAT_OK;
}

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    seat *s = user;
    numbers known = numbers_of(seen), history = numbers_of(agentchat_chat_history(s->owner->chat)), said;

    history = numbers_heard(&history);
    known = numbers_heard(&known); /* its own silent ones are on the list */
    FUZZ_CHECK(numbers_equal(&known, &history));
    return say(s, out, &said, err);
}

/* ---- custom channels ------------------------------------------------------------------------------------------ */

static instance *instance_new(const seat *s)
{
    instance *made = calloc(1, sizeof *made);

    FUZZ_CHECK(made != NULL);
    made->w = s->owner->w;
    made->owner = s->owner;
    made->info = s->info;
    made->next = made->w->instances;
    made->w->instances = made;
    return made;
}

static agentchat_status mock_create(void *agent, void **out, agentchat_error *err)
{
    seat *s = agent;

    meddle(s->owner);
    if (fires(s->owner->w, FAULT_CREATE))
        return failed(err);
    *out = instance_new(s);
    return AGENTCHAT_OK;
}

static agentchat_status mock_receive(void *channel, const agentchat_messages *batch, agentchat_error *err)
{
    instance *self = channel;
    numbers given = numbers_of(batch);

    meddle(self->owner);
    if (fires(self->w, FAULT_RECEIVE))
        return failed(err);
    numbers_add_all(&self->seen, &given);
    return AGENTCHAT_OK;
}

static agentchat_status mock_invoke(void *channel, void *agent, agentchat_replies *out, agentchat_error *err)
{
    instance *self = channel;
    numbers history = numbers_of(agentchat_chat_history(self->owner->chat)), said;
    agentchat_status status;

    FUZZ_CHECK(numbers_equal(&self->seen, &history)); /* it knows everything when it is asked */
    status = say(agent, out, &said, err);
    numbers_add_all(&self->seen, &said);
    return status;
}

/* Numbers as text, each followed by a comma. */
static agentchat_str spell(const numbers *list, char *room, size_t size)
{
    size_t len = 0;

    for (size_t i = 0; i < list->count; i++)
        len += (size_t)snprintf(room + len, size - len, "%u,", (unsigned)list->list[i]);
    return (agentchat_str){room, len};
}

static agentchat_status save_messages(const instance *self, agentchat_channel_save *out, agentchat_error *err)
{
    const agentchat_messages *history = agentchat_chat_history(self->owner->chat);
    const agentchat_message *known[NUMBERS];
    agentchat_messages *list = NULL;
    agentchat_status status;

    for (size_t i = 0; i < self->seen.count; i++)
        known[i] = agentchat_messages_at(history, i);
    status = agentchat_messages_new(self->w->memory.env, known, self->seen.count, &list, err);
    if (status >= 0)
        status = agentchat_channel_save_messages(out, list, err);
    agentchat_messages_unref(list);
    return status;
}

static agentchat_status mock_save(void *channel, agentchat_channel_save *out, agentchat_error *err)
{
    instance *self = channel;
    char room[NUMBERS * 6 + 1];
    agentchat_str text = spell(&self->seen, room, sizeof room);

    meddle(self->owner);
    if (fires(self->w, FAULT_SAVE))
        return failed(err);
    if (self->info->kind == SEAT_MESSAGES)
        return save_messages(self, out, err);
    return self->info->kind == SEAT_BYTES ? agentchat_channel_save_bytes(out, text, err)
                                          : agentchat_channel_save_text(out, text, err);
}

static agentchat_status mock_load(void *agent, const agentchat_channel_load *in, void **out, agentchat_error *err)
{
    seat *s = agent;
    instance *made;
    unsigned number = 0;
    agentchat_str text = agentchat_channel_load_data(in);

    meddle(s->owner);
    if (fires(s->owner->w, FAULT_RESTORE))
        return failed(err);
    FUZZ_CHECK(agentchat_channel_load_synced(in) <= agentchat_channel_load_history_count(in));
    FUZZ_CHECK(agentchat_channel_load_chat(in) == NULL && agentchat_channel_load_env(in) == s->owner->w->memory.env);
    made = instance_new(s);
    if (agentchat_channel_load_kind(in) == AGENTCHAT_CHANNEL_MESSAGES)
        made->seen = numbers_of(agentchat_channel_load_messages(in));
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == ',')
            numbers_add(&made->seen, (uint16_t)number);
        number = text.ptr[i] == ',' ? 0 : number * 10 + (unsigned)(text.ptr[i] - '0');
    }
    *out = made;
    return AGENTCHAT_OK;
}

static agentchat_status mock_history(void *channel, const agentchat_messages **out, agentchat_error *err)
{
    instance *self = channel;

    (void)err;
    meddle(self->owner);
    *out = agentchat_chat_history(self->owner->chat); /* what it knows is all of it by then */
    FUZZ_CHECK(self->seen.count == agentchat_messages_count(*out));
    return AGENTCHAT_OK;
}

static agentchat_status mock_reset(void *channel, agentchat_error *err)
{
    instance *self = channel;

    meddle(self->owner);
    if (fires(self->w, FAULT_RESET))
        return failed(err);
    self->seen.count = 0;
    return AGENTCHAT_OK;
}

static void mock_free(void *channel)
{
    instance *self = channel, **at = &self->w->instances;

    while (*at != self)
        at = &(*at)->next;
    *at = self->next;
    free(self);
}

#define MOCK_TYPE(history, reset)                                                                                      \
    {                                                                                                                  \
        sizeof(agentchat_channel_type), mock_type, mock_create, mock_receive, mock_invoke, mock_save, mock_load,       \
            history, reset, mock_free                                                                                  \
    }
static const agentchat_channel_type text_type = MOCK_TYPE(mock_history, mock_reset);
static const agentchat_channel_type bytes_type = MOCK_TYPE(NULL, NULL);
static const agentchat_channel_type messages_type = MOCK_TYPE(mock_history, NULL);

/* ---- threads -------------------------------------------------------------------------------------------------- */

static numbers *thread_of(world *w, agentchat_str id)
{
    size_t index = 0;

    FUZZ_CHECK(id.len >= 2 && id.ptr[0] == 't');
    for (size_t i = 1; i < id.len; i++)
        index = index * 10 + (size_t)(id.ptr[i] - '0');
    FUZZ_CHECK(index < w->thread_count);
    return &w->threads[index];
}

static agentchat_status thread_create(void *user, agentchat_bytes *out_id, agentchat_error *err)
{
    seat *s = user;
    world *w = s->owner->w;
    char id[8];

    meddle(s->owner);
    if (w->thread_count == THREADS)
        w->fired++; /* the service is full */
    if (w->thread_count == THREADS || fires(w, FAULT_CREATE))
        return failed(err);
    (void)snprintf(id, sizeof id, "t%zu", w->thread_count);
    w->threads[w->thread_count++].count = 0;
    return agentchat_bytes_append(out_id, agentchat_str_from(id), err);
}

static agentchat_status thread_post(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err)
{
    seat *s = user;
    numbers given = numbers_of(batch);

    meddle(s->owner);
    if (fires(s->owner->w, FAULT_RECEIVE))
        return failed(err);
    numbers_add_all(thread_of(s->owner->w, id), &given);
    return AGENTCHAT_OK;
}

static agentchat_status thread_answer(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    seat *s = user;
    numbers *thread = thread_of(s->owner->w, id), said;
    numbers history = numbers_of(agentchat_chat_history(s->owner->chat));
    agentchat_status status;

    FUZZ_CHECK(numbers_equal(thread, &history));
    status = say(s, out, &said, err);
    numbers_add_all(thread, &said);
    return status;
}

static agentchat_status thread_check(void *user, const agentchat_remote_info *info, agentchat_remote_decision *out,
                                     agentchat_error *err)
{
    seat *s = user;

    FUZZ_CHECK(info->synced <= info->history_count);
    meddle(s->owner);
    if (fires(s->owner->w, FAULT_CHECK))
        return failed(err);
    *out = s->owner->w->recreates ? AGENTCHAT_REMOTE_RECREATE : AGENTCHAT_REMOTE_KEEP;
    return AGENTCHAT_OK;
}

static const agentchat_remote_ops thread_ops = {sizeof(agentchat_remote_ops), thread_create, thread_post, thread_answer,
                                                thread_check};

/* ---- making --------------------------------------------------------------------------------------------------- */

static void free_seat(void *user)
{
    seat *s = user;

    node_release(s->owner);
    free(s);
}

static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    seat *s = user;
    world *w = s->owner->w;
    node *inner;
    size_t seats = s->owner->depth == 0 && s->info->kind == SEAT_NESTED ? 3 : 2;
    agentchat_status status;

    meddle(s->owner);
    if (fires(w, FAULT_MAKE))
        return failed(err);
    inner = node_new(w, s->owner, err);
    status = inner->chat != NULL ? AGENTCHAT_OK : AGENTCHAT_E_NOMEM;
    for (size_t i = 0; i < seats && status >= 0; i++)
        status = agent_join(inner, &inner_seats[i], err);
    if (status < 0) {
        node_free(inner);
        return status;
    }
    *out = inner->chat;
    node_release(inner); /* its agents hold it */
    return AGENTCHAT_OK;
}

static agentchat_status thread_new(seat *s, agentchat_agent **out, agentchat_error *err)
{
    agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;

    options.name = agentchat_str_from(s->info->name);
    options.id = agentchat_str_from(s->info->id);
    options.type = "fuzz.ThreadAgent";
    options.channel_type = "fuzz.Thread";
    options.ops = &thread_ops;
    options.user = s;
    options.free_user = free_seat;
    return agentchat_remote_agent_new(s->owner->w->memory.env, &options, out, err);
}

static agentchat_status aggregator_new(seat *s, agentchat_agent **out, agentchat_error *err)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

    options.name = agentchat_str_from(s->info->name);
    options.id = agentchat_str_from(s->info->id);
    options.mode = s->info->kind == SEAT_FLAT ? AGENTCHAT_AGGREGATOR_FLAT : AGENTCHAT_AGGREGATOR_NESTED;
    options.make = make_inner;
    options.user = s;
    options.free_user = free_seat;
    return agentchat_aggregator_new(s->owner->w->memory.env, &options, out, err);
}

static agentchat_status history_new(seat *s, agentchat_agent **out, agentchat_error *err)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;

    options.name = agentchat_str_from(s->info->name);
    options.id = agentchat_str_from(s->info->id);
    options.answer = answer;
    options.user = s;
    options.free_user = free_seat;
    return agentchat_history_agent_new(s->owner->w->memory.env, &options, out, err);
}

static agentchat_status mock_new(seat *s, const agentchat_channel_type *type, agentchat_agent **out,
                                 agentchat_error *err)
{
    agentchat_agent_options options = AGENTCHAT_AGENT_OPTIONS_INIT;
    const char *keys[2] = {mock_type, s->info->key};

    options.name = agentchat_str_from(s->info->name);
    options.id = agentchat_str_from(s->info->id);
    options.channel = type;
    options.keys = keys;
    options.key_count = 2;
    options.user = s;
    options.free_user = free_seat;
    return agentchat_agent_new(s->owner->w->memory.env, &options, out, err);
}

static agentchat_status agent_new(node *owner, const seat_info *info, agentchat_agent **out, agentchat_error *err)
{
    seat *s = malloc(sizeof *s);

    FUZZ_CHECK(s != NULL);
    *s = (seat){owner, info};
    owner->holders++;
    switch (info->kind) {
    case SEAT_HISTORY:
        return history_new(s, out, err);
    case SEAT_TEXT:
        return mock_new(s, &text_type, out, err);
    case SEAT_BYTES:
        return mock_new(s, &bytes_type, out, err);
    case SEAT_MESSAGES:
        return mock_new(s, &messages_type, out, err);
    case SEAT_THREAD:
        return thread_new(s, out, err);
    case SEAT_FLAT:
    case SEAT_NESTED:
        break;
    }
    return aggregator_new(s, out, err);
}

agentchat_status agent_join(node *n, const seat_info *info, agentchat_error *err)
{
    agentchat_agent *agent = NULL;
    agentchat_status status = agent_new(n, info, &agent, err);

    return status < 0 ? status : agentchat_chat_add_agent(n->chat, agent, err);
}
