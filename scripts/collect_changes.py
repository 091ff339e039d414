"""Move the fragments of `changelog.d/` into "Unreleased" of `CHANGELOG.md`, each under its heading.

python scripts/collect_changes.py
"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
CHANGELOG = ROOT / "CHANGELOG.md"
FOLDER = ROOT / "changelog.d"
KINDS = ("added", "changed", "deprecated", "removed", "fixed")
NAME = re.compile(rf"[\w+-]+\.({'|'.join(KINDS)})\.md")
MOST_LINES = 60  # of "Unreleased", which people read before they upgrade
LONGEST = 300  # characters of an entry


def fragments(folder: Path = FOLDER) -> dict[Path, str]:
    """Return the fragments' texts by their paths."""
    paths = sorted(path for path in folder.glob("*") if path.name != "README.md")
    return {path: path.read_text("utf-8").strip() for path in paths}


def faults(entries: dict[Path, str]) -> list[str]:
    """Return what is wrong with fragments: their names, or their length."""
    names = [f"{p.name}: not name.kind.md" for p in entries if not NAME.fullmatch(p.name)]
    lines = [
        f"{path.name}: not one line of at most {LONGEST} characters, without a dash"
        for path, entry in entries.items()
        if "\n" in entry or not 0 < len(entry) <= LONGEST or entry.startswith("- ")
    ]
    return names + lines


def unreleased(text: str) -> str:
    """Return the section "Unreleased" of a changelog."""
    return re.split(r"^(?=## )", text, flags=re.MULTILINE)[1]


def with_entries(text: str, entries: dict[Path, str]) -> str:
    """Return a changelog with these entries at the ends of their headings in "Unreleased"."""
    section = unreleased(text)
    head, *parts = re.split(r"^(?=### )", section, flags=re.MULTILINE)
    titles = {part.partition("\n")[0]: part.rstrip() for part in parts}
    for path, entry in entries.items():
        title = f"### {path.name.split('.')[-2].capitalize()}"
        titles[title] = titles.get(title, f"{title}\n") + f"\n- {entry}"
    written = "\n\n".join([head.rstrip(), *titles.values(), ""])
    return text.replace(section, written, 1)


def main() -> None:
    """Write the changelog and delete the fragments."""
    entries = fragments()
    if wrong := faults(entries):
        raise SystemExit("\n".join(wrong))
    CHANGELOG.write_text(with_entries(CHANGELOG.read_text("utf-8"), entries), "utf-8")
    for path in entries:
        path.unlink()


if __name__ == "__main__":
    main()
