// Draws what the model says how to draw, at one time.
import { h, s, replace, numberText } from './dom.js';

const room = 18;
const wide = { width: 640, height: 170 }, tall = { width: 180, height: 318 }; // above the picture, or beside it

function coil(a, b) {
  const n = 9, dx = b.x - a.x, dy = b.y - a.y, length = Math.hypot(dx, dy) || 1;
  const across = { x: (-dy / length) * 7, y: (dx / length) * 7 };
  const points = [a];
  for (let i = 1; i < 2 * n; ++i) {
    const share = 0.08 + (0.84 * i) / (2 * n), side = i % 2 ? 1 : -1;
    points.push({ x: a.x + dx * share + across.x * side, y: a.y + dy * share + across.y * side });
  }
  points.push(b);
  return points.map((p, i) => `${i ? 'L' : 'M'}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join('');
}

export class Stage {
  constructor() {
    this.svg = s('svg', { role: 'img', 'aria-label': 'Animation' });
    this.element = h('div', { class: 'stage', hidden: true }, this.svg);
  }

  // shapes: places are numbers or names of signals; reading tells those.
  load(shapes, reading) {
    this.shapes = shapes;
    this.reading = reading;
    this.element.hidden = !shapes?.length;
    if (shapes?.length) this.#fit();
  }

  #value(place, t) {
    return typeof place === 'number' ? place : this.reading.at(place, t);
  }

  #places(shape, t) {
    return Object.fromEntries(Object.entries(shape.places).map(([key, place]) => [key, this.#value(place, t)]));
  }

  // Everything is in sight, all the time.
  #fit() {
    let low = { x: Infinity, y: Infinity }, high = { x: -Infinity, y: -Infinity };
    const see = (x, y, around = 0) => {
      if (Number.isFinite(x)) (low.x = Math.min(low.x, x - around)), (high.x = Math.max(high.x, x + around));
      if (Number.isFinite(y)) (low.y = Math.min(low.y, y - around)), (high.y = Math.max(high.y, y + around));
    };
    const times = this.reading.times, every = Math.max(1, Math.floor(times.length / 200));
    for (let i = 0; i < times.length; i += every)
      for (const shape of this.shapes) {
        const p = this.#places(shape, times[i]);
        see(shape.shape === 'ground' ? NaN : p.x, shape.shape === 'wall' ? NaN : p.y, p.size ?? Math.max(p.width ?? 0, p.height ?? 0) / 2);
        if ('x2' in p) see(p.x2, p.y2);
      }
    for (const axis of ['x', 'y']) if (!(high[axis] > low[axis])) (low[axis] = (Number.isFinite(low[axis]) ? low[axis] : 0) - 1), (high[axis] = low[axis] + 2);
    const isTall = high.y - low.y > high.x - low.x;
    const { width, height } = (this.size = isTall ? tall : wide);
    this.element.classList.toggle('tall', isTall);
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const scale = Math.min((width - 2 * room) / (high.x - low.x), (height - 2 * room) / (high.y - low.y));
    const middle = { x: (low.x + high.x) / 2, y: (low.y + high.y) / 2 };
    this.scale = scale;
    this.at = (x, y) => ({ x: width / 2 + (x - middle.x) * scale, y: height / 2 - (y - middle.y) * scale });
  }

  draw(t) {
    if (!this.shapes?.length) return;
    replace(this.svg, this.shapes.map((shape, i) => this.#drawShape(shape, i, t)));
  }

  #drawShape(shape, i, t) {
    const p = this.#places(shape, t), at = this.at(p.x ?? 0, p.y ?? 0), { width, height } = this.size, kind = `thing s${i % 6}`;
    const title = s('title', null, shape.name);
    switch (shape.shape) {
      case 'ball': return s('circle', { class: kind, cx: at.x, cy: at.y, r: Math.max(3, p.size * this.scale) }, title);
      case 'box': {
        const w = p.width * this.scale, high = p.height * this.scale;
        return s('rect', { class: kind, x: at.x - w / 2, y: at.y - high / 2, width: w, height: high, rx: 2, transform: `rotate(${(-p.angle * 180) / Math.PI} ${at.x} ${at.y})` }, title);
      }
      case 'line': {
        const end = this.at(p.x2, p.y2);
        return s('line', { class: `${kind} rod`, x1: at.x, y1: at.y, x2: end.x, y2: end.y }, title);
      }
      case 'spring': return s('path', { class: `${kind} coil`, d: coil(at, this.at(p.x2, p.y2)) }, title);
      case 'ground': return s('rect', { class: 'ground', x: -2 * width, y: at.y, width: 5 * width, height: 5 * height }, title);
      case 'wall': return s('line', { class: 'thing rod', x1: at.x, x2: at.x, y1: -2 * height, y2: 3 * height }, title);
      default: return s('text', { class: 'word', x: at.x, y: at.y }, `${shape.name} ${numberText(p.value, 4)}`);
    }
  }
}
