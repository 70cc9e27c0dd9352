"""What runs around the steps of a graph: who speaks, what is captured, recalled, ruled and told."""
