from hypothesis import given
from hypothesis import strategies as st

from memfold.text import language
from memfold.text.chunks import LONGEST, by_chunk
from memfold.text.dates import cues

TEXTS = st.lists(
    st.sampled_from(
        [
            "the",
            "May",
            "2024-03-15",
            "3.4.2024",
            "12/5",
            "q3",
            "Q3",
            "über",
            "mai",
            "a" * 12 + "may",
            "x" * 70,
        ]
    )
    | st.text(max_size=8),
    max_size=12,
).map(" ".join)


def test_each_chunk_is_told_once_and_kept_unless_one_is_long() -> None:
    told: list[str] = []

    @by_chunk
    def size(text: str) -> int:
        told.append(text)
        return len(text)

    assert list(size("so it\tis so\n")) == [2, 2, 2, 2]
    assert told == ["so", "it", "is"]
    whole = "so " + "x" * (LONGEST + 1)
    assert [list(size(whole)) for _ in range(2)] == [[len(whole)]] * 2
    assert told[3:] == [whole, whole]
    assert list(size("x" * LONGEST)) == [LONGEST]
    assert list(size(" ")) == []


@given(TEXTS)
def test_chunks_tell_what_the_text_does(text: str) -> None:
    text = text.lower()
    whole = not cues._CUES.isdisjoint(cues._TOKEN.findall(text)) or bool(cues._FIGURES.search(text))
    assert any(cues._dated(text)) == whole
    votes = [vote for word in language._WORD.findall(text) for vote in language._BY_WORD.get(word, ())]
    assert [vote for of in language._votes_of_words(text) for vote in of] == votes
