"""The page of a result: one file, safe, the same each time, readable on a narrow screen."""

import os
import re
import shutil
import subprocess
import sys
from html import escape
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._base.text import clean
from fastcompare._report import page
from fastcompare._report.families import result_sheets
from fastcompare._report.page import result_page
from tests.results.test_faces import HOSTILE as NAMES
from tests.results.test_faces import RESULTS, result_of

pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")
HOSTILE = ("<script>alert(1)</script>", "a\"b'&amp;{{ 7*7 }}\n\u202eevil", "]]>--><svg onload=x>")
VOID = {"meta", "br", "img", "link", "input", "hr"}


class Page(HTMLParser):
    """What a browser would see of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.texts, self.open, self.styles = [], [], [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            self.styles += data
        self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


def scores(k, names=None, n=120):
    y = np.arange(n) % 2
    table = np.random.default_rng(1).normal(size=(n, k)) + y[:, None] * np.linspace(0, 1.5, k)
    return y, dict(zip(names or [f"m{j}" for j in range(k)], table.T, strict=True))


def check(text):
    """Assert what holds of every page, and return it."""
    found = Page(text)
    assert not found.open, "each element ends"
    assert not {"script", "img", "link", "iframe", "object", "a"} & set(found.tags)
    for _, name, value in found.attributes:
        assert not name.startswith("on")
        if name in ("src", "href", "xlink:href", "action"):
            assert value.startswith("#")
    assert "@import" not in text
    assert "url(" not in found.styles
    assert ("html", "lang", "en") in found.attributes
    levels = [int(tag[1]) for tag in found.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for table in re.findall("<table>.*?</table>", text, flags=re.DOTALL):
        assert re.match(r"<table>\n<caption>[^<]+</caption>", table)
        assert "<th scope=" in table
        assert table.count("<th") - table.count("<thead") == table.count("<th scope=")
    identities = [value for _, name, value in found.attributes if name == "id"]
    assert len(identities) == len(set(identities))
    for _, name, value in found.attributes:
        if name in ("href", "xlink:href", "aria-labelledby"):
            assert value.removeprefix("#") in identities
    return found


def test_hostile_names_stay_text(requires_jit):
    y, table = scores(3, HOSTILE)
    found = check(result_page(fc.compare(y, table, kind="scores"), "<b>&title</b>"))
    for shown in ("<script>alert(1)</script>", "{{ 7*7 }}\\x0a\\u202eevil", "]]>--><svg onload=x>"):
        assert shown in found.text
    assert found.tags.count("svg") == 2  # ROC curves and the forest
    assert "b" not in found.tags
    assert ("div", "role", "img") in found.attributes


def test_a_comparison_tells_how_it_decided_and_what_it_assumes(tmp_path, requires_jit):
    y, table = scores(3)
    result = fc.compare(y, table, kind="scores")
    found = check(result.report(tmp_path / "page.html").read_text("utf-8"))
    text = found.text
    sample = "There were 60 positive and 60 negative cases."
    findings = result.summary().removesuffix(sample)
    for told in (*result.decisions, *result.reasons, findings, sample):
        assert " ".join(told.split()) in text
    assert "each model was fitted once, on other cases" in text
    assert "fastcompare.compare(y_true, scores, kind='scores')" in text
    assert f"numpy {np.__version__}" in text
    headline = "m2 has a higher AUC than m0 and m1"
    order = [text.index(word) for word in (headline, sample, "ROC curves;", "rests on", "computed")]
    assert order == sorted(order)


def test_a_page_begins_with_the_verdict_and_its_differences(requires_jit):
    y, table = scores(3)
    for result in (fc.delong_test(y, table["m2"], table["m0"]), fc.delong_pairwise_test(y, table)):
        (pairs,) = (sheet for sheet in result_sheets(result) if sheet.kind == "pairs")
        text = result_page(result)
        numbers = text[text.index('class="answer numbers">') :].split("</p>")[0]
        assert f"({pairs.heads['ci'].name} " in numbers
        assert text.index("numbers") < text.index("There were 60 positive")
    assert 'class="answer numbers"' not in result_page(fc.delong_omnibus_test(y, table))


def test_a_page_has_all_columns_on_narrow_screens_when_asked(requires_jit):
    y, table = scores(3)
    text = result_page(fc.delong_pairwise_test(y, table))
    assert "All columns" in text
    assert 'data-label="statistic" class="spare"' in text
    assert "<h2>Checks</h2>" not in text


@pytest.mark.filterwarnings("ignore:one_order")
def test_a_page_of_battles_begins_with_their_number():
    battles = {
        "model_a": ["x", "y"] * 20,
        "model_b": ["y", "x"] * 20,
        "winner": ["a", "tie", "b", "a"] * 10,
    }
    assert "There were 40 battles." in Page(result_page(fc.compare(battles))).text


def calls():
    """Results of many kinds, with the calls that repeat them and something that they assume."""
    y, s = scores(2)
    a, b = s.values()
    yield fc.delong_test(y, a, b, alternative="less"), "(y_true, y_score_a, y_score_b, alt", "30"
    grouped = fc.delong_test(y, a, b, groups=np.arange(120) // 4)
    yield grouped, "y_score_b, groups=groups)", "the clusters are independent"
    drawn = fc.bootstrap_auc_test(y, a, b, rng=3, n_resamples=199)
    yield drawn, "n_resamples=199, rng=3)", ""
    yield (
        fc.mcnemar_test(y, a > 0.5, b > 0.5),
        "(y_true, y_pred_a, y_pred_b)",
        "cases are a random sample",
    )
    corrected = fc.ttest_corrected(a[:10], b[:10], n_train=90, n_test=10)
    yield corrected, "n_train=90, n_test=10)", "same splits"
    table = np.random.default_rng(0).normal(size=(12, 3))
    yield fc.control_test(table, 0), "control_test(scores, control)", ""
    yield fc.recommend(kind="labels", n_models=4), "recommend(kind='labels', n_models=4", ""
    yield fc.cohen_kappa(y, a > 0.5, b > 0.5), "", ""
    yield fc.roc_auc_interval(y, a), "", ""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_results_of_any_kind_have_a_page_with_their_call_and_assumptions(requires_jit):
    for result, call, assumption in calls():
        text = check(result_page(result)).text
        assert call in text
        assert assumption in text


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("kind", RESULTS)
def test_every_result_has_a_page_whatever_its_models_are_called(kind, requires_jit):
    text = check(result_page(result_of(kind, NAMES))).text
    assert " ".join(clean(result_of(kind, NAMES).title).split()) in text


def test_a_result_without_a_picture_has_a_page(requires_jit):
    found = check(result_page(fc.recommend(kind="folds")))
    assert "svg" not in found.tags
    assert "Use ttest_corrected" in found.text
    assert "all models were trained and tested on the same splits" in found.text
    assert "Caveats" not in found.text


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_is_undefined_or_rough_or_left_out_is_told():
    y, table = scores(2, n=20)
    a, b = table.values()
    rough = result_page(fc.delong_test(y, a, b, reference="normal"))
    assert "Too few cases, overall or in a class" in Page(rough).text
    assert "small_sample:" not in Page(rough).text
    missing = np.where(np.arange(120) < 2, np.nan, scores(2)[1]["m0"])
    left_out = fc.delong_test(scores(2)[0], missing, scores(2)[1]["m1"], nan_policy="omit")
    text = Page(result_page(left_out)).text
    assert "2 cases with missing values were dropped" in text
    alike = fc.delong_test(y, a, a, on_undefined="ignore")
    text = Page(result_page(alike)).text
    assert "The models rank or classify all cases identically" in text
    assert "identical:" not in text


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_page_with_a_check_does_not_say_that_there_are_no_problems(sign, requires_jit):
    y, noise = np.arange(120) % 2, np.random.default_rng(0).normal(size=(2, 120))
    result = fc.compare(y, {"a": sign * (y + noise[0]), "b": y + noise[1]}, kind="scores")
    assert bool(result.checks) == (sign < 0)
    assert ("No problems detected" in Page(result_page(result)).text) == (sign > 0)


@pytest.mark.slow
def test_thirty_models_have_a_page_whose_long_tables_are_cut(monkeypatch, requires_jit):
    y, table = scores(30, [f"model_{j:02d}_{'x' * 34}" for j in range(30)])
    result = fc.delong_pairwise_test(y, table)
    whole = check(result_page(result))
    assert whole.tags.count("tr") > 435 + 30
    monkeypatch.setattr(page, "MOST_ROWS", 100)
    cut = check(result_page(result))
    assert cut.tags.count("tr") < 100
    assert "more pairs are not shown" in cut.text


@pytest.mark.slow
def test_the_same_result_gives_the_same_bytes_and_leaves_no_figure_open(requires_jit):
    from matplotlib import pyplot

    before = pyplot.get_fignums()
    y, table = scores(3)
    first, second = (result_page(fc.compare(y, table, kind="scores")) for _ in range(2))
    assert first == second
    assert pyplot.get_fignums() == before


def test_a_file_is_never_replaced_unless_asked_and_written_whole_or_not_at_all(
    tmp_path, monkeypatch
):
    result = fc.recommend(kind="folds")
    target = tmp_path / "page.html"
    assert fc.report(result, os.fspath(target)) == target
    whole = target.read_bytes()
    with pytest.raises(fc.InvalidValueError, match=r"`path` .* exists: pass overwrite=True"):
        fc.report(result, target)
    assert fc.report(result, target, title="Mine", overwrite=True) == target
    assert b"<title>Mine</title>" in target.read_bytes()
    fc.report(result, target, overwrite=True)
    assert target.read_bytes() == whole
    monkeypatch.setattr(page, "result_page", lambda *_: "\ud800")
    with pytest.raises(UnicodeEncodeError):
        fc.report(result, target, overwrite=True)
    assert target.read_bytes() == whole
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


def test_what_no_page_can_be_made_of_is_refused(tmp_path):
    result = fc.recommend(kind="folds")
    with pytest.raises(fc.InvalidTypeError, match=r"`result` must be what a test .* got int"):
        fc.report(3, tmp_path / "page.html")
    with pytest.raises(fc.InvalidValueError, match=r"`path` .* is no directory"):
        fc.report(result, tmp_path / "none" / "page.html")
    with pytest.raises(fc.InvalidValueError, match="is not a regular file"):
        fc.report(result, tmp_path, overwrite=True)
    with pytest.raises(fc.InvalidTypeError, match="`overwrite` must be True or False"):
        fc.report(result, tmp_path / "page.html", overwrite="yes")
    with pytest.raises(fc.InvalidTypeError, match="`path` must be a path, got int"):
        fc.report(result, 1)
    with pytest.raises(fc.InvalidTypeError, match="`title` must be text, got int"):
        fc.report(result, tmp_path / "page.html", title=1)
    assert not list(tmp_path.iterdir())


def test_a_missing_package_is_named_with_the_line_that_installs_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r"pip install 'fastcompare\[report\]'"):
        fc.report(fc.recommend(kind="folds"), tmp_path / "page.html")


def luminance(colour):
    """The relative luminance of a colour, by the definition of WCAG 2."""
    digits = colour * 2 if len(colour) == 3 else colour
    channels = [int(digits[j : j + 2], 16) / 255 for j in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_texts_contrast_with_what_they_stand_on_in_light_dark_and_print():
    styles = Page(result_page(fc.recommend(kind="folds"))).styles
    colours = {}
    schemes = re.findall(r":root \{(.*?)\}", styles)
    assert len(schemes) == 3
    for scheme in schemes:
        colours |= dict(re.findall(r"--(\w+): #(\w+)", scheme))
        for text in ("ink", "soft"):
            for ground in ("page", "box"):
                one, two = sorted(map(luminance, (colours[text], colours[ground])))
                assert (two + 0.05) / (one + 0.05) >= 4.5


def test_a_page_has_its_date_the_positive_class_and_wide_tables_that_stack(monkeypatch):
    y, table = scores(2)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    found = check(result_page(fc.delong_test(y + 1, *table.values(), pos_label=2)))
    assert "Written on 1970-01-02." in found.text
    assert "positive class 2" in found.text
    assert ("table", "class", "stacks") in found.attributes
    assert ("td", "data-label", "95% CI") in found.attributes


@pytest.mark.skipif(shutil.which("chromium") is None, reason="Debian's browser is not installed")
def test_a_browser_requests_nothing_and_nothing_overflows(tmp_path, requires_jit):
    names = [*HOSTILE, "x" * 43]
    y, table = scores(4, names)
    text = result_page(fc.compare(y, table, kind="scores"))
    probe = "default-src 'none'; style-src 'unsafe-inline'"
    assert probe in text
    measured = "<script>document.title = document.documentElement.scrollWidth</script></body>"
    text = text.replace(probe, f"{probe}; script-src 'unsafe-inline'").replace("</body>", measured)
    framed = f'<iframe id="f" width="390" srcdoc="{escape(text)}"></iframe><script>onload = () => '
    framed += (
        "document.body.dataset.w = document.getElementById('f').contentDocument.title</script>"
    )
    (tmp_path / "page.html").write_text(framed)
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", (tmp_path / "page.html").as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert int(re.search(r'data-w="(\d+)"', shown.stdout)[1]) <= 390


def test_a_result_that_several_functions_return_has_its_own_source():
    for function, source in (
        (fc.stuart_maxwell_test, "Maxwell (1970)"),
        (fc.bowker_test, "Bowker (1948)"),
    ):
        page = check(result_page(function([1, 2, 3, 1, 2] * 9, [1, 2, 1, 3, 2] * 9)))
        assert source in page.text
        assert f"fastcompare.{function.__name__}(" in page.text


def test_the_caption_of_a_forest_says_what_differs_and_how_its_intervals_cover():
    y = np.arange(60) % 2
    scores = dict(zip("abc", np.random.default_rng(0).normal(size=(3, 60)) + y, strict=True))
    several = page.page_pictures(fc.delong_pairwise_test(y, scores))[-1]
    assert several.caption == "difference in AUC, with simultaneous intervals"
    two = fc.delong_test(y, scores["a"], scores["b"], alternative="greater", margin=0.1)
    assert "difference in AUC, with confidence intervals; broken: margin 0.1" in {
        picture.caption for picture in page.page_pictures(two)
    }
    assert all("fill: #ffffff" not in p.svg.split("</g>")[0] for p in page.page_pictures(two))


def test_every_picture_has_words_for_what_it_shows():
    assert set(page.PICTURES) <= set(page.CAPTIONS_BY_PICTURE)
