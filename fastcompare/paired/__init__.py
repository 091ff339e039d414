"""Two paired columns of numbers: tests of signs and signed ranks, and their Bayesian forms.

They assume nothing of the numbers but their order or their signs: scores of two models on several
data sets, losses of two models on the same cases. `d` are the differences of the rows, the first
column minus the second.
"""

from .. import _open_family

CALLS = {  # what a reader wants, and how to get it: the table of docs/functions.md
    "two models": "`wilcoxon_test`, `sign_test`, `bayes_signed_rank`, `bayes_sign`",
}

__all__, __getattr__, __dir__ = _open_family(__name__)
