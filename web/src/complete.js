// What may stand where the cursor is: types, keys, choices, names of signals and functions.
import { byName } from './dom.js';
import { functions } from './surface.js';

const tables = ['parameters', 'blocks', 'simulation', 'elements', 'bonds', 'automata', 'circuit', 'mechanics', 'diagrams'];

// The table that a place of the text stands in: "blocks", "diagrams.ball.blocks".
export function tableAt(text, at) {
  const found = [...text.slice(0, at).matchAll(/^[ \t]*\[+([^\]\n"']+)\]/gm)].at(-1);
  return found ? found[1].trim() : '';
}

// Names of everything that a text declares, by table.
export function namesIn(text) {
  const names = byName();
  let table = '';
  for (const line of text.split('\n')) {
    const head = line.match(/^[ \t]*\[+([^\]\n"']+)\]/);
    if (head) table = head[1].trim();
    const key = line.match(/^[ \t]*([A-Za-z_][\w-]*)[ \t]*=/);
    if (!head && key) (names[table] ??= []).push(key[1]);
  }
  return names;
}

const last = (table) => table.split('.').at(-1);

function typesOf(words, table) {
  const kind = last(table);
  if (kind === 'elements') return words.elements;
  if (kind === 'circuit' || kind === 'mechanics') return words.poles.filter((pole) => pole.table === kind);
  return words.blocks;
}

const option = (label, type, info, boost) => ({ label, type, info: info || undefined, boost });

function signals(text, table) {
  const names = namesIn(text);
  const list = [];
  for (const [where, of] of Object.entries(names)) {
    const kind = last(where);
    if (kind === 'parameters') of.forEach((n) => list.push(option(n, 'constant', 'a parameter', 1)));
    if (kind === 'blocks') of.forEach((n) => list.push(option(n, 'variable', 'a block', 2)));
    if (kind === 'elements' || kind === 'bonds') of.forEach((n) => list.push(option(`${n}.flow`, 'variable'), option(`${n}.effort`, 'variable')));
  }
  functions.forEach((f) => list.push(option(f, 'function')));
  return list;
}

function keysOf(entry) {
  return [
    option('type', 'property'),
    ...(entry?.inputs ?? []).map((port) => option(port.name, 'property', 'what it reads')),
    ...(entry?.keys ?? []).map((key) => option(key.name, 'property', [key.about, key.fallback && `default: ${key.fallback}`].filter(Boolean).join('; '))),
  ];
}

export function completions(context, words) {
  if (!words) return null;
  const text = context.state.doc.toString();
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const table = tableAt(text, line.from);
  const word = context.matchBefore(/[\w.]*/);
  if (/#/.test(before.replace(/"[^"]*"?/g, ''))) return null;
  const answer = (options, from = word.from) => ({ from, options, validFor: /^[\w.]*$/ });

  const typed = before.match(/\btype[ \t]*=[ \t]*"([\w]*)$/);
  if (typed) return answer(typesOf(words, table).map((t) => option(t.type, 'type', `${t.about}${t.rule ? `\n${t.rule}` : ''}`)), context.pos - typed[1].length);
  if (/^[ \t]*\[\w*$/.test(before)) return answer(tables.map((t) => option(t, 'namespace')));
  if (word.from === word.to && !context.explicit) return null;

  const quotes = (before.match(/"/g) ?? []).length;
  if (quotes % 2 === 1) return inString(before, table, text, words, answer);
  if (last(table) === 'simulation') return answer(Object.keys(words.simulation).map((k) => option(k, 'property')));
  if (before.includes('{')) {
    const type = before.match(/\btype[ \t]*=[ \t]*"(\w+)"/)?.[1];
    return answer(keysOf(typesOf(words, table).find((t) => t.type === type)));
  }
  return null;
}

function inString(before, table, text, words, answer) {
  const key = before.match(/(\w+)[ \t]*=[ \t]*\[?[^=]*$/)?.[1];
  const choices = last(table) === 'simulation' ? words.simulation[key]?.enum : choicesOf(before, key, table, words);
  if (choices) return answer(choices.map((c) => option(c, 'enum')));
  return answer(signals(text, table));
}

function choicesOf(before, key, table, words) {
  const type = before.match(/\btype[ \t]*=[ \t]*"(\w+)"/)?.[1];
  return typesOf(words, table).find((t) => t.type === type)?.keys.find((k) => k.name === key)?.choices;
}
