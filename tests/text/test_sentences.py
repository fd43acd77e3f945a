"""One splitter for quoting and for matching: where it cuts, and that it keeps every character of any text."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.text.sentences import MAX_SENTENCE, in_pieces, numbered, plain_sentences, sentences
from support.hard_sentences import HARD, UNSEEN, joined

CODES = (*HARD, "und", "uk", "th", "xx", "")


def cut(text: str, language: str = "en") -> list[str]:
    return [sentence.strip() for sentence in sentences(text, language) if sentence.strip()]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Wir sehen uns am 15. Mai im Büro."),
        ("de", "Das Dach kostet ca. 12.500 Euro."),
        ("en", "The review is on Jan. 5 at 3 p.m. in Room 4."),
    ],
)
def test_dates_and_sums_stay_whole(language: str, text: str) -> None:
    assert cut(text, language) == [text]
    assert [sentence.text for sentence in plain_sentences(text, language)] == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved to Bern; my sister stayed.", ["I moved to Bern;", "my sister stayed."]),
        ("The rent is 900 euros; the deposit is due in May; nobody told us.", [
            "The rent is 900 euros;", "the deposit is due in May;", "nobody told us.",
        ]),
        ("int x = 5; int y = 6;", []),
        ("total = price; print(total); it says zero.", ["it says zero."]),
        ("return total;", []),
        ("const a = foo(); return a; // done", []),
        ("SELECT * FROM t; DROP TABLE t; it is gone", ["it is gone"]),
    ],
)  # fmt: skip
def test_what_stands_before_a_semicolon_is_prose_unless_it_is_code(text: str, expected: list[str]) -> None:
    assert [sentence.text for sentence in plain_sentences(text)] == expected


@pytest.mark.parametrize("language", HARD)
def test_hard_texts_are_cut_where_sentences_end(language: str) -> None:
    wrong = [
        found
        for expected in HARD[language]
        if (found := cut(joined(language, expected), language)) != expected
    ]
    # An ellipsis in Chinese ends a sentence or does not: it is left alone.
    assert [text for text in wrong if "……" not in text[0]] == []


def test_most_texts_written_afterwards_are_too() -> None:
    texts = [(language, expected) for language, every in UNSEEN.items() for expected in every]
    right = [cut(joined(language, expected), language) == expected for language, expected in texts]
    assert sum(right) >= 0.8 * len(right)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "One. Two! Three? four", ["One.", "Two!", "Three?", "four"]),
        ("en", "1. First\n2. Second. Third", ["1. First", "2. Second.", "Third"]),
        ("en", "**Bold.** Then more.", ["**Bold.**", "Then more."]),
        ("en", "I left. (He stayed.) We met.", ["I left.", "(He stayed.)", "We met."]),
        ("zh", "今天下雨。明天呢？不知道；再说", ["今天下雨。", "明天呢？", "不知道；", "再说"]),
        ("zh", "“真的？”他问！明天呢", ["“真的？”他问！", "明天呢"]),
        ("en", " \n ", []),
    ],
)
def test_cuts(language: str, text: str, expected: list[str]) -> None:
    assert cut(text, language) == expected


def test_a_long_quotation_is_cut_within() -> None:
    said = "We went up the hill and looked at the sea. "
    found = cut(f"She wrote: “{said * 30}”")
    assert len(found) >= 30
    assert max(map(len, found)) < MAX_SENTENCE


def test_a_sentence_is_whole_wherever_the_library_is_shown_the_line_from() -> None:
    text = "".join(f"This is sentence number {n} of a very long line. " for n in range(1_000))
    assert {sentence.split(" number")[0] for sentence in cut(text)} == {"This is sentence"}
    assert len(cut(text)) == 1_000


@pytest.mark.parametrize("run", ["我昨天去了超市买了很多东西，", "café et thé avec du lait "])
def test_a_sentence_without_an_end_is_whole(run: str) -> None:
    """The library is shown 2,000 characters at once."""
    assert cut(run * 200, "zh" if run[0] == "我" else "fr") == [(run * 200).strip()]


WORDS = "rain and wind and snow and hail "


@pytest.mark.parametrize(
    ("rest", "at"),
    [
        ("and I live in New York with Ann, Bob", "and I live"),
        ("we left at 10:30, my dog barked at Jo", "my dog"),
        ("Rome was hot; Oslo is at 5 degrees", "Oslo"),
        ("He Lives In New York With His Dog And", "hail He"),
        ("I paid 12,500 Euros to New York Water", "hail I"),
        ('he says "and I live in Rome, and I am 30" Bob', 'says "and'),
        ("我买了很多东西，我住在爱丁堡的老城区里面", "我住在"),
        ("我买了很多东西然后我住在爱丁堡的老城区里面", "然后"),
    ],
)
def test_a_long_sentence_is_cut_between_clauses_and_not_within_a_name(rest: str, at: str) -> None:
    text = (WORDS * 30)[len(rest) - MAX_SENTENCE :] + f"{rest}ham {WORDS * 5}"
    first, second = in_pieces(text)
    assert (first + second, second[: len(at)]) == (text, at)


@given(
    st.text(alphabet='aB1,; 我，了.\n"', max_size=3_000) | st.text(max_size=50).map(lambda text: text * 60)
)
def test_pieces_are_short_and_joined_they_are_the_sentence(text: str) -> None:
    found = list(in_pieces(text))
    assert "".join(found) == text
    assert max(map(len, found)) <= MAX_SENTENCE
    assert len(found) <= len(text) // (MAX_SENTENCE // 2) + 1


def test_the_rules_are_given_all_of_a_long_sentence() -> None:
    text = f"- {WORDS * 40}and the last word is here"
    found = plain_sentences(text)
    assert " ".join(sentence.text for sentence in found) == text.removeprefix("- ")
    assert [sentence.goes_on for sentence in found] == [False] + [True] * (len(found) - 1)
    assert all(sentence.listed for sentence in found)
    assert plain_sentences(f"total = {'price + ' * 200}tax;") == []


@given(
    st.one_of(st.text(), st.text(alphabet="aB1.!?;()“”\"'»。；？ \n\r\x00\x85\ud800😀*-")),
    st.sampled_from(CODES),
)
def test_joined_they_are_the_text(text: str, language: str) -> None:
    found = list(sentences(text, language))
    assert "".join(found) == text
    assert all(found)
    assert list(sentences(text, language)) == found


@pytest.mark.parametrize(
    "piece", ["x", ".", "“ a. ", "( A. ", "Dr. ", "“今。", "\x00", "\ud800. ", "1. ", "a.b", "\n"]
)
def test_hostile_text_comes_to_an_end(piece: str) -> None:
    """Open quotes in one line of a megabyte took the library alone four minutes."""
    text = piece * (400_000 // len(piece))
    assert "".join(sentences(text)) == text


def test_threads_find_the_same() -> None:
    texts = [joined(language, expected) for language, every in HARD.items() for expected in every] * 20
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(cut, texts)) == [cut(text) for text in texts]


@pytest.mark.parametrize(
    "text", ["Plan A\u00a0. Then B.", "A\u00a0.", "X\u3000.", "He said A\u00a0. Then\u2003B. Fine, no?"]
)
@pytest.mark.parametrize("language", ["en", "ja", "und"])
def test_blanks_at_which_the_library_panics_end_no_job(text: str, language: str) -> None:
    assert "".join(sentences(text, language)) == text
    plain = text.translate(dict.fromkeys(map(ord, "\u00a0\u3000\u2003"), " "))
    assert list(map(len, sentences(text, language))) == list(map(len, sentences(plain, language)))


def test_text_at_which_the_library_always_panics_is_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):
        """Named as the library's, which no module exports."""

    def segment(language: str, text: str) -> list[str]:
        raise PanicException(text)

    monkeypatch.setattr("memfold.text.sentences.sentencex.segment", segment)
    for text in ("One. Two.", "Un\u00e9. Deux.", "Un\u00e9\u00a0. Deux.\n"):
        assert list(sentences(text, "fr")) == [text]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "Check first: 1. Empty the queue 2. Move the alarms 3. Keep the scripts.",
            ["Check first: ", "1. Empty the queue ", "2. Move the alarms ", "3. Keep the scripts."],
        ),
        ("下线前确认： 1. 队列清零 2. 告警已迁移", ["下线前确认： ", "1. 队列清零 ", "2. 告警已迁移"]),
        ("1. Empty the queue 2. Move the alarms", ["1. Empty the queue ", "2. Move the alarms"]),
        # Numbers that end sentences.
        (
            "She was born on May 1. He on May 2. They met.",
            ["She was born on May 1. ", "He on May 2. ", "They met."],
        ),
        ("The score: 1. Nobody knew why.", ["The score: 1. ", "Nobody knew why."]),
        ("Rooms free: 1. Beds: 4. Fine.", ["Rooms free: 1. ", "Beds: 4. ", "Fine."]),
    ],
)
def test_the_items_of_a_list_in_a_line_keep_their_numbers(line: str, expected: list[str]) -> None:
    assert list(numbered(sentences(line, "en" if line.isascii() else "zh"))) == expected
