// Makes elements. Words are always text: nothing that a model says becomes markup.
import { begin } from './pending.js';

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked' || name === 'hidden') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

// By names of models, which may be anything: "constructor" is a name like any other.
export const byName = (entries) => {
  const names = Object.create(null);
  for (const [name, value] of Array.isArray(entries) ? entries : Object.entries(entries ?? {})) names[name] = value;
  return names;
};

// What is as it should be is not touched: the page need not lay itself out again.
export function put(element, values) {
  for (const [name, value] of Object.entries(values)) if (element[name] !== String(value)) element[name] = value;
}

export function debounce(wait, work) {
  let timer, end;
  return (...given) => {
    clearTimeout(timer);
    end ??= begin();
    timer = setTimeout(() => {
      work(...given);
      end();
      end = undefined;
    }, wait);
  };
}

// Six digits, as the program prints them.
export function numberText(x, digits = 6) {
  if (x === null || x === undefined) return '–';
  if (x === 0) return '0';
  const text = Number(x).toPrecision(digits);
  return text.includes('e') ? String(Number(text)) : text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

const primes = ['δ', 'δ′', 'δ″', 'δ‴'];
export const deltaText = (order) => primes[order] ?? `δ⁽${[...String(order)].map((d) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[d]).join('')}⁾`;

// "-9.81 + 25.2 δ"
export function germText(value, impulses, number = numberText) {
  let text = '';
  impulses.forEach((c, order) => {
    if (c === 0) return;
    const size = Math.abs(c) === 1 ? '' : `${number(Math.abs(c))} `;
    text += (text ? (c < 0 ? ' − ' : ' + ') : c < 0 ? '−' : '') + size + deltaText(order);
  });
  if (!text) return number(value);
  if (value === 0 || value === null) return text;
  return `${number(value)}${text.startsWith('−') ? ` − ${text.slice(1)}` : ` + ${text}`}`;
}
