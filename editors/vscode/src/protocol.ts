// The messages that the server knows beyond the Language Server Protocol.

import {
  type Location,
  NotificationType,
  NotificationType0,
  type Position,
  type Range,
  RequestType,
} from "vscode-languageclient/node";
import type { TraceFile } from "./chart/story.js";

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
  /** What a verdict that claims something is about. */
  readonly scope?: Scope;
  /** Of the finding that explains it. */
  readonly code?: string;
  readonly tookMs?: number;
  /** By which the trace of a refuted item is told from an older one. */
  readonly trace?: string;
}

export type Scope =
  | { readonly kind: "allSizes" }
  | { readonly kind: "bounded"; readonly machines: number; readonly states: number }
  | { readonly kind: "schedules"; readonly count: number };

/** With random schedules, or in all behaviours. */
export type Mode = "run" | "explore";

/** What a lens passes to the commands about its test. */
export interface ItemArgument {
  readonly item: string;
}

/** The run that refutes an item. */
export interface FoundTrace {
  readonly trace: string;
  /** The trace file on disk. */
  readonly path: string;
  readonly stale: boolean;
  /** What the file says. */
  readonly file: TraceFile;
  /** The documents of the files that the trace names. */
  readonly sources: readonly { readonly name: string; readonly uri: string }[];
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
export const runRequest = new RequestType<{ item: string; mode: Mode }, object, void>("lockstep/run");
export const cancelRequest = new RequestType<{ item?: string }, { cancelled: number }, void>("lockstep/cancel");
export const traceRequest = new RequestType<{ item: string }, FoundTrace | null, void>("lockstep/trace");
export const testsChanged = new NotificationType0("lockstep/testsChanged");
export const verdictsChanged = new NotificationType<Verdicts>("lockstep/verdicts");
export const statusChanged = new NotificationType<ServerStatus>("lockstep/status");

/** What a lens about references passes to `lockstep.showReferences`. */
export type ShowReferences = [uri: string, position: Position, locations: Location[]];

/** The diagram of what is around a place. */
export interface DrawnDiagram {
  readonly kind: "machine" | "spec" | "flow";
  readonly title: string;
  /** The picture, or the text. */
  readonly content: string;
  /** Where the parts of the picture lead, by number. */
  readonly places: readonly Location[];
  /** The number of the box that the place is in. */
  readonly current: number | null;
  /** Whether there are syntax errors in what is drawn. */
  readonly isBroken: boolean;
}

export const diagramRequest = new RequestType<
  { uri: string; position: Position; view: "auto" | "flow"; format: "picture" | "file" | "text" },
  DrawnDiagram,
  void
>("lockstep/diagram");
