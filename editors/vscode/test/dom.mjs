// What a person sees: checks of the workbench's page, with pictures.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { waitUntil } from "./workbench.mjs";

const CLIENT = "PSrc/Client.p";
/** Time for what the editor does by itself, however short the server's time is. */
const CLIENT_TIMEOUT = 30_000;
const MESSAGE = "a value of type `bool` cannot be stored in a place of type `int`";

/** What the checks of a working server find; returns a list of `{ name, ok, detail, milliseconds, isClientOnly }`. */
export function testPage(options) {
  return look(options, checks);
}

/** What is seen when the program that the setting names ends at once, and when there is no such program. */
export function testBroken(options) {
  return look(options, brokenChecks);
}

/** Opens the folder with a file in it, goes through the checks, and takes pictures of what fails. */
export async function look({ browser, workbench, folder, shots, timeout, file = CLIENT, width = 1280 }, checks) {
  const page = await browser.newPage({ viewport: { width, height: 800 }, deviceScaleFactor: 1 });
  await page.goto(workbench.address(folder, file), { timeout: 60_000 });
  await page.locator(".monaco-workbench .view-lines .view-line").first().waitFor({ timeout: 60_000 });
  const results = [];
  for (const { name, shot, isClientOnly = false, run } of checks(page, workbench, folder)) {
    const start = Date.now();
    const picture = async (shown = page) => {
      if (shots !== undefined) await shown.screenshot({ path: path.join(shots, `${shot}.png`) });
    };
    const limit = isClientOnly ? CLIENT_TIMEOUT : timeout;
    page.setDefaultTimeout(limit);
    let detail = "";
    try {
      await run((attempt) => waitUntil(async () => ((await attempt()), true), limit), picture);
    } catch (error) {
      detail = error.message.split("\n").slice(0, 6).join("\n");
    }
    results.push({ name, ok: detail === "", detail, milliseconds: Date.now() - start, isClientOnly });
    if (detail !== "" && shot !== undefined) await picture();
  }
  await page.close();
  return results;
}

