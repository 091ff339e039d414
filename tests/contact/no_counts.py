"""Tables that look like counts, summaries or groups, and are read as other tables are."""

import numpy as np

import fastcompare as fc

from .counts import CELLS, OTHER
from .strangers import ONE, A, B, C, Y, table
from .wanted import Answer, Fault, Question

PAIRED = (fc.paired_mean_test(A[:20], B[:20]).pvalue,)
HALF = np.arange(20) % 2
OMNIBUS = Answer((fc.delong_omnibus_test(Y, np.stack([A, B, C], axis=1)).pvalue,))
SQUARE = r"mcnemar_test\(\[\[60, 25\], \[9, 31\]\]\)"


def combinations(want, first, second, count, no=0, yes=1):
    """Return the number of cases of each pair of values of two columns."""
    values = np.array([no, yes])
    return table(
        want, **{first: values[[0, 0, 1, 1]], second: values[[0, 1, 0, 1]], count: CELLS.ravel()}
    )


def either(first, second):
    """Return the question which of two columns has the true labels."""
    return Question(f"--label {first}", Answer((), (second,)))


def overlaps(row, want=None):
    """Return the overlaps of two models in rows that a column names."""
    names = [f"{row[:1]}{j}" for j in range(20)]
    want = want or Question("--kind items", Answer(PAIRED, ("dice_unet", "dice_vnet")))
    return table(want, **{row: names}, dice_unet=A[:20], dice_vnet=B[:20])


def marker(name, no, yes, value="marker"):
    """Return a score of cases whose column of true labels is called as groups are."""
    return table(Answer(ONE, (value,)), **{name: np.array([no, yes])[Y], value: A})


COMBINATIONS = {
    "predictions, counted": combinations(Answer((), ("y_pred",)), "y_true", "y_pred", "n"),
    "exposure, counted": combinations(either("exposed", "disease"), "exposed", "disease", "n"),
    "smokers, counted": combinations(either("male", "smoker"), "male", "smoker", "count"),
    "raters, counted": combinations(either("rater_1", "rater_2"), "rater_1", "rater_2", "count"),
    "before and after, counted": combinations(either("before", "after"), "before", "after", "n"),
    "deaths, counted": combinations(Answer((), ("a",)), "died", "a", "total"),
}
ROWS_OF_CASES = {
    "overlaps by scan": overlaps("scan"),
    "overlaps by hospital": overlaps("hospital"),
    "overlaps by class": overlaps("class"),
    "overlaps by species": overlaps("species"),
    "overlaps by an index": overlaps("Unnamed: 0"),
    "two metrics by network": table(
        Fault("by 'network': a difference"),
        network=["u", "v", "w"],
        auc=[0.8, 0.9, 0.7],
        auc_se=[0.02, 0.01, 0.03],
        n=[200, 200, 200],
    ),
    "two metrics by hospital": table(
        Fault("by 'hospital'.*kind..?items"),
        hospital=["u", "v", "w"],
        precision=[0.8, 0.9, 0.7],
        recall=[0.7, 0.6, 0.8],
    ),
    "values and ranks of countries": table(
        Question("--model value", Answer((), ("value",))),
        country=[f"c{j}" for j in range(20)],
        value=A[:20],
        rank=np.argsort(np.argsort(A[:20])) + 1,
    ),
    "right answers of two models": table(
        Fault(r"correct=\(450, 470\), n=\(500, 510\)"),
        model=["gpt", "claude"],
        n=[500, 510],
        correct=[450, 470],
    ),
    "sorted predictions": table(
        Answer((), ("predicted",)), actual=A[:9], predicted=np.sort(B[:9]) + np.arange(9) / 1e3
    ),
    "bins with counts": table(
        Fault("bins of predictions"),
        observed=A[:9],
        predicted=np.sort(B[:9]) + np.arange(9) / 1e3,
        n=[40, 31, 50, 22, 31, 19, 27, 40, 33],
    ),
}
GROUPS_OF_ROWS = {
    "prompts in groups": table(
        Answer(PAIRED, ("gpt", "claude"), "Rows: items"),
        prompt=[f"p{j}" for j in range(20)],
        group=np.array(["easy", "hard"])[HALF],
        gpt=A[:20],
        claude=B[:20],
    ),
    "data sets in groups": table(
        Answer((fc.wilcoxon_test(A[:20], B[:20]).pvalue,), ("svm", "rf"), "Rows: data sets"),
        dataset=[f"d{j}" for j in range(20)],
        group=np.array(["nlp", "vision"])[HALF],
        svm=A[:20],
        rf=B[:20],
    ),
    "a marker of the ill": marker("group", "HC", "MDD"),
    "a marker in a cohort": marker("cohort", "control", "patient"),
    "a marker by arm": marker("arm", "control", "patient"),
    "a score by sex": table(
        Question("--pos-label m", Answer(ONE, ("prob",))),
        group=np.array(["f", "m"])[Y],
        prob=A,
    ),
    "a value by treatment": table(
        Fault("ttest_unpaired.*data frame.*label..?group"),
        group=np.array(["control", "treatment"])[Y],
        revenue=A * 40,
    ),
}
SIZES_OF_ROWS = {
    "sizes of data sets": table(
        Fault("at least two models"),
        dataset=[f"d{j}" for j in range(8)],
        samples=200 + 7 * np.arange(8),
        features=3 + np.arange(8) % 5,
        acc=A[:8],
    ),
    "percentages of two categories": table(
        Question("--kind items", Answer(())),
        **{"Unnamed: 0": ["math", "code"], "gpt": [95, 88], "claude": [93, 90]},
    ),
    "a square, negative first": table(
        Fault(SQUARE), test=["A neg", "A pos"], minus=CELLS[::-1, 1], plus=CELLS[::-1, 0]
    ),
    "clicks of three branches": table(
        Fault("the first two of 3 rows"),
        variant=["x", "y", "z"],
        users=[500, 600, 700],
        clicks=[50, 70, 40],
    ),
    "labels of two people": table(
        Question("--label label_a", OMNIBUS),
        label_a=Y,
        label_b=OTHER,
        score_a=A,
        score_b=B,
        score_c=C,
    ),
}
NO_COUNTS = {**COMBINATIONS, **ROWS_OF_CASES, **GROUPS_OF_ROWS, **SIZES_OF_ROWS}
