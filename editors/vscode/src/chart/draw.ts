// A chart as SVG: the names, and the rows between two heights. Texts in, text out; the colours are in chart.css of server/trace.

import { hasChanged } from "./filter.js";
import {
  type Arrow, arrowOf, changeLines, HEAD, isOnTheLeft, labelOf, type Layout, LINE, momentsBetween, ROW, textWidth,
} from "./layout.js";
import { culprit, type Story } from "./story.js";
import { details, sentence, short } from "./words.js";

/** The names of the actors, above their lines. */
export function drawHeads(story: Story, { columns }: Layout): string {
  const wrong = culprit(story);
  return columns
    .map((x, index) => {
      if (x === undefined) {
        return "";
      }
      const { name, isSpec } = story.actors[index]!;
      const width = textWidth(name) + 18;
      const kind = `head${isSpec ? " spec" : ""}${index === wrong ? " wrong" : ""}`;
      const title = isSpec ? `${name}: a spec` : name;
      return (
        `<g class="${kind}"><title>${escaped(title)}</title>` +
        `<rect x="${x - width / 2}" y="${HEAD - 36}" width="${width}" height="26" rx="6"/>` +
        `<text x="${x}" y="${HEAD - 19}">${escaped(name)}</text></g>`
      );
    })
    .join("");
}

/** Everything of which something is between two heights; the first row begins at 0. `chosen` is a moment. */
export function drawRows(story: Story, layout: Layout, top: number, bottom: number, chosen?: number): string {
  return (
    drawLoop(layout) +
    drawLives(layout) +
    momentsBetween(story, layout, top, bottom).map((moment) => drawMoment(story, layout, moment, chosen)).join("") +
    (bottom >= layout.bugY - ROW ? drawEnding(story, layout) : "")
  );
}

/** The id of the element of a moment. */
export function idOf(moment: number): string {
  return `moment-${moment}`;
}

/** What is read out for a moment. */
export function spoken(story: Story, number: number): string {
  const moment = story.moments[number]!;
  return [`${number + 1}. ${sentence(story, moment)}`, ...details(moment)].join("; ");
}

/** A thin line for each actor, as long as it exists. */
function drawLives({ columns, lives }: Layout): string {
  return columns
    .map((x, index) => {
      if (x === undefined) {
        return "";
      }
      const { from, to } = lives[index]!;
      const unborn = from > 0 ? `<line class="unborn" x1="${x}" y1="-12" x2="${x}" y2="${from}"/>` : "";
      return `${unborn}<line class="life" x1="${x}" y1="${from}" x2="${x}" y2="${to}"/>`;
    })
    .join("");
}

/** A bracket around what repeats itself for ever. */
function drawLoop({ loop, width }: Layout): string {
  if (loop === undefined) {
    return "";
  }
  const { from, to } = loop;
  const middle = (from + to) / 2;
  return (
    `<g class="loop"><title>From here on the run repeats itself for ever.</title>` +
    `<rect class="loop-band" x="0" y="${from}" width="${width}" height="${to - from}"/>` +
    `<path class="loop-line" d="M22 ${from + 3} h-6 v${to - from - 6} h6"/><path class="loop-tip" d="M24 ${from + 3} l-6 -4 v8 z"/>` +
    `<text class="loop-words" transform="rotate(-90 12 ${middle})" x="12" y="${middle}">\u21bb for ever</text></g>`
  );
}

function drawMoment(story: Story, layout: Layout, number: number, chosen: number | undefined): string {
  const row = layout.rows[layout.rowOf[number]!]!;
  const { actor } = story.moments[number]!;
  const isFirst = row.moments[0] === number;
  const x = layout.columns[actor] ?? 0;
  // Of several moments in a row the first has all of it, the others what is near their lines.
  const [left, width] = isFirst ? [0, layout.width] : [x - 50, 100];
  const isChosen = number === chosen;
  return (
    `<g class="moment${isChosen ? " chosen" : ""}" id="${idOf(number)}" data-moment="${number}" role="option" aria-selected="${isChosen}"` +
    ` aria-setsize="${story.moments.length}" aria-posinset="${number + 1}" aria-label="${escaped(spoken(story, number))}">` +
    `<rect class="band" x="${left}" y="${row.top}" width="${width}" height="${row.height}"/>` +
    (isFirst ? `<text class="number" x="48" y="${row.y + 4}">${number + 1}</text>` : "") +
    drawArrow(story, layout, number, isFirst) +
    drawPoint(story, layout, number) +
    "</g>"
  );
}

/** The arrow that begins in a moment, or that ends in it if its beginning is not shown. */
function drawArrow(story: Story, layout: Layout, number: number, isFirst: boolean): string {
  const { actor, what } = story.moments[number]!;
  const row = layout.rows[layout.rowOf[number]!]!;
  const point = (index: number) => ({ x: layout.columns[index] ?? 0, y: row.y });
  switch (what.kind) {
    case "send":
      return drawMessage(story, layout, what.message);
    case "take":
      return layout.rowOf[story.messages[what.message]!.sent] === undefined ? drawMessage(story, layout, what.message) : "";
    case "create": {
      const arrow = { from: point(actor), to: point(what.actor) };
      return line("create", arrow) + tip("create", arrow) + label("create", "new", arrow);
    }
    case "observe": {
      const arrow = { from: point(what.by), to: point(actor) };
      // Several specs that see the same share a row and a label.
      return line("observe", arrow) + (isFirst ? label("observe", labelOf(what), arrow) : "");
    }
    default:
      return "";
  }
}

