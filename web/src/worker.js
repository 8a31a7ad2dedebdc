// The engine in a thread of its own: questions come in, answers go out, one at a time.
import createEngine from '@engine/engine.mjs';

const home = '/models';
const most = 256 << 20; // bytes; memory grows and never shrinks, so an engine that has taken more is replaced
let engine;
let asked; // the id of the question at hand
let lastTold = 0;

function tellProgress(fraction) {
  const now = performance.now();
  if (now - lastTold < 50) return;
  lastTold = now;
  postMessage({ id: asked, progress: fraction });
}

function write(files) {
  for (const [path, text] of Object.entries(files)) {
    const whole = `${home}/${path}`;
    try {
      engine.FS.mkdirTree(whole.slice(0, whole.lastIndexOf('/')));
      engine.FS.writeFile(whole, text);
    } catch {
      // A file where a folder should be: whoever uses it is told that there is none.
    }
  }
}

function ask(question) {
  const text = JSON.stringify(question);
  const room = engine.lengthBytesUTF8(text) + 1;
  const place = engine._malloc(room);
  try {
    engine.stringToUTF8(text, place, room);
    return JSON.parse(engine.UTF8ToString(engine._deltaflow_ask(place)));
  } finally {
    engine._free(place);
  }
}

async function start({ module, files }) {
  engine = await createEngine({
    progress: tellProgress,
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
  });
  engine.FS.mkdirTree(home);
  engine.FS.chdir(home);
  write(files);
  postMessage({ ready: true });
}

onmessage = ({ data }) => {
  if (data.start) return start(data.start);
  if (data.files) return write(data.files);
  asked = data.id;
  try {
    const answer = ask(data.question);
    postMessage({ id: data.id, answer, worn: engine.HEAPU8?.length > most });
  } catch (error) {
    // A stack that ran over, or memory that is gone: what is left of the engine cannot be trusted.
    postMessage({ id: data.id, broken: String(error?.message ?? error) });
  }
};
