// SPDX-License-Identifier: Apache-2.0
"use strict";
// Finding, filtering and looking through a channel's eyes. It reads the document and sets classes; it makes no markup.
// It runs before the conversation is there, so what it does is done again for what has come since.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const byId = (id) => document.getElementById(id);
  const valueOf = (id) => byId(id)?.value ?? "";
  const messages = () => document.querySelectorAll("#conversation article.m");
  const history = () => document.querySelectorAll("#conversation > article.m:not(.own)");
  const why = {
    l: "was given and does not hold it",
    w: "waiting, not yet given",
    n: "not given",
    u: "not known whether given",
  };

  // ---- filters and search ----
  /** What a message says: all but its number and what stands there on a channel's behalf. */
  const said = (message) => [...message.children].filter((part) => !part.matches(".n, .why"));
  const wordsOf = new WeakMap(); // of messages that are there as a whole
  const textOf = (message) => {
    if (wordsOf.has(message)) return wordsOf.get(message);
    const text = said(message).map((part) => part.textContent).join("\n").toLowerCase();
    if (document.readyState !== "loading") wordsOf.set(message, text);
    return text;
  };
  const isWanted = (message, author, kind, words) =>
    (author === "" || message.dataset.a === author) &&
    (kind === "" || message.dataset.k.split(" ").includes(kind)) &&
    (words === "" || textOf(message).includes(words));
  const filter = () => {
    const author = valueOf("author");
    const kind = valueOf("kind");
    const words = valueOf("search").toLowerCase();
    const view = valueOf("view");
    let shown = 0;
    for (const message of messages()) {
      const isOthers = view !== "" && message.matches("#conversation > .own") && message.dataset.own !== view;
      const wanted = !isOthers && isWanted(message, author, kind, words);
      message.hidden = !wanted;
      shown += wanted;
    }
    const any = author !== "" || kind !== "" || words !== "";
    byId("hits").textContent = any ? shown + (shown === 1 ? " message" : " messages") : "";
    highlight(words);
  };
  const clearFilters = () => {
    for (const id of ["search", "author", "kind"]) byId(id).value = "";
    filter();
  };

  // ---- what was found, marked without touching the document ----
  const MOST_MARKS = 2000;
  const addRanges = (part, words, ranges) => {
    const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node && ranges.length < MOST_MARKS; node = walk.nextNode()) {
      const text = node.data.toLowerCase();
      if (text.length !== node.data.length) continue; // some letters become two: the places are others then
      for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + words.length);
        ranges.push(range);
      }
    }
  };
  const highlight = (words) => {
    if (!CSS.highlights) return;
    CSS.highlights.delete("found");
    if (words === "") return;
    const ranges = [];
    for (const message of messages()) {
      if (ranges.length >= MOST_MARKS) break;
      if (!message.hidden) for (const part of said(message)) addRanges(part, words, ranges);
    }
    CSS.highlights.set("found", new Highlight(...ranges));
  };

  // ---- what an agent saw ----
  const mark = (message, letter) => {
    if (letter === "h") return;
    const note = document.createElement("p");
    note.className = "why";
    note.textContent = why[letter] ?? "";
    message.classList.add("unseen");
    message.insertBefore(note, message.children[1]);
  };
  const clearMarks = () => {
    for (const message of document.querySelectorAll("#conversation > .unseen")) {
      message.classList.remove("unseen");
      message.querySelector(":scope > .why").remove();
    }
  };
  /** Calls each(message, letter) for the messages of the history, with how a channel stands to them. */
  const standings = (option, list, each) => {
    let at = 0;
    for (const [, letter, count] of (option.dataset.runs ?? "").matchAll(/([a-z])(\d+)/g))
      for (let left = Number(count); left > 0 && at < list.length; left--) each(list[at++], letter);
  };
  /** In the whole: which channels do not have a message. */
  const MOST_CHANNELS = 32;
  const tellMissing = () => {
    const options = byId("view") ? [...byId("view").options].slice(1) : [];
    if (options.length > MOST_CHANNELS) return;
    const list = history();
    for (const option of options)
      standings(option, list, (message, letter) => {
        if (letter === "h" || letter === "u") return;
        const others = message.dataset.missing;
        message.dataset.missing = others
          ? `${others.replace(/^channel /, "channels ")}, ${option.value}`
          : `channel ${option.value}`;
      });
  };
  const look = () => {
    const view = byId("view");
    if (!view) return;
    const option = view.selectedOptions[0];
    const isLooking = view.value !== "";
    const list = history();
    let held = 0;
    clearMarks();
    standings(option, list, (message, letter) => {
      mark(message, letter);
      held += letter === "h";
    });
    root.classList.toggle("looking", isLooking);
    const own = isLooking ? document.querySelectorAll(`#conversation > .own[data-own="${view.value}"]`).length : 0;
    const seen = byId("seen");
    seen.hidden = !isLooking;
    seen.textContent =
      `Through the eyes of ${option.textContent}: ${held} of ${list.length} messages` +
      (own > 0 ? `, and ${own} that only it holds` : "") + "; the faint ones it does not have. Escape shows the whole.";
    for (const button of document.querySelectorAll("button.look"))
      button.setAttribute("aria-pressed", String(button.dataset.view === view.value));
  };
  const lookAt = (channel) => {
    byId("view").value = channel;
    look();
    filter();
  };

  // ---- from message to message ----
  let current = null;
  const select = (message) => {
    current?.classList.remove("at");
    current = message;
    current.classList.add("at");
  };
  /** Unfolds what a message stands in: the chat inside a channel. */
  const reveal = (message) => {
    for (let part = message.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
  };
  /** Unfolds what holds the words that are searched. */
  const unfold = (message, words) => {
    for (const part of message.querySelectorAll("details"))
      if (words !== "" && part.textContent.toLowerCase().includes(words)) part.open = true;
  };
  /** To the nearest message that is shown, down (1) or up (-1); in a search also to one in a folded chat. */
  const go = (step, isSearching) => {
    const list = [...messages()];
    const isShown = (message) => !message.hidden && (isSearching || !message.closest("details:not([open])"));
    const before = step > 0 ? -1 : list.length;
    let at = (current ? list.indexOf(current) : before) + step;
    while (list[at] && !isShown(list[at])) at += step;
    if (!list[at]) return;
    select(list[at]);
    if (isSearching) {
      reveal(current);
      unfold(current, valueOf("search").toLowerCase());
    }
    current.scrollIntoView({ block: "nearest" });
    if (!isSearching) current.focus({ preventScroll: true });
  };
  const outermost = (message, parts) =>
    [...message.querySelectorAll(parts)].filter((part) => !part.parentElement.closest(".m details"));
  const fold = () => {
    if (!current) return;
    const parts = outermost(current, "details:not(.more)");
    const all = parts.length > 0 ? parts : outermost(current, "details");
    const open = !all.some((part) => part.open);
    for (const part of all) part.open = open;
  };

  /** What is current stays on the screen when more is shown around it. */
  const stay = () => current?.scrollIntoView({ block: "nearest" });

  // ---- keyboard ----
  const keysInSearch = (event) => {
    if (event.key === "Escape") {
      event.target.value = "";
      filter();
      stay();
      event.target.blur();
    } else if (event.key === "Enter") {
      filter();
      go(event.shiftKey ? -1 : 1, true);
    }
  };
  const takesLetters = (element) => element.matches("input:not([type=checkbox]), select");
  const takesEnter = (element) => element.matches("summary, button, a, audio");
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || !byId("search")) return;
    if (event.target === byId("search")) keysInSearch(event);
    else if (event.key === "Escape") {
      valueOf("view") !== "" ? lookAt("") : clearFilters();
      stay();
    }
    if (takesLetters(event.target)) return;
    if (event.key === "j") go(1);
    else if (event.key === "k") go(-1);
    else if (event.key === "Enter" && !takesEnter(event.target)) fold();
    else if (event.key === "/") {
      event.preventDefault();
      byId("search").focus();
    }
  });
  document.addEventListener("focusin", (event) => {
    const message = event.target.closest("#conversation article.m");
    if (message) select(message);
  });

  // ---- links to messages ----
  const target = () => (location.hash.length > 1 ? byId(location.hash.slice(1)) : null);
  const arrive = () => {
    const message = target();
    if (!message || !message.matches("article.m")) return;
    if (message.hidden) clearFilters();
    if (message.hidden) lookAt("");
    select(message);
    reveal(message);
    message.scrollIntoView();
  };
  addEventListener("hashchange", arrive);

  // ---- the rest ----
  let waiting = 0;
  document.addEventListener("input", (event) => {
    if (event.target.id === "view") lookAt(event.target.value);
    else if (event.target.id === "author" || event.target.id === "kind") filter();
    else if (event.target.id === "search") {
      clearTimeout(waiting);
      waiting = setTimeout(filter, 120);
    }
  });
  const copy = (button) => {
    const text = button.parentElement.querySelector("code").textContent;
    const say = (word) => {
      button.textContent = word;
      setTimeout(() => (button.textContent = "Copy"), 1500);
    };
    navigator.clipboard.writeText(text).then(() => say("Copied"), () => say("Not allowed"));
  };
  document.addEventListener("click", (event) => {
    if (event.target.matches("button.copy")) copy(event.target);
    else if (event.target.matches("button.look")) {
      lookAt(event.target.dataset.view === valueOf("view") ? "" : event.target.dataset.view);
      byId("tools").scrollIntoView({ block: "nearest" });
    }
  });
  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("button.copy")) button.hidden = !navigator.clipboard;
    tellMissing();
    look();
    filter();
    arrive();
  });
})();
