"""A model of one layer in ONNX's file format, so that the real runtime runs in tests: token id to vector."""

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

WORDS = ["[UNK]", "red", "green", "blue", "sky"]
TABLE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0.6, 0.8]], np.float32)

_FLOAT, _INT64 = 1, 7


def write(folder):
    """Put `model.onnx` and `tokenizer.json` into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(_model())
    tokenizer = Tokenizer(WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def _model():
    table = b"".join(_number(1, size) for size in TABLE.shape)
    table += _number(2, _FLOAT) + _bytes(8, b"table") + _bytes(9, TABLE.tobytes())
    gather = _bytes(1, b"table") + _bytes(1, b"input_ids") + _bytes(2, b"states") + _bytes(4, b"Gather")
    graph = _bytes(1, gather) + _bytes(2, b"tiny") + _bytes(5, table)
    graph += _bytes(11, _value(b"input_ids", _INT64, b"batch", b"tokens"))
    graph += _bytes(12, _value(b"states", _FLOAT, b"batch", b"tokens", b"dims"))
    return _number(1, 8) + _bytes(8, _number(2, 13)) + _bytes(7, graph)


def _value(name, kind, *dims):
    shape = b"".join(_bytes(1, _bytes(2, dim)) for dim in dims)
    return _bytes(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, shape)))


def _bytes(field, value):
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _number(field, value):
    return _varint(field << 3) + _varint(value)


def _varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
