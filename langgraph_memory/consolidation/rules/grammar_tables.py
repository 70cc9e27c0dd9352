"""Closed classes of words, and common verbs: what the shape of a clause is told by; data for `shape`."""

from __future__ import annotations

from langgraph_memory.consolidation.rules.words import word_set

BE_NOW = word_set("am is are")
HAVE = word_set("has have")
MODALS = word_set("must should shall can could may might will would ought cannot")
DO = word_set("do does")
PRONOUNS = word_set(
    "i we you they he she it everyone everybody someone somebody nobody anybody anyone who one"
)
DETERMINERS = word_set(
    "the a an my our your his her its their this that these those some any no every each all"
)
PREPOSITIONS = word_set("""
    of for from in on at with by to about over under into onto through without via behind around within
    since during after before between against off out up down as like than
""")
ADVERBS = word_set("""
    still also just never always really only all both often usually currently now already even then ever quite
    actually simply merely mostly mainly sometimes rarely hardly barely again too very so well not yet soon
    kind sort rather pretty totally completely absolutely fully basically literally
""")
FILLERS = word_set(
    "and but so also well then or plus yet please anyway though because since as , ; : \u2014 ... !"
)

PAST = word_set("""
    was were had did went came got gave took made said saw found left lost kept held put set ran sent built
    bought brought broke began became fell felt grew heard knew led let met paid read rose sold spent stood
    thought told threw understood woke wore wrote won caught chose drew drove flew forgot froze hid hit hung
    laid lay meant rang sang sank shook shot shut slept spoke stole struck swam taught tore cost hurt spilled
    leapt learnt burnt sped spun slid dealt bid cut crept fought forbade swore lent bore beat
""")
_BASES = """
    add act adjust agree aim allow answer appear apply approve argue arrive ask attend back bear beat begin
    believe     belong bill blink block boot borrow bother break bring build burn buy call care carry
    catch cause change
    charge chat check choose claim clean clear click climb close collect come compare compile complain
    complete concern connect consider consist contain continue control cook cope copy cost count cover crash
    create cross cry cut deal decide define deliver demand deny depend deploy describe deserve die differ
    discuss display dispute do draw dream drink drive drop eat email enjoy exist expect expire explain face
    fail fall fear feed feel fetch fight fill finance find finish fit fix flow fly follow forget format
    forward freeze gather generate get give glow go grow guess handle hang happen hate have hear help hide
    hit hold hope host house hum hurt import improve include insist install intend invite join jump keep kill
    know lack last laugh lead lean learn leave let lie like link list listen live load log look lose love
    maintain make manage match matter mean measure meet mention mind miss move need notice obey object occur
    offer bump rename raise lower increase decrease replace correct fill open operate order owe own park
    pass pay perform pick plan play point power prefer prepare present
    preserve process produce promise protect prove provide publish pull push put query raise reach read
    realise realize receive recognise record reduce refer relate relay rely remain remember rent repeat
    replace reply report represent request require rest return review ring rise route run save say scale
    schedule search secure see seem sell send serve share ship show sign sing sit sleep smell sound speak
    spend spin split stand start state stay stop store stream study suffer suggest suit supply support
    suppose suspect swear take talk teach tell tend test thank think throw tie time touch track train travel
    treat try turn type understand update upgrade use wait wake walk want warn wash waste watch wear weigh
    win wish wonder work worry write yield monitor inspect examine demo teach bounce shelter fund sponsor
    bank hinge trust respect value cherish inherit lend lease book reserve stick crunch render compute serve
    feature sync back mirror depend graze nest breed roost ferment cure dry age mature
"""
BASES = word_set(_BASES)


def _third(base: str) -> str:
    if base in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[base]
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith(("s", "sh", "ch", "x", "z")) else f"{base}s"


THIRD = frozenset(map(_third, BASES))

PEOPLE = word_set("""
    people customers customer clients client users user team teams colleague colleagues folks everyone
    everybody somebody someone kids kid children twins family mother father mom mum dad parents daughter son
    sister brother wife husband partner boss manager intern interns student students finance legal marketing
    sales security support auditors auditor lawyers lawyer board lab hospital hospitals vendors suppliers
    partners grandma grandpa grandmother grandfather aunt uncle nephew niece cousin friend friends guests
    patients patient doctors nurses pilots drivers tenants neighbours neighbors school schools clinic crew
    scientists researchers analysts accountants accounting compliance procurement professor court police
    regulator regulators insurance insurer tax judge city council union press hr dispatchers dispatch
    volunteers members owner owners they he she us me them him half choir band club class
""")
"""Those for whom a thing may matter."""

