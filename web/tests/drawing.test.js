// What drawing does to the text.
import test from 'node:test';
import assert from 'node:assert/strict';
import { applied } from '../src/surface.js';
import { addBlock, addElement, connect, remove, place, fixedPlaces, group, newBlock, valueText } from '../src/drawing.js';

const gain = { type: 'gain', inputs: [{ name: 'in', many: false, needed: true }], keys: [{ name: 'k', required: true, fallback: '' }], examples: ['{ type = "gain", in = "2*d", k = 3 }'] };
const sum = { type: 'sum', inputs: [{ name: 'in', many: true, needed: true }], keys: [], examples: [] };
const text = '[blocks]   # mine\na = "t"\nb = { type = "gain", in = "a", k = 2 }   # twice\nc = "a + b"\n[simulation]\nrecord = ["b", "c"]\n';

test('a new block works at once and is connected by name', () => {
  assert.equal(newBlock(gain), '{ type = "gain", in = "0", k = 3 }');
  const { name, changes } = addBlock(text, gain);
  assert.equal(name, 'gain');
  const added = applied(text, changes);
  assert.match(added, /c = "a \+ b"\ngain = \{ type = "gain", in = "0", k = 3 \}\n\[simulation\]/);
  assert.match(applied(added, connect(added, 'b', 'gain', gain)), /gain = \{ type = "gain", in = "b", k = 3 \}/);
  assert.match(applied(text, connect(text, 'b', 'a', undefined)), /a = "t \+ b"/);
  const sums = applied(text, addBlock(text, sum).changes);
  const once = applied(sums, connect(sums, 'a', 'sum', sum));
  assert.match(applied(once, connect(once, 'b', 'sum', sum)), /in = \["a", "b"\]/);
});

test('a block is removed with its place and its record', () => {
  const placed = applied(text, place(text, 'b', 10.4, 20));
  assert.deepEqual(fixedPlaces(placed), { b: [10, 20] });
  const moved = applied(placed, place(placed, 'b', 1, 2));
  assert.deepEqual(fixedPlaces(moved), { b: [1, 2] });
  const gone = remove(moved, 'b');
  assert.doesNotMatch(gone, /^b = /m);
  assert.match(gone, /record = \["c"\]/);
  assert.match(gone, /# mine/);
});

test('elements hang on junctions, sources point at them', () => {
  const first = addElement('', { type: 'I', keys: [{ name: 'value', required: true, fallback: '' }] });
  assert.match(first.text, /j = \{ type = "1" \}\nI = \{ type = "I", value = 1 \}/);
  assert.match(first.text, /"j -> I"/);
  const second = addElement(first.text, { type: 'Se', keys: [{ name: 'effort', required: true, fallback: '' }] }, 'j');
  assert.match(second.text, /"Se -> j"/);
  assert.doesNotMatch(remove(second.text, 'Se'), /Se/);
});

test('blocks become a diagram with inputs and outputs', () => {
  const { changes } = group(text, ['b']);
  assert.equal(applied(text, changes), `[diagrams.group]
inputs  = ["a"]
outputs = ["b"]
[diagrams.group.blocks]
b = { type = "gain", in = "a", k = 2 }   # twice

[blocks]   # mine
a = "t"
group_1 = { type = "group", a = "a" }
c = "a + group_1.b"
[simulation]
record = ["group_1.b", "c"]
`);
});

test('numbers stay numbers', () => {
  assert.equal(valueText('2.5'), '2.5');
  assert.equal(valueText('2*pi'), '"2*pi"');
  assert.equal(valueText('["a", "b"]'), '["a", "b"]');
});
