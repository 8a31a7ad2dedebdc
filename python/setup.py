"""Builds a wheel: CMake builds the module, in the build folder of the project."""

import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

root = pathlib.Path(__file__).resolve().parent.parent
version = re.search(r'DELTAFLOW_VERSION "(.*)"', (root / "include/deltaflow/version.hpp").read_text())[1]


class CMakeBuild(build_ext):
    """Asks CMake for the module, and puts it where the wheel takes it from."""

    def build_extension(self, ext):
        build = root / "build"
        python = f"-DPython3_EXECUTABLE={sys.executable}"
        configure = ["cmake", "-S", root, "-B", build, "-DDELTAFLOW_PYTHON=ON", python]
        if not (build / "CMakeCache.txt").exists():
            configure += ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DDELTAFLOW_TESTS=OFF"]
        subprocess.run(configure, check=True)
        subprocess.run(["cmake", "--build", build, "--target", "deltaflow_python"], check=True)
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(build / "python/deltaflow" / target.name, target)


setup(
    version=version,
    ext_modules=[Extension("deltaflow._core", [])],
    cmdclass={"build_ext": CMakeBuild},
)
