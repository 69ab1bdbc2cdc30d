// What a person sees of runs: charts of traces, lenses that run a test, its states in the Testing view, and the debugger.
//
// The folder is trusted here, because VS Code itself neither runs tests nor debuggers in one that is not. A check may be tried again after
// a click that was lost, so each looks first whether what it wants is there already.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { file as traceOf, long } from "./chart.mjs";
import { command, look } from "./dom.mjs";
import { openTests, rowsOf } from "./states.mjs";

export const TRUSTED = { "security.workspace.trust.enabled": false, "testing.automaticallyOpenTestResults": "neverOpen" };
const TESTS = "PTst/Tests.p";
const TEST = "tcCrashingClients";
const BUG = "a write was accepted after a newer one";

/** Returns a list of `{ name, ok, detail, milliseconds, isClientOnly }`. */
export function testRuns(options) {
  const checks = (page, _, folder) => [...serverChecks(page, folder), ...chartChecks(page, folder)];
  return look({ ...options, file: TESTS, width: 1500 }, checks);
}

/** The sample project with a store that does not look at the age of a lease, the trace of its bug, and one of 2,000 moments. */
export function buggyProject({ repository, parent, name, program }) {
  const folder = path.join(parent, name);
  cpSync(path.join(repository, "tests/programs/p/lease"), folder, { recursive: true });
  const store = path.join(folder, "PSrc/Store.p");
  const text = readFileSync(store, "utf8");
  const broken = text.replace("write.lease.epoch >= newestEpoch", "write.lease.epoch > 0");
  if (broken === text) throw new Error("the sample project has changed: there is no place for the bug");
  writeFileSync(store, broken);
  mkdirSync(path.join(folder, "traces"));
  writeFileSync(path.join(folder, "traces/long.trace.json"), JSON.stringify(traceOf(long(1000))));
  writeFileSync(path.join(folder, "traces/none.trace.json"), "{}");
  try {
    execFileSync(program, ["run", "lease.pproj", TEST, "--trace-out", `traces/${TEST}.trace.json`], { cwd: folder, stdio: "ignore" });
  } catch {
    // It ends with 1 because there is a bug.
  }
  if (!existsSync(path.join(folder, `traces/${TEST}.trace.json`))) throw new Error("the bug was not found");
  return folder;
}

/** The page of the chart that is seen. */
async function chartOf(page, test) {
  for (const frame of page.frames()) {
    const title = frame.locator("#test");
    if ((await title.count().catch(() => 0)) > 0 && (await title.innerText({ timeout: 1000 })) === test) return frame;
  }
  throw new Error(`no chart of ${test}`);
}

