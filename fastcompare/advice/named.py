"""The tests of each kind of data by name, which `compare(test=...)` chooses among."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial, wraps
from typing import Any

from .._inputs.options import bare
from .._inputs.plans.questions import check_test
from .._results.records import changed
from ..auc._bootstrap import bootstrap_auc_test
from ..auc._bootstrap_many import bootstrap_auc
from ..auc._curves import average_precision_test, partial_auc_test
from ..auc._delong.omnibus import delong_omnibus_test
from ..auc._delong.paired import delong_test
from ..auc._delong.pairwise import delong_control_test, delong_pairwise_test
from ..auc._one_model import roc_auc_interval
from ..auc._permutation import permutation_auc_test
from ..folds._anova import rm_anova_test
from ..folds._pairwise import ttest_corrected_pairwise_test
from ..folds._student import ttest_corrected, ttest_kfold, ttest_resampled
from ..folds._two_models import bayes_correlated_ttest, ftest_5x2cv, ttest_5x2cv
from ..items._covariance import mean_omnibus_test
from ..items._mean import mean_interval
from ..items._paired import paired_mean_test
from ..items._pairwise import mean_pairwise_test
from ..labels._accuracy import accuracy_interval
from ..labels._cochran import cochran_q_test
from ..labels._mcnemar import mcnemar_test
from ..labels._mcnemar_pairwise import mcnemar_pairwise_test
from ..labels._metrics_bootstrap import bootstrap_metric_test
from ..labels._metrics_permutation import permutation_metric_test
from ..labels._table import bowker_test, stuart_maxwell_test
from ..labels._two_proportions import two_proportions_test
from ..paired._bayes import bayes_sign, bayes_signed_rank
from ..paired._sign import sign_test
from ..paired._wilcoxon import wilcoxon_test
from ..probabilities._scoring import scoring_interval, scoring_test
from ..probabilities._scoring_pairwise import scoring_pairwise_test
from ..ranks._friedman import friedman_test
from ..ranks._omnibus import (
    durbin_test,
    friedman_aligned_ranks_test,
    quade_test,
    skillings_mack_test,
)
from ..ranks._order_pairs import sign_pairwise_test, wilcoxon_pairwise_test
from ..ranks._rank_pairs import friedman_exact_pairs_test
from ..ranks._sequence import AGAINST_CONTROL, POSTHOC, omnibus_of_datasets
from ..raters._kappa import cohen_kappa_test
from ..survival._concordance import concordance_interval, concordance_test
from ..survival._many import concordance_omnibus_test, concordance_pairwise_test
from ..survival._permutation import permutation_survival_test
from .analyses import losses_omnibus
from .data import Tests

Test = Callable[..., Any]
Table = Mapping[str, Tests]


def without_truth(test: Test) -> Test:
    """Return a test of two columns of labels as one of labels beside the truth."""

    @wraps(test)
    def run(y_true: Any, predictions: Mapping[str, Any], **options: Any) -> Any:
        return test(*predictions.values(), **options)

    return run


def of_halves(test: Test) -> Test:
    """Return a test of five two-fold cross-validations as one of ten rounds in order."""

    @wraps(test)
    def run(scores: Mapping[str, Any], **options: Any) -> Any:
        halves = (x.reshape(-1, 2) if x.size % 2 == 0 else x for x in scores.values())
        return changed(test(*halves, **options), {"names": tuple(scores)})

    return run


SCORES: Table = {
    "delong": Tests(
        two=delong_test,
        together=delong_omnibus_test,
        pairs=delong_pairwise_test,
        control=delong_control_test,
        one=roc_auc_interval,
        field="auc",
        quantity="AUC",
        named=("DeLong's test of their AUCs", "DeLong's tests of their AUCs"),
    ),
    "bootstrap": Tests(two=bootstrap_auc_test, pairs=bootstrap_auc, field="auc", quantity="AUC"),
    "permutation": Tests(two=permutation_auc_test, field="auc", quantity="AUC"),
    "average-precision": Tests(
        two=average_precision_test, field="values", quantity="average precision"
    ),
    "partial-auc": Tests(two=partial_auc_test, field="values", quantity="partial AUC"),
}
RIGHT: Any = {"field": "accuracy", "quantity": "accuracy"}
LABELS: Table = {
    "mcnemar": Tests(
        two=mcnemar_test,
        together=cochran_q_test,
        pairs=mcnemar_pairwise_test,
        one=accuracy_interval,
        named=("McNemar's test", "Cochran's Q and McNemar's tests"),
        **RIGHT,
    ),
    "cochran": Tests(together=cochran_q_test, **RIGHT),
    "two-proportions": Tests(two=two_proportions_test, **RIGHT),
    "bootstrap": Tests(two=bootstrap_metric_test, field="values", quantity="accuracy"),
    "permutation": Tests(two=permutation_metric_test, field="values", quantity="accuracy"),
    "kappa": Tests(two=cohen_kappa_test, field="kappa", quantity="Cohen's kappa"),
    "bowker": Tests(two=without_truth(bowker_test), **RIGHT),
    "stuart-maxwell": Tests(two=without_truth(stuart_maxwell_test), **RIGHT),
}
PROBABILITIES: Table = {
    "scoring": Tests(
        two=scoring_test,
        together=losses_omnibus,
        pairs=scoring_pairwise_test,
        one=scoring_interval,
        field="losses",
        named=("a paired t-test of the {}", "paired t-tests of the {}"),
        higher_is_better=False,
    )
}
SCORED: Any = {"field": "means", "quantity": "mean score", "higher_is_better": None}
WILCOXON: Any = {"two": wilcoxon_test, "pairs": wilcoxon_pairwise_test}
SIGN: Any = {"two": sign_test, "pairs": sign_pairwise_test}
AGAINST: dict[str, Any] = {name: test for name, (test, _) in AGAINST_CONTROL.items()}
ITEMS: Table = {
    "mean": Tests(
        two=paired_mean_test,
        together=mean_omnibus_test,
        pairs=mean_pairwise_test,
        one=mean_interval,
        named=("a paired test of their mean scores", "paired tests of their mean scores"),
        units="items",
        **SCORED,
    ),
    "wilcoxon": Tests(**WILCOXON, control=AGAINST["wilcoxon"], units="items", **SCORED),
    "sign": Tests(**SIGN, control=AGAINST["sign"], units="items", **SCORED),
    "bayes-signed-rank": Tests(two=bayes_signed_rank, units="items", **SCORED),
    "bayes-sign": Tests(two=bayes_sign, units="items", **SCORED),
}
ROUNDS: Any = {"units": "rounds", **SCORED}
FOLDS: Table = {
    "ttest-corrected": Tests(
        two=ttest_corrected,
        together=rm_anova_test,
        pairs=ttest_corrected_pairwise_test,
        **ROUNDS,
    ),
    "ttest-5x2cv": Tests(two=of_halves(ttest_5x2cv), **ROUNDS),
    "ftest-5x2cv": Tests(two=of_halves(ftest_5x2cv), **ROUNDS),
    "ttest-kfold": Tests(two=ttest_kfold, **ROUNDS),
    "ttest-resampled": Tests(two=ttest_resampled, **ROUNDS),
    "bayes-correlated-ttest": Tests(two=bayes_correlated_ttest, **ROUNDS),
    "rm-anova": Tests(together=rm_anova_test, **ROUNDS),
}
ON_SETS: Any = {"units": "data sets", **SCORED}
OMNIBUS: dict[str, Test] = {
    "friedman": friedman_test,
    "friedman-aligned-ranks": friedman_aligned_ranks_test,
    "quade": quade_test,
    "skillings-mack": skillings_mack_test,
    "durbin": durbin_test,
}
OF_TWO: dict[str, Test] = {"wilcoxon": wilcoxon_test, "sign": sign_test}
EXACT = partial(friedman_exact_pairs_test, correction="holm")
EVERY_PAIR: dict[str, Any] = {**{x: test for x, (test, _) in POSTHOC.items()}, "exact": EXACT}
DATASETS: Table = {
    **{
        name: Tests(
            two=OF_TWO.get(name),
            together=omnibus_of_datasets,
            pairs=EVERY_PAIR.get(name),
            control=AGAINST.get(name),
            **ON_SETS,
        )
        for name in dict.fromkeys([*EVERY_PAIR, *AGAINST])
    },
    **{name: Tests(together=test, **ON_SETS) for name, test in OMNIBUS.items()},
    "bayes-signed-rank": Tests(two=bayes_signed_rank, **ON_SETS),
    "bayes-sign": Tests(two=bayes_sign, **ON_SETS),
}
OF_TIMES: Any = {"field": "concordance", "quantity": "concordance"}
TIMES: Table = {
    "concordance": Tests(
        two=concordance_test,
        together=concordance_omnibus_test,
        pairs=concordance_pairwise_test,
        one=concordance_interval,
        **OF_TIMES,
    ),
    "permutation": Tests(two=permutation_survival_test, **OF_TIMES),
}
NAMED: Mapping[str, Table] = {
    "scores": SCORES,
    "labels": LABELS,
    "probabilities": PROBABILITIES,
    "folds": FOLDS,
    "datasets": DATASETS,
    "items": ITEMS,
    "times": TIMES,
}
FAMILIES = ("_pairwise_test", "_omnibus_test", "_control_test", "_test")


def spellings(name: str, tests: Tests) -> Iterator[str]:
    """Yield what a test may be called: its name, and those of its functions."""
    yield bare(name)
    for test in (tests.two, tests.pairs, tests.together, tests.control):
        called = getattr(getattr(test, "func", test), "__name__", "")
        if called and test is not omnibus_of_datasets:
            yield bare(called)
            yield next((bare(called[: -len(x)]) for x in FAMILIES if called.endswith(x)), "")


def name_in(table: Table, test: str) -> str | None:
    """Return the name that a table has for a test, None where it has not."""
    if test in table:
        return test
    found = (name for name, tests in table.items() if bare(test) in spellings(name, tests))
    return next(found, None)


def kind_of_test(test: str | None) -> str | None:
    """Return the kind of data of a test that is for one kind alone, None of others."""
    named = isinstance(test, str)  # what is none is refused later
    kinds = [kind for kind in NAMED if named and name_in(NAMED[kind], str(test))]
    return kinds[0] if len(kinds) == 1 else None


def tests_named(kind: str, test: str | None) -> Tests | None:
    """Return the tests of a kind that are called so, None where none are chosen, or raise."""
    if test is None:
        return None
    table = NAMED.get(kind, {})
    name = name_in(table, test) if isinstance(test, str) else None
    if name is None:
        homes = {other: tuple(tests) for other, tests in NAMED.items()}
        check_test(test, kind, tuple(table), homes)
    return table[str(name)]
