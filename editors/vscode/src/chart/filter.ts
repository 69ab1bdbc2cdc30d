// Which moments of a story are shown.

import { messageOf, type Moment, type Story } from "./story.js";

/** What a moment must have to do with; nothing is asked of what is absent. */
export interface Filter {
  readonly machine?: number;
  readonly event?: string;
  readonly variable?: string;
  /** Only moments in which a state or a variable changed. */
  readonly onlyChanges?: boolean;
}

/** The numbers of the moments that are shown, in order. The last one always is: there the run ends. */
export function shownMoments(story: Story, filter: Filter): number[] {
  return [...story.moments.keys()].filter((number) => number === story.moments.length - 1 || isShown(story, number, filter));
}

function isShown(story: Story, number: number, { machine, event, variable, onlyChanges = false }: Filter): boolean {
  const moment = story.moments[number]!;
  return (
    (machine === undefined || partners(story, number).includes(machine)) &&
    (event === undefined || eventOf(story, number) === event) &&
    (variable === undefined || (moment.changes ?? []).some((change) => change.variable === variable)) &&
    (!onlyChanges || hasChanged(moment))
  );
}

export function hasChanged({ state, changes = [] }: Moment): boolean {
  return state !== undefined || changes.length > 0;
}

/** Everybody who has to do with a moment, the one that acts first. */
export function partners(story: Story, number: number): number[] {
  const { actor, what } = story.moments[number]!;
  switch (what.kind) {
    case "send":
      return [actor, story.messages[what.message]!.to];
    case "take":
      return [actor, story.messages[what.message]!.from];
    case "create":
      return [actor, what.actor];
    case "observe":
      return [actor, what.by];
    default:
      return [actor];
  }
}

function eventOf(story: Story, number: number): string | undefined {
  const { what } = story.moments[number]!;
  return what.kind === "observe" ? what.event : messageOf(story, number)?.event;
}

/** The events and variables that can be asked for, in alphabetical order. */
export function choices(story: Story): { events: string[]; variables: string[] } {
  const events = [...story.moments.keys()].map((number) => eventOf(story, number));
  const variables = story.moments.flatMap(({ changes = [] }) => changes.map(({ variable }) => variable));
  return { events: distinct(events), variables: distinct(variables) };
}

function distinct(texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.filter((text) => text !== undefined))].sort();
}
