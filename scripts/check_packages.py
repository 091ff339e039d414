"""Check that a wheel and an sdist hold what they must, and nothing else.

python -m build --outdir dist && python scripts/check_packages.py dist
"""

import re
import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSION = re.search(r'__version__ = "(.+)"', (ROOT / "fastcompare/__init__.py").read_text())[1]
LEFT_OUT = (".github/",)  # of an sdist, by pyproject.toml
BUNDLES = "fastcompare/_jit/bundles/"  # of kernels, in wheels for a platform: see wheel_hook.py
LARGEST = 6_000_000  # bytes of a wheel with kernels for all levels of a kind of machine


def tracked(folder: str = ".") -> set[str]:
    """Return the files that git knows."""
    command = ["git", "ls-files", "-z", folder]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return {name for name in listed.split("\0") if name and not name.startswith(LEFT_OUT)}


def check_names(what: str, found: set[str], wanted: set[str]) -> None:
    """Exit if names are missing or should not be there."""
    if found != wanted:
        missing, more = sorted(wanted - found), sorted(found - wanted)
        sys.exit(f"{what}: missing {missing}, not expected {more}")


def check_wheel(path: Path) -> None:
    """Check the files, the size and the metadata of the wheel."""
    about = f"fastcompare-{VERSION}.dist-info/"
    with zipfile.ZipFile(path) as wheel:
        names = set(wheel.namelist())
        metadata = Parser().parsestr(wheel.read(f"{about}METADATA").decode())
        commands = wheel.read(f"{about}entry_points.txt").decode()
    written = ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    bundles = {name for name in names if name.startswith(BUNDLES)}
    whole = tracked("fastcompare") | {about + name for name in written} | bundles
    check_names(path.name, names, whole)
    if bool(bundles) == path.name.endswith("-none-any.whl") or path.stat().st_size > LARGEST:
        sys.exit(f"{path.name} has {path.stat().st_size} bytes and kernels {sorted(bundles)}")
    said = [metadata[name] for name in ("Name", "Version", "License-Expression", "License-File")]
    if said != ["fastcompare", VERSION, "BSD-3-Clause", "LICENSE"]:
        sys.exit(f"{path.name} says {said}")
    if "fastcompare = fastcompare.__main__:main" not in commands:
        sys.exit(f"{path.name} has no command `fastcompare`")


def check_sdist(path: Path) -> None:
    """Check the files of the sdist: all that a checkout has."""
    with tarfile.open(path) as sdist:
        names = {member.name.partition("/")[2] for member in sdist if member.isfile()}
    check_names(path.name, names, tracked() | {"PKG-INFO"})


def main() -> None:
    """Check the one wheel and the one sdist in a folder."""
    folder = Path(sys.argv[1])
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    check_wheel(wheel)
    check_sdist(sdist)
    print(f"ok     {wheel.name} and {sdist.name}")


if __name__ == "__main__":
    main()
