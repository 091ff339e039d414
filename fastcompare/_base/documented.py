"""Parts of docstrings and signatures that functions share: parameters, options of an engine.

`documented` adds the entries below for parameters that a docstring does not describe, each with the
default of that function. A function that ends in ``**options: Unpack[SomeTypedDict]`` passes these
to an engine; `with_engine_options` shows the engine's options in its signature and docstring.
"""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, cast

from .exceptions import FastCompareError, InvalidTypeError, suggestion
from .neighbours import parameter_hint
from .types import Pieces

HEAD = re.compile(r"^(\w[\w ]*)\n-+\n", re.MULTILINE)  # the heading of a section
ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)  # where the entry of a parameter begins
SECTIONS = (
    *("Parameters", "Returns", "Raises", "Warns"),
    *("See Also", "Notes", "References", "Examples"),
)


def merge_docstrings(docstring: str, shared: str, parameters: Sequence[str]) -> str:
    """Return a docstring with the entries of both for `parameters`, and the sections of both.

    Where both have a section, or an entry, that of `docstring` counts.
    """
    sections_here, sections_shared = sections(docstring), sections(shared)
    combined = {**sections_shared, **sections_here}
    described = {
        name: text
        for section in (sections_shared, sections_here)  # the last entry of a name counts
        for text in ENTRY.split(section.get("Parameters", ""))
        for name in re.findall(r"\w+", text.partition("\n")[0].partition(" :")[0])
    }
    entries = dict.fromkeys(described[name].strip("\n") for name in parameters if name in described)
    combined["Parameters"] = "\n".join(entries)
    texts = [
        f"{name}\n{'-' * len(name)}\n{combined[name]}" for name in SECTIONS if name in combined
    ]
    return "\n\n".join([sections_here[""], *texts]) + "\n"


def sections(doc: str) -> dict[str, str]:
    """Return {name: text} of a docstring's sections; "" is the text before the first."""
    before, *names_and_texts = HEAD.split(doc)
    named = zip(names_and_texts[::2], names_and_texts[1::2], strict=True)
    return {"": before.strip(), **{name: text.strip("\n") for name, text in named}}


F = TypeVar("F", bound=Callable[..., Any])

SIMPLE = (str, int, float, type(None))

ORDER = (  # of options in every signature; a function's own come before
    *("method", "reference", "sphericity", "continuity"),
    *("sample_weight", "frequency_weight", "weight_kind", "groups", "strata", "stratified"),
    *("alternative", "margin", "correction", "alpha", "confidence_level"),
    *("gate", "higher_is_better"),
    *("n_resamples", "rng", "n_jobs", "executor", "progress", "keep"),
    *("pos_label", "nan_policy", "on_undefined"),
)

