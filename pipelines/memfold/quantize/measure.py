"""What the gate asks of a model's weights: likelihoods, distances from the original, and greedy answers.

The original is loaded once and its weights are exchanged, arm by arm: one model in memory, whatever its size. Of the
original the last hidden states are kept, from which its distribution is computed again beside an arm's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import log_softmax

from memfold.errors import UserError
from memfold.llm.generator import Generator
from memfold.quantize.asked import Request
from memfold.quantize.backends.backend import precision
from memfold.quantize.folder import ModelFolder
from memfold.quantize.gate import ArmAnswer, Figures, figures
from memfold.quantize.weights import dense, rounded

# Tokens whose distributions are in memory at once: 256 over 152,000 words are 156 MB in float32.
AT_ONCE = 256
# Requests answered together.
TOGETHER = 8


class Tokens:
    """A model's tokenizer: requests as the engine would send them."""

    def __init__(self, folder: Path) -> None:
        from transformers import AutoTokenizer

        self.tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, padding_side="left")

    def request(self, asked: Request) -> tuple[int, ...]:
        """The request, and the answer that is kept for it with its end."""
        messages = [{"role": role, "content": content} for role, content in asked.prompt.messages]
        ids = self.tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, tokenize=True, return_dict=False
        )
        if asked.written is not None:
            ids = ids + self.text(asked.written.text) + [self.tokenizer.eos_token_id]
        return tuple(ids)

    def text(self, text: str) -> list[int]:
        """Plain text, without marks at its ends."""
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False, verbose=False)
        return ids


