// Where everything in a chart is: a pure function of the story and of what is shown of it. All numbers are pixels.
//
// Each moment has a row of its own, so labels are never on top of each other; only a message that is taken at once shares the row of
// its sending, and specs that see the same share one. What changed in a moment is written below it, so rows differ in height.

import { partners } from "./filter.js";
import type { Message, Moment, Story } from "./story.js";
import { bugWords, short, withPayload } from "./words.js";

/** The height of a row without changes. */
export const ROW = 26;
/** The height of a line of what changed. */
export const LINE = 15;
/** The height of the names. */
export const HEAD = 48;
/** Left of the first line: the numbers of the rows, and the bracket around what repeats itself. */
const MARGIN = 60;
/** The most characters of a message's label, and of a change. */
export const LABEL = 56;
/** The most lines of what changed in one row. */
const CHANGES = 3;

export interface Row {
  readonly top: number;
  readonly height: number;
  /** In the middle of the arrows. */
  readonly y: number;
  /** In order. */
  readonly moments: readonly number[];
}

export interface Layout {
  readonly width: number;
  /** Without the names. */
  readonly height: number;
  /** The line of each actor; nothing of an actor that is not shown. */
  readonly columns: readonly (number | undefined)[];
  readonly rows: readonly Row[];
  /** The index of each moment's row; nothing of a moment that is not shown. */
  readonly rowOf: readonly (number | undefined)[];
  /** Where each actor's life begins and ends. */
  readonly lives: readonly { readonly from: number; readonly to: number }[];
  /** Where the bug is marked. */
  readonly bugY: number;
  readonly bugLines: readonly string[];
  /** What repeats itself for ever, if it does. */
  readonly loop?: { readonly from: number; readonly to: number };
}

/** `shown` are the numbers of moments, in order. */
export function layoutOf(story: Story, shown: readonly number[]): Layout {
  const columns = columnsOf(story, shown);
  const rows = rowsOf(story, shown);
  const rowOf: (number | undefined)[] = story.moments.map(() => undefined);
  rows.forEach(({ moments }, index) => moments.forEach((moment) => (rowOf[moment] = index)));
  const last = rows[rows.length - 1];
  const bottom = last === undefined ? 0 : last.top + last.height;
  const bugY = bottom + ROW / 2;
  const width = widthOf(story, shown, columns);
  const bugLines = wrapped(bugWords(story) ?? "", width);
  const layout = {
    width,
    height: bugY + 40 + 18 * bugLines.length,
    columns,
    rows,
    rowOf,
    lives: livesOf(story, rows, rowOf, bugY),
    bugY,
    bugLines,
  };
  const loop = rows.filter(({ moments }) => moments.some((moment) => moment >= (story.repeatsFrom ?? Infinity)));
  return loop.length === 0 ? layout : { ...layout, loop: { from: loop[0]!.top, to: bottom } };
}

/** The moments of which something is seen between two heights, in order. */
export function momentsBetween(story: Story, layout: Layout, top: number, bottom: number): number[] {
  return layout.rows.flatMap((row) =>
    row.moments.filter((moment) => {
      const what = story.moments[moment]!.what;
      const end = what.kind === "send" ? (arrowOf(story, layout, what.message)?.to.y ?? row.y) : row.y;
      return row.top <= bottom && Math.max(row.top + row.height, end + ROW) >= top;
    }),
  );
}

export interface Arrow {
  readonly from: { readonly x: number; readonly y: number };
  readonly to: { readonly x: number; readonly y: number };
}

/** The arrow of a message. If only one of its ends is shown, all of it is there. */
export function arrowOf(story: Story, layout: Layout, number: number): Arrow | undefined {
  const { from, to, sent, fate } = story.messages[number]!;
  const rowAt = (moment: number | undefined) => {
    const row = moment === undefined ? undefined : layout.rowOf[moment];
    return row === undefined ? undefined : layout.rows[row];
  };
  const begin = rowAt(sent);
  const end = rowAt(fate.kind === "taken" ? fate.moment : undefined);
  const [x1, x2] = [layout.columns[from], layout.columns[to]];
  const y = (begin ?? end)?.y;
  if (x1 === undefined || x2 === undefined || y === undefined) {
    return undefined;
  }
  return { from: { x: x1, y }, to: { x: x2, y: end?.y ?? y } };
}

/** States and changes are shown on the side from which no arrow comes. */
export function isOnTheLeft(story: Story, layout: Layout, number: number): boolean {
  const [own, other] = partners(story, number);
  return (layout.columns[other ?? own!] ?? 0) > (layout.columns[own!] ?? 0);
}

