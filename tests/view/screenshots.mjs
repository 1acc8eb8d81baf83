// SPDX-License-Identifier: Apache-2.0
// Pictures of the pages of example.json, and of a thread that becomes it, for the documentation. Argument: the directory
// that they go to.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, makePage } from "./browser.mjs";

const [directory] = process.argv.slice(2);
const example = JSON.parse(readFileSync(new URL("example.json", import.meta.url), "utf8"));
const title = "A late parcel";
const { page } = makePage(JSON.stringify(example), { title });
/** The first messages of the example, of channels none. */
const beginning = (count) => JSON.stringify({ ...example, history: example.history.slice(0, count), channels: [] });
const counts = [7, 7, 6, 5, 5, 4, 3, 2, 1];
const thread = makePage(JSON.stringify(example), { title, older: counts.map(beginning) });
const pictures = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  channel: { colorScheme: "light", view: "0" },
  narrow: { colorScheme: "light", width: 360 },
  print: { colorScheme: "light", width: 794, media: "print" },
  thread: { colorScheme: "light", width: 1280, of: thread.page, most: 900 },
  "thread-narrow": { colorScheme: "light", width: 360, of: thread.page, most: 1600 },
};
const browser = await launch();
for (const [name, { colorScheme, width = 960, view, media, of = page, most = Infinity }] of Object.entries(pictures)) {
  const tab = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
  await tab.goto(pathToFileURL(of).href);
  if (media) await tab.emulateMedia({ media });
  if (view) await tab.selectOption("#view", view);
  // As high as the page, so that all of it is on the screen and painted.
  for (
    let height = 0, next = 900;
    next !== height;
    next = Math.min(most, await tab.evaluate(() => document.documentElement.scrollHeight))
  ) {
    height = next;
    await tab.setViewportSize({ width, height });
  }
  await tab.waitForTimeout(200);
  await tab.screenshot({ path: join(directory, `view-${name}.png`) });
  await tab.close();
}
await browser.close();
