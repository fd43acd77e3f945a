from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memfold.context.readers.extractive import Extractive
from memfold.context.readers.quoting import abstain, support
from memfold.context.readers.quoting.asked import wanted
from memfold.context.readers.quoting.frames import FRAMES, frame
from memfold.context.readers.quoting.reading import read
from memfold.context.readers.quoting.worth import states_nothing
from memfold.context.sections.counts import RECKONED
from memfold.context.types import Context, Filled, Piece
from memfold.embed.minilm import MiniLM
from memfold.errors import UserError
from memfold.retrieve.ranking import Hit
from support.retrieve_samples import words

SAID = [
    (3, "user", "The sourdough starter lives in the cellar. It smells of apples."),
    (5, "assistant", "A sourdough starter needs feeding. Keep it warm."),
    (7, "user", "My budget for the garden is 400 euros. The fence is green."),
    (9, "user", "我把签证材料放在蓝色文件夹里了。下周去银行。"),
]


def by_words(texts: Sequence[str]) -> NDArray[np.float32]:
    """An embedder without a model: texts are near that share words."""
    vectors = np.zeros((len(texts), 4096), np.float32)
    for row, text in zip(vectors, texts, strict=True):
        for word in words(text):
            row[zlib.crc32(word.encode(errors="replace")) % 4095] += 1
        row[4095] = not row.any()
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def context(*best: int, said: Sequence[tuple[int, str, str]] = SAID) -> Context:
    """Of what was said; the exchanges in `best` lead the hits."""
    days = {e: f"2024-03-{e % 28 + 1:02}" for e, _, _ in said}
    pieces = tuple(Piece(e, (f"m{e}",), role, text, days[e]) for e, role, text in said)
    page = "".join(f"{days[e]}\n[{e}] {text.splitlines()[0] if text else ''}\n" for e, _, text in said)
    order = [*best, *dict.fromkeys(e for e, *_ in said if e not in best)]
    hits = tuple(Hit(e, (f"m{e}",), 3.0 - rank, "", {}) for rank, e in enumerate(order))
    worked = frozenset(piece.exchange_id for piece in pieces if piece.role == "tool")
    return Context("", 0, (Filled("Closest exchanges", page, (), 0, pieces),), hits, worked=worked)


def cited(reader: Extractive, question: str, context: Context) -> list[int]:
    return [citation.exchange_id for citation in reader.read(question, context, by_words).citations]


@pytest.mark.parametrize(
    ("question", "span", "exchange"),
    [
        ("Where does the sourdough starter live?", SAID[0][2], 3),
        ("Can you remind me what my garden budget is?", SAID[2][2], 7),
        ("我的签证材料放在哪里?", SAID[3][2], 9),
    ],
)
def test_an_answer_is_a_short_message_with_its_place(question: str, span: str, exchange: int) -> None:
    answer = Extractive(spans=1).read(question, context(exchange), by_words)
    assert f"2024-03-{exchange + 1:02}: “{span}” [{exchange}]" in answer.text
    assert [(c.exchange_id, c.message_ids, c.quote) for c in answer.citations] == [
        (exchange, (f"m{exchange}",), span)
    ]
    assert answer.usage["support"] > 0.2


@pytest.mark.parametrize(
    ("message", "quote"),
    [
        (
            "Hello! The fence is green. My budget for the garden is 400 euros. It was 300. Can you draw a plan?",
            "The fence is green. My budget for the garden is 400 euros. It was 300.",
        ),
        (
            "My budget for the garden is 400 euros.\nThe fence is green.",
            "My budget for the garden is 400 euros.",
        ),
        (
            f"My budget for the garden is 400 euros. {'The fence is green and old. ' * 16}",
            "My budget for the garden is 400 euros.",
        ),
    ],
    ids=["without what it asks", "not over lines", "not if it is long"],
)
def test_the_best_sentence_stands_with_what_else_its_message_states(message: str, quote: str) -> None:
    answer = Extractive(spans=1).read(
        "What is my garden budget?", context(said=[(7, "user", message)]), by_words
    )
    assert [each.quote for each in answer.citations] == [quote]


TALK = [
    (1, "user", "Ann: The garden is lovely, I planted forty red tulips."),
    (2, "user", "Bob: How often do you water the tulips?"),
    (3, "user", "Ann: Twice a week."),
    (4, "user", "Bob: My balcony has three cactuses. Their pots are blue."),
    (5, "user", "Ann: Nice!"),
]


def talk(*said: tuple[int, str, str]) -> Context:
    return replace(context(said=said or TALK), speakers=frozenset(["Ann", "Bob"]))


def test_a_quote_names_who_of_several_users_said_it_and_stays_verbatim() -> None:
    answer = Extractive().read("Which cactuses are on the balcony?", talk(), by_words)
    assert answer.text.splitlines()[1] == f"- 2024-03-05, Bob: “{TALK[3][2][5:]}” [4]"
    assert answer.citations[0].quote == TALK[3][2][5:]
    alone = replace(talk(TALK[3]), speakers=frozenset(["Bob"]))
    answer = Extractive().read("Which cactuses are on the balcony?", alone, by_words)
    assert answer.text.splitlines()[1] == f"- 2024-03-05: “{TALK[3][2][5:]}” [4]"


def test_a_reply_stands_behind_its_question() -> None:
    answer = Extractive(spans=1).read("How often do you water the tulips?", talk(), by_words)
    assert answer.text.splitlines()[1:] == [
        "- 2024-03-03, Bob: “How often do you water the tulips?” [2]",
        "- 2024-03-04, Ann: “Twice a week.” [3]",
    ]
    assert [each.exchange_id for each in answer.citations] == [2, 3]


@pytest.mark.parametrize(
    ("question", "nearest"),
    [
        ("How many cactuses has Ann on the balcony?", "Bob"),
        ("How many cactuses has Bob on the balcony?", None),
        ("How many cactuses are on the balcony?", None),
        ("How many cactuses has the balcony of Bob for Ann?", None),
    ],
)
def test_what_one_user_said_of_themselves_is_no_answer_about_another(
    question: str, nearest: str | None
) -> None:
    answer = Extractive().read(question, talk(), by_words)
    assert ("was said by Bob" in answer.text) == (nearest == "Bob")
    assert bool(answer.citations) == (nearest is None)


def test_what_is_said_of_the_named_user_answers_too() -> None:
    said = (4, "user", "Bob: On her balcony Ann has three cactuses.")
    answer = Extractive().read("How many cactuses has Ann on the balcony?", talk(TALK[0], said), by_words)
    assert answer.text.splitlines()[1] == "- 2024-03-05, Bob: “On her balcony Ann has three cactuses.” [4]"


def test_what_is_embedded_ahead_is_what_is_read_later() -> None:
    embedded = set[str]()

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        embedded.update(texts)
        return by_words(texts)

    question = "How often do you water tulips?"
    Extractive().read(question, talk(), encode)
    assert "Twice a week." in embedded
    ahead = set(Extractive().compared([text for *_, text in TALK], ["Ann", "Bob"]))
    assert {text for text in embedded if text not in question} <= ahead


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Which airline did Marta fly with?", FRAMES["en"].nothing),
        ("去东京的航班是几点起飞?", FRAMES["zh"].nothing),
    ],
)
def test_it_says_so_when_the_evidence_is_not_there(question: str, says: str) -> None:
    answer = Extractive().read(question, context(), by_words)
    assert (answer.text, answer.citations) == (says, ())


def test_a_cat_that_nobody_spoke_of_is_not_answered_with_what_else_was_said_of_home() -> None:
    said = [(1, "user", "我家最近在装修，每天很晚才回家"), (2, "user", "周末在家看书")]
    question = "我家的猫多大了？"
    assert Extractive().read(question, context(said=said), by_words).text == FRAMES["zh"].nothing
    told = [*said, (4, "user", "我家的猫今年三岁")]
    assert cited(Extractive(), question, context(said=told))[-1] == 4


@pytest.mark.parametrize(
    ("question", "said", "newest"),
    [
        # A stock is no price, and a price is none of what else was bought.
        ("货架现在多少钱一个？", ("货架现在75一个", "仓库货架现在一共28个"), None),
        ("货架现在多少钱一个？", ("货架现在75一个", "货架现在82一个了"), 2),
        # What was done on one day is no habit, and a new habit is one.
        ("我现在一天做多少个俯卧撑？", ("我每天做30个俯卧撑", "今天俯卧撑只做了12个"), None),
        ("我现在一天做多少个俯卧撑？", ("我每天做30个俯卧撑", "俯卧撑改成每天45个"), 2),
        # The day is somebody's coming, and not that of the thing.
        ("我哪天体检？", ("体检改到5月19号了", "我姐说陪我体检 5月18号到杭州"), None),
        ("我哪天体检？", ("体检改到5月19号了", "体检又改到5月23号了"), 2),
    ],
)
def test_a_newer_value_in_chinese_is_of_the_unit_and_the_thing_that_are_asked_for(
    question: str, said: tuple[str, str], newest: int | None
) -> None:
    others = ("周末去看了一场话剧", "楼下新开了一家面馆", "阳台的茉莉开花了", "同事送了我两张票")
    told = [(n, "user", text) for n, text in enumerate((*said, *others), start=1)]
    text = Extractive().read(question, context(1, said=told), by_words).text
    title, day = FRAMES["zh"].newest, f"2024-03-{newest and newest + 1:02}" if newest else ""
    assert (title in text) is (newest is not None)
    assert newest is None or text.startswith(f"{title}\n- {day}")


def test_a_short_list_that_the_assistant_gave_in_chinese_is_quoted_to_its_last_item() -> None:
    said = [
        (1, "user", "给我列个搬家清单"),
        (1, "assistant", "可以这样：\n1. 胶带\n2. 一个大号纸箱\n3. 标签"),
    ]
    text = Extractive().read("搬家清单你建议的是什么？", context(1, said=said), by_words).text
    assert all(item in text for item in ("胶带", "纸箱", "标签"))


