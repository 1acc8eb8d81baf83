// SPDX-License-Identifier: Apache-2.0
// What the tests of the page share: a headless Chromium that is watched, pages made by the library, checks that
// collect.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const modules = createRequire(join(process.env.AGENTCHAT_NODE_MODULES, "package.json"));
const { chromium } = modules("playwright-core");

export const axeSource = () => readFileSync(modules.resolve("axe-core/axe.min.js"), "utf8");

const dir = mkdtempSync(join(tmpdir(), "agentchat-view-"));
process.on("exit", () => rmSync(dir, { recursive: true, force: true }));

// ---- checks ----
let failures = 0;
let checks = 0;
const shorten = (value) => {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return text.length > 300 ? text.slice(0, 300) + "…" : text;
};
export const check = (ok, what, ...values) => {
  checks++;
  if (ok) return true;
  failures++;
  if (failures <= 20) console.log(`FAILED ${what}${values.map((value) => `\n    ${shorten(value)}`).join("")}`);
  return false;
};
export const same = (actual, expected, what) =>
  check(JSON.stringify(actual) === JSON.stringify(expected), what, actual, expected);
export const finish = async (browser) => {
  await browser.close();
  console.log(`${checks} checks, ${failures} failed`);
  process.exit(failures > 0 || checks === 0 ? 1 : 0);
};

// ---- pages ----
let made = 0;
/** Makes a page of a chat: a document's text or a file's name; with `older`, of a thread whose newest checkpoint it is,
    and whose others these are, newest first. Returns its name and the chat as the library has it. */
export const makePage = (source, options = {}) => {
  const file = options.isFile ? source : join(dir, `${made}.chat.json`);
  const page = join(dir, `${made}.html`);
  const json = join(dir, `${made++}.json`);
  const wishes = ["--json", json];
  if (!options.isFile) writeFileSync(file, source);
  for (const name of ["title", "channel", "report"])
    if (options[name] !== undefined) wishes.push(`--${name}`, options[name]);
  if (options.after !== undefined) {
    writeFileSync(`${json}.after`, options.after);
    wishes.push("--after", `${json}.after`);
  }
  for (const [i, older] of (options.older ?? []).entries()) {
    writeFileSync(`${json}.${i}`, older);
    wishes.push("--older", `${json}.${i}`);
  }
  if (options.noMedia) wishes.push("--no-media");
  if (options.seconds) wishes.push("--seconds");
  const said = execFileSync(process.env.AGENTCHAT_MAKE_PAGES, [file, page, ...wishes], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { page, chat: JSON.parse(readFileSync(json, "utf8")), seconds: Number(said) };
};

export const launch = () =>
  chromium.launch({
    executablePath: process.env.AGENTCHAT_CHROMIUM,
    // Without a sandbox, because a container's user may be root.
    args: ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });

/** Waits until a page has done what it was asked for, however slow the machine is: it waits with a timer of the page,
    which comes after the shorter one that the page's search waits with. */
export const settle = (tab) => tab.evaluate(() => new Promise((done) => setTimeout(done, 150)));

/** A tab in which nothing happens unseen: what a page of ours never does is in `misdeeds`. */
export const watchedTab = async (browser, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, ...options });
  const tab = await context.newPage();
  const misdeeds = [];
  const isOwn = (url) => /^data:(image|audio)\//.test(url) || url.split("#")[0] === tab.expectedUrl;
  tab.on("console", (message) => misdeeds.push(`console: ${message.text()}`));
  tab.on("pageerror", (error) => misdeeds.push(`error: ${error.message}`));
  tab.on("request", (request) => isOwn(request.url()) || misdeeds.push(`request: ${request.url().slice(0, 200)}`));
  tab.on("dialog", (dialog) => (misdeeds.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  tab.on("popup", () => misdeeds.push("a window was opened"));
  tab.on("download", () => misdeeds.push("a download was begun"));
  tab.on("framenavigated", (frame) => isOwn(frame.url()) || misdeeds.push(`went to ${frame.url()}`));
  tab.misdeeds = misdeeds;
  tab.load = async (page, hash = "") => {
    misdeeds.length = 0;
    tab.expectedUrl = pathToFileURL(page).href;
    await tab.goto(tab.expectedUrl + hash);
  };
  // Functions that run inside the page. What is shown of a text is its textContent, marked characters put back.
  await tab.addInitScript(() => {
    const character = (code) => String.fromCodePoint(parseInt(code, 16));
    const plain = (node) => {
      if (node.nodeType === Node.TEXT_NODE) return node.data;
      if (node.localName === "bdi" && node.className === "u") return character(node.dataset.c);
      let text = "";
      for (const child of node.childNodes) text += plain(child);
      return text;
    };
    window.testShown = plain;
    window.testTexts = (message) => [...message.querySelectorAll(".plain, pre.raw")].map(plain);
  });
  return tab;
};
