"""The README as a package index shows it, where a link to a file of the checkout would lead nowhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Readme(MetadataHookInterface):
    """Replaces the README's links to files by their text."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Write the README into the package's metadata."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        plain = re.sub(r"\[([^]]+)\]\((?!https?:|#)[^)]+\)", r"\1", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": plain}
