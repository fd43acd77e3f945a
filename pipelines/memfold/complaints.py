"""What Hydra, OmegaConf and YAML complain of, as one line with which a user of memfold can do something.

They spread an error over several lines and say where in their own code it arose. Knows no config.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from memfold.errors import UserError, lines_of


class UnknownKey(UserError):
    """A key that the composed config does not have."""

    def __init__(self, place: str) -> None:
        super().__init__(f"{place} is unknown (--help lists what there is)")
        self.place = place


class UnknownChoice(UserError):
    """A group that has no such choice."""

    def __init__(self, group: str, choice: str, known: Sequence[str]) -> None:
        super().__init__(group, choice, known)
        self.group, self.choice = group, choice

    def __str__(self) -> str:
        group, choice, known = self.args
        return f"{group}={choice}: use one of {', '.join(known)}"


@contextmanager
def one_line_each() -> Iterator[None]:
    """Turns errors of Hydra, OmegaConf and YAML into UserErrors."""
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException
    from yaml import MarkedYAMLError, YAMLError

    try:
        yield
    except (HydraException, OmegaConfBaseException) as error:
        if unknown := _UNKNOWN.fullmatch(_lines(error)[0]):
            raise UnknownKey(place(error) or unknown[1] or unknown[2]) from None
        if choice := _NO_CHOICE.match(" ".join(_lines(error))):
            raise UnknownChoice(choice[1], choice[2], choice[3].split()) from None
        raise UserError(one_line(error)) from None
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{mark.name}, line {mark.line + 1}" if mark else "a yaml"
        raise UserError(f"{where} is not YAML ({error.problem or error.context}): correct it") from None
    except YAMLError as error:
        raise UserError(f"a yaml cannot be read: {' '.join(str(error).split())}") from None


def one_line(error: Exception) -> str:
    """Hydra spreads an error over several lines: keep the place, what is wrong, and what is allowed."""
    about = place(error) or getattr(error, "override", "")
    rest = itertools.takewhile(lambda line: not line.startswith("Config search path"), _lines(error))
    said = " ".join(line.lstrip("\t") for line in rest if not line.startswith(_REPEATED))
    for theirs, ours in _SAID:
        said = theirs.sub(ours, said)
    return f"{about}: {said}" if about and not said.startswith(about) else said


def place(error: Exception) -> str:
    """The full key that an error is about; empty where it names none."""
    keys = (line.split(":", 1)[1].strip() for line in _lines(error) if line.startswith("full_key:"))
    return next(keys, "")


def _lines(error: Exception) -> list[str]:
    return lines_of(error.__cause__ or error) or [type(error).__name__]


_UNKNOWN = re.compile(r"Key '(.+)' is not in struct|Could not delete from config\. '(.+)' does not exist\.")
# The groups of Hydra itself have two names: hydra/launcher.
_NO_CHOICE = re.compile(
    r"In '.*?': Could not find '((?:hydra/)?\w+)/(.+)' Available options in '.*?': (.+?) Config search path"
)
# Lines of Hydra's and OmegaConf's errors that say where in their code, or the place once more.
_REPEATED = ("full_key:", "object_type=", "See https", "Set the env", "reference_type=")
# What Hydra and OmegaConf say, and what a user of memfold can do something with.
_SAID: list[tuple[re.Pattern[str], str]] = [
    (re.compile(theirs), ours)
    for theirs, ours in (
        (r"Value ('.*') of type '.*' could not be converted to Integer", r"\1 is not a whole number"),
        (r"Value ('.*') of type '.*' could not be converted to Float", r"\1 is not a number"),
        (r"Value ('.*') is not a valid bool .*", r"\1 is neither true nor false"),
        (r"Interpolation key '(.*)' not found", r"${\1} refers to no key of this job (--cfg job shows them)"),
        (
            r"KeyError raised while .* interpolation: \"Environment variable '(.*)' not found\"",
            r"${oc.env:\1}: this environment variable is not set",
        ),
        (
            r"ValueError raised while .* interpolation: HydraConfig was not set",
            "${hydra:…} is known only in a sweep (-m)",
        ),
        (
            r"MissingMandatoryValue while resolving interpolation: .*Missing mandatory value: (.*)",
            r"it refers to \1, which is not given",
        ),
        (
            r"Unsupported interpolation type (.*)",
            r"${\1:…} is no kind of reference: write ${key} or ${oc.env:NAME}",
        ),
        (
            r"Invalid type assigned: \w+ is not a subclass of \w+\. value: (.*)",
            r"\1 is no map of keys: set a key below it",
        ),
        (r"In '.*': Could not load '((?:hydra/)?\w+)/(.+)'\.", r"\1 has no choice '\2' (--help lists them)"),
        (
            r"Ambiguous value for argument '([^=]+)=(.*)' 1\. To use it as a list, .*",
            r"\1=\2: write a list in brackets, \1=[\2], or add --multirun to run the job for each "
            "(in quotes a comma is a comma)",
        ),
        (
            r"(?:LexerNoViableAltException: |no viable alternative at |"
            r"(?:Error parsing override '.*' )?(?:extraneous|mismatched) input ).*",
            "it cannot be read: close its brackets and quotes, or put quotes around its value",
        ),
        (r"Could not override '(.+)'\. No match in .*", r"\1 is no key of this job (--help lists them)"),
    )
]
