"""What tool authors declare about the entities in their data."""

import pytest

from langgraph_memory.entities import EntityDeclaration, EntityRule, discover
from langgraph_memory.errors import ConfigurationError

INSTANCES = {"data": {"instances": [{"id": "i-1", "meta": {"title": "alpha"}}, {"id": "i-2"}], "a.b": "x"}}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("data.instances[*].id", ["i-1", "i-2"]),
        ("$.data.instances[0].id", ["i-1"]),
        ("data.instances[-1].id", ["i-2"]),
        ("data.*[*].id", ["i-1", "i-2"]),
        ("data['a.b']", ["x"]),
        ("data.instances[7].id", []),
        ("nothing.here", []),
        ("data.instances", []),
    ],
)
def test_paths(path, found):
    assert [entity for entity, _ in EntityRule(path=path).entities(INSTANCES)] == found


def test_a_rule_gives_type_and_display_name():
    rule = EntityRule(path="data.instances[*].id", type="vm", name="meta.title")
    assert list(rule.entities(INSTANCES)) == [("vm:i-1", "alpha"), ("vm:i-2", None)]


def test_a_pattern_reads_text():
    rule = EntityRule(pattern=r"job (\w+)")
    declaration = EntityDeclaration(rules=(rule,))
    assert discover({}, "started job alpha after job beta", declaration=declaration).entities == (
        "alpha",
        "beta",
    )


def test_lists_of_ids_and_numbers():
    rule = EntityRule(source="args", path="ids", type="user")
    declaration = EntityDeclaration(rules=(rule,))
    assert discover({"ids": [7, "8", True, None, ""]}, None, declaration=declaration).entities == (
        "user:7",
        "user:8",
    )


def test_a_declaration_replaces_the_general_rules_or_adds_to_them():
    rules = (EntityRule(source="args", path="word"),)
    args, output = {"word": "checkout"}, {"id": "i-09a8f"}
    assert discover(args, output, declaration=EntityDeclaration(rules=rules)).entities == ("checkout",)
    both = EntityDeclaration(rules=rules, generic=True)
    assert discover(args, output, declaration=both).entities == ("checkout", "i-09a8f")
    assert discover(args, output, declaration=EntityDeclaration()).entities == ()


def test_an_artifact_is_read_where_the_output_is_prose():
    rule = EntityRule(source="artifact", path="rows[*].sku", name="title")
    declaration = EntityDeclaration(rules=(rule,))
    artifact = {"rows": [{"sku": "LAMP", "title": "Desk lamp"}]}
    found = discover({}, "Found one lamp.", declaration=declaration, artifact=artifact)
    assert (found.entities, found.aliases) == (("LAMP",), {"Desk lamp": "LAMP"})
    assert discover({}, "Error: down", declaration=declaration, artifact=artifact).entities == ()


@pytest.mark.parametrize("path", ["a[", "a[b]", "a..b", "[*"])
def test_a_path_that_cannot_be_read_is_named(path):
    with pytest.raises(ConfigurationError, match="can't be read"):
        EntityRule(path=path)


def test_a_pattern_that_is_none_is_named():
    with pytest.raises(ConfigurationError, match="no regular expression"):
        EntityRule(pattern="(")