function checks(page) {
  const editor = page.locator(".editor-instance .monaco-editor").first();
  const line = (text) => editor.locator(".view-line", { hasText: text }).first();
  const word = (text) => editor.locator(".view-line span", { hasText: new RegExp(`^\\s*${text}\\s*$`) }).first();
  const hoverError = async () => {
    const wave = await editor.locator(".squiggly-error").first().boundingBox({ timeout: 500 });
    await page.mouse.move(wave.x + wave.width / 2, wave.y + wave.height - 4);
    const hover = page.locator(".monaco-hover:visible", { hasText: "LS0305" }).first();
    await hover.waitFor({ timeout: 1500 });
    return hover;
  };
  return [
    {
      name: "words of the language are coloured, names are not the same colour",
      isClientOnly: true,
      run: (eventually) =>
        eventually(async () => {
          const color = (text) => word(text).evaluate((node) => getComputedStyle(node).color);
          assert.notEqual(await color("machine"), await color("roundsLeft"));
        }),
    },
    {
      name: "the status bar has an item",
      isClientOnly: true,
      run: () => page.locator(".statusbar-item", { hasText: "Lockstep" }).waitFor(),
    },
    {
      name: "the type error is underlined",
      run: (eventually) =>
        eventually(async () => {
          const wave = await editor.locator(".squiggly-error").first().boundingBox({ timeout: 500 });
          const text = await line("roundsLeft = given").boundingBox({ timeout: 500 });
          assert.ok(wave.y >= text.y - 2 && wave.y <= text.y + text.height, "on another line");
          assert.ok(wave.width > 60, `${wave.width} pixels wide`);
        }),
    },
    {
      name: "hovering it shows the message and its code",
      shot: "hover",
      run: async (eventually, picture) => {
        await eventually(async () => {
          const text = await (await hoverError()).innerText();
          assert.ok(text.includes(MESSAGE) && !text.includes("Loading"), text);
        });
        await picture();
      },
    },
    {
      name: "the code in the hover leads to its explanation",
      shot: "explanation",
      run: async (eventually, picture) => {
        // The explanation covers the editor, so a click that worked late must not be tried again.
        const tab = page.locator(".tab", { hasText: "LS0305" });
        await eventually(async () => {
          if ((await tab.count()) === 0) {
            await (await hoverError()).locator("a", { hasText: "LS0305" }).click({ timeout: 500 });
          }
          await tab.waitFor({ timeout: 2000 });
        });
        const preview = page.frameLocator("iframe.webview").frameLocator("iframe#active-frame");
        await preview.locator("h1", { hasText: "LS0305" }).waitFor();
        await picture();
      },
    },
    {
      name: "lenses stand above declarations",
      run: async (eventually) => {
        await page.locator(".tab", { hasText: "Client.p" }).click();
        await eventually(async () => {
          const texts = await editor.locator(".codelens-decoration a").allInnerTexts();
          assert.ok(texts.some((text) => /created in \d+ place/.test(text)), `lenses: ${texts}`);
        });
      },
    },
    {
      name: "a click on a lens shows the references",
      shot: "lens",
      run: async (eventually, picture) => {
        await eventually(async () => {
          await editor.locator(".codelens-decoration a", { hasText: "created in" }).first().click({ timeout: 1000 });
          await page.locator(".reference-zone-widget").waitFor({ timeout: 1500 });
        });
        await page.locator(".reference-zone-widget .monaco-list-row").first().waitFor();
        await picture();
      },
    },
    {
      name: "the Problems panel lists the error",
      shot: "problems",
      run: async (_, picture) => {
        await page.keyboard.press("Escape");
        await command(page, "View: Focus Problems");
        const row = page.locator(".markers-panel .monaco-list-row", { hasText: MESSAGE });
        await row.first().waitFor();
        assert.ok((await row.first().innerText()).includes("LS0305"));
        await picture();
      },
    },
    {
      name: "the code in the Problems panel leads to its explanation",
      shot: "problems-explanation",
      run: async (eventually, picture) => {
        const tab = page.locator(".tab.active", { hasText: "LS0305" });
        assert.equal(await tab.count(), 0, "it is there before the click");
        await eventually(async () => {
          if ((await tab.count()) === 0) {
            await page.locator(".markers-panel a", { hasText: "LS0305" }).first().click({ timeout: 1000 });
          }
          await tab.waitFor({ timeout: 2000 });
        });
        const preview = page.frameLocator("iframe.webview").frameLocator("iframe#active-frame");
        await preview.locator("h1", { hasText: "LS0305" }).waitFor();
        await picture();
        await page.locator(".tab", { hasText: "Client.p" }).click();
      },
    },
    {
      name: "the Testing view lists tests and their cases",
      shot: "tests",
      run: async (eventually, picture) => {
        await command(page, "Testing: Focus on Test Explorer View");
        const row = (text) => page.locator(".test-explorer .monaco-list-row", { hasText: text });
        await eventually(async () => {
          if ((await row("tcMatrix").count()) === 0) {
            await row("Lease").locator(".monaco-tl-twistie").first().click({ timeout: 500 });
          }
          await row("tcMatrix").first().waitFor({ timeout: 1000 });
        });
        await row("tcMatrix").first().locator(".monaco-tl-twistie").click();
        await row("nClients = 1").first().waitFor();
        await picture();
      },
    },
    {
      name: "F12 goes to the definition in another file",
      shot: "definition",
      run: async (_, picture) => {
        await page.keyboard.press("Control+j");
        await command(page, "View: Show Explorer");
        await page.locator(".tab", { hasText: "Client.p" }).click();
        await word("eLeaseRequest").click();
        await page.keyboard.press("F12");
        await page.locator(".tab.active", { hasText: "Protocol.p" }).waitFor();
        await picture();
        await page.locator(".tab", { hasText: "Client.p" }).click();
      },
    },
    {
      name: "completion pops up while typing, and the error goes when it is corrected",
      shot: "completion",
      run: async (eventually, picture) => {
        await editor.locator(".squiggly-error").first().waitFor();
        await word("mayCrash").first().waitFor();
        await line("roundsLeft = given").click();
        await page.keyboard.press("End");
        for (let i = 0; i < "mayCrash;".length; i++) await page.keyboard.press("Backspace");
        await page.keyboard.press("Backspace");
        await page.keyboard.type(".ro");
        const suggestion = page.locator(".suggest-widget.visible .monaco-list-row", { hasText: "rounds" });
        await suggestion.first().waitFor();
        await picture();
        await page.keyboard.press("Enter");
        await page.keyboard.type(";");
        await eventually(async () => assert.equal(await editor.locator(".squiggly-error").count(), 0));
      },
    },
    {
      name: "a quick fix of the menu mends a misspelt name, and its wave goes",
      shot: "quick-fix",
      run: async (eventually, picture) => {
        const misspelt = "goto Waitin;";
        if ((await line(misspelt).count()) === 0) {
          await line("goto Waiting;").click();
          await page.keyboard.press("End");
          await page.keyboard.press("ArrowLeft");
          await page.keyboard.press("Backspace");
        }
        await editor.locator(".squiggly-error").first().waitFor();
        await page.keyboard.press("Escape");
        const fix = page.locator(".action-widget .monaco-list-row", { hasText: "replace it by `Waiting`" }).first();
        await eventually(async () => {
          await page.keyboard.press("Control+.");
          await fix.waitFor({ timeout: 3000 });
        });
        await picture();
        await fix.click();
        await eventually(async () => assert.equal(await editor.locator(".squiggly-error").count(), 0));
        await line("goto Waiting;").waitFor();
      },
    },
    {
      name: "a snippet of the server expands, with places to fill in",
      shot: "snippet",
      run: async (eventually, picture) => {
        await line("roundsLeft = given").click();
        await page.keyboard.press("Control+End");
        await page.keyboard.press("Enter");
        await page.keyboard.type("machi");
        await page.locator(".suggest-widget.visible .monaco-list-row", { hasText: "a machine" }).first().waitFor();
        await page.keyboard.press("Enter");
        await line("machine Name {").waitFor();
        // The first place is selected: what is typed replaces it; Tab leads to the next.
        await page.keyboard.type("Watcher");
        await page.keyboard.press("Tab");
        await page.keyboard.type("Idle");
        await line("machine Watcher {").waitFor();
        await line("start state Idle {").waitFor();
        await picture();
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
      },
    },
    {
      name: "a slider goes through the rewrite steps, and the document follows",
      shot: "steps",
      run: async (eventually, picture) => {
        await page.keyboard.press("Control+p");
        await page.locator(".quick-input-widget input[type=text]").fill("order.icet");
        await page.locator(".quick-input-widget .monaco-list-row", { hasText: "order.icet" }).first().waitFor();
        await page.keyboard.press("Enter");
        await page.locator(".codelens-decoration", { hasText: "sequentializes" }).waitFor();
        await command(page, "Lockstep: Show Sequentialization");
        const document = page.locator('.editor-instance[data-uri^="lockstep-seq:"], .monaco-editor[data-uri^="lockstep-seq:"]').first();
        const has = (text) => document.locator(".view-line", { hasText: text }).first().waitFor();
        await has("sequential {");
        await command(page, "Lockstep: Show Rewrite Steps");
        const frame = page.frameLocator("iframe.webview").frameLocator("#active-frame");
        const slider = frame.locator("#step");
        const count = () => frame.locator("#count").innerText();
        await eventually(async () => assert.match(await count(), /^step 4 of 4$/));
        await slider.focus();
        await slider.press("Home");
        await has("After step 0 of 4");
        await slider.press("ArrowRight");
        await slider.press("ArrowRight");
        await has("After step 2 of 4");
        assert.equal(await count(), "step 2 of 4");
        const words = await frame.locator("#words").innerText();
        assert.match(words, /`b` receives `Ping` from `a` \(line 10: `recv Ping\(m\) from a`; sent in line 5; rule Receive\)/);
        await has("receives `Ping` from `a`");
        await picture();
        await slider.press("End");
        await eventually(async () => assert.equal(await document.locator(".view-line", { hasText: "After step" }).count(), 0));
        await slider.press("Home");
        await has("After step 0 of 4");
        // The other way round: a command moves the document, and the slider follows.
        await command(page, "Lockstep: Next Rewrite Step");
        await eventually(async () => assert.equal(await slider.inputValue(), "1"));
        await page.locator(".statusbar-item", { hasText: "step 1 of 4" }).waitFor({ state: "hidden" });
      },
    },
    {
      name: "the walkthrough opens",
      shot: "walkthrough",
      isClientOnly: true,
      run: async (_, picture) => {
        await page.keyboard.press("Control+b");
        await command(page, "Lockstep: Open Walkthrough");
        const steps = page.locator(".gettingStartedContainer");
        for (const title of ["Begin with something that works", "Run your tests", "See how a bug comes about", "Let files be laid out"]) {
          await steps.filter({ hasText: title }).waitFor();
        }
        await page.waitForTimeout(500);
        await picture();
      },
    },
    {
      name: "a sample is copied and opened",
      shot: "sample",
      run: async (eventually, picture) => {
        await command(page, "Lockstep: Open Sample...");
        await page.locator(".quick-input-widget .monaco-list-row", { hasText: "lease-bug" }).first().click();
        const input = page.locator(".quick-input-widget input[type=text]");
        await eventually(async () => assert.match(await input.inputValue({ timeout: 500 }), /\/$/));
        const parent = mkdtempSync(path.join(tmpdir(), "lockstep-sample-"));
        try {
          // The dialog takes what comes at once for a path below the folder it shows.
          await input.press("Control+a");
          await page.keyboard.type(`${parent}/`);
          await eventually(async () => assert.equal(await input.inputValue({ timeout: 500 }), `${parent}/`));
          const opened = page.context().waitForEvent("page");
          await page.locator(".quick-input-widget .monaco-button", { hasText: "Copy lease-bug into this folder" }).click();
          const other = await opened;
          await other.locator(".explorer-folders-view .monaco-list-row", { hasText: "lease.pproj" }).waitFor({ timeout: 60_000 });
          assert.ok(existsSync(path.join(parent, "lease-bug/PSrc/Store.p")));
          await picture(other);
          await other.close();
        } finally {
          rmSync(parent, { recursive: true, force: true });
        }
      },
    },
    {
      name: "the item in the status bar has a menu",
      shot: "menu",
      isClientOnly: true,
      run: async (_, picture) => {
        await page.locator(".statusbar-item a", { hasText: "Lockstep" }).click();
        await page.locator(".quick-input-widget .monaco-list-row", { hasText: "Restart server" }).waitFor();
        await page.waitForTimeout(300);
        await picture();
        await page.keyboard.press("Escape");
      },
    },
  ];
}

