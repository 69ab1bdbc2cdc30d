// The chart of a trace in plain Node: what is read, what is shown, where it is, and what is drawn. src/chart knows no editor.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** Returns a list of `{ name, ok, detail }`. `project` has a trace of `server`, of which something was left out. */
export async function testChart({ extension, folder, project, server }) {
  const { buildSync } = createRequire(path.join(extension, "package.json"))("esbuild");
  const modules = ["story", "words", "filter", "values", "layout", "draw", "picture"];
  const stdin = { contents: modules.map((name) => `export * from "./src/chart/${name}.js";`).join("\n"), resolveDir: extension };
  const outfile = path.join(folder, "chart.mjs");
  buildSync({ stdin, outfile, format: "esm", bundle: true, platform: "neutral", loader: { ".css": "text" } });
  const chart = await import(pathToFileURL(outfile).href);
  const results = [];
  const real = casesOfRealTrace(chart, path.join(project, "traces/tcCrashingClients.trace.json"), server);
  for (const [name, run] of Object.entries({ ...cases(chart), ...real })) {
    try {
      run();
      results.push({ name, ok: true, detail: "" });
    } catch (error) {
      results.push({ name, ok: false, detail: error.message });
    }
  }
  writeFileSync(path.join(folder, "sample.svg"), chart.picture(file(sample())));
  return results;
}

/** A file with this story. */
export function file(story, more = {}) {
  const decisions = story.moments.map(() => ({ machine: "1", action: "start" }));
  const found = { by: "random schedules", seed: 1, schedule: 3, decisions: decisions.length + 2 };
  return { format: "lockstep-trace", version: 1, test: "tc", paths: ["app.pproj"], fingerprint: "f", settings: {}, found, decisions, story, ...more };
}

const place = (path, line) => ({ path, line, column: 1, endLine: line, endColumn: 9 });

/** A asks B, which answers at once; a spec sees the answer and fails. */
function sample() {
  return {
    actors: [{ name: "A(1)", isSpec: false }, { name: "B(1.1)", isSpec: false }, { name: "Watch", isSpec: true }],
    moments: [
      { actor: 0, decision: 0, what: { kind: "start" }, place: place("A.p", 1) },
      { actor: 0, decision: 1, what: { kind: "create", actor: 1 }, place: place("A.p", 2), changes: [{ variable: "b", before: "null", after: "B(1.1)" }] },
      { actor: 0, decision: 2, what: { kind: "send", message: 0 }, place: place("A.p", 3) },
      { actor: 1, decision: 3, what: { kind: "start", payload: "1" }, place: place("B.p", 1) },
      {
        actor: 1, decision: 4, what: { kind: "take", message: 0 }, place: place("B.p", 2), state: { from: "Idle", to: "Busy" },
        changes: ["v", "w", "x", "y", "z"].map((variable) => ({ variable, before: "0", after: "1" })),
      },
      { actor: 1, decision: 5, what: { kind: "send", message: 1 }, place: place("B.p", 3) },
      { actor: 0, decision: 6, what: { kind: "take", message: 1 }, place: place("A.p", 5), state: { from: "S", to: null } },
      { actor: 1, decision: 7, what: { kind: "send", message: 2 }, place: place("B.p", 4), choices: [[2, 3]] },
      { actor: 2, decision: 7, what: { kind: "observe", by: 1, event: "eDone", payload: "<1>" }, place: place("W.p", 4) },
    ],
    messages: [
      { event: "eAsk", payload: "(n = 1)", from: 0, to: 1, sent: 2, fate: { kind: "taken", moment: 4 } },
      { event: "eAnswer", from: 1, to: 0, sent: 5, fate: { kind: "taken", moment: 6 } },
      { event: "eDone", payload: "<1>", from: 1, to: 0, sent: 7, fate: { kind: "lost" } },
    ],
    bug: { code: "LS3001", message: "this assertion does not hold", who: "Watch", state: "On", place: place("W.p", 5) },
  };
}

