// The studio as a person uses it, in a real browser.
import test, { before, after } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser, openStudio, ready, ran, reads, settled, status, many, done, typeModel } from './browser.js';

const diagrams = fileURLToPath(new URL('../../diagrams/', import.meta.url));
let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

test('the ball bounces when the page opens', async () => {
  const page = await openStudio(browser);
  await ran(page);
  assert.match(await status(page).textContent(), /^2 events, ended at t = 4/);
  assert.equal(await many(page.locator('.plot .impulse')), 2);
  assert.match(await page.locator('.plot .impulse text').first().textContent(), /25\.2129 δ/);
  await done(page);
});

test('a mistake is underlined in the engine\'s own words while one types', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await typeModel(page, '[blocks]\nv = { type = "integrtor", in = "1" }\n');
  const problem = page.locator('.problems li');
  await problem.waitFor();
  await settled(page);
  assert.match(await problem.textContent(), /there is no block type "integrtor".*did you mean "integrator"/s);
  await page.locator('.cm-lintRange-error').waitFor();
  assert.equal(await page.locator('.cm-lintRange-error').first().textContent(), '"integrtor"');
  await typeModel(page, '[blocks]\nv = { type = "integrator", in = "1" }\n');
  await ran(page, /ended at t = 10/);
  assert.equal(await problem.count(), 0);
  await done(page);
});

test('completion offers types from the catalogue', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await typeModel(page, '[blocks]\nx = { type = "deriv');
  await settled(page);
  await page.keyboard.type('a');
  // CodeMirror takes no key for an answer to a list that has only just opened; a click it takes.
  await page.locator('.cm-tooltip-autocomplete li', { hasText: 'derivative' }).first().click();
  await reads(page, /type = "derivative/);
  await done(page);
});

test('dragging a slider moves the numbers, and letting go writes the text', async () => {
  const page = await openStudio(browser);
  await ran(page);
  const slider = page.locator('.slider input[type=range][aria-label="e"]');
  await slider.focus();
  const before = await page.locator('.plot .impulse text').first().textContent();
  for (let i = 0; i < 10; ++i) await page.keyboard.press('ArrowLeft');
  await page.waitForFunction((old) => document.querySelector('.plot .impulse text')?.textContent !== old, before);
  await reads(page, /e = 0\.79 .*# how much of its speed/);
  await settled(page);
  assert.ok((await many(page.locator('.plot .ghost'))) > 0, 'the last run is still seen');
  await done(page);
});

test('zooming in shows more, and the cursor tells both limits', async () => {
  const page = await openStudio(browser);
  await ran(page);
  const plot = page.locator('.plot-frame').first();
  await plot.focus();
  await page.keyboard.press('PageDown');
  await page.waitForFunction(() => [...document.querySelectorAll('.readout')].some((e) => e.textContent.includes('→')));
  await settled(page);
  const readouts = await page.locator('.readout').allTextContents();
  assert.ok(readouts.some((text) => text.includes('-14.0071 → 11.2057')), readouts.join());
  assert.ok(readouts.some((text) => text.includes('1.42784312')), readouts.join());
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await page.waitForFunction(() => document.querySelector('.plot .times')?.textContent.startsWith('0') === false);
  await page.keyboard.press('0');
  await page.waitForFunction(() => document.querySelector('.plot .times')?.textContent.startsWith('0'));
  await done(page);
});

test('a range of a slider is changed, and kept', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await page.getByRole('button', { name: 'Range of e' }).click();
  await page.getByLabel('e to', { exact: true }).fill('3');
  await page.getByLabel('e to', { exact: true }).press('Enter');
  const wider = page.locator('.slider input[type=range][aria-label="e"][max="3"]');
  await wider.waitFor();
  await page.waitForFunction(() => JSON.parse(localStorage.getItem('deltaflow.model'))?.ranges?.e?.[1] === 3);
  await page.reload();
  await ready(page);
  await wider.waitFor();
  await done(page);
});

