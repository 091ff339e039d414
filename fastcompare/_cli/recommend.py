"""The command that says which test is right, and why."""

from collections.abc import Mapping
from typing import Any

import fastcompare as fc

from .contents import Found, found_in, told
from .delivery import check_delivery, deliver
from .groups import CONTENTS, DELIVERY, FORM, LOGS, Contents, Delivery, FileForm, LogChoice
from .kind_options import (
    AdviceFiles,
    ClaimAbout,
    Measure,
    ModelCount,
    Paired,
    Parametric,
    RowCount,
    Seed,
    TrialCount,
)
from .options import (
    Jobs,
)


def recommend(
    files: AdviceFiles = None,
    contents: Contents = CONTENTS,
    logs: LogChoice = LOGS,
    n_models: ModelCount = None,
    n: RowCount = None,
    paired: Paired = None,
    claim: ClaimAbout = None,
    parametric: Parametric = None,
    measure: Measure = False,
    n_trials: TrialCount = 1000,
    seed: Seed = 0,
    n_jobs: Jobs = 1,
    delivery: Delivery = DELIVERY,
    form: FileForm = FORM,
) -> None:
    """Recommend tests for what is held and claimed, with reasons and what the wrong test costs.

    Prints the tests in the order in which to run them: how each is called, why, what it assumes,
    where it comes from, and the test that people take by mistake with how often that errs.
    """
    check_delivery(delivery)
    asked = {"n_models": n_models, "n": n, "paired": paired, "claim": claim}
    asked |= {"parametric": parametric, "measure": measure, "n_trials": n_trials}
    found = found_in(files, contents, logs, form) if files else Found(None, None, told(contents))
    known = {name: value for name, value in found.options.items() if name != "pos_label"}
    options: Mapping[str, Any] = {**known, **asked, "rng": seed, "n_jobs": n_jobs}
    deliver(fc.recommend(found.data, found.models, **options), delivery)
