"""``python -m desert_envs``: the command line."""

import sys

from desert_envs.cli import main

sys.exit(main())
