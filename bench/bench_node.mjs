// SPDX-License-Identifier: Apache-2.0
// The same files through Node's JSON.parse and JSON.stringify, from and to UTF-8 bytes.
//
//     node bench_node.mjs FILE...
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
const peak = () => process.resourceUsage().maxRSS * 1024;

if (process.argv[2] === "--peak") {
  // In a process of its own: the memory that the first reading takes beside the bytes it is given.
  const bytes = readFileSync(process.argv[3]);
  const before = peak();
  const value = JSON.parse(bytes.toString("utf8"));
  console.log(value === null ? -1 : peak() - before);
  process.exit(0);
}
for (const path of process.argv.slice(2)) {
  const extra = execFileSync(process.execPath, [fileURLToPath(import.meta.url), "--peak", path], { encoding: "utf8" });
  const bytes = readFileSync(path);
  const rounds = Math.min(2000, Math.max(5, Math.floor(400e6 / bytes.length)));
  const reads = [];
  const writes = [];
  let kept = 0;
  for (let i = 0; i < rounds; i++) {
    let start = process.hrtime.bigint();
    const value = JSON.parse(bytes.toString("utf8"));
    reads.push(Number(process.hrtime.bigint() - start) / 1e3);
    start = process.hrtime.bigint();
    kept += Buffer.from(JSON.stringify(value), "utf8").length;
    writes.push(Number(process.hrtime.bigint() - start) / 1e3);
  }
  if (kept === 0) throw new Error("nothing was written");
  const name = "node " + process.versions.node;
  const times = [median(reads).toFixed(2), median(writes).toFixed(2)];
  console.log([name, basename(path), bytes.length, ...times, extra.trim()].join("\t"));
}
