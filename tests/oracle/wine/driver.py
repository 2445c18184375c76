# SPDX-License-Identifier: GPL-3.0-or-later
"""Direct3D 9 as Wine has it, on llvmpipe: assembles with Microsoft's assembler, draws jobs with d3d9.exe.

    with Wine() as wine:                      # a prefix of its own, gone at the end
        streams, errors = wine.assemble(texts)
        results = wine.draw(jobs)

Nothing of it is needed to build or to test: `missing` says why it cannot run here.
"""
import os
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
WINE = "/usr/lib/wine/wine64"
DLL = HERE.parent / "node_modules/webgpu/dist/win32-x64/d3dcompiler_47.dll"

# D3DDECLUSAGE, and the registers' types in a parameter token (d3d9types.h).
POSITION, TEXCOORD, COLOR = 0, 5, 10
INPUT, OUTPUT, SAMPLER = 1, 6, 10
END = 0x0000FFFF
DCL = 31


def missing():
    """Why Wine's Direct3D 9 cannot be had, or None."""
    for what in (WINE, "wineserver", "xvfb-run", "x86_64-w64-mingw32-gcc"):
        if not shutil.which(what):
            return f"no {Path(what).name} (tools/need wine)"
    return None


def bits(value):
    """The 32 bits of a number as a float; of what is written 0x..., those bits."""
    if isinstance(value, str):
        if value.startswith("0x"):
            return int(value, 16)
        value = 3.4028234663852886e38 if value == "max" else \
            -3.4028234663852886e38 if value == "-max" else float(value)
    if value != value:
        return 0x7FC00000
    return struct.unpack("<I", struct.pack("<f", value))[0]


def number(word):
    return struct.unpack("<f", struct.pack("<I", word))[0]


def declarations(code):
    """(usage, index, register type, register, mask) of each dcl of a register that is no sampler."""
    found, at = [], 1
    while at < len(code) and code[at] != END:
        op = code[at] & 0xFFFF
        if op == 0xFFFE:  # a comment
            at += 1 + (code[at] >> 16 & 0x7FFF)
            continue
        if op == DCL:
            usage, parameter = code[at + 1], code[at + 2]
            kind = parameter >> 28 & 7 | (parameter >> 8 & 0x18)
            if kind != SAMPLER:
                found.append((usage & 31, usage >> 16 & 15, kind, parameter & 0x7FF,
                              parameter >> 16 & 15))
        at += 1
        while at < len(code) and code[at] & 0x80000000:
            at += 1
        if op in (47, 48, 81):  # literals need not have the high bit
            at += 1 if op == 47 else 4
    return found


def words(values):
    return " ".join(f"{v:x}" for v in values)


class Wine:
    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp())
        self.environment = dict(os.environ, WINEPREFIX=str(self.folder / "prefix"), WINEARCH="win64",
                                WINEDEBUG="-all",
                                WINEDLLOVERRIDES="mscoree=d;mshtml=d;d3dcompiler_47=n,b")
        subprocess.run([WINE, "wineboot", "-i"], env=self.environment, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.build("d3d9", HERE / "d3d9.c", HERE / "companions.c", "-ld3d9", "-luser32")
        return self

    def __exit__(self, *_):
        subprocess.run(["wineserver", "-k"], env=self.environment, stderr=subprocess.DEVNULL)
        shutil.rmtree(self.folder, ignore_errors=True)

    def build(self, name, *sources):
        subprocess.run(["x86_64-w64-mingw32-gcc", "-O1", "-Wall", "-Wextra", "-o",
                        str(self.folder / f"{name}.exe"), *(str(s) for s in sources)], check=True)

    def assemble(self, texts):
        """Token streams of the texts, None where one is wrong, and what the assembler said."""
        if not (self.folder / "fxc.exe").exists():
            if not DLL.exists():
                subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                               cwd=HERE.parent, check=True, stdout=subprocess.DEVNULL)
            shutil.copy(DLL, self.folder)
            self.build("fxc", ROOT / "tools/fxc/fxc.c")
        arguments, said = [], ""
        for n, text in enumerate(texts):
            (self.folder / f"{n}.asm").write_text(text)
            (self.folder / f"{n}.bin").unlink(missing_ok=True)
            arguments += [f"{n}.asm", f"{n}.bin"]
        for at in range(0, len(arguments), 400):
            said += subprocess.run([WINE, "fxc.exe", "assemble", *arguments[at:at + 400]],
                                   cwd=self.folder, env=self.environment, text=True,
                                   errors="replace", stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE).stderr
        streams = []
        for n in range(len(texts)):
            path = self.folder / f"{n}.bin"
            data = path.read_bytes() if path.exists() else b""
            streams.append(list(struct.unpack(f"<{len(data) // 4}I", data)) or None)
        return streams, said

    def draw_file(self, path, timeout=3600):
        """Where d3d9.exe put the results of a file of jobs. They may end early: a job can end the process."""
        return self.run("d3d9", path, timeout)

    def run(self, program, path, timeout=3600):
        results = self.folder / "results"
        results.unlink(missing_ok=True)
        try:
            subprocess.run(["xvfb-run", "-a", WINE, f"{program}.exe", str(path), "results"],
                           cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=timeout)
        except subprocess.TimeoutExpired:
            pass
        return results

    def draw(self, jobs):
        """{name: {"target0": [words of pixels], ..., "failed": why}} of the jobs' text; with "end" when the
        runner came to its end."""
        (self.folder / "jobs").write_text(jobs)
        results, current = {}, None
        self.draw_file("jobs")
        for line in (self.folder / "results").read_text().splitlines():
            key, _, rest = line.partition(" ")
            if key == "job":
                current = results[rest] = {}
            elif key == "failed":
                current["failed"] = rest
            elif key == "end":
                results["end"] = True
            elif key != "adapter":
                current[key] = [None if w == "-" else int(w, 16) for w in rest.split()]
        return results
