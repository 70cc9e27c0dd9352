"""Dialogues and sentences of a third round: several speakers' habits, several messages, several trades."""

from .speaking import am, fact, likes, retire, retract, rule, works

RUN = "stop delete"
CASES = [
    (
        [
            "Can you check why gpu-bench-02 is so expensive?",
            "Ah, right. It's the research box. Leave it on until their paper is submitted.",
        ],
        [rule("gpu-bench-02", RUN, "their paper is submitted")],
    ),
    (
        [
            "The nightly-etl job failed again.",
            "Rerun it, and whatever happens do not touch reports-db meanwhile.",
        ],
        [rule("reports-db", "*")],
    ),
    (
        ["payments-api and mobile-app both go out on Monday.", "Please don't deploy them before that."],
        [rule("payments-api", "deploy"), rule("mobile-app", "deploy")],
    ),
    (
        "Team, quick one: gpu-bench-01 isn't to be powered down this week, QA has a deadline.",
        [rule("gpu-bench-01", "stop", "this week")],
    ),
    (
        "I promised QA that gpu-bench-01 will stay up until the 30th, so make sure it does.",
        [rule("gpu-bench-01", RUN, "the 30th")],
    ),
    (
        "QA's box gpu-bench-01 is spoken for until the regression run is signed off.",
        [rule("gpu-bench-01", "stop", "regression run is signed off", hedged=True)],
    ),
    (
        "Could we please agree not to restart payments-api until the audit is closed?",
        [rule("payments-api", "restart", "audit is closed")],
    ),
    ("reports-db must under no circumstances be dropped.", [rule("reports-db", "delete", None)]),
    (
        "No touching reports-db until the restore is verified!",
        [rule("reports-db", "*", "restore is verified")],
    ),
    (
        "As long as the trial runs, gpu-bench-02 has to be left alone.",
        [rule("gpu-bench-02", "*", "trial runs")],
    ),
    ("Let's freeze main till the release is tagged.", [rule("main", "merge deploy", "release is tagged")]),
    ("Pause all payouts on tx_992 until fraud clears it.", [rule("tx_992", "pay", "fraud clears it")]),
    ("INV-2201: don't pay. Legal is still checking.", [rule("INV-2201", "pay")]),
    ("tx_992 stays on hold until the bank answers.", [rule("tx_992", None, "the bank answers")]),
    (
        "Do NOT, I repeat, do NOT restart payments-api during the keynote.",
        [rule("payments-api", "restart", "keynote")],
    ),
    (
        "The last time someone rebooted reports-db we lost a day, so nobody reboots it without me.",
        [rule("reports-db", "restart")],
    ),
    ("Get sign-off from Omar before touching payments-api.", [rule("payments-api", "*", None)]),
    (
        "Anything that changes src/billing/tax.py has to be approved by Omar.",
        [rule("src/billing/tax.py", "*", None)],
    ),
    (
        "We keep nightly-etl as is until the new warehouse is live.",
        [rule("nightly-etl", "*", "new warehouse is live")],
    ),
    (
        "Preserve the logs of payments-api for the next 90 days.",
        [rule("payments-api", "delete", "next 90 days")],
    ),
    (
        "gpu-bench-01 is the only machine QA has, it can't be switched off before Friday.",
        [rule("gpu-bench-01", "stop", "Friday")],
    ),
    ("If anybody asks you to stop gpu-bench-01, don't do it.", [rule("gpu-bench-01", "stop")]),
    (
        "The retention of reports-db is 7 years, so never purge it.",
        [rule("reports-db", "delete", None), fact("retention", "reports-db")],
    ),
    (
        "I'd prefer if you didn't merge to main until I've reviewed it.",
        [rule("main", "merge", "I've reviewed it")],
    ),
    ("Until we know more, treat tx_992 as frozen.", [rule("tx_992", None, "we know more")]),
    ("Don't book anything for me in August.", [rule(None, "book")]),
    ("Never share my phone number with hotels.", [rule("phone number", "send")]),
    (
        "Don't reschedule my dentist appointment without checking with me.",
        [rule("dentist appointment", "modify", None)],
    ),
    # ended
    (
        ["gpu-bench-01 stays on until QA has moved.", "Update: QA has moved. You can shut it down now."],
        [rule("gpu-bench-01", RUN), retire("gpu-bench-01")],
    ),
    ("The paper is submitted, so gpu-bench-02 is free to go.", [retire("gpu-bench-02")]),
    ("Release the hold on tx_992, the bank has answered.", [retire("tx_992")]),
    ("main is open again.", [retire("main")]),
    ("Omar is fine with it, you can change src/billing/tax.py again.", [retire("src/billing/tax.py")]),
    ("Forget about keeping gpu-bench-01 up, we don't need it any more.", [retire("gpu-bench-01")]),
    ("The restore was verified; touching reports-db is okay again.", [retire("reports-db")]),
    ("The freeze is off for mobile-app.", [retire("mobile-app")]),
    ("nightly-etl can be stopped any time now.", [retire("nightly-etl")]),
    ("Somebody told me QA doesn't use gpu-bench-01 any more.", [retire("gpu-bench-01", hedged=True)]),
    ("Can we stop gpu-bench-01 now?", []),
    ("I guess the freeze on main is over?", []),
    ("If QA has moved, gpu-bench-01 can be stopped.", [retire("gpu-bench-01", hedged=True)]),
    # people and work
    ("Hello! Maria here, I run the night shift.", []),
    ("I'm Maria, the new platform lead.", [am("name")]),
    ("I work as a paralegal.", [am("role")]),
    ("We're based in Antwerp.", [am("location")]),
    ("My wife and I are both vegetarians.", []),
    ("I get seasick easily, so no boat trips please.", []),
    ("I'd like my reports in French from now on.", [likes("preference_language", explicit=True)]),
    ("Please write dates as day.month.year from here on.", [likes("preference_date_format", explicit=True)]),
    ("I can't stand small talk.", [likes()]),
    ("Black coffee, always.", []),
    ("I'm allergic to cats and dust.", [likes()]),
    ("I no longer eat meat.", [likes("preference_meat")]),
    ("I'm left-handed.", [likes()]),
    ("Meetings before 10 don't work for me.", [likes()]),
    ("We use GitLab for CI.", [works("uses_ci")]),
    ("Our API is written in Rust.", [works()]),
    ("I'm migrating our monolith to services.", [works("current_project")]),
    ("Always squash commits before merging.", [rule(explicit=True)]),
    ("From now on, tag every release with the ticket number.", [rule(explicit=True)]),
    ("Keep in mind that the vendor closes at 4 pm.", [fact()]),
    ("Save this for later: the wifi code is blue-horse.", [fact()]),
    ("Note for the future: Dr. Ode is out on Wednesdays.", [fact()]),
    # corrections
    (
        ["Don't deploy payments-api before Tuesday.", "Not Tuesday, Wednesday."],
        [rule("payments-api", "deploy", "Tuesday"), rule("payments-api", "deploy", "Wednesday")],
    ),
    (
        ["Keep gpu-bench-01 up until QA has moved.", "Change of plans: only until Friday."],
        [rule("gpu-bench-01", RUN, "QA has moved"), rule("gpu-bench-01", RUN, "Friday")],
    ),
    (
        ["The refund for INV-2201 is on hold.", "Sorry, that was wrong, please disregard it."],
        [rule("INV-2201", "pay"), retract("INV-2201")],
    ),
    ("Actually, gpu-bench-01 should stay up until June, not May.", [rule("gpu-bench-01", RUN, "June")]),
    # talk
    ("I think I left my laptop on.", []),
    ("Please don't take it personally.", []),
    ("We held the line for an hour.", []),
    ("Do you keep logs?", []),
    ("Tell me when gpu-bench-01 is up again.", []),
    ("The hotel kept our bags until noon.", []),
    ("I never said that.", []),
    ("It doesn't matter.", []),
    ("Stop asking me that.", []),
    ("Nothing works today.", []),
    ("Only two seats are left.", []),
    ("The server must have crashed.", []),
    ("You should have told me earlier.", []),
    ("Could you delete the draft and write a new one?", []),
    ("Let me know if anything changes before Friday.", []),
    ("I want to keep my reservation but change the date.", []),
    ("The doctor said I should not lift heavy things.", []),
    ("My flight can't be changed, they say.", []),
    ("He told me to never give up.", []),
]
