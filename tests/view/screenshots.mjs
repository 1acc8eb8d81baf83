// SPDX-License-Identifier: Apache-2.0
// Pictures of the page of example.json for the documentation. Argument: the directory that they go to.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, makePage } from "./browser.mjs";

const [directory] = process.argv.slice(2);
const { page } = makePage(readFileSync(new URL("example.json", import.meta.url), "utf8"), { title: "A late parcel" });
const pictures = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  channel: { colorScheme: "light", view: "0" },
  narrow: { colorScheme: "light", width: 360 },
  print: { colorScheme: "light", width: 794, media: "print" },
};
const browser = await launch();
for (const [name, { colorScheme, width = 960, view, media }] of Object.entries(pictures)) {
  const tab = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
  await tab.goto(pathToFileURL(page).href);
  if (media) await tab.emulateMedia({ media });
  if (view) await tab.selectOption("#view", view);
  // As high as the page, so that all of it is on the screen and painted.
  for (
    let height = 0, next = 900;
    next !== height;
    next = await tab.evaluate(() => document.documentElement.scrollHeight)
  ) {
    height = next;
    await tab.setViewportSize({ width, height });
  }
  await tab.waitForTimeout(200);
  await tab.screenshot({ path: join(directory, `view-${name}.png`) });
  await tab.close();
}
await browser.close();
