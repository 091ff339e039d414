# The public names and their homes: `__init__.py` reads them here, and so do type checkers.

from typing import Any

from . import advice as advice
from . import auc as auc
from . import datasets as datasets
from . import folds as folds
from . import items as items
from . import kernels as kernels
from . import labels as labels
from . import paired as paired
from . import plots as plots
from . import probabilities as probabilities
from . import ranks as ranks
from . import raters as raters
from . import readers as readers
from . import results as results
from . import simulate as simulate
from . import survival as survival
from ._adapters.scans import scan_chunks as scan_chunks
from ._adapters.scans import scan_parquet as scan_parquet
from ._base.exceptions import CacheWarning as CacheWarning
from ._base.exceptions import DesignWarning as DesignWarning
from ._base.exceptions import DroppedCasesWarning as DroppedCasesWarning
from ._base.exceptions import EstimatorError as EstimatorError
from ._base.exceptions import EvalWarning as EvalWarning
from ._base.exceptions import FastCompareError as FastCompareError
from ._base.exceptions import InvalidTypeError as InvalidTypeError
from ._base.exceptions import InvalidValueError as InvalidValueError
from ._base.exceptions import SmallSampleWarning as SmallSampleWarning
from ._base.exceptions import UndefinedResultError as UndefinedResultError
from ._base.exceptions import UndefinedResultWarning as UndefinedResultWarning
from ._config import show_config as show_config
from ._config import warmup as warmup
from ._inference.corrections.adjust import adjust_pvalues as adjust_pvalues
from ._report.page import report as report
from ._results.imputed import pool as pool
from ._results.pairs import compact_letters as compact_letters
from .advice.compare import compare as compare
from .advice.recommend import recommend as recommend
from .auc._bootstrap import bootstrap_auc_test as bootstrap_auc_test
from .auc._bootstrap_many import bootstrap_auc as bootstrap_auc
from .auc._curves import average_precision as average_precision
from .auc._curves import average_precision_interval as average_precision_interval
from .auc._curves import average_precision_test as average_precision_test
from .auc._curves import partial_auc as partial_auc
from .auc._curves import partial_auc_interval as partial_auc_interval
from .auc._curves import partial_auc_test as partial_auc_test
from .auc._curves import roc_curve_band as roc_curve_band
from .auc._curves import sensitivity_at_specificity as sensitivity_at_specificity
from .auc._curves import (
    sensitivity_at_specificity_interval as sensitivity_at_specificity_interval,
)
from .auc._curves import sensitivity_at_specificity_test as sensitivity_at_specificity_test
from .auc._curves import specificity_at_sensitivity as specificity_at_sensitivity
from .auc._curves import (
    specificity_at_sensitivity_interval as specificity_at_sensitivity_interval,
)
from .auc._curves import specificity_at_sensitivity_test as specificity_at_sensitivity_test
from .auc._delong.batch import delong_batch as delong_batch
from .auc._delong.interaction import delong_interaction_test as delong_interaction_test
from .auc._delong.omnibus import delong_covariance as delong_covariance
from .auc._delong.omnibus import delong_omnibus_test as delong_omnibus_test
from .auc._delong.omnibus import structural_components as structural_components
from .auc._delong.paired import delong_test as delong_test
from .auc._delong.pairwise import delong_control_test as delong_control_test
from .auc._delong.pairwise import delong_pairwise_test as delong_pairwise_test
from .auc._delong.subgroups import subgroup_auc as subgroup_auc
from .auc._delong.unpaired import delong_unpaired_test as delong_unpaired_test
from .auc._multiclass import multiclass_auc as multiclass_auc
from .auc._multiclass import multiclass_auc_test as multiclass_auc_test
from .auc._one_model import roc_auc as roc_auc
from .auc._one_model import roc_auc_interval as roc_auc_interval
from .auc._one_model import roc_auc_test as roc_auc_test
from .auc._permutation import permutation_auc_test as permutation_auc_test
from .auc._power import auc_power as auc_power
from .auc._power import auc_power_from_pilot as auc_power_from_pilot
from .auc._power import auc_sample_size as auc_sample_size
from .auc._power import auc_sample_size_from_pilot as auc_sample_size_from_pilot
from .auc._within.paired import within_auc_test as within_auc_test
from .auc._within.several import within_auc_omnibus_test as within_auc_omnibus_test
from .auc._within.several import within_auc_pairwise_test as within_auc_pairwise_test
from .auc._within.single import within_auc_interval as within_auc_interval
from .datasets import load_dataset_scores as load_dataset_scores
from .datasets import load_fold_scores as load_fold_scores
from .datasets import load_predictions as load_predictions
from .folds._anova import rm_anova_batch as rm_anova_batch
from .folds._anova import rm_anova_test as rm_anova_test
from .folds._assumptions import mauchly_test as mauchly_test
from .folds._assumptions import normality_report as normality_report
from .folds._estimators import compare_estimators as compare_estimators
from .folds._estimators import from_cv_results as from_cv_results
from .folds._pairwise import ttest_corrected_pairwise_test as ttest_corrected_pairwise_test
from .folds._student import ttest_corrected as ttest_corrected
from .folds._student import ttest_corrected_batch as ttest_corrected_batch
from .folds._student import ttest_kfold as ttest_kfold
from .folds._student import ttest_resampled as ttest_resampled
from .folds._two_models import bayes_correlated_ttest as bayes_correlated_ttest
from .folds._two_models import ftest_5x2cv as ftest_5x2cv
from .folds._two_models import ttest_5x2cv as ttest_5x2cv
from .folds._unpaired import folds_unpaired_test as folds_unpaired_test
from .folds._unpaired import ttest_unpaired as ttest_unpaired
from .items._bradley_terry import bradley_terry as bradley_terry
from .items._covariance import mean_covariance as mean_covariance
from .items._covariance import mean_omnibus_test as mean_omnibus_test
from .items._evals import from_long as from_long
from .items._evals import read_evals as read_evals
from .items._leaderboard import leaderboard as leaderboard
from .items._mean import mean_interval as mean_interval
from .items._mean import pass_all_k as pass_all_k
from .items._mean import pass_at_k as pass_at_k
from .items._paired import paired_mean_test as paired_mean_test
from .items._pairwise import mean_pairwise_test as mean_pairwise_test
from .items._power import mean_detectable_difference as mean_detectable_difference
from .items._power import mean_power as mean_power
from .items._power import mean_sample_size as mean_sample_size
from .items._ratio import ratio_interval as ratio_interval
from .items._ratio import ratio_test as ratio_test
from .items._ratio_pairs import ratio_pairwise_test as ratio_pairwise_test
from .labels._accuracy import accuracy_interval as accuracy_interval
from .labels._cochran import cochran_q_test as cochran_q_test
from .labels._mcnemar import mcnemar_test as mcnemar_test
from .labels._mcnemar_pairwise import mcnemar_pairwise_test as mcnemar_pairwise_test
from .labels._metrics_bootstrap import bootstrap_metric_test as bootstrap_metric_test
from .labels._metrics_permutation import permutation_metric_test as permutation_metric_test
from .labels._table import bowker_test as bowker_test
from .labels._table import contingency_table as contingency_table
from .labels._table import stuart_maxwell_test as stuart_maxwell_test
from .labels._two_proportions import two_proportions_test as two_proportions_test
from .labels._two_proportions import (
    two_proportions_unpaired_test as two_proportions_unpaired_test,
)
from .paired._bayes import bayes_sign as bayes_sign
from .paired._bayes import bayes_signed_rank as bayes_signed_rank
from .paired._sign import sign_test as sign_test
from .paired._wilcoxon import wilcoxon_test as wilcoxon_test
from .probabilities._calibration_error import calibration_error as calibration_error
from .probabilities._decomposition import brier_decomposition as brier_decomposition
from .probabilities._decomposition import brier_skill_score as brier_skill_score
from .probabilities._decomposition import spiegelhalter_test as spiegelhalter_test
from .probabilities._losses import brier_score as brier_score
from .probabilities._losses import log_loss as log_loss
from .probabilities._net_benefit import net_benefit as net_benefit
from .probabilities._net_benefit import net_benefit_test as net_benefit_test
from .probabilities._recalibration import calibration_test as calibration_test
from .probabilities._scoring import scoring_interval as scoring_interval
from .probabilities._scoring import scoring_test as scoring_test
from .probabilities._scoring_pairwise import scoring_pairwise_test as scoring_pairwise_test
from .ranks._friedman import friedman_test as friedman_test
from .ranks._omnibus import durbin_test as durbin_test
from .ranks._omnibus import friedman_aligned_ranks_test as friedman_aligned_ranks_test
from .ranks._omnibus import quade_test as quade_test
from .ranks._omnibus import skillings_mack_test as skillings_mack_test
from .ranks._order_pairs import sign_pairwise_test as sign_pairwise_test
from .ranks._order_pairs import wilcoxon_pairwise_test as wilcoxon_pairwise_test
from .ranks._rank_pairs import conover_test as conover_test
from .ranks._rank_pairs import control_test as control_test
from .ranks._rank_pairs import critical_difference as critical_difference
from .ranks._rank_pairs import friedman_exact_pairs_test as friedman_exact_pairs_test
from .ranks._rank_pairs import friedman_pairwise_test as friedman_pairwise_test
from .ranks._rank_pairs import nemenyi_test as nemenyi_test
from .ranks._sequence import compare_datasets as compare_datasets
from .raters._kappa import cohen_kappa as cohen_kappa
from .raters._kappa import cohen_kappa_test as cohen_kappa_test
from .raters._kappa import disagreement as disagreement
from .raters._kappa import double_fault as double_fault
from .raters._kappa import error_correlation as error_correlation
from .raters._kappa import yule_q as yule_q
from .raters._several_models import agreement as agreement
from .raters._several_models import agreement_matrix as agreement_matrix
from .readers._power import reader_study_power as reader_study_power
from .readers._study import reader_study as reader_study
from .readers._testing import reader_study_pairwise_test as reader_study_pairwise_test
from .readers._testing import reader_study_test as reader_study_test
from .readers._testing import reader_study_vs_standalone as reader_study_vs_standalone
from .simulate.rates import simulate_error_rates as simulate_error_rates
from .survival._calibration import survival_calibration as survival_calibration
from .survival._concordance import concordance as concordance
from .survival._concordance import concordance_interval as concordance_interval
from .survival._concordance import concordance_test as concordance_test
from .survival._horizon_tests import auc_at_interval as auc_at_interval
from .survival._horizon_tests import auc_at_pairwise_test as auc_at_pairwise_test
from .survival._horizon_tests import auc_at_test as auc_at_test
from .survival._horizon_tests import survival_brier_interval as survival_brier_interval
from .survival._horizon_tests import (
    survival_brier_pairwise_test as survival_brier_pairwise_test,
)
from .survival._horizon_tests import survival_brier_test as survival_brier_test
from .survival._many import concordance_covariance as concordance_covariance
from .survival._many import concordance_omnibus_test as concordance_omnibus_test
from .survival._many import concordance_pairwise_test as concordance_pairwise_test
from .survival._permutation import permutation_survival_test as permutation_survival_test

__version__: str
_HOME: dict[str, str]
_RESULTS: dict[str, str]
_MODULES: tuple[str, ...]

def _find(name: str) -> Any: ...
