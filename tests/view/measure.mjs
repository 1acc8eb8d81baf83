// SPDX-License-Identifier: Apache-2.0
// How long a page of 10,000 messages takes: to be written, to be loaded by Chromium, to be searched. No test: it
// prints.
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { launch, makePage } from "./browser.mjs";
import { chat, numbers } from "./chats.mjs";

const COUNT = Number(process.argv[2] ?? 10000);
const below = numbers(3);
const words =
  "the order parcel leaves warehouse and arrives `tomorrow` with **care** before noon if nothing holds it up".split(
    " ",
  );
const sentence = (count) => Array.from({ length: count }, () => words[below(words.length)]).join(" ");
const items = (i) => {
  switch (below(6)) {
    case 0:
      return [{ type: "call", id: `call-${i}`, function: "lookup", arguments: { order: i, note: sentence(20) } }];
    case 1:
      return [{ type: "result", id: `call-${i - 1}`, result: { status: "shipped", note: sentence(60) } }];
    case 2:
      return [
        {
          type: "text",
          text: `# Title\n\n- ${sentence(20)}\n- ${sentence(20)}\n\n\`\`\`c\nint x = ${i};\n\`\`\`\n\n${sentence(50)}`,
        },
      ];
    default:
      return [{ type: "text", text: sentence(90) }];
  }
};
const history = Array.from({ length: COUNT }, (_, i) => ({
  role: "assistant",
  name: `agent ${i % 5}`,
  time: "2026-11-21T10:00:00Z",
  items: items(i),
}));
const channels = [
  { channelkey: "a", statekind: "messages", synced: COUNT, channelstate: [[COUNT / 2, COUNT / 2]] },
  { channelkey: "b", statekind: "text", synced: 100 },
];
const source = chat({ history, channels });

let best = null;
for (let round = 0; round < 3; round++) {
  const made = makePage(source, { seconds: true });
  if (!best || made.seconds < best.seconds) best = made;
}
const size = statSync(best.page).size;
console.log(`page: ${(size / 1e6).toFixed(1)} MB of ${COUNT} messages`);
console.log(
  `written to a file: ${(best.seconds * 1000).toFixed(0)} ms, ${(size / 1e6 / best.seconds).toFixed(0)} MB/s`,
);

const browser = await launch();
const tab = await browser.newPage({ viewport: { width: 1100, height: 900 }, bypassCSP: true });
for (let round = 0; round < 3; round++) {
  await tab.goto("about:blank");
  const begun = performance.now();
  await tab.goto(pathToFileURL(best.page).href, { waitUntil: "commit" });
  await tab.waitForSelector("#m0");
  const first = performance.now() - begun;
  await tab.waitForLoadState("load");
  const load = performance.now() - begun;
  const times = await tab.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    parsed: performance.getEntriesByType("navigation")[0].domContentLoadedEventStart,
    ready: performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd,
    load: performance.getEntriesByType("navigation")[0].loadEventEnd,
  }));
  const shown = Object.entries(times)
    .map(([name, time]) => `${name} ${time?.toFixed(0)} ms`)
    .join(", ");
  console.log(
    `loaded: ${load.toFixed(0)} ms (first message in the document ${first.toFixed(0)} ms; the page says: ${shown})`,
  );
}
const timed = (what, action) =>
  tab
    .evaluate(
      async ([name, text]) => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        await frame();
        const begun = performance.now();
        new Function(text)();
        const script = performance.now() - begun;
        await frame();
        return `${name}: ${script.toFixed(0)} ms, shown after ${(performance.now() - begun).toFixed(0)} ms`;
      },
      [what, action],
    )
    .then(console.log);
const input = (id, value) =>
  `const e = document.getElementById("${id}");
   e.value = "${value}";
   e.dispatchEvent(new Event("input", { bubbles: true }));`;
await timed("scrolled to the middle", `document.getElementById("m${COUNT / 2}").scrollIntoView()`);
await timed("scrolled to the end", "scrollTo(0, document.documentElement.scrollHeight)");
await timed("filtered by author", input("author", "1"));
await timed("not filtered", input("author", ""));
await timed("seen by a channel", input("view", "0"));
await timed("seen by all", input("view", ""));
const search = async (text) => {
  const begun = performance.now();
  await tab.fill("#search", text);
  await tab.waitForFunction(() => document.getElementById("hits").textContent !== "");
  const time = (performance.now() - begun).toFixed(0);
  const hits = await tab.textContent("#hits");
  console.log(`searched "${text}": ${time} ms with the 120 ms that it waits for typing; ${hits}`);
  await tab.fill("#search", "");
  await tab.waitForFunction(() => document.getElementById("hits").textContent === "");
};
await search("warehouse");
await search("int x = 77");
await browser.close();
