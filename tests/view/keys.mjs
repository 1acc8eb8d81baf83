// SPDX-License-Identifier: Apache-2.0
// How a reader gets about in a page: keys, links to messages, buttons; in the chats inside channels, and in a
// comparison.
import { allowed, strangers } from "./allowed.mjs";
import { check, finish, launch, makePage, same, settle, watchedTab } from "./browser.mjs";
import { chat } from "./chats.mjs";

const text = (words) => ({ role: "user", name: "Ana", items: [{ type: "text", text: words }] });
const call = (i) => ({
  role: "assistant",
  name: "Bo",
  items: [
    { type: "text", text: `*number${i}*` },
    { type: "call", id: `call-${i}`, function: "look_up", arguments: { what: "amber" } },
    { type: "reasoning", text: "why not" },
    { type: "file", file: `amber-${i}.txt` },
  ],
});
const messages = (count) =>
  Array.from({ length: count }, (_, i) => (i % 4 === 2 ? call(i) : text(`words of ${i % 2 ? "kelp" : "amber"} ${i}`)));
const own = (words) => ({ role: "system", items: [{ type: "text", text: words }] });

const browser = await launch();
const tab = await watchedTab(browser, { permissions: ["clipboard-read", "clipboard-write"] });
const press = async (...keys) => {
  for (const key of keys) await tab.keyboard.press(key);
};
const search = async (words) => {
  await tab.fill("#search", words);
  await settle(tab);
};
const follow = async (id) => {
  await tab.evaluate((name) => (location.hash = `#${name}`), id);
  await settle(tab);
};
/** Follows a link as in a browser that unfolds nothing by itself. */
const followPlainly = async (id) => {
  await tab.evaluate((name) => {
    history.pushState(null, "", `#${name}`);
    dispatchEvent(new HashChangeEvent("hashchange"));
  }, id);
  await settle(tab);
};
const leave = () => tab.evaluate(() => document.activeElement.blur());
/** Where the keys are: the marked message and the focused element. */
const at = () =>
  tab.evaluate(() => [
    [...document.querySelectorAll(".at")].map((part) => part.id).join(" "),
    document.activeElement.id,
  ]);
/** Whether the beginning of a message is on the screen with nothing before it. */
const isSeen = (id) =>
  tab.evaluate((name) => {
    const message = document.getElementById(name);
    const box = message.getBoundingClientRect();
    return message.contains(document.elementFromPoint(box.left + 10, Math.max(box.top, 0) + 10));
  }, id);
const opened = (id) => tab.locator(`#${id} details[open]`).count();

// ---- links ----
const page = makePage(
  chat({
    history: messages(300),
    channels: [
      {
        channelkey: "k",
        channeltype: "Some.HistoryChannel",
        statekind: "messages",
        synced: 300,
        channelstate: [own("a greeting"), [0, 300]],
      },
      { channelkey: "early", statekind: "text", synced: 120 },
    ],
  }),
).page;
await tab.load(page, "#m151");
await settle(tab);
check(await isSeen("m151"), "a link scrolls to its message");
same((await at())[0], "m151", "and marks it");
check(
  (await tab.evaluate(() => getComputedStyle(document.getElementById("m151")).outlineStyle)) === "solid",
  "visibly",
);
await tab.click("#m152 > .n");
check(tab.url().endsWith("#m152"), "a message's number is its link");
same((await at())[0], "m152", "and marks it alone");
await search("nothing has this");
await follow("m3");
check(await isSeen("m3"), "a link to a message that the filters hide shows it");
await tab.selectOption("#view", "1");
await follow("c0-m0");
check(await isSeen("c0-m0"), "a link to a message of one channel leaves another's view");

