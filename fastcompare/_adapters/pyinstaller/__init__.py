"""Where PyInstaller finds the hook for fastcompare, by the entry point `pyinstaller40`."""


def hook_directories() -> list[str]:
    """Return the directory of the hook."""
    return list(__path__)