/** Opens a file by its name, unless it is the active one. */
async function openFile(page, name) {
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
async function stopDebugging(page, eventually) {
  await page.locator(".debug-top-stack-frame-line").first().waitFor();
  const toolbar = page.locator(".debug-toolbar");
  await eventually(async () => {
    if (await toolbar.isVisible()) await toolbar.locator(".codicon-debug-stop").first().click({ timeout: 2000 });
    await toolbar.waitFor({ state: "hidden", timeout: 5000 });
  });
}

/** Hides what is below the editors, unless nothing is. */
async function hidePanel(page) {
  for (let left = 4; left > 0 && (await page.locator(".part.panel").isVisible()); left -= 1) {
    await page.keyboard.press("Control+j");
    await page.waitForTimeout(500);
  }
}

/** The number of the line of the cursor in the editor of a file. */
async function selectedLine(page, name) {
  const editor = page.locator(".editor-group-container", { has: page.locator(".tab.active", { hasText: name }) });
  await editor.first().waitFor({ timeout: 2000 });
  const number = await editor.first().locator(".line-numbers.active-line-number").first().innerText({ timeout: 2000 });
  return Number(number);
}

function chartChecks(page, folder) {
  const story = JSON.parse(readFileSync(path.join(folder, `traces/${TEST}.trace.json`), "utf8")).story;
  // The sending of a message of which both ends are in the story, in different files.
  const write = story.messages.find(({ event, fate }) => event === "eWrite" && fate.kind === "taken").sent;
  const send = story.moments[write].place;
  const handler = story.moments[story.messages[story.moments[write].what.message].fate.moment].place;
  const chart = () => chartOf(page, TEST);
  const choose = async (moment) => {
    const frame = await chart();
    await frame.locator("#chart").focus();
    await frame.locator("#chart").press("Home");
    for (let number = 0; number < moment; number += 1) await frame.locator("#chart").press("ArrowDown");
    await frame.locator(`#moment-${moment}.chosen`).waitFor({ timeout: 5000 });
    return frame;
  };
  const jumps = async (eventually, place, act) => {
    await eventually(async () => {
      await act(await choose(write));
      assert.equal(await selectedLine(page, path.basename(place.path)), place.line);
    });
  };
  return [
    {
      name: "a trace file opens as a chart, at its end, and says what went wrong",
      shot: "chart",
      isClientOnly: true,
      run: async (eventually, picture) => {
        await eventually(async () => {
          if ((await page.locator(".tab", { hasText: `${TEST}.trace.json` }).count()) === 0) {
            await openFile(page, `${TEST}.trace.json`);
            await command(page, "Lockstep: Open Trace");
          }
          const frame = await chart();
          assert.match(await frame.locator("#bug").innerText(), new RegExp(BUG));
          await frame.locator(`#moment-${story.moments.length - 1}.chosen`).waitFor({ timeout: 5000 });
        });
        const frame = await chart();
        assert.match(await frame.locator("#count").innerText(), new RegExp(`^${story.moments.length} moments$`));
        const label = await frame.locator(".moment.chosen").getAttribute("aria-label");
        assert.match(label, new RegExp(`^${story.moments.length}\\. `));
        await picture();
      },
    },
    {
      name: "Enter goes from a message to its send, and Alt+Enter to its handler",
      isClientOnly: true,
      run: async (eventually) => {
        await jumps(eventually, send, (frame) => frame.locator("#chart").press("Enter"));
        await jumps(eventually, handler, (frame) => frame.locator("#chart").press("Alt+Enter"));
      },
    },
    {
      name: "a click on a message goes to its send, an alt-click to its handler",
      shot: "chart-jump",
      isClientOnly: true,
      run: async (eventually, picture) => {
        const label = (frame) => frame.locator(`#moment-${write} .arrow .label`);
        await jumps(eventually, handler, (frame) => label(frame).click({ modifiers: ["Alt"], timeout: 5000 }));
        await jumps(eventually, send, (frame) => label(frame).click({ timeout: 5000 }));
        await picture();
      },
    },
    {
      name: "the arrow keys follow a message to where it is taken and back",
      isClientOnly: true,
      run: async () => {
        const frame = await choose(write);
        const taken = story.messages[story.moments[write].what.message].fate.moment;
        await frame.locator("#chart").press("ArrowRight");
        await frame.locator(`#moment-${taken}.chosen`).waitFor();
        assert.equal(await frame.locator("#chart").getAttribute("aria-activedescendant"), `moment-${taken}`);
        await frame.locator("#chart").press("ArrowLeft");
        await frame.locator(`#moment-${write}.chosen`).waitFor();
      },
    },
    {
      name: "what is unchanged is hidden until it is asked for",
      isClientOnly: true,
      run: async () => {
        const taken = story.messages[story.moments[write].what.message].fate.moment;
        const frame = await choose(taken);
        const rows = frame.locator("#details td:first-child");
        const few = await rows.count();
        assert.equal(await frame.locator("#details tr:not(.changed) td").count(), 0);
        await frame.locator("#hide-unchanged").uncheck();
        assert.ok((await rows.count()) > few);
        await frame.locator("#hide-unchanged").check();
        assert.equal(await rows.count(), few);
      },
    },
    {
      name: "a filter leaves what has to do with a machine, an event, a variable or a change",
      shot: "chart-filter",
      isClientOnly: true,
      run: async (_, picture) => {
        const frame = await chart();
        await frame.locator("#event").selectOption("eWrite");
        assert.match(await frame.locator("#count").innerText(), /^\d of \d+ moments$/);
        await picture();
        await frame.locator("#event").selectOption("");
        await frame.locator("#machine").selectOption({ label: "Store(1.2)" });
        const heads = await frame.locator("#names text").allTextContents();
        assert.ok(heads.includes("Store(1.2)") && !heads.includes("Timer(1.1.1)"), heads.join());
        await frame.locator("#machine").selectOption("");
        await frame.locator("#variable").selectOption("newestEpoch");
        await frame.locator("#only-changes").check();
        assert.match(await frame.locator("#count").innerText(), /^3 of \d+ moments$/);
        await frame.locator("#only-changes").uncheck();
        await frame.locator("#variable").selectOption("");
        assert.match(await frame.locator("#count").innerText(), /^\d+ moments$/);
      },
    },
    {
      name: "the chart is exported as a picture",
      isClientOnly: true,
      run: async (eventually) => {
        const svg = path.join(folder, "traces", `${TEST}.svg`);
        rmSync(svg, { force: true });
        await eventually(async () => {
          if (!existsSync(svg)) {
            await (await chart()).locator("#export").click({ timeout: 5000 });
            const input = page.locator(".quick-input-widget input[type=text]");
            await input.waitFor({ timeout: 10_000 });
            await input.fill(svg);
            await page.keyboard.press("Enter");
          }
          await page.waitForTimeout(500);
          assert.match(readFileSync(svg, "utf8"), /^<svg .*eWrite/s);
        });
      },
    },
    {
      name: "a chart of 2,000 moments has only what is on the screen, wherever that is",
      shot: "chart-long",
      isClientOnly: true,
      run: async (eventually, picture) => {
        await eventually(async () => {
          if ((await page.locator(".tab", { hasText: "long.trace.json" }).count()) === 0) {
            await openFile(page, "long.trace.json");
            await command(page, "Lockstep: Open Trace");
          }
          const frame = await chartOf(page, "tc");
          await frame.locator("#moment-1999.chosen").waitFor({ timeout: 5000 });
        });
        const frame = await chartOf(page, "tc");
        await frame.locator("#chart").evaluate((chart) => (chart.scrollTop = chart.scrollHeight / 2));
        await frame.locator("#moment-1000").waitFor();
        assert.ok((await frame.locator(".moment").count()) < 300);
        await picture();
        await command(page, "View: Close Editor");
      },
    },
    {
      name: "a file that is no trace is told so",
      isClientOnly: true,
      run: async (eventually) => {
        await eventually(async () => {
          if ((await page.locator(".tab", { hasText: "none.trace.json" }).count()) === 0) {
            await openFile(page, "none.trace.json");
            await command(page, "Lockstep: Open Trace");
          }
          const frame = await chartOf(page, "This trace cannot be shown");
          assert.match(await frame.locator("#about").innerText(), /it is no trace/);
        });
        await command(page, "View: Close Editor");
      },
    },
  ];
}

/** What needs the server: in this order, because each goes on where the one before it ends. */
function serverChecks(page, folder) {
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
  const { row, description, icon } = rowsOf(page);
  return [
    {
      name: "a click on a lens runs a test, and the assertion that fails is underlined",
      shot: "run",
      run: async (eventually, picture) => {
        await runs(eventually, TEST, "Run", /refuted/);
        await command(page, "View: Focus Problems");
        const row = page.locator(".markers-panel .monaco-list-row", { hasText: BUG }).first();
        await row.waitFor();
        assert.match(await row.innerText(), /LS3001/);
        await picture();
        await eventually(async () => {
          if ((await page.locator(".tab.active", { hasText: "Safety.p" }).count()) === 0) await row.dblclick({ timeout: 2000 });
          await page.locator(".tab.active", { hasText: "Safety.p" }).waitFor({ timeout: 3000 });
          const wave = await editor().locator(".squiggly-error").first().boundingBox({ timeout: 1000 });
          const text = editor().locator(".view-line", { hasText: "reply.lease.epoch >= newestWrite" });
          const line = await text.first().boundingBox({ timeout: 1000 });
          assert.ok(wave.y >= line.y - 2 && wave.y <= line.y + line.height, "on another line");
        });
        await hidePanel(page);
      },
    },
    {
      name: "a click on a lens opens the chart of the run beside the test",
      shot: "run-chart",
      run: async (eventually, picture) => {
        await eventually(async () => {
          const isOpen = () => chartOf(page, TEST).then(() => true, () => false);
          if (!(await isOpen())) await clickLens(TEST, "Show trace");
          await page.waitForTimeout(2000);
          const frame = await chartOf(page, TEST);
          assert.match(await frame.locator("#bug").innerText({ timeout: 2000 }), new RegExp(BUG));
        });
        // The failure leads to the assertion.
        const frame = await chartOf(page, TEST);
        await eventually(async () => {
          await frame.locator("#bug").click({ timeout: 2000 });
          assert.equal(await selectedLine(page, "Safety.p"), 40);
        });
        // A picture with more room for the chart.
        if (await page.locator(".part.sidebar").isVisible()) await page.keyboard.press("Control+b");
        await frame.locator("#chart").press("Home");
        await frame.locator("#chart").press("End");
        await page.waitForTimeout(500);
        await picture();
        await command(page, "View: Show Explorer");
        await command(page, "View: Close All Editors");
      },
    },
    {
      name: "a click on a lens explores a test, which is another verdict than to run it",
      run: async (eventually) => {
        await runs(eventually, "tcOneClient", "Run", /sampled|exhausted/);
        await runs(eventually, "tcOneClient", "Explore", /exhausted/);
      },
    },
    {
      name: "the Testing view shows the states of both tests",
      shot: "run-tests",
      run: async (eventually, picture) => {
        await openTests(page, eventually, "Lease", TEST);
        await eventually(async () => {
          assert.match(await icon(TEST), /testing-failed/);
          assert.match(await description(TEST), /^\u2717 refuted/);
          assert.match(await icon("tcOneClient"), /testing-passed/);
          assert.match(await description("tcOneClient"), /^\u25c9 exhausted/);
        });
        await picture();
      },
    },
    {
      name: "the Testing view steps through the run of a test that fails",
      run: async (eventually) => {
        const toolbar = page.locator(".debug-toolbar");
        await eventually(async () => {
          if ((await toolbar.count()) === 0 || !(await toolbar.isVisible())) {
            await openTests(page, eventually, "Lease", TEST);
            await row(TEST).click({ timeout: 2000 });
            await row(TEST).locator('[aria-label^="Debug Test"]').first().click({ timeout: 2000 });
          }
          await toolbar.waitFor({ timeout: 10_000 });
        });
        await stopDebugging(page, eventually);
        await command(page, "View: Show Explorer");
      },
    },
    {
      name: "a click on a lens steps through the run, and back",
      shot: "run-debug",
      run: async (eventually, picture) => {
        const toolbar = page.locator(".debug-toolbar");
        await eventually(async () => {
          if ((await toolbar.count()) === 0 || !(await toolbar.isVisible())) {
            await clickLens(TEST, "Debug trace");
          }
          await toolbar.waitFor({ timeout: 10_000 });
        });
        /** Where the debugger is: the editor selects it. */
        const at = async () => {
          const tab = await page.locator(".tab.active").first().innerText({ timeout: 2000 });
          await page.locator(".debug-top-stack-frame-line").first().waitFor({ timeout: 5000 });
          const place = await page.locator(".statusbar-item", { hasText: /^\s*Ln \d+/ }).first().innerText({ timeout: 2000 });
          return `${tab} ${place.trim()}`;
        };
        const step = async (button) => {
          const before = await at();
          await toolbar.locator(`.${button}`).first().click({ timeout: 5000 });
          for (let left = 20; left > 0 && (await at()) === before; left -= 1) await page.waitForTimeout(200);
          return at();
        };
        await eventually(at);
        await hidePanel(page);
        await command(page, "View: Show Run and Debug");
        const places = [await at()];
        while (places.length < 6) places.push(await step("codicon-debug-step-into"));
        assert.ok(new Set(places).size > 3, `it goes nowhere: ${places.join("; ")}`);
        await picture();
        assert.equal(await step("codicon-debug-step-back"), places.at(-2));
        assert.equal(await step("codicon-debug-step-into"), places.at(-1));
        // Each machine is a thread.
        await page.locator(".debug-call-stack .monaco-list-row", { hasText: "CrashingClients" }).first().waitFor();
        await stopDebugging(page, eventually);
        await command(page, "View: Show Explorer");
      },
    },
    {
      name: "the finding goes when the bug is mended and saved",
      run: async (eventually) => {
        await openFile(page, "Store.p");
        await eventually(async () => {
          const wrong = editor().locator(".view-line", { hasText: "write.lease.epoch > 0" });
          if ((await wrong.count()) > 0) {
            await wrong.first().dblclick({ timeout: 2000 });
            await page.keyboard.press("End");
            await page.keyboard.press("Shift+Home");
            await page.keyboard.type("if (write.lease.epoch >= newestEpoch) {");
          }
          await page.keyboard.press("Control+s");
          assert.match(readFileSync(path.join(folder, "PSrc/Store.p"), "utf8"), /write\.lease\.epoch >= newestEpoch/);
        });
        await eventually(() => says(TEST, /sampled|exhausted|stale|not checked/));
        await openFile(page, "Safety.p");
        await eventually(async () => assert.equal(await editor().locator(".squiggly-error").count(), 0));
      },
    },
  ];
}
