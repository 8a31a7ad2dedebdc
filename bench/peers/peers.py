#!/usr/bin/env python3
"""The same work by Deltaflow and by what people would use instead: processor time and error side by side.

peers.py DELTAFLOW BY_CVODE [--only CASE] [--rounds N] [--readme FILE]

Each answer is a process of its own. Where it tells how long the work itself took, that counts, and starting the
interpreter does not; of Deltaflow the whole process counts, reading the model among it. The shortest of a few rounds.
Errors are against closed forms, or against series of 30 terms (van der Pol), or against the published reference
(Robertson: Hairer and Wanner), and relative, the worst of the numbers that a case asks for.
"""
import argparse
import csv
import math
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
g = 9.81


def height(h, e, stop):
    """A bouncing ball in closed form."""
    t = math.sqrt(2 * h / g)
    if stop < t:
        return h - g * stop * stop / 2
    v = e * g * t
    while t + 2 * v / g < stop:
        t, v = t + 2 * v / g, e * v
    return v * (stop - t) - g * (stop - t) ** 2 / 2


def ladder_voltages(stages, n=10000, rate=1e5, source=5.0, t=10.0):
    """Sines that are zero at the source and flat at the end: theta = (2 j - 1) pi / (2 n + 1)."""
    voltages = []
    for k in stages:
        terms = []
        for j in range(1, n + 1):
            theta = (2 * j - 1) * math.pi / (2 * n + 1)
            decay = math.exp(-4 * rate * t * math.sin(theta / 2) ** 2)
            terms.append(2 / (2 * n + 1) / math.tan(theta / 2) * math.sin(k * theta) * decay)
        voltages.append(source * (1 - math.fsum(terms)))
    return voltages


def bridge_voltage(stop=1.0, top=10.0, w=100 * math.pi, rs=1.0, c=2e-4, r=100.0):
    """Half wave by half wave: the capacitor discharges alone until it meets the source, and follows it with
    v' = (u - v)/(rs c) - v/(r c) until the current is zero; each piece in closed form, its end by bisection."""
    a = 1 / (rs * c) + 1 / (r * c)
    b = top / (rs * c) / (a * a + w * w)
    forced = lambda s: b * (a * math.sin(w * s) - w * math.cos(w * s))

    def conducting(v, s0):
        return lambda s: forced(s) + (v - forced(s0)) * math.exp(-a * (s - s0))

    def root(f, lo, hi):
        sign = f(lo) > 0
        for _ in range(200):
            middle = (lo + hi) / 2
            lo, hi = (middle, hi) if (f(middle) > 0) == sign else (lo, middle)
        return hi

    half, v = math.pi / w, 0.0
    for _ in range(round(stop / half)):
        alone = lambda s, v=v: v * math.exp(-s / (r * c))
        over = lambda s: top * math.sin(w * s) - alone(s)
        on = root(over, 0.0, half / 2) if v > 0 else 0.0
        charge = conducting(alone(on), on)
        off = root(lambda s: top * math.sin(w * s) - charge(s), half / 2, half)
        v = charge(off) * math.exp(-(half - off) / (r * c))
    return v


def oscillator_end(mu, stop=20.0, order=30):
    """Van der Pol's equation by Taylor series with steps of 1/50: products of series by Cauchy's rule."""
    x, v, h = 2.0, 0.0, 0.02
    for _ in range(round(stop / h)):
        xs, vs = [x], [v]
        for k in range(order):
            square = [sum(xs[i] * xs[m - i] for i in range(m + 1)) for m in range(k + 1)]
            cubic = sum(square[i] * vs[k - i] for i in range(k + 1))
            xs.append(vs[k] / (k + 1))
            vs.append((mu * (vs[k] - cubic) - xs[k]) / (k + 1))
        x = math.fsum(c * h**k for k, c in enumerate(xs))
        v = math.fsum(c * h**k for k, c in enumerate(vs))
    return x


