"""An agent with and without memory: a week of CostGuard, played four times over the same small cloud."""
