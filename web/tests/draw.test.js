// Drawing: the text follows the picture.
import test, { before, after } from 'node:test';
import assert from 'node:assert/strict';
import { openBrowser, openStudio, ran, done, typeModel } from './browser.js';

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

const box = (page, name) => page.locator(`.page-diagram [data-box="${name}"]`);
const text = (page) => page.locator('.cm-content').evaluate((element) => [...element.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'));

async function drag(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}
const middle = async (locator) => {
  const b = await locator.boundingBox();
  return { x: b.x + b.width / 2, y: b.y + b.height / 2 };
};

test('a block is added from the palette, connected by dragging, and its number changed in place', async () => {
  const page = await openStudio(browser);
  await typeModel(page, '# mine\n[blocks]\nd = { type = "impulse", at = 1 }   # a blow\n');
  await ran(page, /1 event/);
  await box(page, 'd').waitFor();
  await page.getByLabel('Add a block').fill('integrator');
  await page.getByLabel('Add a block').press('Enter');
  await box(page, 'integrator').waitFor();
  await page.waitForTimeout(400);
  const handle = box(page, 'd').locator('.handle');
  await box(page, 'd').hover();
  await drag(page, await middle(handle), await middle(box(page, 'integrator').locator('.face')));
  await page.waitForFunction(() => /integrator = \{ type = "integrator", in = "d"/.test(document.querySelector('.cm-content').textContent));
  await page.getByLabel('initial of integrator').fill('5');
  await page.getByLabel('initial of integrator').press('Tab');
  await page.waitForFunction(() => /initial = 5/.test(document.querySelector('.cm-content').textContent));
  assert.match(await text(page), /# mine\n\[blocks\]\nd = \{ type = "impulse", at = 1 \} {3}# a blow/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => !/initial = 5/.test(document.querySelector('.cm-content').textContent));
  await done(page);
});

test('a box that is moved stays where it was put', async () => {
  const page = await openStudio(browser);
  await typeModel(page, '[blocks]\na = "t"\nb = "2*a"\n');
  await ran(page);
  await box(page, 'b').waitFor();
  await page.waitForTimeout(400);
  const from = await middle(box(page, 'b').locator('.title'));
  await drag(page, from, { x: from.x + 60, y: from.y + 40 });
  await page.waitForFunction(() => /\[layout\]\s*b = \[\d+, \d+\]/.test(document.querySelector('.cm-content').textContent));
  await ran(page);
  await done(page);
});

test('an impulse model is made by drawing alone', async () => {
  const page = await openStudio(browser);
  await typeModel(page, '[blocks]\nt0 = "t"\n');
  await ran(page);
  for (const type of ['impulse', 'integrator']) {
    await page.getByLabel('Add a block').fill(type);
    await page.getByLabel('Add a block').press('Enter');
    await box(page, type === 'impulse' ? 'impulse1' : type).waitFor();
  }
  // With the keyboard alone: c at one, c at the other.
  await box(page, 'impulse1').focus();
  await page.keyboard.press('c');
  await box(page, 'integrator').focus();
  await page.keyboard.press('c');
  await page.waitForFunction(() => /in = "impulse1"/.test(document.querySelector('.cm-content').textContent));
  await ran(page, /1 event/);
  await done(page);
});

test('a bond graph is drawn, with its causality at once', async () => {
  const page = await openStudio(browser);
  await typeModel(page, '[elements]\nj = { type = "1" }\nm = { type = "I", value = 2 }\n[bonds]\nb = "j -> m"\n');
  await ran(page);
  await box(page, 'j').waitFor();
  await box(page, 'j').focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Add a block').fill('Se');
  await page.locator('.palette-list button', { has: page.locator('strong', { hasText: /^Se$/ }) }).click();
  await box(page, 'Se').waitFor();
  assert.ok((await page.locator('.page-diagram .bond .causal').count()) >= 2);
  await done(page);
});
