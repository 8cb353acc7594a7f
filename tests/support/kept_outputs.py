"""Inference sessions that keep their outputs: tests embed the same few texts hundreds of times.

The models are the real ones. An input that a process has not seen yet is computed by them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from tetragraph.language.embedders import onnx_bert

MOST = 2000
"""Number of kept outputs of a session, of about 100 KB each."""

compute_session = onnx_bert._load_session
"""Opens a session that keeps nothing."""


class KeptOutputs:
    """An inference session that computes each input once, as long as it is kept.

    The outputs are shared between calls, and therefore cannot be written to.
    """

    def __init__(self, session: Any) -> None:
        self._session = session
        self._outputs: OrderedDict[tuple[Any, ...], list[Any]] = OrderedDict()
        self._guard = threading.Lock()

    def run(self, names: list[str] | None, inputs: Mapping[str, Any], options: Any = None) -> list[Any]:
        """Outputs of the model, computed or kept."""
        key = (*(names or ()), *((name, array.shape, array.tobytes()) for name, array in inputs.items()))
        with self._guard:
            if key in self._outputs:
                self._outputs.move_to_end(key)
                return self._outputs[key]
        outputs = [np.asarray(output) for output in self._session.run(names, inputs, options)]
        for output in outputs:
            output.setflags(write=False)
        with self._guard:
            self._outputs[key] = outputs
            if len(self._outputs) > MOST:
                self._outputs.popitem(last=False)
        return outputs


@lru_cache(maxsize=4)
def load_session(model: onnx_bert.OnnxFile, tensor: str) -> KeptOutputs:
    """The session of a model, in place of ``onnx_bert._load_session``."""
    return KeptOutputs(compute_session(model, tensor))
