// Draws what the model says how to draw, at one time.
import { h } from './dom.js';

export class Stage {
  constructor() {
    this.element = h('div', { class: 'stage', hidden: true });
  }

  load(animation) {
    this.element.hidden = !animation;
  }

  draw() {}
}
