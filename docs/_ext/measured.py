"""What was measured of a test: the rows and columns of the studies' tables that are its own.

`CUTS` says which. The figures are those that studies write into pages, so that there is one copy.
A study, a column or a row that is named here and not there fails the build.
"""

import re
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[1]
NOTHING = (
    "No study has a table of this test alone; the text above gives single simulated rates, if any. "
    "[`simulate_error_rates`](/api/simulate.rst) simulates its level at your own size."
)


class Cut(NamedTuple):
    """What figures are of, the study whose table has them, and which part; no columns are all."""

    says: str
    study: str
    columns: tuple[str, ...] = ()
    rows: dict[str, tuple[str, ...]] | None = None  # the cells to keep, by column
    table: int = 0  # of those that the study writes


REJECTS = "How often, in %, a true null hypothesis is rejected at the 5% level"
COVERS = "How often, in %, 95% intervals cover the truth"
OF_CLUSTERS = f"{REJECTS}, with `groups`: published method, normal quantiles / default"
WITHOUT = f"{REJECTS}: without `groups` / with them"
BY_AUC = f"{REJECTS}, of two AUCs of .6 and .8 / of .9 to .99"
OF_PAIRS = f"{COVERS}; columns begin with the numbers of positives + negatives"
BY_ROUND = f"{REJECTS}, by classifier and rounds"
OF_ROWS = f"{REJECTS}, in independent rows"
BY_SIZE = ("positive", "model", "n = 50", "n = 100", "n = 500", "n = 2000")
FOUND = "How often, in %, it declares one of two equal models better"
ITEMS = {"items": ("50", "200", "2,000")}
LONGER = {"own rows": "different rows for each model"}  # of a cell that needs its own page
LABELS, SCORES, HELD = ("clusters", "sizes"), ("positives",), "data"


def of_rows(*names, says=OF_ROWS):
    """Return the rows of tests in the study of independent rows."""
    return Cut(says, "independent_errors", rows={"test": tuple(f"`{name}`" for name in names)})


def right_test(*held):
    """Return the row of what is held, where the test is the right one."""
    says = f"{REJECTS} by this test, where it is valid"
    columns = (HELD, "n", "models", "right test")
    return Cut(says, "wrong_tests", columns, rows={HELD: held})


def by_round(*columns, says=BY_ROUND):
    """Return columns of the study of folds."""
    return Cut(says, "fold_errors", ("scores of", "rounds", *columns))


def of_curves(name, *methods):
    """Return the coverage of a difference, by all methods or some."""
    kept = {"interval of": (f"{name}, difference",)} | ({"method": methods} if methods else {})
    return Cut(OF_PAIRS, "coverage", rows=kept)


