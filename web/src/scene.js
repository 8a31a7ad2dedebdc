// What a model says of how it is drawn: [animation], shapes whose places are numbers or expressions of signals.
import { surface, said, addEntry, applied } from './surface.js';

// Each shape and the keys that place it, with what they are if they are not given.
export const shapes = {
  ball: { x: '0', y: '0', size: '0.5' }, // the middle and the radius
  box: { x: '0', y: '0', width: '1', height: '0.6', angle: '0' }, // the middle, and the angle in radians
  line: { x: '0', y: '0', x2: '1', y2: '0' },
  spring: { x: '0', y: '0', x2: '1', y2: '0' },
  ground: { y: '0' }, // with what is below it
  wall: { x: '0' },
  label: { x: '0', y: '0', value: '0' },
};

// [{name, shape, places: {x: "expression"}}], in the order of the text.
export function sceneOf(text) {
  const scene = [];
  for (const table of surface(text)) {
    if (table.name !== 'animation') continue;
    for (const { key, value } of table.entries) {
      const members = Object.fromEntries((value.members ?? []).map((m) => [m.key, said(text, m.value)]));
      if (!Object.hasOwn(shapes, members.shape)) continue;
      const known = shapes[members.shape];
      const places = Object.fromEntries(Object.entries(known).map(([name, fallback]) => [name, members[name] ?? fallback]));
      scene.push({ name: key, shape: members.shape, places });
    }
  }
  return scene;
}

const isNumber = (text) => text.trim() !== '' && Number.isFinite(Number(text));

// The model with a block for each expression, which the engine works out like any other.
export function bound(text, scene) {
  const record = [];
  let now = text;
  const shapes = scene.map((item, i) => ({
    ...item,
    places: Object.fromEntries(Object.entries(item.places).map(([key, words]) => {
      if (isNumber(words)) return [key, Number(words)];
      const name = `animation_${i}_${key}`;
      now = applied(now, addEntry(now, 'blocks', name, `"${words.replace(/[\\"]/g, '\\$&')}"`));
      record.push(name);
      return [key, name];
    })),
  }));
  return { text: now, record, shapes };
}
