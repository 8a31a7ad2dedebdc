// A model in a link: deflated, in the letters that an address may have. Nothing is sent anywhere: it stands behind the #.
import { byName } from './dom.js';

// No more than so much: a small link may hold a text that fills the memory.
async function through(stream, bytes, most) {
  const writer = stream.writable.getWriter();
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const reader = stream.readable.getReader(), pieces = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    size += value.length;
    pieces.push(value);
    if (size <= most) continue;
    await reader.cancel();
    throw new RangeError('this is too much');
  }
}

const letters = { '+': '-', '/': '_', '=': '' };

export function toBase64url(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text).replace(/[+/=]/g, (c) => letters[c]);
}

export function fromBase64url(text) {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
}

export async function packed(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return toBase64url(await through(new CompressionStream('deflate-raw'), bytes, Infinity));
}

// Throws what is no such text.
export async function unpacked(text, most = 8 << 20) {
  const bytes = await through(new DecompressionStream('deflate-raw'), fromBase64url(text), most);
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

// What a link or the browser's memory says, as far as it is what it should be: whoever made it may have meant harm.
export function asModel(told) {
  if (typeof told?.text !== 'string') return undefined;
  const ranges = Object.entries(told.ranges ?? {}).filter(([, range]) => Array.isArray(range) && range.length === 2 && range.every(Number.isFinite) && range[0] < range[1]);
  const files = Object.entries(told.files ?? {}).filter(([name, text]) => isName(name) && typeof text === 'string');
  return { text: told.text, path: isName(told.path) ? told.path : 'shared.toml', ranges: byName(ranges), files: byName(files), base: told.base };
}

// "a.toml", "library/a.csv"; nothing that leads out of the folder of models.
export const isName = (name) => typeof name === 'string' && name.length < 200 && /\.(toml|csv)$/.test(name) && !/[\0-\x1f\\]/.test(name) && name.split('/').every((part) => !/^\.*$/.test(part));

export function download(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
