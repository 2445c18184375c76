# SPDX-License-Identifier: GPL-3.0-or-later
"""Which shaders the translation tests take: the fixtures, the corpus beside the repository, and the
folder that IRIDIA_DATA names, which may hold anything."""
import os
import re
import stat
import sys
from pathlib import Path

CORPUS = Path("../shared/corpus/d3d9")


def below(folder):
    """The files under `folder` that start with a version token of shader models 1 to 3. What cannot be
    read, and what is no file, is passed over."""
    found = []
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place, name)
            try:
                if not stat.S_ISREG(path.stat().st_mode):
                    continue
                with path.open("rb") as file:
                    token = file.read(4)
            except OSError as error:
                print(f"passed over: {error}")
                continue
            if len(token) == 4 and token[2:] in (b"\xfe\xff", b"\xff\xff") and 1 <= token[1] <= 3:
                found.append(path)
    return sorted(found)


def fixtures():
    return sorted(Path("tests/fixtures/d3d9").glob("*.d3d9"))


def real():
    """The shaders that are not ours. Ends the test when IRIDIA_DATA names no folder. The working
    directory is the repository's root; IRIDIA_DATA counts from where the test was started."""
    sys.stdout.reconfigure(errors="backslashreplace")
    folders = [CORPUS] if CORPUS.is_dir() else []
    data = os.environ.get("IRIDIA_DATA")
    if data:
        folders.append(Path(STARTED, data))
        if not folders[-1].is_dir():
            print("IRIDIA_DATA names no folder")
            print("0 passed, 1 failed, 0 skipped")
            sys.exit(1)
    found = [path for folder in folders for path in below(folder)]
    if not found:
        print("only the fixtures: no ../shared/corpus here, and IRIDIA_DATA names nothing")
    return found


def plain_name(source):
    """A name for what is made of `source`, plain and short whatever the path is; not its own."""
    name = str(source).replace("tests/fixtures/d3d9/", "").replace("../shared/corpus/", "")
    return re.sub(r"[^A-Za-z0-9._+-]", "_", name.strip("/").replace("/", "__"))[-180:]


STARTED = Path.cwd()
