// Lines between the parts of the page that can be moved, with the mouse or with arrows; where they stand is kept.
import { h } from './dom.js';

const place = 'deltaflow.dividers';
const limits = { across: [20, 75], down: [25, 85] }; // percent

function stored() {
  try {
    return JSON.parse(localStorage.getItem(place)) ?? {};
  } catch {
    return {};
  }
}

export function dividers(around) {
  const at = { across: 42, down: 60, ...stored() };
  const make = (axis, label, orientation) => {
    const [low, high] = limits[axis];
    const line = h('div', { class: `divider ${axis}`, role: 'separator', tabindex: '0', 'aria-label': label, 'aria-orientation': orientation, 'aria-valuemin': low, 'aria-valuemax': high });
    const move = (share) => {
      at[axis] = Math.round(10 * Math.max(low, Math.min(high, Number.isFinite(share) ? share : at[axis]))) / 10;
      around.style.setProperty(`--${axis}`, `${at[axis]}%`);
      line.setAttribute('aria-valuenow', Math.round(at[axis]));
    };
    const keep = () => {
      try {
        localStorage.setItem(place, JSON.stringify(at));
      } catch {
        // Kept for this visit only.
      }
    };
    line.addEventListener('pointerdown', (event) => event.button === 0 && (line.setPointerCapture(event.pointerId), event.preventDefault()));
    line.addEventListener('pointermove', (event) => {
      if (!line.hasPointerCapture(event.pointerId)) return;
      const { left, top, width, height } = around.getBoundingClientRect();
      move(axis === 'across' ? (100 * (event.clientX - left)) / width : (100 * (event.clientY - top)) / height);
    });
    line.addEventListener('pointerup', keep);
    line.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2 }[event.key];
      if (!by) return;
      event.preventDefault();
      move(at[axis] + by);
      keep();
    });
    move(at[axis]);
    return line;
  };
  return [make('across', 'Between model and run', 'vertical'), make('down', 'Between run and pages below', 'horizontal')];
}
