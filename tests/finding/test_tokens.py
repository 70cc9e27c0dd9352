"""What a text is cut into, and that it doesn't matter how it was typed."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.store.spelling import folded
from langgraph_memory.store.tokens import STOP_WORDS, identifier_tokens, identifiers, query_tokens, tokenize

HINDI = "\u0939\u093f\u0928\u094d\u0926\u0940"  # with vowel signs and a virama


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("gpu-bench-01", {"gpu", "bench", "01"}),
        ("ERR_RATE_LIMIT", {"err", "rate", "limit"}),
        ("i-09a8f", {"09a8f"}),
        ("ops@acme.io", {"io"}),
        ("src/app.py", {"src", "app", "py"}),
        ("v1.2.3", {"v1", "2", "3"}),
        ("10.0.0.1", {"10", "0", "1"}),
        ("getUserName", {"get", "user", "name"}),
        ("AWSLambda", {"lambda"}),
        ("python3", {"python", "3"}),
        ("std::vector", {"std", "vector"}),
        ("C++", {"c"}),
    ],
)
def test_an_identifier_gives_itself_and_its_parts(text, parts):
    tokens = tokenize(f"Look at {text}, please.")
    assert text.lower() in tokens
    assert parts <= set(tokens)


@pytest.mark.parametrize("text", ["09a8f", "3rd", "LGBTQ", "10am"])
def test_what_is_not_written_together_from_words_stays_whole(text):
    assert len(tokenize(text)) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café", "CAFE"),
        ("naïve Ångström", "naive angstrom"),
        ("Straße", "STRASSE"),
        ("smørrebrød", "smorrebrod"),
        ("\uff47\uff50\uff55-\uff10\uff11", "gpu-01"),  # full width
        ("gpu\u2011bench\u201101", "gpu-bench-01"),  # hyphens that don't break
        ("\u0661\u0662\u0663", "123"),  # Arabic digits
        ("\u0639\u0650\u0644\u0652\u0645", "\u0639\u0644\u0645"),  # Arabic with and without vowels
        ("\u0645\u06cc\u200c\u0631\u0648\u0645", "\u0645\u06cc\u0631\u0648\u0645"),  # Persian joined or not
        ("\u0421\u0451\u043c\u0433\u0430", "\u0441\u0435\u043c\u0433\u0430"),  # Cyrillic io and ie
        ("$1,200", "1200"),
        ("Ana\u2019s servers", "ana server"),
    ],
)
def test_spellings_of_one_word_meet(one, other):
    assert tokenize(one) == tokenize(other)


def test_english_words_meet_in_their_stem_and_stop_words_go():
    assert tokenize("The servers were failing") == tokenize("a server fails")


def test_words_of_other_languages_stay_whole():
    words = ["\u0441\u0435\u0440\u0432\u0435\u0440\u043e\u0432", HINDI, "\u0645\u062f\u0631\u0633\u0647"]
    assert tokenize(" ".join(words)) == words


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("\u6771\u4eac\u90fd", ["\u6771\u4eac", "\u4eac\u90fd"]),
        ("\u732b", ["\u732b"]),
        ("\u30b5\u30fc\u30d0", ["\u30b5\u30fc", "\u30fc\u30d0"]),
        ("\ud55c\uad6d\uc5b4", ["\ud55c\uad6d", "\uad6d\uc5b4"]),
        # a Thai letter counts with the marks above and below it
        ("\u0e17\u0e35\u0e48\u0e19\u0e35\u0e48", ["\u0e17\u0e35\u0e48\u0e19\u0e35\u0e48"]),
        ("\u4f7f\u7528GPT-4o\u6a21\u578b", ["\u4f7f\u7528", "gpt-4o", "gpt", "4o", "\u6a21\u578b"]),
    ],
)
def test_scripts_without_spaces_give_pairs_of_characters(text, tokens):
    assert tokenize(text) == tokens


def test_a_question_of_stop_words_still_asks_for_something():
    assert tokenize("To be, or not to be?") == ["to", "be", "or", "not", "to", "be"]


def test_acronyms_are_no_stop_words():
    assert tokenize("ask IT in the US") == ["ask", "it", "us"]


def test_identifiers_are_what_names_one_thing():
    text = (
        "Did OPS-1201, 48213, ana@acme.io, /srv/app/main.py, getUserName, GPT-4o, x86_64, 10.0.0.1 "
        "and https://acme.io/a fail?"
    )
    assert identifiers(text) == [
        "OPS-1201",
        "48213",
        "ana@acme.io",
        "srv/app/main.py",
        "getUserName",
        "GPT-4o",
        "x86_64",
        "10.0.0.1",
        "https://acme.io/a",
    ]


def test_quantities_dates_and_compounds_are_no_identifiers():
    text = (
        "On 2023-05-08 at 10:30am, 2023-05-08T13:56:00Z, the 24-year-old paid $1,200.50 or 5% of the mid-90s "
        "price for a well-known 3rd 5km and/or 1.5 run in 2024 in the U.S."
    )
    assert identifiers(text) == []


def test_identifiers_weigh_as_much_as_all_other_words_of_a_query():
    asked = query_tokens("why did gpu-bench-07 restart after the kernel upgrade")
    assert asked.count("gpu-bench-07") == 1 + len(tokenize("why did gpu-bench-07 restart kernel upgrade"))
    cut = tokenize("why did gpu-bench-07 restart after the kernel upgrade")
    assert list(asked[: len(asked) - asked.count("gpu-bench-07") + 1]) == cut


def test_a_query_full_of_identifiers_stays_bounded():
    query = " ".join(f"host-{i}" for i in range(1_000))
    assert len(query_tokens(query)) <= 25 * len(tokenize(query))


@given(st.text())
def test_any_text_gives_lower_case_tokens(text):
    tokens = tokenize(text)
    assert all(token and token == token.lower() for token in tokens)
    assert set(tokens) <= set(query_tokens(text))


@given(st.text())
def test_identifier_tokens_are_tokens_of_the_text(text):
    assert set(identifier_tokens(text)) <= set(tokenize(text))


@given(st.text())
def test_decomposed_and_composed_texts_are_one(text):
    assert tokenize(unicodedata.normalize("NFD", text)) == tokenize(unicodedata.normalize("NFC", text))


@given(st.text())
def test_folding_twice_folds_no_further(text):
    assert folded(folded(text)) == folded(text)


@given(st.lists(st.sampled_from(["gpu-bench-01", "server", HINDI, "東京", "ana@acme.io", "fails"])))
def test_a_word_gives_the_same_tokens_wherever_it_stands(words):
    assert tokenize(" ".join(words)) == [token for word in words for token in tokenize(word)]


@pytest.mark.parametrize("piece", ["1", "a.", "a/", "1,111", "_", "-", "a_", "\u0e01", "'s", "aB", "@a"])
def test_no_text_takes_more_than_linear_time(piece):
    assert isinstance(tokenize(piece * 50_000 + "!x"), list)
    assert isinstance(identifiers(piece * 50_000 + "!x"), list)


def test_stop_words_are_lower_case_words():
    assert all(word.isalpha() and word.islower() for word in STOP_WORDS)