/** What changed in a moment, as it is written into the chart. */
export function changeLines({ changes = [] }: Moment): string[] {
  const lines = changes.slice(0, CHANGES).map(({ variable, after }) => short(`${variable} = ${after}`, LABEL));
  const left = changes.length - lines.length;
  return left > 0 ? [...lines, `and ${left} more`] : lines;
}

export function labelOf({ event, payload }: Pick<Message, "event" | "payload">): string {
  return short(withPayload(event, payload), LABEL);
}

/** About as wide as the text is drawn. */
export function textWidth(text: string): number {
  return Math.floor([...text].length * 6.5) + 4;
}

/** Columns are as far from each other as their names and the shorter labels between neighbours need. */
function columnsOf(story: Story, shown: readonly number[]): (number | undefined)[] {
  const present = new Set(shown.flatMap((moment) => partners(story, moment)));
  let x = MARGIN;
  let isFirst = true;
  return story.actors.map(({ name }, index) => {
    if (!present.has(index)) {
      return undefined;
    }
    const half = Math.ceil(textWidth(name) / 2) + 14;
    const column = x + Math.max(half, isFirst ? 30 : 54);
    x = column + Math.max(half, 54);
    isFirst = false;
    return column;
  });
}

function rowsOf(story: Story, shown: readonly number[]): Row[] {
  const groups: number[][] = [];
  for (const [index, number] of shown.entries()) {
    // What is repeated begins with a row of its own, so that the bracket around it says where.
    if (shown[index - 1] === number - 1 && number !== story.repeatsFrom && sharesRow(story, number)) {
      groups[groups.length - 1]!.push(number);
    } else {
      groups.push([number]);
    }
  }
  let top = 0;
  return groups.map((moments) => {
    const lines = Math.max(...moments.map((moment) => changeLines(story.moments[moment]!).length));
    const row = { top, height: lines === 0 ? ROW : ROW + lines * LINE + 5, y: top + ROW / 2, moments };
    top += row.height;
    return row;
  });
}

/** Whether a moment needs no row beside that of the moment before it. */
function sharesRow(story: Story, number: number): boolean {
  const { what } = story.moments[number]!;
  const before = story.moments[number - 1];
  if (what.kind === "take") {
    const { from, to, sent } = story.messages[what.message]!;
    return from !== to && sent + 1 === number && before?.state === undefined && (before?.changes ?? []).length === 0;
  }
  return (
    what.kind === "observe" &&
    before?.what.kind === "observe" &&
    before.what.by === what.by && before.what.event === what.event && before.what.payload === what.payload &&
    before.actor !== story.moments[number]!.actor
  );
}

function livesOf(
  story: Story,
  rows: readonly Row[],
  rowOf: readonly (number | undefined)[],
  end: number,
): { from: number; to: number }[] {
  const lives = story.actors.map(() => ({ from: -12, to: end }));
  const created = new Set<number>();
  for (const [number, { actor, what, state }] of story.moments.entries()) {
    // What is not shown happens where the next thing is that is.
    const y = () => rows[rowOf[number] ?? rows.findIndex(({ moments }) => moments[0]! > number)]?.y ?? end;
    if (what.kind === "create" && !created.has(what.actor)) {
      created.add(what.actor);
      lives[what.actor]!.from = y();
    }
    if (state !== undefined && state.to === null) {
      lives[actor]!.to = y();
    }
  }
  return lives;
}

/** Nothing that is written may be cut off. */
function widthOf(story: Story, shown: readonly number[], columns: readonly (number | undefined)[]): number {
  let width = 420;
  for (const [index, x] of columns.entries()) {
    if (x !== undefined) {
      width = Math.max(width, x + 90, x + textWidth(story.actors[index]!.name) / 2 + 24);
    }
  }
  for (const number of shown) {
    const { actor, what, state } = story.moments[number]!;
    const x = columns[actor] ?? 0;
    const label = what.kind === "send" ? labelOf(story.messages[what.message]!) : what.kind === "print" ? short(what.text, 60) : "";
    const pill = state === undefined ? 0 : textWidth(state.to ?? "halted") + 30;
    const changes = Math.max(0, ...changeLines(story.moments[number]!).map(textWidth));
    width = Math.max(width, x + Math.max(textWidth(label), pill, changes) + 40);
  }
  return Math.ceil(width);
}

/** Words in lines that fit. */
function wrapped(text: string, width: number): string[] {
  const most = Math.max(30, Math.floor((width - 40) / 7));
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    const line = lines[lines.length - 1];
    if (line === undefined || line.length + 1 + word.length > most) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = `${line} ${word}`;
    }
  }
  return lines;
}
