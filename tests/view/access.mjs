// SPDX-License-Identifier: Apache-2.0
// Everybody can read a page: no violation that axe-core knows of, light, dark and narrow, folded and not, and as a
// channel has it; without scripting; printed; in a language that is written from right to left.
import { readFileSync } from "node:fs";
import { allowed, strangers } from "./allowed.mjs";
import { axeSource, check, finish, launch, makePage, same, watchedTab } from "./browser.mjs";
import { chat, texts } from "./chats.mjs";

const example = readFileSync(new URL("example.json", import.meta.url), "utf8");
const items = readFileSync(new URL("../data/golden/format-1/items.json", import.meta.url), "utf8");
const everyMark = "*a* `b`\n\n> c [d](e)\n\n```x\nf\n```\u202E";
const authors = chat({
  history: Array.from({ length: 14 }, (_, i) => ({
    role: "user",
    name: `author ${i}`,
    items: [{ type: "text", text: everyMark }],
  })),
});
const looks = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  narrow: { colorScheme: "light", viewport: { width: 360, height: 700 } },
};
const browser = await launch();
const axe = axeSource();

/** Runs in the page. */
const unfoldAll = () => document.querySelectorAll("details").forEach((part) => (part.open = true));
const violations = async () => {
  const found = (await axe.run(document, { resultTypes: ["violations"] })).violations;
  const shown = (node) => `${node.html.slice(0, 120)} ${node.any[0]?.message ?? ""}`;
  return found.map((violation) => `${violation.id}: ${violation.nodes.slice(0, 3).map(shown).join(" | ")}`);
};
const inspect = async (tab, what) => {
  same(await tab.evaluate(violations), [], `${what}: no violation`);
  const width = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  same(width, 0, `${what}: nothing stands out to the side`);
};
const inspectPage = async (page, name, views) => {
  for (const [look, options] of Object.entries(looks)) {
    const tab = await watchedTab(browser, { ...options, bypassCSP: true }); // axe is no script of the page
    await tab.load(page);
    await tab.evaluate(axe);
    await inspect(tab, `${name}, ${look}`);
    await tab.evaluate(unfoldAll);
    await inspect(tab, `${name}, ${look}, unfolded`);
    for (const view of views) {
      await tab.selectOption("#view", view);
      await inspect(tab, `${name}, ${look}, seen by ${view}`);
    }
    await tab.context().close();
  }
};

await inspectPage(makePage(example, { title: "A chat", report: "/history/1" }).page, "example", ["0", "1"]);
await inspectPage(makePage(items, { title: "A chat" }).page, "every kind of item", []);
await inspectPage(makePage(authors, { title: "A chat" }).page, "twelve colours", []);

const after = JSON.parse(example);
after.history.splice(1, 2);
after.history[0].items[0].text = after.history[0].items[0].text.replace("yesterday", "today, or so I thought");
after.history.push({ role: "user", name: "Nadia", items: [{ type: "text", text: "Thank you!" }] });
after.participants.pop();
after.channels = [];
const compared = makePage(example, { after: JSON.stringify(after), title: "Before and after" });
await inspectPage(compared.page, "compared", []);

const thread = makePage(example, { title: "A thread", older: [JSON.stringify(after), example, chat({}), authors] });
await inspectPage(thread.page, "a thread", ["0", "1"]);
{
  const tab = await watchedTab(browser, { bypassCSP: true });
  await tab.load(thread.page, "#s4");
  await tab.evaluate(axe);
  await inspect(tab, "another checkpoint");
  await tab.emulateMedia({ media: "print" });
  check(await tab.locator("#s5 .row").isVisible(), "the tree is printed");
  check(await tab.locator("#conversation article.m").first().isVisible(), "and the chat");
  await tab.context().close();
}

