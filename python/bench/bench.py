"""What Python costs beside C++, in seconds of the processor, by turns; the best of each counts."""

import argparse
import json
import pathlib
import subprocess
import sys
import time

import numpy

import deltaflow

ROOT = pathlib.Path(__file__).resolve().parents[2]
BALL = str(ROOT / "diagrams/bouncing_ball.toml")


def once(work, n):
    begin = time.process_time()
    for _ in range(n):
        work()
    return (time.process_time() - begin) / n


def side_by_side(program, what, work, n, rounds):
    """Seconds in Python and in C++."""
    work()
    python, cpp = [], []
    for _ in range(rounds):
        python.append(once(work, n))
        cpp.append(float(subprocess.run([program, BALL, what, str(n)], capture_output=True, check=True).stdout))
    return min(python), min(cpp)


def stepper():
    simulation = deltaflow.Simulation(deltaflow.load(BALL), keep=False)
    t = 0.0

    def advance():
        nonlocal t
        t += 1e-7
        simulation.advance_to(t)

    return advance


def measured(program, rounds, samples):
    results = []

    def tell(name, value, unit, target):
        results.append({"name": f"python: {name}", "value": value, "unit": unit, "target": target})

    python, cpp = side_by_side(program, "load_and_run", lambda: deltaflow.load(BALL).run(), 300, rounds)
    tell("load and run the ball", 1e6 * python, "us", 150)
    tell("load and run the ball, against C++", python / cpp, "ratio", 1.3)
    model = deltaflow.load(BALL)
    python, cpp = side_by_side(program, "run", model.run, 1000, rounds)
    tell("a run of a loaded model", 1e6 * python, "us", 40)
    tell("a run of a loaded model, against C++", python / cpp, "ratio", 1.5)
    python, cpp = side_by_side(program, "advance_to", stepper(), 2000, rounds)
    tell("advance_to, above C++", 1e6 * (python - cpp), "us", 2)

    run = deltaflow.loads("[blocks]\nx = 't'\n").run(stop=1, every=1 / samples)
    view = min(once(lambda: run["x"], 100) for _ in range(rounds))
    copy = min(once(lambda: numpy.array(run["x"]), 1) for _ in range(3))
    assert len(run["x"]) == samples + 1
    tell(f"an array of {samples} samples, against a copy", view / copy, "ratio", 0.01)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", help="write the results into this file")
    parser.add_argument("--program", default=str(ROOT / "build/python/deltaflow_by_cpp"))
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--samples", type=int, default=10_000_000)
    options = parser.parse_args()
    results = measured(options.program, options.rounds, options.samples)
    for row in results:
        mark = "" if row["value"] <= row["target"] else "   <- missed"
        print(f"{row['name']:<60} {row['value']:10.4g} {row['unit']:<6} (target {row['target']:g}){mark}")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
