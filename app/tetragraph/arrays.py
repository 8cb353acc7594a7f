"""Type aliases of the arrays that modules pass to one another; shapes are in the docstrings of their users."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy import sparse

Array: TypeAlias = NDArray[Any]
"""Elements of any type."""
Bytes: TypeAlias = NDArray[np.uint8]
CSR: TypeAlias = "sparse.csr_array[np.float64, tuple[int, int]]"
"""A sparse matrix in compressed rows."""
Flags: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int32]
Labels: TypeAlias = NDArray[np.int64]
"""Number of the group of each element."""
Longs: TypeAlias = NDArray[np.int64]
Rows: TypeAlias = NDArray[np.int64]
"""Row numbers of another array."""
Vectors: TypeAlias = NDArray[np.float32]
"""Embeddings: one, or one per row."""
