// Asks the engine in its worker. A question that is no longer of interest is dropped, a run that takes too long stopped.
import wasm from '@engine/engine.wasm?url';
import { begin } from './pending.js';

let compiled;
export function compile() {
  compiled ??= WebAssembly.compileStreaming(fetch(wasm)).catch(async () =>
    WebAssembly.compile(await (await fetch(wasm)).arrayBuffer()),
  );
  return compiled;
}

export class Stopped extends Error {}

// Files that models use, for all engines.
const files = {};
const engines = new Set();
export function shareFiles(more) {
  Object.assign(files, more);
  for (const engine of engines) engine.tellFiles(more);
}

export class Engine {
  #worker;
  #ready;
  #next = 1;
  #waiting = new Map();
  #since = 0;
  #ends = new Set(); // of what is under way

  constructor() {
    engines.add(this);
    this.#start();
  }

  #start() {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    this.#worker = worker;
    this.#ready = new Promise((resolve) => {
      worker.onmessage = ({ data }) => (data.ready ? resolve() : this.#take(data));
    });
    compile().then((module) => worker.postMessage({ start: { module, files: { ...files } } }));
  }

  tellFiles(more) {
    this.#ready.then(() => this.#worker.postMessage({ files: more }));
  }

  #take({ id, answer, progress, broken, worn }) {
    const entry = this.#waiting.get(id);
    if (!entry) return;
    if (progress !== undefined) return entry.progress?.(progress);
    this.#waiting.delete(id);
    if (broken !== undefined) {
      entry.resolve({ failure: `the engine gave up: ${broken}` });
      this.stop();
    } else entry.resolve(answer);
    if (worn && !this.#waiting.size) this.stop();
  }

  get busyFor() {
    return this.#waiting.size ? performance.now() - this.#since : 0;
  }

  async ask(question, progress) {
    const end = begin();
    this.#ends.add(end);
    try {
      return await this.#ask(question, progress);
    } finally {
      this.#ends.delete(end);
      end();
    }
  }

  async #ask(question, progress) {
    const worker = this.#worker;
    await this.#ready;
    if (worker !== this.#worker) throw new Stopped();
    const id = this.#next++;
    this.#since = performance.now();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, progress });
      worker.postMessage({ id, question });
    });
  }

  // The same, again if somebody stops it.
  async insist(question) {
    for (;;)
      try {
        return await this.ask(question);
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
      }
  }

  // Ends what is being computed. The next engine is there in a moment: the code is compiled already.
  stop() {
    this.#worker.terminate();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#start();
    for (const entry of waiting) entry.reject(new Stopped());
  }

  close() {
    engines.delete(this);
    this.#worker.terminate();
    for (const end of this.#ends) end();
  }
}

// One more for what may come a moment later: while a slider moves, the picture does not wait for what is beside it.
let helper;
export const helping = () => (helper ??= new Engine());

// Asks one question at a time; of those that come meanwhile only the last is asked. What has been running for long when
// something newer comes is stopped.
export class Latest {
  #engine;
  #running = false;
  #next;
  #patience;
  #timer;

  constructor(engine, patience = 400) {
    this.#engine = engine;
    this.#patience = patience;
  }

  ask(question, done, progress) {
    this.#next = { question, done, progress };
    if (!this.#running) this.#go();
    else this.#hurry();
  }

  // Now, or once it has been running for long.
  #hurry() {
    clearTimeout(this.#timer);
    if (!this.#running || !this.#next) return;
    const left = this.#patience - this.#engine.busyFor;
    if (left <= 0) this.#engine.stop();
    else this.#timer = setTimeout(() => this.#hurry(), left + 1);
  }

  forget() {
    this.#next = undefined;
    if (this.#running) this.#engine.stop();
  }

  async #go() {
    this.#running = true;
    while (this.#next) {
      const { question, done, progress } = this.#next;
      this.#next = undefined;
      const answer = await this.#engine.ask(question, progress).catch((error) => {
        if (error instanceof Stopped) return { stopped: true };
        throw error;
      });
      if (answer.stopped && this.#next) continue;
      try {
        done(answer, this.#next === undefined);
      } catch (error) {
        reportError(error); // a mistake of the page: what is asked next is answered all the same
      }
    }
    this.#running = false;
  }
}
