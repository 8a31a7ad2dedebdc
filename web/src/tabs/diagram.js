// The model as boxes and lines, to look at and to draw: the text follows the picture, the picture the text.
import { h, replace, byName } from '../dom.js';
import { layOut, withFixed } from '../layout.js';
import { drawScheme } from '../scheme.js';
import { Wiring } from '../wiring.js';
import { addBlock, addElement, connect, disconnect, fixedPlaces, group, place, remove, rename, tableOf, typeOf, valueText } from '../drawing.js';
import { findEntry, removeEntry, said, setMember, setValue } from '../surface.js';

export class DiagramPage {
  id = 'diagram';
  title = 'Diagram';
  mode = byName();
  flat = false;
  selected = new Set();

  // studio: {text, edit(changes), setText(text), words, goToBlock(name)}
  constructor(studio) {
    this.studio = studio;
    this.frame = h('div', { class: 'scheme-frame' });
    this.tools = h('div', { class: 'line' });
    this.inspector = h('aside', { class: 'inspector', 'aria-label': 'The chosen block' });
    this.list = h('details', null, h('summary', null, 'As a list'));
    this.said = h('p', { class: 'visually-hidden', role: 'status' });
    this.palette = this.#makePalette();
    this.wiring = new Wiring(this.frame, {
      onSelect: (name, more) => this.#select(name, more),
      onConnect: (from, to) => this.#connect(from, to),
      onMove: (name, x, y) => this.studio.edit(place(this.studio.text, name, x, y)),
      onRemove: () => this.#remove(),
      onUnwire: (wire) => this.#unwire(wire),
    });
  }

  show = (body, run, ask) => {
    Object.assign(this, { body, run, ask });
    if (run.empty) this.#showNothing();
    else this.#load();
  };

  // A new model: nothing to look at yet, everything to add.
  #showNothing() {
    const first = (name) => h('button', { type: 'button', onclick: () => this.#addBlock(this.studio.words.blocks.find((t) => t.type === name)) }, name);
    replace(this.frame, h('div', { class: 'begin' }, h('p', { class: 'note' }, 'Nothing is here yet. Add two blocks, an impulse and an integrator for example, then drag from the right edge of the first to the second.'), ['impulse', 'step', 'integrator'].map(first)));
    replace(this.list, h('summary', null, 'As a list'));
    this.selected.clear();
    this.#tools([]);
    this.#lay();
    this.#inspect();
  }

  #lay() {
    this.fill();
    if (!this.body.contains(this.frame)) replace(this.body, this.tools, h('div', { class: 'draw' }, this.palette, this.frame, this.inspector), this.list, this.said);
  }

