"""Histories of agents that others recorded, whatever recorded them."""
