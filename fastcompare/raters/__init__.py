"""Agreement of labels, and how similar the errors of two or more models are."""

from .. import _open_family

CALLS = {  # what a reader wants, and how to get it: the table of docs/functions.md
    "how similar two models' errors are": (
        "`agreement`, `agreement_matrix`, `disagreement`, `cohen_kappa`, `yule_q`, "
        "`error_correlation`, `double_fault`"
    ),
}

__all__, __getattr__, __dir__ = _open_family(__name__)
