// The user's folder, where `deltaflow studio` hands it to the page: models are read from it and written into it.
import { h, replace } from './dom.js';
import { shareFiles } from './engine.js';
import { during } from './pending.js';

export class Folder {
  constructor(studio) {
    this.studio = studio;
  }

  buttons() {
    this.saveButton = h('button', { type: 'button', hidden: true, onclick: () => this.save() }, 'Save');
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
    await this.studio.open({ path: name, text });
    this.base = text;
  }

  // {model, files: [names]}, if there is a folder.
  async begin() {
    if (!new URLSearchParams(location.search).has('folder')) return undefined;
    const answer = await fetch('./files/').catch(() => undefined);
    if (!answer?.ok) return undefined;
    const { model, files } = await answer.json();
    this.saveButton.hidden = false;
    this.#fill(files);
    const texts = await Promise.all(files.map(async (name) => [name, await this.#read(name)]));
    shareFiles(Object.fromEntries(texts));
    const text = (this.base = texts.find(([name]) => name === model)?.[1]);
    return text === undefined ? undefined : { path: model, text };
  }

  async #read(name) {
    return (await fetch(`./files/${encodeURIComponent(name)}`)).text();
  }

  async save() {
    const { path, text, sharing } = this.studio;
    const answer = await fetch(`./files/${encodeURIComponent(path)}`, { method: 'PUT', body: text }).catch(() => undefined);
    if (answer?.ok) this.base = text;
    sharing.say(answer?.ok ? `saved ${path}` : `${path} could not be saved${answer ? `: ${await answer.text()}` : ''}`);
  }
}
