"""What encoded text holds: a web token, a key with its checksum, plain text in base64."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json


def is_json_web_token(token: str) -> bool:
    """Whether the first part decodes to the header of a JSON web token (or of an encrypted one).

    >>> is_json_web_token("eyJhbGciOiJIUzI1NiJ9.e30.c2ln")
    True
    >>> is_json_web_token("eyJhbGciOiJIUzI1NiJ.e30.c2ln")
    False
    """
    header = token.partition(".")[0]
    try:
        decoded = json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))
    except (ValueError, binascii.Error):
        return False
    return isinstance(decoded, dict) and bool(decoded.keys() & {"alg", "typ", "enc", "kid"})


def is_wrapped_web_token(text: str) -> bool:
    """Whether base64 was laid around a JSON web token.

    >>> is_wrapped_web_token("ZXlKaGJHY2lPaUpJVXpJMU5pSjkuZTMwLmMybG4=")
    True
    """
    try:
        inner = base64.b64decode(text + "=" * (-len(text) % 4)).decode("ascii")
    except ValueError:
        return False
    return inner.count(".") >= 1 and is_json_web_token(inner)


def is_checked_base58(text: str) -> bool:
    """Whether base58 ends with the checksum of what is before it, as keys of wallets do.

    >>> is_checked_base58("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ")
    True
    """
    number = 0
    for character in text:
        number = number * 58 + _BASE58.index(character)
    raw = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return hashlib.sha256(hashlib.sha256(raw[:-4]).digest()).digest()[:4] == raw[-4:]


_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def decoded_text(text: str) -> str:
    """The text that base64 stands for; empty where it stands for none.

    >>> decoded_text("cGFzc3dvcmQ9aHVudGVyMg=="), decoded_text("AAAA")
    ('password=hunter2', '')
    """
    whole = text.rstrip("=")
    try:
        told = base64.b64decode(whole + "=" * (-len(whole) % 4)).decode("utf-8")
    except ValueError:
        return ""
    return told if "".join(told.split()).isprintable() else ""
