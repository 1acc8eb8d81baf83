# SPDX-License-Identifier: Apache-2.0
"""Draws the plots of docs/performance.md from the measurements that scripts/bench keeps: those that it has.

    plots.py RESULTS.json DIRECTORY

The same measurements always give the same bytes. The colours are those of Okabe and Ito, which people who see colours
differently can distinguish; the background is white, so that the text can be read on a dark page too.
"""
import json
import os
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({
    "svg.hashsalt": "agentchat",
    "svg.fonttype": "none",  # text stays text
    "font.family": "sans-serif",
    "font.sans-serif": ["Helvetica", "Arial", "DejaVu Sans"],
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
})
from matplotlib import pyplot  # noqa: E402  the settings come first

CORPORA = ["text", "tools", "images"]
FORMATS = ["agentchat", "semantic-kernel"]
# Program (how its name begins) -> label, colour, mark.
PROGRAMS = {
    "agentchat": ("agentchat", "#0072b2", "o"),
    "jansson": ("jansson", "#d55e00", "s"),
    "json-c": ("json-c", "#e69f00", "^"),
    "RapidJSON": ("RapidJSON", "#009e73", "v"),
    "simdjson": ("simdjson", "#56b4e9", "D"),
    "node": ("Node", "#cc79a7", "P"),
    ".NET": (".NET", "#7f7f7f", "X"),
}


def find(row, name):
    """A program's measurements of a file; agentchat without its variants."""
    for program, numbers in row.items():
        if program == name or (name != "agentchat" and program.startswith(name)):
            return numbers
    return None


def present(rows):
    return [name for name in PROGRAMS if any(find(row, name) for row in rows)]


def bars(axes, groups, names, value, title):
    """One group of bars for each of groups: (label, row)."""
    width = 0.8 / len(names)
    for k, name in enumerate(names):
        positions, heights = [], []
        for i, (_, row) in enumerate(groups):
            numbers = find(row, name)
            height = value(numbers) if numbers else 0
            if height > 0:
                positions.append(i - 0.4 + (k + 0.5) * width)
                heights.append(height)
        axes.bar(positions, heights, width * 0.92, color=PROGRAMS[name][1], label=PROGRAMS[name][0])
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:,g}")
    axes.set_xticks(range(len(groups)), [label for label, _ in groups])
    axes.tick_params(axis="x", length=0)
    axes.grid(axis="x", visible=False)
    axes.set_title(title, loc="left", fontsize=10)


def legend(figure, axes, columns):
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=columns, frameon=False)


def save(figure, directory, name):
    path = os.path.join(directory, f"performance-{name}.svg")
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


def plot_speed(results, directory):
    figure, all_axes = pyplot.subplots(2, 2, figsize=(9, 6.4), sharey="row")
    rows = results["files"]
    names = present(rows.values())
    for column, (what, index) in enumerate([("reading", 1), ("writing", 2)]):
        for line, fmt in enumerate(FORMATS):
            groups = [(c, rows[f"{c}.{fmt}.json"]) for c in CORPORA]
            axes = all_axes[line][column]
            bars(axes, groups, names, lambda n: n[0] / n[index] if n[index] > 0 else 0, f"{what}, format {fmt}")
            if column == 0:
                axes.set_ylabel("MB/s")
    legend(figure, all_axes[1][0], len(names))
    figure.tight_layout(rect=(0, 0.06, 1, 1))
    save(figure, directory, "speed")


def log_log(axes, xlabel, ylabel, title):
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.yaxis.set_major_formatter("{x:,g}")
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.set_title(title, loc="left", fontsize=10)


def plot_sizes(results, directory):
    figure, both = pyplot.subplots(1, 2, figsize=(9, 3.9), sharey=True)
    rows = {s: results["growing"][f"{s}.agentchat.json"] for s in results["sizes"]}
    names = present(rows.values())
    for axes, what, index in [(both[0], "reading", 1), (both[1], "writing", 2)]:
        for name in names:
            measured = [(s, find(row, name)) for s, row in rows.items() if find(row, name)]
            points = [(s, numbers[index] / s) for s, numbers in measured if numbers[index] > 0]
            if points:
                label, colour, mark = PROGRAMS[name]
                axes.plot(*zip(*points), color=colour, marker=mark, markersize=4, linewidth=1.4, label=label)
        log_log(axes, "messages in the file", "", f"{what}, format agentchat")
    both[0].set_ylabel("µs per message")
    legend(figure, both[0], len(names))
    figure.tight_layout(rect=(0, 0.08, 1, 1))
    save(figure, directory, "sizes")


