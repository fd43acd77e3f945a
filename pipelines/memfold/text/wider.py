"""Words that go with others: "dad" is "father" too, who has a tortoise has a pet, "saw" is "see", and "neighbour" is
"neighbor".

Small closed tables in English and Chinese, of kinship, of a few everyday kinds and of irregular verbs: no package that
is installed brings a larger one. What was said is widened, not what is asked: a tortoise is a pet, and a pet need be no
tortoise. Knows nothing of sentences, questions or searching.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from functools import cache, lru_cache

from memfold.text.terms import terms

# A line of kinship: words for one person, and behind the colon what such a person is too. Of a kind: its names, and
# behind the colon what is of it. A word is one term: in Chinese one or two characters.
_KIN = """
    father dad daddy papa: parent
    mother mom mum mommy mummy mama: parent
    parent:
    brother: sibling
    sister: sibling
    sibling:
    son:
    daughter:
    husband hubby: spouse
    wife: spouse
    spouse:
    grandfather grandpa granddad grandad: grandparent
    grandmother grandma granny: grandparent
    grandparent:
    aunt auntie:
    uncle:
    cousin:
    nephew:
    niece:
    爸 父亲 爸爸 爹: 父母
    妈 母亲 妈妈: 父母
    父母 爸妈:
    哥哥 我哥 他哥 她哥: 兄弟
    弟弟 我弟 他弟 她弟: 兄弟
    兄弟:
    姐姐 我姐 他姐 她姐: 姐妹
    妹妹 我妹 他妹 她妹: 姐妹
    姐妹:
    儿子:
    女儿 闺女:
    丈夫 老公: 爱人
    妻子 老婆 太太: 爱人
    爱人 配偶:
    爷爷 祖父:
    奶奶 祖母:
    外公 姥爷:
    外婆 姥姥:
    叔叔:
    舅舅:
"""
_KINDS = """
    child kid children: son daughter
    pet animal: tortoise turtle cat kitten dog puppy hamster rabbit bunny parrot budgie canary goldfish ferret gecko
    vehicle: car van truck motorbike motorcycle scooter
    instrument: guitar piano violin cello flute drum trumpet saxophone clarinet ukulele
    孩子 小孩: 儿子 女儿 闺女
    宠物 动物: 乌龟 猫 狗 仓鼠 兔子 鹦鹉 金鱼 蜥蜴
    乐器: 吉他 钢琴 提琴 长笛 古筝 二胡
"""
# The stemmer leaves these as they are. Those that stand in most sentences ("get", "make", "take", "go") tell nothing.
_VERBS = """
    beat beaten; become became; begin began begun; bend bent; bet; bind bound; bite bit bitten; bleed bled
    blow blew blown; break broke broken; breed bred; bring brought; build built; burn burnt; buy bought
    catch caught; choose chose chosen; cling clung; cost; creep crept; cut; deal dealt; dig dug; draw drew drawn
    dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt
    fight fought; find found; fly flew flown; forbid forbade forbidden; forget forgot forgotten
    forgive forgave forgiven; freeze froze frozen; give gave given; grow grew grown; hang hung; hear heard
    hide hid hidden; hold held; keep kept; kneel knelt; know knew known; lay laid; lead led; learn learnt
    leave left; lend lent; lose lost; mean meant; meet met; pay paid; prove proven; quit; ride rode ridden
    ring rang rung; rise rose risen; run ran; see saw seen; seek sought; sell sold; send sent; sew sewn
    shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk
    sit sat; sleep slept; smell smelt; speak spoke spoken; spend spent; spill spilt; spin spun; spoil spoilt
    stand stood; steal stole stolen; stick stuck; sting stung; strike struck; swear swore sworn; sweep swept
    swim swam swum; swing swung; teach taught; tear tore torn; tell told; think thought; throw threw thrown
    understand understood; wake woke woken; wear wore worn; weep wept; win won; write wrote written
    withdraw withdrew withdrawn
"""
# People who write both English and Chinese ask in one language about messages in the other. A line holds English words
# and, behind the colon, Chinese words with the same meaning.
_ACROSS = """
    deadline due: 截止日期 期限
    run running jogging: 跑步 晨跑
    visit coming: 来访 探望 过来 飞来 来看 来不了
    prefer: 喜欢
    birthday: 生日
    salary: 工资 薪水
    rent: 房租 租金
    budget: 预算
    price: 价格
    gym: 健身房
    quit cancel: 退了 退掉 取消
    restaurant: 餐厅 饭店
    hotel: 酒店
    flight: 航班 机票
    trip travel: 旅行 旅游
    wedding: 婚礼
    exam: 考试
    results score: 成绩
    interview: 面试
    meeting: 会议 开会
    doctor: 医生
    allergic allergy: 过敏
    weight: 体重
    address: 地址
    password: 密码
