// A TOML text as it stands on the page: where tables, keys and values are, so that a picture can change one of them and
// leave comments and layout alone. It need not understand values, only find their ends.

const blank = /[ \t]/;

function skipString(text, at) {
  const quote = text[at];
  if (text.startsWith(quote.repeat(3), at)) {
    for (let i = at + 3; i < text.length; ++i) {
      if (quote === '"' && text[i] === '\\') ++i;
      else if (text.startsWith(quote.repeat(3), i)) return i + 3;
    }
    return text.length;
  }
  for (let i = at + 1; i < text.length && text[i] !== '\n'; ++i) {
    if (quote === '"' && text[i] === '\\') ++i;
    else if (text[i] === quote) return i + 1;
  }
  return text.length;
}

function skipSpace(text, at, lines) {
  for (;;) {
    if (blank.test(text[at] ?? '') || (lines && (text[at] === '\n' || text[at] === '\r'))) ++at;
    else if (lines && text[at] === '#') while (at < text.length && text[at] !== '\n') ++at;
    else return at;
  }
}

// "a.b" or a quoted name; gives its end.
function readKey(text, at) {
  const parts = [];
  for (;;) {
    at = skipSpace(text, at);
    const from = at;
    if (text[at] === '"' || text[at] === "'") {
      at = skipString(text, at);
      parts.push(text.slice(from + 1, at - 1));
    } else {
      while (/[\w-]/.test(text[at] ?? '')) ++at;
      if (at === from) return undefined;
      parts.push(text.slice(from, at));
    }
    const end = at;
    at = skipSpace(text, at);
    if (text[at] !== '.') return { name: parts.join('.'), end };
    ++at;
  }
}

// Values within values, as deep as the engine reads them; what is deeper ends where it begins.
const deepest = 100;

// A value from its first letter on: {kind, from, to, members | items}.
function readValue(text, at, depth = 0) {
  const from = at;
  if (depth > deepest) return { kind: 'bare', from, to: at };
  if (text[at] === '"' || text[at] === "'") return { kind: 'string', from, to: skipString(text, at) };
  if (text[at] === '[') return readList(text, at, depth + 1);
  if (text[at] === '{') return readTable(text, at, depth + 1);
  while (at < text.length && !/[,\]}#\n\r]/.test(text[at])) ++at;
  while (at > from && blank.test(text[at - 1])) --at;
  return { kind: 'bare', from, to: at };
}

function readList(text, at, depth) {
  const value = { kind: 'list', from: at, items: [] };
  for (++at; at < text.length; ) {
    at = skipSpace(text, at, true);
    if (text[at] === ']') break;
    const item = readValue(text, at, depth);
    if (item.to === at) break;
    value.items.push(item);
    at = skipSpace(text, item.to, true);
    if (text[at] === ',') ++at;
  }
  value.to = Math.min(text.length, at + 1);
  return value;
}

function readTable(text, at, depth) {
  const value = { kind: 'table', from: at, members: [] };
  for (++at; at < text.length; ) {
    at = skipSpace(text, at, true);
    if (text[at] === '}') break;
    const member = readEntry(text, at, depth);
    if (!member) break;
    value.members.push(member);
    at = skipSpace(text, member.to, true);
    if (text[at] === ',') ++at;
  }
  value.to = Math.min(text.length, at + 1);
  return value;
}

function readEntry(text, at, depth = 0) {
  const key = readKey(text, at);
  if (!key) return undefined;
  const equals = skipSpace(text, key.end);
  if (text[equals] !== '=') return undefined;
  const value = readValue(text, skipSpace(text, equals + 1), depth);
  return { key: key.name, from: at, value, to: value.to };
}

// All tables in the order of the text; what stands before the first heading is the table "".
export function surface(text) {
  const tables = [{ name: '', from: 0, entries: [], end: 0 }];
  for (let at = 0; at < text.length; ) {
    const start = skipSpace(text, at);
    if (text[start] === '[') {
      const double = text[start + 1] === '[';
      const key = readKey(text, start + (double ? 2 : 1));
      if (key) tables.push({ name: key.name, from: start, entries: [], end: endOfLine(text, key.end) });
      at = endOfLine(text, start) + 1;
      continue;
    }
    const entry = readEntry(text, start);
    if (entry) {
      const table = tables.at(-1);
      table.entries.push(entry);
      table.end = endOfLine(text, entry.to);
      at = table.end + 1;
    } else at = endOfLine(text, start) + 1;
  }
  return tables;
}

