// What one had written before another model was opened, by a link for example: the last few, kept in the browser.
import { h, replace } from './dom.js';
import { asModel } from './share.js';

const place = 'deltaflow.before';
const most = 8, largest = 1 << 20; // models, letters of all of them

export class Before {
  constructor(open) {
    this.list = h('div', { class: 'menu-body' });
    this.menu = h('details', { class: 'menu', hidden: true }, h('summary', { title: 'Models that you have written before' }, 'Before'), this.list);
    this.open = open;
    this.#show();
  }

  #read() {
    try {
      return JSON.parse(localStorage.getItem(place)).map(asModel).filter(Boolean);
    } catch {
      return [];
    }
  }

  #show() {
    const models = this.#read();
    this.menu.hidden = models.length === 0;
    const lines = (text) => `${text.split('\n').length} lines`;
    replace(this.list, models.map((model) => h('button', { type: 'button', onclick: () => { this.menu.open = false; this.open(model); } }, `${model.path}, ${lines(model.text)}`)));
  }

  put(model) {
    const models = [model, ...this.#read().filter(({ text }) => text !== model.text)].slice(0, most);
    while (models.length && JSON.stringify(models).length > largest) models.pop();
    try {
      localStorage.setItem(place, JSON.stringify(models));
    } catch {
      // No room, or no permission: then it is not kept.
    }
    this.#show();
  }
}
