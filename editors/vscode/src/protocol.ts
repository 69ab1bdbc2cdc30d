// The messages that the server knows beyond the Language Server Protocol.

import {
  type Location,
  NotificationType,
  NotificationType0,
  type Position,
  type Range,
  RequestType,
} from "vscode-languageclient/node";

/** One test as the checker would run it: a test with parameters is listed once for each choice of their values. */
export interface TestCase {
  /** By which records speak of it. */
  readonly id: string;
  readonly project: string;
  readonly name: string;
  /** The name in the source; equal to `name` for a test without parameters. */
  readonly base: string;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  readonly main: string;
  readonly uri: string;
  readonly range: Range;
}

/** What is known about an item: a test case, an IceT program. */
export interface VerdictRecord {
  /** A path of names, the same after edits. */
  readonly id: string;
  readonly check: "exploration" | "sequentialization";
  readonly range: Range;
  readonly nameRange: Range;
  readonly verdict: "proved" | "exhausted" | "sampled" | "refuted" | "unknown" | "unsupported" | "notRun";
  readonly phase: "idle" | "queued" | "running";
  readonly freshness: "current" | "stale";
  readonly why: string;
  /** All of this in a few words, for people. */
  readonly words: string;
}

/** All records of a file, instead of those told before. */
export interface Verdicts {
  readonly uri: string;
  readonly version: number | null;
  readonly items: readonly VerdictRecord[];
}

/** A program put in order. */
export interface Sequentialization {
  readonly text: string;
  readonly languageId: "icet";
  /** From ranges of the text to ranges of the source. */
  readonly links: readonly { readonly range: Range; readonly targets: readonly Range[] }[];
  /** What each rewrite step does. */
  readonly steps: readonly string[];
  /** How many of them are shown; all if there is no number. */
  readonly step: number | null;
  readonly verdict: string;
  /** Of the source, if it is open. */
  readonly version: number | null;
}

export interface ServerStatus {
  readonly state: "ready" | "working";
  readonly message: string;
  readonly projects: number;
  readonly errors: number;
  readonly warnings: number;
}

export const testsRequest = new RequestType<object, { tests: TestCase[] }, void>("lockstep/tests");
export const explainRequest = new RequestType<{ code: string }, { markdown: string }, void>("lockstep/explain");
export const sequentializationRequest = new RequestType<{ uri: string; step: number | undefined }, Sequentialization, void>(
  "lockstep/sequentialization",
);
export const testsChanged = new NotificationType0("lockstep/testsChanged");
export const verdictsChanged = new NotificationType<Verdicts>("lockstep/verdicts");
export const statusChanged = new NotificationType<ServerStatus>("lockstep/status");

/** What a lens about references passes to `lockstep.showReferences`. */
export type ShowReferences = [uri: string, position: Position, locations: Location[]];
