// `deltaflow studio`: the page and the folder, for one person alone.
import test, { before, after } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
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
  await symlink(outside, join(folder, 'up'));
  await symlink(join(outside, 'planted.toml'), join(folder, 'dangling.toml'));
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
      resolve({ status: answer.statusCode, text, headers: answer.headers });
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
  for (const path of ['files/../secret.toml', 'files/..%2Fsecret.toml', 'files/%2Fetc%2Fpasswd', 'files/link.toml', 'files/up/secret.toml', 'files/dangling.toml', 'files/mine.toml%00', 'files//etc/passwd', 'files/notes.txt', '../../../etc/passwd', '..%2f..%2f..%2fetc%2fpasswd'])
    assert.equal((await ask(under(path))).status, 404, path);
  for (const path of ['files/..%2Fnew.toml', 'files/up/new.toml', 'files/dangling.toml', 'files/link.toml', 'files/new.sh', 'files/mine.toml%00.toml'])
    assert.notEqual((await ask(under(path), { method: 'PUT', body: 'x' })).status, 200, path);
  assert.deepEqual((await readdir(join(folder, '..'))).sort(), ['mine', 'secret.toml']);
  assert.equal(await readFile(join(folder, '..', 'secret.toml'), 'utf8'), 'secret');
  const { files, model: first } = JSON.parse((await ask(under('files/'))).text);
  assert.equal(first, 'mine.toml');
  assert.ok(files.includes('mine.toml') && !files.includes('notes.txt'));
});

test('a pipe, a folder and a text that never comes hold nobody up', { skip, timeout: 60_000 }, async () => {
  execFileSync('mkfifo', [join(folder, 'pipe.toml')]);
  await mkdir(join(folder, 'folder.toml'));
  for (const name of ['pipe.toml', 'folder.toml']) {
    assert.equal((await ask(under(`files/${name}`))).status, 404, name);
    assert.equal((await ask(under(`files/${name}`), { method: 'PUT', body: 'x' })).status, 405, name);
  }
  const { port, hostname, host } = new URL(address);
  for (const head of [`PUT /guess/files/mine.toml HTTP/1.1\r\nHost: ${host}`, `PUT ${under('files/mine.toml')} HTTP/1.1\r\nHost: evil.example`, `PUT ${under('files/mine.toml')} HTTP/1.1\r\nHost: ${host}\r\nOrigin: null`]) {
    const socket = net.connect(port, hostname);
    socket.write(`${head}\r\nContent-Length: 60000000\r\n\r\nx`);
    const [answer] = await once(socket, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 403/); // with nothing of the text read
    socket.destroy();
  }
  assert.equal(await readFile(join(folder, 'mine.toml'), 'utf8'), model);
  await rm(join(folder, 'pipe.toml'));
  await rm(join(folder, 'folder.toml'), { recursive: true });
});

test('the address is not handed on, and the page is framed by nobody else', { skip }, async () => {
  const { headers } = await ask(under(''));
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['content-security-policy'], "frame-ancestors 'self'");
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
});

test('of many who save at once one wins, and whole', { skip }, async () => {
  const texts = Array.from({ length: 20 }, (_, i) => `# ${i}\n`.repeat(20_000));
  const answers = await Promise.all(texts.map((body) => ask(under('files/race.toml'), { method: 'PUT', body })));
  assert.ok(answers.every(({ status }) => status === 200));
  assert.ok(texts.includes(await readFile(join(folder, 'race.toml'), 'utf8')));
  assert.deepEqual((await readdir(folder)).sort(), ['dangling.toml', 'link.toml', 'mine.toml', 'notes.txt', 'race.toml', 'up']);
  await rm(join(folder, 'race.toml'));
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
    // A save writes over somebody else's changes only when it is asked for again.
    await writeFile(join(folder, 'mine.toml'), model.replace('Mine', 'Newer'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('mine.toml has been changed by somebody else').waitFor();
    assert.match(await readFile(join(folder, 'mine.toml'), 'utf8'), /Newer/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('saved mine.toml').waitFor();
    assert.match(await readFile(join(folder, 'mine.toml'), 'utf8'), /Theirs/);
    await page.getByText('Folder', { exact: true }).click();
    await page.getByRole('button', { name: 'other.toml' }).click();
    await page.waitForFunction(() => document.title.startsWith('Other'));
    await ran(page);
    await done(page);
  } finally {
    await browser.close();
  }
});
