// The program that answers for the engine in tests of the page: one for each worker, in a folder with its files.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { createInterface } from 'node:readline';

const home = '/models/'; // of the files, as the worker has them

class Session {
  constructor(program) {
    this.program = program;
    this.folder = mkdtempSync(join(tmpdir(), 'answers-'));
  }

  write(files) {
    for (const [path, text] of files) {
      const name = normalize(path);
      if (!name.startsWith(home)) continue;
      const place = join(this.folder, name.slice(home.length));
      try {
        mkdirSync(dirname(place), { recursive: true });
        writeFileSync(place, text);
      } catch {
        // A file where a folder should be; so does the worker.
      }
    }
  }

  ask(question, response) {
    this.child ??= spawn(this.program, { cwd: this.folder, stdio: ['pipe', 'pipe', 'ignore'] });
    const { child } = this;
    // Whoever asked has gone: the worker was stopped.
    response.on('close', () => !response.writableEnded && this.close());
    this.lines ??= createInterface({ input: child.stdout });
    this.lines.once('line', (line) => response.end(line));
    child.stdin.write(`${question}\n`);
  }

  close() {
    this.child?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

// Answers requests under /engine/; true if it was one.
export function answers(program) {
  const sessions = new Map();
  const take = async (request, response, path) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const [, , act, id] = path.split('/');
    if (act === 'begin') {
      const name = String(sessions.size + 1);
      sessions.set(name, new Session(program));
      return response.end(name);
    }
    const session = sessions.get(id);
    if (!session) return response.writeHead(404).end();
    if (act === 'ask') return session.ask(body, response);
    session.write(JSON.parse(body));
    response.end();
  };
  return {
    answer(request, response, path) {
      if (!path.startsWith('/engine/')) return false;
      take(request, response, path);
      return true;
    },
    close: () => sessions.forEach((session) => session.close()),
  };
}
