/* SPDX-License-Identifier: Apache-2.0 */
/* Which kind of document an object is. A chat goes first, then what is certainly a session, then an event. */
#include "format/detect_kind.h"

#include "format/registry.h"
#include "json/value.h"
#include "json/walk.h"
#include <string.h>

/* The most that any format says of a document: as a chat, or as the file of a session. */
static aci_likeness likeness(agentchat_str text, bool as_session)
{
    aci_likeness best = ACI_UNLIKE;
    size_t count;
    const aci_format *const *formats = aci_registry_all(&count);

    for (size_t i = 0; i < count && best != ACI_CERTAIN; i++) {
        aci_probe *probe = as_session ? formats[i]->probe_session : formats[i]->probe_chat;
        aci_likeness one = probe != NULL ? probe(text.ptr, text.len) : ACI_UNLIKE;

        best = one > best ? one : best;
    }
    return best;
}

/* Names of events' and of sessions' properties that other things have not. */
static const char *const event_marks[] = {"author", "actions", "invocation", "invocationId", "invocation_id", NULL};
static const char *const session_marks[] = {"appName", "app_name", "userId", "user_id", "events", NULL};

static bool has_mark(agentchat_str object, const char *const *marks)
{
    bool has = false;
    aci_walk walk;

    aci_walk_begin(&walk, object);
    while (!has && aci_walk_next(&walk))
        for (size_t i = 0; marks[i] != NULL; i++)
            has = has || agentchat_json_equal(walk.key, agentchat_str_from(marks[i]));
    return has;
}

/* Whether an object has such a property, and some format has at least half of its properties in its events. */
static bool is_event(agentchat_str object)
{
    bool is = false, may_be = has_mark(object, event_marks);
    size_t count;
    const aci_format *const *formats = aci_registry_all(&count);

    for (size_t i = 0; may_be && i < count && !is; i++) {
        size_t members = 0, known = 0;
        aci_walk walk;

        if (formats[i]->has_event_name == NULL)
            continue;
        aci_walk_begin(&walk, object);
        while (aci_walk_next(&walk)) {
            agentchat_str name = {walk.key.ptr + 1, walk.key.len - 2};

            if (memchr(name.ptr, '\\', name.len) != NULL) /* one with escapes says nothing here */
                continue;
            known += formats[i]->has_event_name(ACI_IN_EVENT, name);
            members++;
        }
        is = known * 2 >= members;
    }
    return is;
}

aci_detected aci_detect_kind(agentchat_str object)
{
    aci_likeness session;

    if (likeness(object, false) != ACI_UNLIKE)
        return ACI_DETECTED_CHAT;
    session = likeness(object, true);
    if (session != ACI_CERTAIN && is_event(object))
        return ACI_DETECTED_EVENT;
    return session == ACI_CERTAIN || (session == ACI_LIKELY && has_mark(object, session_marks)) ? ACI_DETECTED_SESSION
                                                                                                : ACI_DETECTED_CHAT;
}
