// SPDX-License-Identifier: Apache-2.0
// What a page finds and shows, against a naive count in the same chat: search, filters, views of channels; also while
// the page is still coming.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { check, finish, launch, makePage, same, settle, watchedTab } from "./browser.mjs";
import { author, chat, kinds, numbers } from "./chats.mjs";

const COUNT = 1000;
const WORDS = "amber birch cobalt dune ember fjord grove harbour islet juniper kelp lagoon".split(" ");
const NAMES = ["Ana", "Bo", "Chi", null];
const below = numbers(7);
const some = (list) => list[below(list.length)];
const words = (count) => Array.from({ length: count }, () => some(WORDS)).join(" ");

// ---- a chat ----
const item = (i) => {
  switch (below(12)) {
    case 0:
      return { type: "call", id: `call-${i}`, function: some(WORDS), arguments: { what: words(2), deep: [{ n: i }] } };
    case 1:
      return { type: "result", id: `call-${i - 1}`, result: { answer: words(3) } };
    case 2:
      return { type: "reasoning", text: words(6) };
    case 3:
      return { type: "image", mimetype: "image/png", uri: `https://example.org/${some(WORDS)}.png` };
    case 4:
      return { type: "file", file: `${some(WORDS)}.txt` };
    case 5:
      return { type: "message", message: { role: "tool", items: [{ type: "text", text: words(3) }] } };
    case 6:
      return { type: "action", text: words(2) };
    default:
      return {
        type: "text",
        text: below(3) ? `${words(8)} number${i}` : `# ${some(WORDS)}\n\n- **${words(2)}**\n- \`${words(1)}\``,
      };
  }
};
const history = Array.from({ length: COUNT }, (_, i) => ({
  role: some(["user", "assistant"]),
  name: some(NAMES),
  items: Array.from({ length: 1 + below(3) }, () => item(i)),
}));
const own = (text) => ({ role: "system", items: [{ type: "text", text }] });
const channels = [
  {
    channelkey: "reduced",
    channeltype: "Some.HistoryChannel",
    statekind: "messages",
    synced: 900,
    pending: [890],
    channelstate: [own("summary of lost years"), [300, 400], own("reminder in between"), [750, 100]],
  },
  { channelkey: "early", channeltype: "Thread", statekind: "text", channelstate: "thread_1", synced: 120 },
  { channelkey: "all", statekind: "messages", synced: COUNT, channelstate: [[0, COUNT]] },
  { channelkey: "unknown", statekind: "text" },
];

// ---- what is expected, the naive way ----
/** The strings that the article of a message shows: a result that has a call stands with the call. */
const callOf = new Map();
history.forEach((message, m) =>
  message.items.forEach((part) => part.type === "call" && !callOf.has(part.id) && callOf.set(part.id, m)),
);
const shownIn = history.map(() => []);
const strings = (value, out) => {
  if (typeof value === "string") out.push(value);
  else if (value !== null && typeof value === "object") Object.values(value).forEach((member) => strings(member, out));
};
const answered = new Set();
history.forEach((message, m) =>
  message.items.forEach((part) => {
    if (part.type === "result" && callOf.has(part.id) && callOf.get(part.id) < m && !answered.has(part.id)) {
      answered.add(part.id);
      strings(part.result, shownIn[callOf.get(part.id)]);
      const call = history[callOf.get(part.id)].items.find((other) => other.id === part.id && other.type === "call");
      shownIn[m].push(call.function);
      return;
    }
    strings(part, shownIn[m]);
  }),
);
const naive = ({ name, kind, word }) =>
  history.flatMap((message, m) =>
    (name === undefined || author(message) === name) &&
    (kind === undefined || kinds(message).has(kind)) &&
    (word === undefined || shownIn[m].some((string) => string.toLowerCase().includes(word.toLowerCase())))
      ? [`m${m}`]
      : [],
  );

