"""Repeated-measures ANOVA of many tables in one call: for simulations and searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..._base.documented import documented
from ..._base.parallel import map_threads
from ..._base.types import Undefined, Vector
from ..._inference.pvalues import TINY, f_pvalue, f_pvalues
from ..._inference.status import announce
from ..._inputs.models import as_model_tables, refuse_undefined
from ..._inputs.options import check_choice, check_undefined, count_jobs
from ..._results.batch import BatchResult
from ...kernels.tables.anova import rm_anova_rows
from .anova import Sphericity, as_sizes
from .sphericity import SPHERICITY, Epsilon, degrees, epsilons, factor_of

BLOCK = 1 << 16  # scores of a call of the kernel, at least one table: a tenth of a millisecond


@dataclass(frozen=True, eq=False, kw_only=True)
class RMAnovaBatchResult(BatchResult):
    """Result of `rm_anova_batch`: arrays over the B tables."""

    df: tuple[Vector, Vector]
    epsilon: Epsilon
    partial_eta2: Vector
    sphericity: str
    n: int
    n_train: float | None
    n_test: float | None
    title: ClassVar[str] = "Repeated-measures ANOVA of many tables"

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (B,) of the p-values, finite where those underflow."""
        with np.errstate(divide="ignore"):
            log_p = np.log(self.pvalue)
        for i in np.flatnonzero(self.pvalue < TINY):
            df1, df2 = self.df[0][i], self.df[1][i]
            log_p[i] = f_pvalue(float(self.statistic[i]), float(df1), float(df2)).log_pvalue
        return log_p


@documented
def rm_anova_batch(
    scores: ArrayLike,
    *,
    n_train: float | None = None,
    n_test: float | None = None,
    sphericity: Sphericity = "auto",
    n_jobs: int = 1,
    on_undefined: Undefined = "warn",
) -> RMAnovaBatchResult:
    """Run `rm_anova_test` on B tables of J rounds and k models each, all in one call.

    Parameters
    ----------
    scores : array-like of shape (B, J, k)
        A table for each problem, a row a round and a column a model.
    n_train, n_test, sphericity, on_undefined
        As in `rm_anova_test`.

    Returns
    -------
    RMAnovaBatchResult
        With ``statistic``, ``df`` (two arrays), ``pvalue``, ``log_pvalue``, ``epsilon`` and
        ``partial_eta2`` over the B tables, ``sphericity`` as asked, ``n`` (J), ``n_train``,
        ``n_test``, ``method`` and ``summary()``.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for inputs that cannot mean anything; a missing score too, since
        no rounds are left out.

    Warns
    -----
    UndefinedResultWarning
        Once, if there are tables whose differences do not vary, but are not all 0.

    See Also
    --------
    rm_anova_test : One table, with names, missing scores and another effect size.
    ttest_corrected_batch : Two models.

    Notes
    -----
    Each table is tested as by `rm_anova_test`: F = (J - 1) SS_models / SS_error / (1 + J n_test /
    n_train), with e (k - 1) and e (k - 1) (J - 1) degrees of freedom.

    References
    ----------
    .. [1] S. W. Greenhouse, S. Geisser (1959), doi:10.1007/BF02289823.
    .. [2] C. Nadeau, Y. Bengio (2003), doi:10.1023/A:1024068626366.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> scores = np.random.default_rng(0).normal(size=(1000, 30, 4))
    >>> result = fc.rm_anova_batch(scores)
    >>> bool(30 < (result.pvalue < 0.05).sum() < 70)
    True
    """
    check_choice("sphericity", sphericity, ("auto", *SPHERICITY))
    check_undefined(on_undefined)
    jobs = count_jobs(n_jobs)
    sizes = as_sizes(n_train, n_test)
    tables = as_model_tables("scores", scores)

    _, n, k = tables.shape
    plain, greenhouse_geisser = anova_statistics(tables, jobs)
    statistic = plain / (1.0 + n * sizes.ratio)
    epsilon = epsilons(greenhouse_geisser, n, k)
    factor = np.broadcast_to(factor_of(epsilon, sphericity), statistic.shape)
    df = degrees(factor, n, k)
    pvalue = f_pvalues(statistic, *df)
    pvalue[statistic == 0.0] = 1.0
    stuck = np.isinf(statistic)
    where = f" ({np.count_nonzero(stuck)} of {stuck.size} tables, the first is {stuck.argmax()})"
    announce("zero_variance" if stuck.any() else "ok", on_undefined, where)

    with np.errstate(invalid="ignore"):
        partial = np.where(np.isinf(plain), 1.0, plain / (plain + (n - 1)))
    return RMAnovaBatchResult(
        statistic=statistic,
        df=df,
        pvalue=pvalue,
        epsilon=epsilon,
        partial_eta2=partial,
        sphericity=sphericity,
        n=n,
        n_train=sizes.n_train,
        n_test=sizes.n_test,
        method=f"{'corrected ' if sizes.ratio else ''}repeated-measures ANOVA",
    )


def anova_statistics(tables: Vector, jobs: int) -> tuple[Vector, Vector]:
    """Return F, not corrected for overlap, and Greenhouse and Geisser's epsilon of every table."""
    statistic, epsilon = np.empty(len(tables)), np.empty(len(tables))
    height = max(1, BLOCK // tables[0].size)

    def run(start: int) -> None:
        part = slice(start, start + height)
        with np.errstate(over="ignore", invalid="ignore"):  # for kernels that run as plain Python
            rm_anova_rows(tables[part], statistic[part], epsilon[part])

    map_threads(run, range(0, len(tables), height), jobs)
    if (wrong := np.flatnonzero(np.isnan(statistic))).size:
        refuse_undefined("scores", tables[wrong[0]], int(wrong[0]))
    return statistic, epsilon
