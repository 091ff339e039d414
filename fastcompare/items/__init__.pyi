# The functions of this family and their homes, by scripts/write_api.py.

from ._bradley_terry import bradley_terry as bradley_terry
from ._covariance import mean_covariance as mean_covariance
from ._covariance import mean_omnibus_test as mean_omnibus_test
from ._evals import from_long as from_long
from ._evals import read_evals as read_evals
from ._leaderboard import leaderboard as leaderboard
from ._mean import mean_interval as mean_interval
from ._mean import pass_all_k as pass_all_k
from ._mean import pass_at_k as pass_at_k
from ._paired import paired_mean_test as paired_mean_test
from ._pairwise import mean_pairwise_test as mean_pairwise_test
from ._power import mean_detectable_difference as mean_detectable_difference
from ._power import mean_power as mean_power
from ._power import mean_sample_size as mean_sample_size
from ._ratio import ratio_interval as ratio_interval
from ._ratio import ratio_test as ratio_test
from ._ratio_pairs import ratio_pairwise_test as ratio_pairwise_test

CALLS: dict[str, str]
