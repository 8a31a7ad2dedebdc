#!/usr/bin/env python3
"""Runs the program and does harm at random moments: no file may be torn or lost, no exit code may be wrong.

faults.py PROGRAM [MOMENTS [SEED]]
"""
import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

MODEL = """name = "Ball"
[blocks]
a   = "-9.81 + F"
F   = "-1.9 * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v   = { type = "integrator", in = "a" }
y   = { type = "integrator", in = "v", initial = 10 }
[simulation]
stop   = 20
every  = "1/5000"
record = ["y", "v", "F"]
"""
OUTPUTS = {"--csv": "out.csv", "--json": "out.json", "--svg": "out.svg"}
OLD = "old\n" * 1000
LENGTH = 0.5  # seconds that a run takes here, now; measured before the first moment


def fail(text):
    raise AssertionError(text)


class Place:
    """A folder with a model and files that are there already; nobody else's if we are root."""

    def __init__(self, program):
        self.program = program
        self.folder = tempfile.mkdtemp(prefix="deltaflow_faults_")
        self.write("model.toml", MODEL)
        for name in OUTPUTS.values():
            self.write(name, OLD)
        if os.geteuid() == 0:
            os.chown(self.folder, 65534, 65534)
            for name in os.listdir(self.folder):
                os.chown(self.path(name), 65534, 65534)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def start(self, arguments, before=lambda: None, **streams):
        def prepare():
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            before()

        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **streams}
        return subprocess.Popen([self.program, *arguments], cwd=self.folder, preexec_fn=prepare, **streams)

    def run_arguments(self):
        return ["run", "model.toml", "--quiet"] + [word for pair in OUTPUTS.items() for word in pair]

    def check(self, must_be_old=False):
        if self.read("model.toml") != MODEL:
            fail("the model has changed")
        for name in OUTPUTS.values():
            text = self.read(name)
            if text == OLD:
                continue
            if must_be_old:
                fail(f"{name} was touched")
            whole(name, text)

    def litter(self):
        return [name for name in os.listdir(self.folder) if name.endswith(".deltaflow")]

    def remove(self):
        os.chmod(self.folder, 0o700)
        shutil.rmtree(self.folder)


def whole(name, text):
    """Neither torn nor mixed."""
    if name.endswith(".json"):
        json.loads(text)
    elif name.endswith(".svg"):
        if not (text.startswith("<") and text.rstrip().endswith("</svg>")):
            fail(f"{name} is torn")
    else:
        lines = text.split("\n")
        if lines.pop() != "" or any(line.count(",") != lines[0].count(",") for line in lines):
            fail(f"{name} is torn")


def code_of(process, allowed):
    code = process.wait(timeout=600)  # a machine may be busy
    if code not in allowed:
        fail(f"exit code {code}, not one of {allowed}")
    return code


def wait_a_moment(dice):
    """Anywhere from before the run to behind it."""
    time.sleep(dice.uniform(0, 1.2 * LENGTH))


def by_signal(place, dice):
    number = dice.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
    process = place.start(place.run_arguments())
    wait_a_moment(dice)
    process.send_signal(number)
    code_of(process, {0, -number} if number == signal.SIGKILL else {0, -number, 128 + number})
    place.check()
    if number != signal.SIGKILL and place.litter():
        fail(f"litter after {number.name}: {place.litter()}")
    if place.litter():
        code_of(place.start(place.run_arguments() + ["--stop", "1"]), {0})
        if place.litter():
            fail("the next run leaves the litter of the one before")


def by_full_disk(place, dice):
    most = dice.randrange(1, 8_000_000)

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    code_of(place.start(place.run_arguments(), limit), {0, 6})
    place.check()
    if place.litter():
        fail("litter where the disk is full")


def by_read_only_folder(place, dice):
    os.chmod(place.folder, 0o555)
    process = place.start(place.run_arguments())
    if dice.random() < 0.5:
        wait_a_moment(dice)
        process.send_signal(signal.SIGTERM)
    code_of(process, {0, 143, -15})
    place.check()


