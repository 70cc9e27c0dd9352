"""The shipped scenarios with all arms, and how their speech is read: the numbers of the README.

usage: python benchmarks/decisions.py [--seeds 5] [--json benchmarks/results/decisions.json]
"""

from __future__ import annotations

from collections import Counter

from measuring import keep, options

from langgraph_memory.evaluation import Telling, evaluate, shipped
from langgraph_memory.evaluation.report import markdown
from langgraph_memory.evaluation.speech import spoken_decisions


def main() -> None:
    """Measure, print the tables, and write the numbers where a file is named."""
    given = options(__doc__, seeds=5)
    report = evaluate(shipped(), seeds=given.seeds)
    for telling in Telling:
        print(f"told as {telling}\n\n{markdown(report.scores, telling)}\n")
    verdicts = Counter(heard.verdict for seed in range(3) for heard in spoken_decisions(shipped(), seed=seed))
    print(f"spoken decisions: {dict(verdicts)}")
    for wrong in report.wrong():
        if wrong.arm == "full":
            print(f"wrong with all of memory: {wrong}")
    found = {
        "scenarios": len(shipped()),
        "seeds": given.seeds,
        "scores": [score.model_dump(mode="json") for score in report.scores],
        "speech": dict(verdicts),
    }
    keep(found, given.json)


if __name__ == "__main__":
    main()
