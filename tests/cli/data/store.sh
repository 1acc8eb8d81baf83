# SPDX-License-Identifier: Apache-2.0
# For cases that work on stores: sourced by their scripts.

# Runs the tool and prints its exit status and all that it says.
try() {
    "$AGENTCHAT" "$@" >said 2>&1 && code=0 || code=$?
    printf '%s %s\n' "$code" "$(cat said)"
    rm said
}

# A file without the wait for the disk.
quick() {
    case $1 in
    *:*) echo "$1" ;;
    *) echo "sqlite:$1?synchronous=normal" ;;
    esac
}

# Fills a store: session s1 of alice in the application shop.
fill() {
    "$AGENTCHAT" session create --id s1 --state '{"app:language":"English","user:name":"Alice","cart":{"n":0}}' \
        "$(quick "$1")" shop alice >/dev/null
    "$AGENTCHAT" session append "$(quick "$1")" shop alice s1 "$DATA/shop-events.jsonl" >/dev/null
}

# The same with texts and values that are too long to be shown.
fill_long() {
    "$AGENTCHAT" session create --id s1 --state "{\"wide\":\"$(long 300)\",\"$(long 60)\":1}" "$(quick "$1")" shop alice >/dev/null
    lines=$(seq -f 'line %g\n' -s '' 60)
    {
        printf '{"id":"e1","invocation":"i1","author":"user","time":"2026-11-21T10:02:00Z","content":{"role":"user",'
        printf '"items":[{"type":"text","text":"%s"}]},"actions":{"statedelta":{"k":"%s"}}}\n' "$lines" "$(long 300)"
        printf '{"id":"%s","invocation":"i1","author":"%s","time":"2026-11-21T10:02:00Z"}\n' "$(long 200)" "$(long 200)"
    } | "$AGENTCHAT" session append "$(quick "$1")" shop alice s1 >/dev/null
}

# So many letters.
long() { printf "%0$1d" 0 | tr 0 n; }

# Puts text of the same length over another one, in the middle of a file.
damage() { # FILE OLD NEW
    at=$(LC_ALL=C grep -abo "$2" "$1" | head -1 | cut -d: -f1)
    printf '%s' "$3" | dd of="$1" bs=1 seek="$at" conv=notrunc 2>/dev/null
}

# Masks what is another one each time.
mask_ids() { sed -E 's/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/ID/g'; }
mask_times() { sed -E 's/"updated": "[^"]*"/"updated": T/g; s/"created": "[^"]*"/"created": T/g; s/20[0-9T:-]*\.[0-9]{6}Z/T/g'; }
mask() { sed -E 's/written to .*/written to T/; s/(system · )[0-9-]* [0-9:]*/\1T/'; }
mask_file() { sed -E 's/("time":|"lastUpdateTime": )"?20[0-9TZ:.-]*"?(,?)$/\1T\2/; s/("lastUpdateTime": )[0-9.]*/\1T/'; }
# Of an entry of a report only what kind it is and where; of a loss that was not wanted only where.
mask_report() { sed -E 's/^( *([0-9] )?[0-9]+ [a-z]+: [^ ]*( and [0-9]+ more)?)  .*/\1  WHY/; s,^(([0-9] )?[^ ]+: (loss: )?/[^ ]*:? ).* left out.*,\1WHY,'; }

# A chat of so many messages; SUFFIX belongs to the last one.
chat() { # N SUFFIX
    printf '{"agentchat":{"format":1,"reader":1},"history":['
    seq -f '{"role":"user","name":"Alice","items":[{"type":"text","text":"text %g"}]},' "$(($1 - 1))"
    printf '{"role":"assistant","name":"Desk","items":[{"type":"text","text":"text %s%s"}]}],' "$1" "${2:-}"
    echo '"participants":[],"channels":[]}'
}

# A thread t1: c1 and c2, which c3a and c3b follow, and c4 after c3a.
fill_thread() {
    db=$(quick "$1")
    chat 1 | "$AGENTCHAT" thread put --id c1-0001 --source input --run r1 "$db" t1
    chat 2 | "$AGENTCHAT" thread put --id c2-0002 --step 2 --source loop --run r1 "$db" t1
    chat 3 | "$AGENTCHAT" thread put --id c3a-0003 --step 3 --source loop --run r1 --metadata '{"k":{"a":1}}' "$db" t1
    chat 3 x | "$AGENTCHAT" thread put --id c3b-0004 --step 3 --parent c2-0002 --branch --run r2 "$db" t1 2>/dev/null
    chat 4 | "$AGENTCHAT" thread put --id c4-0005 --step 4 --parent c3a-0003 --metadata '{"k":{"a":1},"l":2}' "$db" t1
} >/dev/null
