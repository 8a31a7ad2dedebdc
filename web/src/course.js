// The course as live pages: listings run, pictures have sliders, exercises check themselves.
import { h, replace } from './dom.js';
import { Bench } from './bench.js';
import { Engine } from './engine.js';
import { render } from './markdown.js';
import { exercises } from './exercises.js';

const chapters = Object.entries(import.meta.glob('../../docs/course/[0-9]*.md', { query: '?raw', import: 'default', eager: true }))
  .map(([path, text]) => ({ file: path.split('/').at(-1), text, title: text.match(/^# (.*)/)[1] }))
  .sort((a, b) => a.file.localeCompare(b.file));
const pictures = import.meta.glob('../../docs/pictures/*.svg', { query: '?url', import: 'default', eager: true });

// "$ deltaflow run docs/models/box.toml --set e=1 --stop 6" as a question for the engine.
export function readCommand(line) {
  const found = line.match(/^\$ deltaflow (\w+) (\S+\.toml)(.*)/);
  if (!found) return undefined;
  const [, command, path, rest] = found;
  const options = [...rest.matchAll(/--([\w-]+)(?:[ =]("[^"]*"|'[^']*'|[^\s-]\S*|-\d\S*))?/g)].map(([, name, value]) => [name, value?.replace(/^["']|["']$/g, '')]);
  const sets = {};
  for (const [name, value] of options) {
    if (name === 'set') sets[value.split('=')[0]] = value.split('=').slice(1).join('=');
    if (['stop', 'method', 'impulses', 'step'].includes(name)) sets[`simulation.${name}`] = value;
  }
  const value = (wanted) => options.find(([name]) => name === wanted)?.[1];
  const record = value('record')?.split(',');
  return { command, path, sets, record, svg: value('svg'), event: Number(value('event') ?? 1), steps: value('steps')?.split(','), signal: value('signal') };
}

// What the engine is asked for it; nothing where only a picture would come.
export function questionOf({ command, sets, record, event, steps, signal }) {
  const question = { run: { do: 'write', as: 'summary' }, check: { do: 'check' }, exact: { do: 'exact' }, explain: { do: 'explain', event }, compare: { do: 'compare', steps, signal } }[command];
  return question && { ...question, sets, record };
}

function modelOf(shelf, path) {
  const [folder, name] = path.startsWith('docs/models/') ? ['lessons', path.slice(12)] : ['models', path.replace(/^diagrams\//, '')];
  const text = shelf[folder][name];
  return text === undefined ? undefined : { path: name, text };
}

// Its own sliders and its own run; starts when it comes into sight.
function liveBench(model, question, open, engine, number) {
  const bench = new Bench({ engine, label: `${model.path}, picture ${number}`, ranges: {} });
  bench.sliders.sets = { ...question.sets };
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    bench.load(model);
  });
  const element = h('div', { class: 'live' }, bench.element, h('button', { type: 'button', onclick: () => open(model) }, 'Open in the editor'));
  seen.observe(element);
  return element;
}

// A button that runs a command of a listing, and what it prints.
function runButton(model, command, engine) {
  const question = questionOf(command);
  if (!model || !question) return undefined;
  const printed = h('pre', { class: 'printed', tabindex: '0', role: 'status', hidden: true });
  const button = h('button', { type: 'button', class: 'quiet', 'aria-label': `run it: deltaflow ${command.command} ${model.path}` }, '▶ run it');
  button.addEventListener('click', async () => {
    button.disabled = true;
    const answer = await engine().insist({ ...question, ...model });
    printed.textContent = answer.text ?? answer.failure;
    printed.hidden = false;
    button.disabled = false;
  });
  return h('div', { class: 'runs' }, button, printed);
}

function exercise(item, number) {
  const name = `Answer to exercise ${number}`;
  const field = item.options
    ? h('select', { 'aria-label': name }, h('option', { value: '' }, 'choose'), item.options.map((words) => h('option', { value: words }, words)))
    : h('input', { 'aria-label': name, placeholder: item.hint ?? 'your answer' });
  const verdict = h('output', { class: 'verdict', role: 'status' });
  const check = () => {
    const right = item.check(field.value);
    verdict.textContent = right ? '✓ right' : field.value.trim() ? '✗ not yet' : '';
    verdict.classList.toggle('right', right);
  };
  field.addEventListener('change', check);
  return h('div', { class: 'exercise line' }, h('label', null, `${number}. `, field), h('button', { type: 'button', onclick: check }, 'Check'), verdict);
}

export async function course(shelf, open) {
  const page = h('article', { class: 'sheet course' });
  let engine;
  const show = (index) => {
    engine?.close();
    engine = new Engine();
    const chapter = chapters[index];
    const commands = chapter.text.split('\n').map(readCommand).filter(Boolean);
    const shown = new Set();
    const live = (command) => {
      const model = modelOf(shelf, command.path);
      if (!model || command.command !== 'run') return undefined;
      const key = JSON.stringify([command.path, command.sets]);
      if (shown.has(key)) return undefined;
      shown.add(key);
      return liveBench(model, command, open, engine, shown.size);
    };
    const make = {
      link(label, target) {
        const other = chapters.findIndex((c) => c.file === target);
        if (other >= 0) return h('button', { type: 'button', class: 'link', onclick: () => show(other) }, label);
        const model = target.endsWith('.toml') && modelOf(shelf, target.replace(/^(\.\.\/)+(models)/, 'docs/models').replace(/^(\.\.\/)+/, ''));
        return model ? h('button', { type: 'button', class: 'link', onclick: () => open(model) }, label) : undefined;
      },
      picture(label, target) {
        const command = commands.find((c) => c.svg?.endsWith(target.split('/').at(-1)));
        const bench = command && live(command);
        const address = pictures[`../../docs/${target.replace(/^(\.\.\/)+/, '')}`];
        return bench ?? h('img', { src: address, alt: label, loading: 'lazy' });
      },
      listing(code) {
        const listed = code.split('\n').map(readCommand).filter(Boolean);
        const bench = listed[0] && !listed[0].svg && live(listed[0]);
        const buttons = listed.map((command) => runButton(modelOf(shelf, command.path), command, () => engine));
        return h('div', null, h('pre', { tabindex: '0' }, code), buttons, bench);
      },
    };
    const body = render(chapter.text, make);
    const checks = exercises[chapter.file.slice(0, 2)] ?? [];
    const answers = body.findIndex((element) => element.tagName === 'DETAILS');
    if (checks.length) body.splice(answers < 0 ? body.length : answers, 0, h('div', { class: 'exercises' }, checks.map(([number, item]) => exercise(item, number))));
    const choice = h('select', { 'aria-label': 'Chapter', onchange: (e) => show(Number(e.target.value)) }, chapters.map((c, i) => h('option', { value: i, selected: i === index }, c.title)));
    const step = (by, words) => h('button', { type: 'button', disabled: !chapters[index + by], onclick: () => show(index + by) }, words);
    replace(page, h('div', { class: 'line' }, choice, step(-1, '◀ Back'), step(1, 'Next ▶')), body, h('div', { class: 'line' }, step(-1, '◀ Back'), step(1, 'Next ▶')));
    page.closest('.overlay')?.scrollTo(0, 0);
  };
  show(0);
  return page;
}
