// SPDX-License-Identifier: Apache-2.0
"use strict";
// The page of a thread: shows the chat of another checkpoint instead of the one that is shown. It moves what
// stands in the document and its templates; it makes no markup.
(() => {
  const byId = (id) => document.getElementById(id);
  const say = (what) => document.dispatchEvent(new Event(what));
  const GROUP = 100;
  /** The articles of the page by their numbers, and the checkpoint where each stands first. */
  const pool = [];
  const origins = new Map();
  /** The chats in the order of the page: sequence, template (none for the one that the page opens with), lists. */
  const chats = [];
  /** What was shown already, without its messages. */
  const kept = new Map();
  let first = "";
  let shown = "";

  const runs = (text) => [...text.matchAll(/([bop])(\d+)x(\d+)/g)].map(([, kind, from, count]) => [kind, +from, +count]);
  const listsIn = (root) =>
    [...root.querySelectorAll("template.list")].map(({ dataset }) => [dataset.chat, runs(dataset.list)]);
  const take = (root, sequence) => {
    for (const article of root.querySelectorAll("article.m")) {
      pool.push(article);
      origins.set(article.id, sequence);
    }
  };
  const gather = () => {
    first = shown = byId("chat").dataset.shown;
    take(byId("conversation"), first);
    chats.push({ sequence: first, lists: listsIn(byId("conversation")) });
    for (const template of document.querySelectorAll("template.checkpoint")) {
      const { sequence } = template.dataset;
      take(template.content, sequence);
      for (const article of template.content.querySelectorAll("article.m")) article.remove();
      byId("author").append(...template.content.querySelectorAll("select.authors > option"));
      chats.push({ sequence, template, lists: listsIn(template.content) });
    }
    byId("author").value = ""; // an option that comes from another choice is chosen
  };

  /** The numbers of the messages of a checkpoint, by the chat in it. Each list goes on from the one before. */
  const numbersOf = (sequence) => {
    const numbers = new Map();
    for (const chat of chats) {
      for (const [path, list] of chat.lists) {
        const before = numbers.get(path) ?? [];
        const next = [];
        for (const [kind, from, count] of list)
          for (let at = from; at < from + count; at++) next.push(kind === "b" ? before[at] : at);
        numbers.set(path, next);
      }
      if (chat.sequence === sequence) break;
    }
    return numbers;
  };

  const setNumber = (article, number) => {
    const link = article.querySelector(":scope > .n");
    link.textContent = number;
    link.setAttribute("aria-label", `message ${number}`);
  };
  /** Messages have other numbers in other checkpoints, and so have those that they lead to. */
  const setNumbers = (articles, owns) => {
    const history = articles.filter((article) => !article.matches(".own"));
    const own = articles.filter((article) => article.matches(".own"));
    own.forEach((article, i) => setNumber(article, owns[i]));
    history.forEach((article, i) => {
      setNumber(article, i);
      for (const link of article.querySelectorAll("a[data-by]")) {
        const to = i + Number(link.dataset.by);
        link.href = `#${history[to].id}`;
        link.textContent = `message ${to}`;
      }
    });
  };
  const fill = (mark, numbers) => {
    const articles = numbers.map((number) => pool[number]);
    setNumbers(articles, runs(mark.dataset.owns).flatMap(([, from, count]) => Array.from({ length: count }, (_, i) => from + i)));
    if (articles.length <= GROUP) {
      mark.before(...articles);
      return;
    }
    for (let at = 0; at < articles.length; at += GROUP) {
      const group = document.createElement("div");
      group.className = "g";
      group.append(...articles.slice(at, at + GROUP));
      mark.before(group);
    }
  };

  const leave = () => {
    say("agentchat-leave");
    for (const part of byId("conversation").querySelectorAll("article.m, .g")) part.remove();
    kept.set(shown, [byId("overview"), byId("view"), byId("conversation")].map((part) => [...part.childNodes]));
  };
  const partsOf = (sequence) => {
    if (kept.has(sequence)) return kept.get(sequence);
    const content = document.importNode(chats.find((chat) => chat.sequence === sequence).template.content, true);
    return [".overview", "select.views", ".conversation"].map((part) => [...content.querySelector(part).childNodes]);
  };
  const show = (sequence) => {
    if (sequence === shown || !chats.some((chat) => chat.sequence === sequence)) return;
    leave();
    const parts = partsOf(sequence);
    ["overview", "view", "conversation"].forEach((id, i) => byId(id).replaceChildren(...parts[i]));
    byId("view").value = "";
    const numbers = numbersOf(sequence);
    for (const mark of byId("conversation").querySelectorAll("template.list")) fill(mark, numbers.get(mark.dataset.chat));
    byId("tree").querySelector("[aria-current]")?.removeAttribute("aria-current");
    rowOf(sequence).setAttribute("aria-current", "true");
    shown = byId("chat").dataset.shown = sequence;
    say("agentchat-shown");
  };

  // ---- links: #s5 is checkpoint 5, anything else a message ----
  const rowOf = (sequence) => byId(`s${sequence}`).querySelector(".row > a");
  /** Scrolls the tree alone, not the page. */
  const reveal = (row) => {
    const [tree, box, around] = [byId("tree"), row.getBoundingClientRect(), byId("tree").getBoundingClientRect()];
    if (box.top < around.top) tree.scrollTop -= around.top - box.top + 40;
    else if (box.bottom > around.bottom) tree.scrollTop += box.bottom - around.bottom + 40;
  };
  const arrive = () => {
    const target = decodeURIComponent(location.hash.slice(1));
    const [, sequence] = /^s(\d+)$/.exec(target) ?? [];
    if (sequence !== undefined || target === "") {
      show(sequence ?? first);
      if (sequence !== undefined) byId("chat").scrollIntoView();
    } else if (origins.has(target) && !byId(target)) {
      show(origins.get(target));
    }
    reveal(rowOf(shown));
  };
  addEventListener("hashchange", arrive);
  const takesLetters = (element) => element.matches("input:not([type=checkbox]), select");
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || takesLetters(event.target)) return;
    const row = byId(`s${shown}`);
    const next = event.key === "[" ? row?.nextElementSibling : event.key === "]" ? row?.previousElementSibling : null;
    if (next) location.hash = next.id;
  });
  document.addEventListener("DOMContentLoaded", () => {
    gather();
    if (location.hash.length > 1) arrive();
  });
})();
