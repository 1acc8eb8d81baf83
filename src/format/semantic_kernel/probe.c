/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The marks of Semantic Kernel's documents: the properties of a chat, or of the messages of a bare list, as .NET spells
 * them. Its reader takes them in any letter case, so such names are no more than likely, and only with values that
 * others do not have there.
 */
#include "format/semantic_kernel/semantic_kernel.h"

#include "base/utf8.h"
#include "format/kit/look.h"

/* Whether a name is a word but for letter case. */
static bool resembles(agentchat_str name, const char *word)
{
    return aci_utf8_equal_ignore_case(name, agentchat_str_from(word));
}

static aci_likeness more(aci_likeness a, aci_likeness b)
{
    return a > b ? a : b;
}

static aci_likeness probe_chat(aci_look *l)
{
    static const char *const names[] = {"Participants", "History", "Channels"};
    aci_likeness best = ACI_UNLIKE;
    agentchat_str name;

    while (best != ACI_CERTAIN && aci_look_member(l, &name)) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (aci_look_means(name, names[i]))
                best = ACI_CERTAIN;
            else if (resembles(name, names[i]))
                best = more(best, ACI_LIKELY);
        if (!aci_look_skip(l))
            break;
    }
    return best;
}

/* What a member of a message says; its value comes next. */
static aci_likeness probe_member(aci_look *l, agentchat_str name)
{
    static const char *const own[] = {"Role", "AuthorName", "Items"};
    static const char *const common[] = {"Content", "ModelId", "MimeType", "Metadata"};
    char kind = aci_look_kind(l);

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (aci_look_means(name, own[i]))
            return ACI_CERTAIN;
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (aci_look_means(name, common[i]))
            return ACI_LIKELY;
    if (resembles(name, "Role") && kind == '{') /* others have a string there */
        return ACI_CERTAIN;
    return (resembles(name, "Items") && kind == '[') || resembles(name, "AuthorName") ? ACI_LIKELY : ACI_UNLIKE;
}

static aci_likeness probe_list(aci_look *l)
{
    aci_likeness best = aci_look_kind(l) == ']' ? ACI_LIKELY : ACI_UNLIKE; /* a list of none */
    agentchat_str name;

    while (best != ACI_CERTAIN && aci_look_element(l)) {
        bool goes_on = true;

        if (!aci_look_take(l, '{')) {
            if (!aci_look_skip(l))
                return best;
            continue;
        }
        while (best != ACI_CERTAIN && goes_on && aci_look_member(l, &name)) {
            best = more(best, probe_member(l, name));
            goes_on = aci_look_skip(l);
        }
        if (!aci_look_take(l, '}'))
            break;
    }
    return best;
}

aci_likeness aci_sk_probe(const char *data, size_t len)
{
    aci_look l = aci_look_begin(data, len);

    if (aci_look_take(&l, '{'))
        return probe_chat(&l);
    return aci_look_take(&l, '[') ? probe_list(&l) : ACI_UNLIKE;
}