def test_an_order_of_things_in_chinese_leaves_out_what_shares_nothing_with_it() -> None:
    off = (
        "外面下雨了",
        "电影不好看",
        "买了双拖鞋",
        "猫打翻了杯子",
        "地铁晚点",
        "牛奶喝完了",
        "闹钟坏了",
        "借了本小说",
    )
    of = ("厨房先铺了瓷砖", "厨房的水管换好了", "厨房装了柜子", "厨房换了灯")
    texts = [text for pair in zip(of, off[:4], strict=True) for text in pair] + [*off[4:]]
    said = [(n, "user", text) for n, text in enumerate(texts, start=1)]
    text = Extractive().read("厨房装修的先后顺序是什么？", context(said=said), by_words).text
    assert all(each in text for each in of)
    assert sum(each in text for each in off) <= 2


def test_an_order_that_names_what_is_to_be_explained_binds_where_nothing_else_is_told() -> None:
    said = [(1, "instruction", "以后讲公式都要配一张图"), (2, "user", "今天下雨")]
    text = Extractive().read("给我讲讲勾股定理的公式", context(said=said), by_words).text
    assert "配一张图" in text
    assert "配一张图" not in Extractive().read("给我讲讲唐朝的诗人", context(said=said), by_words).text


OTHERS = {
    "de": (
        [
            "Wir haben uns gegen den Keller entschieden, weil das Grundwasser zu hoch steht.",
            "Die Wärmepumpe liefert Firma Brandt, mit Einbau.",
            "Unsere Architektin rät zu einem Holzrahmenbau.",
        ],
        "Warum bauen wir keinen Keller?",
        "Welches Auto fährst du?",
    ),
    "ar": (
        [
            "امتحان التشريح يوم 18 آذار في القاعة الكبرى.",
            "أختي سارة تزوجت وسافرت إلى تونس.",
            "أحتاج نظارة جديدة لأن نظري ضعف كثيرا.",
        ],
        "متى امتحان التشريح؟",
        "كم ثمن السيارة؟",
    ),
    "ru": (
        [
            "Мы переезжаем в Казань в июне, квартира на улице Баумана.",
            "Кошку зовут Муся.",
            "Врач сказал, что колено заживёт за две недели.",
        ],
        "Когда мы переезжаем в Казань?",
        "Сколько стоит машина?",
    ),
    "ko": (
        ["우리는 6월에 부산으로 이사합니다.", "고양이 이름은 나비입니다.", "의사가 무릎은 2주면 낫는다고 했어요."],
        "언제 부산으로 이사합니까?",
        "자동차 색깔?",
    ),
    "el": (
        [
            "Μετακομίζουμε στη Θεσσαλονίκη τον Ιούνιο.",
            "Η γάτα λέγεται Μαύρη.",
            "Ο γιατρός είπε δύο εβδομάδες για το γόνατο.",
        ],
        "Πότε μετακομίζουμε στη Θεσσαλονίκη;",
        "Πόσο κοστίζει αυτοκίνητο;",
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_said_in_another_language_is_quoted_and_only_what_no_word_leads_to_refused(
    language: str,
) -> None:
    said, question, strange = OTHERS[language]
    page = context(0, said=[(n, "user", text) for n, text in enumerate(said)])
    answer = Extractive(spans=1).read(question, page, MiniLM().encode)
    assert [(c.exchange_id, c.quote) for c in answer.citations] == [(0, said[0])]
    assert Extractive().read(strange, page, MiniLM().encode).citations == ()


def test_what_happened_need_not_be_said_to_have_happened() -> None:
    said = "Yesterday the frost killed all my courgette seedlings."
    page = context(
        0, said=[(0, "user", said), (1, "user", "I bought 12 bags of compost at Miller's for 84 dollars.")]
    )
    answer = Extractive(spans=1).read("What happened to the courgettes?", page, MiniLM().encode)
    assert [c.quote for c in answer.citations] == [said]


def test_a_note_makes_the_words_it_was_made_from_no_commoner() -> None:
    notes = [(7, "fact", f"garden budget = 400 euros, part {n}") for n in range(3)]

    def weights(said: Sequence[tuple[int, str, str]]) -> dict[str, float]:
        page = context(7, said=said)
        query = page.query("Who pays for the garden?")
        return read(Extractive(), frame("en"), query, wanted(query), page).weight

    assert weights([*SAID, *notes]) == weights(SAID)
    assert weights([*SAID, (8, "user", "The garden is behind the house.")]) != weights(SAID)


def test_a_question_most_of_which_nothing_said_comes_near_to_is_not_answered() -> None:
    known, unknown = "Where does the sourdough starter live?", "Which airline sells the opera tickets?"
    assert cited(Extractive(), known, context())
    assert not cited(Extractive(), unknown, context())
    assert cited(Extractive(noun_threshold=0, strange_threshold=0), unknown, context())


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What structure did you suggest for the vow?", True),
        ("What is the structure of the vow?", False),
    ],
)
def test_what_was_suggested_need_not_hold_the_noun_that_is_asked_for(question: str, found: bool) -> None:
    said = [(1, "user", "Help me with the vow."), (1, "assistant", "For the vow I suggest three promises.")]
    reader = Extractive(strange_threshold=0)
    assert bool(cited(reader, question, context(1, said=said))) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which flavour is the cake?", True),
        ("What is the weight of the parcel?", False),
    ],
)
def test_what_is_of_a_kind_need_not_name_the_kind(question: str, found: bool) -> None:
    said = [(1, "user", "The cake is lemon and elderflower."), (2, "user", "It rains.")]
    assert bool(cited(Extractive(), question, context(1, 2, said=said))) == found


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("What specific criteria did I use to choose the tent?", "criteria"),
        ("Could you share the agenda or structure of the sessions?", "agenda"),
        ("Can you tell me more about the teacher’s qualifications?", "qualifications"),
        ("What are the key points Carla covered?", "points"),
        ("What activity did we do on Sunday?", None),
        ("What inspired me to paint?", None),
        ("Where is the key?", None),
    ],
)
def test_the_noun_that_is_asked_for(question: str, noun: str | None) -> None:
    assert abstain.head(question) == noun


def test_what_is_asked_of_a_thing_must_be_spoken_of_and_not_the_thing_alone() -> None:
    said = [
        (1, "user", "The theme of the workshop with Michele was rhetoric."),
        (2, "user", "The boiler is red."),
    ]
    known, unknown = (
        "What is the theme of the workshop?",
        "What was the syllabus of the workshop with Michele?",
    )
    assert cited(Extractive(), known, context(said=said))
    assert not cited(Extractive(), unknown, context(said=said))
    assert cited(Extractive(noun_threshold=0), unknown, context(said=said))


def test_where_no_sentence_has_a_measure_nothing_tells_it(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [
        (1, "user", "The Harbour Lane choir pays for its rooms in the old mill."),
        (2, "user", "What the Harbour Lane choir has to pay goes to the miller."),
        (3, "user", "The boiler is red."),
    ]
    question = "How much does the Harbour Lane choir pay for its rooms in the old mill?"
    assert not cited(Extractive(), question, context(said=said))
    told = [*said, (4, "user", "For its rooms the Harbour Lane choir pays $900.")]
    assert cited(Extractive(), question, context(said=told))
    monkeypatch.setattr(support, "exact", lambda *_: False)
    monkeypatch.setattr(support, "untold", lambda *_: False)
    assert cited(Extractive(), question, context(said=said))


STEPS = [
    (3, "user", "How do I paint the fence of the garden?"),
    (3, "assistant", "First wash the fence well. Then sand the boards by hand. Paint them twice in May."),
    (7, "user", "The fence of the garden is green."),
]


@pytest.mark.parametrize(
    "question", ["How did you recommend painting the fence?", "How did I paint the fence?"]
)
def test_what_the_assistant_laid_out_is_quoted_in_its_order(question: str) -> None:
    text = Extractive().read(question, context(3, 7, said=STEPS), by_words).text
    assert -1 < text.find("wash the fence") < text.find("sand the boards") < text.find("Paint them twice")
    plain = Extractive().read("Which colour does the fence have?", context(7, 3, said=STEPS), by_words).text
    assert "sand the boards" not in plain


@pytest.mark.parametrize("question", ["我失眠你给过我什么建议？", "失眠你当时都建议了什么？"])
def test_all_items_of_what_was_advised_are_quoted(question: str) -> None:
    said = [
        (1, "user", "最近失眠，总是半夜醒"),
        (1, "assistant", "可以试试：\n1. 睡前不看手机\n2. 写下明天的事\n3. 午后不喝浓茶"),
        (2, "user", "房租又涨了，怎么办"),
        (2, "assistant", "建议先问问邻居。\n- 查查附近的租金\n- 提出签两年"),
    ]
    answer = Extractive().read(question, context(said=said), by_words)
    assert [each.quote for each in answer.citations][-3:] == ["睡前不看手机", "写下明天的事", "午后不喝浓茶"]


def test_advice_is_looked_for_where_it_was_asked_for() -> None:
    said = [
        (2, "user", "How do I look after the database?"),
        (2, "assistant", "I'd recommend a backup every night. I'd recommend to test it once a month."),
        (4, "user", "We have two machines now: which cache for the bookings?"),
        (4, "assistant", "Then Redis, with thirty seconds."),
    ]
    question = "What did you recommend as a cache for our two machines?"
    assert "Redis" in Extractive().read(question, context(4, 2, said=said), by_words).text


def test_advice_that_is_asked_for_is_what_was_answered_before() -> None:
    said = [
        (2, "user", "I want to keep the bookings in a cache, it must survive a restart."),
        (2, "assistant", "Take Redis for the bookings. Set a limit of thirty seconds. Write it to the disk."),
        (4, "user", "The bookings are many."),
        (4, "assistant", "Nice boats need many bookings."),
    ]
    asked = "How should I set up a cache for the bookings?"
    answer = Extractive().read(asked, context(2, 4, said=said), by_words).text
    assert "I want to keep the bookings in a cache" in answer
    assert answer.endswith("assistant: “Write it to the disk.” [2]")
    assert answer.count("Take Redis") == 1
    off = [*said[:1], (2, "assistant", "Noted. It rains on the boats today."), *said[2:]]
    assert "rains" not in Extractive().read(asked, context(2, 4, said=off), by_words).text


CODE = """I have some code for the login.
```python
def register(name):
    store(name)

def login(name):
    check(name)
```
What is missing in it?"""


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Can you show me how to implement the login?", True),
        ("Which code did you suggest for the login?", True),
        ("How should I test the login?", False),
        ("Can you show me how to implement the ferry timetable of the login?", False),
    ],
)
def test_code_is_quoted_where_code_is_asked_for(question: str, shown: bool) -> None:
    said = [
        (2, "user", CODE),
        (2, "assistant", "I'd suggest to count the tries of a login."),
        (4, "user", "The ferry timetable is on the wall."),
    ]
    found = context(2, said=said)
    answer = Extractive().read(question, found, by_words)
    block = CODE[CODE.index("```") : CODE.rindex("\n```")]
    assert (f"[2]:\n{block}\n```" in answer.text) is shown
    assert (block in [citation.quote for citation in answer.citations]) is shown


