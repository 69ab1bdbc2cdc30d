// The page of a diagram: shows the picture that the server has drawn, zooms and pans, marks where the cursor is, and asks the extension to
// show places in the source.

import type { FromPage, ToPage, View } from "../src/diagram/said.js";

/** What is kept while the page is not seen. */
interface Kept {
  readonly view: View;
}

declare function acquireVsCodeApi(): { postMessage(said: FromPage): void; getState(): Kept | undefined; setState(kept: Kept): void };

const vscode = acquireVsCodeApi();
const byId = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;
const paper = byId("paper");
const view = byId<HTMLSelectElement>("view");
const [LEAST, MOST] = [0.1, 4];
let scale = 1;
/** Whether the picture is kept as large as the page: until somebody zooms. */
let fits = true;
let size = { width: 1, height: 1 };
let title = "";

function show(said: Extract<ToPage, { kind: "show" }>): void {
  byId("title").textContent = said.title;
  byId("note").textContent = said.note;
  if (said.picture !== undefined) {
    // What had the focus has it again, if it is still there.
    const focused = document.activeElement?.getAttribute("aria-label");
    paper.innerHTML = said.picture;
    const picture = svg();
    size = { width: picture?.viewBox.baseVal.width ?? 1, height: picture?.viewBox.baseVal.height ?? 1 };
    if (said.title !== title) {
      fits = true;
    }
    title = said.title;
    resize();
    if (focused != null) {
      const same = [...paper.querySelectorAll<SVGElement>("[aria-label]")].find((part) => part.getAttribute("aria-label") === focused);
      same?.focus({ preventScroll: true });
    }
  }
  mark(said.current);
}

function svg(): SVGSVGElement | null {
  return paper.querySelector("svg");
}

/** Marks the box of the cursor and the arrows that leave it. */
function mark(current: number | undefined): void {
  for (const marked of paper.querySelectorAll(".current")) {
    marked.classList.remove("current");
  }
  if (current !== undefined) {
    const parts = paper.querySelectorAll(`[data-box="${current}"], [data-from="${current}"]`);
    parts.forEach((part) => part.classList.add("current"));
    if (!fits) {
      paper.querySelector(`[data-box="${current}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }
}

function resize(): void {
  if (fits) {
    const room = Math.min((paper.clientWidth - 2) / size.width, (paper.clientHeight - 2) / size.height);
    scale = Math.min(1.5, Math.max(LEAST, room));
  }
  const picture = svg();
  if (picture !== null) {
    picture.style.width = `${size.width * scale}px`;
    picture.style.height = `${size.height * scale}px`;
  }
  byId("scale").textContent = `${Math.round(scale * 100)} %`;
}

/** Larger or smaller; the point of the page at (x, y) stays where it is. */
function zoom(factor: number, x = paper.clientWidth / 2, y = paper.clientHeight / 2): void {
  fits = false;
  const before = scale;
  scale = Math.min(MOST, Math.max(LEAST, scale * factor));
  const [left, top] = [(paper.scrollLeft + x) / before, (paper.scrollTop + y) / before];
  resize();
  paper.scrollLeft = left * scale - x;
  paper.scrollTop = top * scale - y;
}

function fit(): void {
  fits = true;
  resize();
}

function go(target: EventTarget | null, takesFocus: boolean): void {
  const place = (target as Element | null)?.closest("[data-place]")?.getAttribute("data-place");
  if (place != null) {
    vscode.postMessage({ kind: "go", place: Number(place), takesFocus });
  }
}

let drag: { x: number; y: number; left: number; top: number; hasMoved: boolean } | undefined;

paper.addEventListener("pointerdown", (event) => {
  if (event.button === 0) {
    drag = { x: event.clientX, y: event.clientY, left: paper.scrollLeft, top: paper.scrollTop, hasMoved: false };
  }
});
paper.addEventListener("pointermove", (event) => {
  if (drag === undefined || (event.buttons & 1) === 0) {
    return;
  }
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
  if (drag.hasMoved || Math.hypot(x, y) > 4) {
    drag.hasMoved = true;
    paper.classList.add("dragged");
    paper.scrollLeft = drag.left - x;
    paper.scrollTop = drag.top - y;
  }
});
window.addEventListener("pointerup", () => paper.classList.remove("dragged"));
paper.addEventListener("click", (event) => {
  if (drag?.hasMoved !== true) {
    go(event.target, true);
  }
});
paper.addEventListener(
  "wheel",
  (event) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const box = paper.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
    }
  },
  { passive: false },
);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target === view) {
    return;
  }
  const keys: Record<string, () => void> = {
    "+": () => zoom(1.25),
    "=": () => zoom(1.25),
    "-": () => zoom(0.8),
    "0": fit,
    Enter: () => go(event.target, true),
    " ": () => go(event.target, false),
  };
  const act = keys[event.key];
  if (act !== undefined && (event.target as Element).tagName !== "BUTTON") {
    event.preventDefault();
    act();
  }
});
byId("larger").addEventListener("click", () => zoom(1.25));
byId("smaller").addEventListener("click", () => zoom(0.8));
byId("fit").addEventListener("click", fit);
byId("export").addEventListener("click", () => vscode.postMessage({ kind: "export" }));
view.addEventListener("change", () => {
  const chosen = view.value as View;
  vscode.setState({ view: chosen });
  vscode.postMessage({ kind: "view", view: chosen });
});
new ResizeObserver(resize).observe(paper);
window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  if (data.kind === "show") {
    show(data);
  } else {
    byId("title").textContent = "There is no diagram";
    byId("note").textContent = data.why;
  }
});
const kept = vscode.getState();
if (kept !== undefined) {
  view.value = kept.view;
  vscode.postMessage({ kind: "view", view: kept.view });
}
vscode.postMessage({ kind: "ready" });
