# The functions of this family and their homes, by scripts/write_api.py.

from ._bayes import bayes_sign as bayes_sign
from ._bayes import bayes_signed_rank as bayes_signed_rank
from ._sign import sign_test as sign_test
from ._wilcoxon import wilcoxon_test as wilcoxon_test

CALLS: dict[str, str]
