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

export PKG_CONFIG_PATH="$scratch/prefix/lib/pkgconfig:$(echo "$scratch"/prefix/lib/*/pkgconfig)"
# shellcheck disable=SC2046
g++ -std=c++20 "$here/main.cpp" $(pkg-config --cflags --static mo) -o "$scratch/embeds_mo" -fuse-ld=lld $(pkg-config --libs --static mo)
"$scratch/embeds_mo"
