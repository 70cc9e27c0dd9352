"""Retrieval: which memories belong in the next prompt, and what a constraint says of a tool call."""
