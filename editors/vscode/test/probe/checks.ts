// What the extension must do on the sample project, asked through the API of the editor. The checks run in this order:
// some change the project, and the next ones see it changed.

import * as assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Exports } from "../../src/extension.js";

export interface Check {
  readonly name: string;
  readonly isClientOnly?: boolean;
  readonly run: () => Promise<void>;
}

const CLIENT = "PSrc/Client.p";
const PROTOCOL = "PSrc/Protocol.p";
const ORDER = "icet/order.icet";
const STORE = "PSrc/Store.p";

export function checks(folder: string, timeout: number): Check[] {
  const project = new Project(folder, timeout);
  return [
    {
      name: "the workspace is not trusted, and the extension is active",
      isClientOnly: true,
      run: async () => {
        assert.equal(vscode.workspace.isTrusted, false);
        await project.open(CLIENT);
        await project.eventually(() => assert.equal(project.extension().isActive, true), 20_000);
      },
    },
    {
      name: "brackets close, lines indent, comments go on and toggle",
      isClientOnly: true,
      run: async () => {
        const cases: [language: string, text: string, keys: string[], wanted: string][] = [
          ["p", "machine M ", ["{", "\n"], "machine M {\n    \n}"],
          ["p", "machine M {\n    start state S {", ["\n"], "machine M {\n    start state S {\n        "],
          ["p", "fun f() {\n    if (b)", ["\n"], "fun f() {\n    if (b)\n        "],
          ["p", "/** One", ["\n"], "/** One\n * "],
          ["p", "/** One\n * two", ["\n"], "/** One\n * two\n * "],
          ["icet", "process a ", ["{", "\n"], "process a {\n    \n}"],
        ];
        for (const [language, text, keys, wanted] of cases) {
          // The editor reads the rules of a language when it is first used, and does not wait for them.
          await project.eventually(async () => assert.equal(await typed(language, text, keys), wanted), 20_000);
        }
        const [editor, document] = await edit("icet", "skip;");
        await vscode.commands.executeCommand("editor.action.commentLine");
        assert.equal(document.getText(), "// skip;");
        assert.equal(editor.document, document);
        await close();
      },
    },
    {
      name: "project files are XML",
      isClientOnly: true,
      run: async () => assert.equal((await project.open("lease.pproj")).languageId, "xml"),
    },
    {
      name: "a type error has its text, code and range",
      run: async () => {
        await project.open(CLIENT);
        const [found] = await project.problems(CLIENT, 1);
        assert.equal(found?.message, "a value of type `bool` cannot be stored in a place of type `int`");
        assert.equal(code(found), "LS0305");
        assert.equal(found.source, "lockstep");
        assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
        assert.equal(await project.text(CLIENT, found.range), "given.mayCrash");
      },
    },
    {
      name: "the status bar tells of it",
      run: () => project.eventually(() => assert.match(project.exports().statusText(), /1 project, 2 errors,/)),
    },
    {
      name: "hover on an event tells its payload",
      run: async () => {
        const hovers = await project.at<vscode.Hover[]>("vscode.executeHoverProvider", CLIENT, "eLeaseRequest");
        const text = hovers.flatMap(({ contents }) => contents.map(markdown)).join("\n");
        assert.match(text, /event eLeaseRequest: tLeaseRequest/);
      },
    },
    {
      name: "completion after `goto` offers the states of the machine",
      run: async () => {
        const labels = await project.completions(CLIENT, "goto Waiting;", "goto ".length);
        for (const state of ["Waiting", "Holding", "Done", "Crashed"]) {
          assert.ok(labels.includes(state), `${state} is not among ${labels}`);
        }
        assert.ok(!labels.includes("eLeaseRequest"), "an event is no state");
      },
    },
    {
      name: "completion after a dot offers the fields",
      run: async () => {
        const labels = await project.completions(CLIENT, "config.mayCrash", "config.".length);
        assert.deepEqual(labels.slice(0, 4).sort(), ["mayCrash", "rounds", "server", "store"]);
      },
    },
    {
      name: "completion after `send` offers the events",
      run: async () => {
        const labels = await project.completions(CLIENT, "send config.server, eLeaseRequest", "send config.server, ".length);
        for (const event of ["eLeaseRequest", "eLeaseReleased", "eWrite"]) {
          assert.ok(labels.includes(event), `${event} is not among ${labels}`);
        }
      },
    },
    {
      name: "signature help shows the parameters of a function of another file",
      run: async () => {
        const help = await project.at<vscode.SignatureHelp>(
          "vscode.executeSignatureHelpProvider", "PSrc/LeaseServer.p", "StartTimer(timer, ", "StartTimer(timer, ".length, ",",
        );
        assert.match(help.signatures[0]?.label ?? "", /StartTimer\(timer: Timer, ticket: int\)/);
        assert.equal(help.activeParameter, 1);
      },
    },
    {
      name: "definition leads to another file",
      run: async () => {
        const found = await project.at<(vscode.Location | vscode.LocationLink)[]>(
          "vscode.executeDefinitionProvider", CLIENT, "eLeaseRequest",
        );
        const [target] = found.map((one) => ("targetUri" in one ? one : { targetUri: one.uri, targetRange: one.range }));
        assert.ok(target);
        assert.equal(project.relative(target.targetUri), PROTOCOL);
        assert.match(await project.text(PROTOCOL, target.targetRange), /eLeaseRequest/);
      },
    },
    {
      name: "references are found in every file",
      run: async () => {
        const found = await project.at<vscode.Location[]>("vscode.executeReferenceProvider", PROTOCOL, "eLeaseGranted");
        const places = found.map(({ uri }) => project.relative(uri)).sort();
        assert.deepEqual(places, project.filesWith("eLeaseGranted"));
      },
    },
    {
      name: "the outline has machines, states and variables",
      run: async () => {
        const symbols = await project.of<vscode.DocumentSymbol[]>("vscode.executeDocumentSymbolProvider", CLIENT);
        assert.deepEqual(symbols.map(({ name }) => name), ["tClientConfig", "Client"]);
        const inside = symbols[1]?.children.map(({ name }) => name) ?? [];
        for (const name of ["config", "roundsLeft", "Init", "Waiting", "Holding", "Done", "Crashed"]) {
          assert.ok(inside.includes(name), `${name} is not among ${inside}`);
        }
      },
    },
    {
      name: "symbols are found across the project",
      run: async () => {
        const found = await vscode.commands.executeCommand<vscode.SymbolInformation[]>(
          "vscode.executeWorkspaceSymbolProvider", "LeaseServer",
        );
        assert.ok(found.some(({ name }) => name === "LeaseServer"), `found ${found.map(({ name }) => name)}`);
      },
    },
    {
      name: "folding ranges cover the machine and the comment",
      run: async () => {
        const found = await project.of<vscode.FoldingRange[]>("vscode.executeFoldingRangeProvider", CLIENT);
        const line = (await project.find(CLIENT, "machine Client")).line;
        assert.ok(found.some(({ start }) => start === line));
        // The editor's own guess by indentation has no kinds.
        assert.ok(found.some(({ kind }) => kind === vscode.FoldingRangeKind.Comment));
      },
    },
    {
      name: "semantic tokens tell an event from a variable",
      run: async () => {
        const kinds = await project.tokenKinds(CLIENT);
        assert.equal(kinds.get("eLeaseRequest"), "event");
        assert.notEqual(kinds.get("roundsLeft"), "event");
        assert.ok(kinds.has("roundsLeft"));
      },
    },
    {
      name: "a lens above an event counts its references",
      run: async () => {
        const lenses = await project.of<vscode.CodeLens[]>("vscode.executeCodeLensProvider", PROTOCOL, 100);
        const { line } = await project.find(PROTOCOL, "event eLeaseGranted");
        const here = lenses.filter(({ range }) => range.start.line === line);
        assert.ok(here.some(({ command }) => command?.command === "lockstep.showReferences" && /\d/.test(command.title)),
          `lenses: ${lenses.map(({ range, command }) => `${range.start.line} ${command?.title}`)}`);
      },
    },
    {
      name: "the Testing view lists projects, tests and cases",
      run: () =>
        project.eventually(() => {
          const [lease] = children(project.exports().tests.items);
          assert.equal(lease?.label, "Lease");
          const tests = children(lease.children);
          assert.deepEqual(tests.map(({ label }) => label), ["tcOneClient", "tcCrashingClients", "tcMatrix"]);
          assert.deepEqual(tests.map(({ children }) => children.size > 1), [false, false, true]);
          for (const item of children(tests[2]!.children)) {
            assert.match(item.label, /^nClients = \d, nRounds = \d, clientsCrash = (true|false)$/);
            assert.match(String(item.description), /^tcMatrix___/);
            assert.equal(project.relative(item.uri!), "PTst/Tests.p");
            assert.ok(item.range);
          }
        }),
    },
    {
      name: "the Testing view says what is known about tests",
      run: () =>
        project.eventually(() => {
          const [lease] = children(project.exports().tests.items);
          const [one, , matrix] = children(lease!.children);
          // The project of these checks has errors, which come first.
          const known = /^(not checked yet|\d+ errors? must be mended first)$/;
          assert.match(String(one?.description), known);
          assert.equal(matrix?.description, `${matrix?.children.size} cases \u00b7 ${one?.description}`);
          for (const item of children(matrix!.children)) {
            assert.match(String(item.description), /^tcMatrix___\S+ \u00b7 /);
            assert.ok(String(item.description).endsWith(` \u00b7 ${one?.description}`), item.description);
          }
        }),
    },
    {
      name: "problems can be copied as text",
      run: async () => {
        await vscode.env.clipboard.writeText("");
        await vscode.commands.executeCommand("lockstep.copyDiagnostics");
        const text = await vscode.env.clipboard.readText();
        assert.match(text, /^PSrc\/Client\.p:14:26: error\[LS0305\]: a value of type/m);
      },
    },
    {
      name: "a code is explained in a preview",
      run: async () => {
        await vscode.commands.executeCommand("lockstep.explainCode", "LS0305");
        await project.eventually(() => {
          const labels = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
          assert.ok(labels.some((label) => label.includes("LS0305")), `tabs: ${labels}`);
        });
      },
    },
    {
      name: "the error goes when it is corrected, without saving",
      run: async () => {
        await project.problems(CLIENT, 1);
        await project.replace(CLIENT, "given.mayCrash", "given.rounds");
        await project.problems(CLIENT, 0);
      },
    },
    {
      name: "a document is laid out when it is saved",
      run: async () => {
        const document = await project.open(STORE);
        const wanted = document.getText();
        const settings = vscode.workspace.getConfiguration("editor", { languageId: "p" });
        await settings.update("formatOnSave", true, vscode.ConfigurationTarget.Workspace, true);
        const spoilt = wanted.replaceAll("if (", "if(").replace(/^ {8}(?=\S)/gm, "     ");
        assert.notEqual(spoilt, wanted);
        await project.eventually(async () => {
          const change = new vscode.WorkspaceEdit();
          change.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), spoilt);
          await vscode.workspace.applyEdit(change);
          await document.save();
          assert.equal(document.getText(), wanted);
        });
        assert.equal(readFileSync(document.uri.fsPath, "utf8"), wanted);
        await settings.update("formatOnSave", undefined, vscode.ConfigurationTarget.Workspace, true);
        const edits = await vscode.commands.executeCommand<vscode.TextEdit[] | undefined>(
          "vscode.executeFormatDocumentProvider", document.uri, { tabSize: 4, insertSpaces: true },
        );
        assert.deepEqual(edits ?? [], [], "twice is once");
      },
    },
    {
      name: "a quick fix mends a misspelt name",
      run: async () => {
        await project.replace(CLIENT, "goto Crashed;", "goto Crahsed;");
        const found = await project.problem(CLIENT, "LS0108");
        const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
          "vscode.executeCodeActionProvider", project.uri(CLIENT), found.range, "quickfix",
        );
        const [fix] = actions.filter(({ edit }) => edit !== undefined);
        assert.ok(fix, "there is no quick fix");
        assert.ok(await vscode.workspace.applyEdit(fix.edit!));
        assert.ok((await project.open(CLIENT)).getText().includes("goto Crashed;"));
        await project.problems(CLIENT, 0);
      },
    },
    {
      name: "rename changes every file, on disk too",
      run: async () => {
        const before = project.filesWith("eLeaseGranted");
        const position = await project.find(CLIENT, "eLeaseGranted");
        const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
          "vscode.executeDocumentRenameProvider", project.uri(CLIENT), position, "eGranted",
        );
        assert.ok(edit.size >= 4, `${edit.size} files are changed`);
        assert.ok(await vscode.workspace.applyEdit(edit));
        for (const [uri] of edit.entries()) {
          assert.ok(await (await vscode.workspace.openTextDocument(uri)).save());
        }
        assert.deepEqual(project.filesWith("eLeaseGranted"), []);
        assert.deepEqual(project.filesWith("eGranted"), before);
        await project.problems(CLIENT, 0);
      },
    },
    {
      name: "a warning is switched off by a setting, without a restart",
      run: async () => {
        await project.replace(STORE, "var newestEpoch: int;", "var newestEpoch: int;\n    var spare: int;");
        const warning = await project.problem(STORE, "LS1103");
        assert.equal(warning.severity, vscode.DiagnosticSeverity.Warning);
        assert.deepEqual(warning.tags, [vscode.DiagnosticTag.Unnecessary]);
        const before = servers();
        assert.equal(before.length, 1, `servers: ${before}`);
        const section = vscode.workspace.getConfiguration("lockstep");
        await section.update("allow", ["LS1103"], vscode.ConfigurationTarget.Workspace);
        await project.problems(STORE, 0);
        await section.update("allow", undefined, vscode.ConfigurationTarget.Workspace);
        await project.problems(STORE, 1);
        assert.deepEqual(servers(), before);
      },
    },
    {
      name: "lenses are switched off by a setting, without a restart",
      run: async () => {
        const count = async () =>
          (await project.of<vscode.CodeLens[]>("vscode.executeCodeLensProvider", PROTOCOL)).length;
        assert.notEqual(await count(), 0);
        const section = vscode.workspace.getConfiguration("lockstep");
        await section.update("lens.enable", false, vscode.ConfigurationTarget.Workspace);
        await project.eventually(async () => assert.equal(await count(), 0));
        await section.update("lens.enable", undefined, vscode.ConfigurationTarget.Workspace);
      },
    },
    {
      name: "a syntax error in an IceT file is found",
      run: async () => {
        const [found] = await project.problems("icet/broken.icet", 1);
        assert.equal(code(found), "LS0001");
        assert.match(found!.message, /expected `;`/);
        assert.equal(found!.range.start.line, 4);
      },
    },
    {
      name: "an IceT program is put in order beside its source, with the way back",
      run: async () => {
        const { uri } = await project.open(ORDER);
        const lenses = () => project.of<vscode.CodeLens[]>("vscode.executeCodeLensProvider", ORDER);
        await project.eventually(async () => {
          const titles = (await lenses()).map(({ command }) => command?.title);
          assert.match(String(titles), /^sequentializes \u00b7 \d+ steps \u00b7 view$/);
        });
        const [lens] = await lenses();
        await vscode.commands.executeCommand(lens!.command!.command, ...lens!.command!.arguments!);
        const view = await project.eventually(() => {
          const shown = vscode.window.visibleTextEditors.map(({ document }) => document);
          const view = shown.find((document) => document.uri.scheme === "lockstep-seq");
          assert.ok(view, `shown: ${shown.map(({ uri }) => uri)}`);
          assert.ok(view.getText().includes("a.n = "), view.getText());
          return view;
        });
        assert.equal(view.languageId, "icet");
        const place = view.positionAt(view.getText().indexOf("a.n = "));
        const targets = await vscode.commands.executeCommand<vscode.LocationLink[]>(
          "vscode.executeDefinitionProvider",
          view.uri,
          place,
        );
        assert.ok(targets.length > 0, "nothing leads back");
        assert.ok(targets.every(({ targetUri }) => targetUri.toString() === uri.toString()));
        const sources = await Promise.all(targets.map(({ targetRange }) => project.text(ORDER, targetRange)));
        assert.ok(sources.some((source) => source.startsWith("recv Pong(n)")), `from: ${sources}`);
        await vscode.commands.executeCommand("lockstep.previousRewriteStep");
        await project.eventually(() => assert.match(view.getText(), /After step \d+ of \d+/));
        await vscode.commands.executeCommand("lockstep.nextRewriteStep");
        await project.eventually(() => assert.doesNotMatch(view.getText(), /After step/));
      },
    },
    {
      name: "hover on a process says that it is put in order",
      run: async () => {
        await project.eventually(async () => {
          const hovers = await project.at<vscode.Hover[]>("vscode.executeHoverProvider", ORDER, "process a", "process ".length);
          const text = hovers.flatMap(({ contents }) => contents.map(markdown)).join("\n");
          assert.match(text, /\*\*proved/);
          assert.match(text, /sequential \{/);
        });
      },
    },
    {
      name: "a deadlock is one finding that leads to its other end, and the document follows; both go when it is mended",
      run: async () => {
        const [right, wrong] = ["send Ping(1) to b;\n    recv Pong(n) from b;", "recv Pong(n) from b;\n    send Ping(1) to b;"];
        const before = vscode.workspace.textDocuments.find((document) => document.uri.scheme === "lockstep-seq");
        await project.replace(ORDER, right, wrong);
        const found = await project.eventually(() => {
          const found = vscode.languages.getDiagnostics(project.uri(ORDER)).filter((one) => code(one) === "LS2201");
          assert.equal(found.length, 1, `findings: ${list(vscode.languages.getDiagnostics(project.uri(ORDER)))}`);
          return found[0]!;
        });
        assert.match(await project.text(ORDER, found.range), /^recv Pong\(n\) from b/);
        const [other] = found.relatedInformation ?? [];
        assert.match(await project.text(ORDER, other!.location.range), /^recv Ping\(m\) from a/);
        await project.eventually(() => assert.match(before!.getText(), /refuted/));
        await project.replace(ORDER, wrong, right);
        await project.problems(ORDER, 0);
        await project.eventually(() => assert.match(before!.getText(), /proved/));
      },
    },
    {
      name: "a file without a name is checked too",
      run: async () => {
        const document = await vscode.workspace.openTextDocument({ language: "p", content: "event e\nevent f;\n" });
        await project.eventually(() => assert.equal(vscode.languages.getDiagnostics(document.uri).length, 1));
      },
    },
    {
      name: "a server that crashes is started again and knows the open texts",
      run: async () => {
        await project.replace(CLIENT, "given.rounds", "given.mayCrash");
        await project.problem(CLIENT, "LS0305");
        const [old] = servers();
        assert.ok(old);
        process.kill(old, "SIGKILL");
        await project.eventually(() => assert.ok(servers().some((server) => server !== old), "no new server"));
        // Not saved: only the editor can have told the new server of the mistake.
        await project.problem(CLIENT, "LS0305");
        await project.replace(CLIENT, "given.mayCrash", "true");
        await project.eventually(() =>
          assert.equal(vscode.languages.getDiagnostics(project.uri(CLIENT))[0]?.range.end.character, 29),
        );
        await project.replace(CLIENT, "roundsLeft = true", "roundsLeft = given.rounds");
        await project.problems(CLIENT, 0);
      },
    },
    {
      name: "the command to restart gives a new server",
      run: async () => {
        const before = servers();
        await vscode.commands.executeCommand("lockstep.restart");
        await project.eventually(() => {
          assert.equal(servers().length, 1);
          assert.notDeepEqual(servers(), before);
        });
        await project.replace(CLIENT, "given.rounds", "given.mayCrash");
        await project.problem(CLIENT, "LS0305");
      },
    },
  ];
}

