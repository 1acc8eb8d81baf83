// SPDX-License-Identifier: Apache-2.0
// A long chat in a page: going from message to message looks at what is near, a browser passes over groups of messages
// that are not on the screen, and printing takes a bounded part. Work is counted, not timed.
import { check, finish, launch, makePage, same, settle, watchedTab } from "./browser.mjs";
import { chat } from "./chats.mjs";

const text = (words) => ({ role: "user", name: "Ana", items: [{ type: "text", text: words }] });
const messages = (count) => Array.from({ length: count }, (_, i) => text(`words of ${i % 3 ? "kelp" : "amber"} ${i}`));
const inside = (count) => ({ history: messages(count), participants: [], channels: [] });
const source = (count) =>
  chat({
    history: messages(count),
    channels: [
      { channelkey: "a", statekind: "messages", synced: count, channelstate: [text("its own"), [10, count - 10]] },
      { channelkey: "b", statekind: "chat", channelstate: inside(300) },
    ],
  });

const browser = await launch();
const tab = await watchedTab(browser);

/** Runs an action in the page; how often elements were asked for what they are, and how many were found. */
const work = (action) =>
  tab.evaluate((code) => {
    const counts = { asked: 0, found: 0 };
    const wrapped = [];
    const wrap = (prototype, name, count) => {
      const original = prototype[name];
      wrapped.push(() => (prototype[name] = original));
      prototype[name] = function (...given) {
        const result = original.apply(this, given);
        count(result);
        return result;
      };
    };
    for (const name of ["matches", "closest"]) wrap(Element.prototype, name, () => counts.asked++);
    for (const prototype of [Document.prototype, Element.prototype])
      wrap(prototype, "querySelectorAll", (list) => (counts.found += list.length));
    new Function(code)();
    for (const undo of wrapped) undo();
    return counts;
  }, action);
const press = (key) =>
  work(`document.body.dispatchEvent(new KeyboardEvent("keydown", { key: ${JSON.stringify(key)}, bubbles: true }))`);
const at = () => tab.evaluate(() => document.querySelector(".at")?.id);

const costs = [];
for (const count of [200, 3000]) {
  await tab.load(makePage(source(count)).page);

  // from message to message
  const most = { asked: 0, found: 0 };
  const go = async (key, expected) => {
    const { asked, found } = await press(key);
    most.asked = Math.max(most.asked, asked);
    most.found = Math.max(most.found, found);
    same(await at(), expected, `${count} messages: ${key} leads to ${expected}`);
  };
  await go("k", `m${count - 1}`); // the chat inside is folded
  await go("k", `m${count - 2}`);
  await go("j", `m${count - 1}`);
  await go("j", `m${count - 1}`);
  await tab.evaluate(() => (location.hash = "#m99"));
  await settle(tab);
  await go("j", "m100");
  await go("k", "m99");
  await go("k", "m98");
  await tab.evaluate(() => (document.querySelector("#conversation details.chat").open = true));
  await tab.evaluate((id) => (location.hash = `#${id}`), `m${count - 1}`);
  await settle(tab);
  await go("j", "c1-m0");
  await go("j", "c1-m1");
  await tab.evaluate(() => (document.querySelector("#conversation details.chat").open = false));
  await go("j", "c1-m1"); // nothing is shown after it
  await go("k", `m${count - 1}`);
  costs.push(most);

  // what a browser lays out
  const groups = await tab.evaluate(() => {
    const list = [...document.querySelectorAll("#conversation > .g")];
    return {
      sizes: list.map((group) => group.querySelectorAll(":scope > .m:not(.own)").length),
      isPassedOver: list.every((group) => getComputedStyle(group).contentVisibility === "auto"),
      others: document.querySelectorAll("#conversation > article.m").length,
      inside: document.querySelectorAll("#conversation .nested > .g").length,
    };
  });
  same(groups.sizes, Array(count / 100).fill(100), `${count} messages stand in groups`);
  check(groups.isPassedOver && groups.others === 0, "which a browser may pass over", groups);
  same(groups.inside, 3, "in chats inside, too");

  // how a channel stands to them
  await tab.selectOption("#view", "0");
  same(await tab.locator("#conversation > .g > .unseen").count(), 10, "a channel's view reaches into groups");
  same(await tab.locator("#conversation > .g > .own:visible").count(), 1, "what only it holds stands there");
  await tab.selectOption("#view", "");
  same(await tab.locator(".unseen").count(), 0, "and the view is left");

  // printing
  const printed = () =>
    tab.$$eval("#conversation article.m", (list) =>
      list.filter((message) => message.getClientRects().length > 0).map((message) => message.id),
    );
  const begin = () => tab.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await tab.emulateMedia({ media: "print" });
  await tab.evaluate(() => (location.hash = "#m150"));
  await settle(tab);
  await begin();
  const list = await printed();
  if (count === 200) {
    same(await tab.locator("#printed, .unprinted").count(), 0, "a short chat is printed as a whole");
  } else {
    check(list.length >= 1990 && list.length <= 2000, "a bounded part is printed", list.length);
    check(list.includes("m150") && list.includes("m1000") && !list.includes("m149"), "from the selected message on");
    check((await tab.textContent("#printed")).includes("2000 of"), "which is said");
    await tab.evaluate(() => dispatchEvent(new Event("afterprint")));
    same(await tab.locator("#printed, .unprinted").count(), 0, "and nothing of it stays");
    await tab.emulateMedia({ media: "screen" });
    await tab.fill("#search", "amber");
    await settle(tab);
    await tab.emulateMedia({ media: "print" });
    await begin();
    same(await tab.locator("#printed").count(), 0, "what filters leave is printed as a whole");
    same((await printed()).length, count / 3 + 100, "and nothing else");
  }
  await tab.evaluate(() => dispatchEvent(new Event("afterprint")));
  await tab.emulateMedia({ media: "screen" });
}
check(costs[1].asked <= costs[0].asked + 10 && costs[1].asked < 400, "a step costs the same in a long chat", costs);
check(costs[1].found <= costs[0].found && costs[1].found < 10, "and asks for no lists", costs);
same(tab.misdeeds, [], "nothing else happens");
await finish(browser);
