# The functions of this family and their homes, by scripts/write_api.py.

from ._anova import rm_anova_batch as rm_anova_batch
from ._anova import rm_anova_test as rm_anova_test
from ._assumptions import mauchly_test as mauchly_test
from ._assumptions import normality_report as normality_report
from ._estimators import compare_estimators as compare_estimators
from ._estimators import from_cv_results as from_cv_results
from ._pairwise import ttest_corrected_pairwise_test as ttest_corrected_pairwise_test
from ._student import ttest_corrected as ttest_corrected
from ._student import ttest_corrected_batch as ttest_corrected_batch
from ._student import ttest_kfold as ttest_kfold
from ._student import ttest_resampled as ttest_resampled
from ._two_models import bayes_correlated_ttest as bayes_correlated_ttest
from ._two_models import ftest_5x2cv as ftest_5x2cv
from ._two_models import ttest_5x2cv as ttest_5x2cv
from ._unpaired import folds_unpaired_test as folds_unpaired_test
from ._unpaired import ttest_unpaired as ttest_unpaired

CALLS: dict[str, str]