def test_long_code_is_cut_at_the_end_of_a_line() -> None:
    said = [(2, "user", CODE.replace("login", "logout").replace("register", "login"))]
    asked = "Can you show me how to implement the login?"
    answer = Extractive(characters=110).read(asked, context(2, said=said), by_words)
    assert "[2]:\n```python\ndef login(name):\n    store(name) …\n```" in answer.text


@pytest.mark.parametrize(
    ("later", "shown"),
    [
        ("The clinic moved the appointment, now it's March 19.", True),
        ("The clinic is nice, its doors are green.", False),  # nothing is otherwise
        ("They moved the piano upstairs.", False),  # nor is this about it
    ],
)
def test_what_has_changed_since_is_quoted_beside_what_was_said_first(later: str, shown: bool) -> None:
    said = [(4, "user", "The first clinic appointment is on March 12."), (7, "user", later)]
    found = context(4, 7, said=said)
    assert cited(Extractive(spans=1), "When is the clinic appointment?", found) == [4, 7][: 1 + shown]
    assert cited(Extractive(spans=1), "When was the first clinic appointment?", found) == [4]


def counted(question: str, *said: str) -> str:
    """What is quoted of the user's statements, each of an exchange of its own."""
    given = [(n, "user", text) for n, text in enumerate(said)]
    return Extractive(margin=1.0).read(question, context(said=given), by_words).text


@pytest.mark.parametrize(
    ("question", "said", "told"),
    [
        ("How many breads did I bake?", ["I baked a rye bread.", "I baked a spelt bread."], True),
        ("How many books did I read?", ["I read a book about bees.", "I read the book on whales."], True),
        ("我去过多少公园?", ["我去过城北的公园。", "我去过湖边的公园。"], True),
        ("How much bread did I bake?", ["I baked a rye bread.", "I baked a spelt bread."], False),
        # The number is said.
        ("How many books did I read?", ["I read 12 books in May.", "I read a book about bees."], False),
        ("How many books did I read?", ["I read my third book.", "I read a book about bees."], False),
        ("How many demos did I give?", ["I gave demo 4 to Ann.", "I gave a demo to Bob."], False),
        ("How many sessions did I have?", ["I had a session.", "I had my last session, number four."], False),
        ("How many sessions did I have?", ["I had a session.", "I had my second session."], False),
        # No thing of a kind, or none that both name.
        ("How many days did I paint?", ["I painted the fence.", "I painted the doors."], False),
        ("How many times did Dad fall?", ["Dad did fall in the bath.", "Dad did fall again."], False),
        ("How many books did I read?", ["I read a book about bees.", "I read the letter."], False),
    ],
)
def test_only_statements_of_the_kind_that_is_asked_for_are_counted(
    question: str, said: list[str], told: bool
) -> None:
    text = counted(question, *said)
    assert all(f"“{each}”" in text for each in said)
    assert (re.search("2 statements|2条", text) is not None) is told


@pytest.mark.parametrize("spans", [2, 4])
def test_where_two_statements_name_the_kind_the_others_are_left_out_and_what_has_as_much_is_added(
    spans: int,
) -> None:
    demos = [f"I gave demo {n} of the boat app to {name}." for n, name in enumerate(("Ann", "Bob", "Cyd"), 1)]
    others = ["The boat app has a blue page.", "The boat app is late.", demos[0] + "!"]
    given = [(n, "user", text) for n, text in enumerate([*others, *demos])]
    text = (
        Extractive(spans=spans, margin=1.0)
        .read("How many demos of the boat app did I give?", context(4, 0, 3, said=given), by_words)
        .text
    )
    assert [each in text for each in (*demos, *others)] == [True] * 3 + [False] * 3


@pytest.mark.parametrize(
    ("question", "before", "later", "newest"),
    [
        ("Who is my contact at the mill?", "Al is the contact at the mill.", "A new contact at the mill, Bo.", True),
        ("Wer ist mein Arzt?", "Mein Arzt ist Herr Wolf in Kiel.", "Neuer Arzt ist Herr Lang in Bonn.", True),
        ("What is my shift?", "My shift is the early one.", "My shift is now the late one.", True),
        ("What dose of iron does Dad take?", "The dose of iron is low.", "The dose of iron was cut back.", True),
        ("现在书店的联系人是谁？", "书店的联系人是小李。", "书店那边有了新的联系人，叫小王，他天天很忙。", True),
        ("Was kostet das Abo?", "Das Abo kostet 10 Euro.", "Das neue Abo kostet jetzt 12 Euro.", True),
        ("Was kostete das Abo früher?", "Das Abo kostet 10 Euro.", "Das neue Abo kostet jetzt 12 Euro.", False),
        # What was is asked for.
        ("以前书店的联系人是谁？", "书店的联系人是小李。", "书店那边有了新的联系人，叫小王，他天天很忙。", False),
        ("Who was my contact at the mill?", "Our contact at the mill is Ann.", "Our new contact is Bob.", False),
        ("Who did I contact at the mill?", "My contact at the mill is Ann.", "My new contact is Bob.", False),
        # Another thing is new, or none, or none is named.
        ("Who is my contact at the mill?", "Our contact at the mill is Ann.", "We have new chairs at the mill.", False),
        ("Who is my contact at the mill?", "Our contact at the mill is Ann.", "There is no new contact.", False),
        ("Who is my contact at the mill?", "Our contact at the mill is Ann.", "At the mill is no new contact.", False),
        ("How many people are on our team?", "Our team has 8 people.", "The sales team now has 12 people.", False),
        ("How many people are on our team?", "Our team has 8 people.", "Our team now has 12 people.", True),
        ("What is my address?", "My address is 5 Oak Street.", "My new email address is max@new.org.", False),
        ("What is my address?", "My address is 5 Oak Street.", "My new address is 9 Elm Street.", True),
        ("What is my shift?", "My shift is the early one.", "My shift is hard.", False),
        ("What is my shift?", "My new shift is the early one.", "My shift is now quite hard.", False),
        ("Who is my contact at the mill?", "Our contact at the mill is Ann.", "Is there a new contact?", False),
    ],
)  # fmt: skip
def test_what_is_new_of_what_is_asked_about_comes_first(
    question: str, before: str, later: str, newest: bool
) -> None:
    chatter = ["The garden is full of snow.", "I like to read on Sundays.", "Im Garten liegt viel Schnee."]
    said = [
        (4, "user", before),
        (7, "user", later),
        *((n, "user", text) for n, text in enumerate(chatter, 10)),
    ]
    reader = Extractive(spans=1, rank=0, noun_threshold=0, strange=1)
    lead = reader.read(question, context(4, 7, said=said), MiniLM().encode).text.splitlines()[1]
    assert (later in lead) is newest
    assert (before in lead) is not newest


BUDGET = (4, "user", "My budget for the shop is 12,000 euros.")
OPENING = (4, "user", "The opening of the shop is planned for 14 June.")
TEAM = (4, "user", "Our team is called Falcon and has 8 people.")
RENTS = [(4, "user", "My rent is 900 euros."), (7, "user", "My sister's rent went up from 700 to 850 euros.")]


@pytest.mark.parametrize(
    ("question", "said", "newest"),
    [
        ("What's my budget for the shop?", [BUDGET, (7, "user", "The budget is now 15,000 euros.")], 7),
        ("When does the shop open?", [OPENING, (7, "user", "The opening moved to 21 June.")], 7),
        # One after the other.
        (
            "What's my budget for the shop?",
            [BUDGET, (7, "user", "The budget went up to 15,000 euros."), (9, "user", "The budget is now 18,000.")],
            9,
        ),
        # Of another thing, and of what was called so last.
        ("What's my budget for the shop?", [BUDGET, (7, "user", "The kitchen budget is now 5,000 euros.")], 4),
        (
            "What's my budget for the shop?",
            [BUDGET, (7, "user", "I set a budget for the kitchen."), (9, "user", "The budget is now 5,000 euros.")],
            4,
        ),
        ("What was my budget for the shop?", [BUDGET, (7, "user", "The budget is now 15,000 euros.")], 4),
        (
            "What is our first response time?",
            [
                (4, "user", "Our average first response time is 6 hours."),
                (7, "user", "Please give times in 24-hour format."),
                (9, "user", "Our first response time is down to 3.5 hours."),
            ],
            9,
        ),
        (
            "How many tickets do we get per week?",
            [
                (4, "user", "We have about 900 tickets a week."),
                (7, "user", "Ticket volume jumped to 1,300 a week."),
            ],
            7,
        ),
        (
            "When is the migration?",
            [
                (4, "user", "Migration is planned for the week of 19 August."),
                (7, "user", "Migration slipped, it's now the week of 2 September."),
            ],
            7,
        ),
        # Whose it is.
        ("What's my sister's rent?", [*RENTS, (9, "user", "Our rent went up to 980 euros.")], 7),
        ("What's my rent?", [*RENTS, (9, "user", "Our rent went up to 980 euros.")], 9),
        (
            "When is my cousin's wedding?",
            [
                (3, "user", "The wedding is on 14 June."),
                (4, "user", "My cousin's wedding is on 2 May."),
                (7, "user", "The wedding moved to 21 June."),
            ],
            4,
        ),
        # What it is of.
        (
            "What is my weight goal?",
            [(4, "user", "My weight goal is 70 kg."), (7, "user", "My weight dropped to 78 kg.")],
            4,
        ),
        # Another value than the one that is asked for.
        ("What is our team called?", [TEAM, (7, "user", "The team moved to Slack for chatting.")], 4),
        ("What is our team called?", [TEAM, (7, "user", "The team went up to 12 people.")], 4),
        ("How many people are on our team?", [TEAM, (7, "user", "The team went up to 12 people.")], 7),
        ("How many people are on our team?", [TEAM, (7, "user", "The team moved to 9 May.")], 4),
        (
            "When is the office open?",
            [(4, "user", "The office is open until 6 pm."), (7, "user", "The office moved to 12 Elm Street.")],
            4,
        ),
        (
            "On which day is the rent paid?",
            [(4, "user", "The rent is paid on the 3rd."), (7, "user", "The rent went up to 980.")],
            4,
        ),
        (
            "What year is my car from?",
            [(4, "user", "My car is a Golf from 2015."), (7, "user", "My car is now at 120,000 km.")],
            4,
        ),
    ],
)  # fmt: skip
def test_a_new_value_of_what_was_last_called_so_comes_first(
    question: str, said: list[tuple[int, str, str]], newest: int
) -> None:
    reader = Extractive(spans=1, rank=0, noun_threshold=0, strange=1)
    text = reader.read(question, context(4, 7, 9, said=said), MiniLM().encode).text
    assert f"[{newest}]" in text.splitlines()[1]


