// Light, dark, or as the system says.
import { h } from './dom.js';

const next = { auto: 'light', light: 'dark', dark: 'auto' };
const signs = { auto: '◐', light: '☀', dark: '☾' };

function stored() {
  try {
    return localStorage.getItem('deltaflow.theme') ?? 'auto';
  } catch {
    return 'auto';
  }
}

export function chooseTheme() {
  let theme = stored();
  const button = h('button', { type: 'button', class: 'quiet' });
  const show = () => {
    document.documentElement.dataset.theme = theme;
    button.textContent = signs[theme] ?? signs.auto;
    button.title = `Colours: ${theme}`;
    button.setAttribute('aria-label', button.title);
  };
  button.addEventListener('click', () => {
    theme = next[theme] ?? 'auto';
    try {
      localStorage.setItem('deltaflow.theme', theme);
    } catch {
      // Kept for this visit only.
    }
    show();
  });
  show();
  return button;
}
