"""``python -m dialoom.cli``, for where the ``dialoom`` script is not on the path."""

import sys

from dialoom.cli import main

sys.exit(main())
