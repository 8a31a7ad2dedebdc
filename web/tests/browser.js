// A browser with the studio in it. Whatever the console complains of fails the test.
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
  page.setDefaultTimeout(30_000);
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
export const ran = (page, text = /ended at t =/) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector('.bench .status').textContent) && !document.querySelector('.bench.stale'), text.source);

export async function done(page) {
  assert.deepEqual(page.complaints, []);
  await page.close();
}

// Replaces the text of the editor, as somebody who selects all and pastes.
export async function typeModel(page, text) {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}

export const editorText = (page) => page.evaluate(() => document.querySelector('.cm-content').cmView?.view?.state.doc.toString() ?? document.querySelector('.cm-content').cmTile?.view?.state.doc.toString());
