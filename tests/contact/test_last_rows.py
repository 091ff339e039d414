"""The last rows of a table and its header: sums, means and comments are told from rows of data.

Last rows with means or sums of the others are left out, in any language; other rows stay.
"""

import numpy as np
import pytest

from .doors import by_command

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(3)
N = 12
SCORES = (0.8 + 0.03 * RNG.normal(size=(N, 3))).round(4)
MEANS, SDS = SCORES.mean(axis=0).round(4), SCORES.std(axis=0, ddof=1).round(4)
FOLDS = [*range(1, N + 1)]
SITES = [f"Site {letter}" for letter in "ABCDEFGHIJKL"]
WORDS = ["Books", "Kitchen", "Music", "Garden", "Pets", "Toys", "Tools", "Sports", "Beauty"]
WORDS += ["Office", "Health", "Media"]


def table(path, names, *rows, header="row,svm,rf,knn"):
    """Return the path of a file with a row of scores for each name, and more rows."""
    cells = np.vstack([SCORES[: len(names) - len(rows)], *rows])
    lines = [
        ",".join([str(x), *map(str, row)]) for x, row in zip(names, cells.tolist(), strict=True)
    ]
    path.write_text("\n".join([header, *lines]) + "\n")
    return str(path)


def n_rows(found):
    """Return the number of rows that were compared."""
    (line,) = (line for line in found["decisions"] if "folds of one" in line)
    return int(line.split()[4])


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        ([*FOLDS, "MW"], [MEANS]),
        ([*FOLDS, "Ø"], [MEANS.round(3)]),
        ([*FOLDS, ""], [SCORES.sum(axis=0)]),
        ([*FOLDS, "", ""], [MEANS, SDS]),
        ([*FOLDS, "Médiane", "écart-type"], [np.median(SCORES, axis=0), SDS]),
        ([*SITES, "Todos"], [MEANS]),
        ([*SITES, "Pooled"], [MEANS + 0.003]),
        ([*WORDS, "Overall result"], [MEANS]),
        ([*SITES, "Tutti", "minimo"], [MEANS, SCORES.min(axis=0)]),
    ],
)
def test_last_rows_that_summarize_are_left_out(tmp_path, names, rows):
    path = table(tmp_path / "folds.csv", names, *rows)
    found, said = by_command([path], "--design", "kfold")
    assert found is not None, said
    assert n_rows(found) == N
    assert "summarize" in found["decisions"][0]


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        (WORDS, []),  # Media is a data set
        ([*FOLDS, N + 1], [SCORES[0]]),
        (list("ABCDEFGHIJKM"), []),
        ([*WORDS, "All Saints"], [MEANS + 0.003]),
        (["Text", "Audio", "Video", "Combined"], []),
        ([*SITES, "all"], [np.ones(3)]),
        ([*FOLDS, N + 1], [[0.8, 0.8, 0.8]]),  # which the means are rounded to
    ],
)
def test_rows_of_data_stay(tmp_path, names, rows):
    path = table(tmp_path / "folds.csv", names, *rows)
    found, said = by_command([path], "--design", "kfold")
    assert found is not None, said
    assert n_rows(found) == len(names)


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("model", ["Set A", "Set B", "Set C", "All"]),
        ("model", ["gpt-3", "gpt-4", "gpt-5", "M"]),
        ("classifier", ["a", "b", "c", "combined"]),
        ("dataset", ["set1", "set2", "set3", "Combined"]),
        ("dataset", ["ds1", "ds2", "ds3", "ds4", "ds5", "DS"]),
    ],
)
def test_rows_between_others_are_no_summaries(tmp_path, header, names):
    path = table(tmp_path / "sets.csv", names, MEANS + 0.003, header=f"{header},iris,wine,glass")
    found, said = by_command([path], "--kind", "datasets")
    assert found is not None, said
    assert "summarize" not in " ".join(found["decisions"])


