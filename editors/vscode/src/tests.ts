// The Testing view: projects, their tests, and the cases that parameters expand to, each with what is known about it.
// There is nothing to run yet, so no run profile is offered.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { type TestCase, testsRequest, type Verdicts } from "./protocol.js";
import { VerdictStore } from "./verdicts.js";

/** An item of the view, with the tests it stands for and what is said beside its name in any case. */
interface Shown {
  readonly item: vscode.TestItem;
  readonly cases: readonly TestCase[];
  readonly detail: string | undefined;
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

  private describe(): void {
    for (const { item, cases, detail } of this.shown) {
      const known = new Set(cases.map((test) => this.known(test)));
      // Cases that differ say so themselves.
      const words = known.size === 1 ? [...known][0] : undefined;
      item.description = [detail, words].filter((part) => part !== undefined).join(" \u00b7 ");
    }
  }

  /** Of a test with very many cases there is one record for all of them, under the name in the source. */
  private known(test: TestCase): string | undefined {
    const { uri, id, name, base } = test;
    return this.verdicts.words(uri, id) ?? this.verdicts.words(uri, id.slice(0, id.length - name.length) + base);
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
