// A slider for every parameter that is a number; those that are formulas follow.
import { h, put, replace, numberText, byName } from './dom.js';

// From where to where, as long as nobody says otherwise.
export function guessRange(value) {
  if (value === 0) return [-1, 1];
  if (value >= 0.05 && value < 1) return [0, 1];
  const far = 2 * 10 ** Math.floor(Math.log10(Math.abs(value)));
  const end = Math.ceil((2 * Math.abs(value)) / far) * far;
  return value > 0 ? [0, end] : [-end, 0];
}

// A few hundred steps, each a short decimal.
export function stepOf([low, high]) {
  return 10 ** Math.floor(Math.log10((high - low) / 200 || 1));
}

// A number as it is written into a model: no digits that a slider did not mean.
export function written(value, step) {
  return String(Number((Math.round(value / step) * step).toPrecision(10)));
}

const most = 200; // nobody moves more of them

export class Sliders {
  #rows = new Map();

  // onInput(sets) while dragging, onChange(name, text) when it is let go.
  constructor({ onInput, onChange, onBegin, onRange, label = 'Parameters', ranges = byName() }) {
    this.element = h('div', { class: 'sliders', role: 'group', 'aria-label': label });
    Object.assign(this, { onInput, onChange, onBegin, onRange, ranges });
    this.sets = byName();
    this.given = byName(); // by hand; runs that were begun before still tell older values
  }

  show(parameters) {
    const names = parameters.map((p) => `${p.name}${p.number}`).join();
    if (names !== this.names) {
      this.names = names;
      this.#rows.clear();
      const left = parameters.length - most;
      replace(this.element, parameters.slice(0, most).map((p) => this.#row(p)), left > 0 && h('p', { class: 'note' }, `${left} more parameters have no slider; they are changed in the text.`));
    }
    for (const p of parameters) this.#rows.get(p.name)?.(p);
  }

  #row(parameter) {
    const { name } = parameter;
    if (!parameter.number) {
      const value = h('output', { class: 'value' });
      this.#rows.set(name, (p) => (value.textContent = numberText(p.value)));
      return h('div', { class: 'slider computed', title: `${name} = ${parameter.formula}` }, h('span', { class: 'name' }, name), h('span', { class: 'formula' }, parameter.formula), value);
    }
    const range = h('input', { type: 'range', 'aria-label': name, class: 'range' });
    const value = h('input', { type: 'number', 'aria-label': `${name}, exactly`, class: 'value', step: 'any' });
    const low = h('input', { type: 'number', 'aria-label': `${name} from`, step: 'any' });
    const high = h('input', { type: 'number', 'aria-label': `${name} to`, step: 'any' });
    const ends = h('span', { class: 'ends', hidden: true }, low, ' to ', high);
    const more = h('button', { type: 'button', class: 'quiet', 'aria-label': `Range of ${name}`, title: 'Range', 'aria-expanded': 'false' }, '⋯');
    const bounds = () => (this.ranges[name] ??= guessRange(parameter.value ?? 0));
    const setBounds = () => {
      const [a, b] = bounds();
      put(range, { min: a, max: b, step: stepOf([a, b]) });
      put(low, { value: a });
      put(high, { value: b });
    };
    more.addEventListener('click', () => {
      ends.hidden = !ends.hidden;
      more.setAttribute('aria-expanded', String(!ends.hidden));
    });
    for (const input of [low, high])
      input.addEventListener('change', () => {
        const [a, b] = [Number(low.value), Number(high.value)];
        if (a < b) this.ranges[name] = [a, b];
        setBounds();
        this.onRange?.();
      });
    const give = () => {
      if (this.dragging !== name) this.onBegin?.();
      this.dragging = name;
      value.value = written(Number(range.value), Number(range.step));
      this.sets[name] = value.value;
      this.given[name] = Number(value.value);
      this.onInput(name);
    };
    const settle = (text) => {
      this.dragging = undefined;
      this.onChange(name, text);
    };
    range.addEventListener('input', give);
    range.addEventListener('change', () => settle(value.value));
    value.addEventListener('change', () => {
      if (value.value === '' || !Number.isFinite(Number(value.value))) return this.#rows.get(name)(parameter);
      this.onBegin?.();
      this.sets[name] = String(Number(value.value));
      this.given[name] = Number(value.value);
      const x = Number(value.value), [a, b] = bounds();
      this.ranges[name] = [Math.min(a, x), Math.max(b, x)];
      setBounds();
      range.value = x;
      this.onInput(name);
      settle(this.sets[name]);
    });
    this.#rows.set(name, (p) => {
      parameter = p;
      if (this.dragging === name || (name in this.given && this.given[name] !== p.value)) return;
      delete this.given[name];
      if (!Number.isFinite(p.value)) return;
      const [a, b] = bounds();
      if (p.value < a || p.value > b) this.ranges[name] = [Math.min(a, p.value), Math.max(b, p.value)];
      setBounds();
      put(range, { value: p.value });
      if (document.activeElement !== value) put(value, { value: Number(p.value.toPrecision(12)) });
    });
    return h('div', { class: 'slider' }, h('span', { class: 'name' }, name), range, value, more, ends);
  }
}
