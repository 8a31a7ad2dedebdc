// Draws boxes, links, bonds with half arrows and causal strokes.
import { s } from './dom.js';

const margin = 16;

const direction = (a, b) => {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  return length < 1e-9 ? { x: 1, y: 0 } : { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
};
const moved = (p, d, along, across) => ({ x: p.x + along * d.x - across * d.y, y: p.y + along * d.y + across * d.x });

// At the last point, along the curve; points may coincide.
function arrival(points) {
  const end = points.at(-1);
  for (let i = points.length - 2; i >= 0; --i) if (Math.hypot(end.x - points[i].x, end.y - points[i].y) > 1) return direction(points[i], end);
  return { x: 1, y: 0 };
}

// Some lines are told backwards; a curve goes from its box to its box.
function oriented(points, from, to) {
  if (!from || !to || from === to) return points;
  const far = (p, a) => Math.hypot(Math.max(0, Math.abs(p.x - a.x) - a.width / 2), Math.max(0, Math.abs(p.y - a.y) - a.height / 2));
  const [first, last] = [points[0], points.at(-1)];
  return far(last, from) + far(first, to) < far(first, from) + far(last, to) ? points.toReversed() : points;
}

function path(kind, points, last) {
  const list = [...points.slice(0, -1), last];
  return s('path', { class: kind, d: list.map((p, i) => `${i === 0 ? 'M' : i % 3 === 1 ? 'C' : ' '}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join('') });
}

function tip(kind, end, d, size) {
  const a = moved(end, d, -size, size * 0.42), b = moved(end, d, -size, -size * 0.42);
  return s('path', { class: kind, d: `M${end.x} ${end.y}L${a.x} ${a.y}L${b.x} ${b.y}Z` });
}

const line = (kind, a, b) => s('line', { class: kind, x1: a.x, y1: a.y, x2: b.x, y2: b.y });
const kindOf = (link) => (link.control ? 'control' : link.regularity.startsWith('delta') ? 'impulse' : link.loop > 0 ? 'loop' : 'link');

// With the keyboard, too.
const reachable = { tabindex: '0', role: 'button', 'aria-pressed': 'false' };

function drawLink(link, curve, boxes, areas, editable) {
  if (!curve || curve.points.length < 4) return null;
  const points = oriented(curve.points, areas[link.from], areas[link.to]);
  const kind = kindOf(link), d = arrival(points), end = points.at(-1), size = kind === 'impulse' ? 9 : 7.5;
  const title = `${boxes[link.from].name} → ${boxes[link.to].name}${link.control ? '' : `: ${link.signal}, ${link.regularity}`}`;
  return s('g', { class: `wire ${kind}`, ...(link.control || !editable ? {} : { 'data-from': boxes[link.from].name, 'data-to': boxes[link.to].name, ...reachable }), 'aria-label': `wire ${title}` }, s('title', null, title), !link.control && path('reach', points, end), path('stroke', points, moved(end, d, -size + 1, 0)), tip('tip', end, d, size),
    curve.label && !link.control && s('text', { class: 'label', x: curve.label.x, y: curve.label.y + 3.5 }, link.regularity));
}

// The half arrow points along positive power; the stroke stands where the effort arrives.
function drawBond(bond, curve, areas, editable) {
  if (!curve || curve.points.length < 4) return null;
  const points = oriented(curve.points, areas[bond.from], areas[bond.to]);
  const ahead = arrival(points), behind = arrival(points.toReversed());
  const head = moved(points.at(-1), ahead, -2, 0), tail = moved(points[0], behind, -2, 0);
  const stroke = (end, d) => line('stroke causal', moved(end, d, 0, 8), moved(end, d, 0, -8));
  return s('g', { class: bond.impulse ? 'bond impulsive' : 'bond', 'data-bond': bond.name, 'data-effort': bond.effort_by, ...(editable ? reachable : {}), 'aria-label': `bond ${bond.name}` },
    s('title', null, `${bond.text}${bond.effort_by === 'nobody' ? '' : `; the effort is set ${bond.effort_by === 'from' ? 'at its tail' : 'at its head'}`}`),
    path('reach', points, points.at(-1)), path('stroke', points, head), line('stroke', head, moved(head, ahead, -11, 6)),
    bond.effort_by === 'from' && stroke(head, ahead), bond.effort_by === 'to' && stroke(tail, behind),
    curve.label && s('text', { class: 'label', x: curve.label.x, y: curve.label.y + 3.5 }, bond.text));
}

function drawBox(box, area, editable) {
  if (!area) return null;
  const small = area.width < 44; // a sum is a circle, and its name stands below
  const rounded = small ? area.width / 2 : box.shape === 'terminal' || box.shape === 'junction' ? area.height / 2 : box.shape === 'automaton' ? 10 : 4;
  const rect = (kind, grow, ...inside) => s('rect', { class: kind, x: area.x - area.width / 2 - grow, y: area.y - area.height / 2 - grow, width: area.width + 2 * grow, height: area.height + 2 * grow, rx: rounded }, ...inside);
  const lines = [box.title, ...box.lines, ...(box.dependent ? ['derivative causality'] : [])];
  const top = small ? area.y + area.height / 2 + 10 : area.y - (lines.length - 1) * 7;
  const kind = `box ${box.shape}${box.off ? ' off' : ''}${box.dependent ? ' dependent' : ''}${box.loop ? ' looped' : ''}`;
  return s('g', { class: kind, 'data-box': box.name, 'data-x': area.x, 'data-y': area.y, tabindex: editable ? '0' : undefined, role: editable ? 'button' : undefined },
    box.many && rect('face', -3), rect('face', 0, s('title', null, box.about)),
    (small ? lines.slice(0, 1) : lines).map((text, i) => s('text', { class: i === 0 ? 'title' : 'detail', x: area.x, y: top + i * 14 + 4, 'text-anchor': 'middle' }, text)),
    box.order && s('text', { class: 'order', x: area.x - area.width / 2 + 4, y: area.y - area.height / 2 - 3 }, box.order),
    editable && s('circle', { class: 'handle', cx: area.x + area.width / 2, cy: area.y, r: 6 }));
}

export function drawScheme(scheme, layout, editable) {
  const seen = layout.boxes.filter(Boolean);
  const left = Math.min(0, ...seen.map((a) => a.x - a.width / 2)) - margin, top = Math.min(0, ...seen.map((a) => a.y - a.height / 2)) - margin;
  const width = Math.max(layout.width, ...seen.map((a) => a.x + a.width / 2)) + margin - left;
  const height = Math.max(layout.height, ...seen.map((a) => a.y + a.height / 2)) + margin - top;
  return s('svg', { class: 'scheme', viewBox: `${left} ${top} ${width} ${height}`, width, height, role: 'group', 'aria-label': `${scheme.title}${scheme.mode ? `, mode: ${scheme.mode}` : ''}` },
    scheme.groups.map((group, i) => layout.groups[i] && s('g', { class: 'group' },
      s('rect', { x: layout.groups[i].x - layout.groups[i].width / 2, y: layout.groups[i].y - layout.groups[i].height / 2, width: layout.groups[i].width, height: layout.groups[i].height, rx: 8 }),
      s('text', { x: layout.groups[i].x - layout.groups[i].width / 2 + 8, y: layout.groups[i].y - layout.groups[i].height / 2 + 15 }, group.title))),
    scheme.links.map((link, i) => drawLink(link, layout.links[i], scheme.boxes, layout.boxes, editable)),
    scheme.bonds.map((bond, i) => drawBond(bond, layout.bonds[i], layout.boxes, editable)),
    scheme.boxes.map((box, i) => drawBox(box, layout.boxes[i], editable)));
}
