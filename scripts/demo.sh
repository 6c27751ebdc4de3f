#!/usr/bin/env bash
# Converts a small real model (the MNIST digit classifier in examples/mnist), runs the IR on a drawn digit and prints what it sees.
#
#   scripts/demo.sh [BIN]        BIN: folder of mo and mo_run, default build/demo/bin
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${1:-build/demo/bin}
out=build/demo/model
mkdir -p "$out"
rm -rf "${out:?}"/*

# The repository holds no binary models: protoc turns the readable text into the .onnx file that an exporter would have written.
protoc --encode=mo.onnx.ModelProto -I frontends/onnx frontends/onnx/onnx.proto <examples/mnist/mnist.onnxtxt >"$out/mnist.onnx"

echo "\$ mo --input_model $out/mnist.onnx --output_dir $out"
"$bin/mo" --input_model "$out/mnist.onnx" --output_dir "$out"

echo
echo "What mo wrote:"
(cd "$out" && ls -l --time-style=+ mnist.xml mnist.bin | awk '{ printf "  %8d bytes  %s\n", $5, $6 }')

echo
/usr/bin/python3 examples/mnist/digit.py to_npy examples/mnist/digit.txt "$out/digit.npy"
echo "\$ mo_run $out/mnist.xml --input Input3=$out/digit.npy --output_dir $out"
"$bin/mo_run" "$out/mnist.xml" --input "Input3=$out/digit.npy" --output_dir "$out"
echo
/usr/bin/python3 examples/mnist/digit.py show examples/mnist/digit.txt "$out/0.npy"
