// What a trace file says happened, as plain data. The file's schema is server/trace/schema/trace-1.schema.json.
//
// Invariant: in a trace that was read every number leads to something, so nothing that draws it has to look twice.

export interface TraceFile {
  readonly test: string;
  readonly paths: readonly string[];
  readonly fingerprint: string;
  readonly found: { readonly by: string; readonly seed?: number; readonly schedule?: number; readonly decisions: number };
  readonly decisions: readonly object[];
  /** The decision from which on the run repeats itself for ever; `story` has the moment. */
  readonly repeatsFrom?: number;
  readonly story: Story;
  /** The run as it was found, before it was made short. */
  readonly original?: { readonly decisions: readonly object[]; readonly story: Story };
}

export interface Story {
  readonly actors: readonly Actor[];
  readonly moments: readonly Moment[];
  readonly messages: readonly Message[];
  /** For a run without an end: from this moment to the last it repeats itself. */
  readonly repeatsFrom?: number;
  readonly bug?: Bug;
}

export interface Actor {
  readonly name: string;
  readonly isSpec: boolean;
}

/** Something that one actor does, up to the next thing it does. */
export interface Moment {
  readonly actor: number;
  readonly decision: number;
  readonly what: What;
  readonly place?: Place;
  /** How the actor's state is another one afterwards; none of an actor that has halted. */
  readonly state?: { readonly from: string; readonly to: string | null };
  readonly changes?: readonly Change[];
  readonly choices?: readonly (readonly number[])[];
  /** The values that the choices stand for. */
  readonly chosen?: readonly string[];
}

export interface Change {
  readonly variable: string;
  readonly before: string;
  readonly after: string;
}

export type What =
  | { readonly kind: "start"; readonly payload?: string }
  | { readonly kind: "create"; readonly actor: number }
  | { readonly kind: "send"; readonly message: number }
  | { readonly kind: "take"; readonly message: number }
  | { readonly kind: "null" }
  | { readonly kind: "observe"; readonly by: number; readonly event: string; readonly payload?: string }
  | { readonly kind: "print"; readonly text: string };

export interface Message {
  readonly event: string;
  readonly payload?: string;
  readonly from: number;
  readonly to: number;
  /** The moment of sending. */
  readonly sent: number;
  readonly fate: { readonly kind: "taken"; readonly moment: number } | { readonly kind: "ignored" | "lost" | "waiting" };
}

export interface Bug {
  readonly code: string;
  readonly message: string;
  /** A machine or a spec; empty if it is nobody in particular. */
  readonly who: string;
  readonly state: string;
  readonly place?: Place;
}

/** Lines and columns from 1, columns in Unicode scalar values; the end is the place after the last character. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

const FORMAT = "lockstep-trace";
const VERSION = 1;

/** The trace in a text; throws an error that says in words why it is none. */
export function readTrace(text: string): TraceFile {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw new Error(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const file = read as Partial<TraceFile> & { format?: unknown; version?: unknown } | null;
  if (typeof file !== "object" || file === null || file.format !== FORMAT) {
    throw new Error(`it is no trace: the field \`format\` should be "${FORMAT}"`);
  }
  if (file.version !== VERSION) {
    throw new Error(`it is a trace of version ${String(file.version)}, and this Lockstep reads version ${VERSION}: find the bug again`);
  }
  if (!isWhole(file)) {
    throw new Error("the trace is damaged");
  }
  return file;
}

/** Whether everything is there that is drawn, and all numbers lead to something. */
function isWhole(file: Partial<TraceFile>): file is TraceFile {
  const { original, found, test } = file;
  return typeof found?.by === "string" && typeof test === "string" && isRun(file) && (original === undefined || isRun(original));
}

function isRun({ story, decisions }: Partial<Pick<TraceFile, "story" | "decisions">>): boolean {
  const isThere =
    Array.isArray(story?.actors) && Array.isArray(story.moments) && Array.isArray(story.messages) && Array.isArray(decisions);
  if (!isThere) {
    return false;
  }
  const { actors, moments, messages } = story;
  const isIn = (list: readonly unknown[], index: unknown) => typeof index === "number" && list[index] !== undefined;
  const areMomentsRight = moments.every(({ actor, what }) => {
    switch (what?.kind) {
      case "create":
        return isIn(actors, actor) && isIn(actors, what.actor);
      case "send":
      case "take":
        return isIn(actors, actor) && isIn(messages, what.message);
      case "observe":
        return isIn(actors, actor) && isIn(actors, what.by);
      default:
        return isIn(actors, actor) && ["start", "null", "print"].includes(what?.kind);
    }
  });
  return (
    areMomentsRight &&
    messages.every(({ from, to, sent, fate }) => {
      const isFateRight = fate?.kind !== "taken" || (isIn(moments, fate.moment) && fate.moment > sent);
      return isIn(actors, from) && isIn(actors, to) && isIn(moments, sent) && isFateRight;
    })
  );
}

/** The trace with its run as it was found, if that is wanted and there. */
export function runOf(file: TraceFile, isAll: boolean): TraceFile {
  const { original, repeatsFrom: _, ...rest } = file;
  return isAll && original !== undefined ? { ...rest, ...original } : file;
}

/** The actor that failed. */
export function culprit({ actors, bug }: Story): number | undefined {
  const index = bug === undefined ? -1 : actors.findIndex(({ name }) => name === bug.who);
  return index < 0 ? undefined : index;
}

/** The message that a moment is about. */
export function messageOf(story: Story, moment: number): Message | undefined {
  const what = story.moments[moment]?.what;
  return what?.kind === "send" || what?.kind === "take" ? story.messages[what.message] : undefined;
}

/** Where a moment's message was sent, else where the moment itself is. */
export function sendPlace(story: Story, moment: number): Place | undefined {
  const message = messageOf(story, moment);
  return (message && story.moments[message.sent]?.place) ?? story.moments[moment]?.place;
}

/** Where a moment's message was handled, else where the moment itself is. */
export function handlerPlace(story: Story, moment: number): Place | undefined {
  const fate = messageOf(story, moment)?.fate;
  return (fate?.kind === "taken" ? story.moments[fate.moment]?.place : undefined) ?? story.moments[moment]?.place;
}
