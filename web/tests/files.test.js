// Files that are brought along: dropped with a model that uses them, kept, and sent on in its link.
import test, { before, after } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser, openStudio, ready, ran, settled, typeModel, done } from './browser.js';

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

const parts = '[diagrams.double]\ninputs = ["u"]\noutputs = ["y"]\n[diagrams.double.blocks]\ny = "2*u"\n';
const whole = 'name = "Whole"\nuse = ["parts.toml"]\n[blocks]\nw = { type = "data", file = "wave.csv", column = "w" }\nd = { type = "double", u = "w" }\n[simulation]\nstop = 2\n';
const wave = 't,w\n0,0\n1,3\n2,1\n';

// As the mouse lets go of files over an element.
async function drop(page, selector, files) {
  const data = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer();
    for (const [name, text] of list) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.dispatchEvent(selector, 'drop', { dataTransfer: data });
}
const top = (page) => page.locator('.plot .readout').allTextContents();

async function isWhole(page) {
  await page.waitForFunction(() => document.title.startsWith('Whole'));
  await ran(page, /ended at t = 2/);
  await page.locator('.plot-frame').first().focus();
  await page.keyboard.press('End');
  await page.locator('.plot .readout').first().waitFor({ state: 'attached' });
  assert.deepEqual((await top(page)).slice(1), ['1', '2'], 'the last sample, and twice that');
}

test('a model and the files it uses are dropped together, whatever their order, on the editor too', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await drop(page, '.cm-content', [['parts.toml', parts], ['whole.toml', whole], ['wave.csv', wave]]);
  await isWhole(page);
  assert.equal(await page.getByLabel('Name of the model file').inputValue(), 'whole.toml');
  await settled(page);
  assert.equal(await page.locator('.cm-content').evaluate((e) => [...e.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n')), whole, 'the text is that of the file');
  await page.waitForFunction(() => localStorage.getItem('deltaflow.model')?.includes('wave.csv'));
  await page.reload();
  await ready(page);
  await isWhole(page);
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await page.getByLabel('Link with the model').inputValue();
  const other = await openStudio(browser, link.slice(browser.address.length));
  await isWhole(other);
  await done(other);
  await done(page);
});

test('what somebody wrote is not lost when she opens a link', async () => {
  const page = await openStudio(browser);
  await ran(page);
  assert.equal(await page.getByText('Before', { exact: true }).isVisible(), false);
  await typeModel(page, 'name = "Hers"\n[blocks]\nd = { type = "impulse", at = 3 }\n');
  await page.waitForFunction(() => localStorage.getItem('deltaflow.model')?.includes('Hers'));
  await page.evaluate(() => (location.hash = 'open=falling_rod.toml'));
  await page.waitForFunction(() => document.title.startsWith('Falling rod'));
  await page.reload();
  await ready(page);
  await page.waitForFunction(() => document.title.startsWith('Falling rod'));
  await page.getByText('Before', { exact: true }).click();
  await page.getByRole('button', { name: 'ball.toml, 4 lines' }).click();
  await page.waitForFunction(() => document.title.startsWith('Hers'));
  await ran(page, /1 event/);
  // The same where the link is the first that is opened.
  await typeModel(page, 'name = "Hers too"\n[blocks]\nd = { type = "impulse", at = 2 }\n');
  await page.waitForFunction(() => localStorage.getItem('deltaflow.model')?.includes('Hers too'));
  await page.goto(`${browser.address}?again#open=bouncing_ball.toml`);
  await ready(page);
  await page.getByText('Before', { exact: true }).click();
  await page.getByRole('button', { name: 'ball.toml, 4 lines' }).first().click();
  await page.waitForFunction(() => document.title.startsWith('Hers too'));
  await done(page);
});

test('data that comes later is read by the model that is open', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await drop(page, 'body', [['whole.toml', whole]]);
  await page.locator('.problems li', { hasText: 'parts.toml' }).waitFor();
  await drop(page, 'body', [['parts.toml', parts]]);
  await page.locator('.problems li', { hasText: 'wave.csv' }).waitFor();
  await drop(page, 'body', [['wave.csv', wave]]);
  await isWhole(page);
  await drop(page, 'body', [['notes.pdf', '%PDF']]);
  await page.getByText('notes.pdf is no model or data').waitFor();
  await done(page);
});

test('files are opened together from disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'files-'));
  try {
    for (const [name, text] of [['whole.toml', whole], ['parts.toml', parts], ['wave.csv', wave]]) await writeFile(join(folder, name), text);
    const page = await openStudio(browser);
    await ran(page);
    await page.getByLabel('Open files').setInputFiles(['wave.csv', 'parts.toml', 'whole.toml'].map((name) => join(folder, name)));
    await isWhole(page);
    await done(page);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
