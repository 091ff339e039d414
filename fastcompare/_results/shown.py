"""How results show themselves: printed, as tables, as pictures."""

from typing import Any

from .upstairs import room


class Shown:
    """What a person looks at; the rooms of tables and of pictures know how."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.__repr__ = Shown.__repr__  # type: ignore[method-assign]  # a dataclass keeps its own

    def __str__(self) -> str:
        return str(room("report").to_screen(self))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return str(room("report").result_html(self))

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
