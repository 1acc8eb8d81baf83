// SPDX-License-Identifier: Apache-2.0
// Recorded files of another framework and golden files have a page, and the texts in it are those of its messages.
// Arguments: each how many-th file is looked at; directories and files.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { allowed, strangers } from "./allowed.mjs";
import { check, finish, launch, makePage, same, watchedTab } from "./browser.mjs";
import { texts } from "./chats.mjs";

const filesIn = (path) =>
  !statSync(path).isDirectory()
    ? [path]
    : readdirSync(path)
        .sort()
        .flatMap((name) => filesIn(join(path, name)));

/** The texts of a chat and of the chats in its channels, by the id of the article that shows them. */
const textsById = (chat, prefix = "", found = {}) => {
  chat.history.forEach((message, i) => (found[`${prefix}m${i}`] = texts(message)));
  chat.channels.forEach((channel, i) => {
    if (channel.statekind === "chat") textsById(channel.channelstate, `${prefix}c${i}-`, found);
  });
  return found;
};

const browser = await launch();
const tab = await watchedTab(browser);
let count = 0;
const all = process.argv.slice(3).flatMap(filesIn);
const each = Number(process.argv[2]);
for (const file of all.filter((name) => /\.json$/.test(name)).filter((_, i) => i % each === 0)) {
  let made;
  try {
    made = makePage(file, { isFile: true });
  } catch (error) {
    // Among the recordings are some of what the other framework refuses, or accepts although it is no JSON.
    check(file.includes("/probes/") && error.status === 1, `${file} can be read`, error.stderr);
    continue;
  }
  const { page, chat } = made;
  await tab.load(page);
  const shown = await tab.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll("article.m:not(.own)")].map((message) => [message.id, window.testTexts(message)]),
    ),
  );
  const expected = textsById(chat);
  for (const id of new Set([...Object.keys(expected), ...Object.keys(shown)]))
    same(shown[id], expected[id], `${file}: the texts of ${id}`);
  same(await tab.evaluate(strangers, allowed), [], `${file}: nothing but the page's own elements`);
  same(tab.misdeeds, [], `${file}: nothing happens`);
  count++;
}
check(count > 0, "there are files");
console.log(`${count} files`);
await finish(browser);
