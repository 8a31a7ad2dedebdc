"""Makes a wheel as python/README.md says, installs it into a virtual environment, and uses it there."""

import pathlib
import shutil
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)


def run(*command):
    subprocess.run([str(word) for word in command], check=True, env={"PATH": "/usr/bin:/bin", "HOME": str(folder)})


run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", folder, "python/")
run(sys.executable, "-m", "venv", "--system-site-packages", folder / "venv")
(wheel,) = folder.glob("deltaflow-*.whl")
run(folder / "venv/bin/pip", "install", "--no-index", "--no-deps", wheel)
program = """
import deltaflow
assert "site-packages" in deltaflow.__file__, deltaflow.__file__
print(deltaflow.load("diagrams/bouncing_ball.toml").run())
"""
run(folder / "venv/bin/python", "-c", program)