function brokenChecks(page, workbench) {
  const toasts = page.locator(".notifications-toasts .notification-toast");
  return [
    {
      name: "a server that ends at once is given up with one message",
      shot: "given-up",
      isClientOnly: true,
      run: async (_, picture) => {
        await toasts.filter({ hasText: "does not stay up" }).waitFor();
        await page.waitForTimeout(1000);
        await picture();
        const texts = await toasts.allInnerTexts();
        assert.equal(texts.length, 1, texts.join("\n"));
        assert.match(texts[0], /Show Output/);
      },
    },
    {
      name: "editing goes on without it",
      isClientOnly: true,
      run: async () => {
        const line = page.locator(".editor-instance .view-line", { hasText: "goto Waiting;" }).first();
        await line.click();
        await page.keyboard.press("End");
        await page.keyboard.type(" // still here");
        await page.locator(".editor-instance .view-line", { hasText: "still here" }).waitFor();
      },
    },
    {
      name: "a setting that names no program is told, without a restart",
      shot: "wrong-setting",
      isClientOnly: true,
      run: async (_, picture) => {
        workbench.setMachine({ "lockstep.server.path": "/no/such/program" });
        const toast = toasts.filter({ hasText: "does not name a program: /no/such/program" });
        await toast.waitFor();
        assert.match(await toast.innerText(), /Open Settings/);
        await picture();
      },
    },
  ];
}

/** Runs a command by its title. The list of commands can be closed again by what has the focus, so it is opened until it stays. */
export async function command(page, title) {
  for (let left = 5; ; left -= 1) {
    try {
      await page.keyboard.press("F1");
      const input = page.locator(".quick-input-widget input[type=text]");
      await input.waitFor({ timeout: 10_000 });
      await input.fill(`>${title}`, { timeout: 10_000 });
      // Not with Enter, which takes whatever is chosen just now.
      await page.locator(".quick-input-widget .monaco-list-row", { hasText: title }).first().click({ timeout: 10_000 });
      return;
    } catch (error) {
      // An open list would be in the way of whatever comes next.
      await page.keyboard.press("Escape");
      if (left === 0) throw error;
    }
  }
}