@pytest.mark.parametrize(
    "footer", ["Moyenne;58,1;5,5;31 décès", ";57,2;5,5;31", ";57;5,5 (3,2);22%"]
)
def test_cases_above_means_are_compared(tmp_path, footer):
    """Sums may stand beside means, and texts: columns of numbers stay such."""
    rng = np.random.default_rng(5)
    y = np.arange(140) < 31
    igs = (rng.integers(40, 60, 140) + 10 * y).tolist()
    igs[0] += round(57.2 * 140) - sum(igs)
    sofa = np.clip(np.round(4.5 + 4 * y + rng.normal(size=140)), 0, 24)
    footer = footer.replace("5,5", f"{sofa.mean():.1f}".replace(".", ","))
    cells = zip(
        [f"P{i:03d}" for i in range(140)], igs, sofa.astype(int), y.astype(int), strict=True
    )
    lines = ["N° patient;IGS II;SOFA;Décès", *(";".join(map(str, row)) for row in cells), footer]
    (tmp_path / "cas.csv").write_text("\n".join(lines) + "\n")
    found, said = by_command([str(tmp_path / "cas.csv")])
    assert found is not None, said
    assert found["kind"] == "scores"
    assert {*found["names"]} == {"IGS II", "SOFA"}


def test_a_row_of_answers_that_are_sums_by_chance_stays(tmp_path):
    (tmp_path / "few.csv").write_text("item,svm,rf\nq1,1,0\nq2,0,1\nq3,0,0\nq4,1,1\n")
    found, said = by_command([str(tmp_path / "few.csv")])
    assert found is not None, said
    assert "summarize" not in " ".join(found["decisions"])


ROWS = "".join(f"p{i},{i % 2},{i % 7 / 10},{i % 5 / 10}\n" for i in range(30))


@pytest.mark.parametrize(
    "text",
    [
        "#id,y,a,b\n" + ROWS,
        "## v1\r\n# id,y,a,b\r\n" + ROWS.replace("\n", "\r\n"),
        "#\ty\ta\tb\n" + ROWS.replace("p", "").replace(",", "\t"),
        "#id;y;a;b\n" + ROWS.replace(",", ";").replace(".", ","),
        "# id y a b\n" + ROWS.replace(",", " "),
        "# seed,folds,date,author\nid,y,a,b\n" + ROWS,
        "##INFO=<ID=a,Number=.,x,y>\nid,y,a,b\n" + ROWS,
        "# all of them\nid,y,a,b\n" + ROWS,
    ],
)
def test_a_comment_above_rows_that_names_their_columns_is_the_header(tmp_path, text):
    path = tmp_path / "scores.txt"
    path.write_text(text, newline="")
    found, said = by_command([str(path)])
    assert found is not None, said
    assert found["names"] == ["a", "b"]
    assert "'y' (the only column with two values" in " ".join(found["decisions"])


COMBINATIONS = "Test1,Test2,Disease,Count\n" + "".join(
    f"{a},{b},{d},{n}\n"
    for (a, b, d), n in zip(np.ndindex(2, 2, 2), (60, 5, 12, 8, 9, 6, 4, 40), strict=True)
)
CALLED = str.maketrans({"0": "-", "1": "+"})


@pytest.mark.parametrize("last", ["Total,,", ",,Total", ",,", "All,All,All", "Összesen,,"])
@pytest.mark.parametrize("words", [False, True])
def test_a_total_of_counted_combinations_is_left_out(tmp_path, last, words):
    text = COMBINATIONS
    if words:
        header, *rows = text.splitlines()
        text = "\n".join([header, *(f"{x[:5].translate(CALLED)}{x[5:]}" for x in rows), ""])
    (tmp_path / "counted.csv").write_text(text)
    (tmp_path / "with_total.csv").write_text(f"{text}{last},144\n")
    plain, said = by_command([str(tmp_path / "counted.csv")])
    assert plain is not None, said
    found, said = by_command([str(tmp_path / "with_total.csv")])
    assert found is not None, said
    assert found["result"] == plain["result"]
    assert "summarizes the rows above" in " ".join(found["decisions"])


