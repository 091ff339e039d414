"""Where classes are small, tests of AUCs warn, name a cure, and say so in their sentence."""

import warnings

import numpy as np
import pytest

import fastcompare as fc

RNG = np.random.default_rng(14)
SIZE = 90
SCORES = RNG.normal(size=(3, SIZE))
NORMAL = r"^small_sample: .*: omit `reference`, or use permutation_auc_test"
PERMUTE = r"^small_sample: .*: use permutation_auc_test\.$"
BOOTSTRAP = r"^small_sample: .*: use delong_test\(reference='t'\) or permutation_auc_test\.$"
CASES = [(29, "normal"), (2, "normal"), (2, "auto"), (2, "t")]


def labels(m):
    return (np.arange(SIZE) < m).astype(int)


def silent(test, *arguments, **options):
    """The result of a test that must not warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", fc.SmallSampleWarning)
        return test(*arguments, **options)


def warned(match, test, *arguments, **options):
    """The result of a test that must warn once, with these words."""
    with pytest.warns(fc.SmallSampleWarning, match=match) as seen:
        result = test(*arguments, **options)
    assert sum(one.category is fc.SmallSampleWarning for one in seen) == 1
    return result


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize(("m", "reference"), CASES)
def test_single_tests_warn_and_say_so_in_delong_test(m, reference, flip):
    y = 1 - labels(m) if flip else labels(m)
    match = NORMAL if reference == "normal" else PERMUTE
    result = warned(match, fc.delong_test, y, *SCORES[:2], reference=reference)
    assert result.status == "small_sample"
    basis = "the normal approximation" if reference == "normal" else "Student's t"
    assert f" {m} cases of a class: {basis} rejects too often." in result.summary()


@pytest.mark.parametrize(
    ("m", "reference"),
    [(30, "normal"), (8, "t"), (29, "t"), (8, "auto"), (29, "auto"), (30, "auto")],
)
def test_enough_cases_are_not_mentioned(m, reference):
    options = {"reference": reference}
    one = silent(fc.delong_test, labels(m), *SCORES[:2], **options)
    pairs = silent(fc.delong_pairwise_test, labels(m), SCORES.T, **options)
    silent(fc.delong_batch, labels(m), SCORES[:2], SCORES[1:], **options)
    assert one.status == "ok"
    assert set(pairs.status) == {"ok"}
    assert "cases of a class" not in one.summary() + pairs.summary()


@pytest.mark.parametrize(("m", "reference"), [(29, "normal"), (2, "t")])
def test_pairs_and_batches_warn_once(m, reference):
    y, options = labels(m), {"reference": reference}
    match = NORMAL if m > 2 else PERMUTE
    table = np.c_[SCORES.T, SCORES[0]]  # the last is identical with the first
    pairs = warned("^small_sample", fc.delong_pairwise_test, y, table, **options)
    assert pairs.status.tolist().count("small_sample") == 5
    assert pairs.status[2] == "identical"
    assert "rejects too often." in pairs.summary()
    all_rough = warned(match, fc.delong_pairwise_test, y, SCORES.T, **options)
    assert all_rough.summary().count("reject") == 1
    many = np.stack([y, labels(45)])
    match = match.removesuffix(r"\.$") + r" \(1 of 2 problems, the first is 0\)\.$"
    warned(match, fc.delong_batch, many, SCORES[:2], SCORES[1:], **options)


def test_a_covariance_warns_of_few_effective_cases_as_of_few_cases_in_delong_covariance():
    warned("^small_sample", fc.delong_covariance, labels(29), SCORES.T, reference="normal")
    silent(fc.delong_covariance, labels(40), SCORES.T, sample_weight=np.ones(SIZE))
    heavy = np.where(np.arange(SIZE) < 2, 50.0, 1.0)  # 40 positives worth four
    found = warned("^small_sample", fc.delong_covariance, labels(40), SCORES.T, sample_weight=heavy)
    assert found.status == "small_sample"


def test_claims_that_no_permutation_tests_name_student_s_t_alone_in_delong_test():
    y = labels(9)
    weighted = r": omit `reference`\.$"
    counts = np.ones(SIZE, int)
    normal = {"reference": "normal"}
    warned(weighted, fc.delong_test, y, *SCORES[:2], frequency_weight=counts, **normal)
    silent(fc.delong_test, y, *SCORES[:2], sample_weight=counts)  # by t unless asked otherwise
    claim = {"alternative": "greater", "margin": 0.1}
    warned(weighted, fc.delong_test, y, *SCORES[:2], **claim, **normal)
    with pytest.warns(fc.SmallSampleWarning, match=r"too narrow\.$"):
        fc.delong_test(labels(2), *SCORES[:2], reference="t", alternative="greater", margin=0.1)


def test_undefined_statuses_keep_their_words_in_delong_test():
    y, a = labels(9), np.arange(SIZE, dtype=float)
    assert fc.delong_test(y, SCORES[0], SCORES[0]).status == "identical"
    assert fc.delong_test(labels(1), *SCORES[:2], on_undefined="ignore").status == "too_few"
    result = fc.delong_test(y, a, -a, on_undefined="ignore")
    assert result.status == "zero_variance"
    assert "rejects" not in result.summary()


def test_unpaired_tests_warn_below_20_cases_in_delong_unpaired_test():
    def unpaired(m, **options):
        return fc.delong_unpaired_test, labels(m), SCORES[0], labels(25), SCORES[1]

    result = warned(r": pass reference='score', which keeps its level", *unpaired(19))
    assert " 19 cases of a class: Student's t rejects too often." in result.summary()
    assert silent(*unpaired(20)).status == "ok"
    assert warned(r"reference='score'", *unpaired(19), reference="t").status == "small_sample"
    assert silent(*unpaired(19), reference="score").status == "ok"


@pytest.mark.slow
@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "normal", "studentized"])
def test_bootstraps_warn_and_name_delong_s_t_in_bootstrap_auc_test(method):
    def test(m):
        return fc.bootstrap_auc_test, labels(m), *SCORES[:2]

    options = {"method": method, "n_resamples": 99, "rng": 1}
    assert silent(*test(30), **options).status == "ok"
    result = warned(BOOTSTRAP, *test(29), **options)
    assert " 29 cases of a class: the bootstrap rejects too often." in result.summary()
    claim = {"alternative": "greater", "margin": 0.1}
    warned(r": use delong_test\(reference='t'\)\.$", *test(29), **options, **claim)


def test_bootstraps_of_many_models_name_delong_s_t_in_bootstrap_auc():
    match = r"delong_pairwise_test\(reference='t'\) keeps its level\.$"
    result = warned(match, fc.bootstrap_auc, labels(9), SCORES.T, n_resamples=99, rng=1)
    assert "9 cases of a class: the bootstrap rejects too often." in result.summary()


def test_nobody_is_told_who_does_not_want_to_hear(requires_jit):
    for test in (fc.delong_test, fc.bootstrap_auc_test):
        silent(test, labels(9), *SCORES[:2], on_undefined="ignore")
    with pytest.warns(fc.SmallSampleWarning):  # it is defined, so it is never raised
        fc.delong_test(labels(2), *SCORES[:2], on_undefined="raise")
