"""The promise in a minute: sixty cells of `studies.promise`, with limits.

    python -m studies.promise_suite [--trials 400] [--jobs 2] [--write]

They are the cells in which the last full grid was worst, and those whose difference rests on few
cases. A limit is three standard errors of so many data sets above what is promised: 6% of equal
models that are declared different without a warning, and 95% of the power of the standard test
where that keeps 6% itself. `SILENT` and `WEAK` are the cells where this is not kept yet, with the
share of silent errors and of the standard test's power there; the program names those that have
become better and are to be taken out, and puts the table into the page of the promise.
"""

import math

from .promise import CELLS, label, measure, show
from .tables import run

FIRST, TRIALS = 150, 400  # data sets of a look whose shares need no allowance, and of all
PROMISED, SHARE_OF_POWER = 0.06, 0.95
BY_LABEL = {label(cell): cell for cell in CELLS}
SUITE = (
    "battles, judges of unequal diligence, 30, 2",
    "battles, one order, preferred by .8, 100, 2",
    "datasets, two models vary 5 times as much, 20, 10",
    "folds, splits of 90 + 10, 10, 3",
    "items, 99% right, weights of 1 and 16, 300, 2",
    "items, costs, 98% of which are 0, 20, 2",
    "items, costs, 98% of which are 0, 200, 2",
    "items, costs, 98% of which are 0, 50, 2",
    "items, lognormal weights, 20, 2",
    "items, normal, 20, 10",
    "items, one lognormal of sd 1.5, 20, 5",
    "items, one lognormal of sd 1.5, 50, 5",
    "items, one lognormal, others normal, 10, 10",
    "items, one lognormal, others normal, 10, 2",
    "items, one lognormal, others normal, 12, 10",
    "items, one lognormal, others normal, 12, 2",
    "items, one model 10 sd higher in 5%, 50, 2",
    "items, one model 10 sd higher in 5%, 50, 5",
    "items, ratings of 1 (4%) or 5, and 4 or 5, 100, 2",
    "items, ratings of 1 (4%) or 5, and 4 or 5, 30, 2",
    "items, ratings of 1 (4%) or 5, and 4 or 5, 50, 2",
    "items, unequal clusters, 50, 2",
    "items, unequal clusters, 60 + 20 × 3, 5",
    "items, weights by the score, 200, 2",
    "items, weights by the score, 50, 2",
    "labels, accuracy 0.8, 50, 5",
    "labels, one model fails on 8% of the clusters, 100, 2",
    "labels, one model fails on 8% of the clusters, 25, 2",
    "labels, one model fails on 8% of the clusters, 50, 2",
    "margins, `delong_test`, correlated by .5, 10 + 90, 2",
    "margins, `paired_mean_test`, 3% wrong, coded 0/100, 20, 2",
    "margins, `paired_mean_test`, 3% wrong, coded 1/5, 100, 2",
    "margins, `paired_mean_test`, 3% wrong, coded 1/5, 20, 2",
    "margins, `paired_mean_test`, one lognormal, 20, 2",
    "margins, `paired_mean_test`, right or wrong in unequal clusters, 200, 2",
    "probabilities, 5% positive, unequal clusters, 200, 2",
    "probabilities, sure and rarely wrong, or moderate, 100, 2",
    "probabilities, sure and rarely wrong, or moderate, 250, 2",
    "probabilities, sure and rarely wrong, or moderate, 50, 2",
    "scores, AUC .75, better ones .85, 40 + 60, 2",
    "scores, AUC .85 against a constant, 20 + 20, 2",
    "scores, AUC .85 against a constant, 30 + 270, 2",
    "scores, AUC .85 against rules that fire in 3%, 20 + 20, 2",
    "scores, AUC .85 against rules that fire in 3%, 30 + 270, 2",
    "scores, AUC .85 against scores 90% of which are 0, 20 + 20, 2",
    "scores, AUC .85 against scores 90% of which are 0, 30 + 270, 2",
    "scores, AUC .85 against trees of three leaves, 20 + 20, 2",
    "scores, AUC .85 against trees of three leaves, 20 + 20, 5",
    "scores, AUC .95, better ones .99, 120 + 800, 2",
    "scores, AUC .95, better ones .99, 60 + 140, 2",
    "scores, AUC .97, sd 1 and 3, 30 + 300, 2",
    "scores, AUC .97, sd 1 and 3, 50 + 150, 2",
    "scores, AUC .99, 10 + 190, 2",
    "scores, AUC 0.9, 8% of one model's positives last, 100 + 900, 2",
    "scores, AUC 0.9, 8% of one model's positives last, 20 + 20, 2",
    "scores, AUC 0.9, 8% of one model's positives last, 50 + 150, 2",
    "scores, AUC 0.95, 4% of one model's positives last, 100 + 900, 2",
    "scores, AUC 0.95, 4% of one model's positives last, 30 + 300, 2",
    "scores, AUC 0.97, 3% of one model's positives last, 120 + 800, 2",
    "scores, AUC 0.97, 3% of one model's positives last, 30 + 300, 2",
)
SILENT = {
    "items, one lognormal of sd 1.5, 20, 5": 0.11,
    "items, weights by the score, 50, 2": 0.16,
}
WEAK = {
    "datasets, two models vary 5 times as much, 20, 10": 0.7,
    "items, 99% right, weights of 1 and 16, 300, 2": 0.1,
    "items, lognormal weights, 20, 2": 0.8,
}


def is_outside(name, found, scale):
    """Return whether a cell has too many silent errors, and too little power.

    `scale` is what a standard deviation of 1 is divided by to be that of the shares, 0 for none.
    """
    most = SILENT.get(name, PROMISED)
    least = WEAK.get(name, SHARE_OF_POWER) * found.its_power
    allowed, missed = (3.0 * math.sqrt(p * (1.0 - p)) * scale for p in (most, least))
    # both tests see the same data sets: a difference of two shares varies less than one
    weak = found.standard <= PROMISED and found.power < least - missed / 2.0
    return found.silent > most + allowed, weak and not BY_LABEL[name].expected < 3.0


def faults(name, *, trials=TRIALS, found=None):
    """Return sentences about what a cell does not keep.

    A cell that keeps it in the first data sets without any allowance is not measured further: of a
    cell with 11% of silent errors, 79% are found instead of 81%; with 12%, 92% instead of 93%.
    """
    if found is None and trials > FIRST:
        first = measure(BY_LABEL[name], trials=FIRST)
        if not any(is_outside(name, first, 0.0)):
            return []
    found = found or measure(BY_LABEL[name], trials=trials)
    said, (silent, weak) = [], is_outside(name, found, 1.0 / math.sqrt(trials))
    if silent:
        said.append(f"{found.silent:.1%} of equal models differ in silence")
    if weak:
        said.append(f"power of {found.power:.1%} where the standard test has {found.its_power:.1%}")
    return said


def show_with_faults(cells, found):
    """Return the table of the study, and print what is not kept."""
    for name, one in zip(SUITE, found, strict=True):
        for fault in faults(name, found=one):
            print(f"{name}: {fault}")
        if name in SILENT and one.silent <= PROMISED:
            print(f"{name}: keeps the promise")
    return show(cells, found)


if __name__ == "__main__":
    cells = [BY_LABEL[name] for name in SUITE]
    run("promise_suite", "evidence/promise.md", cells, measure, show_with_faults, trials=TRIALS)
