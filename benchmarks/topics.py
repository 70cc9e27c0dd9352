"""What the facts of the benchmarks are about."""

TOPICS = (
    "backup",
    "billing",
    "cluster",
    "deploy",
    "ingress",
    "ledger",
    "metrics",
    "network",
    "queue",
    "replica",
    "search",
)
