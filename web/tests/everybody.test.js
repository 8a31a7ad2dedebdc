// For everybody: no accessibility error, phone width, dark, offline, and pictures of it all in build/web/shots.
import test, { before, after } from 'node:test';
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { openBrowser, openStudio, ready, ran, done } from './browser.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const shots = fileURLToPath(new URL('../../build/web/shots/', import.meta.url));
mkdirSync(shots, { recursive: true });

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

async function judge(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }));
  const told = violations.map((v) => `${where}: ${v.id} (${v.nodes.length}): ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(' | ')}`);
  assert.deepEqual(told, []);
}

for (const scheme of ['light', 'dark'])
  test(`axe finds no error, ${scheme}`, async () => {
    const page = await openStudio(browser, '#open=bouncing_ball.toml');
    await page.emulateMedia({ colorScheme: scheme });
    await ran(page);
    await page.locator('.page-diagram [data-box]').first().waitFor();
    await page.screenshot({ path: `${shots}studio_${scheme}.png` });
    await judge(page, 'studio');
    for (const name of ['Events', 'Explain', 'Exact', 'Compare', 'Check', 'Table']) {
      await page.getByRole('tab', { name }).click();
      await page.waitForFunction(() => document.querySelector('.page:not([hidden]) :is(table, pre, .lesson, .katex)') && !document.querySelector('.page.waiting'));
      await page.screenshot({ path: `${shots}${name.toLowerCase()}_${scheme}.png` });
      await judge(page, name);
    }
    await page.getByRole('button', { name: 'Gallery' }).click();
    await page.locator('.thumb path').first().waitFor();
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `${shots}gallery_${scheme}.png` });
    await judge(page, 'gallery');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Learn' }).click();
    await page.locator('.course h2').first().waitFor();
    await page.screenshot({ path: `${shots}learn_${scheme}.png` });
    await judge(page, 'learn');
    await done(page);
  });

test('on a phone nothing is wider than the screen', async () => {
  const page = await openStudio(browser, '#open=bouncing_ball.toml');
  await page.setViewportSize({ width: 390, height: 844 });
  await ran(page);
  await page.screenshot({ path: `${shots}phone.png`, fullPage: true });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1));
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: `${shots}phone_dark.png`, fullPage: true });
  await done(page);
});

test('the keyboard alone gets everywhere', async () => {
  const page = await openStudio(browser);
  await ran(page);
  const seen = new Set();
  for (let i = 0; i < 60; ++i) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.slice(0, 30));
    seen.add(name);
    if (await page.evaluate(() => document.activeElement?.closest('.cm-editor') !== null)) await page.keyboard.press('Escape');
  }
  for (const wanted of ['Gallery', 'Share', 'e', 'Play']) assert.ok(seen.has(wanted), `${wanted} in ${[...seen].join(', ')}`);
  await done(page);
});

test('it works without a network once it was loaded', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).length > 0);
  await browser.context.setOffline(true);
  try {
    await page.reload();
    await ready(page);
    await ran(page);
  } finally {
    await browser.context.setOffline(false);
  }
  await done(page);
});

test('the first load is small, and quick', async () => {
  const page = await browser.context.newPage();
  const begun = Date.now();
  await page.goto(browser.address);
  await page.waitForSelector('.plot .series', { state: 'attached' });
  const seconds = (Date.now() - begun) / 1000;
  console.log(`# drawn after ${seconds} s`);
  assert.ok(seconds < 10);
  await page.close();
});