// ---- keys ----
await tab.load(page);
await press("/");
same(await tab.evaluate(() => document.activeElement.id), "search", "/ goes to the search");
same(await tab.inputValue("#search"), "", "and is not typed");
await tab.keyboard.type("j");
same(await tab.locator(".m.at").count(), 0, "what is typed is no command");
await press("Escape");
same(
  [await tab.inputValue("#search"), await tab.evaluate(() => document.activeElement.localName)],
  ["", "body"],
  "Escape empties the search and leaves it",
);
for (const [key, id] of [
  ["j", "c0-m0"],
  ["j", "m0"],
  ["j", "m1"],
  ["k", "m0"],
  ["k", "c0-m0"],
  ["k", "c0-m0"],
]) {
  await press(key);
  same(await at(), [id, id], `${key} goes to ${id}`);
  check(await isSeen(id), `${id} is on the screen`);
}
await follow("m10");
await leave();
await press("Enter");
same(await opened("m10"), 2, "Enter unfolds");
await press("Enter");
same(await opened("m10"), 0, "and folds");
await tab.click("#m14 summary >> nth=0");
same(await opened("m14"), 1, "a click unfolds");
await press("j");
same((await at())[0], "m15", "and the keys go on from there");
await tab.click("#m18 .plain, #m18 .md");
await press("Enter");
same(await opened("m18"), 2, "a click into a message brings the keys to it");
await tab.focus("#m18 summary >> nth=0");
await press("Enter");
same(await opened("m18"), 1, "Enter on a line that folds is the browser's");
await tab.check("#raw");
await press("j");
same((await at())[0], "m19", "a tick takes no letters");
await tab.uncheck("#raw");

// ---- from hit to hit ----
await tab.load(page);
await press("/");
await tab.keyboard.type("kelp");
for (const id of ["m1", "m3", "m5"]) {
  await press("Enter");
  same(await at(), [id, "search"], "Enter in the search goes from hit to hit");
}
await press("Shift+Enter");
same(await at(), ["m3", "search"], "and back");
await tab.evaluate(() =>
  document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { key: "Enter", bubbles: true, isComposing: true }),
  ),
);
same((await at())[0], "m3", "Enter that ends the composing of a letter goes nowhere");
await search("amber-10.txt");
await press("Enter");
same((await at())[0], "m10", "the next hit of other words");
await search("why not");
await press("Enter");
same(
  [(await at())[0], await tab.locator("#m14 .reasoning").getAttribute("open")],
  ["m14", ""],
  "a hit that is folded is unfolded",
);
await press("Escape");
await settle(tab);
check(await isSeen("m14"), "where it was found is on the screen when the search is left");
await search("kelp");
await leave();
await press("j");
same((await at())[0], "m15", "j goes on from a message that the filters hide");
await press("Escape");
same(await tab.inputValue("#search"), "", "Escape empties the filters");
await tab.selectOption("#view", "0");
await leave();
await press("Escape");
same(await tab.inputValue("#view"), "", "and before them a channel's view");

// ---- the text as it stands ----
check(
  !(await tab.locator("pre.raw").first().isVisible()) && (await tab.locator(".md").first().isVisible()),
  "Markdown is laid out",
);
await tab.check("#raw");
check(
  (await tab.locator("pre.raw").first().isVisible()) && !(await tab.locator(".md").first().isVisible()),
  "or stands as it is",
);
await tab.uncheck("#raw");

// ---- copying ----
const copied = tab.locator("#conversation button.copy").first();
await copied.click();
same(await tab.evaluate(() => navigator.clipboard.readText()), "amber-2.txt", "a button copies its text");
same(await copied.textContent(), "Copied", "and says so");

