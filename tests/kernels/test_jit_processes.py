"""What one process leaves to the next: its compiled code, where that is still the right code."""

import sys
import textwrap
import zipfile

import pytest

from tests.shared.toy import HELPER, SHOW, Toy

pytestmark = pytest.mark.slow

posix = pytest.mark.skipif(sys.platform == "win32", reason="limits and modes are POSIX")


@pytest.fixture
def toy(tmp_path):
    return Toy(tmp_path)


def test_the_next_process_reads_what_the_first_one_saved(toy):
    assert toy.run() == "11.0 0"
    before = {path: path.stat().st_mtime_ns for path in toy.entries()}
    assert len(before) == 2
    assert toy.run() == "11.0 1"
    assert {path: path.stat().st_mtime_ns for path in toy.entries()} == before


def test_a_change_of_a_helper_in_another_file_is_seen(toy):
    assert toy.run() == "11.0 0"
    toy.write("b", HELPER.format(factor=20))
    assert toy.run() == "21.0 0"
    toy.write("b", HELPER.format(factor=10))
    assert toy.run() == "11.0 1"


def test_a_change_under_a_running_process_is_not_mixed_with_its_code(toy):
    source = toy.root / toy.name / "kernels" / "b.py"
    edit = f"open({str(source)!r}, 'w').write({textwrap.dedent(HELPER.format(factor=20))!r})\n"
    importing, calling = textwrap.dedent(SHOW).strip().splitlines()
    assert toy.run(f"{importing}\n{edit}{calling}") == "11.0 0"
    assert toy.run() == "21.0 0"


def test_without_a_directory_kernels_run(toy):
    toy.cache.touch()
    assert toy.run() == "11.0 0"
    assert toy.run(FASTCOMPARE_CACHE_DIR="") == "11.0 0"


@posix
def test_a_directory_that_others_can_write_is_not_read(toy):
    assert toy.run() == "11.0 0"
    toy.cache.chmod(0o777)
    assert toy.run() == "11.0 0"


@posix
def test_a_disk_that_fills_up_in_the_middle_costs_no_result(toy):
    limit = "from resource import *; most = getrlimit(RLIMIT_FSIZE)[1]\n"
    limit += "setrlimit(RLIMIT_FSIZE, (1000, most))\n"
    lifted = "setrlimit(RLIMIT_FSIZE, (most, most))\n"  # the measurement of coverage writes last
    assert toy.run(limit + textwrap.dedent(SHOW) + lifted) == "11.0 0"
    assert toy.entries() == []


def test_processes_that_start_together_all_succeed(toy):
    processes = [toy.start() for _ in range(6)]
    values = [process.communicate()[0].split()[0] for process in processes]
    assert values == 6 * ["11.0"]
    assert len(toy.entries()) == 2
    assert toy.run() == "11.0 1"


def test_bounds_checks_have_their_own_entries(toy):
    assert toy.run() == "11.0 0"
    assert toy.run(NUMBA_BOUNDSCHECK="1") == "11.0 0"
    assert toy.run(NUMBA_BOUNDSCHECK="1") == "11.0 1"
    assert len(toy.entries()) == 4


def test_without_the_compiler_a_kernel_is_the_function(toy):
    script = "from {name}.kernels.a import total; print(type(total).__name__, total(1.0))"
    assert toy.run(script, NUMBA_DISABLE_JIT="1") == "function 11.0"
    assert not toy.cache.exists()


def test_a_zipped_package_runs_uncached(toy, tmp_path):
    archive = tmp_path / "toy.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in (tmp_path / toy.name).rglob("*.py"):
            file.write(path, path.relative_to(tmp_path))
    assert toy.run(PYTHONPATH=str(archive)) == "11.0 0"
    assert toy.entries() == []


def test_a_missing_numba_is_named_with_the_line_that_installs_it(toy):
    script = """
        import sys
        sys.modules["numba"] = None
        try:
            from {name}.kernels.a import total
            total(1.0)
        except ImportError as error:
            print(error)
    """
    message = toy.run(script)
    assert "pip install --upgrade 'numba>=" in message
    assert "NumPy 2" in message
