// Running tests: the profiles of the Testing view, the commands of lenses, and what became of each run.
//
// There is one source of what is shown, the server's records. A run that somebody asked for and one that the server starts by itself
// (on save) end in the same way: when the record of the test is idle again. Nothing is shown as passed before that, and what was not
// decided is never shown as passed.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { cancelRequest, type FoundTrace, type Mode, runRequest, traceRequest, type VerdictRecord } from "./protocol.js";
import { documentOf, rangeOf } from "./places.js";
import type { Leaf, TestList } from "./tests.js";
import { wordsOf } from "./verdicts.js";

/** How long a server may take to say that it has begun what it was asked for; it says nothing if it knows the result already. */
const SILENCE_MS = 3000;

/** Tests that are run together, and those of them that have not ended. */
interface Batch {
  readonly run: vscode.TestRun;
  readonly left: Set<string>;
}

/** A test that is being run. */
interface Going {
  readonly leaf: Leaf;
  readonly batch: Batch;
  /** Whether the server has said that it is queued or running, or has had the time to. */
  hasBegun: boolean;
  resolve: (record: VerdictRecord | undefined) => void;
}

export class TestRuns implements vscode.Disposable {
  private readonly going = new Map<string, Going>();
  /** What was last shown of each test, so that the same is not shown twice. */
  private readonly shown = new Map<string, VerdictRecord>();
  private readonly profiles: vscode.TestRunProfile[];

  constructor(
    private readonly tests: TestList,
    private readonly client: () => LanguageClient | undefined,
    private readonly debug: (item: string) => Promise<void>,
  ) {
    const { Run, Debug } = vscode.TestRunProfileKind;
    const create = (label: string, kind: vscode.TestRunProfileKind, isDefault: boolean, handler: vscode.TestRunProfile["runHandler"]) =>
      tests.controller.createRunProfile(label, kind, handler, isDefault);
    this.profiles = [
      create("Run with Random Schedules", Run, true, async (request, token) => void (await this.start("run", request, token))),
      create("Explore Exhaustively", Run, false, async (request, token) => void (await this.start("explore", request, token))),
      create("Debug", Debug, true, (request, token) => this.startAndDebug(request, token)),
    ];
  }

  /** Runs one item, as lenses ask for it. What becomes of it is told by the server. */
  async runItem(item: string, mode: Mode): Promise<void> {
    const client = this.client();
    if (!client?.isRunning()) {
      void vscode.window.showWarningMessage("Lockstep: the server is not running.");
      return;
    }
    try {
      await client.sendRequest(runRequest, { item, mode });
    } catch (error) {
      void vscode.window.showErrorMessage(`Lockstep: ${messageOf(error)}`);
    }
  }

  /** Ends the run of an item, or all of them. */
  async cancel(item?: string): Promise<void> {
    const client = this.client();
    if (client?.isRunning()) {
      await client.sendRequest(cancelRequest, item === undefined ? {} : { item });
    }
  }

  /** The run that refutes an item. */
  async trace(item: string): Promise<FoundTrace | undefined> {
    const client = this.client();
    return (client?.isRunning() ? await client.sendRequest(traceRequest, { item }) : undefined) ?? undefined;
  }

  /** Shows what the records say now. */
  learn(): void {
    const fresh: { leaf: Leaf; record: VerdictRecord }[] = [];
    for (const leaf of this.tests.leaves()) {
      const { id } = leaf.test;
      const record = this.tests.known(leaf.test);
      if (record === undefined) {
        continue;
      }
      if (record.phase !== "idle") {
        this.follow(leaf, record);
      } else if (this.going.get(id)?.hasBegun === true) {
        this.end(id, record);
      } else if (!this.going.has(id) && this.isNew(leaf, record)) {
        fresh.push({ leaf, record });
      }
    }
    if (fresh.length > 0) {
      const batch = this.begin(fresh.map(({ leaf }) => leaf));
      fresh.forEach(({ leaf, record }) => this.add(leaf, batch).resolve(record));
    }
  }

  /** Whether a result is to be shown. One that has only become stale is marked, not shown again. */
  private isNew({ item, test }: Leaf, record: VerdictRecord): boolean {
    const before = this.shown.get(test.id);
    const isSame = before !== undefined && resultOf(before) === resultOf(record);
    if (isSame && record.freshness === "stale" && before.freshness === "current") {
      this.shown.set(test.id, record);
      this.tests.controller.invalidateTestResults(item);
    }
    return record.verdict !== "notRun" && !(isSame && (record.freshness === "stale" || before.freshness === "current"));
  }

  /** Without a server nothing goes on. */
  forget(): void {
    [...this.going.keys()].forEach((id) => this.end(id, undefined));
    this.shown.clear();
  }

  dispose(): void {
    this.forget();
    this.profiles.forEach((profile) => profile.dispose());
  }

