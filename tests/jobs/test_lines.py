"""What is wrong is one line and exit code 2, whichever way a job is run; an interrupt is one line and 130."""

from __future__ import annotations

import gzip
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from secrets import token_hex

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from support.command import ROOT, command

TALK = {"conversation_id": "pets", "messages": [{"role": "user", "content": "My cat is called Mia."}]}


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A conversation in a file whose name means something to every grammar it passes."""
    file = tmp_path / "Gespräche 对话, 2024 (1).jsonl"
    file.write_text(json.dumps(TALK) + "\n")
    return file


def test_paths_are_taken_as_they_stand_on_the_real_command_line(talk: Path, tmp_path: Path) -> None:
    done = command("index", f"source.path={talk}", f"store.root={tmp_path}/a, b", "store.tenant=1_000")
    assert done.code == 0, done.err
    assert (tmp_path / "a, b" / "1_000" / "messages.lance").is_dir()
    shown = command("index", "--cfg", "job", f"source.path={talk}", "store.tenant=1_000")
    assert (shown.code, shown.err) == (0, "")
    config = yaml.safe_load(shown.out)
    assert (config["store"]["tenant"], config["source"]["path"]) == ("1_000", str(talk))


def test_the_home_folder_may_be_a_root(talk: Path, tmp_path: Path) -> None:
    done = command("index", f"source.path={talk}", "store.root=~/s", HOME=str(tmp_path))
    assert done.code == 0, done.err
    assert (tmp_path / "s" / "default").is_dir()


def test_in_a_sweep_commas_separate_and_quoted_ones_do_not(talk: Path, tmp_path: Path) -> None:
    done = command(
        "index",
        "-m",
        f'source.path="{talk}"',
        f'store.root={tmp_path}/a,"{tmp_path}/b, c"',
        f"hydra.sweep.dir={tmp_path}/hydra",
    )
    assert done.code == 0, done.err
    assert (tmp_path / "a" / "default").is_dir()
    assert (tmp_path / "b, c" / "default").is_dir()


def test_each_run_of_a_sweep_may_be_named_by_its_number(talk: Path, tmp_path: Path) -> None:
    root = f"store.root={tmp_path}/run-${{hydra:job.num}}"
    done = command(
        "index", "-m", f'source.path="{talk}"', "erased=index,skip", root, f"hydra.sweep.dir={tmp_path}/hydra"
    )
    assert done.code == 0, done.err
    assert all((tmp_path / f"run-{number}" / "default").is_dir() for number in (0, 1))


def test_a_job_that_is_to_work_in_its_folder_of_a_sweep_leaves_its_store_there(
    talk: Path, tmp_path: Path
) -> None:
    words = [
        "-m",
        f'source.path="{talk}"',
        "store.root=here",
        "hydra.job.chdir=true",
        "hydra.sweep.subdir=one",
    ]
    done = command("index", *words, folder=tmp_path)
    assert done.code == 0, done.err
    assert [*tmp_path.glob("multirun/*/*/one/here/default")]


@pytest.mark.parametrize("more", [[], ["hydra.sweep.dir=kept"], ["hydra.job_logging.root.level=DEBUG"]])
def test_a_sweep_leaves_what_hydra_records_only_where_it_is_told_to(tmp_path: Path, more: list[str]) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    words = ["conversation=her secret", "question=the secret,another", "+store.options.secret=hunter3"]
    done = command(
        "ask", "-m", f"store.root={tmp_path}/s", *words, *more, folder=tmp_path, TMPDIR=str(temporary)
    )
    assert "nothing is sealed" in done.err
    assert not [*temporary.glob("memfold-*")]
    assert [path.name for path in tmp_path.iterdir() if path != temporary] == (
        ["kept"] if "kept" in "".join(more) else []
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-m", "engine.assistant_tokens=256,x"], ["engine", "assistant_tokens", "'x'"]),
        (["-m", "engine.assistant_tokens=256,-5"], ["assistant_tokens"]),
        (["-m", "layers.scratchpad.tokens=1000,abc"], ["layers.scratchpad.tokens: 'abc' is not a whole"]),
        (["-m", "layers.scratchpad.tokens=1000,5"], ["tokens must be at least 100"]),
        (["layers=[]"], ["layers is empty: choose at least one"]),
        (["-m", "+typo=1,2"], ["typo is unknown to the job index"]),
        (["-m", "engine=rules,gpt"], ["gpt", "rules"]),
        (["-m", "a=b=c"], ["a"]),
        (["--cfg", "job", "+typo=1"], ["typo is unknown"]),
        (["--cfg", "job", "engine=gpt"], ["gpt"]),
        (["--cfg", "all", "executor=sparc"], ["sparc"]),
        (["--typo"], ["--typo", "written key=value", "--help"]),
        (["--replace=true"], ["--replace=true", "without dashes (replace=true)"]),
        (["../chats/100"], ["'../chats/100' is no setting", "source.path='../chats/100'"]),
        (
            ["store.tenant=my", "tenant"],
            ["'tenant' is no setting: if it belongs to store.tenant, put quotes"],
        ),
        (["chat.jsonl"], ["'chat.jsonl' is no setting: "]),
        (["source.path", "x"], ["'source.path' is no setting: write source.path=…"]),
        (["retrieval=fuzy"], ["retrieval"]),
        (["embedder=minilm2"], ["embedder=minilm2: use one of ", ", minilm"]),
        (["--cfg"], ["--cfg"]),
        (["engine.assistant_tokens=256,512"], ["engine.assistant_tokens", "--multirun"]),
        (["store.root=foo://x"], ["store.root=foo://x", "foo://", "s3://"]),
        (["store.root=~nobody-here/x"], ["~nobody-here", "no home folder"]),
    ],
)
def test_a_wrong_word_beside_any_flag_is_one_line(
    talk: Path, tmp_path: Path, words: list[str], said: list[str]
) -> None:
    root = [] if any(word.startswith("store.root") for word in words) else [f"store.root={tmp_path}/s"]
    done = command("index", f"source.path='{talk}'", *root, *words, folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.line.startswith("error: ")
    for part in said:
        assert part in done.line
    assert [path.name for path in tmp_path.iterdir()] == [talk.name]  # before any work


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["conversation=a", "Where am I?"], "'Where am I?' is no setting: write question='Where am I?' "),
        (
            ["conversation=a", "多" * 100],
            f"'{'多' * 100}' is no setting: if it belongs to conversation, put ",
        ),
        (["conversation=my", "chat"], "'chat' is no setting: if it belongs to conversation, put quotes "),
        (["question=Where", "am I?"], "'am I?' is no setting: if it belongs to question, put quotes "),
    ],
)
def test_a_word_without_a_key_is_taken_for_what_the_job_is_about(words: list[str], said: str) -> None:
    assert command("ask", "store.root=s", *words).line.startswith(f"error: {said}")


def test_a_file_without_a_key_is_taken_for_the_source(talk: Path) -> None:
    done = command("index", "store.root=s", talk.name, folder=talk.parent)
    assert done.line.startswith(f"error: {talk.name!r} is no setting: write source.path={talk.name!r} ")


def test_no_source_is_said_in_words(tmp_path: Path) -> None:
    done = command("index", f"store.root={tmp_path}/s")
    assert done.code == 2
    assert "source.path is not given: set source.path=…" in done.line


def test_a_broken_yaml_is_one_line_that_says_where(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "mine.yaml").write_text("a: [1\nb: 2\n")
    for words in ([f"hydra.searchpath=[file://{tmp_path}]"], ["--config-dir", str(tmp_path)]):
        done = command("index", "engine=mine", *words)
        assert done.code == 2
        assert "mine.yaml" in done.line
        assert "line 2" in done.line


def test_a_disk_that_refuses_to_write_is_one_line_that_names_the_store(talk: Path, tmp_path: Path) -> None:
    """A limit on the size of files is met as a full disk is, and by root too."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
        done = command("index", f"source.path={talk}", f"store.root={tmp_path}/s")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (done.code, done.out) == (2, "")
    last = done.err.splitlines()[-1]
    assert last.startswith(
        f"error: a file would grow larger than is allowed (ulimit -f) to store.root={tmp_path}/s: "
    )
    assert "Traceback" not in done.err


