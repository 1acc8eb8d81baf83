// SPDX-License-Identifier: Apache-2.0
// The rows of an append, inserted by Node with better-sqlite3: what bench_sessions does with SQLite alone.
//
//     node bench_node_sessions.mjs FILE full|normal
//
// FILE is a store that has the session s of user ana of the application shop. better-sqlite3 is looked for where Node
// looks for packages, NODE_PATH among that; exit status 77 when it is not there.
import { createRequire } from "node:module";

const APPENDS = 401;
const [path, durability] = process.argv.slice(2);
let Database;
try {
  Database = createRequire(import.meta.url)("better-sqlite3");
} catch (error) {
  console.error(error.message.split("\n")[0]);
  process.exit(77);
}
const json = JSON.stringify({
  author: "desk",
  content: {
    role: "assistant",
    items: [
      { type: "text", text: "The parcel left the warehouse on Tuesday and should reach you soon. ".repeat(9).slice(0, 297) },
      { type: "call", callid: "call_81", function: "lookup", arguments: { id: 1234, full: true } },
    ],
  },
  actions: { statedelta: { "app:requests": 17, "user:last_order": "1234", step: "shipped" } },
});
const effect = '{"app":1,"user":1,"undo":[["step",1,"\\"shipped\\""]]}';

const db = new Database(path, { fileMustExist: true });
db.pragma(`synchronous = ${durability}`);
const event = db.prepare(
  "INSERT INTO event(app, num, seq, id, time_ns, json, effect, sum) VALUES('shop', 7, ?, ?, ?, ?, ?, 7)",
);
const state = db.prepare(
  "INSERT INTO state(app, usr, sid, key, value, rev, sum) VALUES('shop', ?, ?, ?, ?, ?, 7) ON CONFLICT" +
    "(app, usr, sid, key) DO UPDATE SET value = excluded.value, rev = excluded.rev",
);
const scope = db.prepare(
  "INSERT INTO scope(app, usr, rev, sum) VALUES('shop', ?, 1, 7) ON CONFLICT(app, usr) DO UPDATE SET rev = rev + 1",
);
const session = db.prepare(
  "UPDATE session SET seq = ?, updated_us = ? WHERE app = 'shop' AND usr = 'ana' AND id = 's'",
);
const append = db.transaction((n) => {
  const id = "00000000-0000-4000-8000-" + String((n * 7919) % 1000000000).padStart(12, "0");
  event.run(n, id, 1795292121309192000n + BigInt(n) * 1000000n, json, effect);
  scope.run("");
  scope.run("ana");
  state.run("", "", "requests", "17", n);
  state.run("ana", "", "last_order", '"1234"', n);
  state.run("ana", "s", "step", '"shipped"', n);
  session.run(n, 1795292121309192n + BigInt(n));
}).immediate;

const times = [];
for (let n = 1; n <= APPENDS; n++) {
  const start = process.hrtime.bigint();
  append(n);
  times.push(Number(process.hrtime.bigint() - start) / 1e3);
}
db.close();
const median = times.sort((a, b) => a - b)[times.length >> 1];
console.log(["the same rows by Node and better-sqlite3", durability, APPENDS, median.toFixed(2)].join("\t"));