test('the mouse zooms by dragging, moves with shift, and a double click shows all', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await page.setViewportSize({ width: 1360, height: 1500 }); // all of the picture is in sight
  await settled(page);
  const plot = page.locator('.plot').first();
  const { x, y, width } = await plot.boundingBox();
  const first = () => page.locator('.plot .times text').first().evaluate((text) => Number(text.textContent));
  const drag = async (from, to) => {
    await page.mouse.move(x + width * from, y + 60);
    await page.mouse.down();
    await page.mouse.move(x + width * ((from + to) / 2), y + 62, { steps: 3 });
    await page.mouse.move(x + width * to, y + 62, { steps: 3 });
    await page.mouse.up();
  };
  await drag(0.4, 0.6);
  await page.waitForFunction(() => Number(document.querySelector('.plot .times text')?.textContent) > 1);
  await settled(page);
  const before = await first();
  await page.keyboard.down('Shift');
  await drag(0.8, 0.3);
  await page.keyboard.up('Shift');
  await page.waitForFunction((old) => Number(document.querySelector('.plot .times text')?.textContent) > old, before);
  await settled(page);
  await page.mouse.dblclick(x + width / 2, y + 60);
  await page.waitForFunction(() => document.querySelector('.plot .times text')?.textContent === '0');
  await done(page);
});

test('time runs, and the ball moves with it', async () => {
  const page = await openStudio(browser);
  await ran(page);
  const ball = page.locator('.stage circle');
  await ball.waitFor();
  const before = await ball.getAttribute('cy');
  await page.getByLabel('Speed').first().selectOption('0.1'); // not over before it is paused
  await page.getByRole('button', { name: 'Play' }).first().click();
  await page.waitForFunction((old) => document.querySelector('.stage circle')?.getAttribute('cy') !== old, before);
  await page.getByRole('button', { name: 'Pause' }).first().click();
  await page.locator('.plot .now').waitFor({ state: 'attached' });
  await done(page);
});

test('every model that moves is drawn', async () => {
  const page = await openStudio(browser);
  await ran(page);
  const names = readdirSync(diagrams).filter((name) => name.endsWith('.toml') && /^\[animation\]/m.test(readFileSync(join(diagrams, name), 'utf8')));
  assert.ok(names.length >= 30, names.join());
  for (const name of names) {
    await page.evaluate((wanted) => (location.hash = `open=${wanted}`), name);
    await page.waitForFunction((wanted) => document.querySelector('.bench')?.dataset.drawn === wanted, name).catch(() => assert.fail(`${name} is not drawn`));
    await settled(page);
    assert.ok(await page.locator('.bench .stage').isVisible(), name);
    assert.ok((await page.locator('.stage svg > *').count()) > 0, name);
  }
  await done(page);
});

test('fractions are told under the cursor, and values where a signal only bends', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await page.locator('.plot-frame').first().focus();
  await page.keyboard.press('PageDown');
  await page.waitForFunction(() => document.querySelectorAll('.readout')[1]?.textContent === '≈ 0');
  await page.waitForFunction(() => [...document.querySelectorAll('.readout')].some((e) => e.textContent.includes('27/25 sqrt(545) δ')));
  await done(page);
});

test('an instant is walked through, forwards and back', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await page.getByRole('tab', { name: 'Explain' }).click();
  await page.getByText(/step 1 of \d+/).waitFor();
  const steps = Number((await page.getByText(/step 1 of \d+/).textContent()).match(/of (\d+)/)[1]);
  assert.ok(steps > 4);
  await page.getByRole('button', { name: 'Step forward' }).click();
  await page.getByRole('button', { name: 'Step forward' }).click();
  await page.getByText(`step 3 of ${steps}`).waitFor();
  await page.locator('.lesson .katex').first().waitFor();
  await page.getByRole('button', { name: 'Step back' }).click();
  await page.getByText(`step 2 of ${steps}`).waitFor();
  await page.getByRole('button', { name: 'Next instant' }).click();
  await page.locator('.lesson').getByText(/3\.712/).first().waitFor();
  await done(page);
});

