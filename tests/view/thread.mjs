// SPDX-License-Identifier: Apache-2.0
// The page of a thread: each checkpoint is shown as the page of its chat alone shows it, whatever was shown before;
// search, filters, channels and links work in each; the tree leads there, by mouse, keys, links and history.
import { allowed, strangers } from "./allowed.mjs";
import { attacks } from "./attacks.mjs";
import { check, finish, launch, makePage, same, settle, watchedTab } from "./browser.mjs";
import { chat, numbers } from "./chats.mjs";

const browser = await launch();
const tab = await watchedTab(browser);
const alone = await watchedTab(browser);

// ---- a thread ----
const COUNT = 24;
const below = numbers(11);
const text = (words, role = "user", name = "Ana") => ({ role, name, items: [{ type: "text", text: words }] });
const call = (id) => ({ role: "assistant", name: "Bo", items: [{ type: "call", id, function: "look", arguments: {} }] });
const result = (id) => ({ role: "tool", name: "Bo", items: [{ type: "result", id, result: `found ${id}` }] });
const make = (history, turn) => {
  const synced = Math.max(0, history.length - below(3));
  const held = below(history.length + 1);
  return chat({
    history,
    participants: [{ id: "a", name: "Ana", type: "T" }],
    channels: [
      {
        channelkey: "k0",
        channeltype: "Some.HistoryChannel",
        statekind: "messages",
        synced: history.length,
        channelstate: [text(`summary ${turn - (turn % 4)}`, "system", null), ...(held > 0 ? [[0, held]] : [])],
      },
      { channelkey: "k1", channeltype: "Thread", statekind: "text", channelstate: `thread ${turn}`, synced },
      {
        channelkey: "k2",
        channeltype: "Aggregator",
        statekind: "chat",
        channelstate: {
          history: history.slice(-3).concat(text(`inner ${turn}`)),
          participants: [],
          channels: [
            { channelkey: "k3", channeltype: "Deep", statekind: "messages", channelstate: [text("deep", "system")] },
          ],
        },
      },
    ],
  });
};
const chats = [];
let history = [];
for (let turn = 0; turn < COUNT; turn++) {
  const kind = below(6);
  if (kind === 0 && history.length > 4) history = history.slice(2); // a window
  else if (kind === 1 && history.length > 6) history = [text(`summary of ${turn}`, "system", null), ...history.slice(-4)];
  else if (kind === 2 && history.length > 3) history = history.with(below(history.length), text(`edited ${turn}`));
  else if (kind === 3) history = [...history, call(`c${turn}`)];
  else history = [...history, result(`c${turn - 1}`), text("yes"), text("yes"), text(`turn ${turn}`, "user", `author ${turn % 5}`)];
  chats.unshift(make(history, turn)); // newest first
}
const { page } = makePage(chats[0], { title: "A thread", older: chats.slice(1) });
const pages = chats.map((one) => makePage(one).page);

/** Runs in the page: its conversation but for ids: each message with its number, text, colours and marks, where its links
    lead, and how it is folded into chats. */
const shown = () => {
  const all = [...document.querySelectorAll("#conversation article.m")];
  return {
    messages: all.map((message) => ({
      number: message.querySelector(".n").textContent,
      label: message.querySelector(".n").getAttribute("aria-label"),
      classes: [...message.classList].filter((name) => !/^a\d+$/.test(name)).join(" "),
      own: message.dataset.own,
      missing: message.dataset.missing,
      hidden: message.hidden,
      depth: [...document.querySelectorAll("details.chat")].filter((part) => part.contains(message)).length,
      text: window.testShown(message),
      links: [...message.querySelectorAll(".from a, .answer a")].map((link) =>
        all.indexOf(document.getElementById(link.hash.slice(1))),
      ),
    })),
    channels: [...document.querySelectorAll(".channels th[scope=row]")].map((cell) => cell.textContent),
    standings: [...document.querySelectorAll(".standings")].map((list) => list.textContent),
    views: [...document.querySelectorAll("#view > option")].map((option) => [option.value, option.textContent]),
    seen: document.querySelector("#seen").hidden ? "" : document.querySelector("#seen").textContent,
  };
};
const expected = [];
for (const one of pages) {
  await alone.load(one);
  const views = {};
  for (const view of ["", "0", "1"]) {
    await alone.selectOption("#view", view);
    views[view] = await alone.evaluate(shown);
  }
  expected.push(views);
}
const sequenceOf = (index) => COUNT - index;
const hasOpened = (sequence) =>
  tab.waitForFunction((wanted) => document.getElementById("chat").dataset.shown === wanted, String(sequence));
const open = async (index) => {
  await tab.click(`#s${sequenceOf(index)} .row > a`);
  await hasOpened(sequenceOf(index));
};
const isAt = async (index, what) => {
  await hasOpened(sequenceOf(index));
  same(await tab.evaluate(shown), expected[index][""], `${what}: checkpoint ${sequenceOf(index)} as its own page has it`);
  same(
    await tab.evaluate(() => [...document.querySelectorAll("[aria-current]")].map((link) => link.closest("li").id)),
    [`s${sequenceOf(index)}`],
    `${what}: the tree says so`,
  );
};

