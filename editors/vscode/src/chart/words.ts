// A moment in words: the same ones as those of `lockstep trace view`.

import type { Moment, Story, TraceFile } from "./story.js";

/** `eGrant(lease = 3)`. Tuples have brackets already. */
export function withPayload(event: string, payload: string | undefined): string {
  if (payload === undefined) {
    return event;
  }
  return payload.startsWith("(") ? `${event}${payload}` : `${event}(${payload})`;
}

/** What happens, in one line. */
export function sentence(story: Story, { actor, what }: Moment): string {
  const name = (index: number) => story.actors[index]!.name;
  const who = name(actor);
  switch (what.kind) {
    case "start":
      return what.payload === undefined ? `${who} starts` : `${who} starts with ${what.payload}`;
    case "create":
      return `${who} creates ${name(what.actor)}`;
    case "send": {
      const message = story.messages[what.message]!;
      // A run without an end has no moment after which a message waits.
      const isOpen = message.fate.kind === "waiting" && story.repeatsFrom !== undefined;
      const fate = isOpen ? "" : FATES[message.fate.kind];
      return `${who} sends ${withPayload(message.event, message.payload)} to ${name(message.to)}${fate}`;
    }
    case "take": {
      const message = story.messages[what.message]!;
      return `${who} takes ${withPayload(message.event, message.payload)} from ${name(message.from)}`;
    }
    case "null":
      return `${who} has nothing to do and handles null`;
    case "observe":
      return `${who} sees ${withPayload(what.event, what.payload)} of ${name(what.by)}`;
    case "print":
      return `${who} prints: ${what.text.replaceAll("\n", " ")}`;
  }
}

const FATES = {
  taken: "",
  ignored: ", which ignores it",
  lost: ", which has halted or will before it takes it",
  waiting: " (not taken before the end)",
};

/** What `$` and `choose` gave, each in a line. */
export function choiceWords({ choices = [], chosen = [] }: Moment): string[] {
  // A choice that goes wrong gives nothing.
  const value = (index: number) => (chosen[index] === undefined ? "" : `${chosen[index]}, `);
  return choices.map(([choice, options], index) => `chooses ${value(index)}possibility ${choice} of ${options}`);
}

/** What changed, each in a line. */
export function details(moment: Moment): string[] {
  const { state, changes = [] } = moment;
  return [
    ...choiceWords(moment),
    ...(state === undefined ? [] : [`state: ${state.from} -> ${state.to ?? "halted"}`]),
    ...changes.map(({ variable, before, after }) => `${variable}: ${before} -> ${after}`),
  ];
}

/** Where the run comes from. */
export function about({ decisions, found, story: { repeatsFrom } }: TraceFile): string {
  const steps = `${decisions.length} step${decisions.length === 1 ? "" : "s"}`;
  return [
    found.decisions > decisions.length ? `${steps}, made from ${found.decisions}` : steps,
    ...(repeatsFrom === undefined ? [] : [`repeats itself from number ${repeatsFrom + 1} on`]),
    `found by ${found.by}`,
    ...(found.schedule === undefined ? [] : [`schedule ${found.schedule}`]),
    ...(found.seed === undefined ? [] : [`seed ${found.seed}`]),
  ].join(" \u00b7 ");
}

/** What went wrong: who, where it was, and what. */
export function bugWords({ bug }: Story): string | undefined {
  if (bug === undefined) {
    return undefined;
  }
  const who = bug.who === "" ? "" : `${bug.who}${bug.state === "" ? "" : ` in ${bug.state}`}: `;
  return `${who}${bug.message}`;
}

/** The folder that the names of all files of a story begin with, if they are whole paths: nobody needs to read it each time. */
export function commonFolder({ moments, bug }: Story): string {
  const paths = [...moments, ...(bug === undefined ? [] : [bug])].flatMap(({ place }) => (place === undefined ? [] : [place.path]));
  const isWhole = (path: string) => /^(\/|[A-Za-z]:[\\/])/.test(path);
  if (paths.length === 0 || !paths.every(isWhole)) {
    return "";
  }
  let common = paths[0]!;
  for (const path of paths) {
    while (!path.startsWith(common)) {
      common = common.slice(0, -1);
    }
  }
  return common.slice(0, Math.max(common.lastIndexOf("/"), common.lastIndexOf("\\")) + 1);
}

/** The beginning of a text that is too long. */
export function short(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}\u2026`;
}
