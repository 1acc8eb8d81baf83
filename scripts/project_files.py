# SPDX-License-Identifier: Apache-2.0
"""What the check scripts share: the project's files, and C text without comments."""

import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def project_files():
    """Paths, relative to the top, of all files that belong to the project, sorted. Build trees do not."""
    try:
        listed = subprocess.run(
            ["git", "-C", TOP, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True, check=True).stdout.decode()
        paths = [path for path in listed.split("\0") if path]
    except (OSError, subprocess.CalledProcessError):
        paths = []
        for folder, folders, names in os.walk(TOP):
            folders[:] = [f for f in folders if f != ".git" and f != "__pycache__" and not f.startswith("build")]
            paths += [os.path.relpath(os.path.join(folder, name), TOP) for name in names]
    return sorted({path for path in paths if os.path.isfile(os.path.join(TOP, path))})


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8", errors="replace") as file:
        return file.read()


_TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def c_code(text, keep_strings=False):
    """The text with comments (and strings) replaced by spaces, so that line numbers stay."""

    def spaces(match):
        token = match.group(0)
        if token[0] in "\"'":
            return token if keep_strings else token[0] + token[0]
        return re.sub(r"[^\n]", " ", token)

    return _TOKENS.sub(spaces, text)


def finish(problems, what):
    """Prints the problems and exits: 0 when there are none."""
    for problem in problems:
        print(problem)
    print(f"{what}: {len(problems)} problem{'' if len(problems) == 1 else 's'}")
    sys.exit(1 if problems else 0)
