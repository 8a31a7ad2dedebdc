// `deltaflow studio`: the page and the folder, for one person alone.
import test, { before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dist, native, openBrowser, openStudio, ran, done, typeModel } from './browser.js';

const program = process.env.DELTAFLOW ?? fileURLToPath(new URL('../../build/deltaflow', import.meta.url));
const skip = !existsSync(program);
const model = 'name = "Mine"\n[blocks]\nd = { type = "impulse", at = 1 }\n';
let folder, studio, address;

before(async () => {
  if (skip) return;
  const outside = await mkdtemp(join(tmpdir(), 'studio-'));
  folder = join(outside, 'mine');
  await mkdir(folder);
  await writeFile(join(outside, 'secret.toml'), 'secret');
  await writeFile(join(folder, 'mine.toml'), model);
  await writeFile(join(folder, 'notes.txt'), 'private');
  await symlink(join(outside, 'secret.toml'), join(folder, 'link.toml'));
  studio = spawn(program, ['studio', 'mine.toml', '--no-browser', '--page', dist], { cwd: folder });
  let printed = '';
  for await (const piece of studio.stdout) {
    printed += piece;
    address = printed.match(/http:\S+/)?.[0];
    if (address && printed.includes('Ctrl-C')) break;
  }
});
after(async () => {
  if (skip) return;
  if (studio.exitCode === null) {
    studio.kill('SIGINT');
    const [code] = await once(studio, 'exit');
    assert.equal(code, 0);
  }
  await rm(join(folder, '..'), { recursive: true, force: true });
});

// fetch would mend paths and refuse headers.
function ask(path, { method = 'GET', headers = {}, body } = {}) {
  const { port, hostname } = new URL(address);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path, method, headers: { Host: `${hostname}:${port}`, ...headers } }, async (answer) => {
      let text = '';
      for await (const piece of answer) text += piece;
      resolve({ status: answer.statusCode, text });
    });
    request.on('error', reject);
    request.end(body);
  });
}
const under = (path) => new URL(address).pathname + path;

test('only who knows the address gets an answer', { skip }, async () => {
  assert.equal((await ask('/')).status, 403);
  assert.equal((await ask(under(''), { headers: { Host: 'evil.example' } })).status, 403);
  assert.equal((await ask(under('files/mine.toml'), { method: 'PUT', body: 'x', headers: { Origin: 'http://evil.example' } })).status, 403);
  assert.equal((await ask(under(''))).status, 200);
});

test('nothing outside the folder can be read or written', { skip }, async () => {
  for (const path of ['files/../secret.toml', 'files/..%2Fsecret.toml', 'files/%2Fetc%2Fpasswd', 'files/link.toml', 'files/notes.txt', '../../../etc/passwd', '..%2f..%2f..%2fetc%2fpasswd'])
    assert.equal((await ask(under(path))).status, 404, path);
  assert.notEqual((await ask(under('files/..%2Fnew.toml'), { method: 'PUT', body: 'x' })).status, 200);
  assert.notEqual((await ask(under('files/new.sh'), { method: 'PUT', body: 'x' })).status, 200);
  const { files, model: first } = JSON.parse((await ask(under('files/'))).text);
  assert.equal(first, 'mine.toml');
  assert.ok(files.includes('mine.toml') && !files.includes('notes.txt'));
});

test('a model of the folder is opened, changed and saved, and another one opened', { skip: skip || native }, async () => {
  const browser = await openBrowser();
  try {
    const page = await openStudio({ context: browser.context, address });
    await page.waitForFunction(() => document.title.startsWith('Mine'));
    await ran(page);
    await typeModel(page, model.replace('Mine', 'Changed'));
    await ran(page, /1 event/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('saved mine.toml').waitFor();
    assert.match(await readFile(join(folder, 'mine.toml'), 'utf8'), /Changed/);
    // Changes that were not saved outlive a reload, but not somebody else's.
    await typeModel(page, model.replace('Mine', 'Unsaved'));
    await page.waitForFunction(() => localStorage.getItem('deltaflow.model')?.includes('Unsaved'));
    await page.reload();
    await page.waitForFunction(() => document.title.startsWith('Unsaved'));
    await writeFile(join(folder, 'mine.toml'), model.replace('Mine', 'Theirs'));
    await writeFile(join(folder, 'other.toml'), model.replace('Mine', 'Other'));
    await page.reload();
    await page.waitForFunction(() => document.title.startsWith('Theirs'));
    await ran(page);
    await page.getByText('Folder', { exact: true }).click();
    await page.getByRole('button', { name: 'other.toml' }).click();
    await page.waitForFunction(() => document.title.startsWith('Other'));
    await ran(page);
    await done(page);
  } finally {
    await browser.close();
  }
});