def test_what_was_moved_twice_is_as_it_was_moved_last() -> None:
    said = [
        (1, "user", "计划是3月28日试营业，4月30日正式开业。"),
        (2, "user", "试营业时间得往后推，改到4月8日。"),
        (4, "user", "开业时间要改了，执照没办下来，推到5月20日。"),
        (6, "user", "开业再提前两天，5月18日早上。"),
    ]
    answer = Extractive(rank=0).read("正式开业的时间是哪天？", context(said=said), MiniLM().encode)
    assert [line[-2] for line in answer.text.splitlines() if line.startswith("-")][:2] == ["6", "4"]
    assert "试营业时间" not in answer.text


RULES = {
    "dates": "If I ask about dates, give them in ISO format",
    "emojis": "Never use emojis with me, and no bullet lists either",
    "figures": "Can you always cite the source when you give me statistics",
}


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("How should you format dates?", "dates"),
        ("May you use emojis with me?", "emojis"),
        ("What must you do with statistics?", "figures"),
        ("What did I ask you to do when I ask about dates?", "dates"),
        ("Which rules do you follow when I ask about dates?", "dates"),
        ("What is my rule about smileys?", "emojis"),
        ("What is my instruction about days of the calendar?", "dates"),
        ("What is my rule for carburettors?", None),
        ("How should you clean a carburettor?", None),
        ("When should I open the shop?", None),
    ],
)
def test_what_the_assistant_shall_do_an_order_says(question: str, order: str | None) -> None:
    given = [Piece(n, (f"m{n}",), "instruction", text) for n, text in enumerate(RULES.values())]
    said = Piece(7, ("m7",), "user", "The opening moved to 21 June.", "2024-03-02")
    found = Context("", 0, (Filled("a", "", (0, 1, 2, 7), 1, (*given, said)),), ())
    answer = Extractive().read(question, found, MiniLM().encode)
    assert {name for name, text in RULES.items() if text in answer.text} == ({order} if order else set())


RULES_ZH = {
    "name": "别喊我全名，叫我小北就好",
    "form": "以后都列成表格，少说客套话",
    "tongue": "跟我说话请用英文",
}


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("你应该怎么称呼我？", "name"),
        ("你的回答应该用什么格式？", "form"),
        ("你该用哪种语言回复我？", "tongue"),
        ("你怎么称呼我妈妈？", None),
        ("合同是什么格式？", None),
        ("哪种语言最难学？", None),
    ],
)
def test_an_order_says_a_name_a_form_or_a_language_without_that_word(
    question: str, order: str | None
) -> None:
    given = [Piece(n, (f"m{n}",), "instruction", text) for n, text in enumerate(RULES_ZH.values())]
    said = Piece(7, ("m7",), "user", "合同已经签好了，寄给妈妈。", "2024-03-02")
    found = Context("", 0, (Filled("a", "", (0, 1, 2, 7), 1, (*given, said)),), ())
    answer = Extractive().read(question, found, MiniLM().encode)
    assert {name for name, text in RULES_ZH.items() if text in answer.text} == ({order} if order else set())


@pytest.mark.parametrize(
    "question",
    [
        "What are my standing instructions to you right now?",
        "What shall you do now, and what not?",
        "Which rules do you follow?",
        "What rules must you follow with me?",
        "How do I want your replies to look?",
        "Any rules for how you should format things for me?",
        "How long do I like your replies to be?",
        "How do I want you to talk to me?",
        "What did I tell you never to do?",
        "what have I asked you not to do?",
        "How short should your answers be?",
        "what tone should you use with me?",
        "What don't I want you to do?",
        "what rules did I give you at the start?",
        "How detailed do I want your explanations?",
        "what should you ask me before doing?",
    ],
)
def test_who_asks_for_all_orders_is_given_all(question: str) -> None:
    given = [Piece(n, (f"m{n}",), "instruction", text) for n, text in enumerate(RULES.values())]
    found = Context("", 0, (Filled("a", "", (0, 1, 2), 1, tuple(given)),), ())
    answer = Extractive().read(question, found, MiniLM().encode)
    assert [text in answer.text for text in RULES.values()] == [True, True, True]


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("Which language should you reply to me in?", False),
        ("Who reads along?", True),
        ("When did I ask you to always reply in English?", True),
    ],
)
def test_who_asks_what_holds_is_told_no_order_that_was_replaced(question: str, quoted: bool) -> None:
    order = Piece(
        9, ("m9",), "instruction", "German again please", note=" (before: always reply in English please)"
    )
    said = Piece(2, ("m2",), "user", "Declan reads along, always reply in English please.", "2024-03-02")
    found = Context("", 0, (Filled("a", "", (2, 9), 1, (order, said)),), ())
    reader = Extractive(rank=0, noun_threshold=0)
    assert ("Declan" in reader.read(question, found, MiniLM().encode).text) is quoted


@pytest.mark.parametrize(
    ("question", "asked", "answered", "quoted"),
    [
        (
            "Which book did you recommend about the sea?",
            "Recommend a book about the sea.",
            "Why not read Moby Dick?",
            ["Why not read Moby Dick?"],
        ),
        (
            "Which questions did you suggest for the landlord?",
            "Suggest questions for the landlord.",
            "Ask the landlord: is heating included? Would you like more questions?",
            ["Ask the landlord: is heating included?"],
        ),
    ],
)
def test_what_the_assistant_said_may_be_a_question_and_no_offer(
    question: str, asked: str, answered: str, quoted: list[str]
) -> None:
    found = context(3, said=[(3, "user", asked), (3, "assistant", answered)])
    text = Extractive().read(question, found, MiniLM().encode).text
    assert all(each in text for each in quoted)
    assert "Would you like" not in text


def test_a_summary_of_one_thing_leaves_the_others_out() -> None:
    pots = ["I ordered 40 pots for the shop.", "The pots arrived broken.", "I sent the broken pots back."]
    others = [
        "I live in Lisbon.",
        "I prefer tea over coffee.",
        "My knee hurts after running.",
        "I adopted a dog on Saturday.",
    ]
    said = [(n, "user", text) for n, text in enumerate([*others[:2], *pots, *others[2:]])]
    found = context(2, 3, 4, 5, 6, 0, 1, said=said)
    text = Extractive().read("Summarize what happened with the pots", found, MiniLM().encode).text
    assert [each in text for each in (*pots, *others)] == [True] * 3 + [False] * 4
    text = (
        Extractive().read("List the order of five things I told about the pots", found, MiniLM().encode).text
    )
    assert "5. " in text


def test_still_is_no_word_that_an_answer_must_hold() -> None:
    said = [(3, "user", "My knee hurts, so I stopped running."), (5, "user", "The garden is full of snow.")]
    answer = Extractive().read("Do I still run?", context(3, 5, said=said), MiniLM().encode)
    assert "stopped running" in answer.text


