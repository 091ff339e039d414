"""The command ``fastcompare``, also as ``python -m fastcompare``."""

import sys

NEEDED = frozenset({"typer", "rich"})


def main() -> None:
    """Run the command line, or say which packages it needs."""
    try:
        from .cli import app
    except ImportError as error:
        if error.name not in NEEDED:
            raise
        sys.stderr.write(
            f"fastcompare: error: {error.name} is missing: pip install 'fastcompare[cli]'\n"
        )
        sys.exit(2)
    app()


if __name__ == "__main__":
    main()
