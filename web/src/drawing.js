// What a change of the picture means for the text: add, connect, set, remove, move, group.
import { byName } from './dom.js';
import { surface, findEntry, setMember, addEntry, removeEntry, said, quoted, freshName, applied } from './surface.js';

const places = ['blocks', 'elements', 'circuit', 'mechanics', 'automata'];

// The table that a name is declared in.
export function tableOf(text, name) {
  return places.find((table) => findEntry(text, table, name));
}

// A number stays a number, everything else is an expression; lists stay lists.
export function valueText(words) {
  const text = words.trim();
  if (/^[+-]?(\d[\d_]*)(\.\d+)?(e[+-]?\d+)?$/i.test(text) || /^(true|false)$/.test(text)) return text;
  if (/^\[.*\]$/s.test(text)) return text;
  return quoted(text);
}

export function typeOf(text, name) {
  const table = tableOf(text, name);
  const value = table && findEntry(text, table, name).entry.value;
  const member = value?.members?.find((m) => m.key === 'type');
  return member ? said(text, member.value) : undefined;
}

// How a new block is written so that it works at once: its own example, with nothing connected yet, beginning where it does
// when nothing is said.
export function newBlock(type) {
  const parts = [`type = ${quoted(type.type)}`, ...type.inputs.filter((port) => port.needed).map((port) => `${port.name} = ${port.many ? '["0"]' : '"0"'}`)];
  const example = type.examples[0] ? `x = ${type.examples[0]}` : '';
  const ports = new Set(type.inputs.map((port) => port.name));
  const members = example ? findEntry(`[b]\n${example}`, 'b', 'x')?.entry.value.members ?? [] : [];
  for (const member of members)
    if (!['type', 'initial'].includes(member.key) && !ports.has(member.key)) parts.push(`[b]\n${example}`.slice(member.from, member.to));
  if (!members.length) for (const key of type.keys) if (key.required && !key.fallback) parts.push(`${key.name} = 1`);
  return `{ ${parts.join(', ')} }`;
}

export function addBlock(text, type) {
  const name = freshName(text, type.type);
  return { name, changes: addEntry(text, 'blocks', name, newBlock(type)) };
}

const sources = new Set(['Se', 'Sf', 'MSe', 'MSf']);
const through = new Set(['TF', 'GY', 'MTF', 'MGY']);

const entriesOf = (text, name) => surface(text).filter((table) => table.name === name).flatMap((table) => table.entries);
const ends = (text, entry) => said(text, entry.value).split('->').map((end) => end.trim());

// An element hangs on a junction: the one that is chosen, or that what is chosen hangs on, or any, or a new one.
export function addElement(text, type, chosen) {
  const junctions = entriesOf(text, 'elements').map((e) => e.key).filter((name) => ['0', '1'].includes(typeOf(text, name)));
  const near = entriesOf(text, 'bonds').map((entry) => ends(text, entry)).filter((pair) => pair.includes(chosen)).flat();
  let junction = [chosen, ...near, ...junctions].find((name) => junctions.includes(name));
  let now = text;
  const put = (table, key, value) => (now = applied(now, addEntry(now, table, key, value)));
  const bond = (from, to) => put('bonds', freshName(now, 'b'), quoted(`${from} -> ${to}`));
  if (!junction && !['0', '1'].includes(type.type)) put('elements', (junction = freshName(now, 'j')), '{ type = "1" }');
  const name = freshName(now, type.type);
  const keys = type.keys.filter((key) => key.required && !key.fallback).map((key) => `, ${key.name} = 1`).join('');
  put('elements', name, `{ type = ${quoted(type.type)}${keys} }`);
  if (junction) sources.has(type.type) ? bond(name, junction) : bond(junction, name);
  if (through.has(type.type)) {
    const other = freshName(now, 'j');
    put('elements', other, '{ type = "1" }');
    bond(name, other);
  }
  return { name, text: now };
}

