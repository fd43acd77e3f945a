"""Every memory layer, with the overrides by which a job is given it. A new layer is one line here."""

from __future__ import annotations

LAYERS: dict[str, tuple[str, ...]] = {
    "episodic": ("layers=[episodic]",),
    "scratchpad": ("layers=[scratchpad]", "layers.scratchpad.tokens=100", "layers.scratchpad.full=200"),
}
