"""The classes of all results and their homes: `results.py` reads them here, type checkers too."""

from ._adapters.scans import Scan as Scan
from ._compare.agreement.single import AgreementMeasureResult as AgreementMeasureResult
from ._compare.agreement.single import CohenKappaResult as CohenKappaResult
from ._compare.agreement.single import CohenKappaTestResult as CohenKappaTestResult
from ._compare.agreement.together import AgreementMatrixResult as AgreementMatrixResult
from ._compare.agreement.together import AgreementResult as AgreementResult
from ._compare.auc.bootstrap import BootstrapAUCResult as BootstrapAUCResult
from ._compare.auc.bootstrap_many import BootstrapAUCsResult as BootstrapAUCsResult
from ._compare.auc.curve_engines import CurveIntervalResult as CurveIntervalResult
from ._compare.auc.curve_engines import CurveTestResult as CurveTestResult
from ._compare.auc.curves import ROCBandResult as ROCBandResult
from ._compare.auc.delong.batch import DeLongBatchResult as DeLongBatchResult
from ._compare.auc.delong.batch import DeLongUnpairedResult as DeLongUnpairedResult
from ._compare.auc.delong.interaction import (
    DeLongInteractionOmnibusResult as DeLongInteractionOmnibusResult,
)
from ._compare.auc.delong.interaction import (
    DeLongInteractionResult as DeLongInteractionResult,
)
from ._compare.auc.delong.omnibus import DeLongCovariance as DeLongCovariance
from ._compare.auc.delong.omnibus import DeLongOmnibusResult as DeLongOmnibusResult
from ._compare.auc.delong.paired import DeLongResult as DeLongResult
from ._compare.auc.delong.pairwise import DeLongControlResult as DeLongControlResult
from ._compare.auc.delong.pairwise import DeLongPairwiseResult as DeLongPairwiseResult
from ._compare.auc.multiclass import BootstrapMulticlassAUCResult as BootstrapMulticlassAUCResult
from ._compare.auc.multiclass import MulticlassAUCResult as MulticlassAUCResult
from ._compare.auc.multiclass import MulticlassAUCTestResult as MulticlassAUCTestResult
from ._compare.auc.permutation import PermutationAUCResult as PermutationAUCResult
from ._compare.auc.power import AUCSampleSizeResult as AUCSampleSizeResult
from ._compare.auc.single import AUCIntervalResult as AUCIntervalResult
from ._compare.auc.single import AUCTestResult as AUCTestResult
from ._compare.datasets.friedman import FriedmanResult as FriedmanResult
from ._compare.datasets.omnibus import DurbinResult as DurbinResult
from ._compare.datasets.omnibus import FriedmanAlignedRanksResult as FriedmanAlignedRanksResult
from ._compare.datasets.omnibus import QuadeResult as QuadeResult
from ._compare.datasets.omnibus import SkillingsMackResult as SkillingsMackResult
from ._compare.datasets.order_pairs import SignPairwiseResult as SignPairwiseResult
from ._compare.datasets.order_pairs import WilcoxonPairwiseResult as WilcoxonPairwiseResult
from ._compare.datasets.rank_pairs import ConoverResult as ConoverResult
from ._compare.datasets.rank_pairs import ControlTestResult as ControlTestResult
from ._compare.datasets.rank_pairs import FriedmanExactPairsResult as FriedmanExactPairsResult
from ._compare.datasets.rank_pairs import FriedmanPairwiseResult as FriedmanPairwiseResult
from ._compare.datasets.rank_pairs import NemenyiResult as NemenyiResult
from ._compare.datasets.sequence import DatasetsComparisonResult as DatasetsComparisonResult
from ._compare.folds.anova import RMAnovaBatchResult as RMAnovaBatchResult
from ._compare.folds.anova import RMAnovaResult as RMAnovaResult
from ._compare.folds.assumptions import MauchlyResult as MauchlyResult
from ._compare.folds.assumptions import NormalityResult as NormalityResult
from ._compare.folds.estimators import EstimatorComparisonResult as EstimatorComparisonResult
from ._compare.folds.estimators import SearchComparisonResult as SearchComparisonResult
from ._compare.folds.pairwise import TTestCorrectedPairwiseResult as TTestCorrectedPairwiseResult
from ._compare.folds.student import TTestCorrectedBatchResult as TTestCorrectedBatchResult
from ._compare.folds.student import TTestCorrectedResult as TTestCorrectedResult
from ._compare.folds.student import TTestRoundsResult as TTestRoundsResult
from ._compare.folds.two_models import BayesTResult as BayesTResult
from ._compare.folds.two_models import FTest5x2cvResult as FTest5x2cvResult
from ._compare.folds.two_models import TTest5x2cvResult as TTest5x2cvResult
from ._compare.folds.unpaired import FoldsUnpairedResult as FoldsUnpairedResult
from ._compare.folds.unpaired import TTestUnpairedResult as TTestUnpairedResult
from ._compare.items.bradley_terry import BradleyTerryPairwiseResult as BradleyTerryPairwiseResult
from ._compare.items.bradley_terry import BradleyTerryResult as BradleyTerryResult
from ._compare.items.covariance import MeanCovarianceResult as MeanCovarianceResult
from ._compare.items.covariance import MeanOmnibusResult as MeanOmnibusResult
from ._compare.items.evals import EvalRuns as EvalRuns
from ._compare.items.evals import ItemScores as ItemScores
from ._compare.items.leaderboard import LeaderboardResult as LeaderboardResult
from ._compare.items.mean import MeanIntervalResult as MeanIntervalResult
from ._compare.items.paired import PairedMeanResult as PairedMeanResult
from ._compare.items.pairwise import MeanPairwiseResult as MeanPairwiseResult
from ._compare.items.power import MeanPlanResult as MeanPlanResult
from ._compare.items.power import MeanSampleSizeResult as MeanSampleSizeResult
from ._compare.labels.accuracy import AccuracyIntervalResult as AccuracyIntervalResult
from ._compare.labels.cochran import CochranQResult as CochranQResult
from ._compare.labels.mcnemar import McNemarResult as McNemarResult
from ._compare.labels.mcnemar_pairwise import McNemarPairwiseResult as McNemarPairwiseResult
from ._compare.labels.metrics_bootstrap import BootstrapMetricResult as BootstrapMetricResult
from ._compare.labels.metrics_permutation import PermutationMetricResult as PermutationMetricResult
from ._compare.labels.table import ContingencyTableResult as ContingencyTableResult
from ._compare.labels.table import SymmetryResult as SymmetryResult
from ._compare.labels.two_proportions import TwoProportionsResult as TwoProportionsResult
from ._compare.paired.bayes import BayesSignedRankResult as BayesSignedRankResult
from ._compare.paired.bayes import BayesSignResult as BayesSignResult
from ._compare.paired.sign import SignTestResult as SignTestResult
from ._compare.paired.wilcoxon import WilcoxonResult as WilcoxonResult
from ._compare.probabilities.calibration_error import (
    CalibrationErrorResult as CalibrationErrorResult,
)
from ._compare.probabilities.decomposition import (
    BrierDecompositionResult as BrierDecompositionResult,
)
from ._compare.probabilities.decomposition import SpiegelhalterResult as SpiegelhalterResult
from ._compare.probabilities.net_benefit import NetBenefitResult as NetBenefitResult
from ._compare.probabilities.net_benefit import NetBenefitTestResult as NetBenefitTestResult
from ._compare.probabilities.recalibration import CalibrationResult as CalibrationResult
from ._compare.probabilities.scoring import ScoringIntervalResult as ScoringIntervalResult
from ._compare.probabilities.scoring import ScoringResult as ScoringResult
from ._compare.probabilities.scoring_pairwise import ScoringPairwiseResult as ScoringPairwiseResult
from ._compare.readers.power import ReaderStudyPowerResult as ReaderStudyPowerResult
from ._compare.readers.study import ReaderStudyResult as ReaderStudyResult
from ._compare.readers.testing import ReaderStudyOmnibusResult as ReaderStudyOmnibusResult
from ._compare.readers.testing import ReaderStudyPairwiseResult as ReaderStudyPairwiseResult
from ._compare.readers.testing import ReaderStudyStandaloneResult as ReaderStudyStandaloneResult
from ._compare.readers.testing import ReaderStudyTestResult as ReaderStudyTestResult
from ._compare.times.at_horizon import HorizonCurveResult as HorizonCurveResult
from ._compare.times.at_horizon import HorizonIntervalResult as HorizonIntervalResult
from ._compare.times.at_horizon import HorizonPairwiseResult as HorizonPairwiseResult
from ._compare.times.at_horizon import HorizonsTestResult as HorizonsTestResult
from ._compare.times.at_horizon import HorizonTestResult as HorizonTestResult
from ._compare.times.concordance import ConcordanceIntervalResult as ConcordanceIntervalResult
from ._compare.times.concordance import ConcordanceTestResult as ConcordanceTestResult
from ._compare.times.many import ConcordanceCovarianceResult as ConcordanceCovarianceResult
from ._compare.times.many import ConcordanceOmnibusResult as ConcordanceOmnibusResult
from ._compare.times.many import ConcordancePairwiseResult as ConcordancePairwiseResult
from ._results.records import ConfidenceInterval as ConfidenceInterval
from .advice.compare import ComparedModel as ComparedModel
from .advice.compare import ComparedPair as ComparedPair
from .advice.compare import Comparison as Comparison
from .advice.compare import TrustResult as TrustResult
from .advice.recommend import AdvisedTest as AdvisedTest
from .advice.recommend import Recommendation as Recommendation
from .datasets import DatasetScores as DatasetScores
from .datasets import FoldScores as FoldScores
from .datasets import Predictions as Predictions
from .simulate.power import PowerResult as PowerResult
from .simulate.power import SampleSizeResult as SampleSizeResult
from .simulate.rates import ErrorRatesResult as ErrorRatesResult