"""


# Parts of words that British and American English spell in different ways, beside the `_ENDINGS`. "Cheque" is left out:
# "check" is another word too.
_PARTS = """
    centre center; theatre theater; metre meter; litre liter; fibre fiber; calibre caliber; sombre somber
    grey gray; catalogue catalog; dialogue dialog; defence defense; offence offense; licence license
    practise practice; programme program; jewellery jewelry; tyre tire; pyjamas pajamas; cosy cozy; kerb curb
    moustache mustache; doughnut donut; aluminium aluminum; plough plow; sceptic skeptic; mould mold
    yoghurt yogurt; aeroplane airplane; maths math; omelette omelet; judgement judgment
    paediatr pediatr; orthopaed orthoped; anaesth anesth; anaem anem; gynaec gynec; oestrogen estrogen
    diarrhoea diarrhea; manoeuv maneuv; leukaem leukem; enrol enroll; fulfil fulfill; skilful skillful
"""


def widened(found: Set[str]) -> frozenset[str]:
    """The terms of a text, and those of what its words are too."""
    return _with(found, _also())


def respelt(text: str) -> frozenset[str]:
    """The terms of a text's words in their other spelling, British or American."""
    return frozenset().union(*map(_respelt, _LONG_WORD.findall(text)))


def across(found: Set[str]) -> frozenset[str]:
    """The terms of a text, and those of its words in the other language, for a question in that language."""
    return _with(found, _other())


def _with(found: Set[str], also: Mapping[str, frozenset[str]]) -> frozenset[str]:
    known = found & also.keys()
    return frozenset(found).union(*(also[term] for term in known)) if known else frozenset(found)


def of_another(asked: Set[str], told: Set[str]) -> bool:
    """Whether both name relatives, and none of those that one names is, or may be, one of the other's: the mother is
    asked for and the father told of. Of parents both may be."""
    one, other = (text & _kin() for text in (asked, told))
    return bool(one and other) and widened(one).isdisjoint(other) and widened(other).isdisjoint(one)


@cache
def _also() -> dict[str, frozenset[str]]:
    """By a word's term those of the words that go with it."""
    found: dict[str, set[str]] = {}
    for same, behind in _lines(_KIN):
        for word in same:
            found.setdefault(word, set()).update(behind, *map(terms, same))
    for kinds, members in _lines(_KINDS):
        for word in members:
            found.setdefault(word, set()).update(*map(terms, kinds))
    for verb in _VERBS.replace("\n", ";").split(";"):
        forms = set(terms(verb))
        for form in forms:
            found.setdefault(form, set()).update(forms)
    return {word: frozenset(also) for word, also in found.items()}


@cache
def _other() -> dict[str, frozenset[str]]:
    """For the term of a word: the terms of its translations."""
    found: dict[str, set[str]] = {}
    for line in _ACROSS.strip().splitlines():
        english, _, chinese = (part.split() for part in line.partition(":"))
        for one, other in ((english, chinese), (chinese, english)):
            for word in one:
                found.setdefault(_term(word), set()).update(*map(terms, other))
    return {word: frozenset(also) for word, also in found.items()}


@cache
def _kin() -> frozenset[str]:
    return frozenset(word for same, _ in _lines(_KIN) for word in same)


@lru_cache(maxsize=32_768)
def _respelt(word: str) -> frozenset[str]:
    word = word.lower()
    others = {ending.sub(other, word) for ending, other in _ENDINGS}
    others |= {word.replace(part, other) for part, other in _parts() if part in word}
    # "Advise" and "vendor" get a spelling that nobody asks for.
    return frozenset(term for other in others - {word} for term in terms(other))


@cache
def _parts() -> list[tuple[str, str]]:
    pairs = [pair.split() for pair in _PARTS.replace("\n", ";").split(";") if pair.strip()]
    return [(part, other) for one, two in pairs for part, other in ((one, two), (two, one))]


def _lines(table: str) -> Iterator[tuple[list[str], list[str]]]:
    """The words before and behind each colon, as terms."""
    for line in table.strip().splitlines():
        before, _, behind = line.partition(":")
        yield [*map(_term, before.split())], [*map(_term, behind.split())]


def _term(word: str) -> str:
    return max(terms(word), key=len)


_LONG_WORD = re.compile(r"[A-Za-z]{4,}", re.ASCII)
_OUR = r"(?=(?:s|ed|ing|ites?|ful|hoods?|able|less|ers?|ly|al)?$)"
_ISE = r"(?=(?:e[sdr]?|ers|ing|ations?|able)$)"
# Endings and what the other spelling puts for their beginning: colour, neighbourhood, behaviour; organise,
# organisation; analyse.
_ENDINGS = tuple(
    (re.compile(pattern), other)
    for pattern, other in (
        (rf"(?:(?<=[bdglmnpv])|(?<=vi))our{_OUR}", "or"),
        (rf"(?:(?<=[bdglmnpv])|(?<=vi))or{_OUR}", "our"),
        (rf"(?<=\w{{3}})is{_ISE}", "iz"),
        (rf"(?<=\w{{3}})iz{_ISE}", "is"),
        (r"(?<=al)ys(?=e[sdr]?$|ing$)", "yz"),
        (r"(?<=al)yz(?=e[sdr]?$|ing$)", "ys"),
    )
)