def test_an_order_in_a_language_other_than_english_is_repeated_by_its_words_alone() -> None:
    def alike(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.tile(np.array([[1.0, 0.0]], np.float32), (len(texts), 1))

    order = Piece(1, ("m1",), "instruction", "Bitte erinnere mich bei Terminen immer an den Kalender")
    said = Piece(2, ("m2",), "user", "Mein Lieferant ist die Firma Nordwind in Hamburg.", "2024-03-02")
    pieces = Filled("a", "", (1, 2), 1, (order, said))
    found = Context("", 0, (pieces,), (Hit(2, ("m2",), 1.0, "", {}),))
    asked = {
        question: Extractive(noun_threshold=0, strange_threshold=0).read(question, found, alike).text
        for question in (
            "Wer ist mein Lieferant in Hamburg?",
            "Bei Terminen an den Kalender erinnern?",
        )
    }
    assert ["Kalender“" in text for text in asked.values()] == [False, True]


def test_an_answer_is_quoted_without_the_question_that_ends_it() -> None:
    said = [
        (3, "user", "Which paint is good for the fence?"),
        (3, "assistant", "I recommend the green paint for the fence. Shall I make a list of the shops?"),
    ]
    text = (
        Extractive().read("Which paint did you recommend for the fence?", context(said=said), by_words).text
    )
    assert "green paint" in text
    assert "Shall I" not in text


def test_a_summary_names_what_was_answered() -> None:
    asked = "Summarize what we said about the fence."
    assert "wash the fence" in Extractive().read(asked, context(said=STEPS), by_words).text
    assert "wash the fence" not in Extractive(points=0).read(asked, context(said=STEPS), by_words).text


def test_a_name_told_in_another_sentence_there_is_quoted_too() -> None:
    got, name = "We got a tortoise from the shelter.", "The kids named her Clementine."
    short, long = f"{got} {name}", f"{got} {name} " + "She sleeps all day and eats at night. " * 12
    for text, quotes in ((short, [short]), (long, [got, name])):
        read = Extractive().read(
            "What is the tortoise named?", context(0, said=[(0, "user", text)]), by_words
        )
        assert [citation.quote for citation in read.citations] == quotes


def test_a_short_message_whose_end_is_left_out_is_not_quoted_as_if_it_were_whole() -> None:
    said = [(3, "user", "I sold a hive to Geraint. He will come and fetch …")]
    text = Extractive().read("Summarize what we said about the hive.", context(3, said=said), by_words).text
    assert "I sold a hive to Geraint." in text
    assert "fetch”" not in text


@pytest.mark.parametrize(
    "question",
    [
        "Who keeps the second hive?",
        "Summarize what we said about the hive.",
        "Which hive did I sell first, in order?",
        "Have I ever sold a hive?",
    ],
)
def test_a_short_message_is_quoted_whole(question: str) -> None:
    said = [
        (1, "user", "Never sold a hive in my life."),
        (2, "user", "I think of the second hive. Geraint will keep it, for 150."),
        (3, "user", "I sold a hive. Geraint paid 150."),
        (3, "assistant", "How exciting! Note the day and the price in the book of hives."),
    ]
    text = Extractive().read(question, context(3, 2, 1, said=said), by_words).text
    assert "I sold a hive. Geraint paid 150." in text or "Geraint will keep it, for 150." in text
    assert "How exciting" not in text


@pytest.mark.parametrize(
    ("asked", "answered", "quoted"),
    [
        ("hm ok. whats my store credit now", "Your store credit is 5 euros.", True),
        ("What is my store credit?", "Your store credit is 5 euros.", True),
        ("My store credit is gone.", "Your store credit is 5 euros.", False),
        (
            "What is my store credit?",
            "Your store credit is 5 euros. " + "".join(f"See page {n} of the book. " for n in range(30)),
            False,
        ),
    ],
)
def test_behind_a_question_that_answers_best_stands_its_short_reply(
    asked: str, answered: str, quoted: bool
) -> None:
    said = [(1, "user", "I bought a kettle."), (3, "user", asked), (3, "assistant", answered)]
    lines = Extractive().read("What is the store credit of mine?", context(3, 1, said=said), by_words).text
    assert ("assistant: “Your store credit is 5 euros.”" in lines.replace("“hm ok.", "")) == quoted


def after(first: str, exchange: int, then: str, question: str, reader: Extractive | None = None) -> str:
    """The answer to a question behind a statement in exchange 3 and a later message."""
    said = [(1, "user", "I like tea."), (3, "user", first), (exchange, "user", then)]
    return (reader or Extractive()).read(question, context(3, 1, exchange, said=said), by_words).text


@pytest.mark.parametrize(
    ("then", "right"),
    [
        ("no wait, 14:30. room DEC-10", True),
        ("Sorry, it's 14:30.", True),
        ("no, make it 14:30", True),
        ("oh sorry, i meant 14:30", True),
        ("Sorry, running late, call me at 14:30.", False),
        ("no problem, see you at 14:30", False),
        ("no wait, 30 people", False),
        ("I sleep until 14:30.", False),
        ("Actually, at 14:30 I have lunch with Tom.", False),
        ("No, 14:30 is too late for me.", False),
    ],
)
def test_the_next_message_may_put_a_value_right(then: str, right: bool) -> None:
    text = after("The lab test is at 14:00.", 4, then, "When is the lab test?")
    assert "14:00" in text
    assert text.startswith("The newest statement:") == right


@pytest.mark.parametrize(
    ("then", "chosen"),
    [
        ("then 4.2.7", True),
        ("ok let's go with 4.2.7", True),
        ("hm, make it 4.2.7 then", True),
        ("dann nimm 4.2.7", True),
        ("then 14:30", False),
        ("use 4.2.7 only in the tests", False),
        ("at 4.2.7", False),
        ("then 4.2.7?", False),
        ("then 4.1.9", False),
    ],
)
def test_a_short_choice_of_the_same_shape_is_the_newer_value(then: str, chosen: bool) -> None:
    text = after("Pin the parser version to 4.1.9.", 5, then, "Which parser version do I pin?")
    assert "4.1.9" in text
    assert text.startswith("The newest statement:") == chosen


@pytest.mark.parametrize(
    ("question", "then", "replaced"),
    [
        ("When was the cat's vet visit in the end?", "the vet visit of the cat got moved to 10:40", True),
        ("When was the cat's vet visit finally?", "the final time of the cat's vet visit is 10:40", True),
        ("When was the cat's vet visit first?", "the vet visit of the cat got moved to 10:40", False),
        (
            "When was the cat's vet visit first, before it finally moved?",
            "the cat's vet visit moved to 10:40",
            False,
        ),
        ("When is the cat's final vet visit?", "the final visit of the dog's vet is at 10:40", False),
        ("When was the cat's vet visit in the end?", "the cat got moved to 10 vets for a visit", False),
    ],
)
def test_what_was_so_in_the_end(question: str, then: str, replaced: bool) -> None:
    reader = Extractive(twin=1, margin=2, strange_threshold=0)
    text = after("The cat's vet visit is at 9:15.", 7, then, question, reader)
    assert "9:15" in text
    assert text.startswith("The newest statement:") == replaced


def test_a_number_in_words_is_an_older_value() -> None:
    said = [
        (1, "user", "The trial of the fetcher lasts twelve weeks."),
        (7, "user", "The trial of the fetcher lasts 16 weeks."),
    ]
    text = (
        Extractive(twin=0.1, nearly=1)
        .read("How many weeks does the trial of the fetcher last?", context(7, 1, said=said), by_words)
        .text
    )
    assert text.startswith("The newest statement:")


def test_what_has_no_figure_is_no_older_value() -> None:
    said = [
        (1, "user", "The tests of the fetcher pass at a good rate."),
        (7, "user", "The tests of the fetcher pass at a rate of 97 %."),
    ]
    text = (
        Extractive(twin=0.1)
        .read("At what rate do the tests of the fetcher pass?", context(7, 1, said=said), by_words)
        .text
    )
    assert "97 %" in text
    assert "newest" not in text


@pytest.mark.parametrize(
    ("then", "dropped"),
    [
        ("scrap the lavender, lemon and elderflower it is", True),
        ("ditch lavender, we take lemon", True),
        ("scrap the invitations, we take lemon paper", False),
        ("the lavender smells nice", False),
        ("please don't scrap the lavender cake", False),
        ("Should we scrap the lavender cake?", False),
        ("the cat likes to scratch the lavender", False),
    ],
)
def test_a_later_message_may_drop_what_was_said(then: str, dropped: bool) -> None:
    text = after("We take the lavender cake.", 7, then, "Which cake do we take?")
    assert "We take the lavender cake." in text
    assert text.startswith("The newest statement:") == dropped


def test_an_option_that_a_quote_names_is_said_to_be_given_up_where_advice_is_asked() -> None:
    said = [(0, "user", "Marble or oak for the kitchen worktop?"), (3, "user", "The fence is green.")]
    given_up = [(1, "excluded", "excluded: I ruled out marble: it stains")]
    for question, named in (
        ("Which kitchen worktop should I get?", True),
        ("Who asked of a kitchen worktop?", False),
    ):
        answer = Extractive().read(question, context(0, said=[*said, *given_up]), by_words)
        assert ("it stains" in answer.text) is named


def test_what_an_order_wants_in_the_answer_is_preferred() -> None:
    said = [
        (1, "instruction", "Always include version numbers when I ask about the libraries of the shop"),
        (4, "user", "The libraries of the shop are Flask and Redis."),
        (6, "user", "The shop uses the libraries Flask 2.3.1 and Redis 7.0 since May."),
    ]
    question = "Which libraries does the shop use?"
    text = Extractive(spans=1).read(question, context(4, 6, said=said), by_words).text
    assert "Flask 2.3.1" in text
    plain = Extractive(spans=1).read(question, context(4, 6, said=said[1:]), by_words).text
    assert "Flask 2.3.1" not in plain


def test_an_order_or_a_summary_is_always_tried() -> None:
    assert cited(Extractive(), "Summarize what the airline wrote about my garden", context())


def test_the_spans_are_of_different_exchanges_and_in_the_order_said() -> None:
    question = "the garden budget and the sourdough starter"
    assert cited(Extractive(spans=2, margin=9), question, context(7)) == [3, 7]
    assert cited(Extractive(spans=2, margin=0), question, context(7)) == [7]


def test_an_order_lists_as_many_as_are_asked_for_in_order_of_time() -> None:
    said = [(e, "user", f"Step {e} of the move was room {e}, which we painted.") for e in range(9)]
    question = "In which order did the steps of the move come? Mention only four items."
    answer = Extractive().read(question, context(7, 2, said=said), by_words)
    assert [line[:2] for line in answer.text.splitlines()[1:]] == ["1.", "2.", "3.", "4."]
    exchanges = [citation.exchange_id for citation in answer.citations]
    assert exchanges == sorted(exchanges)
    assert len(exchanges) == 4
    assert len(Extractive(listed=6).read("Summarize the move", context(said=said), by_words).citations) == 6


def test_both_sides_of_a_contradiction_are_shown_and_said_to_differ() -> None:
    said = [
        (2, "user", "I have never painted the fence of the garden."),
        (4, "user", "The garden has a gate."),
        (6, "user", "I painted the fence of the garden on Sunday."),
    ]
    answer = Extractive().read("Have I ever painted the fence of the garden?", context(said=said), by_words)
    assert [citation.exchange_id for citation in answer.citations] == [2, 6]
    assert "contradict" in answer.text
    assert answer.text.endswith("Which of these statements is correct?")
    alone = Extractive().read(
        "Have I ever painted the fence of the garden?", context(said=said[:2]), by_words
    )
    assert "contradict" not in alone.text or [c.exchange_id for c in alone.citations] != [2, 6]


def test_a_contradiction_about_what_most_speak_of_is_told() -> None:
    said = [
        (2, "user", "I have never set up a pipeline for the harbour bookings with tests."),
        *((n, "user", f"The pipeline for the harbour bookings waits {n} seconds.") for n in (4, 5, 6, 7)),
        (9, "user", "I built the pipeline for the harbour bookings last week."),
    ]
    asked = "Have I ever set up a pipeline for the harbour bookings?"
    answer = Extractive().read(asked, context(said=said), MiniLM(threads=1).encode)
    assert "contradict" in answer.text
    assert {2, 9} <= {citation.exchange_id for citation in answer.citations}


def test_days_between_two_happenings_are_reckoned_from_the_dates_in_the_quotes() -> None:
    said = [
        (2, "user", "The first sprint ends on March 29, 2024. The weather is fine."),
        (4, "user", "We plan the analytics release for April 19, 2024."),
        (6, "user", "The party is on May 3, 2024."),
    ]
    question = "How many days are there between the end of the first sprint and the analytics release?"
    answer = Extractive().read(question, context(said=said), by_words)
    assert answer.text.startswith("21 days, from 2024-03-29 to 2024-04-19")
    assert [citation.exchange_id for citation in answer.citations] == [2, 4]
    weeks = Extractive().read(question.replace("days", "weeks"), context(said=said), by_words)
    assert weeks.text.startswith("3 weeks = 21 days")


@pytest.mark.parametrize(
    ("question", "one", "other", "told"),
    [
        (
            "How long was it from the first to the third fall of my father?",
            "The first fall of my father was on July 16, 2023.", "Father's third fall was on August 22, 2024.", True,
        ),
        # The first of another kind, and another of the kind.
        (
            "How long was it from the first to the third fall of my father?",
            "My first dress fitting was on March 30, 2024.", "Father's third fall was on August 22, 2024.", False,
        ),
        (
            "How many days passed between the first demo and the third demo of Tidewater?",
            "Tidewater demo 1 went well on May 3, 2024.", "Tidewater demo 2 went badly on May 9, 2024.", False,
        ),
        (
            "How many days passed between the first demo and the third demo of Tidewater?",
            "Tidewater demo 1 went well on May 3, 2024.", "Tidewater demo 3 was on May 9, 2024.", True,
        ),
        # A day that the wedding only helps to tell.
        (
            "How many days passed between the engagement and the wedding?",
            "Our engagement was on May 3, 2024.", "The race is on May 29, 2024, two weeks after the wedding.", False,
        ),
        # Said on a day, and of another.
        (
            "How many days passed between the proposal and the wedding?",
            "Our wedding is on October 5, 2024.", "The proposal came on New Year's Eve.", False,
        ),
        (
            "How many days passed between the proposal and the wedding?",
            "Our wedding is on October 5, 2024.", "I have the proposal to make before then.", False,
        ),
    ],
)  # fmt: skip
def test_a_time_is_told_only_where_its_ends_are_sure(
    question: str, one: str, other: str, *, told: bool
) -> None:
    said = [(2, "user", one), (4, "user", other), (6, "user", "The party is on May 21, 2024.")]
    answer = Extractive().read(question, context(said=said), by_words)
    assert ("reckoned from these quotes" in answer.text) is told


def test_what_is_said_to_have_happened_ends_a_time_on_the_day_it_was_said() -> None:
    said = [
        (1, "user", "试营业定在3月20日，3月28日正式开业"),
        (5, "user", "试营业开始了！来了不少客人"),
        (9, "user", "开业成功，忙到半夜"),
    ]
    reckoned = Piece(
        5, ("m5",), "reckoned", "2024-03-06 [5] (“试营业开始了”) to 2024-03-10 [9] (“开业成功”): 4 days"
    )
    found = context(said=said)
    found = replace(found, parts=(*found.parts, Filled("Reckoned", "", (5,), 0, (reckoned,))))
    answer = Extractive().read("试营业开始到正式开业成功隔了几天？", found, by_words)
    assert answer.text.startswith("4天")
    assert [each.exchange_id for each in answer.citations] == [5, 9]


def test_a_reckoned_time_that_is_not_sure_leaves_the_next_one() -> None:
    said = [
        (1, "user", "I plan my first demo on March 20, 2024. I have the filter prototype to do before then."),
        (5, "user", "The hybrid demo is on April 5, 2024."),
    ]
    reckoned = tuple(
        Piece(5, ("m5",), "reckoned", f"{day} [1] (“demo”) to 2024-04-05 [5] (“demo”): {length} days")
        for day, length in (("2024-03-20", 16), ("2024-03-02", 34))
    )
    found = context(said=said)
    found = replace(found, parts=(*found.parts, Filled("Reckoned", "", (1, 5), 0, reckoned)))
    question = "How many days are there between finishing my filter prototype and my hybrid demo?"
    assert Extractive().read(question, found, by_words).text.startswith("16 days")


def test_no_time_is_told_where_one_word_is_said_of_several_days() -> None:
    said = [
        (2, "user", "The payments went live on June 27, 2024."),
        (4, "user", "The deadline is June 30, 2024."),
        (6, "user", "The deadline is September 15, 2024."),
    ]
    question = "How many days before the deadline did the payments go live?"
    for rows, told in ((said[:2], True), (said, False)):
        answer = Extractive().read(question, context(said=rows), by_words)
        assert ("reckoned from these quotes" in answer.text) is told


@pytest.mark.parametrize(
    ("said", "told"),
    [("The boat party is over.", True), ("The boat party is on 05/06/2024.", False)],
)
def test_a_day_that_nobody_can_tell_is_not_the_day_on_which_it_was_said(said: str, told: bool) -> None:
    question = "How many days are there between the boat party and the analytics release?"
    rows = [(2, "user", said), (4, "user", "We plan the analytics release for April 19, 2024.")]
    answer = Extractive().read(question, context(said=rows), by_words)
    assert ("from 2024-03-03 to 2024-04-19" in answer.text) is told


def test_the_newest_value_comes_first_with_what_it_replaced() -> None:
    said = [
        (1, "user", "The response time of the dashboard is 300 ms."),
        (8, "user", "The response time of the dashboard is 250 ms."),
    ]
    question = "What is the response time of the dashboard?"
    answer = Extractive(twin=0.3, rank=0.05).read(question, context(1, said=said), by_words)
    lines = answer.text.splitlines()
    assert "250" in lines[1]
    assert "300" in lines[3]
    assert "newest" in lines[0].lower()
    assert "before" in lines[2]
    first = Extractive().read(
        "What was the first response time of the dashboard?", context(1, said=said), by_words
    )
    assert "newest" not in first.text.lower()


@pytest.mark.parametrize(
    ("question", "said", "newest"),
    [
        ("How much is our coverage?", ["Our coverage is 62%.", "Our coverage is 83 percent."], "83"),
        # The user gives another value later.
        (
            "How much is our coverage?",
            ["Our coverage is 62%.", "Our coverage is 83 percent.", "Back to 79% coverage, payments lack tests."],
            None,
        ),
        (
            "How many guests come?",
            ["Our guests are 30.", "Our guests are 36 now.", "In the end 34 people came as guests, what a day."],
            None,
        ),
        (
            "How many proofs did I solve?",
            ["I did solve 10 proofs, 8/10 right.", "I did solve 15 proofs, 80% right.", "Sums rose from 70% to 90%."],
            "15",
        ),
        ("How many cats have I?", ["I have 5 cats and 3 dogs.", "I have 3 cats now."], "3 cats"),
        # What holds no number that was not said before is no newer value, nor is a share newer than a count.
        ("How many cards has it?", ["It has 8 cards with Vue 5.3.0.", "It has cards with Vue 5.3.0."], None),
        ("Which score did I get?", ["My score is 18/20.", "My score is 92%."], None),
        # A denial gives none, unless it gives one beside.
        ("How many proofs did I solve?", ["I did solve 7 proofs.", "I did never solve proofs, x^3."], None),
        (
            "How many proofs did I solve?",
            ["I did solve 7 proofs.", "I had never solved one before, but I did solve 9 proofs."],
            "9",
        ),
    ],
)  # fmt: skip
def test_only_what_surely_is_the_newest_value_is_called_so(
    question: str, said: list[str], newest: str | None
) -> None:
    rows = [(3 * n, "user", text) for n, text in enumerate(said, 1)]
    reader = Extractive(twin=0.45, nearly=1, margin=1, rank=0, noun_threshold=0, strange=1)
    first, quoted, *_ = reader.read(question, context(3, 6, said=rows), by_words).text.splitlines()
    assert ("newest" in first) is (newest is not None)
    assert newest is None or newest in quoted


def test_standing_orders_and_preferences_that_fit_are_repeated() -> None:
    said = [
        (1, "instruction", "Always list versions when I ask about software libraries"),
        (2, "instruction", "Always use metric units when I ask about recipes"),
        (3, "preference", "I prefer small software libraries"),
        (5, "user", "We use three software libraries for the shop."),
    ]
    answer = Extractive().read("Which software libraries would you suggest?", context(said=said), by_words)
    assert [citation.exchange_id for citation in answer.citations] == [1, 3, 5]
    assert "“Always list versions when I ask about software libraries” [1]" in answer.text


@pytest.mark.parametrize(
    ("order", "question", "applies"),
    [
        ("当我问菜谱时，请总是写热量", "我问菜谱 呢？", True),
        ("Use TypeScript in code unless it is for Tidewater", "Which framework does Tidewater use?", False),
        ("Use TypeScript in code unless it is for Tidewater", "How do I write this code?", True),
    ],
)
def test_an_order_fits_by_the_case_it_names_and_not_by_its_exception(
    order: str, question: str, applies: bool
) -> None:
    said = [
        (1, "instruction", order),
        (2, "user", "Tidewater uses a framework. 红烧肉的菜谱在书里。 The code is old."),
    ]
    answer = Extractive().read(question, context(said=said), by_words)
    assert (order in answer.text) is applies


def test_a_note_is_evidence_but_no_quote() -> None:
    said = [(3, "reckoned", "the boiler was repaired 2024-01-02 and 2024-02-02: 31 days")]
    answer = Extractive().read("What about the boiler?", context(said=said), by_words)
    assert "reckoned: the boiler was repaired" in answer.text
    assert "“" not in answer.text
    assert [(c.exchange_id, c.quote) for c in answer.citations] == [(3, "")]


@pytest.mark.parametrize(
    ("question", "frame"),
    [
        ("Was weißt du über den Boiler und die Heizung im Haus?", "Zitate aus diesem Gespräch"),
        ("Que sais-tu sur le boiler et les radiateurs de la maison ?", "Citations de cette conversation"),
        ("锅炉boiler放在哪里?", "对话原文"),
    ],
)
def test_the_frame_is_in_the_language_of_the_question(question: str, frame: str) -> None:
    said = [(1, "user", "boiler Boiler 锅炉放在地下室里。")]
    reader = Extractive(noun_threshold=0, strange_threshold=0, chinese_threshold=0)
    assert frame in reader.read(question, context(said=said), by_words).text


def test_a_better_hit_wins_between_equals() -> None:
    said = [(1, "user", "The boiler is red."), (2, "user", "The boiler is old.")]
    assert cited(Extractive(spans=1), "the boiler", context(1, said=said)) == [1]
    assert cited(Extractive(spans=1), "the boiler", context(2, said=said)) == [2]


def test_the_user_is_believed_before_the_assistant() -> None:
    said = [(1, "assistant", "The boiler is red."), (2, "user", "The boiler is old.")]
    assert cited(Extractive(spans=1), "the boiler", context(1, said=said)) == [2]
    assert cited(Extractive(spans=1, user=0), "the boiler", context(1, said=said)) == [1]


def test_a_statement_wins_over_a_request_with_the_same_words() -> None:
    said = [(1, "user", "Can you draft the boiler contract?"), (2, "user", "We signed the boiler contract.")]
    assert cited(Extractive(spans=1, rank=0.1), "the boiler contract", context(1, said=said)) == [2]
    assert cited(Extractive(spans=1, rank=0.1, request=0), "the boiler contract", context(1, said=said)) == [
        1
    ]


def test_the_same_words_are_quoted_once() -> None:
    said = [
        (1, "user", "The boiler is red."),
        (2, "user", "The boiler is red."),
        (3, "user", "The boiler leaks."),
    ]
    assert cited(Extractive(spans=3, margin=9, rank=0.1), "the boiler", context(said=said)) == [1, 3]


@pytest.mark.parametrize(
    ("question", "answer", "chatter"),
    [
        (
            "How many days did the marquee of the Queen's Well sewing circle need to arrive?",
            "I ordered the big tent for the Queen's Well sewing circle on October 14.",
            [
                "The Queen's Well sewing circle looks simple on paper.",
                "I like the Queen's Well sewing circle a lot.",
            ],
        ),
        (
            "老井缝纫社的押金是多少",
            "老井缝纫社要交押金300元。",
            ["老井缝纫社今天很热闹。", "我喜欢老井缝纫社的窗户。"],
        ),
    ],
)
def test_the_name_that_all_sentences_share_does_not_hide_the_one_that_answers(
    question: str, answer: str, chatter: list[str]
) -> None:
    said = [(e, "user", text) for e, text in enumerate([*chatter, answer])]
    found = Extractive(spans=1, rank=0, noun_threshold=0, strange_threshold=0).read(
        question, context(said=said), MiniLM().encode
    )
    assert [citation.quote for citation in found.citations] == [answer]


def test_no_more_sentences_are_encoded_than_considered_and_in_one_batch() -> None:
    encoded: list[int] = []

    def counting(texts: Sequence[str]) -> NDArray[np.float32]:
        encoded.append(len(texts))
        return by_words(texts)

    said = [(1, "user", " ".join(f"The boiler number {i} is red." for i in range(500)))]
    Extractive(considered=30).read("What does the boiler look like?", context(said=said), counting)
    assert encoded[0] == 33
    assert len(encoded) <= 2


def test_an_empty_context_and_an_empty_question_have_no_answer() -> None:
    assert cited(Extractive(), "budget", Context("", 0, (), ())) == []
    assert cited(Extractive(), "?", context()) == []


def test_of_a_long_sentence_the_clauses_that_bear_on_the_question_are_quoted() -> None:
    said = [
        (1, "user", "We met at the mill, " + "and walked on, " * 20 + "where the boiler is red, and slept.")
    ]
    (citation,) = Extractive(quote=60).read("the boiler", context(said=said), by_words).citations
    assert "boiler is red" in citation.quote
    assert len(citation.quote) <= 60
    assert citation.quote in said[0][2]


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text()), max_size=6), st.text())
def test_any_text_is_answered_verbatim(said: list[tuple[str, str]], question: str) -> None:
    pieces = [(e, role, text) for e, (role, text) in enumerate(said)]
    reader = Extractive(noun_threshold=0, strange_threshold=0, chinese_threshold=0)
    answer = reader.read(question, context(said=pieces), by_words)
    assert all(c.quote and c.quote in said[c.exchange_id][1] for c in answer.citations)
    assert [c.exchange_id for c in answer.citations] == sorted(c.exchange_id for c in answer.citations)
    assert all(c.quote in answer.text for c in answer.citations)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Can you help me with the tent?", True),
        ("So, what would you do?", True),
        ("Please list the tents.", True),
        ("能不能改成一则短通知？", True),
        ("换作你会先看哪一块？", True),
        ("I have moved to Bonn, can you update the address?", False),
        ("What a day that was.", False),
        ("我搬到了波恩。", False),
        ("In a dream I had, the fee was 80 euros.", True),
        ("我做梦梦见押金是300元。", True),
        ("发票上印错了，写的是5月3日。", True),
        ("他们原先约的是5月3日。", True),
        ("后来查清了，是5月3日。", False),
        ("", False),
        ("when should we do the hen do", True),
        ("hmm do i need to register hives somewhere", True),
        ("which strings do they mean", True),
        ("how many hives do we need", True),
        ("should i go home for xmas", True),
        ("should it be at 3pm or 4pm", True),
        ("should it be red", True),
        ("should it be windy we stay at home", False),
        ("did that straight away", False),
        ("do it before sunday", False),
        ("when we met, the hen do was on sunday", False),
        ("what is more, the price went up", False),
        ("what worries me is the price", False),
        ("I'm still undecided between the morning and the evening flight.", True),
        ("I haven't decided on the hotel yet.", True),
        ("I decided on the hotel.", False),
        ("who bakes the bread", True),
        ("so who drives on friday", True),
        ("whats the code for the gate", True),
        ("which day suits everybody", True),
        ("how much is the ferry", True),
        ("whose turn is it to cook", True),
        ("wer bringt den Salat mit", True),
        ("who knows when he comes", False),
        ("who I saw there was Rosa", False),
        ("whoever comes first gets it", False),
        ("what's left goes to Tom", False),
        ("how much I love this dog", False),
        ("which was 40 euros", False),
    ],
)
def test_questions_requests_and_dreams_state_nothing(text: str, asks: bool) -> None:
    assert states_nothing(text) is asks


