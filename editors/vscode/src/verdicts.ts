// What the server knows about tests and programs. It tells all records of a file at once, whenever they change.

import type { TestCase, VerdictRecord, Verdicts } from "./protocol.js";

export class VerdictStore {
  private readonly byUri = new Map<string, Map<string, VerdictRecord>>();

  /** Takes over what is known about a file, instead of what was known before. */
  set({ uri, items }: Verdicts): void {
    if (items.length === 0) {
      this.byUri.delete(uri);
    } else {
      this.byUri.set(uri, new Map(items.map((record) => [record.id, record])));
    }
  }

  /** What is known about a test. Of one with very many cases there is one record for all of them, under the name in the source. */
  of({ uri, id, name, base }: TestCase): VerdictRecord | undefined {
    const records = this.byUri.get(uri);
    return records?.get(id) ?? records?.get(id.slice(0, id.length - name.length) + base);
  }

  clear(): void {
    this.byUri.clear();
  }
}

/** Shapes that tell verdicts apart without their colour; only what is proved has a tick. */
const SHAPES: Record<VerdictRecord["verdict"], string> = {
  proved: "\u2713 ",
  exhausted: "\u25c9 ",
  sampled: "\u25cc ",
  refuted: "\u2717 ",
  unknown: "? ",
  unsupported: "\u2013 ",
  notRun: "",
};

/** All of a record in a few words, with a shape. */
export function wordsOf({ verdict, words }: VerdictRecord): string {
  return `${SHAPES[verdict]}${words}`;
}
