"""The words of a command line, before Hydra's grammar reads them. Knows no config.

To Hydra, commas, colons, brackets and `${` mean something, and of `1_000` it makes 1000. A path, a name or a question
means itself, so its word is written in Hydra's grammar here. In a sweep (`-m`) a comma stands between values there too,
and in quotes it is a comma.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

# A reference to another setting: ${engine.together}, ${oc.env:HOME}.
_REFERENCE = r"[A-Za-z_][\w.]*(?::[^{}]*)?\}"
_BETWEEN = re.compile(r"""'[^']*'|"[^"]*"|[^,]""")


def key(word: str) -> str:
    """The full key that a word sets, without the signs that add or take away: `+store.options.a=b`, store.options.a."""
    return word.partition("=")[0].lstrip("+~").partition("@")[0]


def literal(word: str, texts: Collection[str], names: Collection[str], *, sweep: bool) -> str:
    """The word in Hydra's grammar: a value of `texts` as it stands, and one of `names` too, but that `${key}` refers to
    another setting and quotes around the whole of it are Hydra's. A key that ends with a dot stands for all keys that
    begin so. In a sweep a comma stands between values, and quotes around the whole of one are taken off."""
    sign, equals, value = word.partition("=")
    of = key(word)
    if not equals or not (_among(of, texts) or _among(of, names)):
        return word
    refers = _among(of, names)
    values = [part.strip() for part in _parts(value)] if sweep else [value]
    plain = [_unquoted(one) if sweep or refers else one for one in values]
    return f"{sign}=" + ",".join(_quoted(one, refers=refers) for one in plain)


def verbatim(
    words: Sequence[str], texts: Collection[str], names: Collection[str]
) -> tuple[list[tuple[str, str]] | None, list[str]]:
    """The keys and values of the words that mean themselves, and the other words. None where some of `texts` or
    `names` do not: they add or take away, refer to another setting or are in quotes."""
    stand, rest = [], []
    for word in words:
        sign, equals, value = word.partition("=")
        of = key(word)
        if not _among(of, texts) and not _among(of, names):
            rest.append(word)
        elif not equals or sign != of or (not _among(of, texts) and set(value) & set("$'\"\\")):
            return None, list(words)
        else:
            stand.append((of, value))
    return stand, rest


def _among(key: str, keys: Collection[str]) -> bool:
    return key in keys or any(one.endswith(".") and key.startswith(one) for one in keys)


def _quoted(value: str, *, refers: bool) -> str:
    from hydra.core.override_parser.types import Quote, QuotedString

    literally = re.sub(
        rf"(\\*)\$\{{(?!{_REFERENCE})" if refers else r"(\\*)\$\{", lambda at: at[1] * 2 + r"\${", value
    )
    if refers:
        literally = re.sub(rf"(?<!\\)(\\+)\$\{{(?={_REFERENCE})", lambda at: at[1] * 2 + "${", literally)
    return QuotedString(literally, Quote.single).with_quotes()


def _parts(value: str) -> list[str]:
    """A sweep's values: what stands between commas that are in no quotes."""
    parts, at = [""], 0
    while at < len(value):
        if found := _BETWEEN.match(value, at):
            parts[-1] += found[0]
            at = found.end()
        else:
            parts.append("")
            at += 1
    return parts


def _unquoted(part: str) -> str:
    quoted = len(part) > 1 and part[0] == part[-1] and part[0] in "'\"" and part[0] not in part[1:-1]
    return part[1:-1] if quoted else part
