// The studio: an editor, a run that follows it, and pages that look closer.
import './style.css';
import { h, put, replace, debounce, byName } from './dom.js';
import { Engine, Stopped, compile, shareFiles } from './engine.js';
import { Bench } from './bench.js';
import { Tabs } from './tabs/tabs.js';
import { eventsPage } from './tabs/events.js';
import { ExplainPage } from './tabs/explain.js';
import { DiagramPage } from './tabs/diagram.js';
import { exactPage, comparePage, checkPage, tablePage, hypaPage } from './tabs/texts.js';
import { Sharing } from './sharing.js';
import { chooseTheme } from './theme.js';
import { ball, blank } from './first.js';
import { Folder } from './folder.js';
import { beginLayouts } from './layout.js';
import { isEmpty } from './drawing.js';
import { during } from './pending.js';
import { dividers } from './dividers.js';
import { presentButton } from './present.js';

compile();

class Studio {
  path = 'ball.toml';
  ranges = byName();

  constructor() {
    this.live = new Engine();
    this.desk = new Engine();
    this.bench = new Bench({
      engine: this.live,
      label: 'the run',
      ranges: this.ranges,
      onRange: () => this.sharing.keep(),
      onEvent: () => this.#fractions(),
      onSet: (name, text) => this.#settle(name, text),
      onAnswer: (answer) => this.#take(answer),
    });
    const explain = new ExplainPage();
    this.tabs = new Tabs(this.desk, [
      (this.diagram = new DiagramPage(this)),
      eventsPage((number) => {
        explain.choose(number);
        this.tabs.select('explain');
      }),
      explain,
      exactPage((forms, run) => run === this.tabs.run && this.bench.plot.tellExact(forms)),
      comparePage,
      checkPage,
      tablePage,
      hypaPage,
    ]);
    // A chosen instant is explained though the model has not changed.
    const choose = explain.choose.bind(explain);
    explain.choose = (number) => {
      choose(number);
      if (explain.body) explain.show(explain.body, explain.run, explain.ask);
    };
    this.sharing = new Sharing(this);
    this.folder = new Folder(this);
    this.#build();
  }

