# The functions of this family and their homes, by scripts/write_api.py.

from ._bootstrap import bootstrap_auc_test as bootstrap_auc_test
from ._bootstrap_many import bootstrap_auc as bootstrap_auc
from ._curves import average_precision as average_precision
from ._curves import average_precision_interval as average_precision_interval
from ._curves import average_precision_test as average_precision_test
from ._curves import partial_auc as partial_auc
from ._curves import partial_auc_interval as partial_auc_interval
from ._curves import partial_auc_test as partial_auc_test
from ._curves import roc_curve_band as roc_curve_band
from ._curves import sensitivity_at_specificity as sensitivity_at_specificity
from ._curves import sensitivity_at_specificity_interval as sensitivity_at_specificity_interval
from ._curves import sensitivity_at_specificity_test as sensitivity_at_specificity_test
from ._curves import specificity_at_sensitivity as specificity_at_sensitivity
from ._curves import specificity_at_sensitivity_interval as specificity_at_sensitivity_interval
from ._curves import specificity_at_sensitivity_test as specificity_at_sensitivity_test
from ._delong.batch import delong_batch as delong_batch
from ._delong.interaction import delong_interaction_test as delong_interaction_test
from ._delong.omnibus import delong_covariance as delong_covariance
from ._delong.omnibus import delong_omnibus_test as delong_omnibus_test
from ._delong.omnibus import structural_components as structural_components
from ._delong.paired import delong_test as delong_test
from ._delong.pairwise import delong_control_test as delong_control_test
from ._delong.pairwise import delong_pairwise_test as delong_pairwise_test
from ._delong.subgroups import subgroup_auc as subgroup_auc
from ._delong.unpaired import delong_unpaired_test as delong_unpaired_test
from ._multiclass import multiclass_auc as multiclass_auc
from ._multiclass import multiclass_auc_test as multiclass_auc_test
from ._one_model import roc_auc as roc_auc
from ._one_model import roc_auc_interval as roc_auc_interval
from ._one_model import roc_auc_test as roc_auc_test
from ._permutation import permutation_auc_test as permutation_auc_test
from ._power import auc_power as auc_power
from ._power import auc_power_from_pilot as auc_power_from_pilot
from ._power import auc_sample_size as auc_sample_size
from ._power import auc_sample_size_from_pilot as auc_sample_size_from_pilot
from ._within.paired import within_auc_test as within_auc_test
from ._within.several import within_auc_omnibus_test as within_auc_omnibus_test
from ._within.several import within_auc_pairwise_test as within_auc_pairwise_test
from ._within.single import within_auc_interval as within_auc_interval

CALLS: dict[str, str]
