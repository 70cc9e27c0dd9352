"""Sentences written after the rules, to see how they carry over to other wordings."""

from .speaking import am, fact, likes, retire, retract, rule, works

RUN = "stop delete"
CASES = [
    (
        "Heads-up: gpu-bench-01 has a job that takes until Sunday evening, so it can't go down before then.",
        [rule("gpu-bench-01", "stop")],
    ),
    (
        "Whoever runs the cleanup this week, spare gpu-bench-01 please, QA isn't finished.",
        [rule("gpu-bench-01", "*")],
    ),
    (
        "gpu-bench-01? Don't you dare turn it off before the suite has moved.",
        [rule("gpu-bench-01", "stop", "suite has moved")],
    ),
    (
        "As long as the auditors are in the house, nothing gets deleted from reports-db.",
        [rule("reports-db", "delete", "auditors are in the house")],
    ),
    (
        "I need reports-db to stay up till the quarter is closed.",
        [rule("reports-db", RUN, "quarter is closed")],
    ),
    (
        "Please ensure that nightly-etl isn't killed while the backfill is running.",
        [rule("nightly-etl", "stop", "backfill is running")],
    ),
    (
        "payments-api is not to be redeployed until I have talked to the bank.",
        [rule("payments-api", "deploy", "talked to the bank")],
    ),
    (
        "For the next two weeks gpu-bench-02 stays on, no matter how idle it looks.",
        [rule("gpu-bench-02", RUN, "next two weeks")],
    ),
    (
        "It would be a disaster if somebody stopped gpu-bench-01 before Saturday.",
        [rule("gpu-bench-01", "stop", "Saturday", hedged=True)],
    ),
    (
        "Treat reports-db as read-only until the restore test has passed.",
        [rule("reports-db", None, "restore test has passed")],
    ),
    (
        "Shutting down gpu-bench-01 is a no-go until QA gives its blessing.",
        [rule("gpu-bench-01", "stop", "QA gives its blessing")],
    ),
    (
        "You are not allowed to scale down payments-api during the campaign.",
        [rule("payments-api", "suspend", "campaign")],
    ),
    (
        "Anyone who wants to restart payments-api has to ask the on-call first.",
        [rule("payments-api", "restart", None)],
    ),
    ("gpu-bench-02 must survive the next cleanup.", [rule("gpu-bench-02", RUN)]),
    ("Let's not touch nightly-etl until after payroll.", [rule("nightly-etl", "*", "payroll")]),
    ("No one should be merging to main right now, wait for the green build.", [rule("main", "merge")]),
    ("Keep your hands off payments-api until the postmortem.", [rule("payments-api", "*", "postmortem")]),
    ("gpu-bench-01 is still being used by QA, please leave it on.", [rule("gpu-bench-01", RUN)]),
    (
        "Priya owns reports-db, so ask her before changing the schema.",
        [rule("reports-db", "modify", None), fact("owner", "reports-db")],
    ),
    ("Until you hear from me, gpu-bench-01 keeps running.", [rule("gpu-bench-01", RUN, "you hear from me")]),
    ("The nightly-etl job mustn't be cancelled, finance depends on it.", [rule("nightly-etl", "cancel")]),
    ("Delete nothing in reports-db until legal is happy.", [rule("reports-db", "delete", "legal is happy")]),
    ("I'd really rather you didn't stop gpu-bench-01 this week.", [rule("gpu-bench-01", "stop")]),
    ("Wait for QA's okay before you shut gpu-bench-01 down.", [rule("gpu-bench-01", "stop", None)]),
    (
        "Keep gpu-bench-01, it's still needed for the Friday runs until the cluster is ready.",
        [rule("gpu-bench-01"), rule("gpu-bench-01", hedged=True)],
    ),
    (
        "Under no condition should payments-api be rolled back without telling me.",
        [rule("payments-api", "deploy", None)],
    ),
    ("Stop terminating gpu-bench-02, people are working on it.", [rule("gpu-bench-02", "stop")]),
    ("From today on gpu-bench-02 is reserved for the research team.", [rule("gpu-bench-02")]),
    # ended
    ("All clear from QA: gpu-bench-01 is yours to stop.", [retire("gpu-bench-01")]),
    (
        "The suite runs on the cluster now, so you're free to shut down gpu-bench-01 whenever you like.",
        [retire("gpu-bench-01")],
    ),
    ("The reason for keeping gpu-bench-01 up is gone.", [retire("gpu-bench-01")]),
    ("We're finished with gpu-bench-02, feel free to reclaim it.", [retire("gpu-bench-02")]),
    ("The restriction on reports-db has been removed.", [retire("reports-db")]),
    ("gpu-bench-01 doesn't have to be kept alive any more.", [retire("gpu-bench-01")]),
    ("Back to normal for payments-api: deploys are fine again.", [retire("payments-api")]),
    ("The auditors have left; reports-db can be changed again.", [retire("reports-db")]),
    ("Nobody needs gpu-bench-02 any longer.", [retire("gpu-bench-02")]),
    ("I'm lifting the freeze on main.", [retire("main")]),
    ("Perhaps we could stop gpu-bench-01 by now?", []),
    ("Seems to me that the hold on INV-2201 is obsolete.", [retire("INV-2201", hedged=True)]),
    # refunds
    (
        "INV-2201 shouldn't be paid out as long as the goods are missing.",
        [rule("INV-2201", "pay", "goods are missing")],
    ),
    (
        "Please sit on the refund for tx_992 until fraud has looked at it.",
        [rule("tx_992", "pay", "fraud has looked at it")],
    ),
    (
        "No money leaves for INV-2201 until I've seen the delivery note.",
        [rule("INV-2201", "pay", "delivery note")],
    ),
    ("Before anything is refunded on tx_992, legal has to agree.", [rule("tx_992", "pay")]),
    ("The chargeback went our way, so tx_992 may be refunded now.", [retire("tx_992", "payment_policy")]),
    (
        "Go ahead with the refund for tx_992 now that fraud has cleared it.",
        [retire("tx_992", "payment_policy")],
    ),
    # releases and code
    (
        "We're in a release freeze for mobile-app until the store review is through.",
        [rule("mobile-app", "deploy", "store review")],
    ),
    ("No merges to main after Thursday noon until the tag is cut.", [rule("main", "merge", "tag is cut")]),
    ("Production is closed for deployments through New Year.", [rule("production", "deploy", "New Year")]),
    (
        "mobile-app doesn't ship until accessibility has signed off.",
        [rule("mobile-app", "deploy", "accessibility has signed off")],
    ),
    (
        "Don't bump the version of mobile-app before the release notes are translated.",
        [rule("mobile-app", "*", "release notes are translated", hedged=True)],
    ),
    ("Every change to src/billing/tax.py needs a review by Omar.", [rule("src/billing/tax.py", "*", None)]),
    ("When you write Python for me, stick to type hints everywhere.", [likes(hedged=False)]),
    ("Our backend is written in Go.", [works("uses_language")]),
    ("I'm currently building an inventory tracker.", [works("current_project")]),
    ("For future reference, the flaky test is test_login_retry.", [fact()]),
    ("Never commit directly to main.", [rule("main", "merge", None)]),
    ("In this repo we squash before merging.", []),
    # people
    ("You can call me Sam.", [am("name")]),
    ("By the way, I'm based in Nairobi.", [am("location")]),
    ("I've been a vegetarian for ten years.", [likes("preference_diet")]),
    ("Shellfish makes me sick.", [likes()]),
    ("I'd love a window seat whenever possible.", [likes()]),
    ("Mornings don't work for me, I'm more of a night owl.", [likes()]),
    ("Please never call me before ten.", [likes()]),
    ("I'm lactose intolerant.", [likes()]),
    ("Keep your answers short from now on.", [likes("preference_length", explicit=True)]),
    ("Going forward, please reply in bullet points.", [likes("preference_format", explicit=True)]),
    ("Just for today, answer in English.", [likes("preference_language", once=True)]),
    ("I can't eat gluten.", [likes("preference_gluten")]),
    ("My daughter is allergic to bees.", [fact(entity=None)]),
    ("I work nights as a paramedic.", [am("role")]),
    ("Our anniversary is on May 3, please remember that.", [fact(entity=None)]),
    ("I always take the aisle seat.", [likes()]),
    ("Spicy food is not my thing.", [likes()]),
    ("I've moved to Ghent recently.", [am("location")]),
    ("Don't put anything on my calendar on Fridays.", [rule()]),
    ("I misspoke: my flight is on the 9th.", [retract(hedged=True)]),
    # corrections
    (
        ["Keep gpu-bench-01 on until Friday.", "Sorry, I meant gpu-bench-02."],
        [rule("gpu-bench-01", RUN), retract("gpu-bench-01"), rule("gpu-bench-02", RUN)],
    ),
    (
        ["Don't deploy payments-api until Tuesday.", "Change of plan: make it Thursday."],
        [rule("payments-api", "deploy", "Tuesday"), rule("payments-api", "deploy", "Thursday")],
    ),
    (
        [
            "The refund for tx_992 is on hold until Monday.",
            "Ignore my last message, that was the wrong transaction.",
        ],
        [rule("tx_992", "pay"), retract("tx_992")],
    ),
    # talk
    ("Do you know why nobody restarted payments-api?", []),
    ("Yesterday we didn't stop gpu-bench-01 because QA was using it.", []),
    ("The agent should have kept gpu-bench-01 running.", []),
    ("Could you tell me whether gpu-bench-01 is needed?", []),
    ("The docs say you must never restart payments-api.", []),
    ("I'd like to keep my current seat, if possible.", []),
    ("Let me know when nightly-etl has finished.", []),
    ("I won't need a hotel this time.", []),
    ("He keeps running into timeouts.", []),
    ("gpu-bench-01 keeps crashing.", []),
    ("Do not hesitate to contact me.", []),
    ("There's no need to apologise.", []),
    ("I can't wait to see the results.", []),
    ("Please stop nightly-etl and delete its logs.", []),
    ("We should talk about payments-api tomorrow.", []),
    ("It was on hold for an hour.", []),
    ("Cancel my appointment on Tuesday.", []),
    ("I never got my refund.", []),
    ("Nobody answered my ticket.", []),
]