  #build() {
    const button = (words, act, title) => h('button', { type: 'button', title, onclick: act }, words);
    this.name = h('input', { class: 'model-name', 'aria-label': 'Name of the model file', value: this.path, spellcheck: 'false' });
    this.name.addEventListener('change', () => {
      this.path = this.name.value.trim().replace(/[^\w.-]+/g, '_').replace(/^\.+/, '') || 'model.toml';
      if (!this.path.endsWith('.toml')) this.path += '.toml';
      this.name.value = this.path;
      this.run();
    });
    this.problems = h('ul', { class: 'problems', 'aria-label': 'Mistakes', 'aria-live': 'polite' });
    this.editorPlace = h('div', { class: 'editor' });
    this.benches = h('div', { class: 'benches' }, this.bench.element);
    this.sideButton = h('button', { type: 'button', 'aria-pressed': 'false', onclick: () => this.#sideBySide() }, 'Side by side');
    this.header = h('header', { class: 'bar' },
      h('h1', null, h('img', { src: './icon.svg', alt: '', width: 22, height: 22 }), 'Deltaflow'),
      this.name,
      h('nav', { 'aria-label': 'Models' },
        button('New', () => this.open({ path: 'new.toml', text: blank }), 'A model without anything in it'),
        button('Gallery', () => during(this.openGallery())),
        button('Learn', () => during(this.openCourse())),
        ...this.folder.buttons(),
        ...this.sharing.buttons()),
      h('span', { class: 'spacer' }),
      this.sideButton,
      presentButton(),
      chooseTheme());
    this.main = h('main', { class: 'studio' },
      h('section', { class: 'left', 'aria-label': 'Model' }, this.editorPlace, this.problems),
      h('section', { class: 'right', 'aria-label': 'Run' }, this.benches),
      this.tabs.element);
    this.main.append(...dividers(this.main));
    this.overlay = h('div', { class: 'overlay', role: 'dialog', 'aria-modal': 'true', 'aria-label': 'Gallery, course or link', hidden: true });
    document.body.append(h('a', { class: 'skip', href: '#run' }, 'To the run'), this.header, this.main, this.overlay);
    this.benches.id = 'run';
  }

  async start() {
    const [begun, file] = [await this.sharing.begin(), await this.folder.begin()];
    // What was kept of a file that is as it was then: its changes. A link is what it is.
    const wins = begun && (!begun.kept || !file || (begun.path === file.path && begun.base === file.text));
    const { text, path, ranges } = wins ? begun : file ?? { text: ball, path: 'ball.toml' };
    Object.assign(this.ranges, ranges);
    this.path = this.name.value = path ?? 'model.toml';
    this.text = text;
    this.edited = Boolean(wins && begun.edited); // by hand, and nowhere else
    this.needed = this.#needsFiles(text);
    const first = this.needed ? this.shelf().then(() => this.run()) : this.run();
    const [{ Editor }] = await Promise.all([import('./editor.js'), first]);
    this.editor = new Editor(this.editorPlace, { text: this.text, words: () => this.words, onChange: (bySlider) => this.#changed(bySlider) });
    this.underline(this.lastAnswer);
    this.words = await this.desk.insist({ do: 'catalogue' });
    this.diagram.fill();
    document.documentElement.dataset.ready = 'true';
    performance.mark('ready');
    beginLayouts();
    this.shelf();
    this.sharing.keepOffline();
  }

  #needsFiles = (text) => /^\s*use\s*=|\bfile\s*=/m.test(text);

  // Models that ship, loaded once; engines get the files that models may use.
  shelf() {
    this.shelfLoaded ??= import('./shelf.js').then((shelf) => {
      shareFiles({ ...shelf.models, ...shelf.lessons, ...this.sharing.brought.files });
      return shelf;
    });
    return this.shelfLoaded;
  }

  // Fractions for the cursor, once it is at an event; not at all where they take long.
  async #fractions() {
    const { run } = this.tabs;
    if (!run || run === this.fractionsOf || run.answer.model.numeric) return;
    this.fractionsOf = run;
    this.scribe ??= new Engine();
    const timer = setTimeout(() => this.scribe.stop(), 2000);
    try {
      const { path, text, sets } = run.question;
      const { forms } = await this.scribe.ask({ do: 'exact', path, text, sets });
      if (forms && run === this.tabs.run) this.bench.plot.tellExact(forms);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  // Another model.
  async open({ path, text, ranges }) {
    if (this.edited && text !== this.text) this.sharing.putAway();
    this.edited = false;
    this.path = this.name.value = path;
    if (this.#needsFiles(text)) await this.shelf();
    this.bench.sliders.sets = byName();
    for (const key of Object.keys(this.ranges)) delete this.ranges[key];
    Object.assign(this.ranges, ranges);
    this.bench.sliders.names = undefined;
    this.bench.plot.tellExact(undefined);
    this.closeOverlay();
    this.openedAnother = true;
    this.folder.base = undefined;
    this.opening = true; // one run is enough
    this.editor.setText(text);
    this.opening = false;
    this.sharing.keep();
    this.run();
  }

  #changed(bySlider) {
    this.text = this.editor.text;
    if (!this.opening) this.edited = true;
    this.sharing.keep();
    if (bySlider) return this.bench.load(this.#model());
    this.bench.sliders.given = byName();
    if (!this.opening) this.rerun();
  }

  rerun = debounce(120, () => this.run());

  #model() {
    return { path: this.path, text: this.text };
  }

  run() {
    this.bench.plot.tellExact(undefined);
    if (!this.openedAnother) this.bench.ghost = this.bench.shown;
    this.openedAnother = false;
    this.bench.load(this.#model());
    this.second?.load(this.#model());
  }

  // A slider was let go: the number goes into the text, and nothing else of the text changes.
  #settle(name, text) {
    const parameter = this.lastModel?.parameters.find((p) => p.name === name);
    delete this.bench.sliders.sets[name];
    if (!parameter || !this.editor || parameter.place.file !== 0) return;
    const from = this.editor.offset(parameter.place);
    const old = this.text.slice(from).match(/^[^\s,#}\]]+/)?.[0] ?? '';
    if (old && Number.isFinite(Number(old.replaceAll('_', '')))) this.editor.edit({ from, to: from + old.length, insert: text }, true);
  }

  #take(answer) {
    this.lastAnswer = answer;
    this.underline(answer);
    if (answer.mistakes?.length === 1 && answer.mistakes[0].place.line === 0 && isEmpty(this.text)) return this.#begin();
    if (!answer.model) return;
    this.lastModel = answer.model;
    put(document, { title: `${answer.model.name} – Deltaflow studio` });
    this.tabs.tell({ question: this.bench.question(), answer });
  }

  // Nothing is there yet, which is no mistake: the palette waits.
  #begin() {
    replace(this.problems);
    this.bench.clear('A new model: add a block below, or write one in the editor.');
    this.tabs.tell({ empty: true, question: this.bench.question(), answer: { model: { numeric: false, bonds: false, automata: [], signals: [] }, trace: { events: [] } } });
    this.tabs.select('diagram');
  }

  underline(answer) {
    if (!answer || answer.stopped) return;
    const mistakes = answer.mistakes ?? [];
    this.editor?.underline(mistakes.filter((m) => m.place.file === 0 && m.place.line > 0));
    replace(this.problems, mistakes.map((m) => h('li', null,
      h('button', { type: 'button', class: 'link', onclick: () => this.editor.goTo(m.place) }, m.place.line > 0 ? `line ${m.place.line}` : m.path ?? 'model'),
      ` ${m.message}`, m.notes.map((note) => h('div', { class: 'note' }, note)))));
  }

  // Changes that come from the picture.
  edit(changes) {
    this.editor.edit(changes);
  }

  setText(text) {
    this.editor.setText(text, true);
  }

  undo() {
    this.editor.undo();
  }

  redo() {
    this.editor.redo();
  }

  goToBlock(name) {
    const pattern = new RegExp(`^[ \\t]*${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}[ \\t]*=`, 'm');
    const found = this.text.match(pattern);
    if (found) this.editor.goTo({ line: this.text.slice(0, found.index).split('\n').length, column: 1 });
  }

  // Two sets of parameters of one model.
  #sideBySide() {
    const on = !this.second;
    this.sideButton.setAttribute('aria-pressed', String(on));
    if (!on) {
      this.second.engine.close();
      this.second.element.remove();
      this.second = undefined;
    } else {
      this.second = new Bench({ engine: new Engine(), label: 'the second set', ranges: byName(this.ranges) });
      for (const p of this.lastModel?.parameters ?? []) if (p.number) this.second.sliders.sets[p.name] = String(p.value);
      this.benches.append(this.second.element);
      this.second.load(this.#model());
    }
    this.benches.classList.toggle('two', on);
  }

  showOverlay(...children) {
    replace(this.overlay, h('button', { type: 'button', class: 'close', 'aria-label': 'Close', onclick: () => this.closeOverlay() }, '✕'), ...children);
    if (this.overlay.hidden) this.opener = document.activeElement;
    this.overlay.hidden = false;
    this.main.inert = this.header.inert = true;
    this.overlay.querySelector('input, h2, button')?.focus();
  }

  closeOverlay() {
    if (this.overlay.hidden) return;
    this.overlay.hidden = true;
    this.main.inert = this.header.inert = false;
    this.opener?.focus(); // where one was before
  }

  async openGallery() {
    const [{ gallery }, shelf] = await Promise.all([import('./gallery.js'), this.shelf()]);
    this.showOverlay(gallery(shelf.list, (model) => this.open(model)));
  }

  async openCourse() {
    const [{ course }, shelf] = await Promise.all([import('./course.js'), this.shelf()]);
    this.showOverlay(await course(shelf, (model) => this.open(model)));
  }
}

const studio = new Studio();
addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  const menu = document.activeElement?.closest('.menu[open]');
  if (!menu) return studio.closeOverlay();
  menu.open = false;
  menu.querySelector('summary').focus();
});
addEventListener('pointerdown', ({ target }) => {
  for (const menu of document.querySelectorAll('.menu[open]')) if (!menu.contains(target)) menu.open = false;
});
studio.start();
