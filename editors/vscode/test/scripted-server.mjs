#!/usr/bin/env node
// A server that knows one test for each verdict and says so when it is run. It stands for what the real one can say, so that every state
// can be looked at, also those that are hard to bring about. It knows nothing of P.

import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const SCOPES = {
  proved: { kind: "allSizes" },
  exhausted: { kind: "bounded", machines: 3, states: 120 },
  sampled: { kind: "schedules", count: 1000 },
};
const WHY = {
  proved: "every size",
  exhausted: "120 states",
  sampled: "1,000 schedules, no bug",
  refuted: "an assertion does not hold",
  unknown: "the time was up",
};
const CANCELLED = { verdict: "unknown", phase: "idle", freshness: "current", why: "cancelled", words: "unknown, cancelled" };
const capabilities = { textDocumentSync: { openClose: true, change: 2, save: true }, codeLensProvider: {} };

const tests = ["proved", "exhausted", "sampled", "refuted", "unknown", "slow"].map((verdict, line) => ({
  verdict,
  line,
  name: `tc${verdict[0].toUpperCase()}${verdict.slice(1)}`,
  record: { verdict: "notRun", phase: "idle", freshness: "current", why: "not checked yet", words: "not checked yet" },
}));
let folder = "";

const range = ({ line }) => ({ start: { line, character: 0 }, end: { line, character: 4 } });
const idOf = ({ name }) => `Tests.p#App/${name}`;
const uri = () => pathToFileURL(path.join(folder, "Tests.p")).href;

/** What becomes of a test that was run; nothing of the slow one, which goes on until somebody ends it. */
function result({ verdict }) {
  const claims = { verdict, phase: "idle", freshness: "current", why: WHY[verdict], words: `${verdict}, ${WHY[verdict]}`, tookMs: 12 };
  return { ...claims, ...(SCOPES[verdict] && { scope: SCOPES[verdict] }), ...(verdict === "refuted" && { trace: "t1", code: "LS3001" }) };
}

function tell() {
  const items = tests.map((test) => ({ id: idOf(test), check: "exploration", range: range(test), nameRange: range(test), ...test.record }));
  send({ method: "lockstep/verdicts", params: { uri: uri(), version: null, items } });
}

function phase(test, phase) {
  test.record = { ...test.record, phase };
  tell();
}

const requests = {
  initialize: ({ workspaceFolders }) => {
    folder = fileURLToPath(workspaceFolders[0].uri);
    return { capabilities };
  },
  shutdown: () => null,
  "textDocument/codeLens": () => [],
  "lockstep/tests": () => ({
    tests: tests.map((test) => {
      const { name } = test;
      return { id: idOf(test), project: "App", name, base: name, parameters: [], main: "M", uri: uri(), range: range(test) };
    }),
  }),
  "lockstep/run": ({ item }) => {
    const test = tests.find((test) => idOf(test) === item);
    phase(test, "queued");
    setTimeout(() => phase(test, "running"), 300);
    if (test.verdict !== "slow") {
      setTimeout(() => {
        test.record = result(test);
        tell();
      }, 900);
    }
    return {};
  },
  "lockstep/cancel": ({ item }) => {
    const going = tests.filter((test) => test.record.phase !== "idle" && (item === undefined || idOf(test) === item));
    for (const test of going) test.record = CANCELLED;
    tell();
    return { cancelled: going.length };
  },
  "lockstep/trace": () => null,
};

const notifications = {
  initialized: tell,
  "textDocument/didChange": () => {
    for (const test of tests) {
      const { verdict, freshness, words } = test.record;
      if (verdict !== "notRun" && freshness === "current") {
        test.record = { ...test.record, freshness: "stale", words: words.replace(",", ", stale,") };
      }
    }
    tell();
  },
  exit: () => process.exit(0),
};

let input = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (;;) {
    const end = input.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/i.exec(input.subarray(0, end).toString())[1]);
    if (input.length < end + 4 + length) return;
    const { id, method, params } = JSON.parse(input.subarray(end + 4, end + 4 + length).toString());
    input = input.subarray(end + 4 + length);
    if (id !== undefined && method !== undefined) send({ id, result: requests[method]?.(params) ?? null });
    else notifications[method]?.(params);
  }
});
process.stdin.on("end", () => process.exit(0));

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
