"""Sentences of people who run systems."""

from .speaking import retire, retract, rule

RUN = "stop delete suspend"
CASES = [
    # keep it as it is
    (
        "Keep gpu-bench-01 running until QA has moved its suite.",
        [rule("gpu-bench-01", RUN, "QA has moved its suite")],
    ),
    (
        "Please leave gpu-bench-01 up until the benchmarks are through.",
        [rule("gpu-bench-01", RUN, "benchmarks are through")],
    ),
    (
        "gpu-bench-01 has to stay online until the end of the sprint.",
        [rule("gpu-bench-01", RUN, "end of the sprint")],
    ),
    (
        "The box gpu-bench-01 needs to remain available for QA until Friday night.",
        [rule("gpu-bench-01", RUN, "Friday night")],
    ),
    (
        "Until the audit is finished, keep reports-db untouched.",
        [rule("reports-db", "*", "audit is finished")],
    ),
    ("Leave payments-api alone while the incident is open.", [rule("payments-api", "*", "incident is open")]),
    ("We're keeping gpu-bench-02 on through next Wednesday.", [rule("gpu-bench-02", RUN, "next Wednesday")]),
    (
        "nightly-etl stays exactly as it is until finance closes the month.",
        [rule("nightly-etl", "*", "finance closes the month")],
    ),
    ("Let nightly-etl run until it has caught up.", [rule("nightly-etl", "stop cancel", "it has caught up")]),
    ("Keep the backups of reports-db around for another 30 days.", [rule("reports-db", "delete", "30 days")]),
    ("gpu-bench-01 is reserved for QA until Monday.", [rule("gpu-bench-01", "stop delete", "Monday")]),
    (
        "Exclude gpu-bench-01 from the cleanup until further notice.",
        [rule("gpu-bench-01", RUN, "further notice")],
    ),
    (
        "KEEP GPU-BENCH-01 RUNNING UNTIL QA SAYS OTHERWISE!!!",
        [rule("gpu-bench-01", RUN, "QA SAYS OTHERWISE")],
    ),
    ("pls keep gpu bench 01 up til thursday", [rule("gpu-bench-01", RUN, "thursday")]),
    (
        "Keep gpu-bench-01 and gpu-bench-02 alive until the migration has landed.",
        [rule("gpu-bench-01", RUN), rule("gpu-bench-02", RUN)],
    ),
    (
        "Could you keep gpu-bench-01 running until QA is done with it?",
        [rule("gpu-bench-01", RUN, "QA is done")],
    ),
    (
        "I want you to leave reports-db as is until I'm back from leave.",
        [rule("reports-db", "*", "I'm back")],
    ),
    ("Make sure gpu-bench-02 stays up over the weekend.", [rule("gpu-bench-02", RUN, "weekend")]),
    (
        "I told you to keep gpu-bench-01 running until QA migrates!",
        [rule("gpu-bench-01", RUN, "QA migrates")],
    ),
    # don't do it
    (
        "Don’t shut down gpu-bench-01 before QA has signed off.",
        [rule("gpu-bench-01", "stop", "QA has signed off")],
    ),
    ("Do not under any circumstances delete reports-db.", [rule("reports-db", "delete", None)]),
    ("Never restart payments-api during business hours.", [rule("payments-api", "restart", None)]),
    ("dont touch payments-api until ops gives the all clear", [rule("payments-api", "*", "all clear")]),
    (
        "gpu-bench-01 must not be terminated or resized until the contract ends.",
        [rule("gpu-bench-01", "stop resize", "contract ends")],
    ),
    (
        "payments-api may not be scaled down until after the sale.",
        [rule("payments-api", "suspend", "after the sale")],
    ),
    ("Nobody is to reboot gpu-bench-02 until I say so.", [rule("gpu-bench-02", "restart", "I say so")]),
    ("No restarts of payments-api this week, please.", [rule("payments-api", "restart", "this week")]),
    ("reports-db is off limits until the forensic copy is made.", [rule("reports-db", "*", "forensic copy")]),
    ("Hands off nightly-etl until tomorrow's run is complete.", [rule("nightly-etl", "*", "tomorrow's run")]),
    (
        "You can't take gpu-bench-01 offline until the regression run has passed.",
        [rule("gpu-bench-01", "stop", "regression run")],
    ),
    (
        "We must not lose gpu-bench-01, so don't switch it off until Tuesday.",
        [rule("gpu-bench-01", "stop", "Tuesday")],
    ),
    ("Under no circumstances should you wipe reports-db.", [rule("reports-db", "delete", None)]),
    (
        "Please avoid restarting payments-api until the release is out.",
        [rule("payments-api", "restart", "release is out")],
    ),
    ("Don't let gpu-bench-01 go down before Monday.", [rule("gpu-bench-01", "stop", "Monday")]),
    (
        "Hold off on deleting gpu-bench-02 until its disk has been copied.",
        [rule("gpu-bench-02", "delete", "disk has been copied")],
    ),
    (
        "Wait with the shutdown of gpu-bench-01 until QA confirms.",
        [rule("gpu-bench-01", "stop", "QA confirms")],
    ),
    (
        "Stop gpu-bench-01 only after QA has migrated its suite.",
        [rule("gpu-bench-01", "stop", "QA has migrated")],
    ),
    (
        "We shouldn't resize reports-db until the index build is finished.",
        [rule("reports-db", "resize", "index build")],
    ),
    (
        "Neither gpu-bench-01 nor gpu-bench-02 may be stopped before the demo.",
        [rule("gpu-bench-01", "stop", "demo"), rule("gpu-bench-02", "stop", "demo")],
    ),
    ("Whatever you do, don't kill nightly-etl.", [rule("nightly-etl", "stop")]),
    (
        "It's critical that nobody drops tables in reports-db until the audit.",
        [rule("reports-db", "delete", "audit")],
    ),
    (
        "I don't want gpu-bench-01 to be stopped while QA is testing.",
        [rule("gpu-bench-01", "stop", "QA is testing")],
    ),
    (
        "Don't rotate the keys of payments-api until the partner has switched.",
        [rule("payments-api", "rotate", "partner has switched", attribute="access_policy")],
    ),
    # who may, and after asking whom
    ("Only the on-call engineer may restart payments-api.", [rule("payments-api", "restart", None)]),
    ("Ask me before you delete anything in reports-db.", [rule("reports-db", "delete", None)]),
    ("Don't reboot gpu-bench-01 without asking QA.", [rule("gpu-bench-01", "restart", None)]),
    ("Restarting payments-api needs approval from the on-call.", [rule("payments-api", "restart", None)]),
    ("Check with Priya before terminating gpu-bench-02.", [rule("gpu-bench-02", "stop", None)]),
    # what "it" is
    (
        [
            "gpu-bench-01 broke QA's night run when you stopped it.",
            "Restart it and keep it up until they have moved.",
        ],
        [rule("gpu-bench-01", RUN, "they have moved")],
    ),
    (
        "Restart gpu-bench-01. The instance must stay up until QA has moved.",
        [rule("gpu-bench-01", RUN, "QA has moved")],
    ),
    (
        "You stopped gpu-bench-01 last night and QA lost its run. Don't do that again.",
        [rule("gpu-bench-01", "stop", None)],
    ),
    (
        "QA is moving the suite off gpu-bench-01. Until that is done, don't stop it.",
        [rule("gpu-bench-01", "stop", "that is done (QA is moving")],
    ),
    # doubt
    (
        "I think we should keep gpu-bench-01 running until Friday.",
        [rule("gpu-bench-01", RUN, "Friday", hedged=True)],
    ),
    (
        "Maybe don't stop gpu-bench-02 until someone has looked at it.",
        [rule("gpu-bench-02", "stop", hedged=True)],
    ),
    ("Should we keep reports-db up until the audit?", [rule("reports-db", RUN, hedged=True)]),
    ("Tom said we should leave gpu-bench-01 running until Monday.", [rule("gpu-bench-01", RUN, hedged=True)]),
    (
        "It would probably be better not to touch payments-api this week.",
        [rule("payments-api", "*", hedged=True)],
    ),
    ("QA still needs gpu-bench-01 until Thursday.", [rule("gpu-bench-01", "stop", "Thursday", hedged=True)]),
    (
        "Once QA has migrated you can stop gpu-bench-01.",
        [rule("gpu-bench-01", "stop", "QA has migrated", hedged=True)],
    ),
    # once
    (
        "Just this once, don't restart payments-api after the patch.",
        [rule("payments-api", "restart", once=True)],
    ),
    # it has ended
    (
        "QA has migrated, so gpu-bench-01 can be shut down again.",
        [retire("gpu-bench-01", "lifecycle_policy")],
    ),
    ("You may stop gpu-bench-01 now.", [retire("gpu-bench-01", "lifecycle_policy")]),
    ("gpu-bench-01 no longer needs to stay up.", [retire("gpu-bench-01", "lifecycle_policy")]),
    ("The hold on gpu-bench-02 is lifted.", [retire("gpu-bench-02")]),
    (
        "There's no need to keep gpu-bench-01 running any longer.",
        [retire("gpu-bench-01", "lifecycle_policy")],
    ),
    (
        "QA is done with gpu-bench-01, it's fine to turn it off again.",
        [retire("gpu-bench-01", "lifecycle_policy")],
    ),
    ("Lift the restriction on reports-db, please.", [retire("reports-db")]),
    ("gpu-bench-02 isn't reserved anymore.", [retire("gpu-bench-02", "lifecycle_policy")]),
    ("We don't need gpu-bench-01 anymore.", [retire("gpu-bench-01", "lifecycle_policy")]),
    (
        "The suite has been moved. gpu-bench-01 is free to be terminated.",
        [retire("gpu-bench-01", "lifecycle_policy")],
    ),
    (
        "gpu-bench-01 no longer has to be kept running: QA moved to the cluster.",
        [retire("gpu-bench-01", "lifecycle_policy")],
    ),
    ("Looks like gpu-bench-01 is idle. We can probably shut it down.", [retire("gpu-bench-01", hedged=True)]),
    ("I guess gpu-bench-01 is no longer needed.", [retire("gpu-bench-01", hedged=True)]),
    ("Forget what I said about gpu-bench-01.", [retract("gpu-bench-01")]),
    (
        ["Don't stop gpu-bench-02 until Monday.", "Scratch that."],
        [rule("gpu-bench-02", "stop", "Monday"), retract("gpu-bench-02")],
    ),
    # changed
    (
        "QA changed plans. Keep gpu-bench-01 reserved through the final benchmark, not until the migration.",
        [rule("gpu-bench-01", RUN, "final benchmark")],
    ),
    (
        ["Keep gpu-bench-01 up until Thursday.", "Actually, make that until Monday."],
        [
            rule("gpu-bench-01", RUN, "Thursday"),
            rule("gpu-bench-01", RUN, "Monday", attribute="lifecycle_policy"),
        ],
    ),
    (
        ["Don't stop gpu-bench-01 until QA is done.", "No, I meant gpu-bench-02."],
        [rule("gpu-bench-01", "stop"), retract("gpu-bench-01"), rule("gpu-bench-02", "stop")],
    ),
    # talk and tasks
    ("Restart gpu-bench-01.", []),
    ("Stop gpu-bench-02 now.", []),
    ("Run the weekly cleanup of the staging environment.", []),
    ("Why did you stop gpu-bench-01?", []),
    ("We kept gpu-bench-01 running all of last year.", []),
    ("Is gpu-bench-01 still running?", []),
    ("payments-api won't start.", []),
    ("I can't delete reports-db, it says access denied.", []),
    ("gpu-bench-01 was not stopped.", []),
    ("The refund was not paid because the card expired.", []),
    ("Keep me posted.", []),
    ("Keep an eye on payments-api, please.", []),
    ("Keep up the good work!", []),
    ("gpu-bench-01 has been idle for 14 days.", []),
    ("If we ever move to Kubernetes we could keep gpu-bench-01 as a spare.", []),
    ("Thanks, no further changes needed.", []),
    ("Don't worry about gpu-bench-02.", []),
    ("There's no problem with reports-db.", []),
    ("List the instances that have been stopped.", []),
]