function drawMessage(story: Story, layout: Layout, number: number): string {
  const arrow = arrowOf(story, layout, number);
  if (arrow === undefined) {
    return "";
  }
  const message = story.messages[number]!;
  const { from, to } = arrow;
  const { kind } = message.fate;
  const fate = kind !== "taken" ? ` ${kind}` : to.y - from.y > 8 * ROW ? " late" : "";
  const classes = `message${fate}`;
  const open = `<g class="arrow" data-message="${number}">`;
  if (message.from === message.to) {
    const bow = Math.max(to.y - from.y, ROW / 2);
    const path = `<path class="${classes} line" d="M${from.x} ${from.y} c34 0 34 ${bow} 6 ${bow}"/>`;
    const end = { from: { x: from.x + 20, y: from.y + bow }, to: { x: from.x, y: from.y + bow } };
    const right = { from, to: { x: from.x + 1, y: from.y } };
    return `${open}${path}${tip(classes, end)}${label(classes, labelOf(message), right)}</g>`;
  }
  const side = Math.sign(to.x - from.x);
  const ends = {
    taken: () => tip(classes, arrow),
    waiting: () => tip(classes, arrow),
    ignored: () => `<circle class="${classes} end" cx="${to.x - 8 * side}" cy="${to.y}" r="4"/>`,
    lost: () => `<path class="${classes} end" d="M${to.x - 12 * side - 4} ${to.y - 4} l8 8 m-8 0 l8 -8"/>`,
  };
  return `${open}${line(classes, arrow)}${ends[kind]()}${label(classes, labelOf(message), arrow)}</g>`;
}

/** What is seen on the line of the actor: a mark, its new state, and what else changed. */
function drawPoint(story: Story, layout: Layout, number: number): string {
  const moment = story.moments[number]!;
  const { y } = layout.rows[layout.rowOf[number]!]!;
  const x = layout.columns[moment.actor] ?? 0;
  const isLeft = isOnTheLeft(story, layout, number);
  const classes = hasChanged(moment) ? "mark changed" : "mark";
  const mark =
    moment.what.kind === "start"
      ? `<rect class="${classes}" x="${x - 5}" y="${y - 5}" width="10" height="10"/>`
      : moment.what.kind === "print"
        ? `<text class="print" x="${x + 10}" y="${y + 4}">\u201c${escaped(short(moment.what.text, 60))}\u201d</text>`
        : `<circle class="${classes}" cx="${x}" cy="${y}" r="4.5"/>`;
  const changes = changeLines(moment).map((text, index) => {
    // To the left there may be less room than the text needs.
    const fits = isLeft && x - 10 - textWidth(text) > 52;
    const [anchor, at] = fits ? ["end", x - 10] : ["start", x + 10];
    return `<text class="change" x="${at}" y="${y + ROW / 2 + LINE * index + 9}" text-anchor="${anchor}">${escaped(text)}</text>`;
  });
  return mark + drawState(moment.state, x, y, isLeft) + changes.join("");
}

function drawState(state: { to: string | null } | undefined, x: number, y: number, isLeft: boolean): string {
  if (state === undefined) {
    return "";
  }
  const name = state.to ?? "halted";
  const width = textWidth(name) + 14;
  const left = isLeft && x - 10 - width > 52 ? x - 10 - width : x + 10;
  return (
    `<g class="state${state.to === null ? " halted" : ""}"><rect x="${left}" y="${y - 8}" width="${width}" height="17" rx="8.5"/>` +
    `<text x="${left + 7}" y="${y + 4}">${escaped(name)}</text></g>`
  );
}

function drawEnding(story: Story, { bugY, bugLines, columns }: Layout): string {
  if (story.bug === undefined) {
    return "";
  }
  const wrong = culprit(story);
  const x = wrong === undefined ? undefined : columns[wrong];
  const cross = x === undefined ? "" : `<path class="cross" d="M${x - 6} ${bugY - 6} l12 12 m-12 0 l12 -12"/>`;
  const lines = bugLines.map((text, index) => `<text x="16" y="${bugY + 30 + 18 * index}">${escaped(text)}</text>`);
  return `${cross}<g class="bug" data-bug="">${lines.join("")}</g>`;
}

/** Twice: what is seen, and something wider that a mouse can hit. */
function line(kind: string, { from, to }: Arrow): string {
  const ends = `x1="${from.x}" y1="${from.y}" x2="${to.x}" y2="${to.y}"`;
  return `<line class="reach" ${ends}/><line class="${kind} line" ${ends}/>`;
}

/** The head of an arrow: as steep as its line, just before the mark it leads to. */
function tip(kind: string, { from, to }: Arrow): string {
  const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  return `<path class="${kind} tip" transform="rotate(${angle.toFixed(1)} ${to.x} ${to.y})" d="M${to.x - 4} ${to.y} l-9 -4 v8 z"/>`;
}

/** Beside the beginning of an arrow, above its line. */
function label(kind: string, text: string, { from, to }: Arrow): string {
  // To the left there may be less room than the text needs.
  const [anchor, at] =
    to.x > from.x ? ["start", from.x + 9] : from.x - 9 - textWidth(text) > 52 ? ["end", from.x - 9] : ["start", 54];
  return `<text class="${kind} label" x="${at}" y="${from.y - 5}" text-anchor="${anchor}">${escaped(text)}</text>`;
}

/** For SVG. What XML cannot hold at all becomes a box. */
export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g, "\u25a1");
}
