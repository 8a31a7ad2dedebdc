// Lets time run: a cursor in the picture, and whatever the model says how to draw.
import { h, put, numberText } from './dom.js';
import { Stage } from './stage.js';

export class Player {
  #t = 0;
  #playing = false;

  constructor(onTime) {
    this.onTime = onTime;
    this.stage = new Stage();
    this.button = h('button', { type: 'button', class: 'play', 'aria-label': 'Play', onclick: () => this.toggle() }, '▶');
    this.slider = h('input', { type: 'range', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'Time' });
    this.slider.addEventListener('input', () => this.#goTo(Number(this.slider.value)));
    this.clock = h('output', { class: 'clock' }, 't = 0');
    this.speed = h('select', { 'aria-label': 'Speed' },
      [['0.1', '0.1×'], ['0.25', '¼×'], ['0.5', '½×'], ['1', '1×'], ['2', '2×'], ['5', '5×'], ['auto', '6 s']].map(([value, text]) => h('option', { value, selected: value === 'auto' }, text)));
    this.element = h('div', { class: 'player line' }, this.button, this.slider, this.clock, this.speed);
  }

  show(reading, [from, to]) {
    this.reading = reading;
    Object.assign(this, { from, to });
    put(this.slider, { min: from, max: to });
    if (this.#t > this.to || this.#t < this.from) this.#t = this.from;
  }

  // Shapes with the run that tells where they are; none: nothing is drawn.
  animate(shapes, reading) {
    this.stage.load(shapes, reading);
    this.stage.draw(this.#t);
  }

  toggle() {
    if (!this.reading) return;
    this.#playing = !this.#playing;
    this.button.textContent = this.#playing ? '❚❚' : '▶';
    this.button.setAttribute('aria-label', this.#playing ? 'Pause' : 'Play');
    if (!this.#playing) return;
    if (this.#t >= this.to) this.#t = this.from;
    let last = performance.now();
    const step = (now) => {
      if (!this.#playing) return;
      const pace = this.speed.value === 'auto' ? (this.to - this.from) / 6 : Number(this.speed.value);
      const t = this.#t + ((now - last) / 1000) * pace;
      last = now;
      this.#goTo(Math.min(t, this.to));
      if (t >= this.to) this.toggle();
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  #goTo(t) {
    this.#t = t;
    this.slider.value = t;
    this.clock.textContent = `t = ${numberText(t, 5)}`;
    this.stage.draw(t);
    this.onTime(t);
  }
}
