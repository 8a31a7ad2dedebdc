// Where boxes and lines go: Graphviz, compiled for the browser, in a worker, loaded when the first picture is wanted and the
// page is ready for whoever came for something else.
let begin;
const begun = new Promise((resolve) => (begin = resolve));
export const beginLayouts = () => begin();

const wide = 860;

export const numbers = (text) => text.split(/[,\s]+/).filter(Boolean).map(Number);

// Reads what `dot -Tjson0` answers; y grows downwards here.
export function readLayout(answer) {
  const [, , width, height] = numbers(answer.bb);
  const layout = { width, height, boxes: [], groups: [], links: [], bonds: [] };
  for (const object of answer.objects ?? []) {
    if (object.name.startsWith('cluster_') && object.bb) {
      const [a, b, c, d] = numbers(object.bb);
      layout.groups[Number(object.name.slice(8))] = { x: (a + c) / 2, y: height - (b + d) / 2, width: c - a, height: d - b };
    } else if (/^n\d+$/.test(object.name) && object.pos) {
      const [x, y] = numbers(object.pos);
      layout.boxes[Number(object.name.slice(1))] = { x, y: height - y, width: 72 * Number(object.width), height: 72 * Number(object.height) };
    }
  }
  for (const edge of answer.edges ?? []) if (edge.id) readEdge(edge, layout, answer);
  return layout;
}

// "s,x,y e,x,y x,y x,y ...": the tips of arrows come first.
function readEdge(edge, layout) {
  const { height } = layout;
  const points = [];
  let start, end;
  for (const word of edge.pos.split(/\s+/)) {
    const [x, y] = numbers(/^[se],/.test(word) ? word.slice(2) : word);
    const point = { x, y: height - y };
    if (word[0] === 's') start = point;
    else if (word[0] === 'e') end = point;
    else points.push(point);
  }
  if (start) points[0] = start;
  if (end) points[points.length - 1] = end;
  const curve = { points };
  if (edge.lp) {
    const [x, y] = numbers(edge.lp);
    curve.label = { x, y: height - y };
  }
  layout[edge.id.startsWith('link') ? 'links' : 'bonds'][Number(edge.id.slice(4))] = curve;
}

const patience = 12_000, impatience = 400; // milliseconds: for one layout, and where a newer one waits
let worker, loaded, running, queued;

// A layout; nothing where a newer one was wanted before this one was begun, {late} where it would take too long.
export async function layOut(dots) {
  await begun;
  return new Promise((resolve) => {
    queued?.resolve(undefined);
    queued = { dots, resolve };
    if (running && performance.now() - running.since > impatience) giveUp();
    go();
  });
}

function start() {
  worker = new Worker(new URL('./layouts.js', import.meta.url), { type: 'module' });
  loaded = new Promise((resolve) => (worker.onmessage = ({ data }) => (data.ready ? resolve() : finish(chosen(data)))));
}

async function go() {
  if (running || !queued) return;
  const mine = (running = { ...queued, since: Infinity });
  queued = undefined;
  if (!worker) start();
  await loaded;
  if (running !== mine) return;
  mine.since = performance.now();
  mine.timer = setTimeout(giveUp, patience);
  worker.postMessage({ ...mine.dots, wide });
}

function finish(layout) {
  clearTimeout(running.timer);
  const { resolve } = running;
  running = undefined;
  resolve(layout);
  go();
}

function giveUp() {
  worker.terminate();
  worker = undefined;
  finish({ late: true });
}

function chosen({ right, down, broken }) {
  if (broken !== undefined) return { late: true };
  const [first, second] = [readLayout(right), down && readLayout(down)];
  return second && second.width < 0.8 * first.width ? second : first;
}

// Boxes that somebody placed stand where they were put; their lines go straight.
export function withFixed(layout, scheme, places) {
  const moved = new Set();
  scheme.boxes.forEach((box, i) => {
    const at = places[box.name];
    if (!at || !layout.boxes[i]) return;
    layout.boxes[i] = { ...layout.boxes[i], x: at[0], y: at[1] };
    moved.add(i);
  });
  const straighten = (lines, curves) =>
    lines.forEach((line, i) => {
      if (moved.has(line.from) || moved.has(line.to)) curves[i] = straight(layout.boxes[line.from], layout.boxes[line.to]);
    });
  straighten(scheme.links, layout.links);
  straighten(scheme.bonds, layout.bonds);
  return layout;
}

// From edge to edge, as a curve that leaves and arrives the way a wire does.
function straight(a, b) {
  if (!a || !b) return undefined;
  if (a === b) {
    const x = a.x + a.width / 2, y = a.y;
    return { points: [{ x, y }, { x: x + 40, y }, { x: x + 20, y: y - a.height }, { x: a.x, y: y - a.height / 2 }] };
  }
  const edge = (from, to) => {
    const dx = to.x - from.x, dy = to.y - from.y;
    const scale = Math.min(from.width / 2 / (Math.abs(dx) || 1e-9), from.height / 2 / (Math.abs(dy) || 1e-9), 1);
    return { x: from.x + dx * scale, y: from.y + dy * scale };
  };
  const p = edge(a, b), q = edge(b, a);
  const between = (share) => ({ x: p.x + (q.x - p.x) * share, y: p.y + (q.y - p.y) * share });
  return { points: [p, between(1 / 3), between(2 / 3), q], label: { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 - 8 } };
}
