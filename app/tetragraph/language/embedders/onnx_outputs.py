"""Further outputs of an ONNX model, added to its bytes without a parser."""

from __future__ import annotations


def with_output(model: bytes, tensor: str) -> bytes:
    """An ONNX model in which an inner tensor is an output of the graph, too.

    A message of Protocol Buffers that is followed by fields is a valid message: fields of a repeated type are added,
    and those of an inner message are merged with it. So a second field ``graph`` (7) with one ``output`` (12) of that
    name (1) is appended.
    """
    return model + _field(7, _field(12, _field(1, tensor.encode())))


def _field(number: int, content: bytes) -> bytes:
    """A field of Protocol Buffers whose length precedes its content."""
    length, size = b"", len(content)
    while size > 0x7F:
        length += bytes([size & 0x7F | 0x80])
        size >>= 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + content
