// The pages below the run: each asks the engine when it is looked at, and again when the model has changed.
import { h, replace, debounce } from '../dom.js';
import { Latest } from '../engine.js';
import { during } from '../pending.js';

export class Tabs {
  #pages;
  #chosen;
  #asking; // the page that waits for an answer
  #timer;

  constructor(engine, pages) {
    this.engine = engine;
    this.latest = new Latest(engine, 150);
    this.#pages = pages.map((page) => ({ ...page, page, stale: true }));
    this.list = h('div', { class: 'tab-list', role: 'tablist', 'aria-label': 'Looking closer' });
    this.progress = h('progress', { max: '1', hidden: true, 'aria-label': 'Progress' });
    this.stopButton = h('button', { type: 'button', class: 'stop', hidden: true, onclick: () => this.latest.forget() }, 'Stop');
    this.element = h('section', { class: 'tabs', 'aria-label': 'Looking closer' }, h('div', { class: 'line tab-line' }, this.list, this.progress, this.stopButton));
    for (const entry of this.#pages) this.#add(entry);
    this.#select(this.#pages[0]);
    this.refresh = debounce(150, () => this.#refresh());
  }

  #add(entry) {
    const { id, title } = entry;
    entry.tab = h('button', { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `page-${id}`, onclick: () => this.#select(entry) }, title);
    entry.body = h('div', { role: 'tabpanel', id: `page-${id}`, class: `page page-${id}`, 'aria-labelledby': `tab-${id}`, tabindex: '0', hidden: true });
    entry.tab.addEventListener('keydown', (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const shown = this.#pages.filter((page) => !page.tab.hidden);
      const next = shown[(shown.indexOf(entry) + by + shown.length) % shown.length];
      this.#select(next);
      next.tab.focus();
    });
    this.list.append(entry.tab);
    this.element.append(entry.body);
  }

  select(id) {
    this.#select(this.#pages.find((page) => page.id === id));
  }

  #select(entry) {
    this.#chosen = entry;
    for (const page of this.#pages) {
      const chosen = page === entry;
      page.tab.setAttribute('aria-selected', String(chosen));
      page.tab.tabIndex = chosen ? 0 : -1;
      page.body.hidden = !chosen;
    }
    this.#refresh();
  }

  // A run has come to its end: {question, answer}.
  tell(run) {
    this.run = run;
    for (const page of this.#pages) {
      page.stale = true;
      page.tab.hidden = page.when ? !page.when(run.answer) : false;
    }
    if (this.#chosen.tab.hidden) return this.#select(this.#pages.find((page) => !page.tab.hidden));
    this.refresh();
  }

  #refresh() {
    const entry = this.#chosen;
    if (!this.run || !entry.stale) return;
    entry.stale = false;
    entry.show(entry.body, this.run, (question, done) => this.ask(entry, question, done));
  }

  // Pages ask through this; what takes long can be stopped.
  ask(entry, question, done) {
    const { path, text, sets } = this.run.question;
    if (this.#asking && this.#asking !== entry) this.#giveUp(this.#asking);
    this.#asking = entry;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.progress.hidden = this.stopButton.hidden = false), 250);
    entry.body.classList.add('waiting');
    this.latest.ask({ path, text, sets, ...question }, (answer, isLast) => {
      if (isLast) this.#rest();
      during(this.#take(entry, answer, done));
    }, (fraction) => (this.progress.value = fraction));
  }

  async #take(entry, answer, done) {
    if (answer.stopped) replace(entry.body, h('p', null, 'Stopped.'));
    else if (answer.failure || answer.mistakes) replace(entry.body, h('pre', { class: 'trouble' }, answer.failure ?? answer.text));
    else await done(answer);
    entry.body.classList.remove('waiting');
  }

  // Somebody looks at another page before this one has its answer: it asks again when it is looked at.
  #giveUp(entry) {
    entry.stale = true;
    entry.body.classList.remove('waiting');
  }

  #rest() {
    this.#asking = undefined;
    clearTimeout(this.#timer);
    this.progress.hidden = this.stopButton.hidden = true;
  }
}

export const troubles = (errors) => (errors?.length ? h('pre', { class: 'trouble' }, errors.map((e) => e.text).join('\n')) : null);
