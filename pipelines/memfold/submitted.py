"""Whether this process is a job that was submitted to Ray. Looks at its surroundings, and knows no connection."""

from __future__ import annotations

import os
from pathlib import Path


def submitted() -> bool:
    """Whether this process is a job that was submitted to Ray, or runs in a folder that Ray shipped for one."""
    # What ray/dashboard/modules/job/job_supervisor.py sets for a job's entrypoint.
    if "RAY_JOB_CONFIG_JSON_ENV_VAR" in os.environ:
        return True
    # Where ray/_private/runtime_env/working_dir.py unpacks.
    try:
        return "working_dir_files" in Path.cwd().parts
    except FileNotFoundError:
        return False
