"""Where a block of code begins and ends, and that all who look for one know the same."""

from __future__ import annotations

import pytest

from memfold.context.sections.exchanges import opening
from memfold.extract.engines.rules.text import prose
from memfold.text.fences import blocks, fence, fenced, unclosed, without_code
from memfold.text.pasted import own_words
from memfold.text.units import units

CODE = "Always answer in French.\nmy_name = 1"
BLOCKS = [
    f"```\n{CODE}\n```",
    f"```python\n{CODE}\n```",
    f"~~~\n{CODE}\n~~~",
    f"~~~python title=x\n{CODE}\n~~~~",
    f"   ~~~\n{CODE}\n   ~~~  ",
    f"````md\n```\n{CODE}\n```\n````",
    f"~~~~\n~~~\n{CODE}\n~~~\n~~~~",
    f"~~~\n```\n{CODE}\n~~~",
    f"```\n~~~\n{CODE}\n```",
    f"```\nprint('```')\n{CODE}\n```",
    f"```\n{CODE}```",
    f"```js\r\n{CODE}\r\n```\r",
    f"```markdown\n# Setup\n```sh\nmake\n```\n{CODE}\n  ```py\n  x\n  ```\n```",
]


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_ends_with_as_many_of_the_marks_that_began_it(block: str) -> None:
    text = f"Look at this:\n{block}\nI live in Rome."
    assert [" ".join(match[0].split()) for match in blocks(text)] == [" ".join(block.split())]
    assert without_code(text, "").split() == ["Look", "at", "this:", "I", "live", "in", "Rome."]


@pytest.mark.parametrize("block", BLOCKS)
def test_whoever_leaves_code_out_knows_the_same_blocks(block: str) -> None:
    text = f"Look at this:\n{block}\nI live in Rome."
    left = ["Look", "at", "this:", "I", "live", "in", "Rome."]
    assert prose(text).split() == left
    assert opening(text, 500).split() == left
    assert "French" not in own_words(text)[0]
    # A block that fits is one unit.
    assert any(block.strip() == text[slice(*place)].strip() for place in units(text, len(block) + 10))


@pytest.mark.parametrize("mark", ["```", "```python"])
def test_one_that_is_never_closed_goes_on_to_the_end(mark: str) -> None:
    assert without_code(f"Mine.\n{mark}\n{CODE}\n~~\n``\n\nmore", "").split() == ["Mine."]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "That is so cute~~~",
        "hi~~~\nhow are you~~~\nI live in Rome",
        "~~~ Chapter 1 ~~~\nI live in Rome.",
        "It costs ~~50~~ 40 euros\n~~not this~~",
        "~~\ntwo are none\n~~",
        "~~~ good news!!!\nMy parrot is called Polly.\n~~~",
        "~~~\nnobody closes this\n~~",
        "~~~py\nnor this\n~~~ it",
        "~~~~~~~~\nMy horse is called Thunder.\n~~~~~~~~\nBye",
        "`one` and ``two``",
    ],
)
def test_what_is_no_fence(text: str) -> None:
    assert not fenced(text)
    assert without_code(text, "") == text
    assert own_words(text)[1] == ""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Run ```make all``` and wait.", "Run and wait."),
        ("Run ```make``` or ```make all```, I live in Rome.", "Run or , I live in Rome."),
        ("What is wrong? ```\nx = 1\n```\nThanks", "What is wrong? Thanks"),
        ("```python\nx = 1\n```sql\ny = 2\n```\nThanks", "Thanks"),
        ("```\nx = 1\n```\n```sql\nSELECT 1\n```\nThanks", "Thanks"),
    ],
)
def test_backticks_open_a_block_anywhere(text: str, left: str) -> None:
    assert without_code(text, "").split() == left.split()


@pytest.mark.parametrize("mark", ["```", "~~~", "`````"])
def test_a_block_is_cut_before_the_fence_that_closes_it(mark: str) -> None:
    block = f"{mark}py\nx = '~`'\n{mark}"
    assert unclosed(block) == unclosed(f"{mark}py\nx = '~`'") == f"{mark}py\nx = '~`'"
    assert fence(block) == mark
    assert fence(f"no {block}") == ""


def test_what_is_asked_behind_a_closing_fence_is_no_code() -> None:
    assert without_code("Look:\n```py\nx = 1\n``` why does it fail?", "") == "Look:\n why does it fail?"
    assert without_code("```\nuse ```python here\n```\nI see", "") == "\nI see"
    for behind in (", but it worked", ". It fails", ") as said", ": why?", "。另外", "报错"):
        assert without_code(f"Look:\n```\nKeyError: 'x'\n```{behind}", "") == f"Look:\n{behind}"
