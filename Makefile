PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
# Spark needs Java 17 or newer. Where there is one, its tests are part of `make test`, and this is what they need.
SPARK  := $(VENV)/.installed-spark
JAVA   := $(shell "$${JAVA_HOME:+$$JAVA_HOME/bin/}java" -version 2>&1 | awk -F'[".]' '/ version "/ && $$2 + 0 >= 17 { print $$2 }')

.PHONY: setup setup-vllm setup-quantize demo test test-spark test-vllm test-quantize check bench bench-kernels clean

setup: $(STAMP)

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(STAMP)

# .venv-vllm: this clone with vLLM on the CPU and a small model. What is installed lies in the cache folder.
setup-vllm:
	$(PYTHON) .ci/env.py vllm

# .venv-quantize: this clone with AutoAWQ and llm-compressor, which do not install beside vLLM.
setup-quantize:
	$(PYTHON) .ci/env.py quantize

demo: setup
	rm -rf runs/demo
	$(BIN)/python jobs/demo.py

$(SPARK): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,spark]'
	touch $(SPARK)

# A process a core, four at most: a file's tests stay together, and some start clusters or sixteen writers of their own.
test: setup $(if $(JAVA),$(SPARK))
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile

# Those tests alone.
test-spark: setup $(SPARK)
	$(BIN)/python -m pytest tests/ingest/test_spark.py

test-vllm: setup-vllm
	.venv-vllm/bin/python -m pytest tests/vllm

# What was made is loaded by vLLM too, from its own environment.
test-quantize: setup-vllm setup-quantize
	.venv-quantize/bin/python -m pytest tests/quantize

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy benchmarks jobs

# Needs conversations to measure on: make bench DATA=<folder with beam/ and locomo/>
DATA ?= ../shared/data
bench: setup
	$(BIN)/python benchmarks/evidence_recall.py --beam $(DATA)/beam --locomo $(DATA)/locomo
	$(BIN)/python benchmarks/ingest.py $(DATA)/beam/100K/1 $(DATA)/beam/1M/3 $(DATA)/beam/10M/5

# On a GPU: the kernels against the roof and against torch. Without one: a dry run, which says so.
bench-kernels: setup
	$(BIN)/python benchmarks/kernels.py

clean:
	rm -rf $(VENV) .venv-vllm .venv-quantize runs .mypy_cache .pytest_cache .ruff_cache .hypothesis
