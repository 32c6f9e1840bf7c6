"""Every test runs as if it were started alone, at a terminal, on a quiet machine."""

import signal

from hypothesis import settings

# Hypothesis runs without a deadline: a loaded machine must not fail a test.
settings.register_profile("sizeup", deadline=None)
settings.load_profile("sizeup")

# A shell has what it starts in the background ignore Ctrl-C, and so would all that tests start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
