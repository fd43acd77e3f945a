"""Where a tenant's tables are. Knows names and addresses, nothing of what is in a table."""

from __future__ import annotations

import errno
import os
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from memfold.errors import UserError, refused
from memfold.given import check_text
from memfold.submitted import submitted

# Names that are one plain folder on every file system and object store.
_TENANT = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?")
# What Lance reads and writes by itself, with credentials from the environment or `options`.
SCHEMES = ("s3", "gs", "az", "abfss", "oss", "tos", "cos", "goosefs", "hf", "file")
# What a URL begins with.
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
# What ends the path of a URL, or makes it name another folder than it seems to. Behind `?` or `#` no table's name
# counts, so all would lie in one folder.
_NO_FOLDER = re.compile(r"[?#]|%2[Ff]|/\.\.?(?=/|\Z)")


@dataclass(frozen=True)
class Location:
    """A store's root (a local folder, as text or a Path, or an object store's URL, e.g. `s3://bucket/memory`) and the
    tenant. `~` is the home folder.

    `options` go to the object store as they are (region, endpoint, …). Secrets belong in the environment:
    the config is recorded with every snapshot.
    """

    root: str
    tenant: str = "default"
    options: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "root", _text(self.root))
        if not isinstance(self.tenant, str) or not _TENANT.fullmatch(self.tenant):
            raise UserError(
                f"store.tenant={self.tenant!r} is not a tenant's name: use 1 to 64 of a-z, 0-9, - and _, "
                "beginning and ending with a letter or digit"
            )
        check_text("store.root", self.root)
        if not self.root.strip():
            raise UserError("store.root is empty: name a folder or an object store's URL")
        scheme = SCHEME.match(self.root)
        if scheme and scheme[1] not in SCHEMES:
            raise UserError(
                f"store.root={self.root}: nothing here stores at {scheme[1]}://; use a folder or one of "
                f"{', '.join(f'{known}://' for known in SCHEMES)}"
            )
        if scheme and (found := _NO_FOLDER.search(self.root)):
            raise UserError(
                f"store.root={self.root}: the URL holds {found[0]!r}, and behind it no folder is what it seems: name "
                "one without it (options go into store.options)"
            )
        if not isinstance(self.options, dict) or not all(
            isinstance(one, str) for pair in self.options.items() for one in pair
        ):
            raise UserError(f"store.options={self.options!r}: give names and values that are text")
        folder = self.local
        for each in () if folder is None else (folder, *folder.parents):
            if os.path.isfile(each):  # noqa: PTH113 (Path.is_file raises where it may not look)
                raise UserError(f"store.root={self.root}: {each} is a file; name a folder")
        if folder is not None and not folder.is_absolute() and submitted():
            raise UserError(
                f"store.root={self.root} is relative, and a submitted job runs in a copy of the working folder that "
                "Ray removes with all that was written to it: give an absolute path that outlives the job, or an "
                "object store's URL"
            )

    @property
    def local(self) -> Path | None:
        """The tenant's folder, or None where the root is an object store's URL."""
        if SCHEME.match(self.root):
            return None
        try:
            return Path(self.root).expanduser() / self.tenant
        except RuntimeError:
            raise UserError(
                f"store.root={self.root} names a user who has no home folder: give the path"
            ) from None

    @property
    def folder(self) -> str:
        """Where the tenant's tables lie, as a path or a URL."""
        folder = self.local
        return str(folder) if folder is not None else f"{self.root.rstrip('/')}/{self.tenant}"

    def uri(self, table: str) -> str:
        """Where one table lies."""
        return f"{self.folder}/{table}.lance"

    @property
    def above(self) -> list[Location]:
        """The stores of which this root would be a tenant's folder, judged by its name and by the target of a link."""
        folder = self.local
        roots = [self.root.rstrip("/")]
        if folder is not None:
            # With `..`, which `Path` keeps.
            roots = [os.path.abspath(folder.parent), os.path.realpath(folder.parent)]  # noqa: PTH100
        found = []
        for root in dict.fromkeys(roots):
            parent, _, name = root.rpartition("/")
            # In a URL the first name behind the scheme is a bucket's.
            if _TENANT.fullmatch(name) and not parent.endswith(("/", ":")):
                found.append(replace(self, root=parent or "/", tenant=name))
        return found

    @property
    def storage_options(self) -> dict[str, str] | None:
        """The options as Lance takes them."""
        return self.options or None

    @property
    def absolute(self) -> Location:
        """The same store by a path that means the same in a process started elsewhere."""
        folder = self.local
        return self if folder is None else replace(self, root=str(folder.parent.absolute()))

    def make(self) -> None:
        """Create the tenant's folder, or say why it cannot be written."""
        folder = self.local
        if folder is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._not_written(error.errno) from None
        if not os.access(folder, os.W_OK | os.X_OK):
            read_only = os.statvfs(folder).f_flag & os.ST_RDONLY
            raise self._not_written(errno.EROFS if read_only else errno.EACCES)

    def _not_written(self, number: int | None) -> UserError:
        """The error of a root that the operating system refuses to have written."""
        at = f"store.root={self.root}"
        return UserError(
            refused(OSError(number, ""), at)
            or f"{at} cannot be written ({os.strerror(number or errno.EIO)}): choose another folder"
        )


def _text(root: object) -> str:
    """A root given as text or as a path, as text."""
    if isinstance(root, os.PathLike):
        root = os.fspath(root)
    if not isinstance(root, str):
        raise UserError(
            f"store.root={root!r} is of type {type(root).__name__}: give a folder or an object store's URL, as text or "
            "a Path"
        )
    return root
