// The user's folder, where `deltaflow studio` hands it to the page: models are read from it and written into it.
import { h } from './dom.js';
import { shareFiles } from './engine.js';

export class Folder {
  constructor(studio) {
    this.studio = studio;
  }

  buttons() {
    this.saveButton = h('button', { type: 'button', hidden: true, onclick: () => this.save() }, 'Save');
    return [this.saveButton];
  }

  // {model, files: [names]}, if there is a folder.
  async begin() {
    if (!new URLSearchParams(location.search).has('folder')) return undefined;
    const answer = await fetch('./files/').catch(() => undefined);
    if (!answer?.ok) return undefined;
    const { model, files } = await answer.json();
    this.saveButton.hidden = false;
    const texts = await Promise.all(files.map(async (name) => [name, await this.#read(name)]));
    shareFiles(Object.fromEntries(texts));
    const text = texts.find(([name]) => name === model)?.[1];
    return text === undefined ? undefined : { path: model, text };
  }

  async #read(name) {
    return (await fetch(`./files/${encodeURIComponent(name)}`)).text();
  }

  async save() {
    const { path, text, sharing } = this.studio;
    const answer = await fetch(`./files/${encodeURIComponent(path)}`, { method: 'PUT', body: text }).catch(() => undefined);
    sharing.say(answer?.ok ? `saved ${path}` : `${path} could not be saved${answer ? `: ${await answer.text()}` : ''}`);
  }
}
