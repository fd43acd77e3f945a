"""How a context's page looks besides its lines: settings that a user changes in a yaml. Knows no section.

A line begins with its exchange's number in brackets, whatever the template says: readers cite by it. What a template
writes begins at the left edge, where no text of a message can stand (`memfold.context.page`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memfold.errors import UserError


@dataclass(frozen=True)
class Template:
    """`heading` is what stands above a section, with {label} in it, and `day` what stands above the lines of a day,
    with {day}. `labels` are other labels for sections, by their names in the config (None: the section's own).
    `opening` and `closing` stand before and behind everything, empty for nothing."""

    heading: str = "## {label}"
    day: str = "{day}"
    opening: str = ""
    closing: str = ""
    labels: dict[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, place in (("heading", "{label}"), ("day", "{day}")):
            text = getattr(self, name)
            if text.count(place) != 1 or text[:1].isspace():
                raise UserError(
                    f"context.template.{name} is {text!r}: it must hold {place}, once, and not begin with a blank, as "
                    "the text of messages does"
                )
        for name, label in self.labels.items():
            if label is not None and (not label.strip() or len(label.splitlines()) > 1):
                raise UserError(
                    f"context.template.labels.{name} is {label!r}: give one line of text, or null"
                )
        given = {name: label for name, label in self.labels.items() if label is not None}
        object.__setattr__(self, "labels", given)

    def head(self, label: str) -> str:
        """The lines above a section."""
        return _lines(self.heading.replace("{label}", label))

    def date(self, day: str) -> str:
        """The lines above those of a day."""
        return _lines(self.day.replace("{day}", day))

    @property
    def before(self) -> str:
        """The opening as lines."""
        return _lines(self.opening)

    @property
    def behind(self) -> str:
        """The closing as lines."""
        return _lines(self.closing)

    def shown(self, labels: Mapping[str, str]) -> dict[str, str]:
        """What is shown for labels, which are given by the sections' names, where that is something else."""
        return {label: other for name, label in labels.items() if (other := self.labels.get(name))}


def _lines(text: str) -> str:
    return f"{text.strip(chr(10))}\n" if text.strip() else ""


PLAIN = Template()
