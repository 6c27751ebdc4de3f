"""The folder of models and checkers that are too large for the repository: MO_SHARED, or ../shared beside the sources."""
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77  # what ctest takes for "not run"


def shared_folder(*needed):
    """The folder, which has all `needed` paths. Ends the program as skipped when there is no such folder; with an error when there is one, or MO_SHARED
    promises one, that lacks something: a test that compares nothing must not look like one that passed."""
    folder = Path(os.environ.get("MO_SHARED", ROOT.parent / "shared")).resolve()
    missing = [path for path in needed if not (folder / path).exists()]
    if not missing:
        return folder
    promised = "MO_SHARED" in os.environ or any((folder / path).exists() for path in ("models", "tools"))
    print(f"{'error' if promised else 'skipped'}: {folder} has no {', '.join(missing)} (set MO_SHARED)")
    sys.exit(1 if promised else SKIPPED)