# some parameters have entries for their types, which are named after these: `alternative`, say
ENTRIES = """\
y_true : array-like of shape (n,)
    Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`.
AnyLabels : array-like of shape (n,)
    Labels of any type, of two classes or more.
y_score : array-like of shape (n,)
    Scores; a higher score means more likely positive.
y_prob : array-like of shape (n,)
    Probabilities of the positive class.
y_score_a, y_score_b : array-like of shape (n,)
    The two models' scores of the same cases; a higher score means more likely positive.
y_pred_a, y_pred_b : array-like of shape (n,)
    The two models' predicted labels, of the same type: "1" is not 1. A data frame or mapping with
    two columns may replace both; the models take its column names, or those of two Series.
scores_a : array-like of shape (n,)
    The first model's score on each case, fold or data set. Without `scores_b`: the differences
    themselves, or a table with two columns.
scores_b : array-like of shape (n,), optional
    The second model's scores on the same cases, folds or data sets; the test is of `scores_a` -
    `scores_b`.
time : array-like of shape (n,)
    Time from the start of observation to the event or to censoring, at least 0. A scikit-survival
    structured array, or a data frame with two columns, may replace `time` and `event`.
event : array-like of shape (n,), or None
    Whether the event was observed: bool, or 1 for an event and 0 for a censored case.
risk : array-like of shape (n,)
    The model's risk scores; a higher score means an earlier event.
risk_a, risk_b : array-like of shape (n,)
    The two models' risk scores of the same cases; a higher score means an earlier event. A data
    frame or mapping with two columns may replace both; the models take its column names.
tau : float, optional
    Truncation time, in the unit of `time`: events at or after it are ignored.
predicts : {{'risk', 'time'}}, default={default}
    What a high score means: 'risk', an earlier event; 'time', a later event.
predictions : array-like of shape (n, k), mapping or data frame
    Predicted labels, one column per model, at least two; column names become model names.
ax : matplotlib Axes, optional
    Axes to draw on. By default a new figure, large enough for all names.
strata : array-like of shape (n,), optional
    Stratum of each item (its task, for example), labels of any type. Strata are treated as fixed:
    only items, or clusters, are sampled within them. The same cluster label in two strata means
    two clusters.
n_train, n_test : float, optional
    Number of training and test cases per round, or their means. Give both, or `cv`.
cv : int or splitter, optional
    How the data were split, instead of the two sizes and `design`: the number of folds, or a
    scikit-learn splitter.
design : {{'resampled', 'repeated-kfold', 'kfold', '5x2cv', 'independent'}}, optional
    Where the rounds come from. Warns if the test or the sizes do not match the design.
sample_weight : array-like of shape (n,), optional
    Sampling weight of each case, at least 0: how many cases of the population it represents, such
    as the inverse of its sampling probability. Only ratios within a class matter.
frequency_weight : array-like of shape (n,), optional
    Number of identical cases that a row represents, integers of at least 0; ``n_positive`` and
    ``n_negative`` count all of them.
groups : array-like of shape (n,), optional
    Cluster of each case (the patient of a lesion, for example), labels of any type. Clusters are
    independent; cases within a cluster may be correlated. Whole clusters are resampled or dropped.
stratified : bool, default={default}
    Resample positives and negatives separately, so that every replicate has as many of each as the
    data. False resamples from all cases; replicates that lack a class are discarded.
reference : {{'auto', 'normal', 't'}}, default={default}
    Reference distribution of the statistic: 'normal', as published, or Student's 't' with
    Satterthwaite's degrees of freedom, which keeps its level from 3 cases of a class on. 'auto' is
    't' below 30 cases of a class, and for clusters and sampling weights; otherwise 'normal'.
Direction : {{'two-sided', 'less', 'greater'}}, default={default}
    Alternative hypothesis. 'greater': the estimate, first minus second, is above 0. Choose it
    before you see the data.
Alternative : {{'two-sided', 'less', 'greater', 'equivalence'}}, default={default}
    Alternative hypothesis. 'greater': the estimate, first minus second, is above 0; 'equivalence':
    it is within `margin` of 0 (two one-sided tests). Choose it before you see the data.
margin : float, default={default}
    Non-inferiority or equivalence margin. If above 0, 'greater' means that the estimate is above
    -margin, and 'less' that it is below margin (non-inferiority). z and t are then (estimate +
    margin) or (estimate - margin) over the standard error.
correction : str, default={default}
    Adjustment for multiple comparisons: any method of `adjust_pvalues`, or 'none'.
PairCorrection : str, default={default}
    Adjustment for multiple comparisons: any method of `adjust_pvalues`, or 'none'. 'auto' is
    'shaffer' for two-sided tests and 'holm' for one-sided ones; the result's ``correction`` names
    the one used. Shaffer's is never less powerful than Holm's: it uses that two models equal to a
    third are equal.
alpha : float, default={default}
    Significance level (for most corrections the family-wise error rate) of `cliques` and the
    summary.
confidence_level : float, default={default}
    Between 0 and 1.
simultaneous : bool, default={default}
    Widen the intervals so that they cover simultaneously, with probability `confidence_level`.
higher_is_better : bool, default={default}
    Whether the highest score gets rank 1; False for errors, times and ranks.
n_resamples : int, default={default}
    Number of replicates. One less than a round number makes the levels of order statistics exact.
rng : None, int or numpy.random.Generator, optional
    Seed. The same seed gives bit-identical results for any `n_jobs`, executor and machine.
n_jobs : int, default={default}
    Number of threads; -1 uses all cores. The result does not depend on it.
executor : concurrent.futures.Executor, optional
    Runs the work instead of threads: a process pool, or dask's ``Client.get_executor()``.
progress : bool or callable, optional
    True shows a progress bar if the work takes more than a second; a callable receives the number
    of finished tasks and the total.
keep : bool, default={default}
    Keep the replicates in the result, as ``distribution``.
pos_label : object, optional
    Label of the positive class.
nan_policy : {{'raise', 'omit'}}, default={default}
    How to handle rows with missing values: raise an error, or drop them for all models with a
    warning.
on_undefined : {{'warn', 'raise', 'ignore'}}, default={default}
    What to do if a part of the result is undefined for these data.
"""


