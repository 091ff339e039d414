"""The classes of all results, for annotations; scripts/write_stub.py writes this file.

>>> from fastcompare.results import DeLongResult
"""

from typing import TYPE_CHECKING, Any

from . import _RESULTS, _find
from ._base.exceptions import no_attribute

if TYPE_CHECKING:
    from ._adapters.scans import Scan as Scan
    from ._compare.agreement.difference import CohenKappaTestResult as CohenKappaTestResult
    from ._compare.agreement.matrix import AgreementMatrixResult as AgreementMatrixResult
    from ._compare.agreement.single import AgreementMeasureResult as AgreementMeasureResult
    from ._compare.agreement.single import CohenKappaResult as CohenKappaResult
    from ._compare.agreement.together import AgreementResult as AgreementResult
    from ._compare.auc.bootstrap.many import BootstrapAUCsResult as BootstrapAUCsResult
    from ._compare.auc.bootstrap.paired import BootstrapAUCResult as BootstrapAUCResult
    from ._compare.auc.curves.band import ROCBandResult as ROCBandResult
    from ._compare.auc.curves.engines import CurveIntervalResult as CurveIntervalResult
    from ._compare.auc.curves.engines import CurveTestResult as CurveTestResult
    from ._compare.auc.delong.batch import DeLongBatchResult as DeLongBatchResult
    from ._compare.auc.delong.control import DeLongControlResult as DeLongControlResult
    from ._compare.auc.delong.covariance import DeLongCovariance as DeLongCovariance
    from ._compare.auc.delong.omnibus import DeLongOmnibusResult as DeLongOmnibusResult
    from ._compare.auc.delong.paired import DeLongResult as DeLongResult
    from ._compare.auc.delong.pairwise import DeLongPairwiseResult as DeLongPairwiseResult
    from ._compare.auc.delong.unpaired import DeLongUnpairedResult as DeLongUnpairedResult
    from ._compare.auc.multiclass.result import (
        BootstrapMulticlassAUCResult as BootstrapMulticlassAUCResult,
    )
    from ._compare.auc.multiclass.result import MulticlassAUCResult as MulticlassAUCResult
    from ._compare.auc.multiclass.result import MulticlassAUCTestResult as MulticlassAUCTestResult
    from ._compare.auc.null import AUCTestResult as AUCTestResult
    from ._compare.auc.permutation.paired import PermutationAUCResult as PermutationAUCResult
    from ._compare.auc.power.sizes import AUCSampleSizeResult as AUCSampleSizeResult
    from ._compare.auc.single import AUCIntervalResult as AUCIntervalResult
    from ._compare.datasets.aligned import FriedmanAlignedRanksResult as FriedmanAlignedRanksResult
    from ._compare.datasets.conover import ConoverResult as ConoverResult
    from ._compare.datasets.control import ControlTestResult as ControlTestResult
    from ._compare.datasets.durbin import DurbinResult as DurbinResult
    from ._compare.datasets.exact_pairs import FriedmanExactPairsResult as FriedmanExactPairsResult
    from ._compare.datasets.friedman import FriedmanResult as FriedmanResult
    from ._compare.datasets.nemenyi import NemenyiResult as NemenyiResult
    from ._compare.datasets.pairwise import FriedmanPairwiseResult as FriedmanPairwiseResult
    from ._compare.datasets.quade import QuadeResult as QuadeResult
    from ._compare.datasets.sequence import DatasetsComparisonResult as DatasetsComparisonResult
    from ._compare.datasets.sign_pairwise import SignPairwiseResult as SignPairwiseResult
    from ._compare.datasets.skillings_mack import SkillingsMackResult as SkillingsMackResult
    from ._compare.datasets.wilcoxon_pairwise import (
        WilcoxonPairwiseResult as WilcoxonPairwiseResult,
    )
    from ._compare.folds.anova import RMAnovaResult as RMAnovaResult
    from ._compare.folds.anova_batch import RMAnovaBatchResult as RMAnovaBatchResult
    from ._compare.folds.batch import TTestCorrectedBatchResult as TTestCorrectedBatchResult
    from ._compare.folds.bayes import BayesTResult as BayesTResult
    from ._compare.folds.corrected import TTestCorrectedResult as TTestCorrectedResult
    from ._compare.folds.estimators import EstimatorComparisonResult as EstimatorComparisonResult
    from ._compare.folds.five_by_two import FTest5x2cvResult as FTest5x2cvResult
    from ._compare.folds.five_by_two import TTest5x2cvResult as TTest5x2cvResult
    from ._compare.folds.mauchly import MauchlyResult as MauchlyResult
    from ._compare.folds.normality import NormalityResult as NormalityResult
    from ._compare.folds.pairwise import (
        TTestCorrectedPairwiseResult as TTestCorrectedPairwiseResult,
    )
    from ._compare.folds.search import SearchComparisonResult as SearchComparisonResult
    from ._compare.folds.uncorrected import TTestRoundsResult as TTestRoundsResult
    from ._compare.folds.unpaired import FoldsUnpairedResult as FoldsUnpairedResult
    from ._compare.folds.welch import TTestUnpairedResult as TTestUnpairedResult
    from ._compare.items.battle_pairs import (
        BradleyTerryPairwiseResult as BradleyTerryPairwiseResult,
    )
    from ._compare.items.bradley_terry import BradleyTerryResult as BradleyTerryResult
    from ._compare.items.covariance import MeanCovarianceResult as MeanCovarianceResult
    from ._compare.items.covariance import MeanOmnibusResult as MeanOmnibusResult
    from ._compare.items.evals import EvalRuns as EvalRuns
    from ._compare.items.leaderboard import LeaderboardResult as LeaderboardResult
    from ._compare.items.long import ItemScores as ItemScores
    from ._compare.items.mean import MeanIntervalResult as MeanIntervalResult
    from ._compare.items.paired import PairedMeanResult as PairedMeanResult
    from ._compare.items.pairwise import MeanPairwiseResult as MeanPairwiseResult
    from ._compare.items.power import MeanSampleSizeResult as MeanSampleSizeResult
    from ._compare.items.samples import MeanPlanResult as MeanPlanResult
    from ._compare.labels.accuracy import AccuracyIntervalResult as AccuracyIntervalResult
    from ._compare.labels.cochran import CochranQResult as CochranQResult
    from ._compare.labels.mcnemar import McNemarResult as McNemarResult
    from ._compare.labels.mcnemar_pairwise import McNemarPairwiseResult as McNemarPairwiseResult
    from ._compare.labels.metrics_bootstrap import BootstrapMetricResult as BootstrapMetricResult
    from ._compare.labels.metrics_permutation import (
        PermutationMetricResult as PermutationMetricResult,
    )
    from ._compare.labels.symmetry import SymmetryResult as SymmetryResult
    from ._compare.labels.table import ContingencyTableResult as ContingencyTableResult
    from ._compare.labels.two_proportions import TwoProportionsResult as TwoProportionsResult
    from ._compare.paired.bayes_sign import BayesSignResult as BayesSignResult
    from ._compare.paired.bayes_signed_rank import BayesSignedRankResult as BayesSignedRankResult
    from ._compare.paired.sign import SignTestResult as SignTestResult
    from ._compare.paired.wilcoxon import WilcoxonResult as WilcoxonResult
    from ._compare.probabilities.calibration_error import (
        CalibrationErrorResult as CalibrationErrorResult,
    )
    from ._compare.probabilities.decomposition import (
        BrierDecompositionResult as BrierDecompositionResult,
    )
    from ._compare.probabilities.net_benefit import NetBenefitResult as NetBenefitResult
    from ._compare.probabilities.net_benefit_test import (
        NetBenefitTestResult as NetBenefitTestResult,
    )
    from ._compare.probabilities.recalibration import CalibrationResult as CalibrationResult
    from ._compare.probabilities.scoring import ScoringResult as ScoringResult
    from ._compare.probabilities.scoring_interval import (
        ScoringIntervalResult as ScoringIntervalResult,
    )
    from ._compare.probabilities.scoring_pairwise import (
        ScoringPairwiseResult as ScoringPairwiseResult,
    )
    from ._compare.probabilities.spiegelhalter import SpiegelhalterResult as SpiegelhalterResult
    from ._results.records import ConfidenceInterval as ConfidenceInterval
    from .advice.compare import ComparedModel as ComparedModel
    from .advice.compare import ComparedPair as ComparedPair
    from .advice.compare import Comparison as Comparison
    from .advice.recommend import AdvisedTest as AdvisedTest
    from .advice.recommend import Recommendation as Recommendation
    from .advice.trust import TrustResult as TrustResult
    from .datasets import DatasetScores as DatasetScores
    from .datasets import FoldScores as FoldScores
    from .datasets import Predictions as Predictions
    from .simulate.power import PowerResult as PowerResult
    from .simulate.rates import ErrorRatesResult as ErrorRatesResult
    from .simulate.sizes import SampleSizeResult as SampleSizeResult

__all__ = sorted(_RESULTS)


def __getattr__(name: str) -> Any:
    if name not in _RESULTS:
        raise no_attribute(f"module {__name__!r}", name, _RESULTS)
    globals()[name] = found = _find(name)
    return found


def __dir__() -> list[str]:
    return _RESULTS
