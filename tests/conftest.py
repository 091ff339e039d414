"""What several test files share."""

import numba
import pytest


@pytest.fixture
def requires_jit():
    """Skip a test whose size makes no sense for kernels run as plain Python."""
    if numba.config.DISABLE_JIT:
        pytest.skip("too large without compilation")