const standing = (channel) => {
  const held = new Set(
    channel.channelstate.flatMap?.((part) =>
      Array.isArray(part) ? Array.from({ length: part[1] }, (_, i) => part[0] + i) : [],
    ) ?? [],
  );
  return history.map((_, m) => {
    if (held.has(m)) return "";
    if (channel.pending?.includes(m)) return "waiting, not yet given";
    if (channel.synced === undefined) return "not known whether given";
    if (m >= channel.synced) return "not given";
    return channel.statekind === "messages" ? "was given and does not hold it" : "";
  });
};

// ---- in the page ----
const browser = await launch();
const tab = await watchedTab(browser);
const made = makePage(
  chat({ history, channels: channels.map((channel) => ({ channelstate: undefined, ...channel })) }),
  { title: "Lost years" },
);
await tab.load(made.page);

const visible = () =>
  tab.$$eval(":is(#conversation, #conversation > .g) > article.m:not(.own)", (list) =>
    list.filter((message) => !message.hidden).map((message) => message.id),
  );
const hits = () => tab.textContent("#hits");
const clear = async () => {
  await tab.keyboard.press("Escape");
  for (const id of ["author", "kind"]) await tab.selectOption(`#${id}`, "");
  await tab.fill("#search", "");
  await settle(tab);
};
const counted = (count) => `${count} message${count === 1 ? "" : "s"}`;

// filters, alone and together; own messages of channels count too
const owns = [{ word: "summary of lost years" }, { word: "reminder in between" }];
const ownHits = ({ name, kind, word }) =>
  owns.filter(
    (one) =>
      (name === undefined || name === "system") &&
      (kind === undefined || kind === "text") &&
      (word === undefined || one.word.includes(word.toLowerCase())),
  ).length;
const wishes = [
  {},
  { word: "kelp" },
  { word: "AMBER" },
  { word: "number77" },
  { word: "nothing has this" },
  { word: "lost" },
  { kind: "text" },
  { name: "Ana", kind: "call" },
  { name: "Bo", word: "fjord" },
  { name: "Chi", kind: "reasoning", word: "dune" },
];
for (const name of new Set(history.map(author))) wishes.push({ name });
for (const kind of ["call", "media", "reasoning", "file", "message", "other"]) wishes.push({ kind });
for (const word of WORDS) wishes.push({ word });
for (const wish of wishes) {
  if (wish.name !== undefined) await tab.selectOption("#author", { label: wish.name });
  if (wish.kind !== undefined) await tab.selectOption("#kind", wish.kind);
  if (wish.word !== undefined) await tab.fill("#search", wish.word);
  await settle(tab);
  const expected = naive(wish);
  same(await visible(), expected, `${JSON.stringify(wish)}: the messages shown`);
  const any = Object.keys(wish).length > 0;
  same(await hits(), any ? counted(expected.length + ownHits(wish)) : "", `${JSON.stringify(wish)}: the number said`);
  await clear();
}

// what was found is marked
await tab.fill("#search", "number77");
await settle(tab);
const marks = () => tab.evaluate(() => [...(CSS.highlights.get("found") ?? [])].map(String));
const occurrences = await tab.$$eval(":is(#conversation, #conversation > .g) > article.m", (list) =>
  list.flatMap((message) => [...message.textContent.matchAll(/number77/g)].map(String)),
);
check(occurrences.length > 0, "there is something to be found");
same(await marks(), occurrences, "what was found is marked");
await clear();
same(await marks(), [], "and nothing else");
await tab.fill("#search", "77");
await settle(tab);
same(await visible(), naive({ word: "77" }), "a message's number is none of its words");
check(
  (await marks()).length > 0 &&
    (await tab.evaluate(() =>
      [...CSS.highlights.get("found")].every((range) => !range.startContainer.parentElement.closest(".n")),
    )),
  "and is not marked",
);
await clear();

