// SPDX-License-Identifier: Apache-2.0
// A page of hostile texts stays a page of texts: no request, no dialog, no message, no error, no element or attribute
// but the page's own; and every text is found in it as it is. With the argument `alone` each attack has pages of its
// own, with `compared` all of them are compared, too.
import { allowed, strangers } from "./allowed.mjs";
import { attacks, markdowns } from "./attacks.mjs";
import { check, finish, launch, makePage, same, watchedTab } from "./browser.mjs";
import { chat, texts } from "./chats.mjs";
import { attackedChat, markdownChat, mediaChat } from "./hostile.mjs";

const named = (attack) => JSON.stringify(attack.length > 60 ? `${attack.slice(0, 60)}…` : attack);

/** The strings of a chat that its page shows: all but data and words of the format. */
const stringsOf = (value, found = new Set()) => {
  if (typeof value === "string") found.add(value);
  else if (Array.isArray(value)) value.forEach((element) => stringsOf(element, found));
  else if (value !== null && typeof value === "object")
    for (const [name, member] of Object.entries(value)) {
      if (["data", "base64", "from", "statekind"].includes(name)) continue;
      if (name === "type" && /^[a-z]+$/.test(member)) continue;
      if (name === "channelstate" && value.statekind === "bytes") continue;
      stringsOf(member, found);
    }
  return found;
};

/** Runs in the page: which of the strings it does not show: as all of an element's text, in a JSON value, or beside
    something else in a line. */
const unshown = (strings) => {
  const all = new Set();
  const add = (value) => {
    if (typeof value === "string") all.add(value);
    else if (value !== null && typeof value === "object")
      Object.entries(value).forEach(([name, member]) => (all.add(name), add(member)));
  };
  for (const element of document.querySelectorAll("h1, bdi, code, dd, p, pre, b, span, summary, td, .plain"))
    all.add(window.testShown(element));
  for (const json of document.querySelectorAll("pre.json")) add(JSON.parse(window.testShown(json)));
  const lines = [...document.querySelectorAll(".function, .name, summary, td")].map(window.testShown).join("\uE000");
  return strings
    .filter((string) => !all.has(string) && !lines.includes(string))
    .map((string) => string.slice(0, 100));
};

/** Runs in the page: everything that a reader can do with it. */
const useAll = async (words) => {
  const set = (id, value) => {
    const control = document.getElementById(id);
    if (!control) return;
    control.value = value;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  };
  document.querySelectorAll("details").forEach((part) => (part.open = true));
  document.getElementById("raw").click();
  for (const id of ["author", "kind", "view"])
    for (const option of document.getElementById(id)?.options ?? []) set(id, option.value);
  set("search", words);
  await new Promise((resolve) => setTimeout(resolve, 150));
  for (const button of document.querySelectorAll("button")) button.click();
  for (const link of [...document.querySelectorAll("a")].slice(0, 20)) link.click();
  for (const id of ["author", "kind", "view", "search"]) set(id, "");
  for (const key of ["j", "Enter", "j", "k"])
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
};

const browser = await launch();
const tab = await watchedTab(browser);

const look = async (source, what, options, isUsed = false) => {
  const { page, chat: shown } = makePage(source, options);
  await tab.load(page);
  same(await tab.evaluate(strangers, allowed), [], `${what}: nothing but the page's own elements`);
  same(await tab.evaluate(unshown, [...stringsOf(shown)]), [], `${what}: every text is shown`);
  const expected = shown.history.map(texts);
  same(
    await tab.$$eval(":is(#conversation, #conversation > .g) > article.m:not(.own)", (list) => list.map(window.testTexts)),
    expected,
    `${what}: the messages' texts are as they are`,
  );
  if (isUsed) {
    await tab.evaluate(useAll, options?.title ?? "alert");
    same(await tab.evaluate(strangers, allowed), [], `${what}: nor after its use`);
  }
  check(await tab.evaluate(() => document.documentElement.classList.contains("js")), `${what}: the page's script ran`);
  same(tab.misdeeds, [], `${what}: nothing happens`);
};

/** Two chats compared: one with nothing, then with itself after each of its texts has changed. */
const compare = async (all, what) => {
  // Lists of messages outside the history are JSON text like all else there.
  const { channels, ...rest } = JSON.parse(all);
  const before = { ...rest, channels: channels.filter((channel) => channel.statekind === "text") };
  const source = JSON.stringify(before);
  const changed = {
    ...before,
    history: before.history.map((message) => ({
      ...message,
      items: message.items.map((item) => (item?.type === "text" ? { ...item, text: `${item.text} and more` } : item)),
    })),
    participants: [],
    turn: 1,
  };
  for (const [after, how] of [
    [chat({}), "with nothing"],
    [JSON.stringify(changed), "changed"],
  ]) {
    const { page } = makePage(source, { after, title: "compared" });
    await tab.load(page);
    same(await tab.evaluate(strangers, allowed), [], `${what}, compared ${how}: nothing but the page's own elements`);
    await tab.evaluate(() => document.querySelectorAll("details").forEach((part) => (part.open = true)));
    same(tab.misdeeds, [], `${what}, compared ${how}: nothing happens`);
    const shown = (
      await tab.evaluate(() =>
        [...document.querySelectorAll(".plain, pre.raw, pre.compared")].map((part) => {
          const copy = part.cloneNode(true);
          copy.querySelectorAll("ins").forEach((ins) => ins.remove());
          return window.testShown(copy);
        }),
      )
    ).join("\uE000");
    same(
      before.history.flatMap(texts).filter((text) => !shown.includes(text)),
      [],
      `${what}, compared ${how}: every text is shown`,
    );
  }
};

const size = process.argv.includes("alone") ? 1 : 8;
const isCompared = process.argv.includes("compared");
for (let from = 0; from < attacks.length; from += size) {
  const some = attacks.slice(from, from + size);
  const title = some
    .join("")
    .replaceAll("\0", "")
    .replaceAll(/[\uD800-\uDFFF]/gu, "");
  await look(attackedChat(some), named(some.join(" ")), { title, report: title }, true);
  check((await tab.title()) !== "", "there is a title");
  await look(markdownChat(some), `${named(some.join(" "))} in Markdown`);
  if (isCompared || from === 0) await compare(attackedChat(some), named(some.join(" ")));
}
await look(
  chat({ history: [...markdowns, ...attacks].map((text) => ({ role: "user", items: [{ type: "text", text }] })) }),
  "Markdown",
  undefined,
  true,
);
await look(mediaChat(), "media", undefined, true);
await look(mediaChat(), "no media", { noMedia: true });
same(await tab.locator("img, audio").count(), 0, "without media there are none");
await finish(browser);
