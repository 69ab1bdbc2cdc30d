// The hierarchy of calls, notes between the words, and links of project files, as a person sees them.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { command, look } from "./dom.mjs";

/** Adds a project beside that of the folder, which has a link of each kind. */
export function linkedProject(folder) {
  const lines = [
    "<Project>",
    "  <ProjectName>Linked</ProjectName>",
    "  <IncludeProject>../lease.pproj</IncludeProject>",
    "  <InputFiles>",
    "    <PFile>../PSrc/Client.p</PFile>",
    "    <PFile>../PSpec/</PFile>",
    "  </InputFiles>",
    "</Project>",
    "",
  ];
  mkdirSync(path.join(folder, "linked"));
  writeFileSync(path.join(folder, "linked/linked.pproj"), lines.join("\n"));
  return folder;
}

export function testCalls(options) {
  return look({ ...options, file: "PSrc/Protocol.p" }, checks);
}

function checks(page) {
  const editor = page.locator(".editor-instance .monaco-editor").first();
  const word = (text) => editor.locator(".view-line span", { hasText: new RegExp(`^\\s*${text}\\s*$`) }).first();
  const open = async (name) => {
    await page.keyboard.press("Control+p");
    await page.locator(".quick-input-widget input[type=text]").fill(name);
    // Not with Enter, which takes whatever is chosen just now.
    await page.locator(".quick-input-widget .monaco-list-row", { hasText: path.basename(name) }).first().click();
    await page.locator(".tab.active", { hasText: path.basename(name) }).waitFor();
  };
  return [
    {
      name: "the calls of an event are its senders",
      shot: "calls",
      run: async (eventually, picture) => {
        const sender = page.locator(".call-hierarchy .monaco-list-row", { hasText: "Client.Waiting entry" }).first();
        await eventually(async () => {
          if ((await page.locator(".call-hierarchy").count()) === 0) {
            await word("eLeaseRequest").click({ timeout: 1000 });
            await command(page, "Peek Call Hierarchy");
          }
          await sender.waitFor({ timeout: 3000 });
        });
        assert.match(await sender.innerText(), /sends/);
        await picture();
        await page.keyboard.press("Escape");
        await page.locator(".call-hierarchy").waitFor({ state: "hidden" });
      },
    },
    {
      name: "the view of calls shows who sends an event, and who handles it or looks on",
      shot: "calls-view",
      run: async (eventually, picture) => {
        const row = (text) => page.locator(".sidebar .monaco-list-row", { hasText: text }).first();
        await eventually(async () => {
          await word("eLeaseRequest").click({ timeout: 1000 });
          await command(page, "Calls: Show Call Hierarchy");
          await row("Client.Waiting entry").waitFor({ timeout: 3000 });
        });
        await command(page, "Calls: Show Outgoing Calls");
        await row("LeaseServer.Free on eLeaseRequest").waitFor();
        assert.match(await row("LeaseServer.Free on eLeaseRequest").innerText(), /handles/);
        await page.locator(".sidebar .monaco-list-row", { hasText: "observes" }).first().waitFor();
        await picture();
      },
    },
    {
      name: "notes stand between the words",
      shot: "hints",
      run: async (eventually, picture) => {
        await open("PSrc/Client.p");
        const shown = async () => (await editor.locator(".view-lines").innerText()).replaceAll("\u00a0", " ");
        await eventually(async () => {
          const text = await shown();
          assert.ok(text.includes("→ 2 handlers") && text.includes(": tLease"), text);
        });
        await picture();
      },
    },
    {
      name: "a path in a project file leads to its file",
      shot: "links",
      run: async (eventually, picture) => {
        await open("linked/linked.pproj");
        const link = editor.locator(".detected-link", { hasText: "Client.p" }).first();
        await link.waitFor();
        await picture();
        await eventually(async () => {
          await link.click({ modifiers: ["Control"], timeout: 1000 });
          await page.locator(".tab.active", { hasText: "Client.p" }).waitFor({ timeout: 2000 });
        });
      },
    },
    {
      name: "a path of a folder shows the folder, and nothing complains",
      shot: "links-folder",
      run: async (eventually, picture) => {
        await open("linked/linked.pproj");
        const link = editor.locator(".detected-link", { hasText: "PSpec" }).first();
        await link.click({ modifiers: ["Control"] });
        const row = page.locator(".explorer-folders-view .monaco-list-row.focused, .explorer-folders-view .monaco-list-row.selected");
        await eventually(async () => assert.match((await row.allInnerTexts()).join(), /PSpec/));
        await picture();
        assert.equal(await page.locator(".notifications-toasts .notification-toast").count(), 0);
      },
    },
    {
      name: "renaming a file changes the project file that names it",
      shot: "renamed",
      run: async (_, picture) => {
        await command(page, "View: Show Explorer");
        await open("PSrc/Client.p");
        await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "Client.p" }).click();
        await page.keyboard.press("F2");
        const input = page.locator(".explorer-folders-view input.input");
        await input.fill("Customer.p");
        await input.press("Enter");
        // The editor asks before it changes other files.
        await page.locator(".monaco-dialog-box .monaco-button", { hasText: "OK" }).first().click();
        await page.locator(".tab", { hasText: "linked.pproj" }).click();
        await editor.locator(".view-line", { hasText: "../PSrc/Customer.p" }).waitFor();
        await picture();
      },
    },
  ];
}
