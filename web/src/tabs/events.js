// Everything that happens, as a table; a row leads to its explanation.
import { h, replace, numberText, germText } from '../dom.js';

const most = 500;

export function hyperdense(event) {
  const time = numberText(event.t, 9);
  if (event.epsilon === 0 && event.index === 0) return time;
  const eps = event.epsilon === 0 ? '' : event.epsilon === 1 ? ' + ε' : ` + ${event.epsilon} ε`;
  return `⟨${time}${eps}, ${event.index}⟩`;
}

function jumpText({ left, right, impulses }) {
  if (left === right) return germText(left, impulses);
  return `${numberText(left)} → ${germText(right, impulses)}`;
}

function row(event, number, explain) {
  const modes = event.modes ? Object.entries(event.modes).map(([name, state]) => `${name} = ${state}`).join(', ') : '';
  return h('tr', { class: event.committed ? '' : 'mythical' },
    h('th', { scope: 'row' }, h('button', { type: 'button', class: 'link', title: 'Explain this instant', onclick: () => explain(number) }, hyperdense(event))),
    h('td', null, event.cause.join(', '), event.committed ? null : h('span', { class: 'note' }, ' mythical')),
    h('td', null, Object.entries(event.signals).map(([name, jump]) => h('div', null, h('span', { class: 'name' }, name), ' ', jumpText(jump)))),
    h('td', null, modes));
}

export function eventsPage(explain) {
  return {
    id: 'events',
    title: 'Events',
    show(body, { answer }) {
      const { events, statistics } = answer.trace;
      if (!events.length) return replace(body, h('p', null, 'Nothing happens in this run: no jump, no impulse.'));
      replace(body,
        h('table', null, h('thead', null, h('tr', null, ['Time', 'Cause', 'What it did', 'Mode'].map((t) => h('th', { scope: 'col' }, t)))),
          h('tbody', null, events.slice(0, most).map((event, i) => row(event, i + 1, explain)))),
        events.length > most && h('p', null, `and ${Math.max(events.length, statistics.events) - most} more`));
    },
  };
}
