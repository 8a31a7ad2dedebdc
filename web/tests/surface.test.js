// Changing a text through a picture leaves all else as it was.
import test from 'node:test';
import assert from 'node:assert/strict';
import { surface, setMember, setValue, addEntry, removeEntry, applied, findEntry, said, freshName } from '../src/surface.js';

const text = `# A ball
name = "Ball"   # its name

[blocks]          # in any order
y   = { type = "integrator", in = "v", initial = 10 }   # height
"odd name" = 'a # b'
s = { type = "sum", in = [
  "a",   # first
  "-b",
] }

[simulation]
stop = 4
`;

test('tables, keys and values are found', () => {
  const tables = surface(text);
  assert.deepEqual(tables.map((t) => t.name), ['', 'blocks', 'simulation']);
  assert.deepEqual(tables[1].entries.map((e) => e.key), ['y', 'odd name', 's']);
  const { entry } = findEntry(text, 'blocks', 's');
  assert.deepEqual(entry.value.members[1].value.items.map((i) => said(text, i)), ['a', '-b']);
});

test('a member is changed and everything else stays', () => {
  const after = applied(text, setMember(text, 'blocks', 'y', 'initial', '2'));
  assert.equal(after, text.replace('initial = 10', 'initial = 2'));
  assert.match(applied(text, setMember(text, 'blocks', 'y', 'guess', '1')), /initial = 10, guess = 1 } {3}# height/);
});

test('entries are added at the end of their table, and tables are made', () => {
  assert.match(applied(text, addEntry(text, 'blocks', 'z', '"y"')), /\] }\nz = "y"\n\n\[simulation\]/);
  assert.match(applied(text, addEntry(text, 'parameters', 'k', '1')), /\] }\n\n\[parameters\]\nk = 1\n\n\[simulation\]/);
  assert.match(applied(text, addEntry(text, 'layout', 'y', '[1, 2]')), /stop = 4\n\n\[layout\]\ny = \[1, 2\]\n$/);
  assert.equal(applied('', addEntry('', 'blocks', 'a', '1')), '[blocks]\na = 1\n');
});

test('a removed entry takes its line along', () => {
  assert.equal(applied(text, removeEntry(text, 'blocks', 'y')), text.replace(/y {3}=.*\n/, ''));
});

test('a table with keys on lines of their own can be changed, too', () => {
  const other = '[blocks.y]\ntype = "gain"\nk = 2 # twice\n[blocks.z]\ntype = "time"\n';
  assert.equal(applied(other, setMember(other, 'blocks', 'y', 'k', '3')), other.replace('k = 2', 'k = 3'));
  assert.match(applied(other, setMember(other, 'blocks', 'y', 'in', '"z"')), /k = 2 # twice\nin = "z"\n\[blocks.z\]/);
});

test('values and names', () => {
  assert.equal(applied(text, setValue(text, 'simulation', 'stop', '9')), text.replace('stop = 4', 'stop = 9'));
  assert.equal(freshName(text, 'y'), 'y1');
  assert.equal(freshName(text, 'gain'), 'gain');
  assert.equal(freshName(text, '0'), 'j0_1');
});
