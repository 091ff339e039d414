# The functions of this family and their homes, by scripts/write_api.py.

from ._accuracy import accuracy_interval as accuracy_interval
from ._cochran import cochran_q_test as cochran_q_test
from ._mcnemar import mcnemar_test as mcnemar_test
from ._mcnemar_pairwise import mcnemar_pairwise_test as mcnemar_pairwise_test
from ._metrics_bootstrap import bootstrap_metric_test as bootstrap_metric_test
from ._metrics_permutation import permutation_metric_test as permutation_metric_test
from ._table import bowker_test as bowker_test
from ._table import contingency_table as contingency_table
from ._table import stuart_maxwell_test as stuart_maxwell_test
from ._two_proportions import two_proportions_test as two_proportions_test
from ._two_proportions import two_proportions_unpaired_test as two_proportions_unpaired_test

CALLS: dict[str, str]