@dataclass
class Measure:
    """Measures arms of the model in `folder` on `windows`, and on its answers to `asked` with `engine`'s settings."""

    folder: Path
    tokens: Tokens
    windows: Sequence[Sequence[int]]
    asked: Sequence[Request]
    engine: Generator
    model: Any = field(init=False)
    _head: Tensor = field(init=False)
    _states: list[Tensor] = field(init=False)
    _answers: list[ArmAnswer] = field(init=False)

    def __post_init__(self) -> None:
        from transformers import AutoModelForCausalLM

        self.model = AutoModelForCausalLM.from_pretrained(
            self.folder, dtype=precision(), local_files_only=True
        )
        self.model.to("cuda" if torch.cuda.is_available() else "cpu").eval()
        self._head = self.model.get_output_embeddings().weight.detach().clone()

    def original(self) -> Figures:
        """The original's own figures; they are measured first."""
        self._states = [self._state(window) for window in self.windows]
        self._answers = list(self._answered())
        nll = sum(
            self._distances(state, state, window)[0]
            for state, window in zip(self._states, self.windows, strict=True)
        )
        return figures(nll, 0.0, self._predicted, self._answers, self._answers)

    def rounded(self, names: Iterable[str], group_size: int) -> Figures:
        """The original with these weights rounded to nearest. The model is then that arm."""
        with torch.no_grad():
            for name in names:
                weight = self.model.get_parameter(name)
                weight.copy_(rounded(weight.to(torch.bfloat16), group_size))
        return self._figures()

    def checkpoint(self, folder: Path) -> Figures:
        """What lies in a checkpoint's folder. The model is then that arm. UserError where a layer that is quantised is
        not there by its name: the weights of the arm before would be measured."""
        known = set(self.model.state_dict())
        left = set(ModelFolder(self.folder).linears)
        with torch.no_grad():
            for name, weight, quantised in dense(folder, torch.bfloat16):
                if name in known:
                    self.model.get_parameter(name).copy_(weight)
                    left -= {name} if quantised else set()
        if left:
            raise UserError(
                f"the checkpoint has {len(left)} of the model's layers not quantised under their names, {min(left)} "
                "among them, and cannot be measured: take another backend"
            )
        return self._figures()

    def _figures(self) -> Figures:
        nll = kl = 0.0
        for before, window in zip(self._states, self.windows, strict=True):
            one, other = self._distances(before, self._state(window), window)
            nll, kl = nll + one, kl + other
        return figures(nll, kl, self._predicted, list(self._answered()), self._answers)

    @property
    def _predicted(self) -> int:
        return sum(len(window) - 1 for window in self.windows)

    @torch.inference_mode()
    def _state(self, window: Sequence[int]) -> Tensor:
        ids = torch.tensor([window], device=self.model.device)
        state: Tensor = self.model.base_model(input_ids=ids, use_cache=False).last_hidden_state[0]
        return state.cpu()

    @torch.inference_mode()
    def _distances(self, before: Tensor, state: Tensor, window: Sequence[int]) -> tuple[float, float]:
        """The sums over a window of the arm's negative log-likelihood, and of the original's divergence from it."""
        head, own = self._head, self.model.get_output_embeddings().weight
        following = torch.tensor(window[1:], device=own.device)
        nll = kl = 0.0
        for at in range(0, len(window) - 1, AT_ONCE):
            of = slice(at, min(at + AT_ONCE, len(window) - 1))
            here = log_softmax((state[of].to(own.device) @ own.T).float(), -1)
            nll -= here.gather(1, following[of, None]).sum().item()
            if before is not state:
                there = log_softmax((before[of].to(head.device) @ head.T).float(), -1)
                kl += (there.exp() * (there - here)).sum().item()
        return nll, kl

    @torch.inference_mode()
    def _answered(self) -> Iterator[ArmAnswer]:
        # Of about one length together: the others are padded to it.
        for at in range(0, len(self.asked), TOGETHER):
            some = self.asked[at : at + TOGETHER]
            yield from self._together(some)

    def _together(self, asked: Sequence[Request]) -> Iterator[ArmAnswer]:
        tokenizer = self.tokens.tokenizer
        ids = [list(self.tokens.request(replace(one, written=None))) for one in asked]
        longest = max(map(len, ids))
        pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
        padded = torch.tensor([[pad] * (longest - len(one)) + one for one in ids], device=self.model.device)
        mask = torch.tensor(
            [[0] * (longest - len(one)) + [1] * len(one) for one in ids], device=self.model.device
        )
        room = max(self.engine.longest(one.prompt.task) for one in asked)
        made = self.model.generate(
            input_ids=padded,
            attention_mask=mask,
            do_sample=False,
            max_new_tokens=room,
            pad_token_id=pad,
            logits_processor=self._processors(asked, longest),
        )[:, longest:]
        ends = set(self._ends())
        for one, row in zip(asked, made.tolist(), strict=True):
            room = self.engine.longest(one.prompt.task)
            end = next((n for n, token in enumerate(row) if token in ends), len(row))
            stopped = end < len(row) and end < room
            text = tokenizer.decode(row[: min(end, room)], skip_special_tokens=True)
            yield ArmAnswer(text, "stop" if stopped else "length", one.windows)

    def _ends(self) -> list[int]:
        ends = self.model.generation_config.eos_token_id
        own = [] if ends is None else ends if isinstance(ends, list) else [ends]
        return [*own, self.tokens.tokenizer.eos_token_id]

    def _processors(self, asked: Sequence[Request], prompt: int) -> Any:
        from transformers import LogitsProcessorList

        made = LogitsProcessorList()
        if self.engine.frequency_penalty:
            made.append(_Frequency(self.engine.frequency_penalty, prompt))
        if self.engine.structured:
            import orjson
            import xgrammar
            from xgrammar.contrib.hf import LogitsProcessor

            info = xgrammar.TokenizerInfo.from_huggingface(
                self.tokens.tokenizer, vocab_size=self.model.config.vocab_size, stop_token_ids=self._ends()
            )
            compiler = xgrammar.GrammarCompiler(info)
            # The engine, too, allows no blanks between JSON's parts.
            made.append(
                LogitsProcessor(
                    [
                        compiler.compile_json_schema(
                            orjson.dumps(dict(one.prompt.task.schema or {})).decode(),
                            any_whitespace=False,
                            separators=(",", ":"),
                        )
                        for one in asked
                    ]
                )
            )
        return made


@dataclass
class _Frequency:
    """The penalty as vLLM has it: so much less for each time that a token was written."""

    penalty: float
    prompt: int

    def __call__(self, ids: Tensor, scores: Tensor) -> Tensor:
        written = ids[:, self.prompt :]
        return scores.scatter_add(
            1, written, torch.full(written.shape, -self.penalty, dtype=scores.dtype, device=scores.device)
        )