ACTS = word_set("""
    asked told promised agreed wanted insisted begged swore forbade reserved booked lent borrowed claimed
    ordered instructed requested demanded decided signed pledged leased rented committed assured guaranteed
    warned objected complained vetoed urged arranged earmarked inherited banned
""")
"""What somebody did in the past that binds now."""

COGNITION = word_set("""
    think know guess remember see saw notice hear wonder mean suppose believe forget find call pay like love
    hate enjoy prefer mention talk read recall understand imagine agree recognise recognize get figure reckon
    doubt feel look bought paid noticed made chat thank appreciate admire miss
""")
"""What I or we do with a thing that asks nothing of others."""

UNREACHED = COGNITION | word_set("open reach log login connect access ping tell say complain load install")
"""What I may be unable to do without asking for anything."""

GUARDS = word_set("""
    keep leave hold wait trust respect mind watch treat value cherish stick share rely depend stay obey
    protect
    preserve reserve maintain secure save spare avoid stand sit let continue expect tie sleep worry care
""")
"""Commands that ask to look after a thing, or to let it be."""

PRAISE = word_set("""
    thanks thank nice great good well lovely cool kudos congrats congratulations hooray wow welcome hello hi
    bravo awesome brilliant excellent fantastic hurray yay love ha haha fun funny interesting amazing sweet
    impressive perfect neat glad happy
""")
"""How thanks, praise and delight begin."""

HELD_AS = word_set("""
    owned used needed required reserved protected locked frozen claimed booked promised earmarked assigned
    leased rented shared wanted loved cherished disputed contested pledged spoken guarded watched borrowed
    lent loaned embargoed sealed subpoenaed insured committed dedicated entrusted tied bound occupied
    attached expected scheduled due mid-flight quarantined blocked paused suspended postponed delayed held
    investigated reviewed audited litigated
""")
"""What a thing is that somebody has a claim on, or that is in the middle of something."""

IDLE_OBJECTS = word_set("""
    getting costing eating using burning wasting showing logging throwing reporting looking growing losing
    making consuming leaking drawing producing emitting having
""")
"""What a thing may be busy with by itself, object and all."""

FOUND_IN_IT = word_set("""
    bug bugs typo typos note notes question questions spike spikes alert alerts warning warnings graph graphs
    dashboard ticket tickets version versions update updates entry entries page pages report error errors
    disk disks news nothing problem problems picture pictures photo joke reason way sticker label comment
    comments dent scratch smell noise bit lot
""")
"""What may be there, in or about a thing, and asks nothing of anybody."""

ALARMS = word_set("""
    not no never none nobody nothing only except excluding but until unless first hands careful off mine ours
    evidence wait stop hold keep leave later instead without before please yet
""")
"""Words that make more of a few words than a name."""

STAYS_PUT = word_set("""
    move leave change go get budge stop ship happen end expire close get come belong allow permit
""")
"""What is said not to happen where it is not to."""

PLAIN_STATES = word_set("""
    long big large small slow fast quick old new bad great good nice cheap expensive down up running online
    offline broken busy idle working responding a an the much many very that as pretty beautiful cold warm hot
    clear interesting fun happy empty full high low loud quiet sure aware there here public documented used
    needed in on at from affected concerned involved meant included
""")
"""What a thing may be said not to be without anything following from it."""

IN_THE_MIDST = word_set("""
    use mourning progress flight limbo dispute hospital court question transit flux review talks session
    danger custody surgery play escrow demand vacation labour labor quarantine
""")
"""What somebody or something is in the middle of."""

FEELINGS = word_set("""
    curious wondering looking thinking excited keen thrilled delighted grateful happy glad impressed sure
    aware pleased proud tired fed back new reading
""")
"""What the speaker is."""

COMPLETES = word_set("""
    finished completed exported backed reviewed checked tested approved signed decided confirmed cleared
    migrated moved copied saved cashed agreed paid
""")
"""What somebody may not have done with a thing as yet."""

TALLIES = word_set("match add agree fit tally work reconcile balance")
"""What figures do that are right."""

LASTING = word_set("stays stay remains remain belongs matters means waits awaits pends")
"""What lasts, or is waited for."""

HAS_OF_IT = word_set("job jobs deadline guests visitors meaning until batch experiment experiments queue")
"""What a thing has that would be lost with it."""

CONSEQUENCES = word_set("would could might means will is breaks costs hurts kills ruins gets makes leaves")
"""With what it would mean to do something, verbs of."""

GAINS = word_set("""
    save saves saved fine nice great good okay ok safe easy simple quick help helps free frees fun better best
    trivial cheap straightforward allowed welcome
""")
"""What speaks for doing something."""
