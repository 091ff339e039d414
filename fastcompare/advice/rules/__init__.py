"""The table of rules, a file for each kind of data; `RULES` has all of them, the best first."""

from .battles import BATTLES
from .datasets import DATASETS
from .folds import FOLDS
from .items import ITEMS
from .labels import LABELS
from .other_claims import OTHER_CLAIMS
from .own_rounds import OWN_ROUNDS
from .probabilities import PROBABILITIES
from .scores import SCORES

RULES = (
    *SCORES,
    *LABELS,
    *PROBABILITIES,
    *FOLDS,
    *OWN_ROUNDS,
    *DATASETS,
    *ITEMS,
    *BATTLES,
    *OTHER_CLAIMS,
)
