// The page of a chart: draws what is on the screen, follows keys and the mouse, and asks the extension to show places in the source.
// Everything about where things are and what is said is in src/chart, which knows nothing of pages.

import { drawHeads, drawRows, escaped, idOf } from "../src/chart/draw.js";
import { choices, type Filter, partners, shownMoments } from "../src/chart/filter.js";
import { HEAD, type Layout, layoutOf } from "../src/chart/layout.js";
import type { FromPage, ToPage, Wanted } from "../src/chart/said.js";
import { messageOf, runOf, type Story, type TraceFile } from "../src/chart/story.js";
import { about, bugWords, commonFolder } from "../src/chart/words.js";
import { detailsOf } from "./details.js";

/** What is kept while the page is not seen. */
interface Kept {
  readonly filter: Filter;
  readonly chosen: number;
  readonly hidesUnchanged: boolean;
  readonly isAll: boolean;
}

declare function acquireVsCodeApi(): { postMessage(said: FromPage): void; getState(): Kept | undefined; setState(kept: Kept): void };

const vscode = acquireVsCodeApi();
const byId = <T extends Element = HTMLElement>(id: string) => document.getElementById(id) as unknown as T;
const [chart, names, rows] = [byId("chart"), byId<SVGElement>("names"), byId<SVGElement>("rows")];
const select = (id: string) => byId<HTMLSelectElement>(id);
const [machine, event, variable] = [select("machine"), select("event"), select("variable")];
const [onlyChanges, all] = [byId<HTMLInputElement>("only-changes"), byId<HTMLInputElement>("all")];
/** So much is drawn above and below what is seen. */
const BEYOND = 600;

/** What was read, and the run of it that is shown. */
let whole: TraceFile | undefined;
let file: TraceFile | undefined;
let layout: Layout | undefined;
let shown: number[] = [];
/** What is drawn, as heights. */
let drawn = { top: 0, bottom: -1 };
const FRESH: Kept = { filter: {}, chosen: -1, hidesUnchanged: true, isAll: false };
let { filter, chosen, hidesUnchanged, isAll }: Kept = vscode.getState() ?? FRESH;

function show(said: Extract<ToPage, { kind: "show" }>): void {
  const start = performance.now();
  const isFirst = file === undefined;
  whole = said.file;
  const { original, decisions } = whole;
  isAll = isAll && original !== undefined;
  all.checked = isAll;
  byId("all-label").hidden = original === undefined;
  byId("all-words").textContent = `show all ${original?.decisions.length ?? decisions.length} steps`;
  file = runOf(whole, isAll);
  const { story } = file;
  byId("test").textContent = file.test;
  byId("about").textContent = about(file);
  byId("stale").textContent = said.stale;
  showBug(story);
  fillFilter(story);
  if (chosen >= story.moments.length) {
    chosen = -1;
  }
  filterAgain();
  vscode.postMessage({ kind: "drawn", moments: story.moments.length, milliseconds: Math.round(performance.now() - start) });
  if (isFirst) {
    chart.focus({ preventScroll: true });
    // The end is what somebody wants to understand.
    choose(chosen < 0 ? story.moments.length - 1 : chosen);
  }
}

/** Changes between the short run and the one that was found. */
function changeRun(): void {
  if (whole === undefined) {
    return;
  }
  isAll = all.checked;
  file = runOf(whole, isAll);
  // A machine is asked for by its number, and it has another one there.
  const name = filter.machine === undefined ? undefined : machine.selectedOptions[0]?.text;
  const index = file.story.actors.findIndex((actor) => actor.name === name);
  const { machine: _, ...rest } = filter;
  filter = index < 0 ? rest : { ...rest, machine: index };
  byId("about").textContent = about(file);
  showBug(file.story);
  fillFilter(file.story);
  chosen = -1;
  filterAgain();
  choose(file.story.moments.length - 1);
}

