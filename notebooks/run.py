"""Runs the notebooks from top to bottom, offline, and keeps their outputs small: `make notebooks`."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent
TIMEOUT = 600
_SHOWN = 300


def executed(path: Path, work: Path) -> Any:
    """The notebook with fresh outputs, run in the folder `work`.

    Raises:
        CellExecutionError: a cell failed.
    """
    notebook: Any = nbformat.read(path, as_version=4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a kernel on this host alone needs no encryption
        NotebookClient(
            notebook, timeout=TIMEOUT, kernel_name="python3", resources={"metadata": {"path": str(work)}}
        ).execute()
    for number, cell in enumerate(notebook.cells):
        cell["id"], cell["metadata"] = f"{path.stem[0]}-{number}", {}
        for output in cell.get("outputs", ()):
            _shorten(output)
    return notebook


def _shorten(output: Any) -> None:
    """Beside HTML or a picture the plain text is only a fallback."""
    data = output.get("data", {})
    if ("text/html" in data or "image/png" in data) and len(data.get("text/plain", "")) > _SHOWN:
        data["text/plain"] = f"{data['text/plain'][:_SHOWN]}…"
    output.pop("execution_count", None)
    if output["output_type"] == "execute_result":
        output["execution_count"] = None


def main(names: list[str]) -> None:
    """Run the named notebooks, or all, and write them."""
    for path in [Path(name) for name in names] or sorted(FOLDER.glob("*.ipynb")):
        nbformat.write(executed(path, Path.cwd()), path)


if __name__ == "__main__":
    main(sys.argv[1:])
