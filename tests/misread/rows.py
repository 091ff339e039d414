"""The cases of files with a row a data set, round, item or battle."""

import numpy as np
import pandas as pd

from .cases import Case, both
from .drawn import (
    AGAINST,
    LONG,
    MODELS,
    PLAYED,
    RATES,
    RNG,
    SETS,
    SIDES,
    WIDE,
    A,
    B,
    K,
    Y,
    battles,
    rows,
    table,
    winners,
    with_cell,
    words,
)

SVM, FOREST, BAYES = RATES.T
THREE = dict(zip(MODELS, RATES.T, strict=True))
TWO = {"svm": SVM, "forest": FOREST}
SIZES = ("--n-train", "90", "--n-test", "10")
LINE = WIDE.splitlines()[1]


def summed(name):
    """Return the table with a row of means."""
    return f"{WIDE}{name},{','.join(f'{m:.4f}' for m in RATES.mean(axis=0))}\n"


def written(form):
    """Return the table of two models with cells in this form."""
    return rows(SETS, map(form.format, SVM), map(form.format, FOREST), "dataset,svm,forest")


def with_bold(form):
    """Return the table with a cell in bold print."""
    value = WIDE.splitlines()[3].split(",")[2]
    return with_cell(WIDE, form % value, column=2)


TABLES = {
    "data sets": Case(WIDE, "datasets", "datasets"),
    "spreads beside": both(
        table(dataset=SETS, **THREE, **{f"{m}_std": RATES[:, 0] / 50 for m in MODELS}), "'svm_std'"
    ),
    "spreads in brackets": both(
        table(dataset=SETS, **THREE, **{"svm (sd)": SVM / 50}), r"svm \(sd"
    ),
    "ranks beside": both(table(dataset=SETS, **THREE, rank_svm=np.ones(K)), "'rank_svm'"),
    "numbers of cases": both(
        table(dataset=SETS, **THREE, n_samples=RNG.integers(100, 9999, K)), "'n_samples'"
    ),
    "per cent and shares": both(table(dataset=SETS, svm=SVM, forest=100 * FOREST), "'forest'"),
    "a cell missing": both(with_cell(WIDE, ""), "1 missing"),
    "a dash": both(with_cell(WIDE, "-"), "'svm'"),
    "bold in LaTeX": Case(with_bold(r"\textbf{%s}"), "datasets", "datasets"),
    "bold in Markdown": Case(with_bold("**%s**"), "datasets", "datasets"),
    "a data set twice": both(f"{WIDE}{LINE}\n", "'set 0'"),
    "transposed": both(
        pd.DataFrame(RATES.T, columns=SETS, index=MODELS).to_csv(index_label="model"),
        "kind|'model'",
    ),
    "no names of rows": both(table(**TWO), "kind"),
    "one model": both(table(dataset=SETS, svm=SVM), "at least two models"),
    "errors": Case(
        table(dataset=SETS, svm_error=1 - SVM, forest_error=1 - FOREST), "signed", "signed"
    ),
    "items": Case(table(item=np.arange(K), **TWO), "items", "items"),
    "items of 19 digits": Case(table(item=10**18 + np.arange(K), **TWO), "items", "items"),
    "rounds": Case(table(fold=np.arange(K), **TWO), "folds", "folds", SIZES),
    "rounds without sizes": both(table(fold=np.arange(K), **TWO), "n.train"),
    "rounds with times": both(
        table(fold=np.arange(K), fit_time=BAYES, **TWO), "column 'fit_time'", *SIZES
    ),
    "splits in columns": Case(
        table(model=["svm", "forest"], split0_test_score=SVM[:2], split1_test_score=SVM[2:4]),
        "`--n-train` and `--n-test` must be specified",
        "a row for each 'model'. Transpose it",
    ),
}
TABLES |= {
    f"a row {name}": both(summed(name), f"row called '{name}'")
    for name in ("mean", "Average", "avg. rank", "Total", "STD", "median", "macro avg", "Mean rank")
}
TABLES |= {f"cells {form}": both(written(form), "'svm'") for form in ("{:.3f}*", "~{:.3f}")}
TABLES |= {
    f"cells {form}": both(written(form), "signed")
    for form in ("{:.4f} ± 0.01", "{:.4f}+/-0.01", "{:.4f} (0.01)")
}
SAMPLES = {
    "long": Case(LONG.to_csv(index=False), "datasets", "from_long"),
    "long, codes": Case(
        LONG.assign(model=LONG["model"].map(dict(zip(MODELS, range(3), strict=True)))).to_csv(
            index=False
        ),
        "datasets",
        "from_long",
    ),
    "long, a cell missing": Case(LONG.iloc[:-1].to_csv(index=False), "'bayes'", "from_long"),
    "long, a cell twice": Case(
        pd.concat([LONG, LONG.iloc[:1]]).to_csv(index=False), "'set 0', model 'svm'", "from_long"
    ),
    "long, seeds": both(
        pd.concat([LONG.assign(seed=s) for s in (1, 2)]).to_csv(index=False), "seed|'model'"
    ),
    "long, metrics": both(
        pd.concat([LONG.assign(metric=m) for m in ("acc", "auc")]).to_csv(index=False), "'?model"
    ),
}
FIRST, SECOND = (words(("x", "y", "z"), codes) for codes in (PLAYED, AGAINST))
BY_NAME = winners(FIRST, SECOND)
BATTLES = {
    "battles by side": Case(battles(SIDES), "battles", "battles"),
    "battles by name": Case(battles(BY_NAME), "battles", "battles"),
    "battles with judges": Case(battles(SIDES, judge=RNG.integers(0, 9, 60)), "battles", "battles"),
    "winners 0 and 1": both(battles(Y[:1].repeat(60)), "winner"),
    "winners 1 and 2": both(battles(1 + np.arange(60) % 2), "got 1, 2"),
    "winners False and True": both(battles((np.arange(60) % 2).astype(bool)), "winner"),
    "a model against itself": both(battles(SIDES).replace("x,y", "x,x", 1), "model_b"),
    "a winner who did not play": both(battles(["w", *BY_NAME[1:]]), "'w'"),
    "a winner missing": both(battles(["", *BY_NAME[1:]]), "got ''|1 missing"),
    "scores called as if they fought": Case(
        table(y_true=Y, model_a=A, model_b=B), "scores", "scores"
    ),
}
CASES = {**TABLES, **SAMPLES, **BATTLES}