function showBug(story: Story): void {
  const bug = byId("bug");
  bug.hidden = story.bug === undefined;
  const place = story.bug?.place;
  const name = place === undefined ? "" : `${place.path.slice(commonFolder(story).length)}:${place.line}`;
  const where = name === "" ? "" : ` <span class="place">${escaped(name)}</span>`;
  bug.innerHTML = `${escaped(bugWords(story) ?? "")} <span class="hint">${escaped(story.bug?.code ?? "")}</span>${where}`;
}

function fillFilter(story: Story): void {
  const { events, variables } = choices(story);
  const fill = (select: HTMLSelectElement, options: (readonly [value: string, text: string])[], value: string) => {
    const all = [["", "all"] as const, ...options];
    select.innerHTML = all.map(([value, text]) => `<option value="${escaped(value)}">${escaped(text)}</option>`).join("");
    select.value = all.some(([known]) => known === value) ? value : "";
  };
  fill(machine, story.actors.map(({ name }, index) => [String(index), name] as const), String(filter.machine ?? ""));
  fill(event, events.map((name) => [name, name] as const), filter.event ?? "");
  fill(variable, variables.map((name) => [name, name] as const), filter.variable ?? "");
  onlyChanges.checked = filter.onlyChanges ?? false;
  readFilter();
}

function readFilter(): void {
  filter = {
    ...(machine.value === "" ? {} : { machine: Number(machine.value) }),
    ...(event.value === "" ? {} : { event: event.value }),
    ...(variable.value === "" ? {} : { variable: variable.value }),
    onlyChanges: onlyChanges.checked,
  };
}

function filterAgain(): void {
  if (file === undefined) {
    return;
  }
  const { story } = file;
  shown = shownMoments(story, filter);
  layout = layoutOf(story, shown);
  const all = story.moments.length;
  byId("count").textContent = shown.length === all ? `${all} moments` : `${shown.length} of ${all} moments`;
  for (const [svg, height] of [[names, HEAD], [rows, layout.height]] as const) {
    svg.setAttribute("width", String(layout.width));
    svg.setAttribute("height", String(height));
  }
  names.innerHTML = drawHeads(story, layout);
  draw(true);
  if (chosen >= 0 && !shown.includes(chosen)) {
    choose(shown.find((moment) => moment > chosen) ?? shown[shown.length - 1] ?? -1);
  }
  keep();
}

/** Draws the rows on the screen, unless they are there already. */
function draw(isForced: boolean): void {
  if (file === undefined || layout === undefined) {
    return;
  }
  const [top, bottom] = [chart.scrollTop, chart.scrollTop + chart.clientHeight];
  if (isForced || top < drawn.top || bottom > drawn.bottom) {
    drawn = { top: top - BEYOND, bottom: bottom + BEYOND };
    rows.innerHTML = drawRows(file.story, layout, drawn.top, drawn.bottom, chosen);
  }
}

function choose(moment: number): void {
  if (file === undefined || layout === undefined || layout.rowOf[moment] === undefined) {
    return;
  }
  mark(chosen, false);
  chosen = moment;
  const row = layout.rows[layout.rowOf[moment]!]!;
  const height = chart.clientHeight - HEAD;
  if (row.top < chart.scrollTop + row.height) {
    chart.scrollTop = Math.max(0, row.top - 2 * row.height);
  } else if (row.top + 2 * row.height > chart.scrollTop + height) {
    // Also the end, of which the last row is a part.
    const isLast = row === layout.rows[layout.rows.length - 1];
    chart.scrollTop = isLast ? layout.height : row.top + 3 * row.height - height;
  }
  draw(false);
  mark(chosen, true);
  chart.setAttribute("aria-activedescendant", idOf(chosen));
  byId("details").innerHTML = detailsOf(file.story, chosen, hidesUnchanged);
  keep();
}

/** Scrolls sideways until those who have to do with the chosen moment are seen. */
function turnToPartners(): void {
  if (file !== undefined && layout !== undefined && chosen >= 0) {
    const columns = partners(file.story, chosen).map((actor) => layout!.columns[actor] ?? 0);
    const [left, right] = [Math.min(...columns) - 60, Math.max(...columns) + 120];
    const [from, to] = [chart.scrollLeft, chart.scrollLeft + chart.clientWidth];
    if (right - left <= chart.clientWidth) {
      chart.scrollLeft = left < from || right > to ? left : from;
    } else if (!columns.some((x) => x > from && x < to)) {
      // There is no room for all of them: one is enough.
      chart.scrollLeft = columns[0]! - chart.clientWidth / 2;
    }
  }
}

