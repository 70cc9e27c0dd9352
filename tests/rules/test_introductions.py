"""Names and homes, told in many languages."""

import pytest

from .speaking import heard

TOLD = [
    ("Ich heiße Jürgen Müßig und wohne in Köln.", "Ich heiße Jürgen Müßig", "wohne in Köln"),
    ("Hallo, mein Name ist Anna von der Heide.", "mein Name ist Anna von der Heide", None),
    ("Me llamo Itziar Etxeberria y vivo en Bilbao.", "Me llamo Itziar Etxeberria", "vivo en Bilbao"),
    ("Je m'appelle Zoé Lefèvre, j'habite à Lyon.", "Je m'appelle Zoé Lefèvre", "j'habite à Lyon"),
    ("O meu nome é João da Silva.", "O meu nome é João da Silva", None),
    ("Mi chiamo Giulia e abito a Torino.", "Mi chiamo Giulia", "abito a Torino"),
    ("Mijn naam is Sanne de Vries.", "Mijn naam is Sanne de Vries", None),
    ("Jag heter Åsa Lind.", "Jag heter Åsa Lind", None),
    ("Mam na imię Zofia.", "Mam na imię Zofia", None),
    ("Adım Mehmet Yılmaz.", "Adım Mehmet Yılmaz", None),
    (
        "Меня зовут Ольга Кузнецова, я живу в Казани.",
        "Меня зовут Ольга Кузнецова",
        "я живу в Казани",
    ),
    ("我叫王小明,我住在上海。", "我叫王小明", "我住在上海"),
    ("私の名前は田中です。", "私の名前は田中です", None),
    ("佐藤と申します。東京に住んでいます。", "佐藤と申します", "東京に住んでいます"),
    ("제 이름은 김민수입니다.", "제 이름은 김민수입니다", None),
    ("اسمي ليلى حداد وأعيش في بيروت.", "اسمي ليلى حداد", "أعيش في بيروت"),
    ("קוראים לי נועה לוי", "קוראים לי נועה לוי", None),
]


@pytest.mark.parametrize(("said", "name", "location"), TOLD, ids=[said for said, _, _ in TOLD])
def test_a_name_and_a_home_are_read_in_the_words_that_tell_them(said, name, location):
    read = {each.attribute: each.value for each in heard(said)}
    assert read == {"name": name} | ({"location": location} if location else {})


def test_a_hindi_name_is_read():
    ((name,),) = [[each.value for each in heard("मेरा नाम प्रिया शर्मा है।")]]
    assert "प्रिया शर्मा" in name


@pytest.mark.parametrize(
    "said",
    [
        "Ich heiße nicht Peter.",
        "Wie heißt du?",
        "¿Cómo me llamo?",
        "Je ne m'appelle pas Paul.",
        "Me llamo la atención.",
        "Vivo en paz.",
        "我不叫王小明。",
        "My colleague said so.",
    ],
)
def test_what_tells_no_name_leaves_none(said):
    assert [each for each in heard(said) if each.attribute in ("name", "location")] == []


def test_a_name_in_english_is_told_once():
    assert [each.value for each in heard("My name is Bob.")] == ["My name is Bob"]