/** The sample project in the open folder. */
class Project {
  constructor(
    private readonly folder: string,
    private readonly timeout: number,
  ) {}

  extension(): vscode.Extension<Exports> {
    const extension = vscode.extensions.getExtension<Exports>("lockstep.lockstep");
    assert.ok(extension, "the extension is not installed");
    return extension;
  }

  exports(): Exports {
    return this.extension().exports;
  }

  uri(file: string): vscode.Uri {
    return vscode.Uri.file(path.join(this.folder, file));
  }

  relative(uri: vscode.Uri): string {
    return path.relative(this.folder, uri.fsPath);
  }

  async open(file: string): Promise<vscode.TextDocument> {
    return vscode.workspace.openTextDocument(this.uri(file));
  }

  async text(file: string, range: vscode.Range): Promise<string> {
    return (await this.open(file)).getText(range);
  }

  async find(file: string, text: string): Promise<vscode.Position> {
    const document = await this.open(file);
    const offset = document.getText().indexOf(text);
    assert.notEqual(offset, -1, `${file} does not contain ${text}`);
    return document.positionAt(offset);
  }

  async replace(file: string, old: string, text: string): Promise<void> {
    const start = await this.find(file, old);
    const document = await this.open(file);
    const end = document.positionAt(document.offsetAt(start) + old.length);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(start, end), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  /** Asks a provider about a document. */
  async of<T>(command: string, file: string, ...rest: unknown[]): Promise<T> {
    await this.open(file);
    return vscode.commands.executeCommand<T>(command, this.uri(file), ...rest);
  }

  /** Asks a provider about a place in a document. */
  async at<T>(command: string, file: string, text: string, offset = 0, ...rest: unknown[]): Promise<T> {
    const position = (await this.find(file, text)).translate(0, offset);
    return vscode.commands.executeCommand<T>(command, this.uri(file), position, ...rest);
  }

  async completions(file: string, text: string, offset: number): Promise<string[]> {
    const { items } = await this.at<vscode.CompletionList>("vscode.executeCompletionItemProvider", file, text, offset);
    const sorted = [...items].sort((a, b) => (key(a) < key(b) ? -1 : 1));
    return sorted.map(({ label }) => (typeof label === "string" ? label : label.label));
  }

  /** Waits until the document has so many findings. */
  async problems(file: string, count: number): Promise<vscode.Diagnostic[]> {
    const { uri } = await this.open(file);
    return this.eventually(() => {
      const found = vscode.languages.getDiagnostics(uri);
      assert.equal(found.length, count, `findings: ${list(found)}`);
      return found;
    });
  }

  /** Waits until the document has a finding of this code, perhaps among others. */
  async problem(file: string, wanted: string): Promise<vscode.Diagnostic> {
    const { uri } = await this.open(file);
    return this.eventually(() => {
      const found = vscode.languages.getDiagnostics(uri);
      const [one] = found.filter((one) => code(one) === wanted);
      assert.ok(one, `findings: ${list(found)}`);
      return one;
    });
  }

  /** The kind of the first token with each text. */
  async tokenKinds(file: string): Promise<Map<string, string>> {
    const document = await this.open(file);
    const legend = await this.of<vscode.SemanticTokensLegend>("vscode.provideDocumentSemanticTokensLegend", file);
    const { data } = await this.of<vscode.SemanticTokens>("vscode.provideDocumentSemanticTokens", file);
    const kinds = new Map<string, string>();
    let line = 0;
    let character = 0;
    for (let i = 0; i < data.length; i += 5) {
      const [lines, characters, length, kind] = data.subarray(i, i + 4) as unknown as [number, number, number, number];
      character = lines === 0 ? character + characters : characters;
      line += lines;
      const text = document.getText(new vscode.Range(line, character, line, character + length));
      if (!kinds.has(text)) {
        kinds.set(text, legend.tokenTypes[kind] ?? "");
      }
    }
    return kinds;
  }

  /** The P files on disk that contain a word, each as often as it does. */
  filesWith(word: string): string[] {
    return readdirSync(this.folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".p"))
      .flatMap((file) => {
        const text = readFileSync(path.join(this.folder, file), "utf8");
        return [...text.matchAll(new RegExp(`\\b${word}\\b`, "g"))].map(() => file);
      })
      .sort();
  }

