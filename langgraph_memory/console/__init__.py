"""The sub-commands of the console: one file a group of them.

What they need from the package is imported when one runs, so that asking for help is quick.
"""