test('a long run shows progress and can be stopped, and the page stays alive', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await typeModel(page, '[blocks]\nx = { type = "integrator", in = "cos(100*t)*y" }\ny = { type = "integrator", in = "-x*sin(77*t)", initial = 1 }\n[simulation]\nstop = 1e7\nmethod = "rk4"\nstep = 1e-4\n');
  const stop = page.locator('.bench .stop').first();
  await stop.waitFor({ state: 'visible' });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await stop.click();
  await page.waitForFunction(() => document.querySelector('.bench .status')?.textContent === 'stopped');
  await typeModel(page, '[blocks]\nx = "t"\n');
  await ran(page, /ended at t = 10/);
  await done(page);
});

test('a model is shared by its link and opens from it', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await typeModel(page, 'name = "Shared <b>model</b>"\n[blocks]\nd = { type = "impulse", at = 1 }\n');
  await ran(page, /1 event/);
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await page.getByLabel('Link with the model').inputValue();
  assert.match(link, /#model=[\w-]+$/);
  const other = await openStudio(browser, link.slice(browser.address.length));
  await ran(other, /1 event/);
  await other.waitForFunction(() => document.title.startsWith('Shared <b>model</b>'));
  assert.equal(await other.locator('main b').count(), 0, 'names are never markup');
  await done(other);
  await done(page);
});

test('traces, pictures and models are downloaded', async () => {
  const page = await openStudio(browser, '#open=bouncing_ball.toml');
  await ran(page);
  const get = async (name) => {
    await page.getByText('Download', { exact: true }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
    return readFile(await download.path());
  };
  assert.match(String(await get('Trace (CSV)')), /^t,epsilon,index,side,y,v,F/);
  assert.equal(JSON.parse(await get('Trace (JSON)')).model, 'Bouncing ball');
  assert.match(String(await get('Picture (SVG)')), /^<svg|^<\?xml/);
  assert.deepEqual([...(await get('Picture (PNG)')).subarray(1, 4)], [0x50, 0x4e, 0x47]);
  assert.match(String(await get('Model (TOML)')), /Bouncing ball/);
  await done(page);
});

test('a file that is dropped on the page is opened', async () => {
  const page = await openStudio(browser);
  await ran(page);
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['[blocks]\ns = { type = "step", at = 2 }\n'], 'dropped.toml'));
    return transfer;
  });
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
  await ran(page, /1 event/);
  assert.equal(await page.getByLabel('Name of the model file').inputValue(), 'dropped.toml');
  await done(page);
});

test('what was written is still there after a reload', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await typeModel(page, 'name = "Kept"\n[blocks]\nd = { type = "impulse", at = 3 }\n');
  await ran(page, /1 event/);
  await page.waitForFunction(() => localStorage.getItem('deltaflow.model')?.includes('Kept'));
  await page.reload();
  await ready(page);
  await page.waitForFunction(() => document.title.startsWith('Kept'));
  await done(page);
});

test('a bond graph shows its strokes, and they follow the mode', async () => {
  const page = await openStudio(browser, '#open=two_body_collision.toml');
  await ran(page);
  await page.locator('.page-diagram .bond').first().waitFor();
  const strokes = () => page.$$eval('.page-diagram .bond', (bonds) => bonds.map((bond) => `${bond.dataset.bond}:${bond.dataset.effort}`).join());
  const before = await strokes();
  await page.getByRole('button', { name: 'together' }).click();
  await page.waitForFunction((old) => [...document.querySelectorAll('.page-diagram .bond')].map((bond) => `${bond.dataset.bond}:${bond.dataset.effort}`).join() !== old, before);
  await done(page);
});

test('compare, check, table and hypa say what the program says', async () => {
  const page = await openStudio(browser, '#open=two_body_collision.toml');
  await ran(page);
  await page.getByRole('tab', { name: 'HyPA' }).click();
  await page.locator('.page-hypa pre').waitFor();
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.locator('.page-table pre', { hasText: 'time' }).waitFor();
  await page.getByRole('tab', { name: 'Check' }).click();
  await page.locator('.page-check table').waitFor();
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.locator('.page-compare tbody tr').first().waitFor();
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.locator('.page-events tbody tr').first().waitFor();
  await done(page);
});

