"""`python -m langgraph_memory`: the console command, where its script is not on the path."""

from langgraph_memory.cli import main

if __name__ == "__main__":
    main()
