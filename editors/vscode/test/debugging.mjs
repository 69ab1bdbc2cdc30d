// The debugger, as a person uses it in the workbench.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { BUG, hidePanel, lensesOf, openFile, stopDebugging, TEST } from "./acts.mjs";
import { command } from "./dom.mjs";

/** In this order: each begins and ends without a session. */
export function debuggerChecks(page, folder) {
  const { editor, clickLens } = lensesOf(page);
  const toolbar = page.locator(".debug-toolbar");
  /** Where the debugger is, as file, line and column: the editor selects it. */
  const at = async () => {
    await page.locator(".debug-top-stack-frame-line").first().waitFor({ timeout: 5000 });
    const tab = await page.locator(".tab.active").first().innerText({ timeout: 2000 });
    const place = await page.locator(".statusbar-item", { hasText: /^\s*Ln \d+/ }).first().innerText({ timeout: 2000 });
    // The tab has more in it, such as the number of findings.
    return `${/^\w+\.p/.exec(tab.replaceAll(/\s/g, ""))?.[0]} ${place.trim()}`;
  };
  /** Acts, and waits until the debugger has come to another place and stays there. */
  const moves = async (eventually, act) => {
    const before = await at();
    await act();
    let last = before;
    await eventually(async () => {
      const now = await at();
      const isSettled = now === last && now !== before;
      last = now;
      assert.ok(isSettled, `still at ${now}`);
    });
    return last;
  };
  const press = (button) => toolbar.locator(`.${button}`).first().click({ timeout: 5000 });
  const isRunning = async () => (await toolbar.count()) > 0 && (await toolbar.isVisible());
  const start = async (eventually) => {
    // A session that a check before left behind.
    if (await isRunning()) await stopDebugging(page, eventually);
    await eventually(async () => {
      if (!(await isRunning())) await clickLens(TEST, "Debug trace");
      await toolbar.waitFor({ timeout: 10_000 });
    });
    await eventually(at);
    await hidePanel(page);
  };
  const end = async (eventually) => {
    await stopDebugging(page, eventually);
    await command(page, "View: Show Explorer");
  };
  /** Does something until a line is reached. */
  const goesTo = async (eventually, act, line) => {
    const isThere = async () => (await at()).startsWith(`${line},`);
    await eventually(async () => {
      if (!(await isThere())) await act();
      for (let left = 20; left > 0 && !(await isThere()); left -= 1) await page.waitForTimeout(200);
      assert.ok(await isThere(), `at ${await at()} instead of ${line}`);
    });
  };
  const lineOf = (file, text) => readFileSync(path.join(folder, file), "utf8").split("\n").findIndex((line) => line.includes(text)) + 1;
  return [
    {
      name: "a click on a lens steps through the run, and back",
      shot: "run-debug",
      run: async (eventually, picture) => {
        await start(eventually);
        await command(page, "View: Show Run and Debug");
        const places = [await at()];
        // More steps need not lead to other places: several things can happen in one.
        while (places.length < 3) places.push(await moves(eventually, () => press("codicon-debug-step-into")));
        await picture();
        assert.equal(await moves(eventually, () => press("codicon-debug-step-back")), places.at(-2));
        assert.equal(await moves(eventually, () => press("codicon-debug-step-into")), places.at(-1));
        // Each machine is a thread.
        await page.locator(".debug-call-stack .monaco-list-row", { hasText: "CrashingClients" }).first().waitFor();
        await end(eventually);
      },
    },
    {
      name: "a breakpoint stops the run, forwards and backwards, and values stand beside the lines",
      shot: "run-breakpoint",
      run: async (eventually, picture) => {
        const line = lineOf("PSrc/Store.p", "write.lease.epoch > 0");
        const stop = `Store.p Ln ${line}`;
        const breakpoints = editor().locator(".codicon-debug-breakpoint");
        await openFile(page, "Store.p");
        await eventually(async () => {
          if ((await breakpoints.count()) === 0) {
            await editor().locator(".view-line", { hasText: "write.lease.epoch > 0" }).first().click({ timeout: 2000 });
            await page.keyboard.press("F9");
          }
          await breakpoints.first().waitFor({ timeout: 3000 });
        });
        await start(eventually);
        const first = await at();
        await goesTo(eventually, () => press("codicon-debug-continue"), stop);
        await eventually(async () => {
          // What is written behind a line: in its text there is no number.
          const text = await editor().locator(".view-line", { hasText: "var newestEpoch" }).first().innerText({ timeout: 2000 });
          assert.match(text.replaceAll("\u00a0", " "), /newestEpoch = \d+/);
        });
        await command(page, "View: Show Run and Debug");
        await picture();
        // On to the bug, then back to the breakpoint and to the beginning.
        const bug = `Safety.p Ln ${lineOf("PSpec/Safety.p", BUG)}`;
        await goesTo(eventually, () => press("codicon-debug-continue"), bug);
        const back = await moves(eventually, () => press("codicon-debug-reverse-continue"));
        assert.ok(back.startsWith(`${stop},`), back);
        await eventually(async () => {
          if ((await breakpoints.count()) > 0) await breakpoints.first().click({ timeout: 2000 });
          await breakpoints.first().waitFor({ state: "detached", timeout: 3000 });
        });
        await goesTo(eventually, () => press("codicon-debug-reverse-continue"), first.replace(/,.*/s, ""));
        await end(eventually);
      },
    },
    {
      name: "a step is chosen from the list of all steps",
      shot: "run-step",
      run: async (eventually, picture) => {
        await start(eventually);
        const row = page.locator(".quick-input-widget .monaco-list-row", { hasText: "takes eWrite" }).first();
        // Before it takes the message, the machine is in its state.
        const state = `Store.p Ln ${lineOf("PSrc/Store.p", "state Serving")}`;
        const choose = async () => {
          await command(page, "Lockstep: Go to Step");
          await page.locator(".quick-input-widget input[type=text]").fill("takes eWrite", { timeout: 5000 });
          await row.waitFor({ timeout: 5000 });
          await picture();
          await row.click({ timeout: 2000 });
        };
        await goesTo(eventually, choose, state);
        await end(eventually);
      },
    },
  ];
}
