#!/usr/bin/env python3
"""Kills studies at random moments and goes on with them: kill.py PROGRAM [PROGRAM_WITH_MPI] [--times N] [--seed S].

The files that come out in the end must be those of an undisturbed run, byte by byte: of one process, of parts that are
put together, and of ranks under mpirun.
"""
import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

MODEL = """
name = "Swinging"
[parameters]
w = 1.0
[blocks]
v = { type = "integrator", in = "-w*sin(x)" }
x = { type = "integrator", in = "v", initial = 1 }
[simulation]
stop = 60
"""


class Study:
    """One way to run the study: command lines that go on until each has ended by itself."""

    def __init__(self, folder, commands, after=None):
        self.folder, self.commands, self.after = folder, commands, after

    def run(self, chance, seconds):
        """Kills each command within so many seconds, as often as it takes, and tells how often it did."""
        kills = 0
        for command in self.commands:
            while True:
                process = subprocess.Popen(command + ["--resume", "--quiet"], cwd=self.folder, start_new_session=True,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                try:
                    complaint = process.communicate(timeout=chance.uniform(0.02, seconds))[1]
                    if process.returncode != 0:
                        sys.exit(f"{' '.join(command)} ended with {process.returncode}: {complaint.decode()}")
                    break
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.communicate()
                    kills += 1
                    seconds *= 1.05  # it comes to an end some day
        if self.after:
            subprocess.run(self.after, cwd=self.folder, check=True)
        return kills


def studies(program, many, folder):
    sweep = [program, "sweep", "model.toml", "--over", "w=uniform:1:2", "--runs", "400"]
    yield "one process", "rows.csv", Study(folder, [sweep + ["--csv", "rows.csv"]])
    yield "lines of JSON", "rows.jsonl", Study(folder, [sweep + ["--jsonl", "rows.jsonl"]])
    parts = [f"part{k}.csv" for k in (1, 2, 3)]
    yield "parts", "rows.csv", Study(
        folder, [sweep + ["--shard", f"{k}/3", "--csv", part] for k, part in enumerate(parts, 1)],
        [program, "sweep", "merge", *reversed(parts), "--output", "rows.csv"])
    if many:
        start = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3", many]
        yield "ranks", "rows.csv", Study(folder, [start + sweep[1:] + ["--csv", "rows.csv"]])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--times", type=int, default=40, help="kills of each kind, at least")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    programs = [str(pathlib.Path(p).resolve()) for p in given.programs if p]
    program, many = programs[0], programs[1] if len(programs) > 1 else None
    chance = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as top:
        whole = {}
        count = len(list(studies(program, many, top)))
        for number in range(count):
            kills = rounds = 0
            while kills < given.times:
                folder = pathlib.Path(top) / f"{number}-{rounds}"
                folder.mkdir()
                (folder / "model.toml").write_text(MODEL)
                kind, result, study = list(studies(program, many, folder))[number]
                if not whole:
                    begun = time.monotonic()
                    sweep = [program, "sweep", "model.toml", "--over", "w=uniform:1:2", "--runs", "400", "--quiet"]
                    subprocess.run(sweep + ["--csv", "whole.csv", "--jsonl", "whole.jsonl"], cwd=folder, check=True)
                    lasts = time.monotonic() - begun
                    whole = {".csv": (folder / "whole.csv").read_bytes(), ".jsonl": (folder / "whole.jsonl").read_bytes()}
                kills += study.run(chance, max(0.1, lasts / 3 + (0.5 if kind == "ranks" else 0)))
                rounds += 1
                if (folder / result).read_bytes() != whole[pathlib.Path(result).suffix]:
                    sys.exit(f"{kind}: {folder / result} is not what an undisturbed run writes")
            print(f"{kind}: {kills} kills in {rounds} studies; every file is what an undisturbed run writes")


if __name__ == "__main__":
    main()
