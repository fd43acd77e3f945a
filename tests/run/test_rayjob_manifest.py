"""The KubeRay manifest: what Kubernetes accepts without a word and what fails only on the cluster."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml

from memfold.build import build
from memfold.config import load

ROOT = Path(__file__).resolve().parents[2]
KUBERAY = ROOT / "jobs" / "kuberay"
MANIFEST: dict[str, Any] = yaml.safe_load((KUBERAY / "rayjob.yaml").read_text())
DOCKERFILE = (KUBERAY / "Dockerfile").read_text()
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

SPEC = MANIFEST["spec"]
CLUSTER = SPEC["rayClusterSpec"]
HEAD = CLUSTER["headGroupSpec"]
PODS: dict[str, dict[str, Any]] = {
    "head": HEAD["template"]["spec"],
    **{group["groupName"]: group["template"]["spec"] for group in CLUSTER["workerGroupSpecs"]},
}
CONTAINERS = {(pod, c["name"]): c for pod, spec in PODS.items() for c in spec["containers"]}
WORDS = shlex.split(SPEC["entrypoint"])
OVERRIDES = WORDS[2:]

# KubeRay 1.7: https://docs.ray.io/en/master/kuberay/references/api.html
JOB_FIELDS = {
    *("entrypoint", "submissionMode", "backoffLimit", "activeDeadlineSeconds", "shutdownAfterJobFinishes"),
    *("ttlSecondsAfterFinished", "rayClusterSpec", "runtimeEnvYAML", "submitterPodTemplate", "suspend"),
    *("submitterConfig", "entrypointNumCpus", "jobId", "metadata", "clusterSelector", "managedBy"),
}
CLUSTER_FIELDS = {"rayVersion", "authOptions", "headGroupSpec", "workerGroupSpecs", "autoscalerOptions"}
GROUP_FIELDS = {
    *("groupName", "replicas", "minReplicas", "maxReplicas", "numOfHosts", "rayStartParams", "template"),
    "idleTimeoutSeconds",
}
HEAD_FIELDS = {"serviceType", "rayStartParams", "template", "headService", "enableIngress"}


def test_no_field_is_one_that_the_api_server_would_drop() -> None:
    assert (MANIFEST["apiVersion"], MANIFEST["kind"]) == ("ray.io/v1", "RayJob")
    assert set(SPEC) <= JOB_FIELDS
    assert set(CLUSTER) <= CLUSTER_FIELDS
    assert set(HEAD) <= HEAD_FIELDS
    for group in CLUSTER["workerGroupSpecs"]:
        assert set(group) <= GROUP_FIELDS
        assert group["minReplicas"] <= group["replicas"] <= group["maxReplicas"]


def test_the_entrypoint_is_a_job_of_this_project() -> None:
    home = re.search(r"^WORKDIR (\S+)$", DOCKERFILE, re.MULTILINE)
    assert home is not None
    assert WORDS[0] == "python"
    script = PurePosixPath(WORDS[1]).relative_to(home[1])
    assert (ROOT / script).is_file()
    copied = re.findall(r"^COPY --chown=ray:users (.+) \S+$", DOCKERFILE, re.MULTILINE)
    needed = {script.parts[0], "conf", "pipelines", "kernels", "pyproject.toml", PROJECT["readme"]}
    assert needed <= {word for line in copied for word in line.split()}


def test_the_entrypoints_overrides_compose_and_build() -> None:
    config = load("index", OVERRIDES)
    for group in ("engine", "embedder", "executor", "store"):
        build(config[group], group)
    build(config.layers.scratchpad, "layers.scratchpad")
    assert config.executor.address == "auto"
    assert config.store.root.startswith("s3://")


def test_ray_and_python_are_those_that_the_project_pins() -> None:
    (pinned,) = re.findall(r"^ray\[.*\]==(\S+)$", "\n".join(PROJECT["dependencies"]), re.MULTILINE)
    (python,) = re.findall(r">=3\.(\d+)", PROJECT["requires-python"])
    base = re.search(r"^FROM rayproject/ray:(\S+?)-py(\d+)-gpu$", DOCKERFILE, re.MULTILINE)
    assert base is not None
    assert (base[1], base[2]) == (pinned, f"3{python}")
    assert CLUSTER["rayVersion"] == pinned
    tag = f"{PROJECT['version']}-ray{pinned}-py3{python}"
    assert {container["image"].partition(":")[2] for container in CONTAINERS.values()} == {tag}
    assert f"memfold:{tag}" in DOCKERFILE


@pytest.mark.parametrize("where", CONTAINERS)
def test_every_container_is_closed_and_bounded(where: tuple[str, str]) -> None:
    container = CONTAINERS[where]
    env = {one["name"]: one for one in container["env"]}
    secret = CLUSTER["authOptions"]["secretName"]
    assert CLUSTER["authOptions"]["mode"] == env["RAY_AUTH_MODE"]["value"] == "token"
    assert env["RAY_AUTH_TOKEN"] == {
        "name": "RAY_AUTH_TOKEN",
        "valueFrom": {"secretKeyRef": {"name": secret, "key": "auth_token"}},
    }
    assert {"cpu", "memory"} <= set(container["resources"]["limits"])


def test_what_is_read_is_mounted_where_it_is_read() -> None:
    mounts = {
        where: {m["mountPath"]: m["name"] for m in c.get("volumeMounts", ())}
        for where, c in CONTAINERS.items()
    }
    for (pod, _), mounted in mounts.items():
        assert set(mounted.values()) <= {volume["name"] for volume in PODS[pod]["volumes"]}
    source = PurePosixPath(load("index", OVERRIDES).source.path)
    assert any(source.is_relative_to(path) for path in mounts["head", "ray-head"])
    for where, container in CONTAINERS.items():
        weights = next(one["value"] for one in container["env"] if one["name"] == "HF_HOME")
        assert weights in mounts[where]


def test_an_engine_fits_on_a_pod() -> None:
    wanted = load("index", OVERRIDES).engine.tensor_parallel
    for group in CLUSTER["workerGroupSpecs"]:
        cards = [
            c["resources"]["limits"].get("nvidia.com/gpu", 0) for c in PODS[group["groupName"]]["containers"]
        ]
        assert sum(cards) >= wanted
        assert sum(cards) % wanted == 0


def test_a_job_ends_gives_the_gpus_back_and_may_be_tried_again() -> None:
    assert SPEC["shutdownAfterJobFinishes"] is True
    assert SPEC["backoffLimit"] > 0
    assert SPEC["activeDeadlineSeconds"] > 0
