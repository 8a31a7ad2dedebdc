// What needs neither a browser nor the engine.
import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { readAnswer, agrees } from '../src/exercises.js';
import { guessRange, stepOf, written } from '../src/sliders.js';
import { packed, unpacked, toBase64url, fromBase64url } from '../src/share.js';
import { germText, numberText } from '../src/dom.js';
import { tableAt, namesIn } from '../src/complete.js';
import { sceneOf } from '../src/scene.js';
import { Reading, lowerBound } from '../src/reading.js';

test('answers are numbers with impulses', () => {
  assert.deepEqual(readAnswer('2 delta'), [0, 2]);
  assert.deepEqual(readAnswer("-1/2 + 3 delta - delta'"), [-0.5, 3, -1]);
  assert.deepEqual(readAnswer('3δ′'), [0, 0, 3]);
  assert.equal(readAnswer('two deltas'), undefined);
  assert.equal(readAnswer('1 2'), undefined);
  assert.ok(agrees('0.75', '3/4'));
  assert.ok(!agrees('2', '2 delta'));
  assert.ok(agrees('1.5708', 'pi/2'));
});

test('a slider has a range around its value and steps of short decimals', () => {
  assert.deepEqual(guessRange(0.8), [0, 1]);
  assert.deepEqual(guessRange(9.81), [0, 20]);
  assert.deepEqual(guessRange(-3), [-6, 0]);
  assert.deepEqual(guessRange(5e-9), [0, 1e-8]);
  assert.deepEqual(guessRange(0), [-1, 1]);
  for (const x of [1e-9, 0.3, 7, 123456, -2e12]) {
    const [low, high] = guessRange(x);
    assert.ok(low <= x && x <= high, `${x} in ${low} .. ${high}`);
  }
  assert.equal(written(0.30000000000000004, stepOf([0, 1])), '0.3');
  assert.equal(written(14.2, 0.1), '14.2');
});

test('a model goes into a link and comes back', async () => {
  const model = { path: 'ball.toml', text: 'name = "Bällchen δ"\n'.repeat(200) };
  const text = await packed(model);
  assert.match(text, /^[\w-]+$/);
  assert.ok(text.length < 300);
  assert.deepEqual(await unpacked(text), model);
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  assert.deepEqual(fromBase64url(toBase64url(bytes)), bytes);
  await assert.rejects(() => unpacked('not a model'));
});

test('numbers and impulses are written as people write them', () => {
  assert.equal(numberText(25.2128538), '25.2129');
  assert.equal(numberText(1e-20), '1e-20');
  assert.equal(germText(-9.81, [25.2]), '-9.81 + 25.2 δ');
  assert.equal(germText(0, [-1, 2]), '−δ + 2 δ′');
});

test('completion knows the table it is in and the names around it', () => {
  const text = '[parameters]\ng = 1\n[blocks]\ny = "g"\n[diagrams.a.blocks]\nz = 1\n';
  assert.equal(tableAt(text, text.indexOf('y =')), 'blocks');
  assert.equal(tableAt(text, text.length), 'diagrams.a.blocks');
  assert.deepEqual(namesIn(text).blocks, ['y']);
});

test('readings tell both limits at events and samples elsewhere', () => {
  const trace = {
    samples: { t: [0, 1, 2, 3], v: [0, -1, 4, 3] },
    events: [{ t: 1.5, epsilon: 0, index: 0, committed: true, cause: ['hit'], signals: { v: { left: -1.5, right: 4.5, impulses: [6] } } }],
  };
  const reading = new Reading(trace);
  assert.equal(reading.near(1.52, 0.1).words('v'), '-1.5 → 4.5, 6 δ');
  assert.equal(reading.near(2.1, 0.1).t, 2);
  assert.equal(reading.at('v', 1.5), 4.5);
  assert.ok(Math.abs(reading.at('v', 1.25) + 1.25) < 1e-12);
  assert.equal(reading.event(0, 1), 1.5);
  assert.equal(lowerBound([1, 2, 3], 2.5), 2);
});

test('every mechanical model that ships says how it is drawn', () => {
  const folder = new URL('../../diagrams/', import.meta.url);
  const still = readdirSync(folder).filter((name) => name.endsWith('.toml')).filter((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    return /^\[mechanics\]/m.test(text) && sceneOf(text).length === 0;
  });
  assert.deepEqual(still, []);
});