class Call(NamedTuple):
    """The call that made a result: the function's name and the options that were passed."""

    function: str = ""
    options: Mapping[str, Any] = MappingProxyType({})


def call_that_made(result: Any) -> Call:
    """Return the call that made a result; an empty one for results inside other results."""
    call: Call = vars(result).get("_call", Call())
    return call


def documented(function: F, legal: frozenset[str] | None = None) -> F:
    """Return the function with the shared entries of ENTRIES in its docstring; calls are recorded.

    Options that are not `legal` raise here, so that the error names this function and not the
    engine that it calls.
    """
    parameters = inspect.signature(function).parameters.values()
    if function.__doc__:  # python -OO has none
        shared = [entry for p in parameters if (entry := shared_entry(p))]
        section = "Parameters\n----------\n" + "".join(shared)
        names = [p.name for p in parameters]
        function.__doc__ = merge_docstrings(inspect.getdoc(function) or "", section, names)
    return record_calls(function, legal)


def record_calls(function: F, legal: frozenset[str] | None) -> F:
    """Return the function, whose results then have the call that made them as `_call`.

    Its options are strings and numbers as they are, and ``...`` for anything else. Errors of a
    wrong call get a hint.
    """
    name = function.__name__
    without_options = Call(name, {})

    @wraps(function)
    def recorded(*args: Any, **given: Any) -> Any:
        """Call the function; keep the call in its result, or explain the call in its error."""
        try:
            if legal is not None and not legal.issuperset(given):
                wrong = next(option for option in given if option not in legal)
                raise TypeError(f"{name}() got an unexpected keyword argument {wrong!r}")
            result = function(*args, **given)
        except (TypeError, FastCompareError) as error:
            refuse_scans(error, name, [*args, *given.values()])
            explain_call(error, function, args, given)
            raise
        if hasattr(result, "__dict__"):
            call = without_options
            if given:
                recorded_options = {
                    key: v if isinstance(v, SIMPLE) else ... for key, v in given.items()
                }
                call = Call(name, recorded_options)
            vars(result)["_call"] = call
        return result

    return cast(F, recorded)


FUNCTIONS_READING_SCANS = (
    *("delong_test", "delong_pairwise_test", "delong_covariance", "roc_auc_interval"),
    *("bootstrap_auc_test", "mcnemar_test", "scoring_test", "paired_mean_test", "mean_interval"),
    *("within_auc_test", "within_auc_interval", "within_auc_pairwise_test"),
    *("within_auc_omnibus_test", "compare"),
)


def refuse_scans(error: Exception, name: str, values: Sequence[Any]) -> None:
    """Raise, in place of the function's own error, if it got a scan and cannot read scans."""
    if name not in FUNCTIONS_READING_SCANS and any(isinstance(value, Pieces) for value in values):
        raise InvalidTypeError(
            f"{name} needs all rows in memory, and got a scan: pass the columns as arrays, or "
            f"choose a function that reads scans: {', '.join(FUNCTIONS_READING_SCANS)}.",
            parameter=name,
        ) from error


