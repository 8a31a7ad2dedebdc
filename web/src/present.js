// For a lecture hall: the run and the pages below alone, in large letters, on the whole screen.
import { h } from './dom.js';

export function presentButton() {
  const root = document.documentElement;
  const button = h('button', { type: 'button', 'aria-pressed': 'false', title: 'The run alone, in large letters' }, 'Present');
  const show = (on) => {
    if (on) root.dataset.present = 'true';
    else delete root.dataset.present;
    button.setAttribute('aria-pressed', String(on));
  };
  button.addEventListener('click', () => {
    const on = !root.dataset.present;
    show(on);
    if (on) root.requestFullscreen?.().catch(() => {}); // not everywhere; it is large without it, too
    else if (document.fullscreenElement) document.exitFullscreen();
  });
  document.addEventListener('fullscreenchange', () => !document.fullscreenElement && show(false));
  return button;
}
