// SPDX-License-Identifier: Apache-2.0
// The same files through Node's JSON.parse and JSON.stringify, from and to UTF-8 bytes.
//
//     node bench_node.mjs FILE...
import { readFileSync } from "node:fs";
import { basename } from "node:path";

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

for (const path of process.argv.slice(2)) {
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
  console.log(["node " + process.versions.node, basename(path), bytes.length, median(reads).toFixed(2), median(writes).toFixed(2), -1].join("\t"));
}
