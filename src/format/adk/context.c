/* SPDX-License-Identifier: Apache-2.0 */
/* What an event that is written for the ADKs has from those before it: the calls that it answers, and their times
   (docs/formats/adk.md). */
#include "format/adk/context.h"

#include "base/error.h"
#include "json/bridge.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void aci_adk_context_clear(aci_adk_context *context)
{
    aci_index_clear(&context->calls, context->env);
    aci_free(context->env, context->functions, context->cap * sizeof *context->functions);
    context->functions = NULL;
    context->count = context->cap = 0;
}

bool aci_adk_is_event_s(const agentchat_event *event, const aci_field *field)
{
    agentchat_event_field same = field->id == AGENTCHAT_FIELD_NAME   ? AGENTCHAT_EVENT_AUTHOR
                                 : field->id == AGENTCHAT_FIELD_ID   ? AGENTCHAT_EVENT_ID
                                 : field->id == AGENTCHAT_FIELD_TIME ? AGENTCHAT_EVENT_TIME
                                                                     : (agentchat_event_field)0;

    return event != NULL && same != 0 && agentchat_str_equal(event->fields[same], aci_field_text(field));
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

static bool add_call(aci_adk_context *context, agentchat_str id, agentchat_str function)
{
    void *functions = context->functions;
    bool ok = aci_grow(context->env, &functions, &context->cap, context->count, sizeof *context->functions);

    context->functions = functions;
    if (!ok || !aci_index_put(&context->calls, context->env, id, context->count))
        return false;
    context->functions[context->count++] = function;
    return true;
}

static agentchat_str text_of(const agentchat_item *item, agentchat_field id)
{
    agentchat_str text = aci_field_view(aci_field_find(item->fields, item->field_count, id));

    return agentchat_str_is_null(text) ? (agentchat_str){NULL, 0} : text;
}

bool aci_adk_context_add(aci_adk_context *context, const agentchat_event *event)
{
    const agentchat_message *message = event->content;
    bool ok = true;

    for (size_t i = 0; ok && message != NULL && i < message->item_count; i++) {
        const agentchat_item *item = message->items[i];
        agentchat_str id = text_of(item, AGENTCHAT_FIELD_CALL_ID), name = text_of(item, AGENTCHAT_FIELD_FUNCTION);

        if (item->kind == AGENTCHAT_ITEM_CALL && id.ptr != NULL && name.ptr != NULL)
            ok = add_call(context, id, name);
    }
    return ok;
}

agentchat_str aci_adk_context_function(const aci_adk_context *context, agentchat_str call)
{
    size_t found = context != NULL && call.ptr != NULL ? aci_index_find(&context->calls, call) : ACI_INDEX_NONE;

    return found != ACI_INDEX_NONE ? context->functions[found] : (agentchat_str){NULL, 0};
}

/* ---- times ------------------------------------------------------------------------------------------------------ */

/* A number with a point as a double, whatever the locale spells that as. */
static double double_of(const char *number)
{
    const char *point = strchr(number, '.');
    size_t integer_len = point != NULL ? (size_t)(point - number) : strlen(number);
    size_t digits = point != NULL ? strlen(point + 1) : 0;
    char spelled[ACI_ADK_TIME_SIZE + 32];

    (void)snprintf(spelled, sizeof spelled, "%.*s%se-%zu", (int)integer_len, number, point != NULL ? point + 1 : "",
                   digits);
    return strtod(spelled, NULL);
}

/* The next double above a finite one that is not zero; without the mathematics library. */
static double next_double(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    bits += value > 0 ? 1 : (uint64_t)-1;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

/* The next nanosecond that is another double: near 1970 doubles are closer together than that. */
static void print_next_nanosecond(double after, char number[ACI_ADK_TIME_SIZE])
{
    const int64_t second = INT64_C(1000000000);
    int64_t ns = (int64_t)(after * (double)second) - 1; /* cut off, so perhaps one too many */

    do {
        ns++;
        (void)snprintf(number, ACI_ADK_TIME_SIZE, "%s%" PRId64 ".%09" PRId64, ns < 0 ? "-" : "",
                       (ns < 0 ? -ns : ns) / second, (ns < 0 ? -ns : ns) % second);
    } while (double_of(number) <= after);
}

bool aci_adk_context_time(aci_adk_context *context, char number[ACI_ADK_TIME_SIZE])
{
    const double few_nanoseconds =
        16777216; /* seconds from which on a double has no more than nine digits after them */
    double time = double_of(number);

    bool raised = !context->keep_times && context->has_time && time <= context->time;

    if (raised && context->time < few_nanoseconds && context->time > -few_nanoseconds)
        print_next_nanosecond(context->time, number);
    else if (raised)
        (void)aci_json_real_print(next_double(context->time), number);
    context->time = raised ? double_of(number) : time;
    context->has_time = true;
    return raised;
}