// in the whole chat, each message says which channels do not have it
const missing = channels.map((channel) => standing({ channelstate: [], ...channel }));
same(
  await tab.$$eval(":is(#conversation, #conversation > .g) > article.m:not(.own)", (list) =>
    list.map((message) => message.dataset.missing ?? ""),
  ),
  history.map((_, m) => {
    const list = channels.flatMap((channel, c) => (missing[c][m] && channel.synced !== undefined ? [c] : []));
    return list.length > 0 ? `channel${list.length > 1 ? "s" : ""} ${list.join(", ")}` : "";
  }),
  "messages say which channels do not have them",
);

// what each channel had been given
for (const [c, channel] of channels.entries()) {
  const expected = standing({ channelstate: [], ...channel });
  const ownCount = c === 0 ? 2 : 0;
  await tab.selectOption("#view", String(c));
  same(
    await tab.$$eval(":is(#conversation, #conversation > .g) > article.m:not(.own)", (list) =>
      list.map((message) => message.querySelector(":scope > .why")?.textContent ?? ""),
    ),
    expected,
    `channel ${c}: what was not given`,
  );
  same(
    await tab.locator(":is(#conversation, #conversation > .g) > .m.unseen").count(),
    expected.filter(Boolean).length,
    `channel ${c}: those are faint`,
  );
  same(await tab.locator(":is(#conversation, #conversation > .g) > .own:visible").count(), ownCount, `channel ${c}: what only it holds`);
  check(
    (await tab.textContent("#seen")).includes(`${expected.filter((why) => !why).length} of ${COUNT} messages`),
    `channel ${c}: its numbers are said`,
  );
}
await tab.keyboard.press("Escape"); // the choice has the focus
await tab.evaluate(() => document.activeElement.blur());
await tab.keyboard.press("Escape");
same(await tab.inputValue("#view"), "", "Escape leads back to the whole chat");
same(await tab.locator(".unseen, .why").count(), 0, "the whole chat has nothing faint");
same(await tab.locator(":is(#conversation, #conversation > .g) > .own:visible").count(), 2, "the whole chat shows what only channels hold");
check(await tab.locator("#seen").isHidden(), "the line about the view is gone");
await tab.locator("button.look").nth(1).click();
same(await tab.inputValue("#view"), "1", "a channel's button opens its view");
same(await tab.locator("button.look").nth(1).getAttribute("aria-pressed"), "true", "and says so");
await tab.locator("button.look").nth(1).click();
same(await tab.inputValue("#view"), "", "and closes it");

// a page that opens with a channel's view
const opening = makePage(
  chat({ history: history.slice(0, 20), channels: [{ channelkey: "k", statekind: "text", synced: 5 }] }),
  { channel: "k" },
);
await tab.load(opening.page);
same(await tab.locator(".unseen").count(), 15, "a page opens with the view that it was made with");

same(tab.misdeeds, [], "nothing else happens");

// a page that is still coming is read and searched already
const bytes = readFileSync(made.page);
const half = bytes.indexOf('id="m500"');
let sendRest;
const server = createServer((request, response) => {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.write(bytes.subarray(0, half));
  sendRest = () => response.end(bytes.subarray(half));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const slow = await browser.newPage();
await slow.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: "commit" });
await slow.waitForSelector("#m490");
await slow.fill("#search", "kelp");
await settle(slow);
const found = naive({ word: "kelp" }).map((id) => Number(id.slice(1)));
const near = Number((await slow.textContent("#hits")).split(" ")[0]);
check(
  near > found.filter((m) => m < 480).length - 1 && near <= found.filter((m) => m <= 500).length + 2,
  "what has come is searched",
  near,
);
check(await slow.evaluate(() => document.readyState === "loading"), "while the rest is coming");
sendRest();
await slow.waitForLoadState("domcontentloaded");
await settle(slow);
same(await slow.textContent("#hits"), counted(found.length), "and what comes then is searched too");
server.close();
await finish(browser);