// From the output of one to an input of the other. Gives nothing where that has no meaning.
export function connect(text, from, to, type, portName) {
  const [a, b] = [tableOf(text, from), tableOf(text, to)];
  if (a === 'elements' && b === 'elements') return addEntry(text, 'bonds', freshName(text, 'b'), quoted(`${from} -> ${to}`));
  if (b !== 'blocks') return [];
  const signal = a === 'elements' ? `${from}.${['0'].includes(typeOf(text, from)) ? 'effort' : 'flow'}` : from;
  const { value } = findEntry(text, b, to).entry;
  if (!value.members) {
    const now = said(text, value);
    return [{ from: value.from, to: value.to, insert: quoted(now.trim() === '0' ? signal : `${now} + ${signal}`) }];
  }
  const ports = type?.inputs ?? [];
  const free = ports.find((port) => {
    const member = value.members.find((m) => m.key === port.name);
    return !member || ['0', '"0"', '["0"]'].includes(text.slice(member.value.from, member.value.to));
  });
  const port = ports.find((p) => p.name === portName) ?? free ?? ports[0];
  if (!port) return [];
  const member = value.members.find((m) => m.key === port.name);
  if (!port.many) return setMember(text, b, to, port.name, quoted(signal));
  const items = member?.value.kind === 'list' ? member.value.items.map((item) => text.slice(item.from, item.to)).filter((item) => item !== '"0"') : [];
  return setMember(text, b, to, port.name, `[${[...items, quoted(signal)].join(', ')}]`);
}

// With the bonds that hang on it, its place, and its name in `record`.
export function remove(text, name) {
  const table = tableOf(text, name);
  if (!table) return text;
  let now = applied(text, removeEntry(text, table, name));
  for (;;) {
    const bond = surface(now).find((t) => t.name === 'bonds')?.entries.find((entry) => ends(now, entry).includes(name));
    if (!bond) break;
    now = applied(now, removeEntry(now, 'bonds', bond.key));
  }
  now = applied(now, removeEntry(now, 'layout', name));
  const record = findEntry(now, 'simulation', 'record')?.entry.value;
  if (record?.kind === 'list') {
    const kept = record.items.map((item) => now.slice(item.from, item.to)).filter((item) => item.slice(1, -1) !== name);
    if (kept.length < record.items.length) now = applied(now, [{ from: record.from, to: record.to, insert: `[${kept.join(', ')}]` }]);
  }
  return now;
}

// Another name, everywhere that the old one is read.
export function rename(text, name, wanted) {
  const table = tableOf(text, name);
  if (!table || wanted === name || !/^[A-Za-z_]\w*$/.test(wanted) || freshName(text, wanted) !== wanted) return [];
  const changes = [];
  for (const { name: where, from, entries } of surface(text)) {
    if (where.startsWith('diagrams.') || where === 'parameters') continue;
    if ([`${table}.${name}`, `automata.${name}`].includes(where)) {
      const at = text.indexOf(name, from + where.lastIndexOf('.'));
      changes.push({ from: at, to: at + name.length, insert: wanted });
    }
    for (const entry of entries) {
      if (entry.key === name && [...places, 'layout'].includes(where)) changes.push({ from: entry.from, to: entry.from + name.length, insert: wanted });
      for (const at of strings(text, entry.value)) {
        const before = said(text, at), after = before.replace(word(name), wanted);
        if (after !== before) changes.push({ from: at.from, to: at.to, insert: quoted(after) });
      }
    }
  }
  return changes;
}

// Takes away what `to` reads of `from`; nothing where that is inside a formula.
export function disconnect(text, from, to) {
  const table = tableOf(text, to);
  const value = table && findEntry(text, table, to).entry.value;
  if (!value) return [];
  const reads = (words) => words === from || words.startsWith(`${from}.`) || words.startsWith(`${from}[`);
  if (!value.members) {
    const terms = said(text, value).split(' + ');
    const kept = terms.filter((term) => !reads(term.trim()));
    return kept.length < terms.length ? [{ from: value.from, to: value.to, insert: quoted(kept.join(' + ') || '0') }] : [];
  }
  for (const { key, value: at } of value.members) {
    if (key === 'type') continue;
    if (at.kind === 'string' && reads(said(text, at))) return [{ from: at.from, to: at.to, insert: '"0"' }];
    const kept = at.items?.filter((item) => !reads(said(text, item))).map((item) => text.slice(item.from, item.to));
    if (kept && kept.length < at.items.length) return [{ from: at.from, to: at.to, insert: `[${kept.join(', ') || '"0"'}]` }];
  }
  return [];
}

