"""The table of rules, a file for each kind of data; `RULES` has all of them, the best first."""

from .datasets import DATASETS
from .folds import FOLDS, OWN_ROUNDS
from .items import BATTLES, ITEMS
from .labels import LABELS
from .other_claims import OTHER_CLAIMS
from .probabilities import PROBABILITIES
from .readers import READERS
from .scores import SCORES
from .times import TIMES

RULES = (
    *SCORES,
    *LABELS,
    *PROBABILITIES,
    *FOLDS,
    *OWN_ROUNDS,
    *DATASETS,
    *ITEMS,
    *BATTLES,
    *READERS,
    *TIMES,
    *OTHER_CLAIMS,
)
