// A run on the table: sliders, picture, animation; runs again whenever something changes.
import { h, replace, numberText, debounce } from './dom.js';
import { Latest, helping } from './engine.js';
import { Plot } from './plot.js';
import { Sliders } from './sliders.js';
import { Player } from './player.js';
import { Reading } from './reading.js';
import { bound, sceneOf } from './scene.js';


export class Bench {
  #asked = 0;

  constructor({ engine, label, onSet, onAnswer, onRange, onEvent, ranges }) {
    this.engine = engine;
    this.latest = new Latest(engine);
    this.onAnswer = onAnswer;
    this.panels = undefined;
    this.sliders = new Sliders({
      label: `Parameters of ${label}`,
      ranges,
      onRange,
      onBegin: () => (this.ghost = this.shown),
      onInput: () => {
        this.plot.tellExact(undefined); // of other numbers
        this.run();
      },
      onChange: (name, text) => (onSet ? onSet(name, text) : this.run()),
    });
    this.plot = new Plot({ label: `Picture of ${label}`, onEvent, onWindow: debounce(120, () => this.run()) });
    this.player = new Player((t) => this.plot.setTime(t));
    this.status = h('p', { class: 'status', role: 'status' });
    this.progress = h('progress', { max: '1', 'aria-label': 'Progress of the run', hidden: true });
    this.stopButton = h('button', { type: 'button', class: 'stop', hidden: true, onclick: () => this.stop() }, 'Stop');
    this.trouble = h('pre', { class: 'trouble', role: 'alert', hidden: true });
    const button = (words, title, act) => h('button', { type: 'button', class: 'quiet', title, 'aria-label': title, onclick: act }, words);
    this.tools = h('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Picture' },
      button('+', 'Zoom in', () => this.plot.zoom(0.6)),
      button('−', 'Zoom out', () => this.plot.zoom(1 / 0.6)),
      button('‹', 'Earlier', () => this.plot.move(-0.3)),
      button('›', 'Later', () => this.plot.move(0.3)),
      button('all', 'Show all of the run', () => this.plot.setWindow(null)),
      this.signalMenu = h('details', { class: 'menu' }, h('summary', null, 'Signals'), (this.signalList = h('div', { class: 'menu-body', role: 'group', 'aria-label': 'Signals that are drawn' }))));
    this.table = h('details', { class: 'as-table' }, h('summary', null, 'The picture as a table'));
    this.table.addEventListener('toggle', () => this.#fillTable());
    this.element = h('section', { class: 'bench', 'aria-label': label },
      this.sliders.element,
      h('div', { class: 'line' }, this.status, this.progress, this.stopButton, this.tools),
      this.trouble,
      this.player.element,
      h('div', { class: 'scene' }, this.plot.element, this.player.stage.element),
      this.table);
  }

  // Another model, or the same one changed.
  load(model) {
    if (model.path !== this.model?.path) {
      this.plot.window = null;
      this.ghost = undefined;
      this.panels = undefined;
    }
    this.model = model;
    this.run();
  }

  question() {
    // While a slider moves, quick is better than fine.
    const wide = Math.max(200, Math.min(1200, Math.round(this.plot.width || this.plot.element.clientWidth || 600)));
    const columns = this.sliders.dragging ? 200 : wide;
    const question = { do: 'run', path: this.model.path, text: this.model.text, sets: { ...this.sliders.sets }, columns };
    if (this.plot.window) [question.from, question.to] = this.plot.window;
    if (this.panels) question.panels = this.panels;
    return question;
  }

  run() {
    if (!this.model) return;
    const number = ++this.#asked, begun = performance.now();
    this.#watch(number);
    this.latest.ask(this.question(), (answer, isLast) => {
      if (isLast) this.#rest();
      this.#take(answer, performance.now() - begun);
      if (isLast && answer.picture) this.#animate(number);
    }, (fraction) => (this.progress.value = fraction));
  }