CUTS = {
    "delong_test": (
        Cut(
            BY_AUC,
            "delong_levels",
            (*SCORES, "DeLong, normal", "DeLong, t"),
            {"curves": ("equal",)},
        ),
        of_curves("AUC", "delong"),
        Cut(OF_CLUSTERS, "cluster_levels", (*LABELS, "AUC")),
        Cut(
            f"{REJECTS}, with sampling weights: normal reference / default",
            "cluster_levels",
            table=2,
        ),
        Cut(
            "How often, in %, non-inferiority is claimed falsely at the 5% level",
            "claims",
            ("models", "positives + negatives", "`delong_test`"),
            {"margin": ("0.05",)},
        ),
    ),
    "permutation_auc_test": (
        Cut(BY_AUC, "delong_levels", (*SCORES, "permutation"), {"curves": ("equal",)}),
        Cut(WITHOUT, "cluster_levels", (*LABELS, "2 AUCs, permutation"), table=1),
        Cut(
            f"{COVERS}, of `method='studentized'`",
            "claims",
            ("positives + negatives", "AUCs", "curves", "studentized permutation"),
            {"AUCs": ("0.8 and 0.8", "0.9 and 0.7")},
            table=1,
        ),
    ),
    "bootstrap_auc_test": (
        Cut(
            BY_AUC, "delong_levels", (*SCORES, "percentile", "studentized"), {"curves": ("equal",)}
        ),
        of_curves("AUC", "basic", "bca", "normal", "percentile", "studentized"),
    ),
    "delong_omnibus_test": (
        Cut(f"{REJECTS}: by chi-squared / by Hotelling's F / by default", "omnibus_levels"),
        Cut(WITHOUT, "cluster_levels", (*LABELS, "3 AUCs"), table=1),
    ),
    "average_precision_test": (of_curves("average precision"),),
    "partial_auc_test": (of_curves("partial AUC"),),
    "roc_auc_test": (
        Cut(
            f"{COVERS}, of `method='score'`, at worst, which this test inverts",
            "coverage_grid",
            ("positives", "negatives", "score", "score, unequal"),
            {"positives": ("2", "10", "50")},
        ),
    ),
    "mcnemar_test": (
        right_test("labels", "labels in clusters"),
        Cut(OF_CLUSTERS, "cluster_levels", (*LABELS, "accuracy")),
    ),
    "two_proportions_test": (
        Cut(
            f"{REJECTS}; power beside that of `mcnemar_test`",
            "wrong_ways",
            ("data", "rejects", "power"),
            {"what is done": ("z-test of two accuracies on the same cases",)},
        ),
    ),
    "two_proportions_unpaired_test": (
        Cut(
            "The lowest and mean coverage of 95% intervals, and the highest level of tests at 5%",
            "label_levels",
            ("cases", "score", "two-sided", "one-sided"),
        ),
        Cut(WITHOUT, "cluster_levels", (*LABELS, "accuracies of two samples"), table=1),
    ),
    "cohen_kappa_test": (Cut(f"{REJECTS}, at most", "label_levels", table=3),),
    "agreement": (
        Cut(
            "The lowest and mean coverage of 95% intervals",
            "label_levels",
            ("measure", "cases", "default"),
            table=1,
        ),
    ),
    "cochran_q_test": (
        right_test("labels of several models"),
        Cut(WITHOUT, "cluster_levels", (*LABELS, "3 accuracies"), table=1),
    ),
    "mcnemar_pairwise_test": (
        Cut(WITHOUT, "cluster_levels", (*LABELS, "pairs of 3 accuracies"), table=1),
    ),
    "accuracy_interval": (
        Cut("How often, in %, 95% intervals miss", "item_levels", (), ITEMS, table=3),
    ),
    "scoring_test": (
        Cut(
            'How often, in %, `scoring_test(method="t")`, not the default, does not reject equal '
            "expected losses at the 5% level: Brier scores / log losses",
            "calibration_coverage",
            BY_SIZE,
            {"of": ("equal losses kept",)},
        ),
        Cut(OF_CLUSTERS, "cluster_levels", (*LABELS, "Brier score")),
    ),
    "net_benefit_test": (
        Cut(
            f"{COVERS}: the default, MOVER / Student's",
            "calibration_coverage",
            BY_SIZE,
            {"of": ("difference of net benefits",)},
        ),
    ),
    **{
        name: (
            Cut(
                f"{REJECTS}, of calibrated probabilities / without results that have a warning",
                "calibration_levels",
                ("probabilities", "n", *columns),
            ),
        )
        for name, columns in {
            "spiegelhalter_test": ("two-sided", "greater"),
            "calibration_test": ("slope and intercept",),
        }.items()
    },
    "mean_omnibus_test": (
        right_test("items of several models", "probabilities of several models"),
    ),
    "ttest_unpaired": (of_rows("ttest_unpaired"), right_test("own rows")),
    "ttest_corrected": (by_round("corrected t"),),
    "ttest_kfold": (by_round("Student's t"),),
    "ttest_resampled": (by_round("Student's t"), of_rows("ttest_resampled")),
    "ttest_5x2cv": (by_round("5x2cv t"),),
    "ftest_5x2cv": (by_round("5x2cv F"),),
    "bayes_correlated_ttest": (by_round("Bayesian t", says=FOUND),),
    "rm_anova_test": (
        by_round("ANOVA, 3 models", "corrected ANOVA"),
        of_rows("rm_anova_test, sphericity='none'", "rm_anova_test, sphericity='auto'"),
        Cut(f"{REJECTS}, by `sphericity`", "anova_errors"),
    ),
    "wilcoxon_test": (of_rows("wilcoxon_test"), right_test("rows")),
    "sign_test": (of_rows("sign_test"),),
    "bayes_signed_rank": (of_rows("bayes_signed_rank", says=FOUND),),
    "bayes_sign": (of_rows("bayes_sign", says=FOUND),),
    "folds_unpaired_test": (
        of_rows(
            *(
                f"folds_unpaired_test, method='{method}'"
                for method in ("mann-whitney", "anova", "kruskal-wallis")
            )
        ),
    ),
    "friedman_test": (right_test("rows of several models"),),
    "paired_mean_test": (
        Cut(f"{REJECTS}, of normal scores", "item_levels", (), ITEMS),
        Cut(f"{REJECTS}, of right and wrong answers", "item_levels", (), ITEMS, table=2),
    ),
    "mean_interval": (
        Cut("How often, in %, 95% intervals of normal scores miss", "item_levels", (), ITEMS),
        Cut("The same of right and wrong answers", "item_levels", (), ITEMS, table=3),
    ),
    "leaderboard": (
        Cut(
            "How many leaderboards, in %, contain a wrong statement, at the 5% level",
            "leaderboard_errors",
            ("models", "clusters", "sizes", "means", "any claim wrong", "trials"),
            {"scores": ("normal",), "models": ("5",)},
        ),
    ),
    "bradley_terry": (right_test("battles"),),
    **dict.fromkeys(
        ("concordance_test", "concordance_omnibus_test", "concordance_pairwise_test"),
        (
            Cut(
                "How often, in %, the test of two models rejects a true null hypothesis at the 5% "
                "level: mean of C from .6 to .97 (the largest)",
                "times_levels",
                ("cases", "events", "censored", "by kind, t", "Uno, by kind, t"),
                {"cases": ("continuous",), "events": ("5", "20", "200")},
            ),
        ),
    ),
    **dict.fromkeys(
        (
            *("auc_at_test", "auc_at_pairwise_test"),
            *("survival_brier_test", "survival_brier_pairwise_test"),
        ),
        (Cut(f"{REJECTS}: by default / as published", "horizon_levels"),),
    ),
    **dict.fromkeys(
        ("reader_study_test", "reader_study_pairwise_test"),
        (
            Cut(
                "How often, in %, the test of two treatments rejects a true null hypothesis at the "
                "5% level: mean of four structures of ratings (their maximum) / without results "
                "that have a warning",
                "reader_levels",
                ("readers", "cases", "AUC", "readers and cases", "these readers", "these cases"),
                {"cases": ("25 + 25", "50 + 50"), "AUC": ("0.85",)},
            ),
        ),
    ),
}
SAME = {  # a row or a pair each of which is tested as by another function
    "delong_batch": "delong_test",
    "ttest_corrected_batch": "ttest_corrected",
    "rm_anova_batch": "rm_anova_test",
}


