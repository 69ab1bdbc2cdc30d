// The diagram beside its source, as a page: it follows the cursor and the text, and leads back.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { openFile, selectedLine } from "./acts.mjs";
import { command, look } from "./dom.mjs";

export function testDiagrams(options) {
  return look({ ...options, width: 1440 }, checks);
}

/** The page of the diagram, if it has this title. */
async function diagramOf(page, title) {
  for (const frame of page.frames()) {
    const head = frame.locator("header[aria-label=Diagram] #title");
    if ((await head.count().catch(() => 0)) > 0) {
      if (title !== undefined) assert.equal(await head.innerText({ timeout: 1000 }), title);
      return frame;
    }
  }
  throw new Error("no diagram");
}

function checks(page, _, folder) {
  const lines = readFileSync(path.join(folder, "PSrc/Client.p"), "utf8").split("\n");
  const lineOf = (text) => lines.findIndex((line) => line.includes(text)) + 1;
  const box = (frame, name) => frame.locator(".box", { has: frame.locator(".name", { hasText: new RegExp(`^${name}$`) }) });
  const current = (frame) => frame.locator(".box.current .name").textContent({ timeout: 2000 });
  const goTo = async (line) => {
    await page.keyboard.press("Control+g");
    await page.locator(".quick-input-widget input[type=text]").fill(`:${line}`, { timeout: 5000 });
    await page.keyboard.press("Enter");
    assert.equal(await selectedLine(page, "Client.p"), line);
  };
  return [
    {
      name: "the states of the machine at the cursor are drawn, and the state of the cursor is marked",
      shot: "diagram",
      run: async (eventually, picture) => {
        await eventually(async () => {
          if ((await page.locator(".tab", { hasText: /^(Diagram|machine Client)/ }).count()) === 0) {
            await openFile(page, "Client.p");
            await goTo(lineOf("state Waiting"));
            await command(page, "Lockstep: Show Diagram");
          }
          const frame = await diagramOf(page, "machine Client");
          assert.equal(await current(frame), "Waiting");
          assert.deepEqual((await frame.locator(".box .name").allTextContents()).sort(), ["Crashed", "Done", "Holding", "Init", "Waiting"]);
        });
        await picture();
      },
    },
    {
      name: "a click on a state moves the cursor to it",
      shot: "diagram-click",
      run: async (eventually, picture) => {
        await eventually(async () => {
          const frame = await diagramOf(page, "machine Client");
          await box(frame, "Holding").locator(".name").click({ timeout: 3000 });
          assert.equal(await selectedLine(page, "Client.p"), lineOf("state Holding"));
          assert.equal(await current(frame), "Holding");
        });
        await picture();
      },
    },
    {
      name: "a click on an event leads to its handler, and Enter on a state to the state",
      run: async (eventually) => {
        await eventually(async () => {
          const frame = await diagramOf(page, "machine Client");
          await frame.locator(".arrow .label", { hasText: "eLeaseGranted" }).first().click({ timeout: 3000 });
          assert.equal(await selectedLine(page, "Client.p"), lineOf("on eLeaseGranted"));
          await box(frame, "Crashed").focus({ timeout: 3000 });
          await page.keyboard.press("Enter");
          assert.equal(await selectedLine(page, "Client.p"), lineOf("state Crashed"));
        });
      },
    },
    {
      name: "it gets larger and smaller, and as large as there is room",
      run: async (eventually) => {
        await eventually(async () => {
          const frame = await diagramOf(page, "machine Client");
          const width = async () => (await frame.locator("#paper svg").boundingBox({ timeout: 2000 })).width;
          await frame.locator("#fit").click({ timeout: 2000 });
          const fitting = await width();
          await frame.locator("#larger").click({ timeout: 2000 });
          const large = await width();
          assert.ok(large > fitting * 1.1, `${fitting} to ${large}`);
          await frame.locator("#paper").hover({ position: { x: 20, y: 20 }, timeout: 2000 });
          await page.keyboard.down("Control");
          await page.mouse.wheel(0, 200);
          await page.keyboard.up("Control");
          await page.waitForTimeout(200);
          assert.ok((await width()) < large * 0.95, "the wheel makes it smaller");
          await frame.locator("#fit").click({ timeout: 2000 });
          assert.ok(Math.abs((await width()) - fitting) < 1);
        });
      },
    },
    {
      name: "it follows what is typed, and stays as it was while that is broken",
      shot: "diagram-broken",
      run: async (eventually, picture) => {
        const frame = await diagramOf(page, "machine Client");
        const line = page.locator(".editor-instance .monaco-editor .view-line", { hasText: "state Crashed" }).first();
        await line.locator("span span").last().click({ timeout: 5000 });
        await page.keyboard.press("Home");
        await page.keyboard.type("state Fresh ");
        await frame.locator("#note", { hasText: "this is how it was before" }).waitFor();
        assert.equal(await box(frame, "Crashed").count(), 1);
        await picture();
        await page.keyboard.type("{ } ");
        await eventually(async () => {
          assert.equal(await box(frame, "Fresh").count(), 1);
          assert.equal(await frame.locator("#note").innerText({ timeout: 1000 }), "");
        });
      },
    },
    {
      name: "the event flow is drawn when it is asked for, and outside of machines",
      shot: "diagram-flow",
      run: async (eventually, picture) => {
        await eventually(async () => {
          const frame = await diagramOf(page);
          await frame.locator("#view").selectOption("flow", { timeout: 2000 });
          const flow = await diagramOf(page, "event flow of Lease");
          assert.equal(await flow.locator(".box.spec").count(), 3);
        });
        await picture();
        await eventually(async () => {
          const flow = await diagramOf(page, "event flow of Lease");
          await box(flow, "Store").locator(".name").click({ timeout: 3000 });
          assert.equal(await selectedLine(page, "Store.p") > 0, true);
          assert.equal(await current(flow), "Store");
        });
      },
    },
  ];
}
