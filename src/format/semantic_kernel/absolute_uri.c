/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which URIs .NET's System.Uri takes for absolute ones: BinaryContent refuses every other, and with it the whole chat.
 * Careful rather than complete: some that .NET would take are rejected, and are kept in the sidecar.
 */
#include "format/semantic_kernel/repair.h"

#include "base/utf8.h"
#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Bytes of a scheme, without its colon; 0 when there is none. */
static size_t scheme_of(agentchat_str uri)
{
    size_t i = 0;

    if (uri.len == 0 || !is_letter(uri.ptr[0]))
        return 0;
    while (i < uri.len && (is_letter(uri.ptr[i]) || is_digit(uri.ptr[i]) || uri.ptr[i] == '+' || uri.ptr[i] == '-' ||
                           uri.ptr[i] == '.'))
        i++;
    return i < uri.len && uri.ptr[i] == ':' ? i : 0;
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* The groups of an IPv6 address, without brackets; no zone, no IPv4 tail. */
static bool is_ipv6(agentchat_str text)
{
    size_t groups = 0, digits = 0, i;
    bool gap = false;

    for (i = 0; i < text.len; i++) {
        if (is_hex(text.ptr[i])) {
            if (++digits > 4)
                return false;
            groups += digits == 1;
            continue;
        }
        if (text.ptr[i] != ':' || i + 1 == text.len)
            return false; /* a colon at the end: only as "::", both of which the branch below takes */
        if (text.ptr[i + 1] == ':') {
            if (gap)
                return false;
            gap = true;
            i++;
        } else if (digits == 0) {
            return false;
        }
        digits = 0;
    }
    return gap ? groups < 8 : groups == 8;
}

/* Bytes of UTF-8 of most letters: U+00C0 to U+1FFF, U+3040 to U+CFFF. None of .NET's other dots is among them, nor what
   it refuses. */
static size_t letter_beyond_ascii(agentchat_str text)
{
    unsigned char first = (unsigned char)text.ptr[0];

    if (first >= 0xc3 && first <= 0xdf)
        return 2;
    if (first == 0xe0 || first == 0xe1 || (first >= 0xe4 && first <= 0xec))
        return 3;
    return first == 0xe3 && text.len > 1 && (unsigned char)text.ptr[1] > 0x80 ? 3 : 0;
}

/* Labels of letters, digits, - and _, with single dots between; - and _ at no end. */
static bool is_host_name(agentchat_str text)
{
    enum { LONGEST_LABEL = 63, LONGEST_NAME = 255 };
    size_t label = 0, step, i;
    bool ends_well = false;

    for (i = 0; i < text.len; i += step) {
        char c = text.ptr[i];

        step = 1;
        if (c == '.') {
            if (!ends_well)
                return false;
            label = 0;
            ends_well = false;
            continue;
        }
        if (c == '-' || c == '_') {
            if (label == 0)
                return false;
            ends_well = false;
        } else {
            if (!is_letter(c) && !is_digit(c))
                step = letter_beyond_ascii((agentchat_str){text.ptr + i, text.len - i});
            if (step == 0)
                return false;
            ends_well = true;
        }
        label += step;
        if (label > LONGEST_LABEL)
            return false;
    }
    return ends_well && text.len <= LONGEST_NAME;
}

/* host[:port], with or without user@. Careful rather than complete: what .NET might refuse is kept in the sidecar. */
static bool is_authority(agentchat_str text, bool bare)
{
    const char *at = text.len > 0 ? memchr(text.ptr, '@', text.len) : NULL;
    size_t host = 0, end, i;
    unsigned long port = 0;

    if (at != NULL) {
        host = (size_t)(at - text.ptr) + 1;
        if (bare || host == 1)
            return false;
        for (i = 0; i + 1 < host; i++)
            if (!is_letter(text.ptr[i]) && !is_digit(text.ptr[i]) &&
                (text.ptr[i] == '\0' || strchr("-._~!$&'()*+,;=:%", text.ptr[i]) == NULL))
                return false;
    }
    if (host < text.len && text.ptr[host] == '[') {
        const char *close = memchr(text.ptr + host, ']', text.len - host);

        if (close == NULL)
            return false;
        end = (size_t)(close - text.ptr) + 1;
        if (!is_ipv6((agentchat_str){text.ptr + host + 1, end - host - 2}))
            return false;
    } else {
        for (end = host; end < text.len && text.ptr[end] != ':'; end++)
            continue;
        if (!is_host_name((agentchat_str){text.ptr + host, end - host}))
            return false;
    }
    if (end == text.len)
        return true;
    if (bare || text.ptr[end] != ':')
        return false;
    for (i = end + 1; i < text.len; i++) {
        if (!is_digit(text.ptr[i]))
            return false;
        port = port * 10 + (unsigned long)(text.ptr[i] - '0');
        if (port > 65535)
            return false;
    }
    return true;
}

static bool is_one_of(agentchat_str scheme, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (aci_utf8_equal_ignore_case(scheme, (agentchat_str){names[i], strlen(names[i])}))
            return true;
    return false;
}

static bool is_slash(agentchat_str text, size_t at)
{
    return at < text.len && (text.ptr[at] == '/' || text.ptr[at] == '\\');
}

bool aci_sk_uri_is_absolute(agentchat_str uri)
{
    enum { LONGEST_SCHEME = 1024, LONGEST = 65519 }; /* .NET's limits; the second is gone in .NET 10 */
    /* Schemes that .NET takes with // and a host only; the first of them without user and port too. */
    static const char *const hosted[] = {"file", "net.tcp", "net.pipe", "vsmacros", "http", "https", "ws",
                                         "wss",  "ftp",     "gopher",   "nntp",     "ldap", "telnet"};
    enum { BARE = 4, HOSTED = sizeof hosted / sizeof *hosted };
    size_t scheme = scheme_of(uri), after = scheme + 3, end;
    agentchat_str name = {uri.ptr, scheme};
    bool needs_host;

    if (scheme < 2 || scheme > LONGEST_SCHEME || uri.len > LONGEST || scheme + 1 == uri.len) /* one letter is a drive */
        return false;
    needs_host = is_one_of(name, hosted, HOSTED);
    if (uri.len < after || memcmp(uri.ptr + scheme, "://", 3) != 0)
        return !needs_host && !(is_slash(uri, scheme + 1) && is_slash(uri, scheme + 2)) &&
               !aci_utf8_equal_ignore_case(name, AGENTCHAT_STR("mailto")) &&
               !aci_utf8_equal_ignore_case(name, AGENTCHAT_STR("data"));
    for (end = after; end < uri.len && memchr("/?#", uri.ptr[end], 3) == NULL; end++)
        continue;
    if (end == after) /* no host: a path of this machine, or a scheme of one's own */
        return (!needs_host || is_one_of(name, hosted, 1)) && end < uri.len && uri.ptr[end] == '/' &&
               !is_slash(uri, end + 1);
    return is_authority((agentchat_str){uri.ptr + after, end - after}, is_one_of(name, hosted, BARE));
}