  private async start(mode: Mode, request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<Leaf[]> {
    const leaves = this.chosen(request);
    // One that is being run is shown by the run that began it.
    const idle = leaves.filter(({ test }) => !this.going.has(test.id));
    const batch = this.begin(idle, request);
    token.onCancellationRequested(() => leaves.forEach(({ test }) => void this.cancel(test.id)));
    await Promise.all(idle.map((leaf) => this.ask(leaf, mode, batch)));
    return leaves;
  }

  private async startAndDebug(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const isRefuted = ({ test }: Leaf) => {
      const record = this.tests.known(test);
      return record?.verdict === "refuted" && record.freshness === "current";
    };
    const known = this.chosen(request).find(isRefuted);
    const leaf = known ?? (await this.start("run", request, token)).find(isRefuted);
    if (leaf !== undefined) {
      await this.debug(leaf.test.id);
    } else if (!token.isCancellationRequested) {
      void vscode.window.showInformationMessage("Lockstep: no run that goes wrong was found, so there is none to step through.");
    }
  }

  /** Asks the server for one test and waits for what becomes of it. */
  private async ask(leaf: Leaf, mode: Mode, batch: Batch): Promise<void> {
    const { item, test } = leaf;
    batch.run.enqueued(item);
    const going = this.add(leaf, batch);
    const ended = new Promise<void>((resolve) => {
      const before = going.resolve;
      going.resolve = (record) => {
        before(record);
        resolve();
      };
    });
    try {
      const client = this.client();
      if (!client?.isRunning()) {
        throw new Error("the server is not running");
      }
      await client.sendRequest(runRequest, { item: test.id, mode });
      setTimeout(() => {
        going.hasBegun = true;
        this.learn();
      }, SILENCE_MS);
    } catch (error) {
      batch.run.errored(item, new vscode.TestMessage(messageOf(error)));
      this.drop(test.id, batch);
      return;
    }
    await ended;
  }

  /** A test that is queued or running: in a run of its own if nobody asked for it here. */
  private follow(leaf: Leaf, { phase }: VerdictRecord): void {
    const { id } = leaf.test;
    const going = this.going.get(id) ?? this.add(leaf, this.begin([leaf]));
    going.hasBegun = true;
    if (phase === "running") {
      going.batch.run.started(leaf.item);
    } else {
      going.batch.run.enqueued(leaf.item);
    }
  }

  private begin(leaves: readonly Leaf[], request?: vscode.TestRunRequest): Batch {
    // What nobody asked for here neither takes the focus nor is kept in the history.
    const quiet = () => new vscode.TestRunRequest(leaves.map(({ item }) => item), undefined, undefined, false, true);
    const run = this.tests.controller.createTestRun(request ?? quiet(), undefined, request !== undefined);
    const batch = { run, left: new Set(leaves.map(({ test }) => test.id)) };
    if (leaves.length === 0) {
      run.end();
    }
    return batch;
  }

  private add(leaf: Leaf, batch: Batch): Going {
    const { id } = leaf.test;
    const resolve = (record: VerdictRecord | undefined) => void this.show(leaf, record, batch);
    const going = { leaf, batch, hasBegun: false, resolve };
    this.going.set(id, going);
    return going;
  }

  private end(id: string, record: VerdictRecord | undefined): void {
    const going = this.going.get(id);
    this.going.delete(id);
    going?.resolve(record);
  }

  /** Shows what became of a test, and ends the run if it was the last one of it. */
  private async show(leaf: Leaf, record: VerdictRecord | undefined, batch: Batch): Promise<void> {
    const { item, test } = leaf;
    this.going.delete(test.id);
    if (record !== undefined) {
      this.shown.set(test.id, record);
      batch.run.appendOutput(`${test.name}: ${wordsOf(record)}\r\n`, undefined, item);
    }
    switch (record?.verdict) {
      case "proved":
      case "exhausted":
      case "sampled":
        batch.run.passed(item, record.tookMs);
        break;
      case "refuted":
        batch.run.failed(item, await this.failure(test.id, record), record.tookMs);
        break;
      default:
        batch.run.skipped(item);
    }
    if (record?.freshness === "stale") {
      this.tests.controller.invalidateTestResults(item);
    }
    this.drop(test.id, batch);
  }

  private drop(id: string, batch: Batch): void {
    if (this.going.get(id)?.batch === batch) {
      this.going.delete(id);
    }
    batch.left.delete(id);
    if (batch.left.size === 0) {
      batch.run.end();
    }
  }

  /** What went wrong, at its place in the source, with the way to the chart and the debugger. */
  private async failure(id: string, record: VerdictRecord): Promise<vscode.TestMessage> {
    const text = new vscode.MarkdownString();
    const commands = ["lockstep.showTrace", "lockstep.debugTrace"] as const;
    text.isTrusted = { enabledCommands: commands };
    text.appendText(record.words);
    const [chart, debug] = commands.map((command) => `command:${command}?${encodeURIComponent(JSON.stringify([{ item: id }]))}`);
    text.appendMarkdown(`\n\n[Show trace](${chart}) \u00b7 [Debug](${debug})`);
    const message = new vscode.TestMessage(text);
    try {
      const found = await this.trace(id);
      const place = found?.file.story.bug?.place;
      const uri = found && place && (await documentOf(place, vscode.Uri.file(found.path), found.sources));
      if (uri && place) {
        message.location = new vscode.Location(uri, rangeOf(place, await vscode.workspace.openTextDocument(uri)));
      }
    } catch {
      // The message says what is wrong without its place, too.
    }
    return message;
  }

  /** The test cases that a request is about. */
  private chosen({ include, exclude = [] }: vscode.TestRunRequest): Leaf[] {
    const isBelow = (item: vscode.TestItem, above: readonly vscode.TestItem[]): boolean =>
      above.includes(item) || (item.parent !== undefined && isBelow(item.parent, above));
    return this.tests.leaves().filter(({ item }) => (include === undefined || isBelow(item, include)) && !isBelow(item, exclude));
  }
}

/** What was found, however old it is. */
function resultOf({ verdict, why, tookMs, trace }: VerdictRecord): string {
  return JSON.stringify([verdict, why, tookMs, trace]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
