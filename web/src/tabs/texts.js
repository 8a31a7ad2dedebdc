// Pages that show what the program would print: exact, compare, check, table, hypa.
import { h, replace, numberText } from '../dom.js';
import { troubles } from './tabs.js';

export function exactPage(onForms) {
  return {
    id: 'exact',
    title: 'Exact',
    when: (answer) => !answer.model.numeric,
    show(body, run, ask) {
      ask({ do: 'exact' }, async (answer) => {
        const { pieces, elementOf } = await import('../latex.js');
        onForms(answer.forms, run);
        replace(body, pieces(answer.latex).filter((p) => p.kind !== 'section').map(elementOf), troubles(answer.errors),
          h('details', null, h('summary', null, 'As text'), h('pre', null, answer.text)));
      });
    },
  };
}

// The clock of a browser is coarse on purpose.
const micro = (seconds) => (seconds > 0 ? `${numberText(seconds * 1e6, 3)} µs` : 'too short to tell');

function comparisonTable(rows) {
  const head = ['Step', 'Sum', 'Largest error', 'Delay', 'Largest value', 'Numeric, a second', 'Symbolic, a second'];
  return h('table', null, h('thead', null, h('tr', null, head.map((t) => h('th', { scope: 'col' }, t)))),
    h('tbody', null, rows.map((r) => h('tr', null,
      h('th', { scope: 'row' }, numberText(r.step)), h('td', null, r.riemann), h('td', null, numberText(r.max_error, 4)), h('td', null, numberText(r.delay, 4)),
      h('td', null, numberText(r.max_magnitude, 4)), h('td', null, micro(r.numeric_seconds)), h('td', null, micro(r.symbolic_seconds))))));
}

export const comparePage = {
  id: 'compare',
  title: 'Compare',
  when: (answer) => !answer.model.numeric,
  show(body, run, ask) {
    const signals = run.answer.model.signals;
    if (!signals.length) return replace(body, h('p', null, 'The model records nothing.'));
    const result = h('div');
    const choice = h('select', { 'aria-label': 'Signal' }, signals.slice(0, 200).map((name) => h('option', { value: name }, name)));
    if (signals.includes(this.signal)) choice.value = this.signal;
    const go = () => {
      this.signal = choice.value;
      ask({ do: 'compare', signal: choice.value }, (answer) => {
        replace(body, h('div', { class: 'line' }, h('label', null, 'Symbolic against numeric impulses, ', choice)), result);
        const conclusion = answer.text.trimEnd().split('\n').filter((line, i) => i > 1 && !/^( {2}|Not compared:)/.test(line)).join('\n');
        replace(result, comparisonTable(answer.rows.rows), h('p', { class: 'conclusion' }, conclusion), troubles(answer.errors));
      });
    };
    choice.addEventListener('change', go);
    go();
  },
};

export const checkPage = {
  id: 'check',
  title: 'Check',
  show(body, run, ask) {
    ask({ do: 'check' }, ({ report, text }) => {
      const signals = Object.entries(report.signals);
      replace(body,
        h('p', null, `${report.blocks} blocks, ${report.links} links, ${report.loops.length} algebraic loops.`),
        report.warnings.length > 0 && h('ul', { class: 'warnings' }, report.warnings.map((w) => h('li', null, `${w.place}: ${w.message}`))),
        signals.length > 0 && h('table', null, h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Signal'), h('th', { scope: 'col' }, 'Regularity'))),
          h('tbody', null, signals.map(([name, r]) => h('tr', null, h('th', { scope: 'row' }, name), h('td', { class: r.startsWith('delta') ? 'impulsive' : '' }, r))))),
        h('details', { open: signals.length === 0 }, h('summary', null, 'As the program prints it'), h('pre', null, text)));
    });
  },
};

const printed = (id, title, question, when) => ({
  id,
  title,
  when,
  show(body, run, ask) {
    ask(question, ({ text, errors }) => replace(body, h('pre', { tabindex: '0' }, text || 'Nothing happens in this run.'), troubles(errors)));
  },
});

export const tablePage = printed('table', 'Table', { do: 'write', as: 'table' });
export const hypaPage = printed('hypa', 'HyPA', { do: 'hypa' }, (answer) => answer.model.bonds);