function mark(moment: number, isChosen: boolean): void {
  const element = document.getElementById(idOf(moment));
  element?.classList.toggle("chosen", isChosen);
  element?.setAttribute("aria-selected", String(isChosen));
}

function keep(): void {
  vscode.setState({ filter, chosen, hidesUnchanged, isAll });
}

function go(wanted: Wanted, takesFocus: boolean): void {
  vscode.postMessage({ kind: "go", wanted, moment: chosen, isAll, takesFocus });
}

/** So many shown moments on, or as far as it goes. */
function move(by: number): void {
  const at = shown.indexOf(chosen);
  choose(shown[Math.min(shown.length - 1, Math.max(0, at < 0 ? 0 : at + by))] ?? -1);
  turnToPartners();
}

/** From a message's send to where it is taken, or back. */
function follow(isForwards: boolean): void {
  const message = file === undefined ? undefined : messageOf(file.story, chosen);
  const { fate, sent } = message ?? {};
  const target = isForwards ? (fate?.kind === "taken" ? fate.moment : undefined) : sent;
  if (target !== undefined) {
    choose(target);
    turnToPartners();
  }
}

const KEYS: Record<string, () => void> = {
  ArrowDown: () => move(1),
  j: () => move(1),
  ArrowUp: () => move(-1),
  k: () => move(-1),
  PageDown: () => move(15),
  PageUp: () => move(-15),
  Home: () => move(-shown.length),
  End: () => move(shown.length),
  ArrowRight: () => follow(true),
  ArrowLeft: () => follow(false),
  Enter: () => go("own", true),
};

chart.addEventListener("keydown", (pressed) => {
  if (pressed.ctrlKey || pressed.metaKey || pressed.shiftKey) {
    return;
  }
  const act = pressed.altKey ? (pressed.key === "Enter" ? () => go("handler", true) : undefined) : KEYS[pressed.key];
  if (act !== undefined) {
    pressed.preventDefault();
    act();
  }
});
chart.addEventListener("click", (clicked) => {
  const target = clicked.target as Element;
  const moment = target.closest<SVGElement>("[data-moment]")?.dataset["moment"];
  if (target.closest("[data-bug]") !== null) {
    go("bug", false);
  } else if (moment !== undefined) {
    choose(Number(moment));
    go(clicked.altKey ? "handler" : target.closest("[data-message]") !== null ? "send" : "own", false);
  }
});
chart.addEventListener("scroll", () => requestAnimationFrame(() => draw(false)));
new ResizeObserver(() => draw(false)).observe(chart);
for (const control of [machine, event, variable, onlyChanges]) {
  control.addEventListener("change", () => {
    readFilter();
    filterAgain();
  });
}
all.addEventListener("change", changeRun);
byId("bug").addEventListener("click", () => go("bug", false));
byId("debug").addEventListener("click", () => vscode.postMessage({ kind: "debug", isAll }));
byId("export").addEventListener("click", () => vscode.postMessage({ kind: "export", filter, isAll }));
byId("details").addEventListener("click", (clicked) => {
  const wanted = (clicked.target as Element).closest<HTMLElement>("[data-go]")?.dataset["go"];
  if (wanted !== undefined) {
    go(wanted as Wanted, false);
  }
});
byId("details").addEventListener("change", (changed) => {
  hidesUnchanged = (changed.target as HTMLInputElement).checked;
  if (file !== undefined) {
    byId("details").innerHTML = detailsOf(file.story, chosen, hidesUnchanged);
    byId("hide-unchanged").focus();
  }
  keep();
});
window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  if (data.kind === "show") {
    show(data);
  } else {
    byId("test").textContent = "This trace cannot be shown";
    byId("about").textContent = data.why;
  }
});
vscode.postMessage({ kind: "ready" });
