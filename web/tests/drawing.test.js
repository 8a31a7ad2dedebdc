// What drawing does to the text.
import test from 'node:test';
import assert from 'node:assert/strict';
import { applied } from '../src/surface.js';
import { addBlock, addElement, connect, disconnect, remove, rename, place, fixedPlaces, group, isEmpty, newBlock, valueText } from '../src/drawing.js';

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
  assert.deepEqual({ ...fixedPlaces(placed) }, { b: [10, 20] });
  const moved = applied(placed, place(placed, 'b', 1, 2));
  assert.deepEqual({ ...fixedPlaces(moved) }, { b: [1, 2] });
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

test('a block gets another name wherever it is read', () => {
  const text = '[blocks]\nd = { type = "impulse" }\nx = "2*d + dd - f(d)"\n[simulation]\nrecord = ["d", "dd"]\n[layout]\nd = [1, 2]\n';
  assert.equal(applied(text, rename(text, 'd', 'blow')), '[blocks]\nblow = { type = "impulse" }\nx = "2*blow + dd - f(blow)"\n[simulation]\nrecord = ["blow", "dd"]\n[layout]\nblow = [1, 2]\n');
  for (const wanted of ['x', '1a', 'sin', 'a b', '']) assert.deepEqual(rename(text, 'd', wanted), [], wanted);
});

test('a wire is taken away where it stands by itself', () => {
  const text = '[blocks]\na = "t"\nb = { type = "integrator", in = "a" }\nc = { type = "sum", in = ["a", "b"] }\nd = "a + b"\ne = "2*a"\n';
  assert.match(applied(text, disconnect(text, 'a', 'b')), /b = .*in = "0"/);
  assert.match(applied(text, disconnect(text, 'a', 'c')), /in = \["b"\]/);
  assert.match(applied(text, disconnect(text, 'a', 'd')), /d = "b"/);
  assert.deepEqual(disconnect(text, 'a', 'e'), []);
});

test('a model with nothing in it is empty', () => {
  assert.ok(isEmpty('name = "x"\n[blocks]\n[simulation]\nstop = 5\n'));
  assert.ok(!isEmpty('[blocks]\na = 1\n'));
  assert.ok(!isEmpty('[elements.m]\ntype = "I"\n'));
});