/** Two machines that send so many messages to each other. */
export function long(messages) {
  const story = { actors: [{ name: "A(1)", isSpec: false }, { name: "B(1.1)", isSpec: false }], moments: [], messages: [] };
  for (let number = 0; number < messages; number += 1) {
    const from = number % 2;
    const changes = [{ variable: "n", before: String(number), after: String(number + 1) }];
    story.messages.push({ event: "eStep", payload: String(number), from, to: 1 - from, sent: 2 * number, fate: { kind: "taken", moment: 2 * number + 1 } });
    story.moments.push({ actor: from, decision: 2 * number, what: { kind: "send", message: number }, place: place("A.p", 3) });
    story.moments.push({ actor: 1 - from, decision: 2 * number + 1, what: { kind: "take", message: number }, place: place("A.p", 4), changes });
  }
  return story;
}

function cases(chart) {
  const story = sample();
  const all = chart.shownMoments(story, {});
  const read = (change) => {
    const text = file(sample());
    change(text);
    return () => chart.readTrace(JSON.stringify(text));
  };
  return {
    ...casesOfReading(chart, read),
    "a moment is said as on the command line": () => {
      const words = story.moments.map((moment) => chart.sentence(story, moment));
      assert.deepEqual(words, [
        "A(1) starts",
        "A(1) creates B(1.1)",
        "A(1) sends eAsk(n = 1) to B(1.1)",
        "B(1.1) starts with 1",
        "B(1.1) takes eAsk(n = 1) from A(1)",
        "B(1.1) sends eAnswer to A(1)",
        "A(1) takes eAnswer from B(1.1)",
        "B(1.1) sends eDone(<1>) to A(1), which has halted or will before it takes it",
        "Watch sees eDone(<1>) of B(1.1)",
      ]);
      assert.deepEqual(chart.details(story.moments[4]).slice(0, 2), ["state: Idle -> Busy", "v: 0 -> 1"]);
      assert.deepEqual(chart.details(story.moments[7]), ["chooses possibility 2 of 3"]);
      assert.deepEqual(chart.details({ ...story.moments[7], chosen: ["5"] }), ["chooses 5, possibility 2 of 3"]);
      assert.equal(chart.bugWords(story), "Watch in On: this assertion does not hold");
      assert.equal(chart.about(file(story)), "9 steps, made from 11 \u00b7 found by random schedules \u00b7 schedule 3 \u00b7 seed 1");
    },
    "the folder of all files is left out where names of files are shown": () => {
      const whole = sample();
      for (const { place } of [...whole.moments, whole.bug]) place.path = `/home/me/app/${place.path === "W.p" ? "PSpec" : "PSrc"}/${place.path}`;
      assert.equal(chart.commonFolder(whole), "/home/me/app/");
      assert.equal(chart.commonFolder(story), "");
      const one = { ...whole, moments: [], messages: [] };
      assert.equal(chart.commonFolder(one), "/home/me/app/PSpec/");
    },
    "the send and the handler of a message are found from both of its ends": () => {
      for (const moment of [2, 4]) {
        assert.equal(chart.sendPlace(story, moment).path, "A.p");
        assert.equal(chart.handlerPlace(story, moment).path, "B.p");
      }
      assert.equal(chart.handlerPlace(story, 7).line, 4, "nobody handles it");
      assert.equal(chart.sendPlace(story, 0).line, 1);
    },
    "a filter lets through what has to do with a machine, an event, a variable or a change; the end is always there": () => {
      assert.deepEqual(chart.shownMoments(story, { machine: 0 }), [0, 1, 2, 4, 5, 6, 7, 8]);
      assert.deepEqual(chart.shownMoments(story, { machine: 2 }), [8]);
      assert.deepEqual(chart.shownMoments(story, { event: "eAsk" }), [2, 4, 8]);
      assert.deepEqual(chart.shownMoments(story, { variable: "w" }), [4, 8]);
      assert.deepEqual(chart.shownMoments(story, { onlyChanges: true }), [1, 4, 6, 8]);
      assert.deepEqual(chart.shownMoments(story, { onlyChanges: true, machine: 0, event: "eAnswer" }), [6, 8]);
      assert.deepEqual(chart.choices(story), { events: ["eAnswer", "eAsk", "eDone"], variables: ["b", "v", "w", "x", "y", "z"] });
    },
    "values after a moment: what changed, what was known before, and what is told only later": () => {
      const after = (moment) => chart.valuesAfter(story, moment).map(({ actor, name, value, before }) => [actor, name, value, before]);
      assert.deepEqual(after(0).slice(0, 4), [[0, "state", "S", undefined], [0, "b", "null", undefined], [1, "state", "Idle", undefined], [1, "v", "0", undefined]]);
      assert.deepEqual(after(1)[1], [0, "b", "B(1.1)", "null"]);
      assert.deepEqual(after(4)[2], [1, "state", "Busy", "Idle"]);
      assert.deepEqual(after(8).slice(0, 2), [[0, "state", "halted", undefined], [0, "b", "B(1.1)", undefined]]);
    },
    "a message that is taken at once shares the row of its sending, no other one does": () => {
      const layout = chart.layoutOf(story, all);
      assert.deepEqual(layout.rows.map(({ moments }) => [...moments]), [[0], [1], [2], [3], [4], [5, 6], [7], [8]]);
      assert.equal(layout.rowOf[6], 5);
    },
    "rows lie below each other, and what changed makes room for itself": () => {
      const { rows, height } = chart.layoutOf(story, all);
      rows.forEach((row, index) => assert.equal(row.top, index === 0 ? 0 : rows[index - 1].top + rows[index - 1].height));
      assert.equal(rows[0].height, chart.ROW);
      assert.ok(rows[1].height >= chart.ROW + chart.LINE);
      assert.deepEqual(chart.changeLines(story.moments[4]), ["v = 1", "w = 1", "x = 1", "and 2 more"]);
      assert.ok(height > rows.at(-1).top + rows.at(-1).height);
    },
    "a machine lives from its creation to its halt; of one that is not shown there is no line": () => {
      const layout = chart.layoutOf(story, all);
      assert.equal(layout.lives[1].from, layout.rows[1].y);
      assert.equal(layout.lives[0].to, layout.rows[5].y);
      assert.equal(layout.lives[2].to, layout.bugY);
      const part = chart.layoutOf(story, chart.shownMoments(story, { event: "eAsk" }));
      assert.deepEqual(part.columns.map((x) => x !== undefined), [true, true, true]);
      const spec = chart.layoutOf(story, chart.shownMoments(story, { machine: 2 }));
      assert.deepEqual(spec.columns.map((x) => x !== undefined), [false, true, true]);
    },
    "an arrow goes from the send to the take, also if only one of them is shown": () => {
      const layout = chart.layoutOf(story, all);
      const arrow = chart.arrowOf(story, layout, 0);
      assert.deepEqual([arrow.from.y, arrow.to.y], [layout.rows[2].y, layout.rows[4].y]);
      const part = chart.layoutOf(story, chart.shownMoments(story, { variable: "w" }));
      const flat = chart.arrowOf(story, part, 0);
      assert.equal(flat.from.y, part.rows[0].y);
      assert.equal(flat.to.y, part.rows[0].y);
      assert.match(chart.drawRows(story, part, 0, part.height), /eAsk\(n = 1\)/);
    },
    "what repeats itself for ever is bracketed, to the end": () => {
      for (const [from, row] of [[5, 5], [6, 6]]) {
        const endless = { ...story, repeatsFrom: from };
        const layout = chart.layoutOf(endless, all);
        // Also of a message that is taken at once, which otherwise shares the row of its sending.
        assert.equal(layout.loop.from, layout.rows[row].top);
        assert.equal(layout.rows[row].moments[0], from);
        assert.equal(layout.loop.to, layout.rows.at(-1).top + layout.rows.at(-1).height);
        assert.match(chart.drawRows(endless, layout, 0, layout.height), /for ever/);
        assert.match(chart.about(file(endless)), new RegExp(`repeats itself from number ${from + 1} on`));
      }
      assert.equal(chart.layoutOf(story, all).loop, undefined);
      assert.doesNotMatch(chart.drawRows(story, chart.layoutOf(story, all), 0, 999), /for ever/);
    },
    ...casesOfDrawing(chart, story, all),
  };
}

