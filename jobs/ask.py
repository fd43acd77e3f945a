"""Ask one question: `python jobs/ask.py store.root=… conversation=… question="…" [k=…] [budget=…] [json=true]`.

Prints the answer and the messages it rests on, or with `json=true` what the service would answer. With `reader=model`
the model of `engine` and `model` reads the context, as the index job names it: `reader=model engine=openai
engine.base_url=… engine.model=…`. The question and the conversation's id are taken as they stand, whatever characters
they hold.
"""

from __future__ import annotations

from functools import partial

from omegaconf import DictConfig

from memfold.config import main, verbatim
from memfold.context.types import readable
from memfold.errors import UserError
from memfold.serve.newest import Reading
from memfold.serve.wire import Refused, parse, probe

VERBATIM = ("conversation", "question")


def run(config: DictConfig, words: dict[str, str]) -> None:
    for name in VERBATIM:
        if not words.get(name):
            raise UserError(f'{name} is missing: give {name}="…"')
    reading = Reading.of(config)
    try:
        asked = parse({"question": words["question"], "budget": config.budget, "k": config.k})
        answered = probe(reading.open(), words["conversation"], asked)
    except Refused as refused:
        raise UserError(refused.message) from None
    finally:
        reading.close()
    as_json = answered.model_dump_json(exclude_unset=True)
    print(as_json if config.json else readable(answered.answer, answered.citations))


if __name__ == "__main__":
    main("ask", partial(run, words=verbatim(*VERBATIM)))