@pytest.mark.parametrize(
    ("rows", "n"),
    [
        ("no,no,10 no,yes,10 yes,no,10 yes,yes,10 unsure,unsure,40", 80),  # unsure cases
        ("none,none,10 none,all,5 all,none,5 all,all,20", 40),  # all is an answer
        ("-,-,10 -,+,5 +,-,5 +,+,20", 40),
        ("0,0,10 0,1,5 1,0,5 1,1,20", 40),
    ],
)
def test_a_combination_with_as_many_cases_as_all_others_stays(tmp_path, rows, n):
    path = tmp_path / "counted.csv"
    path.write_text("\n".join(["r1,r2,n", *rows.split()]) + "\n")
    found, said = by_command([str(path)], "--label", "r1", "--test", "kappa")
    assert found is not None, said
    assert f"Rows: {n} cases" in " ".join(found["decisions"])


@pytest.mark.parametrize("last", ["Total,,,143", "1,,,144", "Total,1,,144"])
def test_a_last_row_that_is_no_total_is_refused(tmp_path, last):
    path = tmp_path / "counted.csv"
    path.write_text(f"{COMBINATIONS}{last}\n")
    found, said = by_command([str(path)])
    assert found is None
    assert "line 10" in said


CASES = "".join(f"p{i},{i % 2},0.{3 * i % 7}{i % 9},0.{5 * i % 7}{i % 8}\n" for i in range(40))
LEGENDS = [
    "Note: a is a random forest and b a logistic regression,,,",
    "* p < 0.05,,,",
    "† from the paper,,,\n‡ of our own runs,,,",
    '"Source: hospital data base, 2024",,,',
    "o statistically significant improvement or degradation,,,",
]


@pytest.mark.parametrize("legend", LEGENDS)
@pytest.mark.parametrize("has_ids", [True, False])
def test_a_legend_below_a_table_is_left_out(tmp_path, legend, has_ids):
    header, rows = "id,y,a,b\n", CASES
    if not has_ids:  # the first column is then one of numbers
        header, legend = "y,a,b\n", legend.replace(",,,", ",,")
        rows = "".join(f"{row.partition(',')[2]}\n" for row in rows.splitlines())
    (tmp_path / "cases.csv").write_text(header + rows)
    (tmp_path / "with_legend.csv").write_text(f"{header}{rows}{legend}\n")
    plain, said = by_command([str(tmp_path / "cases.csv")])
    assert plain is not None, said
    found, said = by_command([str(tmp_path / "with_legend.csv")])
    assert found is not None, said
    assert found["result"] == plain["result"]
    assert "Not used: the" in found["decisions"][0]
    assert "which has no values but" in found["decisions"][0]


def test_a_legend_below_means_is_left_out_with_them(tmp_path):
    path = tmp_path / "folds.csv"
    table(path, [*FOLDS, "MW"], MEANS)
    path.write_text(path.read_text() + "* significantly better than svm,,,\n")
    found, said = by_command([str(path)], "--design", "kfold")
    assert found is not None, said
    assert n_rows(found) == N
    assert "which summarizes the rows above" in " ".join(found["decisions"])


@pytest.mark.parametrize(
    "last",
    [
        "p40,,,",  # a case without values
        "breast cancer of women,,,",
        "p40 of the second hospital,0,,0.3",
        "a case of whom all is known,1,0.4,0.2",
        ",,,",
    ],
)
def test_a_last_row_that_is_no_legend_is_not_left_out_silently(tmp_path, last):
    path = tmp_path / "cases.csv"
    path.write_text(f"id,y,a,b\n{CASES}{last}\n")
    found, said = by_command([str(path)])
    assert "no values but" not in (said if found is None else " ".join(found["decisions"]))


def test_a_text_below_other_rows_without_values_stays(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text(f"id,y,a,b\n{CASES}p40,,,\n* the last of all the patients,,,\n")
    found, said = by_command([str(path)])
    assert found is None
    assert "missing value" in said


def test_a_long_text_below_other_texts_stays(tmp_path):
    rows = CASES.replace("p", "the question with the number ")
    path = tmp_path / "items.csv"
    path.write_text(f"question,y,a,b\n{rows}the last question which nobody has answered yet,,,\n")
    found, said = by_command([str(path)])
    assert found is None
    assert "missing value" in said
