// Models, files and links of people who mean harm, or are careless: the page goes on, and nothing they wrote becomes markup.
import test, { before, after } from 'node:test';
import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import { openBrowser, openStudio, ran, reads, settled, status, done } from './browser.js';

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

const linkTo = (value) => `#model=${deflateRawSync(Buffer.from(JSON.stringify(value))).toString('base64url')}`;
const mark = '<img src=x onerror=alert(1)>';

// Whatever was said between two looks at the page took no longer than this, in milliseconds.
async function longestPause(page, work) {
  await page.evaluate(() => {
    let last = performance.now();
    globalThis.longest = 0;
    globalThis.beat = setInterval(() => {
      const now = performance.now();
      globalThis.longest = Math.max(globalThis.longest, now - last);
      last = now;
    }, 10);
  });
  await work();
  return page.evaluate(() => (clearInterval(globalThis.beat), globalThis.longest));
}

const refused = (page) => page.waitForFunction(() => document.querySelector('.problems li'));

test('names, titles, states, events and messages are text, never markup', async () => {
  const model = `name = "${mark}"
about = "${mark}"
[parameters]
e = 1
[blocks]
d = { type = "impulse", at = "e" }
x = { type = "integrator", in = "d" }
"${mark}" = "x"
[automata.a]
states = ["${mark}", "b"]
initial = "${mark}"
transitions = [{ from = "${mark}", to = "b", when = "x > 0" }]
[animation]
"${mark}" = { shape = "label", x = 0, y = 0, value = "x" }
`;
  const page = await openStudio(browser, linkTo({ path: `${mark}.toml`, text: model }));
  const look = async (where) => {
    await settled(page);
    assert.equal(await page.locator('img:not(.bar img), script[src=x], b').count(), 0, where);
  };
  await refused(page); // no name may look like that
  assert.ok((await page.locator('.problems').textContent()).includes(mark));
  await look('mistakes');
  const good = model.split('\n').filter((line) => !line.startsWith('"')).join('\n').concat(`\nw = { shape = "label", x = 0, y = 0, value = "x" }\n`);
  for (const text of [good, good.replaceAll(/^(states|initial|transitions).*$/gm, (line) => line.replaceAll(mark, 's')), `use = "${mark}.toml"\n[blocks]\nx = "t"\n`, `[blocks]\nx = { type = "table", file = "${mark}.csv", in = "t" }\n`, `[animation]\nw = { shape = "${mark}" }\n[blocks]\nx = "${mark}"\n`]) {
    await page.evaluate((hash) => (location.hash = hash), linkTo({ path: 'next.toml', text }));
    await page.waitForFunction((first) => document.querySelector('.cm-line')?.textContent === first, text.split('\n')[0]);
    await look(text);
    for (const name of ['Diagram', 'Events', 'Explain', 'Exact', 'Compare', 'Check', 'Table', 'HyPA']) {
      const tab = page.getByRole('tab', { name });
      if (!(await tab.isVisible())) continue;
      await tab.click();
      await look(`${name} of ${text}`);
    }
    await page.getByRole('tab', { name: 'Diagram' }).click();
  }
  await done(page);
});

test('a name of a block or parameter may be any word of JavaScript', async () => {
  const page = await openStudio(browser, linkTo({ path: 'words.toml', text: '[parameters]\nconstructor = 2\n__proto__ = 0.5\n[blocks]\nvalueOf = "constructor*t + __proto__"\nhasOwnProperty = { type = "step", at = 1 }\n[layout]\nvalueOf = [30, 40]\n' }));
  await ran(page, /1 event/);
  await page.locator('[data-box="hasOwnProperty"]').waitFor();
  const slider = page.locator('.slider input[type=range][aria-label="__proto__"]');
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await reads(page, /__proto__ = 0\.501/);
  await page.locator('.plot-frame').first().focus();
  await page.keyboard.press('PageDown');
  await page.locator('.readout', { hasText: '→' }).first().waitFor();
  await done(page);
});