def by_limit(place, dice):
    limit = dice.choice([["--limit-seconds", f"{dice.uniform(0.01, LENGTH):.3f}"],
                         ["--limit-memory", str(dice.randrange(5, 60))]])
    code_of(place.start(place.run_arguments() + limit), {0, 130})
    place.check()
    if place.litter():
        fail("litter after a limit")


def by_kill_of_a_linked_file(place, dice):
    for name in OUTPUTS.values():
        os.link(place.path(name), place.path("other_" + name))
    process = place.start(place.run_arguments())
    wait_a_moment(dice)
    process.kill()
    code_of(process, {0, -signal.SIGKILL})
    for patience in range(100):  # what pours into the file lives on
        try:
            place.check()
            break
        except (AssertionError, ValueError):
            if patience == 99:
                raise
        time.sleep(0.1)
    if any(not os.path.samefile(place.path(name), place.path("other_" + name)) for name in OUTPUTS.values()):
        fail("a hard link was lost")


def by_closed_files(place, dice):
    closed = [stream for stream in range(3) if dice.random() < 0.5]
    full = dice.random() < 0.5
    arguments, expected = dice.choice([
        (["run", "model.toml", "--stop", "1"], 0), (["run", "nothing.toml"], 6), (["run", "model.toml", "--stop"], 2),
        (["check", "model.toml"], 0), (["run", "model.toml", "--stop", "1", "--csv", "-"], 0)])
    with open("/dev/full" if full else "/dev/null", "w") as stream:
        process = place.start(arguments, lambda: [os.close(x) for x in closed], stdout=stream, stderr=stream)
        silent = full or 1 in closed
        code_of(process, {6} if silent and expected == 0 else {expected})
    place.check(must_be_old=True)


def by_two_writers(place, dice):
    writers = [place.start(place.run_arguments()) for _ in range(2)]
    if dice.random() < 0.5:
        wait_a_moment(dice)
        writers[0].send_signal(dice.choice([signal.SIGTERM, signal.SIGKILL]))
    for writer in writers:
        code_of(writer, {0, 143, -9, -15})
    place.check()


FAULTS = [by_signal, by_signal, by_full_disk, by_read_only_folder, by_limit, by_kill_of_a_linked_file,
          by_closed_files, by_two_writers]


def length_of_a_run(program):
    place = Place(program)
    before = time.monotonic()
    code_of(place.start(place.run_arguments()), {0})
    place.remove()
    return time.monotonic() - before


def trial(task):
    """What went wrong, or nothing; and what was tried."""
    program, seed, moment, length = task
    global LENGTH
    LENGTH = length
    dice = random.Random(seed * 1_000_003 + moment)
    fault = FAULTS[moment % len(FAULTS)]
    place = Place(program)
    try:
        fault(place, dice)
    except (AssertionError, ValueError, subprocess.TimeoutExpired) as error:
        return fault.__name__, f"moment {moment} of seed {seed}, {fault.__name__}: {error}"
    finally:
        place.remove()
    return fault.__name__, None


def main():
    program = os.path.abspath(sys.argv[1])
    moments = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    begin, counts, wrong = time.monotonic(), {}, []
    workers = 2 * (os.cpu_count() or 1)
    with multiprocessing.Pool(workers) as pool:
        length = max(pool.map(length_of_a_run, [program] * workers))
        tasks = [(program, seed, moment, length) for moment in range(moments)]
        for name, error in pool.imap_unordered(trial, tasks):
            counts[name] = counts.get(name, 0) + 1
            if error:
                wrong.append(error)
                print(error, flush=True)
            if sum(counts.values()) % 100 == 0:
                print(f"{sum(counts.values())} moments, {time.monotonic() - begin:.0f} s", flush=True)
    print(", ".join(f"{name}: {count}" for name, count in sorted(counts.items())))
    if wrong:
        sys.exit(f"{len(wrong)} of {moments} moments of seed {seed} did harm")
    print(f"{moments} moments, seed {seed}: no file torn or lost")


if __name__ == "__main__":
    main()
