// One instant, worked step by step, forwards and back.
import { h, replace } from '../dom.js';
import { hyperdense } from './events.js';
import { troubles } from './tabs.js';

// Steps of a lesson: each begins with a heading or a block.
export function stepsOf(pieces) {
  const steps = [];
  let heading = [];
  for (const piece of pieces) {
    if (piece.kind === 'section') heading.push(piece);
    else if (piece.kind === 'paragraph' || heading.length) {
      steps.push([...heading, piece]);
      heading = [];
    } else if (steps.length) steps.at(-1).push(piece);
    else steps.push([piece]);
  }
  return steps;
}

export class ExplainPage {
  id = 'explain';
  title = 'Explain';
  number = 1;
  step = 0;

  when = (answer) => !answer.model.numeric;

  show = (body, run, ask) => {
    Object.assign(this, { body, run, ask });
    const { events } = run.answer.trace;
    if (!events.length) return replace(body, h('p', null, 'There is no instant to explain: nothing jumps.'));
    this.number = Math.min(this.number, events.length);
    this.#load();
  };

  choose(number) {
    this.number = number;
    this.step = 0;
  }

  #load() {
    this.ask({ do: 'explain', event: this.number }, async (answer) => {
      const { pieces, elementOf } = await import('../latex.js');
      this.steps = answer.found ? stepsOf(pieces(answer.latex)) : [];
      this.elementOf = elementOf;
      this.errors = answer.errors;
      this.step = Math.min(this.step, Math.max(0, this.steps.length - 1));
      this.#draw();
    });
  }

  #goTo(number) {
    this.choose(number);
    this.#load();
  }

  #draw(focus) {
    const { events } = this.run.answer.trace;
    const button = (words, title, enabled, act) => h('button', { type: 'button', 'aria-label': title, title, disabled: !enabled, onclick: act }, words);
    const move = (by) => () => {
      this.step += by;
      this.#draw(by);
    };
    const choice = h('select', { 'aria-label': 'Instant', onchange: (e) => this.#goTo(Number(e.target.value)) },
      events.slice(0, 500).map((event, i) => h('option', { value: i + 1, selected: i + 1 === this.number }, `${i + 1}: ${hyperdense(event)} ${event.cause.join(', ')}`)));
    const all = h('button', { type: 'button', onclick: () => { this.step = this.steps.length - 1; this.#draw(); } }, 'All steps');
    const last = this.steps.length - 1;
    replace(this.body,
      h('div', { class: 'line walk' },
        button('◀◀', 'Instant before', this.number > 1, () => this.#goTo(this.number - 1)),
        choice,
        button('▶▶', 'Next instant', this.number < events.length, () => this.#goTo(this.number + 1)),
        h('span', { class: 'spacer' }),
        button('◀ Back', 'Step back', this.step > 0, move(-1)),
        h('span', { role: 'status' }, `step ${this.step + 1} of ${this.steps.length}`),
        button('Forward ▶', 'Step forward', this.step < last, move(1)), all),
      h('div', { class: 'lesson', 'aria-live': 'polite' },
        this.steps.slice(0, this.step + 1).map((step, i) => h('div', { class: i === this.step ? 'step now' : 'step' }, step.map(this.elementOf)))),
      troubles(this.errors));
    if (focus) this.body.querySelector(focus > 0 ? '[aria-label="Step forward"]' : '[aria-label="Step back"]')?.focus();
    this.body.querySelector('.step.now')?.scrollIntoView({ block: 'nearest' });
  }
}