def measured(name):
    """Return what was measured of a test: a sentence and a small table for each cut."""
    cuts = CUTS.get(SAME.get(name, name), ())
    if not cuts:
        return f"**Measured.** {NOTHING}"
    return "\n\n".join(f"**Measured.** {told(cut)}" for cut in cuts)


def told(cut):
    """Return a cut: what it is of, where all of it is, and its table."""
    page, text = page_of(cut.study)
    head, *rows = tables_of(text)[cut.table]
    kept = [row for row in rows if is_kept(dict(zip(head, row, strict=True)), cut.rows)]
    if not kept:
        raise SystemExit(f"docs/_ext/measured.py: {cut.study} has no rows {cut.rows}")
    at = [head.index(name) for name in cut.columns or head]
    chosen = [[LONGER.get(row[i], row[i]) for i in at] for row in kept]
    chosen = [row for row in chosen if row[-1] or not cut.columns]
    lines = [[head[i] for i in at], ["---"] * len(at), *chosen]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{cut.says} ([how, and more](/{page})).\n\n{table}"


def is_kept(row, wanted):
    """Return whether a row has one of the wanted cells in each column that is named."""
    return all(row[column] in cells for column, cells in (wanted or {}).items())


def page_of(study):
    """Return the page that a study writes into, and what it wrote."""
    between = re.compile(rf"<!-- studies\.{study} -->\n(.*?)\n<!-- end -->", re.DOTALL)
    for path in sorted([*DOCS.glob("evidence/*.md"), *DOCS.glob("concepts/*.md")]):
        if found := between.search(path.read_text("utf-8")):
            return path.relative_to(DOCS).as_posix(), found[1]
    raise SystemExit(f"docs/_ext/measured.py: no page has the table of {study}")


def tables_of(text):
    """Return the tables in a text, each a list of rows of cells, the head first, without a rule."""
    tables = [block for block in re.split(r"\n\n+", text) if block.startswith("|")]
    return [
        [cells_of(line) for i, line in enumerate(table.splitlines()) if i != 1] for table in tables
    ]


def cells_of(line):
    """Return the cells of a line of a table."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