@pytest.mark.parametrize(
    "fields",
    [
        {"spans": 0},
        {"listed": 0},
        {"item": 1},
        {"considered": 0},
        {"characters": 5},
        {"noun_threshold": 2.0},
        {"rank": -1.0},
    ],
)
def test_impossible_settings_are_refused(fields: dict[str, float]) -> None:
    with pytest.raises(UserError, match=f"Extractive.{next(iter(fields))}"):
        Extractive(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("question", ["What is my bike budget?", "What is my current bike budget?"])
def test_the_newest_of_three_values_is_the_one_that_says_that_it_is_new(question: str) -> None:
    said = [
        (1, "user", "My bike budget is 300 euros."),
        (3, "user", "My bike budget is 900 euros."),
        (5, "user", "Change of plan: my bike budget is now 1200 euros."),
    ]
    lines = Extractive().read(question, context(said=said), MiniLM().encode).text.splitlines()
    assert lines[0] == frame("en").newest
    assert "1200" in lines[1]


def test_an_irregular_verb_is_found_in_its_other_forms() -> None:
    said = [(1, "user", "I saw the dentist in May."), (3, "user", "I lent Paul 50 euros.")]
    for question, number in (("When did I see the dentist?", 1), ("How much did I lend Paul?", 3)):
        assert number in cited(Extractive(), question, context(said=said))


def test_of_the_things_that_users_tell_each_other_more_are_quoted() -> None:
    sports = ("tennis", "chess", "rowing", "fencing", "judo", "golf", "squash")
    said = [(2 * i, "user", f"Ann: My hobby is {sport}, since May.") for i, sport in enumerate(sports)]
    said += [(2 * i + 1, "user", f"Bob: {word} is far.") for i, word in enumerate(("Rome", "Bonn", "Oslo"))]
    found = cited(Extractive(), "What hobbies does Ann have?", talk(*said))
    assert len(found) == len(sports)
    assert len(cited(Extractive(), "What is the hobby of Ann?", talk(*said))) < len(sports)


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("What activities does Melanie partake in?", True),
        ("Which new books have I read?", True),
        ("In what ways did he help?", True),
        ("What status does my order have?", False),
        ("What is my budget?", False),
        ("他去过哪些城市？", True),
    ],
)
def test_questions_for_things_of_a_kind(question: str, things: bool) -> None:
    assert wanted(context().query(question)).things == things


