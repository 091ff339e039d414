# The functions of this family and their homes, by scripts/write_api.py.

from ._power import reader_study_power as reader_study_power
from ._study import reader_study as reader_study
from ._testing import reader_study_pairwise_test as reader_study_pairwise_test
from ._testing import reader_study_test as reader_study_test
from ._testing import reader_study_vs_standalone as reader_study_vs_standalone

CALLS: dict[str, str]
