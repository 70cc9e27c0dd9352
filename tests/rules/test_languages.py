"""The basic forms in other languages."""

import pytest

from .speaking import fact, heard, likes, matches, retire, rule

CASES = [
    (
        "Lass gpu-bench-01 bitte laufen, bis QA umgezogen ist.",
        [rule("gpu-bench-01", "stop", "QA umgezogen ist")],
    ),
    ("Schalte gpu-bench-01 nicht ab, bevor QA fertig ist.", [rule("gpu-bench-01", "stop", "QA fertig ist")]),
    (
        "payments-api darf bis Freitag nicht neu gestartet werden.",
        [rule("payments-api", "restart", "Freitag")],
    ),
    ("Bitte fass reports-db nicht an, bis die Prüfung vorbei ist.", [rule("reports-db", "*", "Prüfung")]),
    ("Die Erstattung für tx_992 bitte nicht auszahlen, bevor die Bank antwortet.", [rule("tx_992", "pay")]),
    ("Ich bevorzuge Fensterplätze.", [likes("preference_fensterplätze")]),
    ("Ich esse kein Fleisch.", [likes("preference_fleisch")]),
    ("Ich bin allergisch gegen Nüsse.", [likes("preference_nüsse")]),
    ("Merk dir, dass das Passwort montags wechselt.", [fact("note", None)]),
    ("gpu-bench-01 darf jetzt wieder abgeschaltet werden.", [retire("gpu-bench-01", "lifecycle_policy")]),
    ("Vielleicht sollten wir gpu-bench-01 nicht abschalten.", [rule("gpu-bench-01", "stop", hedged=True)]),
    ("Warum wurde gpu-bench-01 gestoppt?", []),
    ("Starte gpu-bench-01 neu.", []),
    ("Können Sie mir bitte helfen, die Rechnung zu finden?", []),
    (
        "Ne supprimez pas reports-db avant la fin de l'audit.",
        [rule("reports-db", "delete", "fin de l'audit")],
    ),
    (
        "Laissez gpu-bench-01 en marche jusqu'à ce que QA ait migré.",
        [rule("gpu-bench-01", "stop", "QA ait migré")],
    ),
    ("N'arrêtez jamais payments-api.", [rule("payments-api", "stop", None)]),
    ("Je préfère les sièges côté couloir.", [likes("preference_sièges")]),
    ("Je suis allergique aux arachides.", [likes("preference_arachides")]),
    ("gpu-bench-01 peut de nouveau être arrêté.", [retire("gpu-bench-01")]),
    ("Pouvez-vous me montrer la facture ?", []),
    ("No apagues gpu-bench-01 hasta que QA termine.", [rule("gpu-bench-01", "stop", "QA termine")]),
    ("Mantén gpu-bench-01 encendido hasta el viernes.", [rule("gpu-bench-01", "stop", "viernes")]),
    ("No reembolses tx_992 hasta que legal lo apruebe.", [rule("tx_992", "pay", "legal lo apruebe")]),
    ("Prefiero asientos de ventana.", [likes("preference_asientos")]),
    ("Soy alérgico a los mariscos.", [likes("preference_mariscos")]),
    ("Ya puedes apagar gpu-bench-01.", [retire("gpu-bench-01")]),
    ("请不要停止gpu-bench-01直到QA完成迁移。", [rule("gpu-bench-01", "stop", "QA完成迁移")]),
    ("在审计结束之前,不要删除 reports-db", [rule("reports-db", "delete", "审计结束")]),
    ("让gpu-bench-01保持运行直到周五", [rule("gpu-bench-01", "stop", "周五")]),
    ("我喜欢靠窗的座位", [likes()]),
    ("我对花生过敏。", [likes("preference_花生")]),
    ("gpu-bench-01现在可以关闭了", [retire("gpu-bench-01")]),
    ("请帮我重启 gpu-bench-01", []),
]


@pytest.mark.parametrize(("said", "expected"), CASES, ids=[said for said, _ in CASES])
def test_the_basic_forms_are_read(said, expected):
    candidates = heard(said)
    assert matches(candidates, expected), candidates


@pytest.mark.parametrize(
    "said", ["No deploys of payments-api today.", "Freeze main.", "Never restart reports-db."]
)
def test_short_english_is_not_taken_for_another_language(said):
    assert len(heard(said)) == 1
