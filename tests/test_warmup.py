"""After `warmup` nothing is left to compile.

A file of its own: files of few tests run last, so it finds in the cache what others have compiled.
"""

import subprocess
import sys
import textwrap

CALLS = """
    import numpy as np, fastcompare as fc, sys
    from numba.core.dispatcher import Dispatcher
    assert fc.warmup() > 0
    def compiled():
        modules = [m for name, m in sys.modules.items() if 'fastcompare.kernels' in name]
        every = {k for m in modules for k in vars(m).values() if isinstance(k, Dispatcher)}
        return {(k.py_func.__qualname__, s) for k in every for s in k.signatures}
    before = compiled()
    rng = np.random.default_rng(0)
    for n in (50, 400, 5000):
        y, a, b = np.arange(n) % 2, rng.normal(size=n), rng.normal(size=n)
        fc.delong_test(y, a, b); fc.delong_test(y, a.round(1), list(b)); fc.roc_auc(y, a)
        fc.delong_pairwise_test(y, rng.normal(size=(n, 10)))
        fc.delong_control_test(y, rng.normal(size=(n, 4)), 1)
        fc.delong_batch(y, a[None], b[None])
        few = dict(n_resamples=70, rng=0)
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
        p, q = np.exp(-a * a), np.exp(-b * b)
        fc.mcnemar_test(y, a > 0, b > 0); fc.agreement_matrix(y, {'a': a > 0, 'b': b > 0})
        fc.bootstrap_metric_test(y, a > 0, b > 0, metric='f1', method='bca', **few)
        fc.permutation_metric_test(y, a > 0, b > 0, metric='f1', **few)
        for method in ('t', 'wilcoxon', 'permutation', 'bootstrap'):
            fc.scoring_test(y, p, q, method=method, **few)
            fc.scoring_pairwise_test(y, {'p': p, 'q': q}, method=method, **few)
        for method in ('t', 'sign-flip', 'bootstrap'):
            fc.paired_mean_test(a, b, groups=np.arange(n) // 2, method=method, **few)
        fc.mean_interval(a)
        table = np.stack([a, b, a + b], 1)
        fc.leaderboard(table, method='bootstrap', **few).rank_low
        fc.calibration_error(y, p, **few); fc.wilcoxon_test(a, b)
    for n in (12, 20_000):
        names = np.array(['u', 'v', 'w'])[np.arange(n) % 3]
        fc.bradley_terry(names, np.roll(names, 1), np.array(['a', 'b'])[np.arange(n) // 3 % 2])
        fc.bradley_terry(names, np.roll(names, 1), np.arange(n) // 3 % 2, groups=np.arange(n) % 6)
    number = np.arange(5000)
    battles = number % 12, (number + 1) % 12, number // 12 % 2
    fc.bradley_terry(*battles, groups=number).pairwise().to_dict()
    for n, k in ((9, 3), (30, 5)):
        table = rng.normal(size=(n, k)); a, b = table[:, 0], table[:, 1]
        sizes = dict(n_train=90, n_test=10)
        fc.ttest_corrected(a, b, **sizes); fc.ttest_corrected_pairwise_test(table, **sizes)
        fc.rm_anova_test(table, **sizes); fc.mauchly_test(table)
        fc.rm_anova_batch(rng.normal(size=(3, n, k)))
        fc.bayes_correlated_ttest(a, b, rope=0.1, **sizes)
        fc.friedman_test(table); fc.friedman_test(table, method='permutation', **few)
        fc.quade_test(table); fc.nemenyi_test(table); fc.conover_test(table)
        fc.friedman_exact_pairs_test(table); fc.compare_datasets(table)
        fc.wilcoxon_pairwise_test(table); fc.sign_pairwise_test(table.round(1))
    assert compiled() <= before, compiled() - before
"""


def test_warmup_leaves_nothing_to_compile(requires_jit):
    subprocess.run([sys.executable, "-c", textwrap.dedent(CALLS)], check=True)
