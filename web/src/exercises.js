// The answers of the course that can be checked: a number, or a number with impulses.

// "-2 + 3/2 delta - delta'" as [value, coefficient of delta, of delta', ...]; undefined for anything else.
export function readAnswer(text) {
  let rest = text.trim().toLowerCase().replaceAll('−', '-').replaceAll('δ', ' delta').replaceAll('″', "''").replaceAll('′', "'").replace(/\*/g, ' ');
  if (!rest) return undefined;
  const sum = [0];
  const term = /^\s*([+-]?)\s*(\d+(?:\.\d*)?(?:e-?\d+)?|\.\d+)?(?:\s*\/\s*(\d+(?:\.\d+)?))?\s*(pi)?(?:\s*\/\s*(\d+(?:\.\d+)?))?\s*(delta('*))?/;
  for (let first = true; rest.trim(); first = false) {
    const [all, sign, number, by, pi, by2, delta, primes] = rest.match(term);
    if (!all.trim() || (!number && !pi && !delta) || (!first && !sign)) return undefined;
    const size = (number ? Number(number) : 1) * (pi ? Math.PI : 1) / Number(by ?? 1) / Number(by2 ?? 1);
    const order = delta ? 1 + primes.length : 0;
    sum[order] = (sum[order] ?? 0) + (sign === '-' ? -size : size);
    rest = rest.slice(all.length);
  }
  return Array.from(sum, (x) => x ?? 0);
}

const near = (a, b, tolerance) => Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b));

// As precisely as people copy numbers from a listing.
export function agrees(text, answer, tolerance = 1e-3) {
  const [given, right] = [readAnswer(text), readAnswer(answer)];
  if (!given) return false;
  return Array.from({ length: Math.max(given.length, right.length) }, (_, i) => near(given[i] ?? 0, right[i] ?? 0, tolerance)).every(Boolean);
}

const is = (answer, hint, tolerance) => ({ hint, check: (text) => agrees(text, answer, tolerance) });
const between = (low, high, hint) => ({ hint, check: (text) => { const given = readAnswer(text); return given?.length === 1 && given[0] > low && given[0] <= high; } });

// The first of them is right; they are shown in the order of the alphabet.
const choice = (...options) => ({ options: [...options].sort(), check: (text) => text === options[0] });

// By chapter: the number of the exercise, and what is right.
export const exercises = {
  '00': [[1, is('3/4', 'a speed')], [2, is('-2.1611', 'J')]],
  '01': [[1, is('pi/2', 'a time')], [2, between(0, 0.0024, 'a width')]],
  '02': [[1, is("-1 delta'", 'pair at t = 1')], [2, is('2 delta', 'for example 3 delta')]],
  '03': [[1, is('2 delta', "for example 3 delta'")], [2, is('delta', "for example 3 delta'")]],
  '04': [[1, is('6 delta', 'for the mass 2')], [2, is("5 + 3 delta + 2 delta'", 'for m = 2, c = 3, k = 5')]],
  '05': [[1, is('2', 'crossings with n = 3')], [2, is('0', 'how often')]],
  '06': [[1, is('10.9371', 'a speed')], [2, choice('pre(v - w) instead of pre(v)', 'pre(v) + w instead of pre(v)', 'e - w instead of e', 'nothing')]],
  '07': [[1, choice('it warns, and the run goes on', 'it warns, and the run stops', 'it does not warn, and the run goes on')], [2, choice('it is not defined', '1 delta', '1/2 delta', '0')]],
  '08': [[1, is('3000', 'a height')], [2, choice('yes', 'no, rounding takes over', 'no, it is too long')]],
  '09': [[1, is('0.5', 'a speed')], [2, choice('for none', 'for 2, the mass of the first', 'for a very large one')]],
  10: [[1, is('0.6', 'F_th')], [2, is('14', 'instants with 8 balls')]],
  11: [[1, is('0.7423', 'mu', 2e-3)], [2, is('-0.395889', 'vAx')]],
  12: [[1, is('1.35457', 't, for e = 1/2')], [2, choice('between -1 and 1; with -1.5 it passes through', 'for all; with -1.5 it slides, too', 'for none')]],
  13: [[1, is('9', 'k')], [2, is('5', 'islands')]],
};
