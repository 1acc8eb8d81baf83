# SPDX-License-Identifier: Apache-2.0
"""LangGraph's own savers beside threads, in scripts/bench --peers: installs what can be had, runs it, makes tables.

Each saver keeps a conversation of two messages a turn; right after it agentchat keeps the same conversation for as many
turns as the saver did, with one checkpoint a turn and with three, which is how many LangGraph makes.
"""
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

import bench_threads
from bench_threads import TOP, markdown, number

PYTHON_PACKAGES = ["langgraph", "langgraph-checkpoint-sqlite", "langgraph-checkpoint-postgres", "psycopg[binary]",
                   "numpy", "sqlite-vec"]
NODE_PACKAGES = ["@langchain/core", "@langchain/langgraph", "@langchain/langgraph-checkpoint-sqlite"]
# name, kind of bench/peers/langgraph_saver.py; "" is the program in JavaScript.
SAVERS = [
    ("SqliteSaver", "sqlite"),
    ("SqliteSaver, delta channel, a snapshot every 100 updates", "delta-100"),
    ("SqliteSaver, delta channel, a snapshot every 1,000 updates", "delta-1000"),
    ("SqliteSaver of JavaScript", ""),
    ("PostgresSaver", "postgres"),
]
REPETITIONS = 3  # of ours
EDGE = 50  # so many turns are early, and late


# ---- installing -----------------------------------------------------------------------------------------------------


def last_line(done):
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return lines[-1] if lines else f"exit status {done.returncode}"


def attempt(*commands):
    """Runs commands until one fails; None, or why it did."""
    for command in commands:
        try:
            done = subprocess.run(command, text=True, capture_output=True)
        except OSError as e:
            return str(e)
        if done.returncode != 0:
            return last_line(done)
    return None


def install_python(directory):
    """(command, None), or (None, why there is none)"""
    python = os.path.join(directory, "python", "bin", "python")
    check = [python, "-c", "import langgraph.checkpoint.sqlite, langgraph.checkpoint.postgres, numpy, sqlite_vec"]
    if attempt(check) is None:
        return [python], None
    why = attempt([sys.executable, "-m", "venv", os.path.dirname(os.path.dirname(python))],
                  [python, "-m", "pip", "install", "--quiet", *PYTHON_PACKAGES], check)
    return (None, why) if why else ([python], None)


def install_node(directory):
    where = os.path.join(directory, "node")
    os.makedirs(where, exist_ok=True)
    program = shutil.copy(os.path.join(TOP, "bench", "peers", "langgraph_saver.mjs"), where)
    require = os.path.join(where, "node_modules", "better-sqlite3")
    check = ["node", "-e", f"new (require({json.dumps(require)}))(':memory:')"]
    if attempt(check) is None:
        return ["node", program], None
    with open(os.path.join(where, "package.json"), "w", encoding="utf-8") as file:
        json.dump({"private": True}, file)
    why = attempt(["npm", "install", "--prefix", where, "--no-audit", "--no-fund", *NODE_PACKAGES], check)
    return (None, why) if why else (["node", program], None)


# ---- measuring ------------------------------------------------------------------------------------------------------


def thin(saved):
    """What tables and plots need: the mean of every 50 turns."""
    def means(times):
        return [[min(i + EDGE, len(times)), statistics.fmean(times[i:i + EDGE])] for i in range(0, len(times), EDGE)]

    return {"turns": saved["turns"], "stopped": saved["stopped"], "versions": saved["versions"],
            "written": saved["written"], "sizes": saved["sizes"],
            "turn": statistics.fmean(saved["us"]), "saver": statistics.fmean(saved["saver_us"]),
            "early": statistics.median(saved["us"][:EDGE]), "late": statistics.median(saved["us"][-EDGE:]),
            "series": means(saved["saver_us"])}


def run_saver(command, directory, texts, turns, seconds, url):
    os.sync()  # nobody waits for what an earlier one has written
    with tempfile.TemporaryDirectory(dir=directory) as where:
        done = subprocess.run([*command, url or where, texts, str(turns), str(seconds)], text=True,
                              capture_output=True)
    if done.returncode != 0:
        return None, last_line(done)
    saved = json.loads(done.stdout)
    return (thin(saved), None) if saved["turns"] > 0 else (None, "it did not complete a turn in time")


