"""The synthetic source: the same everywhere, streamed, honest about its evidence, and not trivially solved."""

from __future__ import annotations

import hashlib
import math
import re
import tracemalloc
from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from omegaconf import OmegaConf

from memfold.build import build
from memfold.errors import UserError
from memfold.evaluate.probe import ABILITIES, Probe
from memfold.evaluate.synthetic import BANKS, VERSION, Synthetic
from memfold.evaluate.synthetic.across import _questions
from memfold.evaluate.synthetic.plan import CAST, DECKS, cast_of, walk
from memfold.schema import Message
from memfold.text.tokens import count

LANGUAGES = ("en", "zh")
HAN = re.compile("[\u4e00-\u9fff]")
CONF = Path(__file__).resolve().parents[2] / "conf" / "source" / "synthetic.yaml"
MOST_CHAPTERS = 305  # of 100M tokens: 117,647 exchanges, 32.5 to a deck, 12 decks to a chapter


def said(source: Synthetic) -> list[Message]:
    messages = list(source.messages())
    assert all(isinstance(message, Message) for message in messages)
    return [message for message in messages if isinstance(message, Message)]


@cache
def sample(language: str) -> tuple[dict[str, str], list[Probe]]:
    source = Synthetic(tokens=400_000, seed=7, languages=(language,))
    return {str(m.message_id): m.content for m in said(source)}, source.probes()


def of(language: str, ability: str) -> list[Probe]:
    found = [probe for probe in sample(language)[1] if probe.ability == ability]
    assert found
    return found


def test_the_same_parameters_give_the_same_bytes_on_every_machine() -> None:
    """Golden: if this changes, raise VERSION, since stores made before would no longer be told apart."""
    digest = hashlib.sha256()
    source = Synthetic(tokens=30_000, seed=1, conversations=2)
    for m in said(source):
        digest.update(repr((m.conversation_id, m.message_id, m.role, m.content, m.session)).encode())
        assert m.time is not None
        digest.update(m.time.isoformat().encode())
    for probe in source.probes():
        digest.update(repr(probe).encode())
    assert (VERSION, digest.hexdigest()) == (
        1,
        "e94693d75164cee65c90812ac35ad66ef627b88d5d67dc91f24b486acfc8fa3d",
    )


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**63 - 1),
    lengths=st.tuples(st.integers(1_000, 60_000), st.integers(1_000, 60_000)).map(sorted),
    language=st.sampled_from(LANGUAGES),
)
def test_a_longer_conversation_begins_with_the_shorter(seed: int, lengths: list[int], language: str) -> None:
    short, long = (said(Synthetic(tokens=n, seed=seed, languages=(language,))) for n in lengths)
    assert long[: len(short)] == short


def test_seeds_conversations_and_languages_differ() -> None:
    def texts(source: Synthetic) -> set[str]:
        return {m.content for m in said(source)}

    one = Synthetic(tokens=20_000)
    assert texts(one).isdisjoint(texts(replace(one, seed=1)))
    two = replace(one, conversations=2)
    assert {m.conversation_id for m in said(two)} == {"synthetic-0-0", "synthetic-0-1"}
    assert {p.language for p in two.probes()} == {"en", "zh"}
    assert said(two)[: len(said(one))] == said(one)


