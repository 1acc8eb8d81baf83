// SPDX-License-Identifier: Apache-2.0
"use strict";
// Search, filters and the view of a chat as a channel has it. It reads the document and sets classes; it makes no
// markup.
// It runs before the conversation is there, so what it does is done again for what has come since.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const byId = (id) => document.getElementById(id);
  const valueOf = (id) => byId(id)?.value ?? "";
  const messages = () => document.querySelectorAll("#conversation article.m");
  /** The part of the page that a chat has: one inside a channel, else the whole conversation. */
  const partOf = (element) => element.closest("#conversation .chat > .nested") ?? byId("conversation");
  /** What a chat has itself, in groups where it is long; not what stands in chats inside it. */
  const within = (part, what) => part.querySelectorAll(`:scope > ${what}, :scope > .g > ${what}`);
  const history = (part) => within(part, "article.m:not(.own)");
  const why = {
    l: "was given and does not hold it",
    d: "does not hold it",
    w: "waiting, not yet given",
    n: "not given",
    u: "not known whether given",
  };

  // ---- filters and search ----
  /** What a message says: all but its number and what stands there on a channel's behalf. */
  const said = (message) => [...message.children].filter((part) => !part.matches(".n, .why"));
  const wordsOf = new WeakMap(); // of messages that are complete
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
    let shown = 0;
    for (const message of messages()) {
      const view = message.matches(".own") ? (partOf(message).dataset.view ?? "") : "";
      const isOthers = view !== "" && message.dataset.own !== view;
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
      if (text.length !== node.data.length) continue; // some letters become two: the positions differ then
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
  const clearMarks = (part) => {
    for (const message of within(part, ".unseen")) {
      message.classList.remove("unseen");
      message.querySelector(":scope > .why").remove();
    }
  };
  /** What says how a channel stands to the messages of its chat: an option of the choice, or a button inside. */
  const sources = () => document.querySelectorAll("#view > option[data-runs], button.look[data-runs]");
  const channelOf = (source) => source.dataset.view ?? source.value;
  /** Calls each(message, letter) for the messages of a history, with how a channel stands to them. */
  const standings = (source, list, each) => {
    let at = 0;
    for (const [, letter, count] of source.dataset.runs.matchAll(/([a-z])(\d+)/g))
      for (let left = Number(count); left > 0 && at < list.length; left--) each(list[at++], letter);
  };
  /** In the whole conversation: which channels do not have a message. */
  const MOST_CHANNELS = 32;
  const showMissing = () => {
    const parts = new Map();
    for (const source of sources()) {
      if (!parts.has(partOf(source))) parts.set(partOf(source), []);
      parts.get(partOf(source)).push(source);
    }
    for (const [part, channels] of parts) {
      if (channels.length > MOST_CHANNELS) continue;
      const list = history(part);
      for (const source of channels)
        standings(source, list, (message, letter) => {
          if (letter === "h" || letter === "u") return;
          const others = message.dataset.missing;
          message.dataset.missing = others
            ? `${others.replace(/^channel /, "channels ")}, ${channelOf(source)}`
            : `channel ${channelOf(source)}`;
        });
    }
  };
  /** Shows a chat as a channel of it has it, or all of it when there is no source. Returns how much the channel has. */
  const look = (part, source) => {
    let held = 0;
    clearMarks(part);
    if (source)
      standings(source, history(part), (message, letter) => {
        mark(message, letter);
        held += letter === "h";
      });
    part.dataset.view = source ? channelOf(source) : "";
    part.classList.toggle("looking", Boolean(source));
    for (const button of document.querySelectorAll("button.look"))
      if (partOf(button) === part) button.setAttribute("aria-pressed", String(button.dataset.view === part.dataset.view));
    return held;
  };
  /** The whole conversation, as the choice says. */
  const lookAsChosen = () => {
    const view = byId("view");
    if (!view) return;
    const [part, option] = [byId("conversation"), view.selectedOptions[0]];
    const isLooking = view.value !== "";
    const held = look(part, isLooking ? option : null);
    const own = isLooking ? within(part, `.own[data-own="${view.value}"]`).length : 0;
    const seen = byId("seen");
    seen.hidden = !isLooking;
    seen.textContent =
      `As seen by ${option.textContent}: ${held} of ${history(part).length} messages` +
      (own > 0 ? `, and ${own} that only it holds` : "") +
      "; it does not have the faint ones. Escape shows the whole chat.";
  };
  const lookAt = (channel) => {
    byId("view").value = channel;
    lookAsChosen();
    filter();
  };
  const showWhole = () => {
    for (const part of document.querySelectorAll("#conversation .looking")) look(part, null);
    if (byId("view")) lookAt("");
  };
  const press = (button) => {
    const part = partOf(button);
    const isPressed = button.getAttribute("aria-pressed") === "true";
    if (part !== byId("conversation")) {
      look(part, isPressed ? null : button);
      filter();
      return;
    }
    lookAt(isPressed ? "" : button.dataset.view);
    byId("tools").scrollIntoView({ block: "nearest" });
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
  /** To the nearest message that is shown, down (1) or up (-1); in a search also to one in a folded chat. It looks at what
      stands between the two, not at the whole conversation. */
  const go = (step, isSearching) => {
    const isFolded = (element) => !isSearching && element.matches("details:not([open])");
    const walk = document.createTreeWalker(byId("conversation"), NodeFilter.SHOW_ELEMENT, (element) => {
      if (!element.matches("article.m"))
        return isFolded(element) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
      return element.hidden ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
    });
    for (let part = current; part && part !== walk.root; part = part.parentElement)
      if (part === current || isFolded(part)) walk.currentNode = part;
    const isFirst = walk.currentNode === walk.root;
    const next =
      step > 0 ? (isFirst ? walk.firstChild() : walk.nextSibling()) : isFirst ? walk.lastChild() : walk.previousSibling();
    if (!next) return;
    select(next);
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
      document.querySelector("#conversation.looking, #conversation .looking") ? showWhole() : clearFilters();
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
    if (message.hidden) showWhole();
    select(message);
    reveal(message);
    message.scrollIntoView();
  };
  addEventListener("hashchange", arrive);

  // ---- printing: browsers give up on some ten thousand messages ----
  const MOST_PRINTED = 2000;
  addEventListener("beforeprint", () => {
    const list = [...messages()].filter((message) => !message.hidden);
    if (list.length <= MOST_PRINTED) return;
    const first = Math.min(Math.max(list.indexOf(current), 0), list.length - MOST_PRINTED);
    list.forEach((message, at) => {
      if (at < first || at >= first + MOST_PRINTED) message.classList.add("unprinted");
    });
    for (const group of document.querySelectorAll("#conversation .g"))
      if (!group.querySelector(":scope > .m:not(.unprinted, [hidden])")) group.classList.add("unprinted");
    const note = document.createElement("p");
    note.id = "printed";
    note.textContent =
      `Printed: ${MOST_PRINTED} of ${list.length} messages, from the one that was selected on. ` +
      "Filters print what they show; the page itself has them all.";
    byId("conversation").prepend(note);
  });
  addEventListener("afterprint", () => {
    byId("printed")?.remove();
    for (const element of document.querySelectorAll(".unprinted")) element.classList.remove("unprinted");
  });

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
    else if (event.target.matches("button.look")) press(event.target);
  });
  // ---- another chat takes the place of the one that is shown (thread.js) ----
  document.addEventListener("agentchat-leave", () => {
    if (byId("conversation").querySelector(".looking") || byId("conversation").matches(".looking")) showWhole();
    for (const message of messages()) delete message.dataset.missing;
    current?.classList.remove("at");
    current = null;
  });
  document.addEventListener("agentchat-shown", () => {
    for (const button of document.querySelectorAll("button.copy")) button.hidden = !navigator.clipboard;
    showMissing();
    lookAsChosen();
    filter();
  });
  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("button.copy")) button.hidden = !navigator.clipboard;
    showMissing();
    lookAsChosen();
    filter();
    arrive();
  });
})();