def run_ours(directory, what, turns, url):
    """[{run, series}]: one checkpoint a turn, three; of several runs the one in the middle"""
    os.sync()
    runs = []
    for _ in range(REPETITIONS):
        if url:
            rows = bench_threads.rows_of(directory, "bench_threads_postgres", url, what, turns)
        else:
            rows = bench_threads.sqlite(directory, what, turns)
        runs.append([{**run, "series": [[int(n), float(us), float(size)] for of, n, us, size in rows["series"]
                                        if of == run["what"]]} for run in rows["run"]])
    return [sorted(same, key=lambda run: run["turn"])[REPETITIONS // 2] for same in zip(*runs)]


def measure_saver(kind, installed, directory, what, texts, turns, seconds):
    (python, why_python), (node, why_node) = installed
    if not (python if kind else node):
        return {"missing": why_python if kind else why_node}
    command = [*python, os.path.join(TOP, "bench", "peers", "langgraph_saver.py"), kind] if kind else node
    if kind != "postgres":
        return beside(command, directory, what, texts, turns, seconds, None)
    if not os.path.exists(os.path.join(directory, "bench", "bench_threads_postgres")):
        return {"missing": "the backend was not built"}
    with bench_threads.postgres(directory) as (url, why):
        return {"missing": why} if why else beside(command, directory, what, texts, turns, seconds, url)


def beside(command, directory, what, texts, turns, seconds, url):
    saver, why = run_saver(command, os.path.join(directory, "bench"), texts, turns, seconds, url)
    if why:
        return {"missing": why}
    return {"saver": saver, "ours": run_ours(directory, what, saver["turns"], url)}


def measure(directory, quick, seconds):
    where = os.path.join(directory, "peers")
    os.makedirs(where, exist_ok=True)
    installed = install_python(where), install_node(where)
    results = {"seconds": seconds, "measured": bench_threads.measured()}
    for part, texts_of, what, turns in [("long", "texts", "beside", 200 if quick else 2000),
                                        ("short", "texts-short", "beside-short", 50 if quick else 200)]:
        texts = os.path.join(where, texts_of)
        program = os.path.join(directory, "bench", "bench_threads")
        with open(texts, "w", encoding="utf-8") as file:
            bench_threads.run(program, where, texts_of, str(turns), stdout=file)
        results[part] = {}
        for name, kind in SAVERS:
            print(f"{name}: {turns:,} turns, at most {seconds:g} s", file=sys.stderr)
            results[part][name] = measure_saver(kind, installed, directory, what, texts, turns, seconds)
    return results


# ---- tables ---------------------------------------------------------------------------------------------------------


def row(name, peer):
    saver, (one, three) = peer["saver"], peer["ours"]
    size, in_saver = saver["sizes"][-1][1], three["mean"] * three["puts"] / three["turns"]
    stopped = f", stopped {saver['stopped']}" if saver["stopped"] else ""
    return [name, f"{saver['turns']:,}{stopped}", f"{1e6 / saver['turn']:,.1f}",
            *(number(saver[k] / 1e3) for k in ("early", "late", "turn", "saver")),
            f"{size / 1e6:,.1f}", f"{saver['written'] / 1e6:,.0f}",
            f"{saver['turn'] / one['turn']:,.0f}× / {saver['turn'] / three['turn']:,.0f}×",
            f"{saver['saver'] / one['mean']:,.0f}× / {saver['saver'] / in_saver:,.0f}×",
            f"{size / one['stored']:,.1f}× / {size / three['stored']:,.1f}×"]


def our_row(peer, backend):
    one, three = peer["ours"]
    return [f"agentchat on {backend}, one checkpoint a turn / three", f"{one['turns']:,.0f}",
            f"{1e6 / one['turn']:,.0f} / {1e6 / three['turn']:,.0f}", "", "",
            *(f"{a / 1e3:.3f} / {b / 1e3:.3f}" for a, b in
              [(one["turn"], three["turn"]), (one["mean"], three["mean"] * three["puts"] / three["turns"])]),
            f"{one['stored'] / 1e6:,.2f} / {three['stored'] / 1e6:,.2f}",
            f"{one['written'] / 1e6:,.0f} / {three['written'] / 1e6:,.0f}", "", "", ""]


def table(peers):
    rows = []
    present = {name: peer for name, peer in peers.items() if "missing" not in peer}
    for backend, is_of in [("SQLite", lambda n: not n.startswith("Postgres")),
                           ("PostgreSQL", lambda n: n.startswith("Postgres"))]:
        mine = {name: peer for name, peer in present.items() if is_of(name)}
        rows += [row(name, peer) for name, peer in mine.items()]
        if mine:
            rows.append(our_row(max(mine.values(), key=lambda p: p["saver"]["turns"]), backend))
    head = ["what", "turns", "turns a second", "ms a turn, first 50", "last 50", "mean", "in the saver", "MB stored",
            "MB written", "a turn, times ours", "in the saver, times ours", "MB, times ours"]
    missing = [f"Not measured: {name}. {peer['missing']}" for name, peer in peers.items() if "missing" in peer]
    return "\n\n".join([markdown(head, rows)] * bool(rows) + missing)


def tables(results):
    versions = {k: v for part in ("long", "short") for peer in results[part].values() if "saver" in peer
                for k, v in peer["saver"]["versions"].items()}
    said = ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
    how = f"{results['measured']} {said}; at most {results['seconds']:g} s each."
    return {"peers": how + "\n\n" + table(results["long"]),
            "peers-short": table(results["short"])}
