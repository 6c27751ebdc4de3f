#!/usr/bin/env bash
# Installs a build into a folder of its own and builds a program against what is there: with CMake's find_package and with pkg-config.
#   tests/install/check.sh BUILD_DIR
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --prefix "$scratch/elsewhere" >"$scratch/install.log"
# A package works wherever it is moved to: CMake's files, mo.pc and programs find the rest from where they are.
mv "$scratch/elsewhere" "$scratch/prefix"
"$scratch/prefix/bin/mo" --version
"$scratch/prefix/bin/mo" --print-config yolo_v3.json | cmp - "$scratch/prefix/share/mo/configs/yolo_v3.json"

cmake -S "$here" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld >"$scratch/configure.log"
cmake --build "$scratch/build" >"$scratch/build.log"
"$scratch/build/embeds_mo"

# The example of a program that transforms IRs, on an IR that mo makes of a text form.
cmake -S "$here/../../examples/embedding" -B "$scratch/transform" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld >"$scratch/configure.log"
cmake --build "$scratch/transform" >"$scratch/build.log"
cat >"$scratch/twice.mo" <<'TEXT'
graph(%x: f32[2,3] "x") {
  %a = ReLU(%x)
  %b = ReLU(%a)
  %y = ReduceL1(%b, [1]:i64) {keep_dims=true} "sum"
  return %y
}
TEXT
"$scratch/prefix/bin/mo" opt "$scratch/twice.mo" -o "$scratch/twice.xml"
"$scratch/transform/transform_ir" "$scratch/twice.xml" "$scratch/once.xml" >"$scratch/transform.log"
grep -q 'IdempotentReLU: changed' "$scratch/transform.log"
[ "$(grep -c 'type="ReLU"' "$scratch/once.xml")" = 1 ] && ! grep -q 'type="ReduceL1"' "$scratch/once.xml"

# The examples of the interfaces, against what is installed.
onnx=$here/../../examples/cmake_convert_model
example() {  # NAME: configures and builds examples/NAME into $scratch/NAME
  cmake -S "$here/../../examples/$1" -B "$scratch/$1" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld >"$scratch/configure.log"
  cmake --build "$scratch/$1" >"$scratch/build.log"
}
example cpp_api
"$scratch/cpp_api/convert_model" "$onnx/net.onnxtxt" --output_dir "$scratch/ir" 2>"$scratch/steps.log" | grep -q 'net.weights'
grep -q '^100 %' "$scratch/steps.log"
"$scratch/cpp_api/inspect_model" "$onnx/net.onnxtxt" | grep -q '^mo --input_model'
"$scratch/cpp_api/verify_model" "$onnx/net.onnxtxt" "$scratch/ir/net.xml" --seeds 2 | grep -q 'compute the same'
example c_api
"$scratch/c_api/convert_in_memory" "$scratch/once.xml" x 2 3 2>"$scratch/steps.log" && exit 1  # an IR is no model to convert
sed 's/ data_location.*"net.weights" }/ float_data: 1 float_data: 2 float_data: 3/' "$onnx/net.onnxtxt" >"$scratch/whole.onnxtxt"
"$scratch/c_api/convert_in_memory" "$scratch/whole.onnxtxt" x 1 3 2>"$scratch/steps.log" | grep -q '^  2  3  4$'

# A project that converts while it is built: again when something that was read changes, and not otherwise.
for generator in Ninja "Unix Makefiles"; do
  project=$scratch/project
  rm -rf "$project"
  cp -r "$onnx" "$project"
  cmake -S "$project" -B "$project/build" -G "$generator" -DCMAKE_PREFIX_PATH="$scratch/prefix" >"$scratch/configure.log"
  converts() {  # yes|no: whether a build now does
    cmake --build "$project/build" >"$scratch/build.log"
    [ "$(grep -c 'Converting net.onnxtxt' "$scratch/build.log")" = "$([ "$1" = yes ] && echo 1 || echo 0)" ] || { cat "$scratch/build.log"; echo "$generator: converts: not $1"; exit 1; }
  }
  converts yes
  "$project/build/show_model" | grep -q '<net name="net" version="11">'
  [ "$(stat -c %s "$project/build/ir/net.bin")" = 6 ]
  converts no
  sleep 1  # make sees seconds
  touch "$project/net.weights"
  converts yes
  converts no
  sleep 1
  touch "$project/net.onnxtxt"
  converts yes
  converts no
done

export PKG_CONFIG_PATH="$scratch/prefix/lib/pkgconfig:$(echo "$scratch"/prefix/lib/*/pkgconfig)"
# Every header that is installed finds what it includes.
find "$scratch/prefix/include/mo" -name '*.hpp' -printf '#include "%P"\n' | sort >"$scratch/headers.cpp"
# shellcheck disable=SC2046
g++ -std=c++20 -fsyntax-only "$scratch/headers.cpp" $(pkg-config --cflags mo)
# shellcheck disable=SC2046
g++ -std=c++20 "$here/main.cpp" $(pkg-config --cflags --static mo) -o "$scratch/embeds_mo" -fuse-ld=lld $(pkg-config --libs --static mo)
"$scratch/embeds_mo"
gcc -std=c99 "$here/../../examples/c_api/main.c" $(pkg-config --cflags libmo) -o "$scratch/convert_in_memory" $(pkg-config --libs libmo)
LD_LIBRARY_PATH=$(pkg-config --variable=libdir libmo) "$scratch/convert_in_memory" "$scratch/whole.onnxtxt" x 1 3 2>"$scratch/steps.log" | grep -q '^  2  3  4$'

# The Python package finds libmo and mo from where it lies.
package=$scratch/prefix/lib/python3/dist-packages
PYTHONPATH=$package /usr/bin/python3 "$here/../../examples/python_api/convert.py" "$onnx/net.onnxtxt" "$scratch" 2>"$scratch/steps.log" | grep -q '^equal$'
[ "$(PYTHONPATH=$package /usr/bin/python3 -m mo_openvino --version)" = "$("$scratch/prefix/bin/mo" --version)" ]
PYTHONPATH=$package /usr/bin/python3 -c 'import mo, mo_openvino; assert mo.convert_model is mo_openvino.convert_model'
