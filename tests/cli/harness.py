# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the command share: running it, counting, and the folders of shaders."""
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent.parent
os.chdir(ROOT)
FIXTURES = sorted(Path("tests/fixtures/d3d9").glob("*.d3d9"))
CORPUS = Path("../shared/corpus/d3d9")
PIXEL = "tests/fixtures/d3d9/lambert_ps.d3d9"
VERTEX = "tests/fixtures/d3d9/lambert_vs11.d3d9"
TIMEOUT = 120


class Suite:
    """Counts, and ends with the closing line."""

    def __init__(self):
        build = Path(sys.argv[1] if len(sys.argv) > 1 else "build")
        self.command = str((build / "iridia").resolve())
        self.counts = {"passed": 0, "failed": 0, "skipped": 0}
        if not os.access(self.command, os.X_OK):
            print("there is no iridia in the build folder")
            self.counts["failed"] = 1
            self.end()

    def check(self, what, held, detail=""):
        self.counts["passed" if held else "failed"] += 1
        if not held:
            if isinstance(detail, bytes):
                detail = detail.decode(errors="backslashreplace")
            print(f"FAIL {what}: {str(detail)[:1000]}".encode(errors="backslashreplace").decode())
        return held

    def equal(self, what, got, expected):
        return self.check(what, got == expected, f"is {got!r}, expected {expected!r}")

    def skip(self, what, reason, count=1):
        self.counts["skipped"] += count
        print(f"skipped {what}: {reason}")

    def run(self, *arguments, stdin=b"", **more):
        """Runs the command. `stdin` is bytes; more goes to subprocess.run."""
        if "stdout" not in more:
            more["stdout"] = subprocess.PIPE
        return subprocess.run([self.command, *map(os.fspath, arguments)], input=stdin,
                              stderr=subprocess.PIPE, timeout=TIMEOUT, check=False, **more)

    def refused(self, what, done, code, *words):
        """One line on stderr that holds `words`, nothing on stdout, the exit code `code`."""
        text = done.stderr.decode(errors="replace")
        ok = (done.returncode == code and not done.stdout and text.startswith("iridia")
              and text.endswith("\n") and text.count("\n") == 1)
        missing = [word for word in words if word not in text]
        return self.check(what, ok and not missing,
                          f"status {done.returncode}, stdout {done.stdout[:60]!r}, stderr {text!r}"
                          + (f", lacks {missing}" if missing else ""))

    def json(self, *arguments):
        """The document that the command prints, whatever it exits with."""
        return json.loads(self.run(*arguments).stdout)

    def end(self):
        c = self.counts
        print(f"{c['passed']} passed, {c['failed']} failed, {c['skipped']} skipped")
        sys.exit(1 if c["failed"] else 0)


def corpus():
    """The real shaders beside the repository; none where they are not."""
    return sorted(p for p in CORPUS.rglob("*") if p.is_file()) if CORPUS.is_dir() else []


def scratch():
    return tempfile.TemporaryDirectory(prefix="iridia-test-")


def each(function, items):
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        return list(pool.map(function, items))