def test_ten_messages_of_a_hundred_million_tokens_need_next_to_no_memory() -> None:
    tracemalloc.start()
    try:
        first = list(islice(Synthetic(tokens=100_000_000).messages(), 10))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert first == list(islice(Synthetic(tokens=100_000).messages(), 10))
    assert peak < 1_000_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_memory_does_not_grow_with_length(language: str) -> None:
    """2M tokens are 9 MB of text; what is held is the threads in the air."""

    def peak(tokens: int) -> int:
        tracemalloc.start()
        try:
            for _ in Synthetic(tokens=tokens, languages=(language,)).messages():
                pass
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(2_000_000) < 1_000_000


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("tokens", [20_000, 200_000])
def test_the_number_of_tokens_is_kept_within_three_percent(language: str, tokens: int) -> None:
    total = sum(count(m.content) for m in said(Synthetic(tokens=tokens, languages=(language,))))
    assert abs(total - tokens) <= 0.03 * tokens


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_alternate_and_time_goes_on(language: str) -> None:
    messages = said(Synthetic(tokens=300_000, languages=(language,)))
    assert [m.role for m in messages] == ["user", "assistant"] * (len(messages) // 2)
    assert [m.message_id for m in messages] == [str(i) for i in range(len(messages))]
    times = [m.time for m in messages]
    assert all(time is not None and time.utcoffset() is not None for time in times)
    assert all(a < b for a, b in pairwise(times) if a and b)
    assert len({m.session for m in messages}) > 30
    user = sum(count(m.content) for m in messages[::2])
    assert 0.05 < user / sum(count(m.content) for m in messages) < 0.15


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_slot_is_left_open_and_replies_do_not_repeat(language: str) -> None:
    texts = list(sample(language)[0].values())
    assert not [text for text in texts if "{" in text or "}" in text or "  {" in text]
    assert not [text for text in texts[::2] if "  " in text or text != text.strip()]
    assert len(set(texts)) == len(texts)
    for text in texts[1::2]:
        lines = [line.lstrip("-*0123456789. ") for line in text.splitlines() if len(line) > 30]
        assert len(set(lines)) == len(lines)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", range(4))
def test_a_hundred_thousand_tokens_have_about_twenty_probes_of_all_abilities(
    language: str, seed: int
) -> None:
    probes = Synthetic(tokens=100_000, seed=seed, languages=(language,)).probes()
    assert {probe.ability for probe in probes} == set(ABILITIES)
    assert 18 <= len(probes) <= 20
    assert len({probe.probe_id for probe in probes}) == len(probes)


def test_probes_grow_slowly_with_length() -> None:
    numbers = [len(Synthetic(tokens=tokens).probes()) for tokens in (20_000, 200_000, 1_000_000, 10_000_000)]
    assert numbers == sorted(numbers)
    assert numbers[1:] == [20, 30, 40]


@pytest.mark.parametrize("language", LANGUAGES)
def test_evidence_is_user_messages_of_the_conversation_in_order(language: str) -> None:
    texts, probes = sample(language)
    for probe in probes:
        assert (probe.evidence == ()) == (probe.ability == "abstention")
        places = [int(message) for message in probe.evidence]
        assert places == sorted(set(places))
        assert all(place % 2 == 0 and str(place) in texts for place in places)
        assert min(len(probe.question), len(probe.answer), len(probe.rubric)) > 0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "ability", ["information_extraction", "knowledge_update", "preference_following", "temporal_reasoning"]
)
def test_evidence_contains_the_planted_value(language: str, ability: str) -> None:
    texts, _ = sample(language)
    for probe in of(language, ability):
        values = probe.rubric[1:] if ability == "temporal_reasoning" else probe.rubric
        for value in values:
            assert any(value.lower() in texts[message].lower() for message in probe.evidence)
        assert all(value in probe.answer for value in probe.rubric)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_update_comes_after_what_it_replaces(language: str) -> None:
    texts, _ = sample(language)
    for probe in of(language, "knowledge_update"):
        original, update = probe.evidence
        assert int(original) < int(update)
        assert probe.rubric[0] in texts[update]
        assert probe.rubric[0] not in texts[original]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tally_is_the_sum_of_what_was_told(language: str) -> None:
    texts, _ = sample(language)
    for probe in of(language, "multi_session_reasoning"):
        terms = re.findall(r"\d+", probe.answer)[1:]
        assert len(terms) == len(probe.evidence) == 3
        for term, message in zip(terms, probe.evidence, strict=True):
            assert term in re.findall(r"\d+", texts[message])
        assert sum(map(int, terms)) == int(re.findall(r"\d+", probe.rubric[0])[0])


