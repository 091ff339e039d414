"""How results show themselves: in a sentence, printed, as tables, as pictures."""

from typing import Any

from .._inference.status import reasons
from .restated import restated
from .upstairs import room


class Shown:
    """What a person looks at; the rooms of tables and of pictures know how."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.__repr__ = Shown.__repr__  # type: ignore[method-assign]  # a dataclass keeps its own

    def __str__(self) -> str:
        return str(room("_report").to_screen(self))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return str(room("_report").notebook_html(self))

    def summary(
        self,
        *,
        confidence_level: float | None = None,
        name_a: str | None = None,
        name_b: str | None = None,
    ) -> str:
        """Return the result in sentences fit for a paper; they say why a part is undefined.

        Parameters
        ----------
        confidence_level : float, optional
            Of the intervals; by default that of the call, or 0.95.
        name_a, name_b : str, optional
            What to call the two models; by default their names.
        """
        told = restated(self, confidence_level, name_a, name_b)
        text = told._summary()
        found = reasons(getattr(told, "status", "ok")).items()
        return " ".join([text, *(sentence for meaning, sentence in found if meaning not in text)])

    def _summary(self) -> str:
        """Return the findings, for `summary` to add why a part is undefined."""
        raise NotImplementedError

    def to_frame(
        self,
        backend: str = "pandas",
        of: str | None = None,
        *,
        confidence_level: float | None = None,
    ) -> Any:
        """Return the pairs, or the models, as a data frame, with all that is known and all digits.

        Parameters
        ----------
        backend : {'pandas', 'polars', 'pyarrow'}, default='pandas'
            Whose data frame.
        of : {'pairs', 'models', ...}, optional
            A row a pair, a row a model, or whatever else the result has; by default pairs, if any.
        confidence_level : float, optional
            Of the intervals; by default that of the call, or 0.95.

        Returns
        -------
        data frame
            Its rows are in the order of the result's own arrays.
        """
        return room("_report").result_frame(restated(self, confidence_level), backend, of)

    def to_markdown(
        self, table: str | None = None, *, confidence_level: float | None = None
    ) -> str:
        """Return the tables, and the sentence, in GitHub's Markdown; names stay as they are.

        Parameters
        ----------
        table : {'models', 'pairs', ...}, optional
            One table only.
        confidence_level : float, optional
            Of the intervals; by default that of the call, or 0.95.
        """
        return str(room("_report").result_markdown(restated(self, confidence_level), table))

    def to_html(self, table: str | None = None, *, confidence_level: float | None = None) -> str:
        """Return the tables, and the sentence, in HTML; names stay as they are.

        Parameters
        ----------
        table : {'models', 'pairs', ...}, optional
            One table only.
        confidence_level : float, optional
            Of the intervals; by default that of the call, or 0.95.
        """
        return str(room("_report").result_html(restated(self, confidence_level), table))

    def to_latex(
        self,
        table: str | None = None,
        *,
        caption: str | None = None,
        label: str | None = None,
        confidence_level: float | None = None,
    ) -> str:
        """Return the tables in LaTeX, as `article` at 10 pt has room for them.

        They need the packages ``booktabs`` and, if they have more than 40 rows, ``longtable``. If
        the pairs of 3 to 7 models are too wide for a line, they come as a matrix.

        Parameters
        ----------
        table : {'models', 'pairs', ...}, optional
            One table only.
        caption, label : str, optional
            By default the name of the test, and ``tab:`` and the kind of the table. The caption is
            text: LaTeX does not read commands in it.
        confidence_level : float, optional
            Of the intervals; by default that of the call, or 0.95.
        """
        told = restated(self, confidence_level)
        return str(room("_report").result_latex(told, table, caption, label))

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the picture of the result by a function of `fastcompare.plots`; return the axes.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default a new figure of pyplot.
        **options
            Further options of that function.
        """
        return room("plots").picture(self, ax=ax, **options)
