"""A row of the table of rules: which test is right for what is held and claimed, and why."""

from dataclasses import dataclass

from .wrong import WRONG, Wrong

KINDS = {  # and the claim that such data can carry
    "scores": "these models",
    "labels": "these models",
    "probabilities": "these models",
    "folds": "this way of training",
    "datasets": "on new data sets",
    "items": "these models",
    "battles": "these models",
}
CLAIMS = ("these models", "this way of training", "on new data sets")
ROWS = {
    "scores": "cases of the rarer class",
    "labels": "cases",
    "probabilities": "cases",
    "folds": "rounds",
    "datasets": "data sets",
    "items": "items",
    "battles": "battles",
}
DESIGNS = {  # by kind, the first being what is taken for granted
    "scores": ("independent", "clusters", "weights", "chunks", "batch", "multiclass"),
    "labels": ("independent", "clusters", "multiclass"),
    "probabilities": ("independent", "clusters", "multiclass"),
    "folds": (
        *("resampled", "repeated-kfold", "kfold", "5x2cv", "independent"),
        *("search", "batch"),
    ),
    "datasets": ("complete", "incomplete", "balanced-incomplete"),
    "items": ("independent", "clusters", "weights"),
    "battles": ("independent", "clusters", "weights"),
}
SPLITS = ("resampled", "repeated-kfold")
SHARED = (*SPLITS, "kfold")  # designs of rounds that share training cases, 5x2cv apart
ROLES = {
    "test": "the test to report",
    "omnibus": "omnibus test: are there any differences?",
    "post-hoc": "pairwise comparisons: which models differ?",
    "instead": "an alternative",
    "question": "for another question",
    "check": "to check an assumption",
    "collect": "for that claim, collect other data",
}
FEW = 30  # cases of a class below which DeLong's normal approximation is called rough
MANY = 1 << 62
CASES = "the cases are a random sample of the population the claim is about"
OF_ITEMS = "the items are a random sample of those the claim is about"
IN_CLUSTERS = {text: f"the clusters{text[9:]}" for text in (CASES, OF_ITEMS)}


@dataclass(frozen=True, kw_only=True)
class Rule:
    """When a test is right, how it is called, why, on what it rests, and what it is taken for."""

    test: str
    call: str
    role: str
    reason: str
    assumes: tuple[str, ...]
    reference: str
    parametric: bool = False
    wrong: str = ""  # a key of `WRONG`
    kinds: tuple[str, ...]
    designs: tuple[str, ...] = ()  # none is all of the kind
    models: tuple[int, int] = (2, 2)
    rows: tuple[int, int] = (0, MANY)
    unknown: bool = True  # whether it counts where the number of rows is not told
    paired: bool = True
    claims: tuple[str, ...] = ()  # none is that which the kind can carry

    def assumed(self, design: str) -> tuple[str, ...]:
        """Return the assumptions: where rows come in clusters, these are independent."""
        if design != "clusters":
            return self.assumes
        return tuple(IN_CLUSTERS.get(text, text) for text in self.assumes)

    @property
    def instead(self) -> Wrong | None:
        """The test that people take by mistake, and how often it errs."""
        return WRONG[self.wrong] if self.wrong else None
