// Hands on a diagram: choose, move, connect by dragging; with the keyboard alone, too.
import { s } from './dom.js';

export class Wiring {
  constructor(frame, acts) {
    this.frame = frame;
    this.acts = acts;
    frame.addEventListener('pointerdown', (event) => this.#down(event));
    frame.addEventListener('pointermove', (event) => this.#move(event));
    frame.addEventListener('pointerup', (event) => this.#up(event));
    frame.addEventListener('pointercancel', () => this.#end());
    frame.addEventListener('keydown', (event) => this.#key(event));
  }

  get #svg() {
    return this.frame.querySelector('svg');
  }

  #point(event) {
    const matrix = this.#svg.getScreenCTM().inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  }

  #down(event) {
    if (event.button !== 0 || !this.#svg) return;
    const box = event.target.closest('[data-box]');
    const wire = event.target.closest('[data-from], [data-bond]');
    if (!box && wire) return this.#chooseWire(wire);
    if (!box) return this.acts.onSelect(undefined), this.#chooseWire(undefined);
    const from = this.#point(event);
    this.drag = { box, from, wires: event.target.classList.contains('handle'), moved: false, more: event.shiftKey };
    this.frame.setPointerCapture(event.pointerId);
    event.preventDefault();
    box.focus({ preventScroll: true });
  }

  #chooseWire(wire) {
    for (const other of this.frame.querySelectorAll('.wire.selected, .bond.selected')) other.classList.remove('selected'), other.setAttribute('aria-pressed', 'false');
    if (!wire) return;
    this.acts.onSelect(undefined);
    wire.classList.add('selected');
    wire.setAttribute('aria-pressed', 'true');
    wire.focus({ preventScroll: true });
  }

  #move(event) {
    if (!this.drag) return;
    const { box, from, wires } = this.drag;
    const now = this.#point(event), dx = now.x - from.x, dy = now.y - from.y;
    if (Math.hypot(dx, dy) > 4) this.drag.moved = true;
    if (!this.drag.moved) return;
    if (!wires) return box.setAttribute('transform', `translate(${dx} ${dy})`);
    this.line ??= this.#svg.appendChild(s('line', { class: 'rubber', x1: from.x, y1: from.y }));
    this.line.setAttribute('x2', now.x);
    this.line.setAttribute('y2', now.y);
    this.#over(event)?.classList.add('target');
  }

  #over(event) {
    for (const box of this.frame.querySelectorAll('.target')) box.classList.remove('target');
    const box = document.elementsFromPoint(event.clientX, event.clientY).map((e) => e.closest?.('[data-box]')).find(Boolean);
    return box === this.drag?.box ? undefined : box;
  }

  #up(event) {
    if (!this.drag) return;
    const { box, from, wires, moved, more } = this.drag;
    const over = moved && wires ? this.#over(event) : undefined;
    const now = this.#point(event);
    this.#end();
    const name = box.dataset.box;
    if (!moved) this.acts.onSelect(name, more);
    else if (over) this.acts.onConnect(name, over.dataset.box);
    else if (!wires) this.acts.onMove(name, Number(box.dataset.x) + now.x - from.x, Number(box.dataset.y) + now.y - from.y);
  }

  #end() {
    this.drag = undefined;
    this.line?.remove();
    this.line = undefined;
    for (const box of this.frame.querySelectorAll('.target')) box.classList.remove('target');
  }

  // Enter chooses, c begins a connection and ends it at another block, Delete removes, Alt with arrows moves.
  #key(event) {
    const box = event.target.closest?.('[data-box]');
    const wire = event.target.closest?.('[data-from], [data-bond]');
    if (wire && ['Delete', 'Backspace'].includes(event.key)) return event.preventDefault(), this.acts.onUnwire(wire.dataset);
    if (wire && ['Enter', ' '].includes(event.key)) return event.preventDefault(), this.#chooseWire(wire);
    if (!box) return;
    const name = box.dataset.box;
    const steps = { ArrowLeft: [-12, 0], ArrowRight: [12, 0], ArrowUp: [0, -12], ArrowDown: [0, 12] };
    if (event.key === 'Enter' || event.key === ' ') this.acts.onSelect(name, event.shiftKey);
    else if (event.key === 'Delete' || event.key === 'Backspace') this.acts.onSelect(name), this.acts.onRemove();
    else if (event.key === 'c' && this.begun && this.begun !== name) this.acts.onConnect(this.begun, name), (this.begun = undefined);
    else if (event.key === 'c') (this.begun = name), box.classList.add('target');
    else if (event.altKey && steps[event.key]) this.acts.onMove(name, Number(box.dataset.x) + steps[event.key][0], Number(box.dataset.y) + steps[event.key][1]);
    else return;
    event.preventDefault();
  }
}
