// The engine's LaTeX as elements: the few commands that it writes, formulas set by KaTeX, words as text.
import katex from 'katex';
import 'katex/dist/katex.min.css';
import { h } from './dom.js';

function formula(text, display) {
  const element = h(display ? 'div' : 'span', { class: 'formula' });
  katex.render(text, element, { displayMode: display, throwOnError: false, strict: 'ignore', trust: false });
  return element;
}

const escapes = { '\\textasciitilde{}': '~', '\\textasciicircum{}': '^', '\\textbackslash{}': '\\', '\\textless{}': '<', '\\textgreater{}': '>', '\\ensuremath{<}': '<', '\\ensuremath{>}': '>', '\\textbar{}': '|', '\\ ': ' ', '``': '“', "''": '”' };

function plainWords(text) {
  return text
    .replace(/\\hfill\s*/g, ' ')
    .replace(/\\(textasciitilde|textasciicircum|textbackslash|textless|textgreater|textbar)\{\}|\\ensuremath\{[<>]\}|``|''|\\ /g, (m) => escapes[m])
    .replace(/\\(?:texttt|emph|textbf)\{([^{}]*)\}/g, '$1')
    .replace(/\\([_&%#${}])/g, '$1');
}

// Words with $formulas$ among them.
export function words(text) {
  return text.split(/(?<!\\)(\$(?:[^$\\]|\\.)+\$)/).filter(Boolean)
    .map((part) => (part.startsWith('$') && part.endsWith('$') && part.length > 1 ? formula(part.slice(1, -1), false) : plainWords(part)));
}

// Pieces of a document: {kind: 'section' | 'paragraph' | 'text' | 'display' | 'item' | 'table', level, text}.
export function pieces(document) {
  const list = [];
  const pattern = /\\(section|subsection|subsubsection)\*\{((?:[^{}]|\{[^{}]*\})*)\}|\\paragraph\{((?:[^{}]|\{[^{}]*\})*)\}([^\n]*)|\\begin\{(align\*|gather\*|equation\*)\}([\s\S]*?)\\end\{\5\}|\\\[([\s\S]*?)\\\]|\\item\s+([^\n]*)|\\begin\{tabular\}\{\w*\}([\s\S]*?)\\end\{tabular\}|\\(?:documentclass|usepackage|begin|end|setlength)\b[^\n]*|%[^\n]*|([^\n\\$%][^\n]*|[\\$][^\n]+)/g;
  for (const m of document.matchAll(pattern)) {
    if (m[1]) list.push({ kind: 'section', level: m[1].length / 3, text: m[2] });
    else if (m[3] !== undefined) list.push({ kind: 'paragraph', title: m[3], text: m[4].trim() });
    else if (m[5]) list.push({ kind: 'display', text: m[5] === 'equation*' ? m[6] : `\\begin{${m[5] === 'align*' ? 'aligned' : 'gathered'}}${m[6]}\\end{${m[5] === 'align*' ? 'aligned' : 'gathered'}}` });
    else if (m[7] !== undefined) list.push({ kind: 'display', text: m[7] });
    else if (m[8] !== undefined) list.push({ kind: 'item', text: m[8] });
    else if (m[9] !== undefined) list.push({ kind: 'table', text: m[9] });
    else if (m[10]?.trim()) list.push({ kind: 'text', text: m[10].trim() });
  }
  return list;
}

// Rows end with \\, cells with &; the first row tells what they are.
function table(text) {
  const [head, ...rows] = text.split('\\\\').map((row) => row.replace(/^\s*\\hline/, '').trim()).filter(Boolean).map((row) => row.split(/(?<!\\)&/).map((cell) => words(cell.trim())));
  const named = (cell) => (cell.length ? h('th', { scope: 'col' }, cell) : h('td'));
  return h('table', null, h('thead', null, h('tr', null, head.map(named))),
    h('tbody', null, rows.map(([first, ...rest]) => h('tr', null, h('th', { scope: 'row' }, first), rest.map((cell) => h('td', null, cell))))));
}

export function elementOf(piece) {
  switch (piece.kind) {
    case 'section': return h(piece.level > 2.4 ? (piece.level > 3.4 ? 'h4' : 'h3') : 'h2', null, words(piece.text));
    case 'paragraph': return h('p', { class: 'step-title' }, h('strong', null, words(piece.title)), ' ', words(piece.text));
    case 'display': return formula(piece.text, true);
    case 'table': return table(piece.text);
    case 'item': return h('p', { class: 'item' }, words(piece.text));
    default: return h('p', null, words(piece.text));
  }
}
