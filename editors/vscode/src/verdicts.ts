// What the server knows about tests and programs. It tells all records of a file at once, whenever they change.

import type { VerdictRecord, Verdicts } from "./protocol.js";

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

  /** What is known about an item of a file, in a few words. */
  words(uri: string, id: string): string | undefined {
    return this.byUri.get(uri)?.get(id)?.words;
  }

  clear(): void {
    this.byUri.clear();
  }
}
