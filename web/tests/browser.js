// A browser with the studio in it. Whatever the console complains of fails the test. A machine may be slow: nothing here waits
// for a time, everything for what a person would wait for.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { fileURLToPath } from 'node:url';
import { answers } from '../native/answers.js';
import { serve } from '../serve.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
// The page as it is built for everybody, or with the engine as a program behind the server (`./dev test`).
export const native = process.env.DELTAFLOW_PAGE === 'native';
export const dist = native ? `${root}build/page/` : `${root}web/dist/`;

const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export async function openBrowser() {
  const folder = await mkdtemp(join(tmpdir(), 'studio-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: quiet, viewport: { width: 1360, height: 860 }, acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const engine = native ? answers(`${root}build/deltaflow_page`) : undefined;
  const { server, address } = await serve(0, dist, engine?.answer);
  const close = async () => {
    await context.close();
    engine?.close();
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  };
  return { context, address, server, close };
}

// A page with the studio ready in it; complaints are collected.
export async function openStudio({ context, address }, where = '', { wait = true } = {}) {
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.complaints.push(message.text()));
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  page.setDefaultTimeout(90_000);
  page.setDefaultNavigationTimeout(90_000);
  // What other tests have typed is forgotten, but not what this one types before it reloads.
  await page.addInitScript(() => {
    if (!sessionStorage.getItem('begun')) localStorage.clear();
    sessionStorage.setItem('begun', 'yes');
  });
  await page.goto(address + where);
  if (wait) await ready(page);
  return page;
}

export const ready = (page) => page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
export const status = (page) => page.locator('.bench .status').first();

// Nothing is under way any more, and all of it is on the screen.
export const settled = (page) => page.waitForFunction(() => {
  const idle = () => !document.documentElement.dataset.busy;
  return idle() && new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(idle()))));
});

// What was asked for last has run and is seen: the picture and the page below it.
export async function ran(page, text = /ended at t =/) {
  await settled(page);
  await page.waitForFunction((source) => new RegExp(source).test(document.querySelector('.bench .status')?.textContent) && !document.querySelector('.bench.stale'), text.source);
}

// The text of the editor, once it is like this.
export const reads = (page, text) => page.waitForFunction((source) => new RegExp(source).test([...document.querySelectorAll('.cm-content .cm-line')].map((line) => line.textContent).join('\n')), text.source);

export async function done(page) {
  assert.deepEqual(page.complaints, []);
  await page.close();
}

// Replaces the text of the editor, as somebody who selects all and pastes.
export async function typeModel(page, text) {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
  await page.waitForFunction((wanted) => [...document.querySelectorAll('.cm-content .cm-line')].map((line) => line.textContent).join('\n') === wanted, text);
}

// How often something is there, once it is there at all.
export async function many(locator) {
  await locator.first().waitFor({ state: 'attached' });
  return locator.count();
}
