"""Named kinds of secrets: tokens that their issuers gave a shape of their own, as one table.

A row has literal hints, at least one of which stands in every such token, so that a text without any of them
costs no pattern at all. Sources are the issuers' own descriptions of their tokens. Public halves (publishable
keys, account ids) are left out: they identify, they don't open anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from langgraph_memory.redaction.encoded import (
    decoded_text,
    is_checked_base58,
    is_json_web_token,
    is_wrapped_web_token,
)
from langgraph_memory.redaction.randomness import has_digit, has_letter


class Kind(NamedTuple):
    """One named kind of secret.

    Attributes:
        name: goes into the replacement, `[redacted:<name>]`.
        hints: literals; a text with none of them holds no such token.
        pattern: the token itself; a named group `secret` narrows what is replaced.
        check: a second look at what matched, where the shape alone says too little.
    """

    name: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    check: Callable[[str], bool] | None = None


def _kind(name: str, hints: str, body: str, check: Callable[[str], bool] | None = None) -> Kind:
    """A row: `hints` apart by blanks, `body` between word boundaries."""
    pattern = re.compile(rf"(?<![A-Za-z0-9])(?:{body})(?![A-Za-z0-9])", re.ASCII)
    return Kind(name, tuple(hints.split()), pattern, check)


_58 = "[1-9A-HJ-NP-Za-km-z]"
_UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"

KINDS: tuple[Kind, ...] = (
    # Clouds
    _kind("aws-access-key", "AKIA ASIA ABIA ACCA A3T", r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}"),
    _kind(
        "aws-bedrock-key",
        "ABSK bedrock-api-key-",
        r"ABSK[A-Za-z0-9+/]{90,}={0,2}|bedrock-api-key-[\w+/=-]{20,}",
    ),
    _kind("aws-marketplace-token", "amzn.mws.", rf"amzn\.mws\.{_UUID}"),
    _kind("google-api-key", "AIza", r"AIza[\w-]{35}(?![\w-])"),
    _kind("google-oauth-token", "ya29.", r"ya29\.[\w.-]{20,}"),
    _kind("google-refresh-token", "1//0", r"1//0[\w-]{40,}"),
    _kind("google-client-secret", "GOCSPX-", r"GOCSPX-[\w-]{20,}"),
    _kind("azure-client-secret", "Q~", r"(?<![\w.~-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])"),
    _kind("azure-devops-token", "AZDO", r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"),
    _kind("azure-service-key", "JQQJ9", r"[A-Za-z0-9]{40,60}JQQJ9[A-Za-z0-9]{10,40}"),
    _kind("azure-shared-signature", "sig=", r"(?<=[?&])sig=(?P<secret>[A-Za-z0-9%+/=_-]{43,})"),
    _kind("alibaba-access-key", "LTAI", r"LTAI[A-Za-z0-9]{16,24}"),
    _kind("tencent-secret-id", "AKID", r"AKID[A-Za-z0-9]{32}"),
    _kind("yandex-key", "AQVN y0_ t1.", r"AQVN[\w-]{35,38}|y0_[\w-]{50,}|t1\.[\w-]{10,}=*\.[\w-]{80,}=*"),
    _kind("digitalocean-token", "_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _kind("cloudflare-origin-key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    _kind("heroku-key", "HRKU-", r"HRKU-[\w-]{30,}"),
    _kind("fly-token", "fo1_ fm1 fm2", r"fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{60,}={0,3}"),
    _kind("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w=.-]{32,}"),
    _kind("tailscale-key", "tskey-", r"tskey-[a-z]+-[\w-]{16,}"),
    _kind("aiven-password", "AVNS_", r"AVNS_[\w-]{15,}"),
    _kind("supabase-key", "sbp_ sb_secret_", r"sbp_[a-f0-9]{40}|sb_secret_[\w-]{22,}"),
    _kind("vercel-token", "vercel_blob_rw_", r"vercel_blob_rw_[A-Za-z0-9]{10,}_[A-Za-z0-9]{20,}"),
    _kind("confluent-secret", "cflt", r"cflt[A-Za-z0-9+/]{60}"),
    # Source code, packages and builds
    _kind("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    _kind("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{36,255}"),
    _kind(
        "gitlab-token",
        "glpat- gldt- glft- glsoat- glrt- glrtr- glffct- glwt-",
        r"gl(?:pat|dt|ft|soat|rtr?|ffct|wt)-[\w-]{20,50}(?:\.[0-9a-z]{2}\.[0-9a-z]{7,9})?(?![\w-])",
    ),
    _kind("gitlab-runner-token", "GR1348941", r"GR1348941[\w-]{20,50}(?![\w-])"),
    _kind(
        "gitlab-token",
        "glcbt- glimt- glptt- glagent- gloas-",
        r"(?:glcbt-(?:[0-9a-fA-F]{1,5}_)?[\w-]{20}|glimt-[\w-]{25}|glptt-[\w-]{40}"
        r"|glagent-[\w-]{50,1024}|gloas-[\w-]{64})(?![\w-])",
    ),
    _kind("bitbucket-token", "ATBB", r"ATBB[A-Za-z0-9]{32}"),
    _kind("atlassian-token", "ATATT3 ATCTT3", r"AT(?:ATT|CTT)3[A-Za-z0-9_=-]{60,}"),
    _kind("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _kind("pypi-token", "pypi-Ag", r"pypi-Ag[\w-]{90,}"),
    _kind("rubygems-key", "rubygems_", r"rubygems_[a-f0-9]{48}"),
    _kind("nuget-key", "oy2", r"oy2[a-z0-9]{43}"),
    _kind("clojars-token", "CLOJARS_", r"CLOJARS_[a-z0-9]{60}"),
    _kind("crates-token", "cio", r"cio[A-Za-z0-9]{32}"),
    _kind("packagist-token", "packagist_", r"packagist_[a-z]{3,4}_[a-f0-9]{64,68}"),
    _kind("buildkite-token", "bkua_ bkct_ bkaa_", r"bk(?:ua|ct|aa)_[a-f0-9]{40}"),
    _kind("docker-token", "dckr_", r"dckr_[a-z]{3}_[\w-]{20,}"),
    _kind("artifactory-key", "AKCp cmVmd", r"AKCp[A-Za-z0-9]{60,75}|cmVmd[A-Za-z0-9]{59}"),
    _kind("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}"),
    _kind("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{24,}"),
    _kind("pulumi-token", "pul-", r"pul-[a-f0-9]{40}"),
    _kind("doppler-token", "dp.", r"dp\.[a-z]{2,5}\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}"),
    _kind("databricks-token", "dapi", r"dapi[a-f0-9]{32}(?:-\d)?"),
    _kind("circleci-token", "CCIPAT_ CCIPRJ_", r"CCIP(?:AT|RJ)_[A-Za-z0-9]{10,}_[a-f0-9]{40}"),
    _kind("sonar-token", "sqp_ squ_ sqa_", r"sq[pua]_[a-f0-9]{40}"),
    _kind("sourcegraph-token", "sgp_", r"sgp_(?:[a-zA-Z0-9]{16}_|local_)?[a-fA-F0-9]{40}"),
    _kind("octopus-key", "API-", r"API-[A-Z0-9]{26}"),
    _kind("prefect-key", "pnu_", r"pnu_[A-Za-z0-9]{36}"),
    _kind("launchdarkly-key", "sdk- api- mob-", rf"(?:sdk|api|mob)-{_UUID}"),
    _kind("harness-key", "pat. sat.", r"[ps]at\.[\w-]{22}\.[a-f0-9]{24}\.[A-Za-z0-9]{20}"),
    _kind("openshift-token", "sha256~", r"sha256~[\w-]{43}"),
    _kind("infracost-key", "ico-", r"ico-[A-Za-z0-9]{32}"),
    _kind("defined-network-key", "dnkey-", r"dnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}"),
    _kind("scalingo-token", "tk-us-", r"tk-us-[\w-]{48}"),
    _kind("age-secret-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    _kind(
        "1password-key",
        "A3- ops_ey",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}|ops_eyJ[A-Za-z0-9+/]{100,}={0,3}",
    ),
    # Watching and logging
    _kind(
        "newrelic-key", "NRAK- NRJS- NRII- NRIQ- NRRA- NRSP-", r"NR(?:AK|JS|II|IQ|RA|SP)-[A-Za-z0-9_-]{19,42}"
    ),
    _kind(
        "grafana-token",
        "glsa_ glc_ eyJrIjoi",
        r"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,}={0,3}|eyJrIjoi[A-Za-z0-9]{60,}={0,3}",
    ),
    _kind("sentry-token", "sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9+/_=-]{40,}"),
    _kind("dynatrace-token", "dt0", r"dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _kind("axiom-token", "xaat- xapt-", rf"xa[ap]t-{_UUID}"),
    _kind("posthog-key", "phx_", r"phx_[A-Za-z0-9]{40,}"),
    # Models
    _kind("anthropic-key", "sk-ant-", r"sk-ant-[a-z]{2,8}\d\d-[\w-]{80,}"),
    _kind(
        "openai-key",
        "T3BlbkFJ sk-proj- sk-svcacct- sk-admin-",
        r"sk-(?:proj|svcacct|admin)-[\w-]{20,}|sk-[\w-]{20,}T3BlbkFJ[\w-]{20,}",
    ),
    _kind("openrouter-key", "sk-or-", r"sk-or-v\d-[a-f0-9]{64}"),
    _kind("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
    _kind("xai-key", "xai-", r"xai-[A-Za-z0-9]{70,}"),
    _kind("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{40,}"),
    _kind("huggingface-token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z]{34}"),
    _kind("replicate-token", "r8_", r"r8_[A-Za-z0-9]{37}"),
    _kind("langsmith-key", "lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    _kind("nvidia-key", "nvapi-", r"nvapi-[\w-]{60,}"),
    _kind("pinecone-key", "pcsk_", r"pcsk_[A-Za-z0-9_]{50,}"),
    _kind("tavily-key", "tvly-", r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,}"),
    _kind("e2b-key", "e2b_", r"e2b_[a-f0-9]{40}"),
    _kind("firecrawl-key", "fc-", r"fc-[a-f0-9]{32}"),
    _kind("elastic-key", "essu_", r"essu_[A-Za-z0-9+/]{40,}={0,2}"),
    _kind("brave-key", "BSA", r"BSA[\w-]{28}(?![\w-])"),
    # Messages and mail
    _kind("slack-token", "xox", r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{18,}"),
    _kind("slack-app-token", "xapp-", r"xapp-\d-[A-Za-z0-9]+-\d+-[A-Za-z0-9]{16,}"),
    _kind("telegram-token", ":AA", r"\d{6,12}:AA[\w-]{32,34}(?![\w-])"),
    _kind("discord-token", ".", r"[MNO][\w-]{23,27}\.[\w-]{6,7}\.[\w-]{27,40}(?![\w-])"),
    _kind("twilio-key", "SK", r"SK[a-f0-9]{32}"),
    _kind("sendgrid-key", "SG.", r"SG\.[\w-]{16,32}\.[\w-]{16,64}"),
    _kind("mailgun-key", "key-", r"key-[a-f0-9]{32}"),
    _kind("mailchimp-key", "-us", r"[a-f0-9]{32}-us\d{1,2}"),
    _kind("brevo-key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    _kind("resend-key", "re_", r"re_[A-Za-z0-9]{6,}_[A-Za-z0-9]{20,}"),
    # Payment and trade
    _kind("stripe-key", "sk_ rk_", r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{12,}"),
    _kind("webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/]{20,}={0,2}"),
    _kind("square-token", "sq0 EAAA", r"sq0[a-z]{3}-[\w-]{22,43}|EAAA[\w-]{60}"),
    _kind("shopify-token", "shpat_ shpca_ shppa_ shpss_ shpua_", r"shp(?:at|ca|pa|ss|ua)_[A-Fa-f0-9]{32}"),
    _kind("paypal-token", "access_token$", r"access_token\$[a-z]+\$[a-z0-9]{16}\$[a-f0-9]{32}"),
    _kind("plaid-token", "access-", rf"access-(?:sandbox|development|production)-{_UUID}"),
    _kind("flutterwave-key", "FLWSECK", r"FLWSECK(?:_TEST)?-[a-zA-Z0-9]{12,}(?:-X)?"),
    _kind("easypost-key", "EZAK EZTK", r"EZ[AT]K[A-Za-z0-9]{54}"),
    _kind("shippo-token", "shippo_", r"shippo_(?:live|test)_[a-f0-9]{40}"),
    _kind("duffel-token", "duffel_", r"duffel_(?:live|test)_[\w=-]{43}"),
    _kind("lob-key", "live_ test_", r"(?:live|test)_(?:pub_)?[a-f0-9]{31,35}"),
    _kind("gocardless-token", "live_", r"live_[\w=-]{40}(?![\w-])"),
    # Work and content
    _kind("linear-token", "lin_", r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,}"),
    _kind("notion-token", "ntn_ secret_", r"ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}"),
    _kind("salesforce-token", "00D", r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{80,}"),
    _kind("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _kind("asana-token", "/", r"[012]/\d{10,20}(?:/\d{10,20})?:[a-f0-9]{32}"),
    _kind("figma-token", "figd_ figo_ figu_ figr_", r"fig[dour]_[\w-]{36,}"),
    _kind("postman-key", "PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    _kind("readme-key", "rdme_", r"rdme_[a-z0-9]{70}"),
    _kind("typeform-token", "tfp_", r"tfp_[\w.=-]{40,}"),
    _kind("hubspot-token", "pat-", rf"pat-[a-z]{{2}}\d-{_UUID}"),
    _kind("contentful-token", "CFPAT-", r"CFPAT-[\w-]{40,}"),
    _kind("frameio-token", "fio-u-", r"fio-u-[\w=-]{64}"),
    _kind("dropbox-token", "sl.", r"sl\.(?:u\.)?[\w=-]{100,}"),
    _kind("facebook-token", "EAA", r"EAA[A-Za-z0-9]{90,}"),
    _kind("twitter-bearer", "AAAAAAAAAAAAAAAAAAAA", r"A{20}[A-Za-z0-9%]{60,120}"),
    _kind("mapbox-token", "sk.eyJ", r"sk\.eyJ[\w-]{20,}\.[\w-]{20,}"),
    _kind("maxmind-key", "_mmk", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
    _kind("rapidapi-key", "msh", r"[a-f0-9]{10}msh[a-f0-9]{15}p[a-f0-9]{6}jsn[a-f0-9]{12}"),
    _kind("adobe-secret", "p8e-", r"p8e-[A-Za-z0-9]{32}"),
    _kind("intra42-secret", "s-s4t2", r"s-s4t2(?:ud|af)-[a-f0-9]{64}"),
    _kind("beamer-token", "b_", r"b_[A-Za-z0-9=_-]{44}(?![\w-])"),
    _kind("settlemint-token", "sm_", r"sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}"),
    _kind("clickup-token", "pk_", r"pk_\d{6,10}_[A-Z0-9]{32}"),
    # What stands for a password or a session
    _kind("password-hash", "$2a$ $2b$ $2y$", r"\$2[aby]\$\d\d\$[A-Za-z0-9./]{53}"),
    _kind(
        "password-hash",
        "$apr1$ $1$ $5$ $6$",
        r"\$(?:apr1|1|5|6)\$(?:rounds=\d+\$)?[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{22,86}",
    ),
    _kind(
        "password-hash",
        "pbkdf2 scrypt: $y$ $7$",
        r"pbkdf2[_:][\w:]{3,30}(?:\$\d+)?\$[\w./+]{4,64}\$[\w./+]{20,128}={0,2}"
        r"|scrypt:\d+:\d+:\d+\$[\w./+]{4,64}\$[a-f0-9]{32,256}"
        r"|\$[y7]\$[\w./]{1,40}\$[\w./]{1,86}\$[\w./]{22,86}",
    ),
    _kind("password-hash", ":::", r"\d{3,6}:(?P<secret>[a-fA-F0-9]{32}:[a-fA-F0-9]{32}):::"),
    _kind(
        "product-key",
        "-",
        r"(?<![\w-])(?:[BCDFGHJKMNPQRTVWXY2346789]{5}-){4}[BCDFGHJKMNPQRTVWXY2346789]{5}(?![\w-])",
        lambda text: has_digit(text) and has_letter(text),
    ),
    _kind(
        "session-cookie",
        "JSESSIONID= jsessionid= PHPSESSID= connect.sid= SessionId= laravel_session=",
        r"(?:JSESSIONID|jsessionid|PHPSESSID|connect\.sid|SessionId|laravel_session)="
        r"(?P<secret>[\w.%~!:+/-]{16,})",
    ),
    # Money
    _kind("wallet-key", "5 K L", rf"5[HJK]{_58}{{49}}|[KL]{_58}{{51}}", is_checked_base58),
    _kind("wallet-key", "xprv yprv zprv tprv", rf"[xyzt]prv{_58}{{107,108}}", is_checked_base58),
    # Signed tokens of any issuer
    _kind("jwt", "eyJ", r"eyJ[\w-]{12,}\.[\w-]{10,}(?:\.[\w-]*){0,3}", is_json_web_token),
    _kind("jwt", "ZXlK", r"ZXlK[A-Za-z0-9+/]{30,}={0,2}", is_wrapped_web_token),
    _kind(
        "private-key",
        "LS0tLS1CRUdJTi",
        r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{16,}={0,2}",
        lambda text: "PRIVATE KEY" in decoded_text(text[:40]),
    ),
    # Addresses whose path is the secret
    _kind(
        "slack-webhook",
        "hooks.slack",
        r"hooks\.slack(?:-gov)?\.com/(?P<secret>(?:services|workflows|triggers)/[\w/]{20,})",
    ),
    _kind(
        "discord-webhook",
        "/webhooks/",
        r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(?P<secret>\d+/[\w-]{40,})",
    ),
    _kind(
        "teams-webhook",
        "webhook.office.com",
        r"webhook\.office\.com/(?P<secret>webhookb2/[\w@-]{70,}/IncomingWebhook/[\w-]+/[\w-]+)",
    ),
    _kind("make-webhook", ".make.com/", r"hook\.[a-z0-9]+\.make\.com/(?P<secret>[a-z0-9]{24,})"),
    _kind("ifttt-webhook", "maker.ifttt.com", r"maker\.ifttt\.com/[\w/-]+/key/(?P<secret>[\w-]{20,})"),
    _kind(
        "feishu-webhook",
        "/bot/v2/hook/",
        rf"open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/(?P<secret>{_UUID})",
    ),
    _kind("n8n-webhook", "/webhook/", rf"n8n\.cloud/webhook/(?P<secret>{_UUID})"),
    _kind("zapier-webhook", "hooks.zapier.com", r"hooks\.zapier\.com/hooks/(?P<secret>catch/\d+/\w{5,})"),
)
"""All named kinds, tried in order; two rows of one name are two shapes of one kind."""
