// Models that come and go: in a link, by drag and drop, as downloads, kept in the browser. Nothing leaves the machine.
import { h, debounce } from './dom.js';
import { packed, unpacked, asModel, download } from './share.js';
import { Before } from './before.js';
import { Brought, dropped, modelAmong, texts } from './brought.js';
import { during } from './pending.js';

const place = 'deltaflow.model';
const longLink = 8000; // letters; mail and chat cut what is much longer

export class Sharing {
  brought = new Brought();

  constructor(studio) {
    this.studio = studio;
    this.before = new Before((model) => {
      this.brought.take(model.files);
      during(studio.open(model));
    });
    this.said = h('span', { class: 'said', role: 'status' });
    this.#listen();
  }

  buttons() {
    const menu = h('details', { class: 'menu' }, h('summary', null, 'Download'),
      h('div', { class: 'menu-body' },
        [['toml', 'Model (TOML)'], ['csv', 'Trace (CSV)'], ['json', 'Trace (JSON)'], ['svg', 'Picture (SVG)'], ['png', 'Picture (PNG)']].map(([kind, words]) =>
          h('button', { type: 'button', onclick: () => { menu.open = false; this.save(kind); } }, words))));
    const input = h('input', { type: 'file', accept: '.toml,.csv', multiple: true, hidden: true, 'aria-label': 'Open files' });
    input.addEventListener('change', () => {
      const list = [...input.files].map((file) => [file.name, file]);
      input.value = ''; // the same file again is a change, too
      during(this.take(list));
    });
    return [
      h('button', { type: 'button', onclick: () => input.click() }, 'Open'), input,
      h('button', { type: 'button', onclick: () => this.share() }, 'Share'), menu, this.before.menu, this.said,
    ];
  }

  // What the address or the browser remembers.
  async begin() {
    const address = new URL(location.href);
    if (address.searchParams.has('embed')) document.documentElement.dataset.embed = 'true';
    const hash = new URLSearchParams(address.hash.slice(1));
    if (hash.has('model')) {
      try {
        const model = asModel(await unpacked(hash.get('model')));
        if (!model) throw new TypeError('no model');
        this.brought.take(model.files);
        return this.#instead(model);
      } catch {
        this.say('the link holds no model that can be read');
      }
    }
    if (hash.has('open')) {
      const shelf = await this.studio.shelf();
      const path = hash.get('open');
      const files = [shelf.models, shelf.lessons].find((list) => Object.hasOwn(list, path));
      if (files) return this.#instead({ text: files[path], path });
      this.say(`there is no model ${path} here`);
    }
    const kept = this.#kept();
    if (kept) this.brought.take(kept.files);
    return kept;
  }

  #kept() {
    try {
      const told = JSON.parse(localStorage.getItem(place)), model = asModel(told);
      return model && { ...model, kept: true, edited: told.edited === true };
    } catch {
      return undefined;
    }
  }

  // A model that was asked for; what somebody wrote here before is put away, not lost.
  #instead(model) {
    const kept = this.#kept();
    if (kept?.edited && kept.text !== model.text) this.before.put(kept);
    return model;
  }

  // What is written here now, before something else is opened.
  putAway() {
    const { text, path, ranges } = this.studio;
    this.before.put({ text, path, ranges, files: this.brought.of(text) });
  }

  keep = debounce(400, () => {
    try {
      const { text, path, ranges, folder, edited } = this.studio;
      localStorage.setItem(place, JSON.stringify({ text, path, ranges, edited, base: folder.base, files: this.brought.of(text) }));
    } catch {
      // No room, or no permission: then it is not kept.
    }
  });

  async link(embed = false) {
    const { text, path, ranges } = this.studio;
    const address = new URL(location.href);
    address.search = embed ? '?embed' : '';
    address.hash = `model=${await packed({ text, path, ranges, files: this.brought.of(text) })}`;
    return address.href;
  }

  async share() {
    const link = await this.link();
    history.replaceState(null, '', link);
    const field = h('input', { readonly: true, value: link, 'aria-label': 'Link with the model', onfocus: (e) => e.target.select() });
    const frame = h('textarea', { readonly: true, rows: 3, 'aria-label': 'Text for other pages', onfocus: (e) => e.target.select() });
    frame.value = `<iframe src="${await this.link(true)}" width="900" height="600" title="Deltaflow"></iframe>`;
    const copy = h('button', { type: 'button', onclick: async () => {
      try {
        await navigator.clipboard.writeText(link);
        copy.textContent = 'Copied';
      } catch {
        field.select();
      }
    } }, 'Copy');
    this.studio.showOverlay(h('div', { class: 'sheet share' }, h('h2', { tabindex: '-1' }, 'Share'),
      h('p', null, `The model itself stands in this link (${link.length} characters). Nothing is stored anywhere else.`),
      link.length > longLink && h('p', { class: 'note' }, 'This is long for a link; where it is cut, send the file (Download).'),
      isLoopback && h('p', { class: 'note' }, 'This page is on your machine alone. Elsewhere the model opens when all from the # on stands behind the address of a studio there.'),
      h('div', { class: 'line' }, field, copy), h('p', null, 'For slides and other pages:'), frame));
  }

  async save(kind) {
    const { path, text, desk, bench } = this.studio;
    const name = path.replace(/\.toml$/, '');
    if (kind === 'toml') return download(path, text, 'application/toml');
    const answer = await desk.insist({ ...bench.question(), do: 'write', as: kind === 'png' ? 'svg' : kind, from: undefined, to: undefined });
    if (answer.text === undefined || answer.mistakes) return this.say('the model has mistakes');
    const types = { csv: 'text/csv', json: 'application/json', svg: 'image/svg+xml' };
    if (kind !== 'png') return download(`${name}.${kind}`, answer.text, types[kind]);
    download(`${name}.png`, await drawn(answer.text));
  }

  // [name, file]: a model with the files that it uses, or files for the model that is open.
  async take(list) {
    const { files, refused } = await texts(await list);
    this.brought.take(files);
    const path = modelAmong(files, this.studio.text);
    if (path !== undefined) await this.studio.open({ path, text: files[path] });
    else if (Object.keys(files).length) this.studio.run();
    this.keep();
    if (refused.length) this.say(`${refused[0]} is no model or data (.toml, .csv), or too large`);
  }

  #listen() {
    addEventListener('dragover', (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault());
    // Before the editor takes what is dropped on it for text.
    addEventListener('drop', (event) => {
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      event.stopPropagation();
      during(this.take(dropped(event.dataTransfer)));
    }, true);
    addEventListener('hashchange', () => during(this.#follow()));
  }

  async #follow() {
    const model = await this.begin();
    if (model && model.text !== this.studio.text) await this.studio.open(model);
  }

  say(words) {
    this.said.textContent = words;
    setTimeout(() => (this.said.textContent = ''), 6000);
  }

  keepOffline() {
    // A folder is there only as long as its server, at an address of its own each time.
    if ('serviceWorker' in navigator && import.meta.env.PROD && !new URLSearchParams(location.search).has('folder')) navigator.serviceWorker.register('./keep.js').catch(() => {});
  }
}

const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname);

// An SVG as a PNG, twice as fine as it is large.
async function drawn(svg) {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = 2 * image.naturalWidth;
    canvas.height = 2 * image.naturalHeight;
    const context = canvas.getContext('2d');
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  } finally {
    URL.revokeObjectURL(address);
  }
}
