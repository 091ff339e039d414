"""After `warmup` nothing is left to compile.

A file of its own: files of few tests run last, so it finds in the cache what others have compiled.
"""

import subprocess
import sys
import textwrap

import numba
import pytest

import fastcompare as fc
from fastcompare import _config

BEGIN = """
    import numpy as np, fastcompare as fc, sys
    from numba.core.dispatcher import Dispatcher
    assert fc.warmup(sys.argv[1]) > 0
    def kernels():
        modules = [m for name, m in sys.modules.items() if 'fastcompare.kernels' in name]
        return {k for m in modules for k in vars(m).values() if isinstance(k, Dispatcher)}
    def compiled():
        return {(k.py_func.__qualname__, s) for k in kernels() for s in k.signatures}
    before = compiled()
    rng = np.random.default_rng(0)
    few = dict(n_resamples=70, rng=0)
    def cases():
        for n in (50, 400, 5000):
            a, b = rng.normal(size=n), rng.normal(size=n)
            yield n, np.arange(n) % 2, a, b, np.exp(-a * a), np.exp(-b * b)
    def tables():
        for n, k in ((9, 3), (30, 5)):
            table = rng.normal(size=(n, k))
            yield n, k, table, table[:, 0], table[:, 1]
"""
CALLS = {
    "auc": """
    for n, y, a, b, p, q in cases():
        fc.delong_test(y, a, b); fc.delong_test(y, a.round(1), list(b)); fc.roc_auc(y, a)
        fc.delong_pairwise_test(y, rng.normal(size=(n, 10)))
        fc.delong_control_test(y, rng.normal(size=(n, 4)), 1)
        fc.delong_batch(y, a[None], b[None])
        fc.bootstrap_auc_test(y, a, b, method='studentized', **few)
        fc.bootstrap_auc_test([(y, a, b)], method='poisson', **few)
        fc.bootstrap_auc_test([(y, a.round(1), b)], method='poisson', **few)
        fc.bootstrap_auc_test(y, a, b, groups=np.arange(n) // 2, **few)
        fc.bootstrap_auc(y, rng.normal(size=(n, 3)), method='bca', **few)
        fc.permutation_auc_test(y, a, b, **few)
        fc.permutation_auc_test(y, a, b, exact=False, **few)
        fc.permutation_auc_test(y, a, b, method='venkatraman', **few)
        fc.permutation_auc_test(y, a, b, method='studentized', **few)
        fc.partial_auc_test(y, a, b, tpr=(0.8, 1), **few)
        fc.specificity_at_sensitivity_test(y, a, b, sensitivity=0.9, **few)
        fc.average_precision_test(y, a, b, method='bca', **few)
        fc.roc_curve_band(y, a, **few)
        fc.multiclass_auc(y, np.stack([a, b], 1), method='bootstrap', **few)
        fc.delong_test(y, a, b, sample_weight=np.ones(n))
        fc.delong_test(y, a, b, groups=np.arange(n) // 2)
""",
    "labels": """
    for n, y, a, b, p, q in cases():
        fc.mcnemar_test(y, a > 0, b > 0); fc.agreement_matrix(y, {'a': a > 0, 'b': b > 0})
        fc.bootstrap_metric_test(y, a > 0, b > 0, metric='f1', method='bca', **few)
        fc.permutation_metric_test(y, a > 0, b > 0, metric='f1', **few)
        fc.mcnemar_pairwise_test(y, {'a': a > 0, 'b': b > 0, 'c': p > 0.5})
        fc.cochran_q_test(y, {'a': a > 0, 'b': b > 0, 'c': p > 0.5})
""",
    "probabilities": """
    for n, y, a, b, p, q in cases():
        for method in ('t', 'wilcoxon', 'permutation', 'bootstrap'):
            fc.scoring_test(y, p, q, method=method, **few)
            fc.scoring_pairwise_test(y, {'p': p, 'q': q, 'r': p * q}, method=method, **few)
        fc.calibration_error(y, p, **few)
""",
    "items": """
    for n, y, a, b, p, q in cases():
        for method in ('t', 'sign-flip', 'bootstrap'):
            fc.paired_mean_test(a, b, groups=np.arange(n) // 2, method=method, **few)
        fc.mean_interval(a)
        table = np.stack([a, b, a + b], 1)
        fc.mean_pairwise_test(table)
        fc.leaderboard(table, method='bootstrap', **few).rank_low
    for n in (12, 20_000):
        names = np.array(['u', 'v', 'w'])[np.arange(n) % 3]
        fc.bradley_terry(names, np.roll(names, 1), np.array(['a', 'b'])[np.arange(n) // 3% 2])
        fc.bradley_terry(names, np.roll(names, 1), np.arange(n) // 3% 2, groups=np.arange(n) % 6)
    number = np.arange(5000)
    battles = number % 12, (number + 1) % 12, number // 12% 2
    fc.bradley_terry(*battles, groups=number).pairwise().to_dict()
""",
    "folds": """
    for n, k, table, a, b in tables():
        sizes = dict(n_train=90, n_test=10)
        fc.ttest_corrected(a, b, **sizes); fc.ttest_corrected_pairwise_test(table, **sizes)
        fc.rm_anova_test(table, **sizes); fc.mauchly_test(table)
        fc.rm_anova_batch(rng.normal(size=(3, n, k)))
        fc.bayes_correlated_ttest(a, b, rope=0.1, **sizes)
""",
    "datasets": """
    for n, y, a, b, p, q in cases():
        fc.wilcoxon_test(a, b)
    for n, k, table, a, b in tables():
        fc.friedman_test(table); fc.friedman_test(table, method='permutation', **few)
        fc.quade_test(table); fc.nemenyi_test(table); fc.conover_test(table)
        fc.friedman_exact_pairs_test(table); fc.compare_datasets(table)
        fc.wilcoxon_pairwise_test(table); fc.sign_pairwise_test(table.round(1))
""",
    "times": """
    for n, y, a, b, p, q in cases():
        time, event, horizon = -np.log(p), np.arange(n) % 3 > 0, {'horizon': 0.5}
        fc.concordance(time, event, a); fc.concordance_interval(time, event, a.round(1))
        fc.concordance_test(time, event, a, b); fc.concordance_test(time, 1 + 0 * y, a, b)
        fc.concordance_test(time.round(1), event, a, b, method='uno', tau=1.0)
        fc.concordance_pairwise_test(time, event, np.stack([a, b, a + b], 1))
        fc.auc_at_test(time, event, a, b, **horizon)
        fc.survival_brier_test(time, event, p, q, **horizon)
        for x, z in ((a, b), (a.round(1), b.round(1))):
            data = np.exp(-x), y, x, z
            for method in ('harrell', 'uno'):
                fc.concordance_test(*data, method=method)
                fc.concordance_test(*data, method=method, sample_weight=np.exp(b))
                fc.concordance_test(*data, method=method, groups=np.arange(n) // 2)
                fc.permutation_survival_test(*data, method=method, **few)
            fc.concordance_interval(*data[:3]); fc.concordance(*data[:3])
            fc.concordance_pairwise_test(*data[:2], rng.normal(size=(n, 3)))
            fc.auc_at_test(*data, horizon=[0.9, 1.1])
            fc.permutation_survival_test(*data, method='auc', horizon=1, **few)
        fc.survival_brier_test(np.exp(-a), y, p, q, horizon=1)
        fc.permutation_survival_test(np.exp(-a), y, p, q, method='brier', horizon=1, **few)
""",
    "readers": """
    for n, y, a, b, p, q in cases():
        scores = rng.normal(size=(2, 3, n)).round(1)
        for covariance in ('delong', 'unbiased', 'jackknife'):
            fc.reader_study_test(scores, truth=y, covariance=covariance)
        fc.reader_study_pairwise_test(rng.normal(size=(3, 3, n)), truth=y)
""",
    "simulations": """
    from fastcompare import simulate
    for design in (
        simulate.BinormalScores(n_positive=30), simulate.CorrelatedFolds(n_models=4),
        simulate.DietterichClassifiers(n=100), simulate.ModelsByDatasets(n_datasets=7),
    ):
        fc.simulate_error_rates(None, design, n_trials=30, rng=1)
        fc.simulate_error_rates({"own": lambda *_: 0.5}, design, n_trials=3, rng=1)
""",
}
END = """
    assert compiled() <= before, compiled() - before
    from numba.types import Tuple, UniTuple
    for k in kernels():  # a compiled wheel takes named tuples alone
        parameters = [t for s in k.signatures for t in s[:k.py_func.__code__.co_argcount]]
        assert not {*map(type, parameters)} & {Tuple, UniTuple}, k
"""


@pytest.mark.slow
@pytest.mark.parametrize("family", CALLS)
def test_warmup_leaves_nothing_of_a_family_to_compile(family, requires_jit):
    code = textwrap.dedent(BEGIN + CALLS[family] + END)
    subprocess.run([sys.executable, "-W", "ignore::UserWarning", "-c", code, family], check=True)


def test_warmup_without_a_family_is_all_of_them(monkeypatch):
    heard = []
    monkeypatch.setitem(_config.FAMILIES, "auc", lambda: [("roc_auc", ([0, 1], [1, 2]), {})])
    for family in CALLS.keys() - {"auc"}:
        monkeypatch.setitem(_config.FAMILIES, family, lambda: [("show_config", (), {})])
    assert list(_config.FAMILIES) == list(CALLS)
    assert fc.warmup(progress=lambda *told: heard.append(told)) > 0
    n = 0 if numba.config.DISABLE_JIT else len(CALLS)
    assert heard == [(done, n) for done in range(1, n + 1)]
    with pytest.raises(fc.InvalidValueError, match=r"`families` must be one of 'auc', .*'label'"):
        fc.warmup("auc", "label")
