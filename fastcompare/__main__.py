"""The command ``fastcompare``, also as ``python -m fastcompare``."""

import gc
import sys


def main() -> None:
    """Run the command line; an interrupt ends it with status 130 and without a traceback."""
    try:
        run()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        gc.freeze()  # Python looks for garbage when it ends: 0.2 of `fastcompare auc`


def run() -> None:
    """Run the command line, or print which packages it needs and exit with status 2."""
    try:
        from ._cli.app import application
    except ImportError as error:
        if error.name != "typer":
            raise
        sys.stderr.write(
            "fastcompare: error: the command line needs more: pip install 'fastcompare[cli]'\n"
        )
        sys.exit(2)
    application(sys.argv[1:2])()


if __name__ == "__main__":
    main()
