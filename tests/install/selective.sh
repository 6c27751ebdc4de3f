#!/usr/bin/env bash
# Records what one model uses, builds mo with only that, and compares it with the full one: same IR for the model, a refusal by name for another.
#   tests/install/selective.sh BUILD_DIR        BUILD_DIR: of the full mo
set -euo pipefail
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mo=$build/bin/mo

model() {  # FILE OPERATOR
  cat >"$1" <<TEXT
ir_version: 8 opset_import { version: 13 } graph { name: "g"
  node { op_type: "$2" name: "first" input: "x" output: "a" }
  node { op_type: "Relu" name: "second" input: "a" output: "y" }
  input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } dim { dim_value: 3 } } } } }
  output { name: "y" type { tensor_type { elem_type: 1 } } } }
TEXT
}
refused() {  # CODE EXIT_CODE ARGUMENT…
  local code=$1 wanted=$2 got=0
  shift 2
  "$selective" "$@" --output_dir "$scratch/none" 2>"$scratch/errors" || got=$?
  grep -q "$code" "$scratch/errors" && [ "$got" = "$wanted" ] || { cat "$scratch/errors"; echo "want $code and $wanted, got $got"; exit 1; }
}

model "$scratch/softmax.onnxtxt" Softmax
model "$scratch/sqrt.onnxtxt" Sqrt
"$mo" --silent --input_model "$scratch/softmax.onnxtxt" --output_dir "$scratch/full" --record-usage "$scratch/usage.txt"
cmake -S "$root" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMO_SELECTIVE="$scratch/usage.txt" -DMO_DEVELOPER=OFF
cmake --build "$scratch/build" --target mo -j2
selective=$scratch/build/bin/mo

"$selective" --silent --input_model "$scratch/softmax.onnxtxt" --output_dir "$scratch/small"
cmp "$scratch/full/softmax.xml" "$scratch/small/softmax.xml"
cmp "$scratch/full/softmax.bin" "$scratch/small/softmax.bin"
refused MO-FRONT-0012 5 --input_model "$scratch/sqrt.onnxtxt"
grep -q "op Sqrt was left out of this build" "$scratch/errors"
echo 'node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }' >"$scratch/m.pbtxt"
refused MO-CLI-0092 5 --framework tf --input_model "$scratch/m.pbtxt" --input_model_is_text
refused MO-CLI-0092 5 --list-ops tf
"$selective" --print-pipeline >/dev/null
refused MO-PASS-0031 9 --input_model "$scratch/softmax.onnxtxt" --transform LowLatency2
refused MO-CLI-0096 2 --input_model "$scratch/softmax.onnxtxt" --report report.json
refused MO-CLI-0095 2 --input_model "$scratch/softmax.onnxtxt" --verify
refused MO-CLI-0094 2 --input_model "$scratch/softmax.onnxtxt" --record-usage "$scratch/again.txt"
full=$(stat -Lc %s "$mo")
small=$(stat -Lc %s "$selective")
echo "full: $full bytes, selective: $small bytes"
[ $((small * 2)) -lt "$full" ]