BOUGHT = [
    (1, "user", "I paid $1,250 for the dress."),
    (3, "user", "My debt is 5,000 dollars."),
    (5, "user", "The venue has a garden."),
    (7, "user", "我捐了200元给救助站。"),
]


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How much money did I spend on the dress?", 1),
        ("How much did the dress cost?", 1),
        ("How much is my debt?", 3),
        ("我总共捐了多少钱？", 7),
        ("How much is my rent?", None),
        ("How much money did I spend on the car?", None),
        ("How much money did the garden cost?", None),  # which is named without a price
        ("我总共欠多少钱？", None),
    ],
)
def test_words_that_ask_for_an_amount_need_not_have_been_said(question: str, number: int | None) -> None:
    found = cited(Extractive(), question, context(said=BOUGHT))
    assert number in found if number else found == []


@pytest.mark.parametrize(
    "question",
    [
        "How long do I like my tea to brew?",
        "Any rules for how guests should dress?",
        "Any rules for how you should leave the flat?",
        "How do I want Ben to talk to the landlord?",
        "What did I tell Ben never to do?",
        "What did I ask you to translate?",
        "What did I ask you to stop Ben from doing?",
        "How long did you say the dough rests?",
        "How long should the replies to the council be?",
        "What are guests not allowed to do?",
        "What style do I like in furniture?",
        "How direct is the flight?",
        "What format do I want the photos in?",
        "What should you ask a landlord before renting?",
    ],
)
def test_who_asks_for_something_alike_is_not_given_all_orders(question: str) -> None:
    assert not wanted(context().query(question)).orders


