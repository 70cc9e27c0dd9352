"""More sentences written after the rules, in other people's voices."""

from .speaking import am, fact, likes, retire, retract, rule, works

RUN = "stop delete"
CASES = [
    (
        "ok so gpu-bench-01 is back up, great. leave it that way until the regression suite lives on k8s",
        [rule("gpu-bench-01", None, "regression suite lives on k8s")],
    ),
    (
        "QA will be using gpu-bench-01 through the weekend; do not power it down.",
        [rule("gpu-bench-01", "stop"), rule("gpu-bench-01", hedged=True)],
    ),
    ("Reminder: nightly-etl must finish before anyone restarts reports-db.", [rule("reports-db", "restart")]),
    (
        "I don't care how idle gpu-bench-02 looks, it stays on until I say otherwise.",
        [rule("gpu-bench-02", RUN, "I say otherwise")],
    ),
    (
        "Can you please not restart payments-api while the bank is testing?",
        [rule("payments-api", "restart", "bank is testing")],
    ),
    ("Would you mind leaving reports-db alone until Friday?", [rule("reports-db", "*", "Friday")]),
    ("If the cleanup flags gpu-bench-01, don't stop it.", [rule("gpu-bench-01", "stop")]),
    ("Please don't let the cleanup job delete gpu-bench-02.", [rule("gpu-bench-02", "delete")]),
    (
        "gpu-bench-01 is untouchable until the contract with the vendor is signed.",
        [rule("gpu-bench-01", "*", "contract with the vendor is signed")],
    ),
    ("No one but Priya is allowed to change reports-db.", [rule("reports-db", "modify", None)]),
    (
        "Any restart of payments-api requires sign-off from the platform lead.",
        [rule("payments-api", "restart", None)],
    ),
    (
        "We can't afford to have gpu-bench-01 go down before the launch.",
        [rule("gpu-bench-01", "stop", "launch")],
    ),
    ("The instance gpu-bench-01 should be left running for QA.", [rule("gpu-bench-01", RUN)]),
    (
        "Do me a favor and don't scale payments-api down this month.",
        [rule("payments-api", "suspend", "this month")],
    ),
    (
        "Nothing on reports-db is to be altered until counsel has reviewed it.",
        [rule("reports-db", "modify", "counsel has reviewed it")],
    ),
    ("From Monday to Wednesday payments-api must not be deployed.", [rule("payments-api", "deploy")]),
    (
        "gpu-bench-01 and gpu-bench-02 are both off the table for this cleanup.",
        [rule("gpu-bench-01", once=True), rule("gpu-bench-02", once=True)],
    ),
    (
        "Tell the cleanup to ignore gpu-bench-01 until QA has moved.",
        [rule("gpu-bench-01", RUN, "QA has moved")],
    ),
    (
        "Postpone the resize of reports-db until the month-end close.",
        [rule("reports-db", "resize", "month-end close")],
    ),
    (
        "The deletion of gpu-bench-02 has to wait until its data is archived.",
        [rule("gpu-bench-02", "delete", "its data is archived")],
    ),
    (
        "I want gpu-bench-01 kept alive until the new cluster is certified.",
        [rule("gpu-bench-01", RUN, "new cluster is certified")],
    ),
    ("Keep your fingers away from nightly-etl.", [rule("nightly-etl", "*")]),
    ("Mind that payments-api mustn't be rebooted on weekdays.", [rule("payments-api", "restart", None)]),
    (
        "There must be no writes to reports-db until the snapshot is complete.",
        [rule("reports-db", None, "snapshot is complete")],
    ),
    ("gpu-bench-01: do not terminate (QA, until 30 June).", [rule("gpu-bench-01", "stop")]),
    (
        "It's okay to restart payments-api, but don't redeploy it until Tuesday.",
        [retire("payments-api"), rule("payments-api", "deploy", "Tuesday")],
    ),
    (
        "We agreed that gpu-bench-02 stays until the end of the pilot.",
        [rule("gpu-bench-02", RUN, "end of the pilot")],
    ),
    ("I'd appreciate it if nobody touched nightly-etl today.", [rule("nightly-etl", "*", "today")]),
    # ended
    ("Good news, QA finished the migration, gpu-bench-01 can go.", [retire("gpu-bench-01")]),
    ("You don't need to keep gpu-bench-01 up any more.", [retire("gpu-bench-01")]),
    ("The pilot ended, so you can get rid of gpu-bench-02 now.", [retire("gpu-bench-02")]),
    ("Please drop the hold on tx_992.", [retire("tx_992")]),
    ("The embargo on mobile-app ends today.", [retire("mobile-app")]),
    ("OK to stop gpu-bench-01 again.", [retire("gpu-bench-01")]),
    ("reports-db is no longer off limits.", [retire("reports-db")]),
    ("Feel free to merge to main again.", [retire("main")]),
    ("Legal cleared INV-2201, so the payment can go out now.", [retire("INV-2201")]),
    ("I'm not sure, but I think gpu-bench-01 isn't needed any more.", [retire("gpu-bench-01", hedged=True)]),
    ("Apparently nobody uses gpu-bench-02 anymore.", [retire("gpu-bench-02", hedged=True)]),
    ("We could stop gpu-bench-01, I suppose.", [retire("gpu-bench-01", hedged=True)]),
    # refunds, releases, code
    ("Don't process the refund on tx_992 just yet, the bank has to confirm first.", [rule("tx_992", "pay")]),
    (
        "Until the supplier answers, INV-2201 is not to be paid.",
        [rule("INV-2201", "pay", "supplier answers")],
    ),
    ("Block all payouts for tx_992 until KYC is complete.", [rule("tx_992", "pay", "KYC is complete")]),
    ("Refunds over 500 euros need my okay.", [rule(None, "pay", None)]),
    (
        "Keep the branch main frozen until the audit report is filed.",
        [rule("main", None, "audit report is filed")],
    ),
    ("Nobody should push to main before 6.0 is tagged.", [rule("main", "merge", "6.0 is tagged")]),
    (
        "Do not release mobile-app until the beta feedback is in.",
        [rule("mobile-app", "deploy", "beta feedback is in")],
    ),
    (
        "We're not shipping mobile-app before the privacy review.",
        [rule("mobile-app", "deploy", "privacy review")],
    ),
    ("Don't rename anything in src/api/v2.py, clients depend on it.", [rule("src/api/v2.py", None)]),
    ("Never log personal data.", [rule()]),
    ("Every new endpoint must have a test.", []),
    ("We deploy with GitHub Actions.", []),
    ("The frontend is built with Svelte.", []),
    ("I'm refactoring the search module this week.", [works("current_project")]),
    ("Prefer composition over inheritance.", [likes("preference_composition")]),
    ("Please note that the API key for staging is stored in vault.", [fact()]),
    # people
    ("Hi, I'm Tomas from accounting.", [am("name")]),
    ("I go by Mika.", [am("name")]),
    ("I'm on Pacific time.", [am("timezone")]),
    ("I've been working at Globex for six years.", [am("employer")]),
    ("I really dislike phone calls.", [likes("preference_phone_call")]),
    ("Coffee gives me headaches.", [likes()]),
    ("I don't drink alcohol.", [likes("preference_alcohol")]),
    ("I'm trying to cut down on sugar.", []),
    ("My go-to airline is Cedar Air.", [likes("preference_airline")]),
    ("I'd rather not fly at night.", [likes(hedged=True)]),
    ("Always book me an aisle seat.", [likes(explicit=True)]),
    ("No nuts for me, I'm allergic.", [likes()]),
    ("When I ask for code, give me only the code.", [likes()]),
    ("In future, send me reminders by text, not by email.", [likes(explicit=True)]),
    ("Remember my wife's birthday is on October 2.", [fact(entity=None)]),
    ("Please make a note: the gate code is 4411.", [fact()]),
    ("I'm deaf, so phone calls don't work for me.", [likes(), likes()]),
    # corrections
    (
        ["Hold the refund for tx_992.", "I was wrong about tx_992, forget it."],
        [rule("tx_992", "pay"), retract("tx_992")],
    ),
    (
        ["Keep reports-db up until Tuesday.", "Wait, not Tuesday: until Wednesday."],
        [rule("reports-db", RUN, "Tuesday"), rule("reports-db", RUN, "Wednesday")],
    ),
    ("Instead of until Friday, keep gpu-bench-01 up until the 15th.", [rule("gpu-bench-01", RUN, "15th")]),
    # talk
    ("I stopped gpu-bench-01 because it was idle.", []),
    ("Did anyone tell you not to stop gpu-bench-01?", []),
    ("The customer asked whether the refund is still on hold.", []),
    ("gpu-bench-01 went down twice last week.", []),
    ("How long do we have to keep reports-db?", []),
    ("Let's keep going.", []),
    ("I would not recommend that restaurant.", []),
    ("Don't you think the report is too long?", []),
    ("Make sure to cancel my 3 pm meeting.", []),
    ("No, thanks.", []),
    ("I was on hold with the airline for two hours.", []),
    ("Please keep the change.", []),
    ("They never refunded me.", []),
    ("Stop the music.", []),
    ("Delete the old screenshots and send me the rest.", []),
    ("I'm not able to log in.", []),
]