def explain_call(
    error: Exception, function: Callable[..., Any], args: Any, options: dict[str, Any]
) -> None:
    """Add to an error's message what was likely meant, and the names of Series that were passed."""
    signature = inspect.signature(function)
    try:
        bound = signature.bind(*args, **options).arguments
    except TypeError:
        error.args = (f"{error.args[0]}{call_hint(signature, args, options)}",)
        return
    if isinstance(error, FastCompareError) and error.args:
        text = str(error.args[0])
        for name, value in bound.items():
            is_dask = hasattr(value, "chunks")  # whose arrays have a `name` that nobody chose
            title = None if is_dask else getattr(value, "name", None)
            if isinstance(title, str) and title and f"`{name}` ({title!r})" not in text:
                text = text.replace(f"`{name}`", f"`{name}` ({title!r})", 1)
        error.args = (text, *error.args[1:])


TABLES = ("scores", "predictions", "probabilities")  # parameters that have all models


def call_hint(signature: inspect.Signature, args: Any, passed: dict[str, Any]) -> str:
    """Return the hint for an option with a wrong name, or what was passed by position; or ""."""
    legal = signature.parameters
    keyword_only = [p for p in legal.values() if p.kind is p.KEYWORD_ONLY]
    wrong = next((name for name in passed if name not in legal), None)
    if wrong is not None:
        # Not those that `args`, by position, or other options have already.
        free = [name for name in [*legal][len(args) :] if name not in passed]
        return parameter_hint(wrong, free) or suggestion(wrong, legal, ".")
    n_positional = len(legal) - len(keyword_only)
    if keyword_only and len(args) > n_positional:
        table = [*legal][n_positional - 1] if n_positional else ""
        if table in TABLES and hasattr(args[-1], "__len__") and not isinstance(args[-1], str):
            return (
                f". Pass the columns of all models as one table: `{table}` is a dictionary from "
                "names to columns, a data frame, or np.column_stack([...]) of arrays"
            )
        needed = [p.name for p in keyword_only if p.default is p.empty] or [keyword_only[0].name]
        return f". Options are passed by name: {', '.join(f'{name}=...' for name in needed)}"
    return ""


def shared_entry(parameter: inspect.Parameter) -> str:
    """Return the entry of ENTRIES for a parameter, with its default; "" if there is none."""
    name = parameter.name
    kind = str(parameter.annotation)
    wanted = kind if kind in TABLE else name
    text = TABLE.get(wanted, "").replace(f"{wanted} :", f"{name} :")
    return text.format(default=repr(parameter.default))


TABLE = {
    name: entry
    for entry in ENTRY.split(ENTRIES)
    for name in entry.partition(" :")[0].split(", ")
    if entry
}


def with_engine_options(engine: Callable[..., Any]) -> Callable[[F], F]:
    """Return a decorator that shows in a function what it passes on to `engine`."""
    engine_parameters = inspect.signature(engine).parameters
    options = {name: p for name, p in engine_parameters.items() if p.kind is p.KEYWORD_ONLY}

    def decorate(function: F) -> F:
        """Return the function with the options of the engine in its signature and docstring."""
        signature = inspect.signature(function)
        own_parameters = {
            name: p for name, p in signature.parameters.items() if p.kind is not p.VAR_KEYWORD
        }
        # Own parameters come first, and replace those of the engine that have the same names.
        parameters = {**own_parameters, **options, **own_parameters}
        full_signature = signature.replace(
            parameters=sorted(parameters.values(), key=parameter_order)
        )
        function.__signature__ = full_signature  # type: ignore[attr-defined]
        if function.__doc__ and engine.__doc__:  # python -OO has none
            function.__doc__ = merge_docstrings(
                inspect.getdoc(function) or "",
                inspect.getdoc(engine) or "",
                list(full_signature.parameters),
            )
        return documented(function, frozenset(full_signature.parameters))

    return decorate


def parameter_order(parameter: inspect.Parameter) -> tuple[int, int]:
    """Return the sort key of a parameter in a signature: options in the order of ORDER."""
    is_ordered = parameter.kind is parameter.KEYWORD_ONLY and parameter.name in ORDER
    return parameter.kind, ORDER.index(parameter.name) if is_ordered else -1
