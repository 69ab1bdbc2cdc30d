// What the page of a chart and the extension tell each other.

import type { Filter } from "./filter.js";
import type { TraceFile } from "./story.js";

/** To the page. */
export type ToPage =
  | { readonly kind: "show"; readonly file: TraceFile; readonly stale: string }
  | { readonly kind: "wrong"; readonly why: string };

/** Which place in the source: of the moment itself, of the send or the handler of its message, or of the bug. */
export type Wanted = "own" | "send" | "handler" | "bug";

/** From the page. `isAll`: of the run as it was found, rather than the short one. */
export type FromPage =
  | { readonly kind: "ready" }
  | { readonly kind: "go"; readonly wanted: Wanted; readonly moment: number; readonly isAll: boolean; readonly takesFocus: boolean }
  | { readonly kind: "export"; readonly filter: Filter; readonly isAll: boolean }
  | { readonly kind: "debug"; readonly isAll: boolean }
  | { readonly kind: "drawn"; readonly moments: number; readonly milliseconds: number };
