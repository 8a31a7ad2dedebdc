// The engine in WebAssembly gives what the program gives: every model that ships, those of the manual, those that random
// search once found at odds; every number.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const built = process.env.DELTAFLOW_ENGINE ? `${process.env.DELTAFLOW_ENGINE}/` : `${root}build/web/`;
const program = process.env.DELTAFLOW ?? `${root}build/deltaflow`;
const usual = 1e-15; // most models give the same bits; sine sources are those of the C library, which differ in the last one
const loose = {
  'rectifier.toml': 1e-12, // divides the difference of two nearly equal numbers by 1e-5
  'parameters.toml': 1e-14, 'fold_of_a_loop.toml': 1e-14, 'loop_of_infinite_slope.toml': 1e-14, // loops through cosines and roots of the C library, which set the steps
};
const slow = new Set(['thousand_balls.toml']); // minutes of formatting rather than of engine

const folders = ['diagrams', 'docs/models', 'tests/campaign/found'];
const filesIn = (folder) => readdirSync(root + folder, { recursive: true }).filter((name) => /\.(toml|csv)$/.test(name));

async function engine() {
  globalThis.self ??= globalThis;
  globalThis.location ??= { href: `file://${built}` };
  const { default: create } = await import(`${built}engine.mjs`);
  const module = await WebAssembly.compile(readFileSync(`${built}engine.wasm`));
  const instance = await create({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((made) => done(made, module));
      return {};
    },
  });
  for (const folder of folders) {
    instance.FS.mkdirTree(`/${folder}`);
    for (const name of filesIn(folder)) {
      if (name.includes('/')) instance.FS.mkdirTree(`/${folder}/${dirname(name)}`);
      instance.FS.writeFile(`/${folder}/${name}`, readFileSync(`${root}${folder}/${name}`, 'utf8'));
    }
  }
  return (question) => {
    const text = JSON.stringify(question), room = instance.lengthBytesUTF8(text) + 1, place = instance._malloc(room);
    instance.stringToUTF8(text, place, room);
    const answer = JSON.parse(instance.UTF8ToString(instance._deltaflow_ask(place)));
    instance._free(place);
    return answer;
  };
}

// Where two traces differ by more than rounding in the C library; statistics tell of time and are left out.
function differences(a, b, at, list, tolerance, scale = 0) {
  if (typeof a === 'number' && typeof b === 'number') {
    if (Math.abs(a - b) > tolerance * Math.max(scale, Math.abs(a), Math.abs(b))) list.push(`${at}: ${a} ${b}`);
  } else if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) list.push(`${at}: ${a.length} items, ${b.length} items`);
    else a.forEach((x, i) => differences(x, b[i], `${at}[${i}]`, list, tolerance, Math.max(0, ...a.filter(Number.isFinite).map(Math.abs).slice(0, 1000))));
  } else if (a && b && typeof a === 'object') {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) if (key !== 'statistics') differences(a[key], b[key], at ? `${at}.${key}` : key, list, tolerance);
  } else if (a !== b) list.push(`${at}: ${a} ${b}`);
  return list;
}

const models = folders.flatMap((folder) => readdirSync(`${root}${folder}`).filter((name) => name.endsWith('.toml') && !slow.has(name)).map((name) => `${folder}/${name}`));

test('every model gives the same trace in WebAssembly as natively', { skip: process.env.DELTAFLOW_PAGE === 'native' || !existsSync(program) || !existsSync(`${built}engine.wasm`) }, async (t) => {
  const ask = await engine();
  for (const name of models)
    await t.test(name, () => {
      const text = readFileSync(`${root}${name}`, 'utf8');
      let printed;
      try {
        printed = execFileSync(program, ['run', name, '--quiet', '--json', '-'], { cwd: root, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
      } catch (error) {
        printed = error.stdout;
      }
      const answer = ask({ do: 'write', as: 'json', path: `/${name}`, text });
      if (!printed.length) return assert.ok(answer.mistakes || answer.failure, 'the program refuses it');
      assert.ok(answer.text, answer.failure ?? JSON.stringify(answer.mistakes));
      const found = differences(JSON.parse(printed), JSON.parse(answer.text), '', [], loose[basename(name)] ?? usual);
      assert.deepEqual(found.slice(0, 5), [], `${found.length} differences`);
    });
});
