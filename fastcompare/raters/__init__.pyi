# The functions of this family and their homes, by scripts/write_api.py.

from ._kappa import cohen_kappa as cohen_kappa
from ._kappa import cohen_kappa_test as cohen_kappa_test
from ._kappa import disagreement as disagreement
from ._kappa import double_fault as double_fault
from ._kappa import error_correlation as error_correlation
from ._kappa import yule_q as yule_q
from ._several_models import agreement as agreement
from ._several_models import agreement_matrix as agreement_matrix

CALLS: dict[str, str]