  // Where the shapes of the model are: a run of its own, with what they need and nothing else.
  #animate(number) {
    const scene = sceneOf(this.model.text);
    if (!scene.length) return this.player.animate([]);
    const { text, record, shapes } = bound(this.model.text, scene);
    const { path } = this.model;
    this.motion ??= new Latest(helping());
    this.motion.ask({ do: 'run', path, text, record, sets: { ...this.sliders.sets }, columns: 60 }, (answer) => {
      if (number !== this.#asked || answer.stopped) return;
      this.player.animate(answer.trace ? shapes : [], answer.trace && new Reading(answer.trace));
      this.element.dataset.drawn = path;
    });
  }

  // Shows that something goes on, if it goes on for long.
  #watch(number) {
    setTimeout(() => {
      if (number !== this.#asked || this.resting === number) return;
      this.progress.hidden = this.stopButton.hidden = false;
      this.progress.removeAttribute('value');
      this.status.textContent = 'running …';
    }, 250);
  }

  #rest() {
    this.resting = this.#asked;
    this.progress.hidden = this.stopButton.hidden = true;
  }

  stop() {
    this.latest.forget();
  }

  #take(answer, milliseconds) {
    if (answer.stopped) this.status.textContent = 'stopped';
    else if (answer.mistakes || answer.failure) {
      this.element.classList.add('stale');
      this.status.textContent = answer.mistakes ? 'the model has mistakes; the picture is that of the last run' : answer.failure;
    } else this.#show(answer, milliseconds);
    this.onAnswer?.(answer);
  }

  #show(answer, milliseconds) {
    const { model, trace, picture, errors, end } = answer;
    this.element.classList.remove('stale', 'empty');
    this.sliders.show(model.parameters);
    this.plot.all = [model.start, Math.max(end, model.start)];
    this.shown = picture;
    this.answer = answer;
    const alike = this.ghost && this.ghost !== picture && sameSignals(this.ghost, picture) ? this.ghost : undefined;
    this.plot.show(picture, trace, alike);
    this.player.show(this.plot.reading, this.plot.all);
    const events = trace.statistics.events;
    this.status.textContent = `${events} ${events === 1 ? 'event' : 'events'}, ended at t = ${numberText(end)}${trace.end.reason === 'stop' ? '' : ` (${trace.end.reason})`}, ${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
    this.trouble.hidden = errors.length === 0 && answer.warnings.length === 0;
    this.trouble.textContent = [...errors.map((e) => e.text), ...answer.warnings.map((w) => `warning: ${w}`)].join('\n');
    this.#listSignals(model.signals);
    if (this.table.open) this.#fillTable();
  }

  // No run at all.
  clear(words) {
    this.element.classList.remove('stale');
    this.element.classList.add('empty');
    this.ghost = this.shown = this.answer = undefined;
    this.sliders.show([]);
    this.player.animate([]);
    this.plot.clear();
    this.trouble.hidden = true;
    this.status.textContent = words;
  }

  #listSignals(signals) {
    const key = signals.join();
    if (this.signalKey === key) return;
    this.signalKey = key;
    const boxes = signals.map((name, i) => h('input', { type: 'checkbox', checked: i < 12, value: name }));
    const choose = () => {
      const chosen = boxes.filter((box) => box.checked).map((box) => [box.value]);
      this.panels = chosen.length ? chosen : undefined;
      this.ghost = undefined;
      this.run();
    };
    boxes.forEach((box) => box.addEventListener('change', choose));
    replace(this.signalList, signals.map((name, i) => h('label', null, boxes[i], name)));
  }

  #fillTable() {
    if (!this.table.open || !this.answer) return;
    const { trace } = this.answer;
    const names = trace.signals.slice(0, 12), every = Math.max(1, Math.ceil(trace.samples.t.length / 60));
    const rows = trace.samples.t.map((t, i) => [t, i]).filter(([, i]) => i % every === 0);
    this.table.querySelector('table')?.remove();
    this.table.append(h('table', null, h('caption', null, `${this.answer.model.name}: samples`),
      h('thead', null, h('tr', null, ['t', ...names].map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', null, rows.map(([t, i]) => h('tr', null, h('th', { scope: 'row' }, numberText(t)), names.map((name) => h('td', null, numberText(trace.samples[name][i]))))))));
  }
}

function sameSignals(a, b) {
  const names = (picture) => picture.panels.map((panel) => panel.series.map((series) => series.name).join()).join('|');
  return names(a) === names(b);
}
