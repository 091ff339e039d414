# The functions of this family and their homes, by scripts/write_api.py.

from ._calibration_error import calibration_error as calibration_error
from ._decomposition import brier_decomposition as brier_decomposition
from ._decomposition import brier_skill_score as brier_skill_score
from ._decomposition import spiegelhalter_test as spiegelhalter_test
from ._losses import brier_score as brier_score
from ._losses import log_loss as log_loss
from ._net_benefit import net_benefit as net_benefit
from ._net_benefit import net_benefit_test as net_benefit_test
from ._recalibration import calibration_test as calibration_test
from ._scoring import scoring_interval as scoring_interval
from ._scoring import scoring_test as scoring_test
from ._scoring_pairwise import scoring_pairwise_test as scoring_pairwise_test

CALLS: dict[str, str]
