# SPDX-License-Identifier: GPL-3.0-or-later
"""Microsoft's d3dcompiler_47.dll under Wine, driven through tools/fxc: its assembler and its disassembler."""
import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WINE = "/usr/lib/wine/wine64"
DLL = ROOT / "tests/oracle/node_modules/webgpu/dist/win32-x64/d3dcompiler_47.dll"
COMPILER = "x86_64-w64-mingw32-gcc"
TIMEOUT = 600


def missing():
    """Why the DLL cannot be run here, None when it can."""
    if not os.access(WINE, os.X_OK):
        return "Debian's wine64 is not installed"
    if not shutil.which(COMPILER):
        return f"no {COMPILER}"
    return None if DLL.is_file() else "the npm packages of tests/oracle are not installed"


class Microsoft:
    """The DLL in a process of Wine, a batch a process."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = dict(os.environ, WINEPREFIX=str(folder / "wine"), WINEARCH="win64", WINEDEBUG="-all",
                                WINEDLLOVERRIDES="mscoree=d;mshtml=d;d3dcompiler_47=n,b")
        self.errors = {}  # of the last run: what the DLL said, by the number of the input it refused
        subprocess.run([COMPILER, "-O1", "-o", folder / "fxc.exe", ROOT / "tools/fxc/fxc.c"], check=True)
        shutil.copy(DLL, folder)
        subprocess.run([WINE, "wineboot", "-i"], env=self.environment, capture_output=True, timeout=TIMEOUT, check=False)

    def run(self, verb, inputs):
        """The output for each of `inputs`, None where the DLL refuses."""
        lines = []
        for i, data in enumerate(inputs):
            (self.folder / f"{i}.in").write_bytes(data)
            (self.folder / f"{i}.out").unlink(missing_ok=True)
            lines.append(f"{verb}\t{self.folder}/{i}.in\t{self.folder}/{i}.out\n")
        (self.folder / "list").write_text("".join(lines))
        done = subprocess.run([WINE, self.folder / "fxc.exe", "batch", self.folder / "list"], env=self.environment,
                              capture_output=True, timeout=TIMEOUT, check=False)
        said = re.split(r"^fxc: .*/(\d+)\.in: status .*\n", done.stderr.decode(errors="replace").replace("\r", ""),
                        flags=re.M)
        self.errors = {int(number): text for text, number in zip(said[::2], said[1::2])}
        outputs = [self.folder / f"{i}.out" for i in range(len(inputs))]
        return [path.read_bytes() if path.is_file() else None for path in outputs]

    def end(self):
        subprocess.run(["wineserver", "-k"], env=self.environment, capture_output=True, check=False)