  #load() {
    const { automata } = this.run.answer.model;
    const known = automata.filter((a) => a.states.includes(this.mode[a.name]));
    const mode = known.map((a) => `${a.name}=${this.mode[a.name]}`).join(',');
    this.ask({ do: 'show', mode, flat: this.flat }, async (answer) => {
      const layout = await layOut(answer);
      if (!layout) return; // of a model that has changed since
      this.#tools(automata);
      if (layout.late) replace(this.frame, h('p', { class: 'note' }, 'This is too much for a picture; below it stands as a list.'));
      else this.#draw(answer.scheme, withFixed(layout, answer.scheme, fixedPlaces(this.studio.text)));
      replace(this.list, h('summary', null, 'As a list'), h('pre', null, answer.text));
      this.#lay();
      this.#inspect();
    });
  }

  // Whoever had a box in hand has it still.
  #draw(scheme, layout) {
    const held = this.frame.contains(document.activeElement) ? document.activeElement.dataset.box : undefined;
    replace(this.frame, drawScheme(scheme, layout, true));
    this.#mark();
    if (held) this.#box(held)?.focus({ preventScroll: true });
  }

  #box = (name) => [...this.frame.querySelectorAll('[data-box]')].find((box) => box.dataset.box === name);

  #tools(automata) {
    const open = h('input', { type: 'checkbox', checked: this.flat, onchange: () => { this.flat = open.checked; this.#load(); } });
    const modes = automata.slice(0, 40).map((a) =>
      h('fieldset', { class: 'mode' }, h('legend', null, a.name), [...new Set(a.states)].map((state) => {
        const chosen = (this.mode[a.name] ?? a.initial) === state;
        return h('button', { type: 'button', 'aria-pressed': String(chosen), onclick: () => { this.mode[a.name] = state; this.#load(); } }, state);
      })));
    const undo = h('button', { type: 'button', onclick: () => this.studio.undo() }, 'Undo');
    const redo = h('button', { type: 'button', onclick: () => this.studio.redo() }, 'Redo');
    this.groupButton = h('button', { type: 'button', onclick: () => this.#group() }, 'Group');
    replace(this.tools, modes, h('label', null, open, 'Open diagrams inside'), h('span', { class: 'spacer' }), undo, redo, this.groupButton);
  }

  #makePalette() {
    const search = h('input', { type: 'search', placeholder: 'Add a block', 'aria-label': 'Add a block' });
    const results = h('ul', { class: 'palette-list' });
    const fill = () => {
      const words = this.studio.words;
      if (!words) return;
      const wanted = search.value.trim().toLowerCase();
      const blocks = words.blocks.filter((t) => !t.keys.some((k) => k.name === 'file')).map((type) => ({ type, add: () => this.#addBlock(type) }));
      const elements = words.elements.map((type) => ({ type, add: () => this.#addElement(type) }));
      const all = (this.bondsFirst = this.run?.answer.model.bonds ?? false) ? [...elements, ...blocks] : [...blocks, ...elements];
      const found = all.filter(({ type }) => !wanted || `${type.type} ${type.about} ${type.group ?? 'bond graph'}`.toLowerCase().includes(wanted));
      found.sort((a, b) => Number(b.type.type.toLowerCase().startsWith(wanted)) - Number(a.type.type.toLowerCase().startsWith(wanted)));
      replace(results, found.slice(0, 60).map(({ type, add }) => h('li', null, h('button', { type: 'button', title: `${type.about}\n${type.rule}`, onclick: add }, h('strong', null, type.type), h('span', null, type.group ?? 'bond graph')))));
    };
    this.fill = () => (!results.firstChild || this.bondsFirst !== (this.run?.answer.model.bonds ?? false)) && fill();
    search.addEventListener('input', fill);
    search.addEventListener('focus', fill);
    search.addEventListener('keydown', (event) => event.key === 'Enter' && results.querySelector('button')?.click());
    return h('div', { class: 'palette' }, search, results);
  }

  #only(name) {
    this.selected = new Set([name]);
  }

  #addBlock(type) {
    const { name, changes } = addBlock(this.studio.text, type);
    this.#only(name);
    this.said.textContent = `added ${name}`;
    this.studio.edit(changes);
  }

  #addElement(type) {
    const { name, text } = addElement(this.studio.text, type, [...this.selected][0]);
    this.#only(name);
    this.said.textContent = `added ${name}`;
    this.studio.setText(text);
  }

  #select(name, more) {
    if (name === undefined) this.selected.clear();
    else if (!more) this.#only(name);
    else if (!this.selected.delete(name)) this.selected.add(name);
    this.#mark();
    this.#inspect();
  }

  #mark() {
    for (const box of this.frame.querySelectorAll('[data-box]')) {
      const chosen = this.selected.has(box.dataset.box);
      box.classList.toggle('selected', chosen);
      box.setAttribute('aria-pressed', String(chosen));
    }
    if (this.groupButton) this.groupButton.disabled = ![...this.selected].some((name) => tableOf(this.studio.text, name) === 'blocks');
  }

  #type(name) {
    const { words, text } = this.studio;
    const type = typeOf(text, name);
    const list = { blocks: words?.blocks, elements: words?.elements, circuit: words?.poles, mechanics: words?.poles }[tableOf(text, name)];
    return list?.find((t) => t.type === type);
  }

  #connect(from, to) {
    const changes = connect(this.studio.text, from, to, this.#type(to));
    this.said.textContent = changes.length ? `connected ${from} to ${to}` : `${to} takes nothing from ${from}`;
    this.#only(to);
    if (changes.length) this.studio.edit(changes);
  }

  #unwire({ bond, from, to }) {
    const changes = bond ? removeEntry(this.studio.text, 'bonds', bond) : disconnect(this.studio.text, from, to);
    this.said.textContent = changes.length ? 'removed the wire' : `${to} has ${from} in a formula; change it there`;
    if (changes.length) return this.studio.edit(changes);
    this.#only(to);
    this.#mark();
    this.#inspect();
  }

  #rename(name, wanted) {
    const changes = rename(this.studio.text, name, wanted.trim());
    this.said.textContent = changes.length ? `${name} is ${wanted.trim()} now` : `${wanted} is no name that is free`;
    if (!changes.length) return;
    this.#only(wanted.trim());
    this.inspected = undefined;
    this.studio.edit(changes);
  }

  #remove() {
    const text = [...this.selected].reduce((now, name) => remove(now, name), this.studio.text);
    this.selected.clear();
    this.studio.setText(text);
  }

  #group() {
    const names = [...this.selected].filter((name) => tableOf(this.studio.text, name) === 'blocks');
    const made = group(this.studio.text, names);
    if (!made) return;
    this.#only(made.instance);
    this.studio.edit(made.changes);
  }

  // A field for each port and each key of the chosen block.
  #inspect() {
    const name = this.selected.size === 1 ? [...this.selected][0] : undefined;
    const text = this.studio.text;
    const table = name && tableOf(text, name);
    if (this.inspector.contains(document.activeElement) && this.inspected === name) return;
    this.inspected = name;
    if (!table) return replace(this.inspector, h('p', { class: 'note' }, this.selected.size > 1 ? `${this.selected.size} blocks are chosen.` : 'Choose a block, or add one. Drag from its right edge to connect it, drag it to move it.'));
    const { value } = findEntry(text, table, name).entry;
    const type = this.#type(name);
    const field = (label, now, placeholder, set, title) => {
      const input = h('input', { value: now, placeholder, title, 'aria-label': `${label} of ${name}`, spellcheck: 'false' });
      input.addEventListener('change', () => this.studio.edit(set(input.value)));
      return h('label', { class: 'field' }, h('span', null, label), input);
    };
    const called = h('input', { value: name, 'aria-label': `Name of ${name}`, spellcheck: 'false' });
    called.addEventListener('change', () => this.#rename(name, called.value));
    const fields = [h('label', { class: 'field' }, h('span', null, 'name'), called)];
    if (!value.members && table !== 'automata') fields.push(field('formula', said(text, value), '', (words) => setValue(this.studio.text, table, name, valueText(words))));
    const keys = [...(type?.inputs ?? []), ...(type?.keys ?? [])];
    for (const member of value.members ?? []) if (member.key !== 'type' && !keys.some((k) => k.name === member.key)) keys.push({ name: member.key });
    if (value.members && table !== 'automata')
      for (const key of keys) {
        const member = value.members.find((m) => m.key === key.name);
        fields.push(field(key.name, member ? said(text, member.value) : '', key.fallback ?? '', (words) => setMember(this.studio.text, table, name, key.name, valueText(words)), key.about));
      }
    replace(this.inspector, h('h2', null, name), type && h('p', { class: 'note' }, `${type.type}: ${type.about}`), fields,
      h('div', { class: 'line' }, h('button', { type: 'button', onclick: () => this.studio.goToBlock(name) }, 'Go to its line'), h('button', { type: 'button', class: 'stop', onclick: () => this.#remove() }, 'Remove')));
  }
}
