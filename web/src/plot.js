// The picture of a run: a panel a signal, jumps as gaps, impulses as arrows, a cursor that tells exact values.
import { h, s, replace, numberText, deltaText, germText } from './dom.js';
import { Reading } from './reading.js';

const left = 58, right = 14, heading = 22, gap = 10, foot = 26, below = 52, usual = 92;

// Round numbers between low and high, about so many.
export function ticks(low, high, wanted) {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / wanted, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((x) => x >= rough * 0.999);
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; ++k) list.push(Number((k * step).toPrecision(12)));
  return list;
}

function pathOf(points, x, y) {
  let d = '';
  for (let i = 0; i < points.length; i += 2)
    d += `${i ? 'L' : 'M'}${x(points[i]).toFixed(1)} ${y(points[i + 1]).toFixed(1)}`;
  // A single point would not be seen.
  return points.length === 2 ? `${d}l0.1 0` : d;
}

export class Plot {
  constructor({ onWindow, onEvent, onCursor, label = 'Picture of the run' }) {
    this.onWindow = onWindow;
    this.onEvent = onEvent; // the cursor is at one
    this.onCursor = onCursor;
    this.svg = s('svg', { class: 'plot', role: 'img', 'aria-label': label });
    this.live = h('p', { class: 'visually-hidden', 'aria-live': 'polite' });
    this.hint = 'Drag to zoom, shift and drag to move, double click for all. Keys: arrows, page up and down for events, + and −, 0.';
    this.element = h('div', { class: 'plot-frame', tabindex: '0', role: 'group', 'aria-label': `${label}. ${this.hint}` }, this.svg, this.live);
    this.window = null; // [from, to], or all of it
    this.cursor = null;
    this.time = null; // of the animation
    this.#listen();
    new ResizeObserver(() => this.#fit()).observe(this.element);
    addEventListener('resize', () => this.#fit());
  }

  // Where few signals are drawn, all of them are in sight at once if there is room for it.
  #fit() {
    this.width = this.element.clientWidth;
    const pane = this.element.closest('.right'), count = this.picture?.panels.length;
    if (!count) return;
    const scrolls = pane && getComputedStyle(pane).overflowY === 'auto';
    const above = scrolls ? this.element.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop : 0;
    const share = scrolls ? (pane.clientHeight - above - below - foot) / count - heading - gap : usual;
    this.panelHeight = Math.max(count > 6 ? 66 : 60, Math.min(share, count > 6 ? 66 : 170));
    this.count = count;
    this.draw();
  }

  show(picture, trace, ghost) {
    this.picture = picture;
    this.reading = new Reading(trace, this.exact, picture);
    this.ghost = ghost;
    if (this.count === picture.panels.length) this.draw();
    else this.#fit();
  }

  clear() {
    this.picture = this.reading = this.marks = this.window = null;
    replace(this.svg);
    this.drawnSize = undefined;
    this.svg.setAttribute('height', 0);
  }

  tellExact(forms) {
    this.exact = forms;
    if (this.reading) this.reading.exact = forms;
    this.#drawCursor();
  }

  get range() {
    return this.window ?? [this.picture.from, this.picture.to];
  }

  draw() {
    const width = (this.width ||= this.element.clientWidth);
    if (!this.picture || width === 0) return;
    const { panels } = this.picture;
    const tall = this.panelHeight ?? usual;
    this.frames = panels.map((panel, i) => ({ panel, top: i * (heading + tall + gap) + heading, height: tall }));
    const height = panels.length * (heading + tall + gap) + foot;
    const [from, to] = this.range;
    this.x = (t) => left + ((t - from) / (to - from || 1)) * (width - left - right);
    this.timeAt = (x) => from + ((x - left) / (width - left - right)) * (to - from);
    this.size = { width, height };
    if (this.drawnSize !== `${width} ${height}`) {
      this.drawnSize = `${width} ${height}`;
      this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
      this.svg.setAttribute('height', height);
    }
    replace(
      this.svg,
      s('defs', null, s('clipPath', { id: this.clip }, s('rect', { x: left - 1, y: 0, width: Math.max(0, width - left - right + 2), height }))),
      this.#drawEvents(),
      this.frames.map((frame, i) => this.#drawPanel(frame, this.ghost?.panels[i])),
      this.#drawTimes(),
    );
    this.marks = s('g', { class: 'marks' });
    this.svg.append(this.marks);
    this.#drawCursor();
  }

  static #count = 0;
  clip = `clip${Plot.#count++}`;

  #drawEvents() {
    const bottom = this.size.height - foot;
    const faint = this.picture.events.length > 80 ? ' faint' : '';
    return s('g', { 'clip-path': `url(#${this.clip})` },
      this.picture.sliding.map((i) =>
        s('rect', { class: 'sliding', x: this.x(i.from), width: Math.max(0.5, this.x(i.to) - this.x(i.from)), y: 0, height: bottom }, s('title', null, `${i.block} slides`))),
      this.picture.events.map((e) =>
        s('line', { class: (e.hyperdense ? 'event hyperdense' : 'event') + faint, x1: this.x(e.t), x2: this.x(e.t), y1: heading, y2: bottom }, s('title', null, e.text))));
  }

  #drawTimes() {
    const y = this.size.height - foot;
    const [from, to] = this.range;
    return s('g', { class: 'times' },
      ticks(from, to, Math.max(2, this.size.width / 110)).map((t) => s('text', { x: this.x(t), y: y + 17, 'text-anchor': 'middle' }, numberText(t, 8))));
  }

