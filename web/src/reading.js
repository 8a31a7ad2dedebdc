// What a run says at a time: samples as they are, events with both limits and impulses, fractions where they are known.
import { numberText, germText, deltaText, byName } from './dom.js';

// The index of the first that is not smaller.
export function lowerBound(list, x) {
  let a = 0, b = list.length;
  while (a < b) {
    const middle = (a + b) >> 1;
    if (list[middle] < x) a = middle + 1;
    else b = middle;
  }
  return a;
}

const close = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

export class Reading {
  constructor(trace, exact, picture) {
    this.trace = trace;
    this.picture = picture;
    this.exact = exact;
    this.times = trace.samples.t;
    // One entry a time: what was before its first event, what is after the last one that was committed.
    this.events = [];
    for (const event of trace.events) {
      if (!event.committed) continue;
      let last = this.events.at(-1);
      if (last?.t !== event.t) this.events.push((last = { t: event.t, causes: new Set(), signals: byName() }));
      event.cause.forEach((name) => last.causes.add(name));
      for (const [name, jump] of Object.entries(event.signals)) {
        const known = last.signals[name];
        last.signals[name] = known
          ? { left: known.left, right: jump.right, impulses: sum(known.impulses, jump.impulses) }
          : jump;
      }
    }
    this.eventTimes = this.events.map((event) => event.t);
  }

  // The event or the sample that is nearest.
  near(t, reach) {
    const event = nearest(this.eventTimes, t);
    if (event !== undefined && Math.abs(this.eventTimes[event] - t) <= reach) return this.#atEvent(this.events[event]);
    const sample = nearest(this.times, t);
    return sample === undefined ? null : this.#atSample(sample);
  }

  #atSample(i) {
    const { samples } = this.trace;
    return {
      t: this.times[i],
      time: numberText(this.times[i], 9),
      words: (name) => numberText(samples[name]?.[i], 9),
    };
  }

  #atEvent(event) {
    const known = this.exact?.times.find((time) => close(time.value, event.t));
    return {
      t: event.t,
      time: numberText(event.t, 9) + (known && known.exact !== numberText(event.t, 9) ? ` = ${known.exact}` : ''),
      cause: [...event.causes].join(', '),
      words: (name) => this.#atJump(name, event),
    };
  }

  #atJump(name, event) {
    const jump = event.signals[name];
    if (!jump) return this.#unmoved(name, event.t);
    const fraction = this.exact?.signals.find((signal) => signal.name === name)?.impulses.find((i) => close(i.at.value, event.t));
    const impulses = fraction
      ? fraction.coefficients.map((c, order) => (c.value === 0 ? '' : `${c.exact === '1' ? '' : c.exact} ${deltaText(order)}`)).filter(Boolean).join(' + ')
      : germText(0, jump.impulses);
    const values = jump.left === jump.right ? numberText(jump.left) : `${numberText(jump.left)} → ${numberText(jump.right)}`;
    if (!jump.impulses.some((c) => c !== 0)) return values;
    return jump.left === 0 && jump.right === 0 ? impulses : `${values}, ${impulses}`;
  }

  // A signal that does not jump: the picture has it at the event itself, where it bends; samples lie around.
  #unmoved(name, t) {
    for (const panel of this.picture?.panels ?? [])
      for (const series of panel.series)
        if (series.name === name)
          for (const points of series.pieces) {
            const i = indexIn(points, t);
            if (i >= 0) return `≈ ${numberText(rounded(points[i + 1], panel.high - panel.low))}`;
          }
    return `≈ ${numberText(this.#between(name, t))}`;
  }

  // From the samples around.
  #between(name, t) {
    const values = this.trace.samples[name];
    if (!values) return null;
    const i = Math.min(Math.max(1, lowerBound(this.times, t)), this.times.length - 1);
    const [a, b] = [this.times[i - 1], this.times[i]];
    const share = b > a ? Math.min(1, Math.max(0, (t - a) / (b - a))) : 0;
    return values[i - 1] + share * (values[i] - values[i - 1]);
  }

  // A value at a time of an animation.
  at(name, t) {
    const values = this.trace.samples[name];
    if (!values?.length) return 0;
    const i = lowerBound(this.times, t);
    if (i === 0) return values[0];
    if (i >= values.length) return values.at(-1);
    // Not across a jump.
    const from = this.times[i - 1], to = this.times[i];
    const e = lowerBound(this.eventTimes, from);
    const event = this.events[e];
    if (event && event.t > from && event.t <= to && event.signals[name]) {
      const { left, right } = event.signals[name];
      if (t < event.t) return values[i - 1] + ((t - from) / (event.t - from)) * (left - values[i - 1]);
      return to > event.t ? right + ((t - event.t) / (to - event.t)) * (values[i] - right) : right;
    }
    return to > from ? values[i - 1] + ((t - from) / (to - from)) * (values[i] - values[i - 1]) : values[i];
  }

  first() {
    return this.times[0];
  }

  last() {
    return this.times.at(-1);
  }

  step(t, by) {
    const i = nearest(this.times, t) + by;
    return this.times[Math.max(0, Math.min(this.times.length - 1, i))];
  }

  event(t, by) {
    const later = this.eventTimes.filter((e) => (by > 0 ? e > t + 1e-12 * Math.abs(t) : e < t - 1e-12 * Math.abs(t)));
    return by > 0 ? later[0] : later.at(-1);
  }
}

function sum(a, b) {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => (a[i] ?? 0) + (b[i] ?? 0));
}

// Curves are drawn through values that are good to some millionths of what they span.
const rounded = (x, span) => (span > 0 ? Math.round(x / (span * 1e-5)) * span * 1e-5 : x);

// Where a time stands among [t, value, t, value, ...]; -1 where it does not.
function indexIn(points, t) {
  let a = 0, b = points.length / 2;
  while (a < b) {
    const middle = (a + b) >> 1;
    if (points[2 * middle] < t) a = middle + 1;
    else b = middle;
  }
  return points[2 * a] === t ? 2 * a : -1;
}

function nearest(list, t) {
  if (!list.length) return undefined;
  const i = lowerBound(list, t);
  if (i === 0) return 0;
  return i === list.length || t - list[i - 1] < list[i] - t ? i - 1 : i;
}