// ---- each as its own page has it ----
await tab.load(page);
await isAt(0, "at first");
for (let i = 0; i < COUNT; i++) {
  await open(i);
  await isAt(i, "from newer to older");
}
for (let step = 0, last = COUNT - 1; step < 40; step++) {
  const i = (last + 1 + below(COUNT - 1)) % COUNT; // another one
  last = i;
  await open(i);
  await isAt(i, "here and there");
  const view = ["0", "1"][below(2)];
  await tab.selectOption("#view", view);
  same(await tab.evaluate(shown), expected[i][view], `checkpoint ${sequenceOf(i)} as channel ${view} has it`);
}
same(await tab.evaluate(strangers, allowed), [], "nothing but the page's own elements");
const ids = await tab.evaluate(() => [...document.querySelectorAll("[id]")].map((element) => element.id));
same(new Set(ids).size, ids.length, "no id is there twice");

// ---- filters stay ----
await open(0);
await tab.selectOption("#view", "");
await tab.fill("#search", "turn");
await settle(tab);
await open(5);
const hits = await tab.evaluate(() => [...document.querySelectorAll("#conversation article.m:not([hidden])")].length);
same(await tab.textContent("#hits"), `${hits} message${hits === 1 ? "" : "s"}`, "the hits are those of what is shown");
check(
  await tab.evaluate(() =>
    [...document.querySelectorAll("#conversation article.m")].every(
      (message) => message.hidden === !message.textContent.toLowerCase().includes("turn"),
    ),
  ),
  "what is searched is found in another checkpoint",
);
await tab.fill("#search", "");
await settle(tab);
const authors = await tab.evaluate(() => [...document.querySelectorAll("#author > option")].map((one) => one.textContent));
for (const name of ["author 0", "author 4", "Bo"])
  same(authors.filter((one) => one === name).length, 1, `${name} can be chosen once`);
same(await tab.inputValue("#author"), "", "no author is chosen");

// ---- links, keys and history ----
await tab.load(page, "#s3");
await isAt(COUNT - 3, "a link to a checkpoint");
await tab.keyboard.press("[");
await isAt(COUNT - 2, "[ leads to the older one");
await tab.keyboard.press("]");
await isAt(COUNT - 3, "] leads to the newer one");
await tab.goBack();
await isAt(COUNT - 2, "back");
await tab.evaluate(() => (location.hash = ""));
await isAt(0, "no hash is the first one");
await tab.keyboard.press("]");
await isAt(0, "there is none newer");
await open(COUNT - 2);
const permanent = await tab.evaluate(() => document.querySelector("#conversation article.m").id);
await open(0);
check((await tab.locator(`#${permanent}`).count()) === 0, "a message of another checkpoint");
await tab.evaluate((id) => (location.hash = id), permanent);
await tab.waitForSelector(`#${permanent}.at`);
check(await tab.locator(`#${permanent}`).isVisible(), "a link to a message of another checkpoint leads there");

// ---- without scripting ----
const plain = await watchedTab(browser, { javaScriptEnabled: false });
await plain.load(page);
for (let i = 0; i < COUNT; i++) check(await plain.locator(`#s${i + 1} .row`).isVisible(), `row ${i + 1} is there`);
same(
  (await plain.locator("#conversation > .m:not(.own) > .n").allTextContents()).length,
  JSON.parse(chats[0]).history.length,
  "without scripting the newest chat is there",
);
check(await plain.locator(".nojs").isVisible(), "and it says what needs scripting");
same(plain.misdeeds, [], "without scripting nothing happens");

// ---- hostile texts ----
const hostile = attacks.slice(0, 200);
for (let i = 0; i + 1 < hostile.length; i += 25) {
  const some = hostile.slice(i, i + 25);
  const attacked = (words) => chat({ history: words.map((one) => text(one, one, one)) });
  const made = makePage(attacked(some), { title: some[0].replaceAll("\0", "") || "x", report: some[1].replaceAll("\0", "") || "x", older: [attacked(some.slice(5))] });
  await tab.load(made.page);
  same(await tab.evaluate(strangers, allowed), [], "hostile: nothing but the page's own elements");
  await tab.click("#s1 .row > a");
  await hasOpened(1);
  same(
    await tab.evaluate(() => [...document.querySelectorAll("#conversation article.m .author")].map(window.testShown)),
    some.slice(5).map((one) => one || "(no role)"),
    "hostile: the texts are there",
  );
  same(await tab.evaluate(strangers, allowed), [], "hostile: nothing else in another checkpoint");
  same(tab.misdeeds, [], "hostile: nothing happens");
}
same(alone.misdeeds, [], "nothing happens");
await finish(browser);
