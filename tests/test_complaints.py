"""What Hydra and OmegaConf complain of is one line that says which word is wrong and what is allowed."""

from __future__ import annotations

import pytest

from memfold import UserError
from memfold.build import build
from memfold.config import load
from support.refused import refused


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("executor=sparc", ["sparc", "local", "ray"]),
        ("engine=gpt", ["gpt", "rules"]),
        ("source=gpt", ["source=gpt: use one of files, "]),
        ("source=/in/one.jsonl", ["source=/in/one.jsonl: use one of files, ", "source.path=/in/one.jsonl"]),
        ("source=in/", ["or give a path as source.path=in/"]),
        (
            "layers=episodic,orders",
            ["layers=episodic,orders: write a list in brackets, layers=[episodic,orders]"],
        ),
        ("layers=[episodic,orders", ["layers=[episodic,orders: it cannot be read: close its brackets"]),
        ("layers=[episodic]]", ["layers=[episodic]]: it cannot be read: close its brackets"]),
        ("engine.base_url=a=b", ["engine.base_url is unknown"]),
        ("engine.together=a=b", ["engine.together=a=b: it cannot be read"]),
        ("layers=[a]", ["layers has no choice 'a' (--help lists them)"]),
        ("source.tokens=many", ["source.tokens: 'many' is not a whole number"]),
        ("a=b=c", ["a"]),
        ("=", ["="]),
    ],
)
def test_a_wrong_word_is_one_line_that_says_which(override: str, said: list[str]) -> None:
    line = refused(override)
    for part in said:
        assert part in line


def test_a_value_of_another_type_is_one_line_that_says_which() -> None:
    assert "executor.cpus: 'many' is not a number" in refused("executor=ray", "executor.cpus=many")


def test_a_map_of_keys_that_is_given_as_a_word_is_one_line() -> None:
    with pytest.raises(UserError, match=r"context\.template: tagged is no map of keys: set a key below it"):
        build(load("ask", ["context.template=tagged"]).context, "context")
