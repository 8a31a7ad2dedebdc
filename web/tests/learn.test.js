// The course: listings run, pictures have sliders, exercises check themselves.
import test, { before, after } from 'node:test';
import assert from 'node:assert/strict';
import { openBrowser, openStudio, ran, many, settled, done } from './browser.js';

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

test('instants are explained in words, formulas and tables, with nothing of LaTeX left over', async () => {
  const page = await openStudio(browser);
  await ran(page);
  for (const model of ['two_body_collision.toml', 'falling_rod.toml', 'stick_slip.toml', 'algebraic_loop_with_impulse.toml', 'delta_chain.toml', 'product_rule.toml', 'neuron.toml']) {
    await page.evaluate((name) => (location.hash = `open=${name}`), model);
    await page.waitForFunction((name) => document.querySelector('.model-name').value === name, model);
    await page.getByRole('tab', { name: 'Explain' }).click();
    await settled(page);
    await page.getByRole('button', { name: 'All steps' }).click();
    const left = await page.locator('.lesson').evaluate((lesson) => {
      const copy = lesson.cloneNode(true);
      for (const formula of copy.querySelectorAll('.katex')) formula.remove();
      return [copy.textContent.match(/.{0,40}[\\&$].{0,40}/)?.[0], lesson.querySelectorAll('.katex-error').length];
    });
    assert.deepEqual(left, [undefined, 0], model);
    if (model === 'two_body_collision.toml') assert.deepEqual(await page.locator('.lesson table').first().locator('tbody th').allTextContents(), ['body1', 'body2']);
  }
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