references = {
    "ball": lambda: [height(10, 0.99, 180)],
    "balls": lambda: [height(5 + i / 200, 0.9, 5) for i in (0, 499, 999)],
    "robertson": lambda: [0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050],
    "ladder": lambda: ladder_voltages([100, 1000, 3000]),
    "bridge": lambda: [bridge_voltage()],
    "sweep": lambda: [oscillator_end(0.5 + k / 500) for k in range(0, 1000, 100)],
}
about = {
    "ball": "a ball, 100 bounces, tolerance 1e-10",
    "balls": "1000 balls, 5 s",
    "robertson": "Robertson's reactions to 1e11 s, 1e-8",
    "ladder": "RC ladder of 10,000 stages, 1e-6",
    "bridge": "diode bridge, 50 periods, 1e-9",
    "sweep": "1000 runs of van der Pol's equation, 1e-8",
}


def run(command):
    """Its last line on standard output, and the processor time it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, env={**os.environ, "OMP_NUM_THREADS": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not done.stdout.strip():
        raise RuntimeError(done.stderr.strip()[-300:] or "no answer")
    return done.stdout.strip().splitlines(), taken


def by_deltaflow(program, case):
    if case == "sweep":
        lines, taken = run([program, "sweep", here / "oscillator.toml", "--over", "mu=0.5:2.498:1/500", "--jobs", "1",
                            "--csv", "-", "--quiet"])
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
        return taken, [float(row["x"]) for row in rows[::100]]
    lines, taken = run([program, "run", here / f"{case}.toml", "--csv", "-"])
    last = dict(zip(lines[0].split(","), lines[-1].split(",")))
    names = [n for n in lines[0].split(",")[4:] if not n.split(".")[-1].startswith("delta")]
    return taken, [float(last[n]) for n in names]


def by_command(*command):
    def answer(case):
        lines, _ = run([*command, case])
        seconds, *numbers = map(float, lines[-1].removeprefix("numbers ").split())
        return seconds, numbers

    return answer


def error(numbers, expected):
    if len(numbers) != len(expected):
        raise RuntimeError(f"{len(numbers)} numbers instead of {len(expected)}")
    return max(abs(a - b) / abs(b) for a, b in zip(numbers, expected))


def cell(answer, case, expected, rounds):
    try:
        answers = [answer(case) for _ in range(rounds)]
    except (RuntimeError, subprocess.TimeoutExpired, ValueError) as failure:
        print(f"{case}: {failure}", file=sys.stderr)
        return "fails"
    return f"{min(a[0] for a in answers):.2g} s, {error(answers[0][1], expected):.0e}"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("deltaflow")
    p.add_argument("cvode")
    p.add_argument("--only", choices=list(about))
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--readme", type=Path)
    options = p.parse_args()
    python = "/usr/bin/python3"
    peers = {
        "Deltaflow": lambda case: by_deltaflow(options.deltaflow, case),
        "CVODE by hand": by_command(options.cvode),
        "SciPy": by_command(python, here / "by_scipy.py"),
        "Octave": by_command("octave-cli", "--norc", "--quiet", here / "by_octave.m"),
        "Siconos": by_command(python, here / "by_siconos.py"),
    }
    table = ["| case | " + " | ".join(peers) + " |", "|---" * (len(peers) + 1) + "|"]
    print("\n".join(table), flush=True)
    for case, words in about.items():
        if options.only and case != options.only:
            continue
        expected = references[case]()
        row = [words]
        for name, answer in peers.items():
            suits = name != "Siconos" or case in ("ball", "balls", "bridge")
            row.append(cell(answer, case, expected, options.rounds) if suits else "-")
        table.append("| " + " | ".join(row) + " |")
        print(table[-1], flush=True)
    if options.readme:
        text = options.readme.read_text()
        marked = re.compile(r"(<!-- peers -->\n).*?(<!-- end of peers -->)", re.S)
        options.readme.write_text(marked.sub(lambda m: m[1] + "\n".join(table) + "\n" + m[2], text))


if __name__ == "__main__":
    main()
