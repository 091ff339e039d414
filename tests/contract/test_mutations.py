"""Every change of `scripts/mutations.toml` can be made: a renamed line would leave it untested."""

from scripts.mutate import ROOT, list_mutations


def test_every_mutation_finds_its_line_once_and_its_tests():
    mutations = list_mutations([])
    missing = [
        (mutation.file, mutation.old)
        for mutation in mutations
        if (ROOT / "fastcompare" / mutation.file).read_text("utf-8").count(mutation.old) != 1
    ]
    assert missing == []
    tests = {test for mutation in mutations for test in mutation.tests}
    assert sorted(test for test in tests if not (ROOT / "tests" / test).is_file()) == []
