"""Each file of the corpus gives its answer, or its question, whose ways to go on all answer."""

import re
import shlex

import pytest

from . import pairs
from .doors import by_command, by_python, ways_of_command, ways_of_python
from .exports import STRANGERS
from .files import FILES
from .wanted import Fault, Question, shortfall

pytestmark = pytest.mark.filterwarnings("ignore")
FIRST = {file.shape: name for name, file in reversed(FILES.items())}.values()


def each(files, fast):
    """Return the names of files as parameters, most of them for the slow run."""
    return [name if name in fast else pytest.param(name, marks=pytest.mark.slow) for name in files]


def check(found, said, want, again, ways):
    """Check an answer, or a question: each way that it names must answer, one as is wanted."""
    if isinstance(want, Fault):
        assert found is None
        assert re.search(want.says, said), said
        return
    if isinstance(want, Question):
        assert found is None, found
        answers = {shlex.join(map(str, way)): again(way) for way in ways}
        assert all(answer is not None for answer, _ in answers.values()), (said, answers)
        assert ways, said
        if not isinstance(ways[0], dict):
            right, _ = answers[shlex.join(shlex.split(want.way))]
            assert not shortfall(right, want.then), right
        return
    assert found is not None, said
    assert not shortfall(found, want), (shortfall(found, want), found["decisions"])
    assert re.search(want.says, str(found)), found["checks"]


def test_the_corpus_has_300_files_of_50_shapes():
    assert len(FILES) + len(STRANGERS) >= 360
    assert len({file.shape for file in FILES.values()}) >= 50


@pytest.mark.parametrize("name", each(FILES, {*FIRST}))
def test_the_command_answers_or_asks(tmp_path, name):
    tables, want = FILES[name].drawn()
    paths = FILES[name].write(tmp_path, tables)
    found, said = by_command(paths)
    ways = ways_of_command(said)
    check(found, said, want, lambda way: by_command(paths, *way), ways)


SINGLE = [name for name, file in FILES.items() if file.shape not in pairs.SHAPES]


@pytest.mark.parametrize("name", each(SINGLE, {*FIRST}))
def test_python_answers_or_asks(name):
    tables, want = FILES[name].drawn()
    frame = tables["table"]
    found, said = by_python(frame)
    check(found, said, want, lambda way: by_python(frame, **way), ways_of_python(said))


@pytest.mark.parametrize("name", STRANGERS)
def test_the_command_reads_what_people_have(tmp_path, name):
    paths, want = STRANGERS[name].write(tmp_path), STRANGERS[name].want
    found, said = by_command(paths)
    check(found, said, want, lambda way: by_command(paths, *way), ways_of_command(said))


ALONE = [name for name, file in STRANGERS.items() if len(file.tables) == 1]


@pytest.mark.parametrize("name", ALONE)
def test_python_reads_what_people_have(name):
    (frame,) = STRANGERS[name].tables.values()
    found, said = by_python(frame)
    ways = ways_of_python(said)
    check(found, said, STRANGERS[name].want, lambda way: by_python(frame, **way), ways)


def test_an_option_on_columns_ends_refusals_of_counts():
    (metrics,) = STRANGERS["two metrics by hospital"].tables.values()
    for way in ({"id": "hospital"}, {"kind": "items"}, {"kind": "datasets"}):
        _, said = by_python(metrics, **way)
        assert "one number of each model" not in said
    (groups,) = STRANGERS["a value by treatment"].tables.values()
    for way in ({"label": "group"}, {"pos_label": "treatment"}):
        found, said = by_python(groups, **way)
        assert found is not None, said


def test_the_answer_says_that_a_text_was_no_utf_8(tmp_path):
    found, _ = by_command(STRANGERS["German, of Windows"].write(tmp_path))
    assert "Windows-1252" in found["decisions"][0]
