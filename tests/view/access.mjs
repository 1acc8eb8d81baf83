// SPDX-License-Identifier: Apache-2.0
// Everybody can read a page: no violation that axe-core knows of, light, dark and narrow, folded and not, and through a
// channel's eyes; without scripting; printed; in a language that is written from right to left.
import { readFileSync } from "node:fs";
import { allowed, strangers } from "./allowed.mjs";
import { axeSource, check, finish, launch, makePage, same, watchedTab } from "./browser.mjs";
import { chat, texts } from "./chats.mjs";

const here = new URL(".", import.meta.url);
const example = readFileSync(new URL("example.json", here), "utf8");
const items = readFileSync(new URL("../data/golden/format-1/items.json", here), "utf8");
const authors = chat({ history: Array.from({ length: 14 }, (_, i) => ({ role: "user", name: `author ${i}`, items: [{ type: "text", text: "*a* `b`\n\n> c [d](e)\n\n```x\nf\n```\u202E" }] })) });
const browser = await launch();
const axe = axeSource();

const inspect = async (tab, what) => {
  await tab.evaluate(axe);
  // All of the page, also what is not painted yet.
  const found = await tab.evaluate(async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
    .map((violation) => `${violation.id}: ${violation.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 120)} ${node.any[0]?.message ?? ""}`).join(" | ")}`));
  same(found, [], `${what}: no violation`);
};

for (const [name, source] of [["example", example], ["every kind of item", items], ["twelve colours", authors]]) {
  const { page } = makePage(source, { title: "A chat", told: "/history/1" });
  for (const [look, options] of Object.entries({
    light: { colorScheme: "light" }, dark: { colorScheme: "dark" }, narrow: { colorScheme: "light", viewport: { width: 360, height: 700 } },
  })) {
    const tab = await watchedTab(browser, { ...options, bypassCSP: true }); // axe is no script of the page
    await tab.load(page);
    const width = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    same(width, 0, `${name}, ${look}: nothing stands out to the side`);
    await inspect(tab, `${name}, ${look}`);
    await tab.evaluate(() => document.querySelectorAll("details").forEach((part) => (part.open = true)));
    await inspect(tab, `${name}, ${look}, unfolded`);
    for (const view of name === "example" ? ["0", "1"] : []) {
      await tab.selectOption("#view", view);
      await inspect(tab, `${name}, ${look}, seen by ${view}`);
    }
    await tab.context().close();
  }
}

// ---- two chats compared ----
const after = JSON.parse(example);
after.history.splice(1, 2);
after.history[0].items[0].text = after.history[0].items[0].text.replace("yesterday", "today, or so I thought");
after.history.push({ role: "user", name: "Nadia", items: [{ type: "text", text: "Thank you!" }] });
after.participants.pop();
const compared = makePage(example, { after: JSON.stringify({ ...after, channels: [] }), title: "Before and after" });
for (const [look, options] of Object.entries({ light: { colorScheme: "light" }, dark: { colorScheme: "dark" }, narrow: { viewport: { width: 360, height: 700 } } })) {
  const tab = await watchedTab(browser, { ...options, bypassCSP: true });
  await tab.load(compared.page);
  await tab.evaluate(() => document.querySelectorAll("details").forEach((part) => (part.open = true)));
  same(await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, `compared, ${look}: nothing stands out to the side`);
  await inspect(tab, `compared, ${look}`);
  if (process.argv[2]) await tab.screenshot({ path: `${process.argv[2]}-${look}.png`, fullPage: true });
  await tab.context().close();
}

// ---- without scripting ----
const { page, chat: shown } = makePage(example, { title: "A chat" });
const plain = await watchedTab(browser, { javaScriptEnabled: false });
await plain.load(page);
for (const id of ["#search", "#author", "#kind", "#view", "#seen"]) check(await plain.locator(id).isHidden(), `without scripting ${id} is hidden`);
for (const button of await plain.locator("button").all()) check(await button.isHidden(), "without scripting buttons are hidden");
for (const [i, message] of shown.history.entries()) {
  check(await plain.locator(`#m${i}`).isVisible(), `without scripting message ${i} is there`);
  for (const text of texts(message))
    check((await plain.locator(`#m${i} .plain, #m${i} pre.raw`).allTextContents()).includes(text), `without scripting the text of message ${i} is there`);
}
const fold = plain.locator("details.call").first();
check(!(await fold.locator("pre").first().isVisible()), "calls are folded");
await fold.locator("summary").click();
check(await fold.locator("pre").first().isVisible(), "and unfold without scripting");
await plain.locator("#raw").check();
check(await plain.locator("pre.raw").first().isVisible(), "the text as it stands is there without scripting");
check(await plain.locator(".standings").first().isVisible(), "what channels were given is told without scripting");
same(plain.misdeeds, [], "without scripting nothing happens");

// ---- printed ----
const tab = await watchedTab(browser);
await tab.load(page);
await tab.emulateMedia({ media: "print" });
for (const id of ["#tools", ".skip", "button.copy", "button.look"]) check(await tab.locator(id).first().isHidden(), `${id} is not printed`);
for (const [i] of shown.history.entries()) check(await tab.locator(`#m${i}`).isVisible(), `message ${i} is printed`);
check((await tab.pdf({ format: "A4" })).subarray(0, 4).toString() === "%PDF", "it can be printed");
await tab.emulateMedia({ media: "screen" });

// ---- right to left ----
const arabic = shown.history.findIndex((message) => texts(message).some((text) => /^[\u0600-\u06FF]/.test(text)));
const edge = (selector) => tab.evaluate((which) => {
  const element = document.querySelector(which);
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = new Range();
  range.selectNodeContents(walk.nextNode());
  const [text, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
  return Math.abs(box.right - text.right) < Math.abs(text.left - box.left) ? "right" : "left";
}, selector);
same(await edge(`#m${arabic} :is(.plain, .md p)`), "right", "Arabic begins at the right");
same(await edge("#m1 :is(.plain, .md p)"), "left", "English begins at the left");
const mixed = makePage(chat({ history: [{ role: "user", name: "\u05D3\u05E0\u05D4", items: [{ type: "text", text: "hello\n\u05E9\u05DC\u05D5\u05DD \u05E2\u05D5\u05DC\u05DD, 7:40" }] }] }));
await tab.load(mixed.page);
same(await tab.evaluate(strangers, allowed), [], "nothing but the page's own elements");
same(tab.misdeeds, [], "nothing happens");
await finish(browser);