  #drawPanel({ panel, top, height }, ghost) {
    const low = panel.low ?? 0, high = panel.high ?? 1;
    const span = high - low || 1;
    const y = (v) => top + height - ((v - low) / span) * height;
    const scale = { y, top, height, low, high };
    const grid = ticks(low, high, height > 90 ? 4 : 3);
    return s('g', { class: 'panel' },
      grid.map((v) => [
        s('line', { class: v === 0 ? 'grid zero' : 'grid', x1: left, x2: this.size.width - right, y1: y(v), y2: y(v) }),
        s('text', { class: 'tick', x: left - 7, y: y(v) + 4, 'text-anchor': 'end' }, numberText(v, 4)),
      ]),
      this.#drawNames(panel, top),
      s('g', { 'clip-path': `url(#${this.clip})` },
        ghost?.series.map((series) => this.#drawCurve(series, 0, scale, 'ghost')),
        panel.series.map((series, i) => [this.#drawCurve(series, i, scale, `series s${i % 6}`), this.#drawImpulses(series, i, panel, scale)])));
  }

  #drawNames(panel, top) {
    let x = left;
    return panel.series.map((series, i) => {
      const text = s('text', { class: `name s${i % 6}`, x, y: top - 7 }, series.name);
      x += 9 * series.name.length + 20;
      return text;
    });
  }

  #drawCurve(series, i, { y, top, height }, kind) {
    const bounded = (v) => Math.max(top - 200, Math.min(top + height + 200, y(v)));
    return s('g', null,
      s('path', { class: kind, d: series.pieces.map((points) => pathOf(points, this.x, bounded)).join('') }),
      kind !== 'ghost' && series.mythical.map(([t, v]) => s('circle', { class: `mythical s${i % 6}`, cx: this.x(t), cy: bounded(v), r: 3 })));
  }

  // Each order of impulses has a scale of its own: the longest arrow reaches the edge.
  #drawImpulses(series, i, panel, { y, top, height, low, high }) {
    const zero = y(Math.max(low, Math.min(high, 0)));
    const few = series.impulses.length <= 16;
    return series.impulses.map(([t, c, order]) => {
      const reach = panel.reaches.find((r) => r.order === order);
      const largest = Math.max(reach.up, reach.down) || 1;
      const room = c > 0 ? zero - top - 4 : top + height - 4 - zero;
      const tip = zero - Math.sign(c) * Math.max(8, (Math.abs(c) / largest) * Math.max(room, 12));
      const x = this.x(t), back = tip + Math.sign(c) * 8;
      const words = `${numberText(c)} ${deltaText(order)}`;
      return s('g', { class: `impulse order${Math.min(order, 3)}` },
        s('title', null, `${series.name}: ${words} at t = ${numberText(t, 9)}`),
        s('line', { x1: x, x2: x, y1: zero, y2: back }),
        s('path', { d: `M${x} ${tip}L${x - 4.5} ${back}L${x + 4.5} ${back}Z` }),
        few && s('text', { x: x > this.size.width - 110 ? x - 7 : x + 7, 'text-anchor': x > this.size.width - 110 ? 'end' : 'start', y: Math.min(top + height - 3, Math.max(top + 10, tip + (c > 0 ? 10 : -3))) }, words));
    });
  }

  #drawCursor() {
    if (!this.marks || !this.reading) return;
    const bottom = this.size.height - foot;
    const parts = [];
    if (this.time !== null) parts.push(s('line', { class: 'now', x1: this.x(this.time), x2: this.x(this.time), y1: 4, y2: bottom }));
    const found = this.cursor === null ? null : this.reading.near(this.cursor, Math.abs(this.timeAt(7) - this.timeAt(0)));
    if (found) {
      const x = this.x(found.t);
      parts.push(s('line', { class: 'cursor', x1: x, x2: x, y1: 4, y2: bottom }));
      parts.push(s('text', { class: 'readout time', x: this.size.width - right, y: bottom + 17, 'text-anchor': 'end' }, `t = ${found.time}`));
      for (const { panel, top } of this.frames) {
        const words = panel.series.map((series) => found.words(series.name)).join('   ');
        parts.push(s('text', { class: 'readout', x: this.size.width - right, y: top - 7, 'text-anchor': 'end' }, words));
      }
    }
    replace(this.marks, parts);
    this.onCursor?.(found);
    if (found?.cause !== undefined && !this.exact) this.onEvent?.();
    return found;
  }

