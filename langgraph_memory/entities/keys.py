"""What a key of a JSON object announces about its value."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache


class Announces(Enum):
    """What a key says about its value.

    `IDENTIFIER`: whatever it looks like, it names something (`order_id`). `RESOURCE`: a name of something
    (`service`). `OTHER`: never a name (`departure_date`). `NOTHING`: the value's shape has to tell.
    """

    IDENTIFIER = "identifier"
    RESOURCE = "resource"
    NOTHING = "nothing"
    OTHER = "other"


@lru_cache(maxsize=4096)
def announced_by(key: str) -> Announces:
    """What a key in snake, kebab or camel case says about its value.

    >>> announced_by("payment_method_id").name, announced_by("instanceIds").name, announced_by("service").name
    ('IDENTIFIER', 'IDENTIFIER', 'RESOURCE')
    >>> announced_by("departureDate").name, announced_by("api_key").name, announced_by("origin").name
    ('OTHER', 'OTHER', 'NOTHING')
    """
    parts = key_words(key)
    if not parts:
        return Announces.NOTHING
    if not _SECRET.isdisjoint(parts) or parts[-2:] in _NEVER:
        return Announces.OTHER
    if parts[-1] in _IDENTIFIER:
        return Announces.IDENTIFIER
    if not _OTHER.isdisjoint(parts) or parts[-1] in _DESCRIPTION:
        return Announces.OTHER
    if parts[-1] in _RESOURCE or (parts[-1] == "name" and parts[0] in _RESOURCE):
        return Announces.RESOURCE
    return Announces.NOTHING


@lru_cache(maxsize=4096)
def key_words(key: str) -> tuple[str, ...]:
    """The words of a key, in lower case and singular.

    >>> key_words("LoadBalancerARNs"), key_words("flight_number"), key_words("policies")
    (('load', 'balancer', 'arn'), ('flight', 'number'), ('policy',))
    """
    return tuple(_singular(word.lower()) for word in _WORDS.findall(key))


def kind_of(key: str, container: str) -> str | None:
    """Of what kind the value of an identifier key is: what precedes `id` in it, else what contains it.

    >>> kind_of("pull_number", "data"), kind_of("id", "issues"), kind_of("id", "")
    ('pull', 'issue', None)
    """
    return "_".join(key_words(key)[:-1]) or "_".join(key_words(container)) or None


_WORDS = re.compile(r"[A-Z]+s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SHORTEST_IES = 4


def _singular(word: str) -> str:
    if len(word) >= _SHORTEST_IES and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "ches", "shes", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 2:  # noqa: PLR2004
        return word[:-1]
    return word


def words(listed: str) -> frozenset[str]:
    """The words of a list, so that long lists can be read."""
    return frozenset(listed.split())


_IDENTIFIER = words(
    "id identifier uid uuid guid arn urn sku asin isbn vin imei ref reference number sha username login slug "
    "hostname"
)
_RESOURCE = words(
    "resource instance server host machine node cluster pod deployment service container volume bucket queue "
    "database db job pipeline workflow repository repo project file path filename filepath dag vm droplet "
    "namespace device flag"
)
_SECRET = words(
    "password passwd secret token credential authorization signature nonce cookie etag checksum hash cursor "
    "digest csrf session"
)
_NEVER = frozenset(
    [(kind, "key") for kind in words("api access private public ssh encryption")]
    + [(kind, "id") for kind in words("request correlation trace span")]
    + [(kind, "number") for kind in words("phone mobile telephone fax card security house street")]
    + [(kind, "number") for kind in words("line row column page seat version sequence")]
)
_OTHER = words(
    # moments, amounts and measures
    "date time datetime timestamp ts epoch day month year hour minute second duration dob birth birthday "
    "expiry price amount cost total balance fee tax currency count quantity qty size weight width height "
    "length score rating percent percentage ratio rate limit offset page version timezone tz "
    # where and how to reach a person
    "phone tel telephone mobile fax zip zipcode postal postcode email mail address street city state "
    "province country latitude longitude lat lon lng locale language "
    # addresses of pages, and where a service runs
    "url uri link href website region zone"
)
_DESCRIPTION = words(
    "type kind class category status tier plan brand model format mode level severity priority role gender "
    "color colour unit image architecture os platform runtime engine created updated modified at"
)
