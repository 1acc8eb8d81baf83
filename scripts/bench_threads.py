# SPDX-License-Identifier: Apache-2.0
"""Threads in scripts/bench: runs bench_threads, bench_threads_postgres and bench_waits, and makes tables of their rows."""
import collections
import contextlib
import datetime
import os
import platform
import re
import statistics
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SERVER = os.path.join(TOP, "tests", "support", "postgres", "server")
# What a row of bench_threads has after "run" (bench/threads/run.c).
FIELDS = ["what", "durability", "turns", "puts", "median", "first", "last", "mean", "turn", "stored", "said", "written",
          "syncs_of_log", "syncs"]
BARE = "bare loop"
WORKS = {"prune-1": "prune to the newest", "prune-half": "prune to the newest half",
         "summary-1": "prune to the newest, a summary replaced each turn", "copy": "copy", "delete": "delete",
         "session-copy": "copy a session of so many events"}


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, **options)


# ---- measuring ------------------------------------------------------------------------------------------------------


def measured():
    """When and where, and what else the machine did when it began."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
    where = f"{platform.machine()}, {os.cpu_count()} cores" + (f" ({model.group(1)})" if model else "")
    return (f"Measured on {datetime.date.today()} on {where}, {platform.system()} {platform.release()}, with a load "
            f"average of {os.getloadavg()[0]:.1f} at the start.")


def rows_of(directory, program, *arguments):
    """{kind: [fields of a row, …]}"""
    rows = collections.defaultdict(list)
    path = os.path.join(directory, "bench", program)
    for line in run(path, *map(str, arguments), capture_output=True).stdout.splitlines():
        kind, *fields = line.split("\t")
        rows[kind].append(dict(zip(FIELDS, fields[:2] + [float(f) for f in fields[2:]])) if kind == "run" else fields)
    return rows


def sqlite(directory, *arguments):
    return rows_of(directory, "bench_threads", os.path.join(directory, "bench"), *arguments)


def middle(runs):
    """One run of several of the same: the median of each number."""
    return {k: v if isinstance(v, str) else statistics.median(r[k] for r in runs) for k, v in runs[0].items()}


def repeated(runs):
    """One run for each (what, durability), medians of repetitions. `times` and `extra` are beside the bare loop of
    the same one."""
    groups = collections.defaultdict(list)
    for r in runs:
        groups[r["what"], r["durability"]].append(r)
    out = []
    for (what, durability), mine in groups.items():
        bare = groups.get((BARE, durability), [])
        row = middle(mine)
        if bare and what != BARE:
            row["times"], row["times_mean"] = (
                statistics.median(m[k] / b[k] for m, b in zip(mine, bare)) for k in ("median", "mean"))
            row["extra"], row["extra_mean"] = (
                statistics.median(m[k] - b[k] for m, b in zip(mine, bare)) for k in ("median", "mean"))
        row["growth"] = statistics.median(m["last"] / m["first"] for m in mine)
        out.append(row)
    return out


@contextlib.contextmanager
def postgres(directory, *options):
    """The URL of a server that is there meanwhile, with fsync; or None, and why not."""
    file = os.path.join(directory, "bench", "server")
    started = subprocess.run([SERVER, "start", file, "--durable", "--owner", str(os.getpid()), *options],
                             text=True, capture_output=True)
    said = (started.stdout.strip().splitlines() or ["it does not start"])[-1]
    if started.returncode != 0:
        yield None, said
        return
    try:
        yield said, None
    finally:
        run(SERVER, "stop", file)


def waits_of(directory, url, work, turns, durability):
    """What bench_waits says of one work: a dictionary for each of those who put."""
    rows = rows_of(directory, "bench_waits", url, work, turns)
    holds = {row[2]: [float(f) for f in row[3:]] for row in rows["holds"]}
    took, load, load_after = map(float, rows["took"][0][2:])
    times = {(row[2], row[3]): [float(f) for f in row[4:]] for row in rows["waits"]}
    return [{"work": work, "durability": durability, "turns": turns, "took": took, "load": max(load, load_after),
             "who": who, "alone": times[who, "alone"], "meanwhile": times[who, "meanwhile"],
             "held": holds.get("writer")} for who in sorted({who for who, _ in times})]


def measure_waits(directory, quick):
    rows = []
    for durability in ["normal", "full"]:
        for work in WORKS:
            file = os.path.join(directory, "bench", "waits.db")
            try:
                rows += waits_of(directory, f"sqlite:{file}?synchronous={durability}", work, 1000 if quick else 100000,
                                 durability)
            finally:
                for end in ["", "-wal", "-shm"]:
                    with contextlib.suppress(FileNotFoundError):
                        os.remove(file + end)
    return rows


def postgres_waits(directory, url, quick):
    rows = []
    for work in WORKS:
        run("psql", url, "-qc", "CREATE DATABASE waits")
        try:
            rows += waits_of(directory, url + "&dbname=waits", work, 1000 if quick else 20000, "server")
        finally:
            run("psql", url, "-qc", "DROP DATABASE waits")
    return rows


def measure_postgres(directory, quick):
    program = os.path.join(directory, "bench", "bench_threads_postgres")
    if not os.path.exists(program):
        return {"missing": "the backend was not built"}
    with postgres(directory) as (url, missing):
        if missing:
            return {"missing": missing}
        runs, newest = [], []
        for _ in range(1 if quick else 3):
            runs += rows_of(directory, "bench_threads_postgres", url, "conversation", 200 if quick else 2000)["run"]
        for messages in [1000] if quick else [1000, 100000]:
            newest += rows_of(directory, "bench_threads_postgres", url, "newest", messages)["newest"]
        version = run("psql", url, "-Atc", "SHOW server_version", capture_output=True).stdout.split()[0]
        return {"runs": repeated(runs), "newest": newest, "waits": postgres_waits(directory, url, quick),
                "version": version}


def measure(directory, quick):
    turns, long, repetitions = (200, 1000, 3) if quick else (2000, 10000, 7)
    sizes = [1000, 10000] if quick else [1000, 10000, 100000, 1000000]
    results = {
        "measured": measured(),
        "conversation": repeated(sqlite(directory, "conversation", turns, repetitions)["run"]),
        "kinds": repeated(sqlite(directory, "kinds", long, 1 if quick else 3)["run"]),
        "short": repeated(sqlite(directory, "short", 200, repetitions)["run"]),
        "jansson": repeated(sqlite(directory, "jansson", turns)["run"]),
        "newest": [row for size in sizes for row in sqlite(directory, "newest", size)["newest"]],
        "catch-up": [row for size in sizes[:3] for row in sqlite(directory, "catch-up", size)["catch-up"]],
        "prune": sqlite(directory, "prune", long)["prune"],
        "waits": measure_waits(directory, quick),
    }
    results["postgres"] = measure_postgres(directory, quick)
    return results


# ---- tables ---------------------------------------------------------------------------------------------------------


def markdown(head, rows):
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows])


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:,.1f}"


def run_table(rows):
    cells = [[r["what"], r["durability"], f"{r['turns']:,.0f}", number(r["median"]), number(r["first"]),
              number(r["last"]), f"{r['growth']:.2f}×", number(r["mean"]), number(r["turn"]),
              f"{r['times']:.1f}× / {r['times_mean']:.1f}×" if "times" in r else "",
              f"{r['syncs_of_log']:.3f} / {r['syncs']:.3f}" if r["syncs"] >= 0 else "–",
              f"{r['stored'] / 1e6:,.2f}", f"{r['stored'] / r['said']:.2f}×", f"{r['written'] / 1e6:,.0f}"]
             for r in rows]
    return markdown(["what", "durability", "turns", "µs a put, median", "first 1,000", "last 1,000", "last / first",
                     "mean", "µs a turn, mean", "of the bare loop, median / mean", "syncs a put: log / all",
                     "MB stored", "of the messages", "MB written"], cells)


def extra_table(rows):
    extra = {r["durability"]: r for r in rows if "extra" in r}
    if not {"normal", "full"} <= set(extra):
        return ""
    cells = [[name, f"{extra['normal'][k]:,.1f}", f"{extra['full'][k]:,.1f}",
              f"{extra['full'][k] / extra['normal'][k]:.2f}×"]
             for name, k in [("median", "extra"), ("mean", "extra_mean")]
             if min(extra["normal"][k], extra["full"][k]) > 0]  # less than nothing is the disk's doing
    return markdown(["µs of a put beyond the bare loop's", "normal", "full", "full / normal"], cells)


def newest_table(rows):
    times = collections.defaultdict(dict)
    for over, backend, messages, us in rows:
        times[backend, over][int(messages)] = float(us)
    sizes = sorted({n for row in times.values() for n in row})
    cells = [[backend, over, *(number(row[n]) if n in row else "" for n in sizes)]
             for (backend, over), row in times.items()]
    return markdown(["µs for the newest 50 of", "over a store that is", *(f"{n:,}" for n in sizes)], cells)


def catch_up_table(rows):
    costs, sizes = collections.defaultdict(dict), sorted({int(row[2]) for row in rows})
    for what, _, messages, caught, put in rows:
        costs[what][int(messages)] = f"{number(float(caught))} / {number(float(put))}"
    return markdown(["µs to catch up with a turn / of its put; messages", *(f"{n:,}" for n in sizes)],
                    [[what, *(row[n] for n in sizes)] for what, row in costs.items()])


def prune_table(rows):
    cells = [[what, f"{int(turns):,}", f"{float(ms):,.1f}", f"{float(longest):,.1f}", f"{int(before) / 1e6:,.1f}",
              f"{int(after) / 1e6:,.1f}"] for what, turns, ms, longest, before, after in rows]
    return markdown(["what", "turns", "ms in all", "ms that another writer waited at the longest", "MB before",
                     "MB after"], cells)


def waits_table(rows):
    def both(row, column):
        return " / ".join("–" if row[when][column] < 0 else f"{row[when][column]:,.1f}"
                          for when in ["alone", "meanwhile"])

    cells = [[WORKS[r["work"]], r["durability"], f"{r['turns']:,}", f"{r['took'] / 1e3:,.1f}", f"{r['load']:.1f}",
              r["who"], f"{r['meanwhile'][0]:,.0f}",
              " / ".join(f"{r[when][1]:.2f}" for when in ["alone", "meanwhile"]), both(r, 2), both(r, 3), both(r, 4),
              f"{r['held'][3]:,.1f} / {r['held'][4]:,.1f}" if r["held"] else "–"] for r in rows]
    return markdown(["what", "durability", "turns", "s in all", "load", "others put into", "puts meanwhile",
                     "ms a put, median: alone / meanwhile", "99 %", "longest", "longest wait for the lock",
                     "longest that the call held it: ms / of work"], cells)


def postgres_tables(results):
    if "missing" in results:
        return f"PostgreSQL was not measured: {results['missing']}."
    return (f"PostgreSQL {results['version']}:\n\n" + run_table(results["runs"]) + "\n\n" +
            newest_table(results["newest"]) + "\n\n" + waits_table(results["waits"]))


def tables(results):
    jansson = results["jansson"][0]
    whole = (f"Writing the whole conversation anew each turn with jansson, into memory: {jansson['turns']:,.0f} turns "
             f"{jansson['mean'] * jansson['puts'] / 1e6:,.1f} s, {jansson['stored'] / 1e9:,.2f} GB; the first turns "
             f"{number(jansson['first'])} µs, the last {number(jansson['last'])} µs.")
    talk = results["conversation"]
    return {
        "threads": "\n\n".join([results["measured"], run_table(talk), extra_table(talk), whole]),
        "threads-kinds": run_table(results["kinds"]),
        "threads-short": run_table(results["short"]),
        "threads-newest": newest_table(results["newest"]),
        "threads-catch-up": catch_up_table(results["catch-up"]),
        "threads-prune": prune_table(results["prune"]),
        "threads-waits": waits_table(results["waits"]),
        "threads-postgres": postgres_tables(results["postgres"]),
    }
