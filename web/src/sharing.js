// Models that come and go: in a link, by drag and drop, as downloads, kept in the browser. Nothing leaves the machine.
import { h, debounce } from './dom.js';
import { packed, unpacked, download } from './share.js';
import { shareFiles } from './engine.js';
import { during } from './pending.js';

const place = 'deltaflow.model';
const largest = 4 << 20;

export class Sharing {
  constructor(studio) {
    this.studio = studio;
    this.said = h('span', { class: 'said', role: 'status' });
    this.#listen();
  }

  buttons() {
    const menu = h('details', { class: 'menu' }, h('summary', null, 'Download'),
      h('div', { class: 'menu-body' },
        [['toml', 'Model (TOML)'], ['csv', 'Trace (CSV)'], ['json', 'Trace (JSON)'], ['svg', 'Picture (SVG)'], ['png', 'Picture (PNG)']].map(([kind, words]) =>
          h('button', { type: 'button', onclick: () => { menu.open = false; this.save(kind); } }, words))));
    const input = h('input', { type: 'file', accept: '.toml,.csv', hidden: true, 'aria-label': 'Open a file' });
    input.addEventListener('change', () => input.files[0] && this.take([...input.files]));
    return [
      h('button', { type: 'button', onclick: () => input.click() }, 'Open'), input,
      h('button', { type: 'button', onclick: () => this.share() }, 'Share'), menu, this.said,
    ];
  }

  // What the address or the browser remembers.
  async begin() {
    const address = new URL(location.href);
    if (address.searchParams.has('embed')) document.documentElement.dataset.embed = 'true';
    const hash = new URLSearchParams(address.hash.slice(1));
    if (hash.has('model')) {
      try {
        const { text, path, ranges } = await unpacked(hash.get('model'));
        if (typeof text === 'string') return { text, path: typeof path === 'string' ? path : 'shared.toml', ranges };
      } catch {
        this.say('the link holds no model that can be read');
      }
    }
    if (hash.has('open')) {
      const shelf = await this.studio.shelf();
      const path = hash.get('open');
      const text = shelf.models[path] ?? shelf.lessons[path];
      if (text !== undefined) return { text, path };
      this.say(`there is no model ${path} here`);
    }
    try {
      const kept = JSON.parse(localStorage.getItem(place));
      return kept ? { ...kept, kept: true } : undefined;
    } catch {
      return undefined;
    }
  }

  keep = debounce(400, () => {
    try {
      const { text, path, ranges, folder } = this.studio;
      localStorage.setItem(place, JSON.stringify({ text, path, ranges, base: folder.base }));
    } catch {
      // No room, or no permission: then it is not kept.
    }
  });

  async link(embed = false) {
    const { text, path, ranges } = this.studio;
    const address = new URL(location.href);
    address.search = embed ? '?embed' : '';
    address.hash = `model=${await packed({ text, path, ranges })}`;
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

  async take(files) {
    for (const file of files) {
      if (file.size > largest) return this.say(`${file.name} is too large`);
      const text = await file.text();
      if (file.name.endsWith('.csv')) shareFiles({ [file.name]: text });
      else await this.studio.open({ path: file.name, text });
    }
  }

  #listen() {
    addEventListener('dragover', (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault());
    addEventListener('drop', (event) => {
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      during(this.take([...event.dataTransfer.files].sort((a, b) => Number(b.name.endsWith('.csv')) - Number(a.name.endsWith('.csv')))));
    });
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
    if ('serviceWorker' in navigator && import.meta.env.PROD) navigator.serviceWorker.register('./keep.js').catch(() => {});
  }
}

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
