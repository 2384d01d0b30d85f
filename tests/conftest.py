"""Set-up of all tests: how hypothesis searches, and that nothing opens a window."""

import os

from hypothesis import settings

# The first example of a test may compile a kernel, so no example has a deadline.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
