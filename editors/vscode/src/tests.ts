// The Testing view: projects, their tests, and the cases that parameters expand to. There is nothing to run yet, so
// no run profile is offered.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { type TestCase, testsRequest } from "./protocol.js";

export class TestList implements vscode.Disposable {
  readonly controller = vscode.tests.createTestController("lockstep.tests", "P Tests");
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
      this.controller.items.replace(this.tree(tests));
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
    if (first.parameters.length > 0) {
      item.description = `${cases.length} case${cases.length === 1 ? "" : "s"}`;
      item.children.replace(
        cases.map((test, position) => {
          const label = test.parameters.map(({ name, value }) => `${name} = ${value}`).join(", ");
          const child = this.item(`${item.id}/${test.name}`, label, test, position);
          child.description = test.name;
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
