// What is known of every actor's state and variables after a moment. A story tells changes only, so a variable that never changes is
// not known, and what a variable was at first is told by its first change.

import type { Story } from "./story.js";

export interface Known {
  readonly actor: number;
  /** `state` for the state itself. */
  readonly name: string;
  readonly isState: boolean;
  readonly value: string;
  /** What it was before this moment, if this moment changed it. */
  readonly before?: string;
}

/** All that is known after a moment, the actors in their order. */
export function valuesAfter(story: Story, moment: number): Known[] {
  const known = new Map<string, Known>();
  for (const [number, { actor, state, changes = [] }] of story.moments.entries()) {
    const all = [
      ...(state === undefined ? [] : [{ name: "state", isState: true, before: state.from, after: state.to ?? "halted" }]),
      ...changes.map(({ variable, before, after }) => ({ name: variable, isState: false, before, after })),
    ];
    for (const { name, isState, before, after } of all) {
      const key = `${actor} ${isState ? "" : name}`;
      const isFirst = !known.has(key);
      if (number < moment) {
        known.set(key, { actor, name, isState, value: after });
      } else if (number === moment) {
        known.set(key, { actor, name, isState, value: after, before });
      } else if (isFirst) {
        known.set(key, { actor, name, isState, value: before });
      }
    }
  }
  const isBefore = (a: Known, b: Known) =>
    a.actor - b.actor || Number(b.isState) - Number(a.isState) || (a.name < b.name ? -1 : Number(a.name > b.name));
  return [...known.values()].sort(isBefore);
}
