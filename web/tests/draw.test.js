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

// What somebody does who draws and fills in fields, and never touches the text.
async function begin(page) {
  await ran(page);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByText('Nothing is here yet').waitFor();
}
async function add(page, type, name = type) {
  await page.getByLabel('Add a block').fill(type);
  await page.locator('.palette-list button', { has: page.locator('strong', { hasText: new RegExp(`^${type}$`) }) }).click();
  await box(page, name).waitFor();
  await settled(page);
}
async function fill(page, name, field, words) {
  await box(page, name).click();
  await page.getByLabel(`${field} of ${name}`, { exact: true }).fill(words);
  await page.getByLabel(`${field} of ${name}`, { exact: true }).press('Enter');
  await settled(page);
}
async function wire(page, from, to) {
  await box(page, from).hover();
  await drag(page, await middle(box(page, from).locator('.handle')), await middle(box(page, to).locator('.face')));
  await page.locator(`.wire[data-from="${from}"][data-to="${to}"]`).waitFor({ state: 'attached' });
  await settled(page);
}
const impulses = (page) => page.$$eval('.plot .impulse > title', (titles) => titles.map((title) => title.textContent));

test('a ball that bounces is drawn from nothing', async () => {
  const page = await openStudio(browser);
  await begin(page);
  await add(page, 'integrator');
  await add(page, 'integrator', 'integrator1');
  await wire(page, 'integrator', 'integrator1');
  await fill(page, 'integrator1', 'Name', 'y');
  await box(page, 'y').waitFor();
  await fill(page, 'integrator', 'Name', 'v');
  await box(page, 'v').waitFor();
  await fill(page, 'y', 'initial', '10');
  await add(page, 'crossing');
  await wire(page, 'y', 'crossing');
  await fill(page, 'v', 'in', '-9.81 - 1.8*pre(v)*crossing');
  await ran(page, /2 events/);
  assert.deepEqual((await impulses(page)).map((words) => words.slice(0, 28)), ['crossing: 1 δ at t = 1.42784', 'crossing: 1 δ at t = 3.71239']);
  await done(page);
});

test('a jump is differentiated twice by drawing', async () => {
  const page = await openStudio(browser);
  await begin(page);
  await add(page, 'step', 'step');
  await add(page, 'derivative');
  await wire(page, 'step', 'derivative');
  await add(page, 'derivative', 'derivative1');
  await wire(page, 'derivative', 'derivative1');
  await ran(page, /1 event/);
  assert.deepEqual(await impulses(page), ['derivative: 2 δ at t = 1', 'derivative1: 2 δ′ at t = 1']);
  await done(page);
});

test('a mass that is set into motion at once is drawn as a bond graph, from nothing', async () => {
  const page = await openStudio(browser);
  await begin(page);
  for (const type of ['MSf', 'I', 'R']) await add(page, type);
  assert.deepEqual(await page.$$eval('.page-diagram .bond', (bonds) => bonds.map((bond) => bond.dataset.bond)), ['b', 'b1', 'b2']);
  await fill(page, 'I', 'value', '3');
  await fill(page, 'MSf', 'flow', 'heaviside(t - 1)');
  await ran(page, /1 event/);
  assert.ok((await impulses(page)).some((words) => /: 3 δ at t = 1/.test(words)), String(await impulses(page)));
  await page.locator('.box.dependent', { hasText: 'derivative causality' }).waitFor();
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
