// The chart of a trace as a page. These checks need no server: a trace file has everything in it.

import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { BUG, chartOf, openFile, selectedLine, TEST } from "./acts.mjs";
import { command } from "./dom.mjs";

export function chartChecks(page, folder) {
  const { story, original } = JSON.parse(readFileSync(path.join(folder, `traces/${TEST}.trace.json`), "utf8"));
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
      name: "all of the run is shown as it was found, leads to the source, and is short again",
      shot: "chart-all",
      isClientOnly: true,
      run: async (eventually, picture) => {
        const many = original.story.moments.length;
        const frame = await chart();
        assert.match(await frame.locator("#all-words").innerText(), new RegExp(`^show all ${original.decisions.length} steps$`));
        await frame.locator("#all").check();
        await frame.locator("#count", { hasText: new RegExp(`^${many} moments$`) }).waitFor();
        await frame.locator(`#moment-${many - 1}.chosen`).waitFor();
        await picture();
        const taken = original.story.messages.find(({ event, fate }) => event === "eWrite" && fate.kind === "taken");
        const { path: file, line } = original.story.moments[taken.sent].place;
        await eventually(async () => {
          await (await choose(taken.fate.moment)).locator("#details [data-go=send]").click({ timeout: 5000 });
          assert.equal(await selectedLine(page, path.basename(file)), line);
        });
        await frame.locator("#all").uncheck();
        await frame.locator("#count", { hasText: new RegExp(`^${story.moments.length} moments$`) }).waitFor();
        await frame.locator(`#moment-${story.moments.length - 1}.chosen`).waitFor();
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
      name: "what repeats itself for ever is bracketed",
      shot: "chart-loop",
      isClientOnly: true,
      run: async (eventually, picture) => {
        await eventually(async () => {
          if ((await page.locator(".tab", { hasText: "loop.trace.json" }).count()) === 0) {
            await openFile(page, "loop.trace.json");
            await command(page, "Lockstep: Open Trace");
          }
          await (await chartOf(page, "tcLoop")).locator(".loop .loop-line").waitFor({ timeout: 5000, state: "attached" });
        });
        const frame = await chartOf(page, "tcLoop");
        const loop = JSON.parse(readFileSync(path.join(folder, "traces/loop.trace.json"), "utf8"));
        // It begins above the first moment of what is repeated, and goes on to the last.
        const box = (selector) => frame.locator(selector).first().boundingBox();
        const first = loop.story.repeatsFrom;
        const [band, begin, end] = [await box(".loop-band"), await box(`#moment-${first} .band`), await box(`#moment-${loop.story.moments.length - 1} .band`)];
        assert.ok(Math.abs(band.y - begin.y) < 2, `it begins at ${band.y}, not ${begin.y}`);
        assert.ok(Math.abs(band.y + band.height - end.y - end.height) < 2, "it ends elsewhere");
        // Nothing was left out of it, so there is nothing more to show.
        assert.equal(await frame.locator("#all").isVisible(), false);
        await picture();
        await command(page, "View: Close Editor");
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
