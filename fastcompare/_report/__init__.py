"""Results as tables: plain text, Markdown, LaTeX, CSV, JSON and HTML."""
