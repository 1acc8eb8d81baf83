// SPDX-License-Identifier: Apache-2.0
"use strict";
// From difference to difference by keyboard. It sets classes and makes no markup.
(() => {
  document.documentElement.classList.add("js");
  let current = null;
  const go = (step) => {
    const list = [...document.querySelectorAll("#conversation > .pair")];
    const from = current ? list.indexOf(current) : -1;
    const next = list[Math.min(list.length - 1, Math.max(0, from + step))];
    if (!next) return;
    if (current) current.classList.remove("at");
    current = next;
    current.classList.add("at");
    current.scrollIntoView({ block: "nearest" });
    const message = current.querySelector("article");
    if (message) message.focus({ preventScroll: true });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("summary, button, a")) return;
    if (event.key === "j") go(1);
    else if (event.key === "k") go(-1);
  });
  // A link to a message leads into a fold only when that is open.
  const unfold = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const folded = target && target.closest("details.same");
    if (!folded) return;
    folded.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  document.addEventListener("DOMContentLoaded", unfold);
})();
