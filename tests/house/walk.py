#!/usr/bin/env python3
"""Walks a bouncing ball through the program, by callgrind, and counts what a reader would have to open.

walk.py PROGRAM OBJECTS RATCHETS: OBJECTS is the folder of object files that the program was linked of.
Files: those whose functions run between the model file and the JSON trace. Hops: pairs of a function and one in
another file that it calls, at every bounce, but for writing it down. Functions of headers belong to the files that call
them.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

MODEL = """name = "Ball"
[blocks]
a = "-9.81 + F"
F = "-(1 + 1) * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v = { type = "integrator", in = "a" }
y = { type = "integrator", in = "v", initial = 10 }
[simulation]
stop = %d
"""


def homes(objects):
    """For each function the files that define it; none for those of headers."""
    found = collections.defaultdict(set)
    for path in pathlib.Path(objects).rglob("*.cpp.o"):
        match = re.search(r"\.dir/(.*\.cpp)\.o$", str(path))
        if not match or not (ROOT / match[1]).exists():
            continue
        for line in subprocess.run(["nm", "--defined-only", path], capture_output=True, text=True).stdout.splitlines():
            kind, name = line.split()[-2:]
            if kind in "tT" and "9deltaflow" in name and not name.startswith(("_GLOBAL_", "_ZNSt", "_ZSt", "_ZNKSt")):
                found[re.sub(r"(\.(constprop|isra|part|cold|lto_priv)\.?\d*)+$", "", name)].add(match[1])
    return found


def calls(program, stop):
    """How often each function calls each other one."""
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "ball.toml"
        model.write_text(MODEL % stop)
        out = pathlib.Path(folder) / "out"
        subprocess.run(["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={out}", program, "run",
                        model, "--quiet", "--threads", "1", "--json", f"{folder}/trace.json"],
                       check=True, capture_output=True)
        names, counts, here, there = {}, collections.Counter(), None, None
        for line in out.read_text().splitlines():
            match = re.match(r"(c?fn)=\((\d+)\)(?: (.*))?$", line)
            if match:
                if match[3]:
                    names[match[2]] = re.sub(r"('\d+|(\.(constprop|isra|part|cold)\.?\d*)+)$", "", match[3])
                if match[1] == "fn":
                    here = names[match[2]]
                else:
                    there = names[match[2]]
            elif line.startswith("calls="):
                counts[here, there] += int(line[6:].split()[0])
        return counts


def main(program, objects, ratchets):
    known = homes(objects)
    short, long = calls(program, 20), calls(program, 60)
    bounces = 14  # between 20 s and 60 s: one every 2 sqrt(2 h / g)
    callers = collections.defaultdict(set)
    for caller, callee in long:
        callers[callee].add(caller)

    def files(function, seen=()):
        """Where it is written; where it comes from a header, who calls it."""
        if function in known:
            return known[function]
        if function in seen:
            return set()
        return set().union(*(files(c, (*seen, function)) for c in callers[function]), set()) if len(seen) < 6 else set()

    entered = set().union(*(known[f] for pair in long for f in pair if len(known.get(f, ())) == 1))
    hops = set()
    for (caller, callee), count in long.items():
        if count - short[caller, callee] < bounces or callee not in known:
            continue
        if any(f.startswith("report/") for f in known[callee]):
            continue
        if files(caller) and not files(caller) & known[callee]:
            hops.add((caller, callee))
    where = {f for pair in hops for f in known[pair[1]] if len(known[pair[1]]) == 1}
    figures = {"files that a ball walks through": len(entered), "hops of a bounce": len(hops)}
    print(f"{len(entered)} files; a bounce: {len(hops)} hops, {len(where)} files")
    if "--list" in sys.argv:
        print(*sorted(entered), sep="\n")
        for caller, callee in sorted(hops, key=lambda h: sorted(known[h[1]])):
            names = subprocess.run(["c++filt", caller, callee], capture_output=True, text=True).stdout.split("\n")
            print(" -> ".join(n.split("(")[0] for n in names[:2]), sorted(known[callee]))
    limits = dict(line.rsplit(None, 1) for line in pathlib.Path(ratchets).read_text().splitlines()
                  if line and not line.startswith("#"))
    limits = {name.strip(): int(number) for name, number in limits.items()}
    worse = [name for name, number in figures.items() if number > limits[name]]
    for name in worse:
        print(f"{name}: {figures[name]}, and it was {limits[name]}")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(*[a for a in sys.argv[1:] if a != "--list"]))
