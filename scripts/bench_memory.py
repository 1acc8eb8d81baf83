# SPDX-License-Identifier: Apache-2.0
"""Long-term memory in scripts/bench: runs bench_memory and LangGraph's stores, and makes tables of their rows."""
import contextlib
import json
import os
import subprocess
import tempfile

import bench_peers
import bench_threads
from bench_threads import TOP, markdown, number

STORES = [("InMemoryStore", "memory", "memory:"), ("SqliteStore", "sqlite", "sqlite:{}?synchronous=normal")]


@contextlib.contextmanager
def database(directory, url):
    """The URL of a file that is gone afterwards."""
    file = os.path.join(directory, "bench", "memory.db")
    try:
        yield url.format(file)
    finally:
        for end in ["", "-wal", "-shm"]:
            with contextlib.suppress(FileNotFoundError):
                os.remove(file + end)


def rows_of(directory, url, count):
    done = bench_threads.run(os.path.join(directory, "bench", "bench_memory"), url, str(count), capture_output=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return [[what, int(n), float(us)] for what, n, us in rows]


def measure(directory, quick):
    if not os.path.exists(os.path.join(directory, "bench", "bench_memory")):
        return {"missing": "it needs both backends"}
    count = 1000 if quick else 100000
    results = {"measured": bench_threads.measured()}
    with database(directory, "sqlite:{}?synchronous=normal") as url:
        results["SQLite"] = rows_of(directory, url, count)
    installed = subprocess.run([os.path.join(os.path.dirname(bench_threads.SERVER), "install")], text=True,
                               capture_output=True)
    with bench_threads.postgres(directory, *(["--pgvector"] if installed.returncode == 0 else [])) as (url, missing):
        if missing:
            results["no server"] = missing
        else:
            results["PostgreSQL"] = rows_of(directory, url, count)
    return results


def measure_store(directory, python, kind, url, count):
    program = os.path.join(TOP, "bench", "peers", "langgraph_store.py")
    with tempfile.TemporaryDirectory(dir=os.path.join(directory, "bench")) as where:
        done = subprocess.run([*python, program, kind, where, str(count)], text=True, capture_output=True)
    if done.returncode != 0:
        return {"missing": bench_peers.last_line(done)}
    with database(directory, url) as own:
        return {**json.loads(done.stdout), "ours": rows_of(directory, own, count)}


def measure_peers(directory, quick):
    python, why = bench_peers.install_python(os.path.join(directory, "peers"))
    results = {"measured": bench_threads.measured(), "stores": {}}
    for name, kind, url in STORES:
        results["stores"][name] = ({"missing": why} if why else
                                   measure_store(directory, python, kind, url, 1000 if quick else 10000))
    return results


# ---- tables ---------------------------------------------------------------------------------------------------------


def table(results):
    if "missing" in results:
        return results["missing"]
    stores = [name for name in ("SQLite", "PostgreSQL") if name in results]
    costs = {name: {what: us for what, _, us in results[name]} for name in stores}
    rows = [[what, *(number(costs[name][what]) if what in costs[name] else "–" for name in stores)]
            for what in dict.fromkeys(what for name in stores for what in costs[name])]
    text = f"{results['measured']} {results['SQLite'][0][1]:,} documents.\n\n" + markdown(["microseconds", *stores], rows)
    return text + (f"\n\nNot measured: PostgreSQL. {results['no server']}" if "no server" in results else "")


def peer_table(results):
    names, rows, missing, versions = [], {}, [], {}
    for name, store in results["stores"].items():
        if "missing" in store:
            missing.append(f"Not measured: {name}. {store['missing']}")
            continue
        names.append(name)
        versions.update(store["versions"])
        ours = {what: us for what, _, us in store["ours"]}
        for what, _, us in store["rows"]:
            rows.setdefault(what, []).extend([number(us), number(ours[what]), f"{us / ours[what]:,.1f}×"])
    if not rows:
        return "\n\n".join(missing)
    count = results["stores"][names[0]]["rows"][0][1]
    said = ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
    head = ["microseconds"] + [cell for name, _, url in STORES if name in names
                               for cell in [name, f"agentchat, `{url.split(':')[0]}:`", "times ours"]]
    return "\n\n".join([f"{results['measured']} {said}; {count:,} documents.",
                        markdown(head, [[what, *cells] for what, cells in rows.items()]), *missing])
