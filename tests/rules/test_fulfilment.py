"""Reports that an end condition has come about."""

import pytest

from langgraph_memory.consolidation.rules import reports_end

SUITE = "QA migrates the suite to the shared Kubernetes cluster"


@pytest.mark.parametrize(
    ("text", "condition", "certainty"),
    [
        ("QA has migrated the suite to the Kubernetes cluster.", SUITE, "stated"),
        ("QA finished migrating the suite to the shared cluster.", SUITE, "stated"),
        ("Finance signed off on it yesterday.", "finance signs off", "stated"),
        ("The audit is over.", "the audit is over", "stated"),
        ("The legal review is done.", "legal review", "stated"),
        ("The hotfix shipped this morning.", "the hotfix ships", "stated"),
        ("Looks like the audit is over.", "the audit is over", "hedged"),
        ("Tom said the audit was over.", "the audit is over", "hedged"),
        ("QA is migrating the suite to the shared Kubernetes cluster.", SUITE, None),
        ("QA will migrate the suite to the shared Kubernetes cluster.", SUITE, None),
        ("QA has not migrated the suite to the Kubernetes cluster.", SUITE, None),
        ("Has QA migrated the suite to the Kubernetes cluster?", SUITE, None),
        ("If QA has migrated the suite to the Kubernetes cluster, tell me.", SUITE, None),
        ("The mail says QA has migrated the suite to the Kubernetes cluster.", SUITE, None),
        ("> QA has migrated the suite to the Kubernetes cluster.", SUITE, None),
        ("gpu-bench-01 has been idle for two days.", SUITE, None),
        ("The legal review is on Tuesday.", "legal review", None),
        ("It's Friday.", "Friday", None),
    ],
)
def test_only_a_report_of_the_condition_counts(text, condition, certainty):
    assert reports_end(text, condition) == certainty
