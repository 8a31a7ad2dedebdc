// The user's folder, where `deltaflow studio` hands it to the page: models are read from it and written into it.
import { byName, h, replace } from './dom.js';
import { during } from './pending.js';

export class Folder {
  constructor(studio) {
    this.studio = studio;
  }

  buttons() {
    this.saveButton = h('button', { type: 'button', hidden: true, onclick: () => during(this.save()) }, 'Save');
    this.list = h('div', { class: 'menu-body' });
    this.menu = h('details', { class: 'menu', hidden: true }, h('summary', null, 'Folder'), this.list);
    return [this.menu, this.saveButton];
  }

  // Models to open; files that models use are not listed.
  #fill(files) {
    const models = files.filter((name) => name.endsWith('.toml'));
    this.menu.hidden = models.length === 0;
    replace(this.list, models.map((name) => h('button', { type: 'button', onclick: () => { this.menu.open = false; during(this.#open(name)); } }, name)));
  }

  async #open(name) {
    const text = await this.#read(name);
    if (text === undefined) return this.studio.sharing.say(`${name} is gone`);
    await this.studio.open({ path: name, text });
    this.#note(name, text);
  }

  // How the file stood when it was read or written.
  #note(path, text) {
    this.base = text;
    this.basePath = path;
  }

  async #listing() {
    const answer = await fetch('./files/').catch(() => undefined);
    return answer?.ok ? answer.json() : undefined;
  }

  // {path, text} of the model that the studio was begun with, if there is a folder.
  async begin() {
    if (!new URLSearchParams(location.search).has('folder')) return undefined;
    const listing = await this.#listing();
    if (!listing) return undefined;
    const { model, files } = listing;
    this.saveButton.hidden = false;
    this.#fill(files);
    this.menu.addEventListener('toggle', async () => this.menu.open && this.#fill((await this.#listing())?.files ?? files));
    // Data only where a model names it: a folder may hold a great deal of it.
    const read = async (names) => (await Promise.all(names.map(async (name) => [name, await this.#read(name)]))).filter(([, text]) => text !== undefined);
    const models = await read(files.filter((name) => name.endsWith('.toml')));
    const isNamed = (name) => models.some(([, text]) => text.includes(name.split('/').at(-1)));
    const data = await read(files.filter((name) => !name.endsWith('.toml') && isNamed(name)));
    this.studio.sharing.brought.take(byName([...models, ...data]));
    const text = models.find(([name]) => name === model)?.[1];
    if (text === undefined) return undefined;
    this.#note(model, text);
    return { path: model, text };
  }

  async #read(name) {
    const answer = await fetch(`./files/${encodeURIComponent(name)}`).catch(() => undefined);
    return answer?.ok ? answer.text() : undefined;
  }

  // Somebody else's changes, or another file of that name, are written over only when one asks for it again.
  async save() {
    const { path, text, sharing } = this.studio;
    const there = await this.#read(path);
    const known = path === this.basePath ? this.base : undefined;
    if (there !== undefined && there !== known && there !== text) {
      this.#note(path, there);
      return sharing.say(known === undefined ? `there is a ${path} already; Save again writes over it` : `${path} has been changed by somebody else; Save again writes over it`);
    }
    const answer = await fetch(`./files/${encodeURIComponent(path)}`, { method: 'PUT', body: text }).catch(() => undefined);
    if (answer?.ok) {
      this.#note(path, text);
      this.studio.edited = false;
    }
    sharing.say(answer?.ok ? `saved ${path}` : `${path} could not be saved${answer ? `: ${await answer.text()}` : ''}`);
  }
}