/** The command line tells the same trace. */
function casesOfRealTrace(chart, trace, server) {
  const file = chart.readTrace(readFileSync(trace, "utf8"));
  /** Sentences without the places behind them, and what changed. */
  const said = (...options) => {
    const text = execFileSync(server, ["trace", "view", ...options, trace], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const lines = text.slice(0, text.indexOf("\nbug at")).split("\n");
    return lines.map((line) => line.replace(/^ *\d+  |^ +/, "").replace(/ {2,}\S+:\d+$/, ""));
  };
  const drawn = ({ story }) => story.moments.flatMap((moment) => [chart.sentence(story, moment), ...chart.details(moment)]);
  return {
    "a real trace is told in the words of the command line": () => assert.deepEqual(drawn(file), said()),
    "so is the run that it was made of": () => {
      const all = chart.runOf(file, true);
      assert.ok(all.story.moments.length > file.story.moments.length, "nothing was left out");
      assert.deepEqual(drawn(all), said("--all"));
      assert.match(chart.picture(all), new RegExp(`id="moment-${all.story.moments.length - 1}"`));
      assert.equal(chart.about(all), chart.about(file).replace(/^\d+ steps, made from (\d+)/, "$1 steps"));
    },
  };
}

function casesOfReading(chart, read) {
  return {
    "a trace is read, and what is none is told in words": () => {
      assert.equal(read(() => {})().test, "tc");
      assert.throws(() => chart.readTrace("{"), /it is not JSON/);
      assert.throws(() => chart.readTrace("null"), /it is no trace/);
      assert.throws(read((trace) => (trace.format = "other")), /it is no trace/);
      assert.throws(read((trace) => (trace.version = 2)), /version 2/);
    },
    "the run that was found is shown if it is asked for and kept": () => {
      const [short, all] = [{ ...sample(), moments: sample().moments.slice(0, 2), messages: [] }, sample()];
      const trace = { ...file(short), original: { decisions: file(all).decisions, story: all } };
      const whole = chart.readTrace(JSON.stringify(trace));
      assert.equal(chart.runOf(whole, false).story.moments.length, 2);
      assert.equal(chart.runOf(whole, true).story.moments.length, 9);
      assert.equal(chart.runOf(whole, true).decisions.length, 9);
      assert.equal(chart.runOf(chart.readTrace(JSON.stringify(file(short))), true).story.moments.length, 2);
      trace.original.story.moments[0].actor = 9;
      assert.throws(() => chart.readTrace(JSON.stringify(trace)), /damaged/);
    },
    "numbers that lead nowhere are found": () => {
      assert.throws(read((trace) => (trace.story.moments[0].actor = 9)), /damaged/);
      assert.throws(read((trace) => (trace.story.moments[2].what.message = 3)), /damaged/);
      assert.throws(read((trace) => (trace.story.moments[8].what.by = -1)), /damaged/);
      assert.throws(read((trace) => (trace.story.messages[0].fate.moment = 2)), /damaged/);
      assert.throws(read((trace) => (trace.story.moments[0].what.kind = "jump")), /damaged/);
      assert.throws(read((trace) => delete trace.story.messages), /damaged/);
    },
  };
}

function casesOfDrawing(chart, story, all) {
  return {
    "only what is on the screen is drawn, with the arrows that cross it": () => {
      const many = long(1000);
      const layout = chart.layoutOf(many, chart.shownMoments(many, {}));
      const middle = layout.height / 2;
      const part = chart.drawRows(many, layout, middle, middle + 800);
      const drawn = part.match(/data-moment=/g).length;
      assert.ok(drawn > 10 && drawn < 100, `${drawn} moments`);
      const layoutOfStory = chart.layoutOf(story, all);
      const row = layoutOfStory.rows[3];
      assert.ok(chart.momentsBetween(story, layoutOfStory, row.top + 1, row.top + row.height - 1).includes(2), "its arrow passes");
      assert.ok(!chart.momentsBetween(story, layoutOfStory, row.top + 1, row.top + row.height - 1).includes(7));
    },
    "a moment has words for those who do not see it": () => {
      const layout = chart.layoutOf(story, all);
      const text = chart.drawRows(story, layout, 0, layout.height, 4);
      assert.match(text, /id="moment-4"[^>]*role="option" aria-selected="true"[^>]*aria-label="5\. B\(1\.1\) takes eAsk\(n = 1\) from A\(1\); state: Idle -&gt; Busy/);
      assert.match(text, /id="moment-3"[^>]*aria-selected="false"/);
    },
    "a picture stands on its own and is well formed whatever the texts are": () => {
      const odd = sample();
      odd.actors[0].name = `<A & "B">`;
      odd.bug.message = "\u0000 & <script>";
      const svg = chart.picture(file(odd));
      assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      assert.doesNotMatch(svg, /<script|<A &|\u0000/);
      assert.match(svg, /prefers-color-scheme/);
      assert.equal(svg.match(/<g[ >]/g).length, svg.match(/<\/g>/g).length);
    },
    "the same story gives the same picture": () => assert.equal(chart.picture(file(sample())), chart.picture(file(sample()))),
  };
}
