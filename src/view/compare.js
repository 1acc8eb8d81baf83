// SPDX-License-Identifier: Apache-2.0
"use strict";
// From difference to difference by keyboard. It sets classes and makes no markup.
(() => {
  document.documentElement.classList.add("js");
  let current = null;
  const select = (pair) => {
    current?.classList.remove("at");
    current = pair;
    current.classList.add("at");
  };
  const go = (step) => {
    const [all, along] = [document.getElementById("conversation"), step > 0 ? "nextElementSibling" : "previousElementSibling"];
    let next = current ? current[along] : step > 0 ? all.firstElementChild : all.lastElementChild;
    while (next && !next.matches(".pair")) next = next[along];
    if (next) select(next);
    current?.scrollIntoView({ block: "nearest" });
    current?.querySelector("article").focus({ preventScroll: true });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "j") go(1);
    else if (event.key === "k") go(-1);
  });
  document.addEventListener("focusin", (event) => {
    const pair = event.target.closest(".pair");
    if (pair) select(pair);
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
