# SPDX-License-Identifier: Apache-2.0
"""agentchat store check on indexed threads with a flipped bit in one column of one row: it names the thread and what is wrong.

    check_damaged.py AGENTCHAT DATA_DIR PUT_PENDING

AGENTCHAT_TEST_COLUMN_FLIPS: how many bits of each column of each table are flipped, one at a time (3). Exit status 77 where
Python has no SQLite.
"""

import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

if not os.environ.get("TMPDIR") and os.access("/dev/shm", os.W_OK):
    os.environ["TMPDIR"] = "/dev/shm"  # nothing here depends on a disk

try:
    import sqlite3
except ImportError:
    print("this Python has no SQLite")
    sys.exit(77)

TOOL, DATA, PUT_PENDING = sys.argv[1:4]
FLIPS = int(os.environ.get("AGENTCHAT_TEST_COLUMN_FLIPS") or 3)
TABLES = ["thread", "checkpoint", "segment", "item", "body", "pending", "term", "thread_index"]
# What a finding says where a row belongs to a thread that is not there, by its number or its changed name.
NO_THREAD = "belong to no thread"
NO_TEXT = "holds text that is no UTF-8"


def fill(path):
    """A thread t1 with branches and pending writes, and t2, a copy of it, which nothing happens to."""
    script = '. "$DATA/store.sh"; fill_thread "$1"; "$2" "$1" t1 c4-0005; "$AGENTCHAT" thread copy "$1" t1 t2'
    script += '; "$AGENTCHAT" store index "$1" threads on'
    env = dict(os.environ, AGENTCHAT=TOOL, DATA=DATA)
    subprocess.run(["sh", "-ec", script, "sh", path, PUT_PENDING], env=env, check=True, stdout=subprocess.DEVNULL)
    assert check(path)[0] == 0, check(path)


def check(path, *options):
    result = subprocess.run([TOOL, "store", "check", *options, path], capture_output=True, check=False, timeout=60)
    assert result.returncode >= 0, f"ended by signal {-result.returncode}"
    return result.returncode, result.stdout.decode(), result.stderr.decode()


def flipped(value, flips_sign):
    """The value with one bit changed, and of the same type. flips_sign: that of a number."""
    if isinstance(value, int):
        changed = (value & ((1 << 64) - 1)) ^ (1 << (63 if flips_sign else random.randrange(64)))
        return changed - (1 << 64) if changed >= 1 << 63 else changed
    changed = bytearray(value)
    changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def rows_of_thread(db, table):
    """Columns of a table, and for each row of t1 the values as bytes or numbers."""
    columns = [(name, bool(key)) for _, name, _, _, _, key in db.execute(f"PRAGMA table_info({table})")]
    exprs = ", ".join(f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END" for name, _ in columns)
    types = [column[2] for column in db.execute(f"PRAGMA table_info({table})")]
    of_thread = "TRUE" if table == "thread_index" else "num = (SELECT num FROM thread WHERE id = 't1')"
    return columns, types, db.execute(f"SELECT {exprs} FROM {table} WHERE {of_thread}").fetchall()


def damage(db, table, at, flips_sign):
    """Flips a bit in a column of a row. None: there was nothing to flip, or a key would be there twice."""
    columns, types, rows = rows_of_thread(db, table)
    row = random.choice(rows)
    if row[at] is None or row[at] == b"":
        return None
    value = flipped(row[at], flips_sign)
    cast = ["CAST(? AS TEXT)" if kind == "TEXT" else "?" for kind in types]
    keys = [i for i, (_, is_key) in enumerate(columns) if is_key]
    where = " AND ".join(f"{columns[i][0]} = {cast[i]}" for i in keys)
    change = f"UPDATE {table} SET {columns[at][0]} = {cast[at]} WHERE {where}"
    try:
        db.execute(change, [value, *(row[i] for i in keys)])
        db.commit()
    except sqlite3.IntegrityError:
        return None
    return f"{table}.{columns[at][0]}: {row[at]!r} became {value!r}"


def damaged_copy(sound, path, table, at, flips_sign):
    for end in ["", "-wal", "-shm"]:
        with contextlib.suppress(FileNotFoundError):
            os.remove(path + end)
    shutil.copy(sound, path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        return damage(db, table, at, flips_sign)


def expect_named(table, column, found):
    """The thread, and what of it. A row whose number is another one belongs to no thread any more."""
    lines = found.splitlines()
    if table == "thread_index":
        assert lines[0].startswith("threads: "), "it does not say that it is about the threads of the store"
        return
    named = [line for line in lines if line.startswith("thread t1: ")]
    if column == "num":
        assert any(NO_THREAD in line for line in lines) or named, "nobody says that a row is without its thread"
        return
    if (table, column) == ("thread", "id"):
        assert lines[0].startswith("thread"), "no thread is named"
        return
    assert named, "the thread is not named"
    assert all(len(line) > len("thread t1: ") for line in named)
    assert not any(line.startswith("thread t2: ") for line in lines), "a sound thread is named"
    if table == "checkpoint" and NO_TEXT not in found:
        assert any("checkpoint" in line for line in named), "it does not say that a checkpoint is damaged"


def expect_json(found, code):
    parsed = json.loads(found)
    assert parsed["ok"] == (code == 0) and parsed["backend"] == "sqlite"
    bad = [part for part in parsed["parts"] if not part["ok"]]
    assert len(bad) == parsed["problems"] and all(part["problem"] for part in bad)
    return [f"{part['part']}: {part['problem']}" for part in bad]


def expect_found(path, table, column):
    code, found, said = check(path)
    assert code == 1, f"exit status {code}: {found}{said}"
    assert said == "", said
    expect_named(table, column, found)
    code, as_json, said = check(path, "--json")
    assert code == 1 and said == "", f"--json: exit status {code}: {said}"
    problems = expect_json(as_json, code)
    assert len(problems) == len(found.splitlines()) - 1, "--json has other findings"


def try_column(directory, sound, table, at, column):
    done = 0
    for i in range(FLIPS):
        path = os.path.join(directory, "damaged.db")
        what = damaged_copy(sound, path, table, at, i == 0)
        if what is None:
            continue
        done += 1
        try:
            expect_found(path, table, column)
        except AssertionError as failure:
            sys.exit(f"{what}: {failure}\n{check(path)[1]}")
    return done


def main():
    random.seed(11)
    done = 0
    with tempfile.TemporaryDirectory() as directory:
        sound = os.path.join(directory, "sound.db")
        fill(sound)
        for table in TABLES:
            with contextlib.closing(sqlite3.connect(sound)) as db:
                columns = [column[1] for column in db.execute(f"PRAGMA table_info({table})")]
            for at, column in enumerate(columns):
                done += try_column(directory, sound, table, at, column)
    print(f"{done} damaged rows, each of them named")
    assert done > 50


main()
