// A model in a link: deflated, in the letters that an address may have. Nothing is sent anywhere: it stands behind the #.

async function through(stream, bytes) {
  const writer = stream.writable.getWriter();
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  return new Uint8Array(await new Response(stream.readable).arrayBuffer());
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
  return toBase64url(await through(new CompressionStream('deflate-raw'), bytes));
}

// Throws what is no such text.
export async function unpacked(text) {
  const bytes = await through(new DecompressionStream('deflate-raw'), fromBase64url(text));
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

export function download(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