// ---- without scripting ----
const { page, chat: shown } = makePage(example, { title: "A chat" });
const plain = await watchedTab(browser, { javaScriptEnabled: false });
await plain.load(page);
/** One that is there and not to be seen: what is not there at all is hidden for Playwright, too. */
const isThereUnseen = async (tab, what) => {
  const all = await tab.locator(what).all();
  const seen = await Promise.all(all.map((one) => one.isVisible()));
  return all.length > 0 && !seen.includes(true);
};
for (const what of ["#search", "#author", "#kind", "#view", "#seen", "#hits", "button.copy", "button.look"])
  check(await isThereUnseen(plain, what), `without scripting ${what} is hidden`);
for (const [i, message] of shown.history.entries()) {
  check(await plain.locator(`#m${i}`).isVisible(), `without scripting message ${i} is there`);
  const said = await plain.locator(`#m${i} .plain, #m${i} pre.raw`).allTextContents();
  for (const text of texts(message)) check(said.includes(text), `without scripting the text of message ${i} is there`);
}
const fold = plain.locator("details.call").first();
check(!(await fold.locator("pre").first().isVisible()), "calls are folded");
await fold.locator("summary").click();
check(await fold.locator("pre").first().isVisible(), "and unfold without scripting");
await plain.locator("#raw").check();
check(await plain.locator("pre.raw").first().isVisible(), "the text as it stands is there without scripting");
check(await plain.locator(".standings").first().isVisible(), "what channels were given is shown without scripting");
same(plain.misdeeds, [], "without scripting nothing happens");

// ---- printed ----
const tab = await watchedTab(browser);
await tab.load(page);
await tab.emulateMedia({ media: "print" });
for (const what of ["#tools", ".skip", "button.copy", "button.look"])
  check(await isThereUnseen(tab, what), `${what} is not printed`);
for (const [i] of shown.history.entries()) check(await tab.locator(`#m${i}`).isVisible(), `message ${i} is printed`);
check((await tab.pdf({ format: "A4" })).subarray(0, 4).toString() === "%PDF", "it can be printed");
await tab.emulateMedia({ media: "screen" });

// ---- right to left ----
/** Where the lines of an element begin: that edge to which a line is nearer. */
const edges = (selector) =>
  tab.evaluate((which) => {
    const element = document.querySelector(which);
    const [outer, style, range] = [element.getBoundingClientRect(), getComputedStyle(element), new Range()];
    range.selectNodeContents(element);
    const lines = new Map();
    for (const box of range.getClientRects()) {
      const line = lines.get(Math.round(box.top)) ?? { left: Infinity, right: -Infinity };
      lines.set(Math.round(box.top), { left: Math.min(line.left, box.left), right: Math.max(line.right, box.right) });
    }
    const left = outer.left + parseFloat(style.paddingLeft);
    const right = outer.right - parseFloat(style.paddingRight);
    return [...lines.values()].map((line) => (right - line.right < line.left - left ? "right" : "left"));
  }, selector);
const arabic = shown.history.findIndex((message) => texts(message).some((text) => /^[\u0600-\u06FF]/.test(text)));
same(await edges(`#m${arabic} :is(.plain, .md p)`), ["right"], "Arabic begins at the right");
same(await edges("#m1 :is(.plain, .md p)"), ["left"], "English begins at the left");
const mixed = "hello\n\u05E9\u05DC\u05D5\u05DD \u05E2\u05D5\u05DC\u05DD, 7:40\nhello again";
const lines = [mixed, `\`\`\`\n${mixed}\n\`\`\``, `*${mixed}*`];
await tab.load(
  makePage(
    chat({
      history: lines.map((text) => ({ role: "user", name: "\u05D3\u05E0\u05D4", items: [{ type: "text", text }] })),
    }),
  ).page,
);
for (const [where, what] of [
  ["#m0 .plain", "a text"],
  ["#m1 pre.code", "code"],
  ["#m2 .md p", "Markdown"],
])
  same(await edges(where), ["left", "right", "left"], `each line of ${what} begins where its language does`);
await tab.check("#raw");
same(await edges("#m2 pre.raw"), ["left", "right", "left"], "and of the text as it stands");
same(await tab.evaluate(strangers, allowed), [], "nothing but the page's own elements");
same(tab.misdeeds, [], "nothing happens");
await finish(browser);