  #setCursor(t) {
    this.cursor = t;
    return this.#drawCursor();
  }

  setTime(t) {
    this.time = t;
    this.#drawCursor();
  }

  setWindow(window) {
    if (!this.picture) return;
    if (window) {
      const all = this.all ?? this.range;
      const [from, to] = window;
      const width = Math.min(to - from, all[1] - all[0]);
      const begin = Math.max(all[0], Math.min(from, all[1] - width));
      window = width >= (all[1] - all[0]) * 0.9999 ? null : [begin, begin + width];
    }
    this.window = window;
    this.draw();
    this.onWindow?.(window);
  }

  zoom(factor, about) {
    if (!this.picture) return;
    const [from, to] = this.range;
    const middle = about ?? this.cursor ?? (from + to) / 2;
    this.setWindow([middle - (middle - from) * factor, middle + (to - middle) * factor]);
  }

  move(share) {
    if (!this.picture) return;
    const [from, to] = this.range;
    const by = (to - from) * share;
    this.setWindow([from + by, to + by]);
  }

  #listen() {
    const at = (event) => this.timeAt(event.clientX - this.svg.getBoundingClientRect().left);
    let drag;
    this.svg.addEventListener('pointerdown', (event) => {
      if (!this.picture || event.button !== 0) return;
      drag = { x: event.clientX, t: at(event), range: this.range, pans: event.shiftKey };
      if (event.pointerType !== 'touch') this.svg.setPointerCapture(event.pointerId);
    });
    this.svg.addEventListener('pointermove', (event) => {
      if (!this.picture) return;
      if (drag?.pans) {
        const by = ((drag.x - event.clientX) / (this.size.width - left - right)) * (drag.range[1] - drag.range[0]);
        return this.setWindow([drag.range[0] + by, drag.range[1] + by]);
      }
      this.#setCursor(at(event));
      if (drag && Math.abs(event.clientX - drag.x) > 4) {
        const [a, b] = [this.x(drag.t), this.x(at(event))].sort((p, q) => p - q);
        this.marks.append(s('rect', { class: 'selection', x: a, width: b - a, y: 0, height: this.size.height - foot }));
      }
    });
    this.svg.addEventListener('pointerup', (event) => {
      if (drag && !drag.pans && Math.abs(event.clientX - drag.x) > 4) this.setWindow([drag.t, at(event)].sort((p, q) => p - q));
      drag = undefined;
    });
    this.svg.addEventListener('pointercancel', () => (drag = undefined));
    this.svg.addEventListener('pointerleave', () => !drag && this.picture && this.#setCursor(null));
    this.svg.addEventListener('dblclick', () => this.setWindow(null));
    this.svg.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8, at(event));
    }, { passive: false });
    this.element.addEventListener('keydown', (event) => this.#key(event));
  }

  #key(event) {
    if (!this.reading || event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowRight: 1, ArrowLeft: -1 }, jumps = { PageDown: 1, PageUp: -1 };
    const act = {
      '+': () => this.zoom(0.7), '=': () => this.zoom(0.7), '-': () => this.zoom(1 / 0.7), 0: () => this.setWindow(null),
      Home: () => this.#tell(this.reading.first()), End: () => this.#tell(this.reading.last()),
      Escape: () => this.#setCursor(null),
    }[event.key];
    if (act) act();
    else if (event.key in steps && event.shiftKey) this.move(0.2 * steps[event.key]);
    else if (event.key in steps) this.#tell(this.reading.step(this.cursor ?? this.range[0], steps[event.key]));
    else if (event.key in jumps) this.#tell(this.reading.event(this.cursor ?? this.range[0], jumps[event.key]));
    else return;
    event.preventDefault();
  }

  // The cursor goes there, and screen readers are told.
  #tell(t) {
    if (t === undefined) return;
    const [from, to] = this.range;
    if (this.window && (t < from || t > to)) this.setWindow([t - (to - from) / 2, t + (to - from) / 2]);
    const found = this.#setCursor(t);
    if (!found) return;
    const names = this.picture.panels.flatMap((panel) => panel.series.map((series) => series.name));
    this.live.textContent = `t = ${found.time}${found.cause ? `, ${found.cause}` : ''}: ${names.map((n) => `${n} ${found.words(n)}`).join(', ')}`;
  }
}