function endOfLine(text, at) {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

const basic = (text) => `"${text.replace(/[\\"]/g, '\\$&')}"`;
export const quoted = basic;

// What a value says: the words of a string, or the text itself.
export function said(text, value) {
  const raw = text.slice(value.from, value.to);
  if (value.kind !== 'string') return raw;
  if (raw[0] === "'") return raw.replace(/^'''|'''$|^'|'$/g, '');
  return raw.replace(/^"""|"""$|^"|"$/g, '').replace(/\\(["\\])/g, '$1');
}

export function findEntry(text, tableName, key) {
  for (const table of surface(text)) {
    if (table.name === tableName) {
      const entry = table.entries.find((e) => e.key === key);
      if (entry) return { table, entry };
    }
    // [blocks.y] with its keys on lines of their own
    if (table.name === `${tableName}.${key}`) return { table, entry: { key, from: table.from, to: table.end, value: { kind: 'section', from: table.from, to: table.end, members: table.entries } } };
  }
  return undefined;
}

// Changes of a text: [{from, to, insert}].

// The member of an entry that is a table gets another value, or is put in.
export function setMember(text, tableName, key, member, value) {
  const found = findEntry(text, tableName, key);
  if (!found) return [];
  const target = found.entry.value;
  if (!target.members) return [{ from: target.from, to: target.to, insert: value }];
  const known = target.members.find((m) => m.key === member);
  if (known) return [{ from: known.value.from, to: known.value.to, insert: value }];
  if (target.kind === 'section') return [{ from: target.to, to: target.to, insert: `\n${member} = ${value}` }];
  const last = target.members.at(-1);
  if (last) return [{ from: last.to, to: last.to, insert: `, ${member} = ${value}` }];
  return [{ from: target.from, to: target.to, insert: `{ ${member} = ${value} }` }];
}

export function setValue(text, tableName, key, value) {
  const found = findEntry(text, tableName, key);
  return found ? [{ from: found.entry.value.from, to: found.entry.value.to, insert: value }] : addEntry(text, tableName, key, value);
}

// At the end of its table; a table that is not there is made, before [simulation] if that stands last.
export function addEntry(text, tableName, key, value) {
  const tables = surface(text);
  const table = tables.findLast((t) => t.name === tableName);
  if (table) {
    const at = Math.min(table.end, text.length);
    return [{ from: at, to: at, insert: `\n${key} = ${value}` }];
  }
  const simulation = tables.find((t) => t.name === 'simulation');
  const at = simulation && tableName !== 'layout' ? simulation.from : text.length;
  const before = at > 0 && text[at - 1] !== '\n' ? '\n\n' : at === text.length && at > 0 ? '\n' : '';
  return [{ from: at, to: at, insert: `${before}[${tableName}]\n${key} = ${value}\n${at < text.length ? '\n' : ''}` }];
}

// With its line, and a comment behind it.
export function removeEntry(text, tableName, key) {
  const found = findEntry(text, tableName, key);
  if (!found) return [];
  const start = text.lastIndexOf('\n', found.entry.from - 1) + 1;
  const end = Math.min(text.length, endOfLine(text, found.entry.to) + 1);
  return [{ from: start, to: end, insert: '' }];
}

export function applied(text, changes) {
  return [...changes].sort((a, b) => b.from - a.from).reduce((t, { from, to, insert }) => t.slice(0, from) + insert + t.slice(to), text);
}

// Words that mean something in expressions.
export const functions = ('sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign min max floor ceil round mod ' +
  'der pre heaviside if impulse').split(' ');

// A name that nothing in the text has yet.
export function freshName(text, wanted) {
  const taken = new Set([...functions, 't', 'pi', 'and', 'or', 'not', 'total', 'ground'].concat(surface(text).flatMap((table) => [...table.entries.map((e) => e.key), ...table.name.split('.')])));
  const base = wanted.replace(/\W+/g, '_');
  if (!taken.has(base) && !/^\d/.test(base)) return base;
  const stem = /^\d/.test(base) ? `j${base}_` : base;
  for (let i = 1; ; ++i) if (!taken.has(`${stem}${i}`)) return `${stem}${i}`;
}