  /** Tries until it holds. */
  async eventually<T>(attempt: () => T | Promise<T>, timeout = this.timeout): Promise<T> {
    // Shorter than the whole check has, so that it can say what was wrong.
    const end = Date.now() + timeout * 0.7;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (Date.now() > end) {
          throw error;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** What a new document becomes when keys are typed at its end. */
async function typed(language: string, content: string, keys: string[]): Promise<string> {
  const [, document] = await edit(language, content);
  for (const text of keys) {
    await vscode.commands.executeCommand("type", { text });
  }
  const result = document.getText();
  await close();
  return result;
}

async function edit(language: string, content: string): Promise<[vscode.TextEditor, vscode.TextDocument]> {
  const document = await vscode.workspace.openTextDocument({ language, content });
  const editor = await vscode.window.showTextDocument(document);
  const end = document.positionAt(content.length);
  editor.selection = new vscode.Selection(end, end);
  return [editor, document];
}

async function close(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
}

/** The processes that serve this extension host. */
function servers(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && isServer(pid));
}

function isServer(pid: number): boolean {
  const file = (name: string) => `/proc/${pid}/${name}`;
  try {
    const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(file("status"), "utf8"))?.[1];
    const [, ...args] = readFileSync(file("cmdline"), "utf8").split("\0");
    return Number(parent) === process.pid && args.includes("lsp") && existsSync(readlinkSync(file("exe")));
  } catch {
    return false;
  }
}

function children(items: vscode.TestItemCollection): vscode.TestItem[] {
  return [...items].map(([, item]) => item).sort((a, b) => ((a.sortText ?? "") < (b.sortText ?? "") ? -1 : 1));
}

function list(diagnostics: vscode.Diagnostic[]): string {
  return diagnostics.map((one) => `${code(one)} ${one.message}`).join("; ");
}

function code(diagnostic: vscode.Diagnostic | undefined): string {
  const found = diagnostic?.code;
  return String(typeof found === "object" ? found.value : found);
}

function key(item: vscode.CompletionItem): string {
  return item.sortText ?? (typeof item.label === "string" ? item.label : item.label.label);
}

function markdown(content: vscode.MarkdownString | vscode.MarkedString): string {
  return typeof content === "string" ? content : content.value;
}
