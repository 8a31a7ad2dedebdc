// Drawing: the text follows the picture.
import test, { before, after } from 'node:test';
import assert from 'node:assert/strict';
import { openBrowser, openStudio, ran, reads, settled, done, typeModel } from './browser.js';

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
  await ran(page);
  await typeModel(page, '# mine\n[blocks]\nd = { type = "impulse", at = 1 }   # a blow\n');
  await ran(page, /1 event/);
  await box(page, 'd').waitFor();
  await page.getByLabel('Add a block').fill('integrator');
  await page.getByLabel('Add a block').press('Enter');
  await box(page, 'integrator').waitFor();
  await settled(page);
  const handle = box(page, 'd').locator('.handle');
  await box(page, 'd').hover();
  await drag(page, await middle(handle), await middle(box(page, 'integrator').locator('.face')));
  await reads(page, /integrator = \{ type = "integrator", in = "d"/);
  await page.getByLabel('initial of integrator').fill('5');
  await page.getByLabel('initial of integrator').press('Tab');
  await reads(page, /initial = 5/);
  assert.match(await text(page), /# mine\n\[blocks\]\nd = \{ type = "impulse", at = 1 \} {3}# a blow/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => !/initial = 5/.test(document.querySelector('.cm-content').textContent));
  await settled(page);
  await done(page);
});

test('a box that is moved stays where it was put', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await typeModel(page, '[blocks]\na = "t"\nb = "2*a"\n');
  await ran(page);
  await box(page, 'b').waitFor();
  await settled(page);
  const from = await middle(box(page, 'b').locator('.title'));
  await drag(page, from, { x: from.x + 60, y: from.y + 40 });
  await reads(page, /\[layout\]\s*b = \[\d+, \d+\]/);
  await ran(page);
  await done(page);
});

test('an impulse model is made by drawing alone', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await typeModel(page, '[blocks]\nt0 = "t"\n');
  await ran(page);
  for (const type of ['impulse', 'integrator']) {
    await page.getByLabel('Add a block').fill(type);
    await page.getByLabel('Add a block').press('Enter');
    await box(page, type === 'impulse' ? 'impulse1' : type).waitFor();
    await settled(page);
  }
  // With the keyboard alone: c at one, c at the other.
  await box(page, 'impulse1').focus();
  await page.keyboard.press('c');
  await box(page, 'integrator').focus();
  await page.keyboard.press('c');
  await reads(page, /in = "impulse1"/);
  await ran(page, /1 event/);
  await done(page);
});

test('a bond graph is drawn, with its causality at once', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await typeModel(page, '[elements]\nj = { type = "1" }\nm = { type = "I", value = 2 }\n[bonds]\nb = "j -> m"\n');
  await ran(page);
  await box(page, 'j').waitFor();
  await settled(page);
  await box(page, 'j').focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Add a block').fill('Se');
  await page.locator('.palette-list button', { has: page.locator('strong', { hasText: /^Se$/ }) }).click();
  await box(page, 'Se').waitFor();
  await page.locator('.page-diagram .bond .causal').nth(1).waitFor({ state: 'attached' });
  await done(page);
});

test('somebody who has never written one makes an impulse model with the mouse alone', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByText('Nothing is here yet').waitFor();
  for (const type of ['impulse', 'integrator']) {
    await page.getByLabel('Add a block').fill(type);
    await page.locator('.palette-list button').first().click();
    await box(page, type === 'impulse' ? 'impulse1' : type).waitFor();
    await settled(page);
  }
  await settled(page);
  await box(page, 'impulse1').hover();
  await drag(page, await middle(box(page, 'impulse1').locator('.handle')), await middle(box(page, 'integrator').locator('.face')));
  await page.locator('.wire[data-from="impulse1"]').waitFor({ state: 'attached' });
  await ran(page, /1 event/);
  assert.match(await text(page), /integrator = \{ type = "integrator", in = "impulse1"/);
  await done(page);
});

test('a block is renamed everywhere, and a wire taken away', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await typeModel(page, '[blocks]\nd = { type = "impulse", at = 1 }   # a blow\nx = { type = "integrator", in = "d" }\ny = "2*d + x"\n[simulation]\nrecord = ["d", "x"]\n');
  await ran(page, /1 event/);
  await box(page, 'd').waitFor();
  await box(page, 'd').click();
  await page.getByLabel('Name of d').fill('blow');
  await page.getByLabel('Name of d').press('Enter');
  await box(page, 'blow').waitFor();
  await settled(page);
  assert.match(await text(page), /blow = .*# a blow\nx = .*in = "blow" \}\ny = "2\*blow \+ x"\n\[simulation\]\nrecord = \["blow", "x"\]/);
  const wire = page.locator('.wire[data-from="blow"][data-to="x"]');
  await wire.focus();
  await page.keyboard.press('Delete');
  await reads(page, /x = .*in = "0"/);
  await ran(page, /1 event/);
  await done(page);
});

test('blocks are grouped, undone and done again, with every comment kept', async () => {
  const page = await openStudio(browser);
  await ran(page);
  await typeModel(page, '# above\n[blocks]\nd = { type = "impulse", at = 1 }   # a blow\nx = { type = "integrator", in = "d" } # a jump\ny = "x + 1"\n');
  await ran(page, /1 event/);
  await box(page, 'd').waitFor();
  await box(page, 'd').click();
  await box(page, 'x').click({ modifiers: ['Shift'] });
  await page.getByRole('button', { name: 'Group', exact: true }).click();
  await reads(page, /diagrams\.group/);
  await ran(page, /1 event/);
  const grouped = await text(page);
  for (const words of ['# above', '# a blow', '# a jump']) assert.ok(grouped.includes(words), grouped);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => !/diagrams\.group/.test(document.querySelector('.cm-content').textContent));
  await settled(page);
  await page.getByRole('button', { name: 'Redo' }).click();
  await reads(page, /diagrams\.group/);
  await done(page);
});
