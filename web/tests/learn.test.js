// The course: listings run, pictures have sliders, exercises check themselves.
import test, { before, after } from 'node:test';
import assert from 'node:assert/strict';
import { openBrowser, openStudio, ran, many, done } from './browser.js';

// The course is loaded when it is asked for; a chapter is there when its heading is.
async function openChapter(page, number) {
  await page.locator(`select[aria-label="Chapter"] option[value="${number}"]`).waitFor({ state: 'attached' });
  await page.getByLabel('Chapter').selectOption(String(number));
  await page.waitForFunction((wanted) => document.querySelector('.course h2')?.textContent.startsWith(`${wanted}.`), number);
}

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

test('a chapter has live pictures and exercises that check themselves', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await page.getByRole('button', { name: 'Learn' }).click();
  await openChapter(page, 3);
  await page.locator('.course .live').first().scrollIntoViewIfNeeded();
  await page.locator('.course .live .plot .series').first().waitFor();
  const answer = page.getByLabel('Answer to exercise 1');
  await answer.fill('3 delta');
  await answer.press('Enter');
  await page.getByText('not yet').waitFor();
  await answer.fill('2 delta');
  await answer.press('Enter');
  await page.getByText('✓ right').waitFor();
  await done(page);
});

test('every chapter opens, and its models can be opened in the editor', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await page.getByRole('button', { name: 'Learn' }).click();
  const chapters = 14;
  for (let i = 0; i < chapters; ++i) {
    await openChapter(page, i);
    await page.locator('.course .live').first().waitFor({ state: 'attached' }).catch(() => assert.fail(`chapter ${i} has nothing live`));
  }
  assert.equal(await many(page.getByLabel('Chapter').locator('option')), chapters);
  await openChapter(page, 6);
  await page.locator('.course .live button', { hasText: 'Open in the editor' }).first().click();
  await page.waitForFunction(() => document.title.startsWith('Ball in a box'));
  await done(page);
});

test('a listing runs, and prints what the course says', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await page.getByRole('button', { name: 'Learn' }).click();
  await openChapter(page, 7);
  await page.getByRole('button', { name: 'run it: deltaflow check naive.toml' }).first().click();
  await page.locator('.printed', { hasText: 'warning' }).first().waitFor();
  const answer = page.getByLabel('Answer to exercise 2');
  await answer.selectOption('1/2 delta');
  await page.getByText('not yet').waitFor();
  await answer.selectOption('it is not defined');
  await page.getByText('✓ right').waitFor();
  await done(page);
});
