"""A BERT encoder's weights as an int8 ONNX graph: `python -m memfold.embed.bert_onnx MODEL.zip OUT.onnx`.

The graph is written down operator by operator instead of being traced from torch: it needs no torch, is
made in seconds, and holds ONNX Runtime's fused operators from the start. It runs as a child process, so that
the weights and their float copies never enter the memory of the job that embeds.

Input: `input_ids`, int32 of shape (batch, length), without padding. Output: `vectors`, float32 of shape
(batch, hidden): the mean over tokens, scaled to length 1 (the pooling of sentence-transformers).

Weights are quantised per output channel; per tensor costs recall (cosine to float 0.95 against 0.99).
The word embeddings stay float: they are looked up, not multiplied.
"""

from __future__ import annotations

import json
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Weights = Mapping[str, NDArray[np.float32]]

# Bumped whenever the graph or its quantisation changes: it is part of every vector's signature.
RECIPE = 2


def main(package: Path, target: Path) -> None:
    """Read `config.json` and `model.safetensors` from the zip `package`; write the quantised graph."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from safetensors.numpy import load

    with zipfile.ZipFile(package) as archive:
        config = json.loads(archive.read("config.json"))
        weights = load(archive.read("model.safetensors"))
    with tempfile.TemporaryDirectory(dir=target.parent) as aside:
        exact = Path(aside) / "float.onnx"
        onnx.save(graph(config, weights), exact)
        quantize_dynamic(
            exact,
            target,
            weight_type=QuantType.QInt8,
            per_channel=True,
            op_types_to_quantize=["MatMul", "Attention"],
            # Shape inference does not know the fused operators' outputs; all of them are float.
            extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
        )


def graph(config: Mapping[str, Any], weights: Weights) -> Any:
    """The encoder as an `onnx.ModelProto` in float32."""
    from onnx import TensorProto, helper, numpy_helper

    nodes: list[Any] = []
    tensors: list[Any] = []
    hidden = int(config["hidden_size"])
    epsilon = float(config["layer_norm_eps"])

    def constant(name: str, value: NDArray[Any]) -> str:
        tensors.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def weight(name: str) -> str:
        return constant(name, weights[name])

    def add(operator: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def fused(operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        return add(operator, inputs, output, domain="com.microsoft", **attributes)

    def linear(x: str, name: str) -> str:
        return add("MatMul", [x, constant(f"{name}.weight", weights[f"{name}.weight"].T)], f"{name}.product")

    def residual(x: str, skip: str, layer: str) -> str:
        inputs = [
            linear(x, f"{layer}.dense"),
            skip,
            weight(f"{layer}.LayerNorm.weight"),
            weight(f"{layer}.LayerNorm.bias"),
            weight(f"{layer}.dense.bias"),
        ]
        return fused("SkipLayerNormalization", inputs, f"{layer}.out", epsilon=epsilon)

    # Every token is of segment 0, so that segment's vector is folded into the positions.
    positions = (
        weights["embeddings.position_embeddings.weight"]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    length = add("Shape", ["input_ids"], "length", start=1, end=2)
    zero, one = constant("zero", np.zeros(1, np.int64)), constant("one", np.ones(1, np.int64))
    placed = add("Slice", [constant("positions", positions), zero, length, zero], "placed")
    words = add("Gather", [weight("embeddings.word_embeddings.weight"), "input_ids"], "words")
    norm = [weight("embeddings.LayerNorm.weight"), weight("embeddings.LayerNorm.bias")]
    summed = add("Add", [words, placed], "summed")
    x = add("LayerNormalization", [summed, *norm], "embedded", epsilon=epsilon)

    for i in range(int(config["num_hidden_layers"])):
        layer = f"encoder.layer.{i}"
        heads = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
        projection = np.concatenate([weights[f"{head}.weight"].T for head in heads], axis=1)
        bias = np.concatenate([weights[f"{head}.bias"] for head in heads])
        inputs = [x, constant(f"{layer}.qkv", projection), constant(f"{layer}.qkv.bias", bias)]
        attended = fused(
            "Attention", inputs, f"{layer}.attended", num_heads=int(config["num_attention_heads"])
        )
        x = residual(attended, x, f"{layer}.attention.output")
        wide = f"{layer}.intermediate.dense"
        activated = fused("BiasGelu", [linear(x, wide), weight(f"{wide}.bias")], f"{wide}.out")
        x = residual(activated, x, f"{layer}.output")

    # The mean's divisor cancels in the scaling to length 1.
    total = add("ReduceSum", [x, one], "total", keepdims=0)
    add("LpNormalization", [total], "vectors", axis=-1, p=2)

    body = helper.make_graph(
        nodes,
        "bert",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT32, ["batch", "length"])],
        [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", hidden])],
        tensors,
    )
    versions = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(body, opset_imports=versions, ir_version=8)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
