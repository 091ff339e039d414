# The functions of this family and their homes, by scripts/write_api.py.

from ._friedman import friedman_test as friedman_test
from ._omnibus import durbin_test as durbin_test
from ._omnibus import friedman_aligned_ranks_test as friedman_aligned_ranks_test
from ._omnibus import quade_test as quade_test
from ._omnibus import skillings_mack_test as skillings_mack_test
from ._order_pairs import sign_pairwise_test as sign_pairwise_test
from ._order_pairs import wilcoxon_pairwise_test as wilcoxon_pairwise_test
from ._rank_pairs import conover_test as conover_test
from ._rank_pairs import control_test as control_test
from ._rank_pairs import critical_difference as critical_difference
from ._rank_pairs import friedman_exact_pairs_test as friedman_exact_pairs_test
from ._rank_pairs import friedman_pairwise_test as friedman_pairwise_test
from ._rank_pairs import nemenyi_test as nemenyi_test
from ._sequence import compare_datasets as compare_datasets

CALLS: dict[str, str]
