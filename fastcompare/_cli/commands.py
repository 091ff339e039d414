"""What every command has: its messages in its own words, and help that ends with examples."""

from typing import Any

from typer.core import TyperCommand

from .examples import EXAMPLES
from .terminal import say
from .words import NOW, begin


class Command(TyperCommand):
    """A command whose errors and warnings name its options."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command, and say at its end what it noted."""
        begin(self.params, ctx.params)
        found = super().invoke(ctx)
        for message in NOW.get().notes:
            say("note", message)
        return found

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples as they are, where paragraphs would be wrapped."""
        formatter.write("\nExamples:\n")
        for purpose, arguments in EXAMPLES.get(self.name or "", ()):
            formatter.write(f"  # {purpose}\n  {f'fastcompare {self.name} {arguments}'.strip()}\n")