@pytest.mark.parametrize("question", ["What rules have I set for your answers?", "我给过你什么要求？"])
def test_the_standing_orders_are_listed_where_nothing_else_is_asked_for(question: str) -> None:
    said = [
        (5, "instruction", "Always answer in French"),
        (2, "instruction", "Never use emojis"),
        (4, "preference", "I prefer tea"),
        (6, "user", "The boss set rules for our answers to guests."),
    ]
    answer = Extractive().read(question, context(said=said), by_words)
    assert [each.exchange_id for each in answer.citations] == [2, 5]
    assert -1 < answer.text.find("1. 2024-03-03: “Never use emojis” [2]") < answer.text.find("2. ")
    none = Extractive().read(question, context(said=said[2:]), by_words)
    assert none.text in {each.nothing for each in FRAMES.values()}
    assert none.citations == ()


def test_how_the_user_did_it_is_what_their_message_tells() -> None:
    said = [
        (3, "user", "The printer was jammed again. I repaired it by cleaning the rollers with alcohol."),
        (3, "assistant", "Good to know."),
        (7, "user", "Which paper is good?"),
        (7, "assistant", "Take the thick paper. It lies flat in the tray."),
    ]
    answer = Extractive().read("How did I repair the printer?", context(3, said=said), by_words)
    assert [each.quote for each in answer.citations] == [said[0][2]]


def summed(question: str, *said: str) -> str:
    found = context(said=[(n, "user", text) for n, text in enumerate(said)])
    line = "tests, 2 mentions: 48 [0] + 27 [1] = 75"
    reckoned = Filled(RECKONED, "", (1,), 0, (Piece(1, ("m1",), "reckoned", line),))
    return Extractive().read(question, replace(found, parts=(*found.parts, reckoned)), by_words).text


def test_the_total_is_said_where_its_terms_are_what_is_asked() -> None:
    question, said = "How many unit tests have I written in total?", "I wrote 48 unit tests."
    assert summed(question, said, "I wrote 27 more unit tests.").startswith("75 tests in all (48 + 27)")
    assert "75" not in summed(question, said, "I deleted 27 more slow tests.")
    assert "75" not in summed("How many unit tests have I written?", said, "I wrote 27 more unit tests.")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("How much do I weigh now?", "Weighed myself this morning: my weight is {} kg."),
        ("What is my budget?", "My budget is now ${}."),
        ("What is my savings balance now?", "Update: my savings balance is ${}."),
    ],
)
def test_of_a_value_that_is_told_every_week_no_older_one_is_called_the_newest(asked: str, said: str) -> None:
    week = [(n, "user", said.format(1010 + 3 * n)) for n in range(14)]
    lines = Extractive().read(asked, context(14, said=week), by_words).text.splitlines()
    newest = [line for label, line in pairwise(lines) if label == frame("en").newest]
    assert all(week[-1][2] in line for line in newest)


def test_what_replaced_it_comes_first_though_it_names_nothing_that_is_asked() -> None:
    said = [(2, "user", "I use Notion for my notes."), (6, "user", "I switched from Notion to Obsidian.")]
    asked = "What do I use for my notes?"
    lines = Extractive().read(asked, context(2, said=said), by_words).text.splitlines()
    assert [lines[0], lines[2]] == [frame("en").newest, frame("en").before]
    assert ["Obsidian" in lines[1], "for my notes" in lines[3]] == [True, True]
    was = Extractive().read("What did I use for my notes?", context(2, said=said), by_words).text
    assert frame("en").newest not in was


def test_the_profile_answers_a_part_of_a_question_and_quotes_the_rest() -> None:
    entry = Piece(1, ("m1",), "profile", "job: nurse")
    seen = replace(context(), parts=(Filled("[profile]", "", (1,), 0, (entry,)), *context().parts))
    starter = "Where does the sourdough starter live"
    rest = cited(Extractive(), f"{starter}?", seen)
    assert rest
    both = Extractive().read(f"{starter} and what is my job title?", seen, by_words)
    assert both.text.splitlines()[0].endswith("job: nurse [1]")
    assert [each.exchange_id for each in both.citations][:2] == [1, rest[0]]
    # Alone, or beside something that nothing answers.
    for question in ("What is my job title?", "What is my job title and which airline sells whisky?"):
        assert cited(Extractive(), question, seen) == [1]


TOLD_LATER = [
    (1, "user", "I ordered a lamp for the hall."),
    (2, "user", "Did the lamp ship?"),
    (2, "assistant", "Yes, parcel 49530 left Reno."),
    (3, "assistant", "How do you feel after the first fencing lesson?"),
    (4, "user", "Sore, but in a good way."),
    (5, "user", "The sofa is green."),
]


def test_a_question_that_is_quoted_has_its_reply_behind_it() -> None:
    text = Extractive().read("Tell me about the lamp.", context(1, said=TOLD_LATER), by_words).text
    assert text.index("Did the lamp ship?") < text.index("parcel 49530 left Reno")


def test_what_the_user_answers_to_the_assistant_counts_the_words_of_its_question() -> None:
    question = "How did I feel after the first fencing lesson?"
    assert 4 in cited(Extractive(), question, context(5, said=TOLD_LATER))
    unasked = [(e, role, "Enjoy the rest." if e == 3 else said) for e, role, said in TOLD_LATER]
    assert 4 not in cited(Extractive(), question, context(5, said=unasked))


def test_whether_something_is_done_the_assistant_may_have_told() -> None:
    said = [
        (1, "user", "The cache is slow."),
        (2, "assistant", "The WAL mode of the database is out, I reverted it."),
    ]
    reverted = Extractive().read("Did we revert the WAL mode of the database?", context(said=said), by_words)
    assert "I reverted it" in reverted.text


def test_a_denial_beside_another_statement_contradicts_nothing() -> None:
    said = [
        (1, "user", "I paid the rest of the invoice for Odile on Monday."),
        (2, "user", "I don't want to be harsh, Odile is a friend and she paid the first invoice."),
    ]
    question = "Did I pay the rest of the invoice for Odile?"
    assert FRAMES["en"].differ not in Extractive().read(question, context(said=said), by_words).text
    denied = [*said, (3, "user", "I have never paid the rest of the invoice for Odile.")]
    assert FRAMES["en"].differ in Extractive().read(question, context(said=denied), by_words).text


@pytest.mark.parametrize(
    ("told", "answered"),
    [
        ("Tom: I booked the hall. Ben said he is scared of the speech at the wedding.", True),
        ("Tom: Nice one, Ben! I am scared of the speech at the wedding.", False),
    ],
)
def test_of_somebody_who_is_named_another_may_tell(told: str, answered: bool) -> None:
    said = [(1, "user", told), (2, "user", "Ben: The sofa is green.")]
    talk = replace(context(1, said=said), speakers=frozenset(("Tom", "Ben")))
    text = Extractive().read("Is Ben scared of the speech at the wedding?", talk, by_words).text
    assert ("scared of the speech" in text) == answered


TINY = [
    ("How old is Momo?", "My cat Momo is 5.", True),
    ("How old is my cat?", "My cat Momo is 5.", True),
    ("Which script holds the bubble sort?", "Done: bubble sort in sorter.py", True),
    ("What grows in Row C?", "Row C: leeks", True),
    ("How much did I pay for the Vespa?", "Bought a red Vespa last week for 2300.", True),
    ("When is my physio appointment?", "physio moved to tuesday 9am", True),
    ("Who makes the lasagne?", "Lasagne from Paolo.", True),
    ("How old is my parrot?", "My cat Momo is 5.", False),
    ("Which script holds the merge sort?", "Done: bubble sort in sorter.py", False),
    ("How often do I mow the lawn?", "Row C: leeks", False),
    ("What is the number plate of my lorry?", "Bought a red Vespa last week for 2300.", False),
    ("When is my piano exam?", "physio moved to tuesday 9am", False),
]


@pytest.mark.parametrize(("question", "said", "answered"), TINY)
@pytest.mark.parametrize("others", [0, 8])
def test_what_one_message_tells_is_answered_in_a_conversation_of_any_length(
    question: str, said: str, answered: bool, others: int
) -> None:
    beside = ["It rained again.", "Cool", "The train was late.", "Good night!"]
    rest = [(i + 2, "assistant" if i % 2 else "user", beside[i % 4]) for i in range(others)]
    talk = context(1, said=[(1, "user", said), (1, "assistant", "Cool"), *rest])
    assert (
        1 in [one.exchange_id for one in Extractive().read(question, talk, MiniLM().encode).citations]
    ) == answered


@pytest.mark.parametrize(
    ("question", "asked", "replied"),
    [
        ("What are the names of Ben's hamsters?", "Aww, sweet! What are their names? Hamsters are such fun!", True),
        # Asks for something else, and by another than the one who is named.
        ("What are the names of Ben's hamsters?", "Aww, sweet! Been to Rome? Hamsters are such fun!", False),
        ("What are the names of Tom's hamsters?", "Aww, sweet! What are their names? Hamsters are such fun!", False),
    ],
)  # fmt: skip
def test_a_question_quoted_beside_what_answers_has_its_reply_behind_it(
    question: str, asked: str, replied: bool
) -> None:
    said = [
        (1, "user", "Ben: We keep two hamsters now."),
        (2, "user", f"Tom: {asked}"),
        (3, "user", "Ben: Pip and Squeak!"),
    ]
    talk = replace(context(1, said=said), speakers=frozenset(("Tom", "Ben")))
    answer = Extractive().read(question, talk, MiniLM().encode).text
    assert ("Pip and Squeak" in answer) == replied
