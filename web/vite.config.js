// Builds the page into dist/: static files that any server can hand out, and a service worker that keeps them.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// Once loaded the page works without a network: all of its files are kept, by their contents.
function offline() {
  return {
    name: 'offline',
    apply: 'build',
    generateBundle(_, bundle) {
      const files = ['./', './icon.svg', './manifest.webmanifest', ...Object.keys(bundle).filter((name) => name !== 'index.html' && !/\.(ttf|woff)$/.test(name)).map((name) => `./${name}`)];
      const version = createHash('sha256').update(Object.entries(bundle).map(([name, file]) => name + (file.code ?? file.source ?? '').length).join()).digest('hex').slice(0, 12);
      this.emitFile({ type: 'asset', fileName: 'keep.js', source: keeper(version, files) });
    },
  };
}

const keeper = (version, files) => `// Answers from what was kept; made by the build.
const cache = 'deltaflow-${version}';
const files = ${JSON.stringify(files)};
self.addEventListener('install', (event) => event.waitUntil(caches.open(cache).then((kept) => kept.addAll(files)).then(() => self.skipWaiting())));
self.addEventListener('activate', (event) => event.waitUntil(caches.keys().then((all) => Promise.all(all.filter((name) => name.startsWith('deltaflow-') && name !== cache).map((name) => caches.delete(name)))).then(() => self.clients.claim())));
self.addEventListener('fetch', (event) => {
  const address = new URL(event.request.url);
  if (event.request.method !== 'GET' || address.origin !== location.origin || address.pathname.includes('/files/')) return;
  event.respondWith(caches.open(cache).then((kept) => kept.match(event.request, { ignoreSearch: true })).then((found) => found ?? fetch(event.request)));
});
`;

// Graphviz comes as a script with WebAssembly in a string; in a file of its own it is a third smaller, and can be streamed.
function graphviz() {
  return {
    name: 'graphviz',
    apply: 'build',
    transform(code, id) {
      if (!id.includes('@viz-js/viz/')) return null;
      const found = code.match(/binaryDecode\(('(?:[^'\\]|\\.)*')\)/s);
      if (!found) throw new Error('Graphviz is packed in another way than it was');
      const source = Uint8Array.from(new Function(`return ${found[1]}`)(), (c) => c.charCodeAt(0) & 255);
      const file = this.emitFile({ type: 'asset', name: 'graphviz.wasm', source });
      return `const packed = new Uint8Array(await (await fetch(import.meta.ROLLUP_FILE_URL_${file})).arrayBuffer());\n${code.replace(found[0], () => 'packed')}`;
    },
  };
}

export default defineConfig({
  root: here('.'),
  base: './',
  resolve: { alias: { '@engine': process.env.DELTAFLOW_ENGINE ?? here('../build/web') } },
  worker: { format: 'es', plugins: () => [graphviz()] },
  build: { target: 'es2022', outDir: process.env.DELTAFLOW_DIST ?? here('dist'), emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 2000, modulePreload: { polyfill: false } },
  plugins: [offline()],
});
