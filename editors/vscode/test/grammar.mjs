// The TextMate grammars against the tree-sitter grammars, in plain Node: `lockstep parse --json` says of every word
// in every sample program whether it is a keyword or a name, and the colours must say the same.

import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const LANGUAGES = [
  { name: "p", scope: "source.p", ending: ".p", folder: "tests/programs/p", minimum: 25 },
  { name: "icet", scope: "source.icet", ending: ".icet", folder: "tests/programs/icet", minimum: 30 },
];

/** Scopes of words that the language defines. */
const OF_THE_LANGUAGE = /^(keyword|storage|support|constant\.language|variable\.language)\b/;
/** Names that the language predefines without reserving them. */
const PREDEFINED = { p: [], icet: ["card", "finished", "here"] };

/** Runs all tests of the grammars; returns a list of `{ name, ok, detail }`. */
export async function testGrammars({ repository, extension, tools, server }) {
  const grammars = await loadGrammars(extension, tools);
  const results = [];
  for (const language of LANGUAGES) {
    const grammar = await grammars.loadGrammar(language.scope);
    const sources = [
      ...filesBelow(path.join(repository, language.folder), language.ending),
      ...filesBelow(path.join(repository, "tree-sitter-p", language.name, "test/highlight"), language.ending),
    ];
    const seen = new Set();
    const mistakes = sources.flatMap((file) => checkFile(file, language, grammar, server, seen));
    results.push(
      result(`grammar ${language.name}: ${sources.length} programs are there`, sources.length >= language.minimum, ""),
      result(`grammar ${language.name}: every leaf of every tree has the right kind of scope`, mistakes.length === 0,
        mistakes.slice(0, 20).join("\n")),
      ...checkWords(repository, language, grammar, seen),
    );
  }
  return results;
}

/** Every leaf of the tree, at its first character: words of the language and names must not be mixed up. */
function checkFile(file, language, grammar, server, seen) {
  const text = readFileSync(file);
  // It also prints the tree of a program with errors, and then exits with 1.
  const printed = spawnSync(server, ["parse", "--json", file], { encoding: "utf8", maxBuffer: 1 << 28 });
  const nodes = JSON.parse(printed.stdout).nodes;
  const parents = new Set(nodes.map((node) => node.parent));
  const scopes = scopesByOffset(text, grammar);
  const mistakes = [];
  for (const [index, node] of nodes.entries()) {
    if (parents.has(index) || node.error || node.missing) {
      continue;
    }
    const { offset, line, column } = node.range.start;
    const leaf = text.subarray(offset, node.range.end.offset).toString();
    const isWord = /^[A-Za-z_]/.test(leaf);
    const scope = scopes[offset];
    // A proof word in the place of a name is the only child of an identifier.
    const isName = /^identifier$|_name$/.test(nodes[node.parent].kind === "identifier" ? "identifier" : node.kind);
    const wanted = wantedScope(node, leaf, isName, language.name);
    if (isWord && wanted === OF_THE_LANGUAGE) {
      seen.add(leaf);
    }
    if (wanted !== undefined && !wanted.test(scope)) {
      mistakes.push(`${path.basename(file)}:${line}:${column}: ${node.kind} \`${leaf}\` has the scope ${scope}`);
    }
  }
  return mistakes;
}

function wantedScope(node, leaf, isName, language) {
  if (node.kind === "comment") return /^punctuation\.definition\.comment\b/;
  if (node.kind === "string" && node.named) return /^punctuation\.definition\.string\b/;
  if (node.kind === "integer") return /^constant\.numeric\b/;
  if (!/^[A-Za-z_]/.test(leaf)) return node.named ? undefined : /^(keyword\.operator|punctuation|constant)\b/;
  if (node.kind === "type_name") return /^entity\.name\.type\b/;
  if (node.kind === "event_name") return /^variable\.other\.constant\.event\b/;
  if (node.kind === "state_name") return /^entity\.name\.label\.state\b/;
  if (!isName) return OF_THE_LANGUAGE;
  return PREDEFINED[language].includes(leaf) ? undefined : /^(entity|variable(?!\.language)|constant\.other)\b/;
}

/** Every word of grammar.json: a reserved one has its scope anywhere, the others were seen with it in a program. */
function checkWords(repository, language, grammar, seen) {
  const source = path.join(repository, "tree-sitter-p", language.name, "src/grammar.json");
  const json = JSON.parse(readFileSync(source, "utf8"));
  const words = new Set();
  collectWords(json.rules, words);
  const reserved = new Set();
  collectWords(json.reserved, reserved);
  const bare = [...reserved].filter((word) => {
    const scopes = scopesByOffset(Buffer.from(`x ${word} ; y\n`), grammar);
    return !OF_THE_LANGUAGE.test(scopes[2]);
  });
  const unseen = [...words].filter((word) => !reserved.has(word) && !seen.has(word));
  const name = `grammar ${language.name}`;
  return [
    result(`${name}: ${words.size} words, ${reserved.size} of them reserved, are found`, words.size > 40 && reserved.size > 40, ""),
    result(`${name}: every reserved word has a scope of its own`, bare.length === 0, bare.join(" ")),
    result(`${name}: every other word of grammar.json is a keyword in some program`, unseen.length === 0, unseen.join(" ")),
  ];
}

function collectWords(rule, words) {
  if (Array.isArray(rule)) {
    rule.forEach((part) => collectWords(part, words));
  } else if (rule !== null && typeof rule === "object") {
    if (rule.type === "STRING" && /^[A-Za-z_]/.test(rule.value)) words.add(rule.value);
    Object.values(rule).forEach((part) => collectWords(part, words));
  }
}

/** The innermost scope at every byte. */
function scopesByOffset(text, grammar) {
  const scopes = [];
  let state = null;
  for (const line of text.toString().split("\n")) {
    const tokens = grammar.tokenizeLine(line, state);
    state = tokens.ruleStack;
    for (const token of tokens.tokens) {
      const length = Buffer.byteLength(line.slice(token.startIndex, Math.min(token.endIndex, line.length)));
      const scope = token.scopes.at(-1);
      for (let i = 0; i < length; i++) scopes.push(scope);
    }
    scopes.push("");
  }
  return scopes;
}

async function loadGrammars(extension, tools) {
  const require = createRequire(path.join(tools, "package.json"));
  const { Registry, parseRawGrammar } = require("vscode-textmate");
  const oniguruma = require("vscode-oniguruma");
  await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")));
  return new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const file = path.join(extension, "syntaxes", `${scope.replace("source.", "")}.tmLanguage.json`);
      return parseRawGrammar(readFileSync(file, "utf8"), file);
    },
  });
}

function filesBelow(folder, ending) {
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => path.join(folder, file));
}

function result(name, ok, detail) {
  return { name, ok, detail };
}
