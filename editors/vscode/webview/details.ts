// What is said beside the chart about the chosen moment: where it is in the source, and the values after it.

import { escaped } from "../src/chart/draw.js";
import { messageOf, type Place, sendPlace, handlerPlace, type Story } from "../src/chart/story.js";
import { valuesAfter } from "../src/chart/values.js";
import { choiceWords, sentence } from "../src/chart/words.js";

export function detailsOf(story: Story, number: number, hidesUnchanged: boolean): string {
  const moment = story.moments[number];
  if (moment === undefined) {
    return "";
  }
  return [
    `<h2>${number + 1}. ${escaped(sentence(story, moment))}</h2>`,
    `<div class="line">${links(story, number)}</div>`,
    ...choiceWords(moment).map((words) => `<div>${escaped(words)}</div>`),
    `<label class="hint"><input id="hide-unchanged" type="checkbox"${hidesUnchanged ? " checked" : ""}> hide the unchanged</label>`,
    table(story, number, hidesUnchanged),
  ].join("");
}

function links(story: Story, number: number): string {
  const link = (wanted: string, name: string, place: Place | undefined) =>
    place === undefined ? "" : `<button data-go="${wanted}">${name} ${escaped(`${fileName(place.path)}:${place.line}`)}</button>`;
  const message = messageOf(story, number);
  if (message === undefined) {
    return link("own", "source", story.moments[number]?.place);
  }
  const send = link("send", "send", sendPlace(story, number));
  return message.fate.kind === "taken" ? `${send} ${link("handler", "handler", handlerPlace(story, number))}` : send;
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function table(story: Story, number: number, hidesUnchanged: boolean): string {
  const known = valuesAfter(story, number).filter(({ before }) => !hidesUnchanged || before !== undefined);
  if (known.length === 0) {
    return `<p class="hint">Nothing changed.</p>`;
  }
  const rows = known.map(({ actor, name, isState, value, before }, index) => {
    const who = escaped(story.actors[actor]!.name);
    const head = known[index - 1]?.actor === actor ? "" : `<tr><th colspan="2" scope="colgroup">${who}</th></tr>`;
    const was = before === undefined ? "" : `<span class="before">${escaped(before)} \u2192</span> `;
    const label = isState ? `<i>state</i>` : escaped(name);
    return `${head}<tr${before === undefined ? "" : ` class="changed"`}><td>${label}</td><td>${was}${escaped(value)}</td></tr>`;
  });
  return `<table>${rows.join("")}</table>`;
}
