// The Markdown of the manual as elements: headings, paragraphs, lists, tables, listings, pictures. Never as markup.
import { h } from './dom.js';

const inline = /(`[^`]+`)|(!?\[[^\]]*\]\([^)\s]+\))|(\*\*[^*]+\*\*)|(\*[^*\s][^*]*\*)/g;

// Words with code, links and emphasis. `make` may replace links and pictures.
export function words(text, make = {}) {
  const parts = [];
  let at = 0;
  for (const m of text.matchAll(inline)) {
    parts.push(text.slice(at, m.index));
    at = m.index + m[0].length;
    if (m[1]) parts.push(h('code', null, m[1].slice(1, -1)));
    else if (m[2]) parts.push(link(m[2], make));
    else if (m[3]) parts.push(h('strong', null, words(m[3].slice(2, -2), make)));
    else parts.push(h('em', null, words(m[4].slice(1, -1), make)));
  }
  parts.push(text.slice(at));
  return parts.filter((part) => part !== '');
}

function link(text, make) {
  const [, picture, label, target] = text.match(/^(!?)\[([^\]]*)\]\(([^)\s]+)\)$/);
  if (picture) return make.picture?.(label, target) ?? h('em', null, label);
  return make.link?.(words(label), target) ?? h('span', null, words(label));
}

const cells = (line) => line.replace(/^\s*\|?|\|?\s*$/g, '').split('|').map((cell) => cell.trim());

// Blocks of a page, from its lines.
export function render(text, make = {}) {
  const lines = text.split('\n');
  let i = 0;
  const until = (stop) => {
    const from = i;
    while (i < lines.length && !stop(lines[i])) ++i;
    return lines.slice(from, i);
  };
  const blocks = (stop) => {
    const list = [];
    while (i < lines.length && !stop?.(lines[i])) {
      const block = next();
      if (block) list.push(block);
    }
    return list;
  };
  const next = () => {
    const line = lines[i];
    if (!line.trim()) return void ++i;
    const heading = line.match(/^(#{1,4}) (.*)/);
    if (heading) return ++i, h(`h${heading[1].length + 1}`, null, words(heading[2], make));
    if (line.startsWith('```')) {
      const language = line.slice(3).trim();
      ++i;
      const code = until((l) => l.startsWith('```')).join('\n');
      ++i;
      return make.listing?.(code, language) ?? h('pre', { tabindex: '0' }, code);
    }
    const details = line.match(/^<details><summary>([^<]*)<\/summary>/);
    if (details) {
      ++i;
      const inside = blocks((l) => l.startsWith('</details>'));
      ++i;
      return h('details', null, h('summary', null, details[1]), inside);
    }
    if (line.startsWith('|')) {
      const rows = until((l) => !l.startsWith('|')).filter((l) => !/^\|[\s|:-]+\|?$/.test(l));
      return h('table', null, h('tbody', null, rows.map((row) => h('tr', null, cells(row).map((cell) => h('td', null, words(cell, make)))))));
    }
    if (line.startsWith('    ')) return h('pre', { tabindex: '0' }, until((l) => !l.startsWith('    ') && l.trim() !== '').map((l) => l.slice(4)).join('\n').trimEnd());
    const item = line.match(/^(\d+\.|[-*]) /);
    if (item) return items(/\d/.test(item[1]) ? 'ol' : 'ul');
    const paragraph = until((l) => !l.trim() || l.startsWith('```') || l.startsWith('|') || l.startsWith('<details') || l.startsWith('</details')).join(' ');
    if (!paragraph) return void ++i;
    return h('p', null, words(paragraph, make));
  };
  const items = (tag) => {
    const list = [];
    while (i < lines.length && /^(\d+\.|[-*]) /.test(lines[i])) {
      const first = lines[i++].replace(/^(\d+\.|[-*]) /, '');
      const rest = until((l) => !/^\s+\S/.test(l));
      list.push(h('li', null, words([first, ...rest.map((l) => l.trim())].join(' '), make)));
    }
    return h(tag, null, list);
  };
  return blocks();
}