test('brackets without end, a thousand parameters, a thicket of wires, a hundred thousand events: the page goes on', { timeout: 300_000 }, async () => {
  const page = await openStudio(browser);
  await ran(page);
  const open = async (text) => {
    await page.evaluate((hash) => (location.hash = hash), linkTo({ path: 'heavy.toml', text }));
    await page.waitForFunction((first) => document.querySelector('.cm-line')?.textContent === first, text.split('\n')[0].slice(0, 40));
    await settled(page);
  };
  for (const deep of [`x = ${'['.repeat(100_000)}`, `x = ${'{a='.repeat(50_000)}`]) {
    await page.evaluate((hash) => (location.hash = hash), linkTo({ path: 'deep.toml', text: deep }));
    await refused(page);
  }
  const pause = await longestPause(page, async () => {
    await open(`# parameters\n[parameters]\n${Array.from({ length: 1000 }, (_, i) => `p${i} = ${i}`).join('\n')}\n[blocks]\nx = "p1*t"\n`);
    await ran(page);
    await open(`# wires\n[blocks]\nx0 = "t"\n${Array.from({ length: 145 }, (_, i) => `x${i + 1} = "${[...new Set(Array.from({ length: 10 }, (_, k) => (i * 7 + k * 13) % (i + 1)))].map((k) => `x${k}`).join(' + ')}"`).join('\n')}\n`);
    await page.locator('.page-diagram .note', { hasText: 'too much for a picture' }).waitFor();
    await open('# events\n[blocks]\nd = { type = "impulse", at = 0, period = 1e-4 }\nx = { type = "integrator", in = "d" }\n');
    await ran(page, /100001 events/);
  });
  console.log(`# never longer than ${Math.round(pause)} ms without an answer`);
  assert.ok(pause < 5000, `${pause} ms`);
  await open('# small\n[blocks]\nx = "t"\n');
  await ran(page, /ended at t = 10/);
  await done(page);
});

test('what was asked for last is answered though something endless has only just begun', async () => {
  const endless = '# endless\n[blocks]\nx = { type = "integrator", in = "cos(100*t)*y" }\ny = { type = "integrator", in = "-x*sin(77*t)", initial = 1 }\n[simulation]\nstop = 1e9\nmethod = "rk4"\nstep = 1e-5\n';
  const page = await openStudio(browser);
  await ran(page);
  await page.evaluate((links) => links.forEach((link) => (location.hash = link)), [linkTo({ path: 'a.toml', text: endless }), linkTo({ path: 'a.toml', text: endless.replace('endless', 'again') })]);
  await page.waitForFunction(() => document.querySelector('.cm-line')?.textContent === '# again');
  await page.evaluate((link) => (location.hash = link), linkTo({ path: 'b.toml', text: '[blocks]\nx = "t"\n' }));
  await ran(page, /ended at t = 10/);
  await done(page);
});

test('links that are broken, endless or not what they should be open what was there before', async () => {
  const bomb = deflateRawSync(Buffer.alloc(64 << 20, ' ')).toString('base64url');
  for (const link of ['#model=', '#model=%%%', '#model=AAAA', linkTo(7), linkTo({ text: 7 }), `#model=${bomb}`, '#open=constructor', '#open=../../etc/passwd']) {
    const page = await openStudio(browser, link);
    await ran(page, /^2 events, ended at t = 4/);
    assert.match(await page.locator('.said').textContent(), /no model/, link.slice(0, 60));
    await done(page);
  }
});

test('what else stands in a link is taken only if it is what it should be', async () => {
  const page = await openStudio(browser, linkTo({ path: '../../../etc/passwd', text: '[parameters]\ne = 1\nf = 2\n[blocks]\nx = "e*f*t"\n', ranges: { e: 5, f: [3, 1], __proto__: ['a', 'b'] }, files: { '../secret.toml': 'x', 'a.toml': 'x', 'a.toml/b.toml': 'x', n: 7 } }));
  await ran(page);
  assert.equal(await page.getByLabel('Name of the model file').inputValue(), 'shared.toml');
  assert.deepEqual(await page.locator('.slider input[type=range]').evaluateAll((all) => all.map((one) => [one.min, one.max])), [['0', '2'], ['0', '4']]);
  assert.match(await status(page).textContent(), /ended at t = 10/);
  await done(page);
});