def stated(sentences: tuple[str, ...], name: str, texts: list[str]) -> int:
    """In how many of `texts` one of the sentences is said of `name`, with any value."""
    patterns = [re.escape(s).replace(r"\{v\}", ".+?").replace(r"\{e\}", re.escape(name)) for s in sentences]
    return sum(any(re.search(p, text, re.IGNORECASE) for p in patterns) for text in texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_an_abstention_asks_was_said_of_the_twin_and_never_of_the_venture(language: str) -> None:
    texts = [text for message, text in sample(language)[0].items() if int(message) % 2 == 0]
    steps = walk(BANKS[language], f"{VERSION}:synthetic-7-0:{language}", len(texts))
    threads = {step.thread.question: step.thread for step in steps}
    for probe in of(language, "abstention"):
        venture, twin, attribute = (
            getattr(threads[probe.question], part) for part in ("venture", "twin", "attribute")
        )
        sentences = attribute.say + attribute.change
        # Once its name has been said a venture goes by its noun, but not beside its twin.
        ours = [text for text in texts if venture.name in text and twin.name not in text]
        theirs = [text for text in texts if twin.name in text and venture.name not in text]
        assert stated(sentences, venture.name, texts) == stated(sentences, venture.short, ours) == 0
        assert stated(sentences, twin.name, texts) + stated(sentences, twin.short, theirs) >= 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_venture_comes_back_within_a_hundred_million_tokens(language: str) -> None:
    names = [v.name for chapter in range(MOST_CHAPTERS) for v in cast_of(BANKS[language], "x", chapter)]
    assert len(names) == MOST_CHAPTERS * CAST
    assert len(set(names)) == len(names)
    everything = "\n".join(names)
    assert not [name for name in names if everything.count(name) > 1]


def test_the_banks_have_the_same_shape_and_enough_themes() -> None:
    for bank in BANKS.values():
        assert len(bank.attributes) * CAST // 2 >= 3 * DECKS
        assert len(bank.exclusions) * CAST // 2 >= DECKS / 2
        for themes in (bank.claims, bank.tallies, bank.spans, bank.orders, bank.tastes):
            assert len(themes) * CAST // 2 >= DECKS
        for series in (bank.orderings, bank.moods):
            assert len(series) * CAST >= DECKS
        assert not {o for x in bank.exclusions for o in x.reasons if x.reasons.count(o) > 1}
    en, zh = BANKS["en"], BANKS["zh"]
    for name in (
        "attributes",
        "claims",
        "tallies",
        "spans",
        "orderings",
        "moods",
        "orders",
        "tastes",
        "answers",
    ):
        assert len(getattr(en, name)) == len(getattr(zh, name))


def test_standing_instructions_do_not_all_begin_alike() -> None:
    for bank in BANKS.values():
        assert len({frame[:4] for frame in bank.order_frames}) >= 6


def bm25_recall(source: Synthetic, k: int) -> tuple[float, float]:
    """Mean recall@k of plain BM25 over user text, and of drawing k at random."""

    def terms(text: str) -> list[str]:
        found = re.findall(r"[a-z0-9é']+", text.lower())
        runs = re.findall(r"[\u4e00-\u9fff]+", text)
        return found + [run[i : i + 2] for run in runs for i in range(len(run) - 1)]

    documents = {m.message_id: Counter(terms(m.content)) for m in said(source) if m.role == "user"}
    frequency = Counter(term for document in documents.values() for term in document)
    mean = sum(document.total() for document in documents.values()) / len(documents)
    postings: dict[str, list[tuple[str | None, float]]] = defaultdict(list)
    for message, document in documents.items():
        for term, times in document.items():
            weight = times * 2.2 / (times + 1.2 * (0.25 + 0.75 * document.total() / mean))
            postings[term].append((message, weight))
    recalls = []
    for probe in source.probes():
        scores: Counter[str | None] = Counter()
        for term in set(terms(probe.question)):
            rare = math.log(1 + (len(documents) - frequency[term] + 0.5) / (frequency[term] + 0.5))
            for message, weight in postings[term]:
                scores[message] += rare * weight  # type: ignore[assignment]
        hits = {message for message, _ in scores.most_common(k)}
        if probe.evidence:
            recalls.append(len(hits & set(probe.evidence)) / len(probe.evidence))
    return sum(recalls) / len(recalls), k / len(documents)


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_alone_find_some_of_the_evidence_and_not_most(language: str) -> None:
    found, random = bm25_recall(Synthetic(tokens=400_000, seed=7, languages=(language,)), 15)
    assert 3 * random < found < 0.7


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        ({"tokens": 999}, "1000 to 100000000"),
        ({"tokens": 100_000_001}, "1000 to 100000000"),
        ({"tokens": "many"}, "1000 to 100000000"),
        ({"tokens": True}, "1000 to 100000000"),
        ({"seed": -1}, "0 to"),
        ({"conversations": 0}, "1 to 10000"),
        ({"languages": ()}, "en, zh"),
        ({"languages": ("en", "fr")}, "en, zh"),
        ({"languages": "en"}, "en, zh"),
    ],
)
def test_a_wrong_parameter_is_named_with_what_is_allowed(given: dict[str, object], allowed: str) -> None:
    with pytest.raises(UserError, match=allowed) as raised:
        Synthetic(**given)  # type: ignore[arg-type]
    assert f"source.{next(iter(given))}=" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_the_config_makes_the_source() -> None:
    fields = OmegaConf.to_container(OmegaConf.load(CONF))
    assert isinstance(fields, dict)
    assert build({str(k): v for k, v in fields.items()}, "source") == Synthetic()


@pytest.mark.parametrize(("language", "other"), [("en", "zh"), ("zh", "en")])
def test_the_same_can_be_asked_in_another_language(language: str, other: str) -> None:
    chosen = {"tokens": 100_000, "languages": (language,), "each": 9}
    own, across = (Synthetic(**chosen, asked=asked).probes() for asked in ("", other))
    assert len(own) == len(across) > 25
    for one, foreign in zip(own, across, strict=True):
        assert (foreign.language, foreign.evidence, foreign.answer) == (other, one.evidence, one.answer)
        assert bool(HAN.search(foreign.question)) == (other == "zh")
        assert "{" not in foreign.question
    assert Synthetic(**chosen, asked=language).probes() == own


def test_the_banks_say_the_same_in_the_same_order() -> None:
    one, other = BANKS.values()
    assert len(_questions(one)) == len(_questions(other)) == len(set(_questions(one)))
    numbered = [["{n}" in ask for ask in _questions(bank)] for bank in (one, other)]
    assert numbered[0] == numbered[1]
    assert (len(one.places), len(one.nouns)) == (len(other.places), len(other.nouns))


def test_a_language_that_no_bank_has_is_refused() -> None:
    with pytest.raises(UserError, match=r"source\.asked='fr'"):
        Synthetic(asked="fr")
