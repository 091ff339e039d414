"""Reader studies: several readers, or training runs, score the same cases under treatments."""

from .. import _open_family

CALLS = {  # what a reader wants, and how to get it: the table of docs/functions.md
    "performance of the readers, and its variance components": "`reader_study`",
    "two or more treatments; all pairs": "`reader_study_test`, `reader_study_pairwise_test`",
    "an algorithm alone against readers": "`reader_study_vs_standalone`",
    "how many readers and cases to plan": "`reader_study_power`",
}

__all__, __getattr__, __dir__ = _open_family(__name__)