test('a page that was left before it had its answer has it when one comes back', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await page.evaluate(() => ['check', 'exact', 'compare'].forEach((id) => document.getElementById(`tab-${id}`).click()));
  await settled(page);
  await page.getByRole('tab', { name: 'Exact' }).click();
  await page.locator('.page-exact .katex').first().waitFor();
  await page.waitForTimeout(300);
  assert.equal(await page.locator('.tab-line .stop').isVisible(), false, 'nothing is left to be stopped');
  await done(page);
});

test('two sets of parameters stand side by side', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await page.getByRole('button', { name: 'Side by side' }).click();
  const second = page.locator('.bench').nth(1);
  await second.locator('.plot .impulse').first().waitFor();
  await second.getByLabel('e, exactly').fill('0.2');
  await second.getByLabel('e, exactly').press('Enter');
  await page.waitForFunction(() => {
    const [a, b] = [...document.querySelectorAll('.bench')].map((bench) => bench.querySelector('.impulse text')?.textContent);
    return a && b && a !== b;
  });
  await done(page);
});

test('the gallery finds models, draws them and opens them', async () => {
  const page = await openStudio(browser);
  await page.getByRole('button', { name: 'Gallery' }).click();
  await page.getByLabel('Search models').fill('falling rod');
  await page.getByText(/^[1-9] models$/).waitFor(); // found
  const card = page.locator('.card', { hasText: 'Falling rod' }).first();
  await card.locator('svg.thumb path').first().waitFor();
  await card.click();
  await page.waitForFunction(() => document.title.startsWith('Falling rod'));
  await done(page);
});

test('the whole run is in sight at once, and the lines between the parts move and stay', async () => {
  const page = await openStudio(browser);
  await ran(page);
  const { bottom, pane } = await page.evaluate(() => ({ bottom: document.querySelector('.plot').getBoundingClientRect().bottom, pane: document.querySelector('.right').getBoundingClientRect().bottom }));
  assert.ok(bottom <= pane, `the picture ends at ${bottom}, what is seen of it at ${pane}`);
  const line = page.getByRole('separator', { name: 'Between model and run' });
  const wide = () => page.locator('.left').evaluate((left) => left.clientWidth);
  const before = await wide();
  await line.focus();
  for (let i = 0; i < 5; ++i) await page.keyboard.press('ArrowRight');
  assert.equal(await line.getAttribute('aria-valuenow'), '52');
  assert.ok((await wide()) > before + 80);
  const { x, y, width, height } = await line.boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x - 200, y + height / 2, { steps: 3 });
  await page.mouse.up();
  const chosen = await line.getAttribute('aria-valuenow');
  assert.ok(Number(chosen) < 42, chosen);
  await page.reload();
  await ready(page);
  assert.equal(await line.getAttribute('aria-valuenow'), chosen);
  await done(page);
});

test('for a lecture the run stands alone, in large letters', async () => {
  const page = await openStudio(browser);
  await ran(page);
  const size = () => page.locator('.plot .impulse text').first().evaluate((text) => parseFloat(getComputedStyle(text).fontSize));
  const before = await size();
  const button = page.getByRole('button', { name: 'Present' });
  await button.click();
  await page.locator('.left').waitFor({ state: 'hidden' });
  await settled(page);
  assert.ok((await size()) > 1.3 * before);
  await button.click();
  await page.locator('.left').waitFor({ state: 'visible' });
  await done(page);
});

test('an embedded page shows the run and nothing else', async () => {
  const page = await openStudio(browser, '?embed#open=bouncing_ball.toml');
  await ran(page);
  assert.equal(await page.locator('.bar').isVisible(), false);
  assert.equal(await page.locator('.editor').isVisible(), false);
  assert.ok(await page.locator('.plot').first().isVisible());
  await done(page);
});
