// Files that somebody brought along: dropped on the page, or in a link. Models use them by their names.
import { byName } from './dom.js';
import { shareFiles } from './engine.js';
import { isName } from './share.js';

const most = 200, largest = 4 << 20, largestKept = 1 << 20; // files, bytes of one, letters of all that are kept
const wanted = (name) => /\.(toml|csv)$/.test(name);

const base = (name) => name.split('/').at(-1);

export class Brought {
  files = byName();

  // {name: text} from wherever; what is no file with a good name is left out.
  take(files) {
    const good = Object.entries(files ?? {}).filter(([name, text]) => typeof text === 'string' && isName(name)).slice(0, most);
    Object.assign(this.files, byName(good));
    shareFiles(byName(good));
  }

  // Those that a text names, and that those name; not too much of it.
  of(text) {
    const found = byName();
    let room = largestKept;
    const look = (words) => {
      for (const [name, content] of Object.entries(this.files)) {
        if (name in found || content.length > room || !words.includes(base(name))) continue;
        found[name] = content;
        room -= content.length;
        look(content);
      }
    };
    look(text);
    return found;
  }
}

async function filesBelow(entry, path, list) {
  if (list.length >= most) return;
  if (entry.isFile && wanted(entry.name)) list.push([path + entry.name, await new Promise((resolve, reject) => entry.file(resolve, reject))]);
  if (!entry.isDirectory || entry.name.startsWith('.')) return;
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return;
    for (const inner of some) await filesBelow(inner, `${path}${entry.name}/`, list);
  }
}

// [name, file] of all that was dropped, folders too. One folder alone is where names begin. To be called while the event is there.
export function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const plain = [...transfer.files].map((file) => [file.name, file]);
  if (!entries.some((entry) => entry.isDirectory)) return Promise.resolve(plain);
  const list = [], alone = entries.length === 1 ? `${entries[0].name}/` : '';
  return entries.reduce((before, entry) => before.then(() => filesBelow(entry, '', list)), Promise.resolve())
    .then(() => list.map(([name, file]) => [name.slice(alone.length), file]));
}

// {files: {name: text}, refused: [names]}
export async function texts(list) {
  const files = byName(), refused = [];
  for (const [name, file] of list)
    if (wanted(name) && file.size <= largest) files[name] = await file.text();
    else refused.push(name);
  return { files, refused };
}

// The model among them: no other one uses it. Nothing where `now`, the model that is open, uses them all.
export function modelAmong(files, now) {
  const models = Object.keys(files).filter((name) => name.endsWith('.toml')).sort();
  const usedBy = (name, text) => text.includes(`"${name}"`) || text.includes(`/${base(name)}"`) || text.includes(`"${base(name)}"`);
  return models.find((name) => !models.some((other) => other !== name && usedBy(name, files[other])) && !usedBy(name, now));
}
