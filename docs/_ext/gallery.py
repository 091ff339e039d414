"""The gallery: every picture of `fastcompare.plots`, drawn by the line that is shown above it."""

from pathlib import Path

import matplotlib

from fastcompare import plots

DATA = """\
import numpy as np

import fastcompare as fc

cases = fc.load_predictions()  # 399 cases, five models
y, scores = cases.y_true, cases.scores
two = {name: scores[name] for name in ("random_forest", "decision_tree")}
labels = {name: (column > 0.5).astype(int) for name, column in scores.items()}
thresholds = [k / 20 for k in range(1, 16)]
table = fc.load_dataset_scores().scores  # a row per data set, a column per model
effects, simulate_power = [0, 0.1, 0.2], fc.simulate.simulate_power
noise = np.random.default_rng(0).normal(0, 0.3, (2, 5, len(y)))  # as if trained with five seeds
seeds = {m: {f"seed {j}": two[m] + noise[i, j] for j in range(5)} for i, m in enumerate(two)}
study = fc.reader_study(seeds, truth=y)
cases, readers = range(100, 900, 100), [3, 5, 10]
waiting = [1.0 + (k * 37 % 60) for k in range(399)]  # made up
known = {"time": [w / (1 + label) for w, label in zip(waiting, y)], "event": [1, 1, 0] * 133}
at_horizons = fc.auc_at_test(**known, score_a=two, horizon=[5, 10, 15, 20, 25])
groups = [k % 40 for k in range(399)]  # made up
folds, binormal = fc.simulate.DietterichClassifiers(), fc.simulate.BinormalScores()
"""
PICTURES = {  # titles, and the lines that draw
    "ROC curves": "fc.plots.roc_curves(y, two)",
    "A ROC curve with its band": 'fc.plots.roc_band(fc.roc_curve_band(y, two["decision_tree"]))',
    "Precision-recall curves": "fc.plots.precision_recall_curves(y, two)",
    "AUCs with intervals": "fc.plots.forest(fc.delong_pairwise_test(y, scores), of='models')",
    "Differences of all pairs": "fc.plots.forest(fc.delong_pairwise_test(y, scores))",
    "AUCs within groups": "fc.plots.within_groups(fc.within_auc_test(y, two, None, groups))",
    "Calibration curves": "fc.plots.calibration_curves(y, two)",
    "Reliability by bins": (
        "fc.plots.reliability(fc.calibration_error(y, two['random_forest'], rng=0))"
    ),
    "Decision curves": (
        "fc.plots.decision_curves(fc.net_benefit(y, two['random_forest'], thresholds))"
    ),
    "AUC by horizon": "fc.plots.horizon_curves(at_horizons)",
    "Two models' errors": "fc.plots.mosaic(fc.mcnemar_test(y, {m: labels[m] for m in two}))",
    "Agreement of all pairs": "fc.plots.agreement_map(fc.agreement_matrix(y, labels))",
    "Critical differences": "fc.plots.critical_difference(fc.nemenyi_test(table))",
    "p-values of all pairs": "fc.plots.pvalue_matrix(fc.wilcoxon_pairwise_test(table))",
    "Ranks over data sets": "fc.plots.rank_distribution(table)",
    "A leaderboard": "fc.plots.leaderboard(fc.leaderboard({m: y == p for m, p in labels.items()}))",
    "A posterior with its rope": (
        "fc.plots.posterior(fc.bayes_signed_rank(table['random_forest'], table['decision_tree']))"
    ),
    "Readers, or seeds, under two treatments": "fc.plots.readers(study)",
    "The power of a reader study": (
        "fc.plots.reader_power("
        "fc.reader_study_power(study, difference=0.05, readers=readers, cases=cases))"
    ),
    "Error rates by simulation": (
        "fc.plots.error_rates(fc.simulate_error_rates(None, folds, n_trials=500, rng=0))"
    ),
    "Power by simulation": (
        "fc.plots.power_curves(simulate_power('delong', binormal, effects=effects, rng=0))"
    ),
}


def write_pictures(folder):
    """Draw all pictures as SVG into a folder, and return the page that shows them."""
    names = {}
    exec(DATA, names)
    parts = [
        "# Gallery",
        "Every picture that fastcompare draws, with the line that draws it. All of them take "
        "`ax=`, and `result.plot()` draws the one that suits a result. The data:",
        f"```python\n{DATA}```",
    ]
    folder.mkdir(exist_ok=True)
    for number, (title, line) in enumerate(PICTURES.items()):
        ax = eval(line, names)
        ax.figure.savefig(folder / f"{number}.svg", bbox_inches="tight")
        matplotlib.pyplot.close(ax.figure)
        parts += [f"## {title}", f"```python\n{line}\n```", f"![{title}](gallery/{number}.svg)"]
    return "\n\n".join(parts) + "\n"


def write_page(app):
    """Write the page before the sources are read."""
    matplotlib.use("svg")
    missing = {*plots.__all__} - {line.split("(")[0].split(".")[-1] for line in PICTURES.values()}
    if others := {name for name in missing if name.islower()} - {"picture", "style"}:
        raise SystemExit(f"docs/_ext/gallery.py must draw {', '.join(sorted(others))}")
    source = Path(app.srcdir)
    (source / "gallery.md").write_text(write_pictures(source / "gallery"), "utf-8")


def setup(app):
    """Draw before the sources are read."""
    app.connect("builder-inited", write_page)
    return {"parallel_read_safe": True}
