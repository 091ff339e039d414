"""The command that writes a comparison as a page to send."""

from pathlib import Path

from .._base.exceptions import InvalidValueError
from .compare import compared
from .delivery import check_delivery, deliver
from .groups import CONTENTS, FORM, LOGS, WISHES, Contents, Delivery, FileForm, LogChoice, Wishes
from .kind_options import (
    AnyFiles,
    Page,
)
from .options import (
    Force,
    Jobs,
    NanPolicy,
)
from .terminal import say

PAGES = (".html", ".htm")


def report(
    files: AnyFiles = None,
    contents: Contents = CONTENTS,
    logs: LogChoice = LOGS,
    wishes: Wishes = WISHES,
    output: Page = Path("report.html"),
    force: Force = False,
    form: FileForm = FORM,
    nan_policy: NanPolicy = "raise",
    n_jobs: Jobs = 1,
) -> None:
    """Write the comparison of models in a file as a page of HTML to send.

    It has the answer first, tables, a picture, what the tests assume and how to repeat them, in one
    file that needs no network. The options are those of `fastcompare compare`.
    """
    delivery = Delivery("html", output, force)
    if output.suffix.lower() not in ("", *PAGES):
        raise InvalidValueError(
            f"`--output` must end in {' or '.join(PAGES)}, got {str(output)!r}."
        )
    check_delivery(delivery)
    options = {"nan_policy": nan_policy, "n_jobs": n_jobs}
    deliver(compared(files, contents, logs, wishes, form, options), delivery)
    say("note", f"the page is {str(output)!r}.")
