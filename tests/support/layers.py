"""Every memory layer, with the overrides by which a job is given it. A new layer is one line here."""

from __future__ import annotations

from pathlib import Path

# Where the yamls of layers are that only tests have.
HERE = f"hydra.searchpath=[file://{Path(__file__).parent / 'conf'}]"

LAYERS: dict[str, tuple[str, ...]] = {
    "episodic": ("layers=[episodic]",),
    "scratchpad": ("layers=[scratchpad]", "layers.scratchpad.tokens=100", "layers.scratchpad.full=200"),
    "subjects": (
        "layers=[scratchpad,subjects]",
        "layers.scratchpad.tokens=100",
        "layers.scratchpad.full=200",
    ),
    "keys": ("layers=[keys]", "layers.keys.rules=true", "layers.keys.kinds=[note,summary,fact]"),
    "timeline": ("layers=[timeline]",),
    "passages": ("layers=[episodic,passages]", "layers.passages.characters=100", "layers.passages.user=10"),
    "orders": ("layers=[orders]",),
    "sentences": ("layers=[episodic,sentences]",),
    "profile": ("layers=[profile]",),
    "beliefs": ("layers=[beliefs]",),
    "state": ("layers=[state]",),
    "toy": (HERE, "layers=[episodic,scratchpad,toy]"),
    "above": (HERE, "layers=[above,toy]"),
}