// A model without anything in it, to begin with.
export const isEmpty = (text) => !surface(text).some((table) => places.some((place) => table.name === place || table.name.startsWith(`${place}.`)) && (table.entries.length > 0 || table.name.includes('.')));

// Places that somebody fixed: {name: [x, y]}.
export function fixedPlaces(text) {
  const found = byName();
  for (const table of surface(text))
    if (table.name === 'layout')
      for (const entry of table.entries) {
        const items = entry.value.items?.map((item) => Number(text.slice(item.from, item.to)));
        if (items?.length === 2 && items.every(Number.isFinite)) found[entry.key] = items;
      }
  return found;
}

const key = (name) => (/^[\w-]+$/.test(name) ? name : quoted(name));

export function place(text, name, x, y) {
  const value = `[${Math.round(x)}, ${Math.round(y)}]`;
  const found = findEntry(text, 'layout', name);
  return found ? [{ from: found.entry.value.from, to: found.entry.value.to, insert: value }] : addEntry(text, 'layout', key(name), value);
}

const word = (name) => new RegExp(`(?<![\\w.\\]])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w(])`, 'g');

// The strings of a value that may hold expressions, with where they stand.
function strings(text, value) {
  if (value.kind === 'string') return [value];
  if (value.kind === 'list') return value.items.flatMap((item) => strings(text, item));
  return (value.members ?? []).filter((m) => m.key !== 'type').flatMap((m) => strings(text, m.value));
}

// Blocks become a diagram of their own with an instance of it in their place. What they read from outside are its inputs,
// what is read of them outside its outputs.
export function group(text, names) {
  const inside = new Set(names);
  const tables = surface(text);
  const blocks = tables.filter((table) => table.name === 'blocks').flatMap((table) => table.entries);
  const chosen = blocks.filter((entry) => inside.has(entry.key));
  if (chosen.length < 1) return undefined;
  const others = blocks.filter((entry) => !inside.has(entry.key)).map((entry) => entry.key);
  const reads = (entry, name) => strings(text, entry.value).some((value) => word(name).test(said(text, value)));
  const inputs = others.filter((name) => chosen.some((entry) => reads(entry, name)));
  const recorded = findEntry(text, 'simulation', 'record')?.entry.value;
  const recordedNames = recorded ? strings(text, recorded).flatMap((v) => said(text, v).split(',').map((n) => n.trim())) : [];
  const readOutside = (name) => blocks.some((entry) => !inside.has(entry.key) && reads(entry, name)) || recordedNames.includes(name) || !recorded;
  const outputs = chosen.map((entry) => entry.key).filter(readOutside);
  const diagram = freshName(text, 'group'), instance = freshName(text, `${diagram}_1`);
  const body = chosen.map((entry) => text.slice(entry.from, endOfLine(text, entry.to))).join('\n');
  const list = (all) => `[${all.map(quoted).join(', ')}]`;
  const arguments_ = inputs.map((name) => `, ${name} = ${quoted(name)}`).join('');
  const changes = [];
  for (const entry of blocks) if (!inside.has(entry.key)) renameIn(entry.value);
  if (recorded) renameIn(recorded);
  function renameIn(value) {
    for (const at of strings(text, value)) {
      const before = said(text, at);
      const after = outputs.reduce((words, name) => words.replace(word(name), `${instance}.${name}`), before);
      if (after !== before) changes.push({ from: at.from, to: at.to, insert: quoted(after) });
    }
  }
  chosen.forEach((entry, i) => {
    const start = text.lastIndexOf('\n', entry.from - 1) + 1, end = Math.min(text.length, endOfLine(text, entry.to) + 1);
    changes.push({ from: start, to: end, insert: i === 0 ? `${instance} = { type = ${quoted(diagram)}${arguments_} }\n` : '' });
  });
  const first = tables.find((table) => table.name === 'blocks');
  changes.push({ from: first.from, to: first.from, insert: `[diagrams.${diagram}]\ninputs  = ${list(inputs)}\noutputs = ${list(outputs)}\n[diagrams.${diagram}.blocks]\n${body}\n\n` });
  return { diagram, instance, changes };
}

function endOfLine(text, at) {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}
