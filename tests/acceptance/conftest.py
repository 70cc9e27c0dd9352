import langgraph_memory

if not hasattr(langgraph_memory, "Memory"):
    collect_ignore_glob = ["test_*.py"]
else:
    from .fixtures import *  # noqa: F403
