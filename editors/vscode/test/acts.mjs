// What a person does in the workbench, each act until it is done.

import assert from "node:assert/strict";

/** The test with the bug, and what is said about it. */
export const TEST = "tcCrashingClients";
export const BUG = "a write was accepted after a newer one";

/** The page of the chart that is seen. */
export async function chartOf(page, test) {
  for (const frame of page.frames()) {
    const title = frame.locator("#test");
    if ((await title.count().catch(() => 0)) > 0 && (await title.innerText({ timeout: 1000 })) === test) return frame;
  }
  throw new Error(`no chart of ${test}`);
}

/** Opens a file by its name, unless it is the active one. */
export async function openFile(page, name) {
  for (let left = 4; ; left -= 1) {
    try {
      if ((await page.locator(".tab.active", { hasText: name }).count()) > 0) return;
      await page.keyboard.press("Control+p");
      await page.locator(".quick-input-widget input[type=text]").fill(name, { timeout: 5000 });
      // Not with Enter, which takes whatever is chosen just now.
      await page.locator(".quick-input-widget .monaco-list-row", { hasText: name }).first().click({ timeout: 10_000 });
      await page.locator(".tab.active", { hasText: name }).waitFor({ timeout: 10_000 });
      return;
    } catch (error) {
      if (left === 0) throw error;
      await page.keyboard.press("Escape");
    }
  }
}

/** Ends the debugger, once it has stopped somewhere: it takes the focus then, and with it what is typed. */
export async function stopDebugging(page, eventually) {
  await page.locator(".debug-top-stack-frame-line").first().waitFor();
  const toolbar = page.locator(".debug-toolbar");
  await eventually(async () => {
    if (await toolbar.isVisible()) await toolbar.locator(".codicon-debug-stop").first().click({ timeout: 2000 });
    await toolbar.waitFor({ state: "hidden", timeout: 5000 });
  });
}

/** Hides what is below the editors, unless nothing is. */
export async function hidePanel(page) {
  for (let left = 4; left > 0 && (await page.locator(".part.panel").isVisible()); left -= 1) {
    await page.keyboard.press("Control+j");
    await page.waitForTimeout(500);
  }
}

/** The number of the line of the cursor in the editor of a file. */
export async function selectedLine(page, name) {
  const editor = page.locator(".editor-group-container", { has: page.locator(".tab.active", { hasText: name }) });
  await editor.first().waitFor({ timeout: 2000 });
  const number = await editor.first().locator(".line-numbers.active-line-number").first().innerText({ timeout: 2000 });
  return Number(number);
}

/** The lenses of Tests.p: clicking them, and what they say. */
export function lensesOf(page) {
  const editor = () => page.locator(".editor-instance .monaco-editor").first();
  /** The lenses above a line, from left to right. */
  const lensesAbove = async (text) => {
    const line = await editor().locator(".view-line", { hasText: text }).first().boundingBox({ timeout: 2000 });
    const lenses = await page.locator(".codelens-decoration").all();
    for (const lens of lenses) {
      const box = await lens.boundingBox({ timeout: 1000 });
      if (box !== null && box.y < line.y && box.y > line.y - 2 * line.height) return lens;
    }
    throw new Error(`no lens above ${text}`);
  };
  const clickLens = async (test, title) => {
    await openFile(page, "Tests.p");
    const lens = await lensesAbove(`test ${test}`);
    await lens.locator("a", { hasText: new RegExp(`^${title}$`) }).click({ timeout: 2000 });
  };
  const says = async (test, words) => {
    await openFile(page, "Tests.p");
    const text = await (await lensesAbove(`test ${test}`)).innerText();
    assert.match(text, words);
  };
  /** Clicks a lens until the lens says what becomes of it. */
  const runs = (eventually, test, title, words) =>
    eventually(async () => {
      try {
        await says(test, words);
      } catch {
        await clickLens(test, title);
        await page.waitForTimeout(3000);
        await says(test, words);
      }
    });
  return { editor, clickLens, says, runs };
}