@pytest.mark.parametrize("lacking", [700_000, 100], ids=["while copying", "at the last bytes"])
def test_a_full_folder_of_temporary_files_is_named_and_makes_no_dead_letter(
    tmp_path: Path, lacking: int
) -> None:
    rows = [{"conversation_id": "c", "role": "user", "content": token_hex(4_000)} for _ in range(100)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "c.parquet")
    whole = (tmp_path / "c.parquet").read_bytes()
    (tmp_path / "c.parquet.gz").write_bytes(gzip.compress(whole))
    most = len(whole) - lacking
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
        done = command("index", f"source.path={tmp_path / 'c.parquet.gz'}", f"store.root={tmp_path}/s")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert done.code == 2
    assert f"(ulimit -f) to TMPDIR={tempfile.gettempdir()}: raise the limit" in done.err.splitlines()[-1]


@pytest.mark.parametrize("how", ["cut", "gone"])
def test_a_damaged_file_is_one_line_that_says_what_names_the_conversations(
    talk: Path, tmp_path: Path, how: str
) -> None:
    root = f"store.root={tmp_path}/s"
    assert command("index", f"source.path={talk}", root).code == 0
    (file,) = (tmp_path / "s" / "default" / "messages.lance" / "data").iterdir()
    file.unlink() if how == "gone" else file.write_bytes(file.read_bytes()[:500])
    asked = command("ask", root, "conversation=pets", "question=What is my cat called?")
    assert (asked.code, asked.out) == (2, "")
    assert re.match(
        r"error: a file under store\.root=.*/s is damaged or missing \(.+\): .*verify=true", asked.line
    )
    verified = command("maintain", root, "verify=true")
    assert (verified.code, verified.out) == (2, "")
    assert "conversation 'pets'" in verified.err.splitlines()[-1]
    assert "Traceback" not in verified.err


@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_is_one_line_and_130(tmp_path: Path) -> None:
    words = ["source=synthetic", "source.tokens=2000000", f"store.root={tmp_path}/s"]
    with subprocess.Popen(
        [sys.executable, "jobs/index.py", *words],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ,
    ) as process:
        until = time.monotonic() + 60
        while not (tmp_path / "s").exists() and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, ""), err
    assert "Traceback" not in err
    assert err.splitlines()[-1].startswith("error: interrupted")


INTERRUPTED = """
import signal, sys
from memfold.entry import main

def as_ray_does():
    sys.exit(1)

def as_who_tidies_up():
    raise OSError("no such table")

def run(config):
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        then()

then = globals()[sys.argv.pop(1)]
main("index", run)
"""


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("then", "before"), [("as_ray_does", []), ("as_who_tidies_up", ["OSError: no such table"])]
)
def test_an_interrupt_that_became_an_exit_or_an_error_is_one_all_the_same(
    then: str, before: list[str], tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, then, "source=synthetic", f"store.root={tmp_path}/s"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (130, ""), done.stderr
    *lines, last = done.stderr.splitlines()
    assert lines == before
    assert last.startswith("error: interrupted")
