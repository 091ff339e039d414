# The functions of this family and their homes, by scripts/write_api.py.

from ._calibration import survival_calibration as survival_calibration
from ._concordance import concordance as concordance
from ._concordance import concordance_interval as concordance_interval
from ._concordance import concordance_test as concordance_test
from ._horizon_tests import auc_at_interval as auc_at_interval
from ._horizon_tests import auc_at_pairwise_test as auc_at_pairwise_test
from ._horizon_tests import auc_at_test as auc_at_test
from ._horizon_tests import survival_brier_interval as survival_brier_interval
from ._horizon_tests import survival_brier_pairwise_test as survival_brier_pairwise_test
from ._horizon_tests import survival_brier_test as survival_brier_test
from ._many import concordance_covariance as concordance_covariance
from ._many import concordance_omnibus_test as concordance_omnibus_test
from ._many import concordance_pairwise_test as concordance_pairwise_test
from ._permutation import permutation_survival_test as permutation_survival_test

CALLS: dict[str, str]
