// What the Testing view shows of each verdict, with a server that says what it is told to say (scripted-server.mjs).

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { command, look } from "./dom.mjs";

/** A folder with a file that the scripted server speaks of. */
export function scriptedProject(parent) {
  const folder = path.join(parent, "app");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "Tests.p"), "// one\n// two\n// three\n// four\n// five\n// six\n");
  return folder;
}

/** Returns a list of `{ name, ok, detail, milliseconds, isClientOnly }`. */
export function testStates(options) {
  return look({ ...options, file: "Tests.p" }, checks);
}

/** A row of the view, its state in words, and what is said beside its name. */
export function rowsOf(page) {
  const row = (name) => page.locator(".test-explorer .monaco-list-row", { hasText: name }).first();
  return {
    row,
    label: (name) => row(name).getAttribute("aria-label", { timeout: 2000 }),
    // Behind it the view writes how long it took.
    description: async (name) => {
      const text = await row(name).locator(".test-label-description").innerText({ timeout: 2000 });
      return text.replace(/: [\d.,]+\s?m?s$/, "");
    },
    icon: (name) => row(name).locator(".computed-state").getAttribute("class", { timeout: 2000 }),
  };
}

/** Opens the Testing view with its tests, unless it is. */
export async function openTests(page, eventually, project, test) {
  const { row } = rowsOf(page);
  await eventually(async () => {
    if ((await page.locator(".test-explorer").count()) === 0) await command(page, "Testing: Focus on Test Explorer View");
    if ((await row(test).count()) === 0) await row(project).locator(".monaco-tl-twistie").click({ timeout: 1000 });
    await row(test).waitFor({ timeout: 2000 });
  });
}

function checks(page) {
  const { row, label, description, icon } = rowsOf(page);
  const run = async (name, title) => {
    await row(name).click({ timeout: 2000 });
    await row(name).locator(`[aria-label^="${title}"]`).first().click({ timeout: 2000 });
  };
  /** Runs a test until it is in a state. */
  const becomes = async (eventually, name, state, words) => {
    await eventually(async () => {
      if (!(await description(name)).includes(words)) {
        await run(name, "Run Test");
        await page.waitForTimeout(1500);
      }
      assert.equal(await description(name), words);
      assert.match(await icon(name), state);
    });
  };
  return [
    {
      name: "tests that were not run have neither a tick nor a cross",
      isClientOnly: true,
      run: async (eventually) => {
        await openTests(page, eventually, "App", "tcProved");
        await eventually(async () => assert.equal(await description("tcProved"), "not checked yet"));
        assert.match(await label("tcProved"), /Not yet run/);
      },
    },
    {
      name: "proved, exhausted and sampled pass and are told apart; refuted fails; unknown is neither",
      shot: "states",
      isClientOnly: true,
      run: async (eventually, picture) => {
        await becomes(eventually, "tcProved", /testing-passed/, "\u2713 proved, every size");
        await becomes(eventually, "tcExhausted", /testing-passed/, "\u25c9 exhausted, 120 states");
        await becomes(eventually, "tcSampled", /testing-passed/, "\u25cc sampled, 1,000 schedules, no bug");
        await becomes(eventually, "tcRefuted", /testing-failed/, "\u2717 refuted, an assertion does not hold");
        await becomes(eventually, "tcUnknown", /testing-skipped/, "? unknown, the time was up");
        await picture();
      },
    },
    {
      name: "a run is cancelled, which decides nothing",
      isClientOnly: true,
      run: async (eventually) => {
        await eventually(async () => {
          if (!/running/i.test(await label("tcSlow"))) await run("tcSlow", "Run Test");
          await page.waitForTimeout(500);
          assert.match(await label("tcSlow"), /running/i);
        });
        await eventually(async () => {
          if (/running|queued/i.test(await label("tcSlow"))) await command(page, "Test: Cancel Test Run");
          await page.waitForTimeout(500);
          assert.match(await icon("tcSlow"), /testing-skipped/);
          assert.equal(await description("tcSlow"), "? unknown, cancelled");
        });
      },
    },
    {
      name: "an edit makes results stale, in words and in their icons",
      shot: "states-stale",
      isClientOnly: true,
      run: async (eventually, picture) => {
        await eventually(async () => {
          if (!(await description("tcProved")).includes("stale")) {
            await page.locator(".editor-instance .view-line", { hasText: "one" }).first().click({ timeout: 2000 });
            await page.keyboard.press("End");
            await page.keyboard.type("!");
          }
          await page.waitForTimeout(300);
          assert.match(await description("tcProved"), /^\u2713 proved, stale/);
          assert.match(await icon("tcProved"), /retired/);
          assert.match(await icon("tcRefuted"), /retired/);
        });
        await picture();
      },
    },
    {
      name: "a test that is run again is fresh again",
      isClientOnly: true,
      run: (eventually) => becomes(eventually, "tcExhausted", /testing-passed(?!.*retired)/, "\u25c9 exhausted, 120 states"),
    },
  ];
}
