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
  readonly project: string;
  readonly name: string;
  /** The name in the source; equal to `name` for a test without parameters. */
  readonly base: string;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  readonly main: string;
  readonly uri: string;
  readonly range: Range;
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
export const testsChanged = new NotificationType0("lockstep/testsChanged");
export const statusChanged = new NotificationType<ServerStatus>("lockstep/status");

/** What a lens about references passes to `lockstep.showReferences`. */
export type ShowReferences = [uri: string, position: Position, locations: Location[]];
