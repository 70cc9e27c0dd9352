"""Rules that end when something comes about, found again however much has been said since."""

import pytest
from sqlalchemy import text

from langgraph_memory.log.marks import ending_in

from .cast import GPU, LEAD, TEAM, Session

RULE = f"Don't stop {GPU} until QA has migrated the suite."
MET = "Good news: QA has migrated the suite."


def crowd(session, number):
    for count in range(number):
        session.memory.assert_fact(
            scope=TEAM, entity=f"box-{count}", attribute="owner", value=f"team {count}", actor=LEAD
        )


@pytest.mark.parametrize("since", [0, 510])
def test_a_report_ends_a_rule_however_many_facts_are_newer(session, since):
    session.says(LEAD, RULE)
    session.later(days=1)
    crowd(session, since)
    assert session.stopping() == "block"
    session.says(LEAD, MET)
    assert session.stopping() == "allow"


def test_a_folder_that_is_older_than_the_marks_of_endings_still_ends_its_rules(tmp_path):
    first = Session(tmp_path / "memory")
    first.says(LEAD, RULE)
    with first.memory.log.database.write() as connection:
        mark = {"mark": ending_in(TEAM)}
        gone = connection.execute(text("DELETE FROM record_entities WHERE entity = :mark"), mark)
        assert gone.rowcount == 1
        connection.execute(text("DELETE FROM settings WHERE name = 'endings marked'"))
    first.memory.close()
    second = Session(tmp_path / "memory")
    assert second.stopping() == "block"
    second.says(LEAD, MET)
    assert second.stopping() == "allow"
    second.memory.close()
