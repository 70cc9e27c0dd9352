"""The tables of the store. Times are microseconds since 1970 in UTC, spans of time are microseconds."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, Table, Text, UniqueConstraint

from langgraph_memory.database import metadata

_Number = BigInteger().with_variant(Integer, "sqlite")
_Label = Text().with_variant(Text(collation="C"), "postgresql")

items = Table(
    "store_items",
    metadata,
    Column("version", _Number, primary_key=True, autoincrement=False),
    Column("namespace", _Label, nullable=False),
    Column("key", _Label, nullable=False),
    Column("value", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger),
    Column("ttl", BigInteger),
    UniqueConstraint("namespace", "key"),
)
"""What was put: one row an item, under the number that its last put was given."""

Index("store_items_listing", items.c.namespace, items.c.updated_at, items.c.version, items.c.expires_at)
Index(
    "store_items_expiry",
    items.c.expires_at,
    sqlite_where=items.c.expires_at.is_not(None),
    postgresql_where=items.c.expires_at.is_not(None),
)

indexed = Table(
    "store_index",
    metadata,
    Column("version", _Number, primary_key=True, autoincrement=False),
    Column("model", _Number, nullable=False),
    Column("paths", Text),
    Column("digests", LargeBinary, nullable=False),
    Column("tokens", Text, nullable=False),
    Column("vectors", LargeBinary, nullable=False),
)
"""What an item is found by; none for an item that was put with `index=False`.

`digests` and `vectors` belong to its texts, one after another; `model` made the vectors (0: none did);
`paths` led to the texts (null: the store's own fields did).
"""

removed = Table(
    "store_removed",
    metadata,
    Column("at", _Number, primary_key=True, autoincrement=False),
    Column("version", _Number, primary_key=True, autoincrement=False),
    Column("vectors", Integer, nullable=False),
)
"""Which rows went, at which number, and how many vectors they had."""

numbers = Table(
    "store_numbers",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", BigInteger, nullable=False),
)
"""What `State` describes, one row a number."""

models = Table(
    "store_models",
    metadata,
    Column("model", _Number, primary_key=True),
    Column("name", Text, nullable=False),
    Column("dims", Integer, nullable=False),
    UniqueConstraint("name", "dims"),
)
"""The embedding models that vectors came from."""

marks = Table(
    "store_marks", metadata, Column("name", Text, primary_key=True), Column("value", Text, nullable=False)
)
"""`store`: a name for this store that no other has. `secret`: the key of the digests."""

TABLES = (items, indexed, removed, numbers, models, marks)
