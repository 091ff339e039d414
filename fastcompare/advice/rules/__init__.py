"""The table of rules, a file for each kind of data; `RULES` has all of them, the best first."""

from dataclasses import replace

from .datasets import DATASETS
from .folds import FOLDS
from .items import BATTLES, ITEMS
from .labels import LABELS
from .other_claims import OTHER_CLAIMS
from .probabilities import PROBABILITIES
from .readers import READERS
from .scores import SCORES
from .times import TIMES

BY_KIND = {
    "scores": SCORES,
    "labels": LABELS,
    "probabilities": PROBABILITIES,
    "folds": FOLDS,
    "datasets": DATASETS,
    "items": ITEMS,
    "battles": BATTLES,
    "readers": READERS,
    "times": TIMES,
}
RULES = (
    *(replace(rule, kinds=(kind,)) for kind, rules in BY_KIND.items() for rule in rules),
    *OTHER_CLAIMS,
)
