"""How people say who they are and what they work with; data for `identity`."""

from __future__ import annotations

from langgraph_memory.consolidation.rules.wording import holds, starts

_NOW = "( now|currently|still|actually|just|also|temporarily|usually|based|mostly )*"
_TRADE = """
    ( engineer|developer|manager|lead|nurse|doctor|teacher|lawyer|attorney|designer|student|scientist
    | analyst|architect|consultant|director|ceo|cto|cfo|founder|accountant|writer|researcher|professor|admin
    | administrator|operator|sre|physician|pharmacist|paralegal|editor|journalist|chef|pilot|driver
    | photographer|artist|musician|programmer|officer|assistant|agent|specialist|technician|owner|contractor
    | freelancer|intern|trainee|veterinarian|dentist|surgeon|therapist|psychologist|electrician|plumber
    | mechanic|farmer|translator|librarian|banker|trader|broker|realtor|recruiter|president|head|principal
    | chemist|biologist|physicist|mathematician|economist|statistician|secretary|clerk|cashier|retiree
    | parent|mother|father|mom|dad|maintainer|coach|barista|coordinator|planner|auditor|tester|machinist
    | carpenter|paramedic|midwife|judge|notary|postdoc|lecturer
    )
"""
_ZONES = "pacific|eastern|central|mountain|european|british|japan"

_SLOTS: tuple[tuple[str, str], ...] = (
    (
        "name",
        """my [full|first|last|real|legal|preferred] name is|: ...
        | [please] call me (?! back|when|if|at|on|before|after|later|as ) ...
        | [please] address|refer [to] me as ... | i go by ... | i am called|named ... | you can call me ...
        | i am known as ...""",
    ),
    (
        "pronouns",
        r"""my pronouns are|: ... | i use|go by (?:she|he|they)/\w+ [pronouns] ...?
        | i use she|he|they or her|him|them ...?""",
    ),
    (
        "timezone",
        rf"""my [local] timezone is|: ... | my [local] time zone is|: ... | i am in|on [the] _3? timezone ...?
        | i am in|on [the] _3? time zone ...? | i am on [us] {_ZONES} _1? time ...?
        | i am in|on (?:utc|gmt|est|cet|pst|cest|pdt|edt|ist|jst)[\w:+-]* [time] $""",
    ),
    (
        "location",
        f"""i|we {_NOW} live|reside [in|at|near|outside] ...
        | i|we am|are {_NOW} based|living|located|residing {_NOW} in|at|near|out|outside ...
        | i|we [have|am|are] {_NOW} [recently] moved|relocated|relocating|moving to ...
        | my home|hometown|city|town|location|residence is|: ... | i am [originally] from ...
        | i come from ...""",
    ),
    (
        "employer",
        f"""i {_NOW} work {_NOW} at|for (?! a|the|my|this|it ) ... | i {_NOW} work {_NOW} at|for the|a _4 ...?
        | i have been working|employed at|for|with ... | i am {_NOW} employed|working at|by (?! home ) ...
        | my employer|company is|: ... | i [just|recently|have] joined|started at|with (?! the|a|this ) ...
        | i [just|recently|have] joined (?P<named> _ ) [_] ...?
        | i run|own|founded [a|my|the] _2? company|business|shop|startup|agency|practice|clinic|store ...?""",
    ),
    (
        "role",
        f"""i {_NOW} work _2? as ... | i am {_NOW} a|an|the|your _4? {_TRADE} ...?
        | i am [the|a] head|director|vp|owner|maintainer|chief of ... | i am {_NOW} responsible for ...
        | i am {_NOW} in charge of ... | my job|role|position|title|occupation|profession [title] is|: ...
        | i {_NOW} lead|manage|head|maintain|supervise the ... | i am [now|recently] retired ...?
        | i [just|recently] got|was promoted to ...""",
    ),
    ("birthday", "my birthday|birthdate is ... | my date of birth is|: ... | i was born on|in ..."),
    ("age", r"i am \d{1,3} [years|year] [old] $ | my age is ... | i am \d{1,3} years old ..."),
    ("email", "my [work|personal|private|new] email [address] is|: ... | you can reach|email me at ..."),
    ("phone", "my [work|personal|private|new|cell] phone|mobile|cell|telephone [number] is|: ..."),
    (
        "language",
        """my native|first|mother|preferred language|tongue is ... | i am a native speaker of ...
        | i [only|also] speak [fluent|only|native|some] (?! to|with|for ) ...""",
    ),
    (
        "user_id",
        """my user|customer|account|member|membership|loyalty|employee id|number|name is|: ...
        | my username is|: ...""",
    ),
    (
        "family",
        """i am married|single|divorced|engaged|widowed ...?
        | i have _3? (
        kids|children|sons?|daughters?|wife|husband|siblings?|brothers?|sisters?|twins|toddler|baby
          | grandchildren ) ( $ | ,|and|who|at|in|aged|under ...? )""",
    ),
    (
        "pet",
        """i have _3? ( dogs?|cats?|pets?|puppy|puppies|kittens?|parrots?|rabbits?|hamsters?|horses?
          | goldfish ) ...?""",
    ),
    (
        "health",
        """i have [been] [diagnosed] [with] [type] _2? ( diabetes|asthma|epilepsy|hypertension|arthritis|adhd
        | anemia|depression|osteoporosis|psoriasis|eczema|copd|migraines|insomnia ) ...?
        | i am pregnant ...? | my blood type|group is ... | i take _4 ( daily | every _ | for ... )
        | i am on insulin|blood|metformin|statins|warfarin|antidepressants|beta ...?""",
    ),
    ("team", "i am on|in|with the _3 team ...? | my team is ..."),
)