def plot_growth(results, directory):
    """Lines of one colour family are distinguished by their marks and labels."""
    wanted = [
        ("save to a stream", "save to a stream: all is written", "#d55e00", "s"),
        ("digest of history and channels", "digest", "#e69f00", "^"),
        ("add 10 messages, capture, release", "add 10 messages, capture", "#56b4e9", "D"),
        ("restore", "restore", "#009e73", "v"),
        ("add a message", "add a message", "#cc79a7", "P"),
        ("capture after it", "capture", "#0072b2", "o"),
    ]
    figure, axes = pyplot.subplots(figsize=(9, 4.4))
    for what, label, colour, mark in wanted:
        points = [(n, us) for name, n, us, _ in results["growth"] if name == what]
        axes.plot(*zip(*points), color=colour, marker=mark, markersize=5, linewidth=1.4, label=label)
    title = "a live chat: what is constant and what is proportional to the history"
    log_log(axes, "messages in the history", "µs", title)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.tight_layout()
    save(figure, directory, "growth")


def plot_memory(results, directory):
    figure, both = pyplot.subplots(1, 2, figsize=(9, 3.9), sharey=True)
    rows = results["files"]
    names = [n for n in present(rows.values()) if n != ".NET"]
    for axes, fmt in zip(both, FORMATS):
        groups = [(c, rows[f"{c}.{fmt}.json"]) for c in CORPORA]
        bars(axes, groups, names, lambda n: n[3] / n[0], f"format {fmt}")
    both[0].set_ylabel("memory to read a file, as a multiple of it")
    legend(figure, both[0], len(names))
    figure.tight_layout(rect=(0, 0.08, 1, 1))
    save(figure, directory, "memory")


# Saver (as scripts/bench names it) -> label, colour, mark.
SAVERS = {
    "SqliteSaver": ("SqliteSaver", "#d55e00", "s"),
    "SqliteSaver of JavaScript": ("SqliteSaver, JavaScript", "#cc79a7", "P"),
    "SqliteSaver, delta channel, a snapshot every 100 updates": ("its delta channel, 100", "#e69f00", "^"),
    "SqliteSaver, delta channel, a snapshot every 1,000 updates": ("its delta channel, 1,000", "#009e73", "v"),
    "PostgresSaver": ("PostgresSaver", "#7f7f7f", "X"),
}


def saver_lines(results):
    """[(label, colour, mark, style, [(turn, µs)], [(turn, bytes)])]: the savers, then ours on either store"""
    lines, longest = [], {}
    for name, (label, colour, mark) in SAVERS.items():
        peer = results["peers"]["long"].get(name, {})
        if "saver" not in peer:
            continue
        lines.append((label, colour, mark, "-", peer["saver"]["series"], peer["saver"]["sizes"]))
        backend = "PostgreSQL" if name == "PostgresSaver" else "SQLite"
        series = peer["ours"][0]["series"]
        if len(series) > len(longest.get(backend, [])):
            longest[backend] = series
    for backend, series in longest.items():
        lines.append((f"agentchat, {backend}", "#0072b2", "o", "-" if backend == "SQLite" else ":",
                      [(n, us) for n, us, _ in series], [(n, size) for n, _, size in series]))
    return lines


def plot_threads(results, directory):
    figure, both = pyplot.subplots(1, 2, figsize=(9, 4.4))
    lines = saver_lines(results)
    for label, colour, mark, style, times, sizes in lines:
        looks = {"color": colour, "marker": mark, "markersize": 4, "markevery": 4, "linewidth": 1.2, "linestyle": style}
        both[0].plot(*zip(*[(n, us / 1e3) for n, us in times]), label=label, **looks)
        # An SQLite file has one page until the log is written into it for the first time.
        both[1].plot(*zip(*[(n, size / 1e6) for n, size in sizes if size > 4096]), **looks)
    for axes, ylabel, title in [(both[0], "ms a turn", "time in the saver"), (both[1], "MB", "what is stored")]:
        axes.set_yscale("log")
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.yaxis.set_major_formatter("{x:,g}")
        axes.set_xlabel("turns")
        axes.set_ylabel(ylabel)
        axes.set_title(title, loc="left", fontsize=10)
    legend(figure, both[0], 4)
    figure.tight_layout(rect=(0, 0.13, 1, 1))
    save(figure, directory, "threads")


PLOTS = {plot_speed: "files", plot_sizes: "growing", plot_growth: "growth", plot_memory: "files", plot_threads: "peers"}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        results = json.load(file)
    for plot, needed in PLOTS.items():
        if needed in results:
            plot(results, sys.argv[2])


main()
