// The Testing view: projects, their tests, and the cases that parameters expand to, each with what is known about it in words. How
// they are run is in runs.ts.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { type TestCase, testsRequest, type VerdictRecord, type Verdicts } from "./protocol.js";
import { VerdictStore, wordsOf } from "./verdicts.js";

/** An item of the view, with the tests it stands for and what is said beside its name in any case. */
interface Shown {
  readonly item: vscode.TestItem;
  readonly cases: readonly [TestCase, ...TestCase[]];
  readonly detail: string | undefined;
}

/** A test case and the item that shows it alone. */
export interface Leaf {
  readonly item: vscode.TestItem;
  readonly test: TestCase;
}

export class TestList implements vscode.Disposable {
  readonly controller = vscode.tests.createTestController("lockstep.tests", "P Tests");
  private readonly verdicts = new VerdictStore();
  private shown: Shown[] = [];
  private latest = 0;

  constructor(private readonly client: () => LanguageClient | undefined) {
    this.controller.refreshHandler = () => this.refresh();
  }

  /** Asks the server for its tests and shows them; without a server the list is empty. */
  async refresh(): Promise<void> {
    const turn = ++this.latest;
    const client = this.client();
    const { tests } = client?.isRunning() ? await client.sendRequest(testsRequest, {}) : { tests: [] };
    if (turn === this.latest) {
      this.shown = [];
      this.controller.items.replace(this.tree(tests));
      this.describe();
    }
  }

  /** Takes over what the server knows about the tests of a file. */
  learn(verdicts: Verdicts): void {
    this.verdicts.set(verdicts);
    this.describe();
  }

  /** Without a server nothing is known. */
  forget(): void {
    this.verdicts.clear();
    this.describe();
  }

  /** The test cases, each with its item. */
  leaves(): Leaf[] {
    return this.shown.filter(({ item }) => item.children.size === 0).map(({ item, cases }) => ({ item, test: cases[0] }));
  }

  /** What is known about a test case. */
  known(test: TestCase): VerdictRecord | undefined {
    return this.verdicts.of(test);
  }

  private describe(): void {
    for (const { item, cases, detail } of this.shown) {
      const known = cases.map((test) => this.known(test));
      item.description = [detail, together(known)].filter((part) => part !== undefined).join(" \u00b7 ");
    }
  }

  private tree(cases: readonly TestCase[]): vscode.TestItem[] {
    return groups(cases, (test) => test.project).map(([project, inProject]) => {
      const item = this.controller.createTestItem(project, project);
      const tests = groups(inProject, (test) => `${test.base} ${test.uri}`);
      item.children.replace(tests.map(([, inTest], index) => this.test(project, inTest, index)));
      return item;
    });
  }

  private test(project: string, cases: readonly [TestCase, ...TestCase[]], index: number): vscode.TestItem {
    const [first] = cases;
    const item = this.item(`${project}/${first.base}@${first.uri}`, first.base, first, index);
    const count = `${cases.length} case${cases.length === 1 ? "" : "s"}`;
    this.shown.push({ item, cases, detail: first.parameters.length > 0 ? count : undefined });
    if (first.parameters.length > 0) {
      item.children.replace(
        cases.map((test, position) => {
          const label = test.parameters.map(({ name, value }) => `${name} = ${value}`).join(", ");
          const child = this.item(`${item.id}/${test.name}`, label, test, position);
          this.shown.push({ item: child, cases: [test], detail: test.name });
          return child;
        }),
      );
    }
    return item;
  }

  private item(id: string, label: string, test: TestCase, index: number): vscode.TestItem {
    const item = this.controller.createTestItem(id, label, vscode.Uri.parse(test.uri));
    const { start, end } = test.range;
    item.range = new vscode.Range(start.line, start.character, end.line, end.character);
    // The order of the server, which is that of the source.
    item.sortText = String(index).padStart(6, "0");
    return item;
  }

  dispose(): void {
    this.controller.dispose();
  }
}

/** What is known about several cases: the same about all, or how many there are of each verdict. */
function together(known: readonly (VerdictRecord | undefined)[]): string | undefined {
  const words = new Set(known.map((record) => record && wordsOf(record)));
  if (words.size === 1) {
    return [...words][0];
  }
  const verdicts = groups(known, (record) => (record === undefined || record.verdict === "notRun" ? "not checked" : record.verdict));
  return verdicts.map(([verdict, records]) => `${records.length} ${verdict}`).join(", ");
}

/** Elements with the same key side by side, in the order in which the keys first occur. */
function groups<T>(elements: readonly T[], key: (element: T) => string): [string, [T, ...T[]]][] {
  const found = new Map<string, [T, ...T[]]>();
  for (const element of elements) {
    const group = found.get(key(element));
    if (group === undefined) {
      found.set(key(element), [element]);
    } else {
      group.push(element);
    }
  }
  return [...found];
}