SLOTS = tuple((slot, starts(wording)) for slot, wording in _SLOTS)
"""What the speaker says of themselves, by the slot that it fills; one value a slot."""

_RELATIVE = """
    wife|husband|partner|spouse|son|daughter|mother|father|mom|dad|brother|sister|boss|manager|doctor|lawyer
    | dog|cat|girlfriend|boyfriend|fiance|fiancee|assistant|landlord|accountant|dentist|therapist|coach|kid
    | child|baby|teammate|roommate|neighbor|grandmother|grandfather|supervisor
"""
OWN = starts(f"""
    my [oldest|youngest|older|younger|new] (?P<noun> {_RELATIVE} ) [also|really|strongly]
    ( is|has|prefers|hates|likes|loves|can|does|works|lives|was|'s [not] ) (?P<rest> ... ) $
""")
"""What the speaker says of people and animals of theirs."""

INTRODUCES = starts("( i am | this is ) (?P<name> _2 ) ( , | from|at|with|here|and ...? | $ )")
NOT_A_NAME = holds("""
    sorry|afraid|not|now|just|also|still|sure|here|back|done|ready|good|fine|okay|interested|looking|trying
    | hoping|wondering|thinking|planning|happy|glad|late|early|home|in|on|at|new|very|so|really|too|a|an|the
    | my|your|our|all|going|having|getting|about|from|out|one|what|why|how|where|it|only|already|almost|able
    | aware|unable|allergic|vegan|vegetarian|currently|working|upset|italian|german|french|american|british
    | spanish|muslim|jewish|christian
""")
PASSING = holds("""
    right now | at the moment | today|tonight | this week|morning|afternoon|evening | a bit|little | for now
""")
"""What binds a statement about oneself to the moment."""

PROJECT = starts(f"""
    ( i|we am|are {_NOW} | currently | now ) ( working|busy on (?P<what> ... )
    | ( building|developing|writing|creating|designing|migrating|launching|porting|rewriting|refactoring
    | prototyping ) (?P<made> ... ) ) $ | my|our [current|main|side|new] project is (?P<is> ... ) $
""")
USES = starts(f"""
    ( we | i
    | our|my [whole|entire] ( team|project|stack|company|org|app|backend|frontend|codebase|repo|site
      | platform|api|service|product|system|tests|pipeline ) ) {_NOW}
    [always|only|all] ( use|uses|using|run|runs [on] | are|is using | are [all] on
    | is|are built|written|deployed|hosted|based on|with|in | rely|relies on | [have|has] standardi[sz]ed on
    | code|develop|write in|with ) (?P<what> ... ) $
    | we|i|our [team|stack|company] [have|has|just|recently|are|am] [now]
    switched|moved|migrated|switching|moving|migrating|upgraded [over|everything] [from] (?P<old> _2? ) to
    (?P<new> ... ) $
    | our|my
    (?P<thing> database|db|stack|frontend|backend|cloud|ci|editor|language|framework|orm|broker|cache|os )
    is|runs [on] (?P<value> ... ) $
""")
_TECHNOLOGIES: tuple[tuple[str, str], ...] = (
    (
        "database",
        """postgres|postgresql|mysql|mariadb|sqlite|mongodb|mongo|oracle|dynamodb|cassandra|cockroachdb|snowflake
        | bigquery|clickhouse|duckdb | sql server""",
    ),
    ("cache", "redis|memcached|valkey"),
    ("frontend", "react|vue|angular|svelte|nextjs|next.js|htmx|ember|solidjs"),
    ("package_manager", "npm|yarn|pnpm|bun|pip|poetry|uv|conda|cargo|maven|gradle|bundler"),
    ("language", "python|typescript|javascript|java|kotlin|rust|golang|ruby|php|scala|c#|swift|elixir|go"),
    ("cloud", "aws|azure|gcp|digitalocean|heroku|hetzner|cloudflare | google cloud"),
    ("ci", "jenkins|gitlab|circleci|buildkite|travis|teamcity | github actions"),
    ("orchestrator", "kubernetes|k8s|nomad|ecs|openshift | docker swarm"),
    ("test_framework", "pytest|unittest|jest|vitest|mocha|junit|rspec|cypress|playwright"),
    ("tracker", "jira|linear|asana|trello|clickup | github issues"),
    ("chat", "slack|discord|mattermost|zulip | microsoft teams"),
    ("web_framework", "django|flask|fastapi|rails|spring|express|laravel|nestjs"),
    ("editor", "vim|neovim|emacs|vscode|intellij|pycharm"),
    ("operating_system", "linux|ubuntu|debian|macos|windows|fedora|nixos"),
    ("indentation", "tabs|spaces"),
    ("broker", "kafka|rabbitmq|nats|pulsar|sqs"),
)
TECHNOLOGIES = tuple((kind, holds(names)) for kind, names in _TECHNOLOGIES)
"""Names of technologies by what they are, so that a switch from one to another is one change."""
