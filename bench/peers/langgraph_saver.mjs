// SPDX-License-Identifier: Apache-2.0
// A conversation that LangGraph keeps with its own saver for SQLite, in JavaScript: langgraph_saver.py has the rest.
//
//     node langgraph_saver.mjs DIRECTORY TEXTS TURNS SECONDS
//
// scripts/bench copies it to where LangGraph is installed, for Node looks for packages from there.
import { readFileSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";

const SAMPLE = 50, LEAST_FREE = 5e9;
const METHODS = ["put", "putWrites", "getTuple"];

const [directory, texts, turns, seconds] = process.argv.slice(2);
const said = readFileSync(texts, "utf8").split("\n");
const path = join(directory, "checkpoints.db");
const saver = SqliteSaver.fromConnString(path);
saver.setup();
saver.db.pragma("synchronous=NORMAL");

// The time from the first of the saver's methods that is under way to the end of the last.
let spent = 0, depth = 0, entered = 0;
for (const name of METHODS) {
    const method = saver[name].bind(saver);
    saver[name] = async (...args) => {
        if (depth++ === 0)
            entered = performance.now();
        try {
            return await method(...args);
        } finally {
            if (--depth === 0)
                spent += performance.now() - entered;
        }
    };
}

let answered = 0;
const graph = new StateGraph(MessagesAnnotation)
    .addNode("desk", () => ({ messages: [new AIMessage(said[2 * answered++ + 1])] }))
    .addEdge(START, "desk")
    .addEdge("desk", END)
    .compile({ checkpointer: saver });

const bytesWritten = () => Number(/^wchar: (\d+)/m.exec(readFileSync("/proc/self/io", "ascii"))[1]);
const config = { configurable: { thread_id: "thread" } };
const us = [], saverUs = [], sizes = [];
let stopped = null;
const before = bytesWritten(), started = performance.now();
for (let turn = 0; turn < Number(turns); turn++) {
    if ((performance.now() - started) / 1e3 > Number(seconds)) {
        stopped = `after ${Number(seconds)} s`;
        break;
    }
    if (turn % SAMPLE === 0) {
        sizes.push([turn, statSync(path).size]);
        const disk = statfsSync(directory);
        if (disk.bavail * disk.bsize < LEAST_FREE) {
            stopped = "for want of space on the disk";
            break;
        }
    }
    spent = 0;
    const began = performance.now();
    await graph.invoke({ messages: [new HumanMessage(said[2 * turn])] }, config);
    us.push((performance.now() - began) * 1e3);
    saverUs.push(spent * 1e3);
}
const written = bytesWritten() - before;
saver.db.close();
sizes.push([us.length, statSync(path).size]);
const packages = join(dirname(fileURLToPath(import.meta.url)), "node_modules");
const version = (name) => JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")).version;
const versions = Object.fromEntries(
    ["@langchain/langgraph", "@langchain/langgraph-checkpoint-sqlite"].map((name) => [name, version(name)]));
console.log(JSON.stringify({ turns: us.length, us, saver_us: saverUs, sizes, written, stopped, versions }));
