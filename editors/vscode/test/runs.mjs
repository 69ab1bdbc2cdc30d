// What a person sees of runs: charts of traces, lenses that run a test, its states in the Testing view, and the debugger.
//
// The folder is trusted here, because VS Code itself neither runs tests nor debuggers in one that is not. A check may be tried again after
// a click that was lost, so each looks first whether what it wants is there already.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { file as traceOf, long } from "./chart.mjs";
import { BUG, chartOf, hidePanel, lensesOf, openFile, selectedLine, stopDebugging, TEST } from "./acts.mjs";
import { chartChecks } from "./charts.mjs";
import { debuggerChecks } from "./debugging.mjs";
import { command, look } from "./dom.mjs";
import { openTests, rowsOf } from "./states.mjs";

export const TRUSTED = { "security.workspace.trust.enabled": false, "testing.automaticallyOpenTestResults": "neverOpen" };
const TESTS = "PTst/Tests.p";

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
  findBug(program, folder, ["run", "lease.pproj", TEST], path.join(folder, `traces/${TEST}.trace.json`));
  // Beside the project: what is in a folder belongs to it.
  const elsewhere = path.join(parent, "loop");
  mkdirSync(elsewhere);
  writeFileSync(path.join(elsewhere, "loop.p"), LOOP);
  findBug(program, elsewhere, ["explore", "loop.p", "tcLoop"], path.join(folder, "traces/loop.trace.json"));
  return folder;
}

/** A spec waits for an answer while two machines go on for ever. */
const LOOP = `event eAsk;
event eAnswer;
event eTick: int;
machine Asker {
    var worker: machine;
    start state Waiting {
        entry { worker = new Worker(this); send worker, eAsk; send worker, eTick, 1; }
        on eTick do (n: int) { send worker, eTick, 1 - n; }
        ignore eAnswer;
    }
}
machine Worker {
    var asker: machine;
    var last: int;
    start state Working {
        entry (given: machine) { asker = given; }
        on eTick do (n: int) { last = n; send asker, eTick, n; }
        ignore eAsk;
    }
}
spec Answered observes eAsk, eAnswer {
    start state Idle { on eAsk goto Open; }
    hot state Open { on eAnswer goto Idle; }
}
test tcLoop [main=Asker]: assert Answered in { Asker, Worker };
`;

function findBug(program, folder, words, trace) {
  try {
    execFileSync(program, [...words, "--trace-out", trace], { cwd: folder, stdio: "ignore" });
  } catch {
    // It ends with 1 because there is a bug.
  }
  if (!existsSync(trace)) throw new Error(`no bug was found: ${words.join(" ")}`);
}

/** What needs the server: in this order, because each goes on where the one before it ends. */
function serverChecks(page, folder) {
  const { editor, clickLens, says, runs } = lensesOf(page);
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
    ...debuggerChecks(page, folder),
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
