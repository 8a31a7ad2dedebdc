// The models that ship, with the files that they use, and the manual: one piece, loaded after the page is there.
const strip = (files, folder) => Object.fromEntries(Object.entries(files).map(([path, text]) => [path.slice(path.indexOf(folder) + folder.length), text]));

export const models = strip(import.meta.glob('../../diagrams/**/*.{toml,csv}', { query: '?raw', import: 'default', eager: true }), 'diagrams/');
export const lessons = strip(import.meta.glob('../../docs/models/**/*.{toml,csv}', { query: '?raw', import: 'default', eager: true }), 'docs/models/');

const word = (text, key) => text.match(new RegExp(`^${key}[ \\t]*=[ \\t]*"((?:[^"\\\\]|\\\\.)*)"`, 'm'))?.[1].replace(/\\(.)/g, '$1');

// Those that can be run: name, title, a sentence.
export const list = Object.entries(models)
  .filter(([path]) => path.endsWith('.toml') && !path.includes('/'))
  .map(([path, text]) => ({ path, text, title: word(text, 'name') ?? path.replace('.toml', ''), about: word(text, 'about') ?? '', bonds: /^\[(elements|circuit|mechanics)\]/m.test(text) }))
  .sort((a, b) => a.title.localeCompare(b.title));
