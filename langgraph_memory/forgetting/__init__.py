"""Forgetting: what is to go is found with all derived from it, and deleted for good."""
