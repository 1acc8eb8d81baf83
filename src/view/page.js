// SPDX-License-Identifier: Apache-2.0
"use strict";
// Finding, filtering and looking through a channel's eyes. It reads the document and sets classes; it makes no markup.
// It runs before the conversation is there, so what it does is done again for what has come since.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const byId = (id) => document.getElementById(id);
  const messages = () => document.querySelectorAll("#conversation article.m");
  const history = () => document.querySelectorAll("#conversation > article.m:not(.own)");
  const why = {
    l: "was given and does not hold it",
    w: "waiting, not yet given",
    n: "not given",
    u: "not known whether given",
  };
  let current = null;

  // ---- filters and search ----
  const isWanted = (message, author, kind, words) =>
    (author === "" || message.dataset.a === author) &&
    (kind === "" || message.dataset.k.split(" ").includes(kind)) &&
    (words === "" || message.textContent.toLowerCase().includes(words));
  const filter = () => {
    const author = byId("author").value;
    const kind = byId("kind").value;
    const words = byId("search").value.toLowerCase();
    const view = byId("view") ? byId("view").value : "";
    let shown = 0;
    for (const message of messages()) {
      const isOthers = message.classList.contains("own") && view !== "" && message.dataset.own !== view;
      const wanted = !isOthers && isWanted(message, author, kind, words);
      message.hidden = !wanted;
      shown += wanted;
    }
    const any = author !== "" || kind !== "" || words !== "";
    byId("hits").textContent = any ? shown + (shown === 1 ? " message" : " messages") : "";
  };

  // ---- what an agent saw ----
  const clearView = (message) => {
    message.classList.remove("unseen");
    const note = message.querySelector(":scope > .why");
    if (note) note.remove();
  };
  const mark = (message, letter) => {
    clearView(message);
    if (letter === "h") return;
    const note = document.createElement("p");
    note.className = "why";
    note.textContent = why[letter] || "";
    message.classList.add("unseen");
    message.insertBefore(note, message.children[1]);
  };
  const look = () => {
    const view = byId("view");
    if (!view) return;
    const option = view.selectedOptions[0];
    const list = history();
    let at = 0;
    let held = 0;
    for (const [, letter, count] of (option.dataset.runs || "").matchAll(/([a-z])(\d+)/g)) {
      for (let left = Number(count); left > 0 && at < list.length; left--) mark(list[at++], letter);
      if (letter === "h") held += Number(count);
    }
    if (view.value === "") list.forEach(clearView);
    const own = document.querySelectorAll(`#conversation > article.own[data-own="${Number(view.value)}"]`).length;
    const seen = byId("seen");
    seen.hidden = view.value === "";
    seen.textContent = `${option.textContent}: had ${held} of ${list.length} messages` + (own > 0 ? `, and ${own} that only it holds` : "");
    filter();
  };

  // ---- keyboard ----
  const visible = () => [...messages()].filter((message) => !message.hidden);
  const go = (step) => {
    const list = visible();
    const from = current ? list.indexOf(current) : -1;
    const next = list[Math.min(list.length - 1, Math.max(0, from + step))];
    if (!next) return;
    if (current) current.classList.remove("at");
    current = next;
    current.classList.add("at");
    current.scrollIntoView({ block: "nearest" });
    current.focus({ preventScroll: true });
  };
  const fold = () => {
    const parts = current ? [...current.querySelectorAll(":scope > details")] : [];
    const open = !parts.some((part) => part.open);
    for (const part of parts) part.open = open;
  };
  const isTyping = (element) => element.matches("input, select, textarea, summary, button, a");
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape" && event.target === byId("search")) {
      byId("search").value = "";
      filter();
      event.target.blur();
    }
    if (isTyping(event.target)) return;
    if (event.key === "j") go(1);
    else if (event.key === "k") go(-1);
    else if (event.key === "Enter") fold();
    else if (event.key === "/") {
      event.preventDefault();
      byId("search").focus();
    }
  });

  // ---- the rest ----
  let waiting = 0;
  document.addEventListener("input", (event) => {
    if (event.target.id === "view") look();
    else if (event.target.id === "author" || event.target.id === "kind") filter();
    else if (event.target.id === "search") {
      clearTimeout(waiting);
      waiting = setTimeout(filter, 120);
    }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.matches("button.copy")) return;
    const text = event.target.parentElement.querySelector("code").textContent;
    if (navigator.clipboard) navigator.clipboard.writeText(text);
  });
  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("button.copy")) button.hidden = !navigator.clipboard;
    look();
    filter();
  });
})();
