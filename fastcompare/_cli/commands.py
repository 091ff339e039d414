"""What every command has: its messages in its own words, and help that ends with examples."""

from typing import Any

from typer.core import TyperCommand

from .terminal import say
from .words import NOW, begin


class Command(TyperCommand):
    """A command whose errors and warnings name its options."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        begin(self.params, ctx.params)
        found = super().invoke(ctx)
        for message in NOW.get().notes:
            say("note", message)
        return found
