// All models that ship, with a small picture each, and a search.
import { h, s, replace, debounce } from './dom.js';
import { Engine, Stopped } from './engine.js';

const patience = 3000; // milliseconds for a small picture
const width = 240, height = 90;

// The first signals of a run, each scaled to the whole height.
function thumbnail(picture) {
  const x = (t) => ((t - picture.from) / (picture.to - picture.from || 1)) * width;
  const panels = picture.panels.slice(0, 3);
  return s('svg', { viewBox: `0 0 ${width} ${height}`, class: 'thumb', 'aria-hidden': 'true' }, panels.map((panel, i) => {
    const span = panel.high - panel.low || 1;
    const y = (v) => 6 + (height - 12) * (1 - (v - panel.low) / span);
    return panel.series.map((series) => [
      s('path', { class: `series s${i}`, d: series.pieces.map((p) => {
        let d = '';
        for (let k = 0; k < p.length; k += 2) d += `${k ? 'L' : 'M'}${x(p[k]).toFixed(1)} ${y(p[k + 1]).toFixed(1)}`;
        return d;
      }).join('') }),
      series.impulses.slice(0, 40).map(([t, c]) => s('line', { class: 'arrow', x1: x(t), x2: x(t), y1: height / 2, y2: c > 0 ? 6 : height - 6 })),
    ]);
  }));
}

const drawn = new Map();

export function gallery(list, open) {
  const engine = new Engine();
  const waiting = [];
  let busy = false;
  const work = async () => {
    if (busy) return;
    busy = true;
    while (waiting.length) {
      const { model, place } = waiting.shift();
      if (!place.isConnected) continue;
      const timer = setTimeout(() => engine.stop(), patience);
      try {
        const answer = drawn.get(model.path) ?? (await engine.ask({ do: 'run', path: model.path, text: model.text, columns: 120 }));
        if (answer.picture) {
          drawn.set(model.path, answer);
          replace(place, thumbnail(answer.picture));
        }
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
      } finally {
        clearTimeout(timer);
      }
    }
    busy = false;
  };
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      waiting.push(entry.target.wanted);
    }
    work();
  });
  const cards = list.map((model) => {
    const place = h('div', { class: 'thumb-place' });
    place.wanted = { model, place };
    const card = h('button', { type: 'button', class: 'card', onclick: () => { engine.close(); open({ path: model.path, text: model.text }); } }, place, h('strong', null, model.title), h('span', null, model.about));
    return { model, card, place };
  });
  const grid = h('div', { class: 'cards' });
  const count = h('p', { role: 'status', class: 'note' });
  const search = h('input', { type: 'search', 'aria-label': 'Search models', placeholder: 'Search' });
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = cards.filter(({ model }) => words.every((w) => `${model.title} ${model.about} ${model.path} ${model.text}`.toLowerCase().includes(w)));
    replace(grid, found.map(({ card }) => card));
    count.textContent = `${found.length} models`;
    found.forEach(({ place }) => seen.observe(place));
  };
  search.addEventListener('input', debounce(80, filter));
  filter();
  return h('div', { class: 'sheet' }, h('h2', { tabindex: '-1' }, 'Gallery'), h('div', { class: 'line' }, search, count), grid);
}