// ---- a chat inside a channel ----
const inner = {
  participants: [],
  history: [text("inside one"), call(1), text("inside two")],
  channels: [{ channelkey: "i", statekind: "messages", synced: 3, channelstate: [own("only inside"), [0, 1]] }],
};
const nested = makePage(
  chat({
    history: messages(20),
    channels: [
      { channelkey: "k", statekind: "chat", synced: 20, channelstate: inner },
      { channelkey: "l", statekind: "messages", synced: 20, channelstate: [own("only outside"), [10, 10]] },
    ],
  }),
).page;
await tab.load(nested, "#m19");
await leave();
await press("j");
same((await at())[0], "m19", "the keys pass a folded chat by");
await search("inside two");
same(await tab.textContent("#hits"), "1 message", "what is folded is found");
await press("Enter");
check((await at())[0] === "c0-m2" && (await isSeen("c0-m2")), "and unfolded when it is gone to");
await press("Escape");
await leave();
await press("k");
same((await at())[0], "c0-m1", "the keys go through an open chat");
await press("Enter");
check((await opened("c0-m1")) > 0, "and fold its messages");
const isShown = (words) => tab.locator(".own", { hasText: words }).isVisible();
for (const [view, outside] of [
  ["0", false],
  ["1", true],
]) {
  await tab.selectOption("#view", view);
  same(
    [await isShown("only outside"), await isShown("only inside")],
    [outside, true],
    `seen by ${view}: what one channel holds alone; the chat inside has channels of its own`,
  );
}
for (const go of [follow, followPlainly]) {
  await tab.load(nested);
  await go("c0-m1");
  check(await isSeen("c0-m1"), "a link leads into a folded chat");
}
await tab.selectOption("#view", "");
const whyOf = (one) => one.querySelector(":scope > .why")?.textContent ?? "";
const whys = async (part) => {
  const all = await tab.locator(`${part} > article.m:not(.own)`).all();
  return Promise.all(all.map((one) => one.evaluate(whyOf)));
};
const look = tab.locator(".chat button.look");
const [inside, outside] = ["#conversation .chat > .nested", "#conversation"];
const missing = () => tab.getAttribute("#c0-m1", "data-missing");
same(await missing(), "channel 0", "messages inside say which channels inside do not have them");
await look.click();
const left = "was given and does not hold it";
same(await whys(inside), ["", left, left], "a channel of the chat inside is looked through");
same([...new Set(await whys(outside))], [""], "and the chat around it is left alone");
same([await look.getAttribute("aria-pressed"), await tab.inputValue("#view")], ["true", ""], "the button says so");
await tab.selectOption("#view", "1");
same((await whys(outside)).filter(Boolean).length, 10, "both can be looked through");
same((await whys(inside)).filter(Boolean).length, 2, "each by itself");
same(await tab.evaluate(strangers, allowed), [], "nothing but the page's own elements");
await leave();
await press("Escape");
same([...(await whys(inside)), ...(await whys(outside))].filter(Boolean), [], "Escape shows all of both");
same([await look.getAttribute("aria-pressed"), await tab.inputValue("#view")], ["false", ""], "and says so");
await look.click();
await look.click();
same((await whys(inside)).filter(Boolean), [], "pressed again, a button shows the whole chat");
same(tab.misdeeds, [], "nothing else happens");

// ---- two chats compared ----
const before = messages(40);
const after = structuredClone(before);
after[3].items[0].text += " changed";
after.splice(20, 1);
after.push(text("new"));
const changed = makePage(chat({ history: before }), { after: chat({ history: after }) }).page;
await tab.load(changed);
for (const [key, id] of [
  ["j", "l3"],
  ["j", "l20"],
  ["j", "r39"],
  ["j", "r39"],
  ["k", "l20"],
]) {
  await press(key);
  check((await at())[1] === id && (await isSeen(id)), `${key} goes to the difference of ${id}`, await at());
}
await tab.click("details.same > summary >> nth=0");
await press("j");
same((await at())[1], "r39", "after a click, too");
await tab.click("#l3 .compared");
await press("j");
same((await at())[1], "l20", "a click into a difference brings the keys to it");
for (const go of [follow, followPlainly]) {
  await tab.load(changed);
  await go("r30");
  check(await isSeen("r30"), "a link leads into what is equal and folded");
}
same(tab.misdeeds, [], "nothing else happens in a comparison");
for (const [history, isOpen, what] of [
  [after, false, "is folded"],
  [before, true, "stands open when it is all that differs"],
]) {
  await tab.load(
    makePage(chat({ history: before }), { after: chat({ history, participants: [{ name: "Ana" }] }) }).page,
  );
  same(await tab.locator(".others").isVisible(), isOpen, `what differs outside the history ${what}`);
}
await finish(browser);
