#!/usr/bin/env bash
# Installs the Debian packages that mo is built from and tested with. Idempotent: does nothing when all are present.
#
#   scripts/install_dependencies.sh           build and test dependencies
#   scripts/install_dependencies.sh --demo    only what mo itself is built from
#   scripts/install_dependencies.sh --wheel   only what `pip wheel .` needs beside what pip brings itself
#   scripts/install_dependencies.sh --aarch64 what the preset aarch64 cross-compiles mo with (adds Debian's architecture arm64)
#   scripts/install_dependencies.sh … --check   only report what is missing (exit 1 when something is)
#   scripts/install_dependencies.sh --developer   also what `make format`, `make lint`, the fuzz preset and `make test-extra` need
set -euo pipefail

compiler=(build-essential pkg-config lld)
# libraries that mo links (DESIGN, "Dependencies")
libraries=(
  libprotobuf-dev protobuf-compiler libpugixml-dev libspdlog-dev libfmt-dev libcli11-dev
  nlohmann-json3-dev libre2-dev libxxhash-dev libabsl-dev libeigen3-dev zlib1g-dev libsnappy-dev libboost-graph-dev
)
packages=("${compiler[@]}" cmake ninja-build ccache git "${libraries[@]}" libdnnl-dev libstb-dev python3 python3-numpy)
# tests and benchmarks
testing=(libgtest-dev libgmock-dev libbenchmark-dev libonnx-dev libonnx-testdata libopencv-dnn-dev libgvc6 python3-pytest valgrind)
case "${1:-}" in
  --demo) ;;
  --wheel) packages=("${compiler[@]}" "${libraries[@]}") ;;
  --aarch64)
    packages=(crossbuild-essential-arm64 qemu-user-static pkg-config cmake ninja-build ccache git)
    for package in "${libraries[@]}" libdnnl-dev libstb-dev; do
      case "$package" in
        protobuf-compiler | libcli11-dev | libeigen3-dev | nlohmann-json3-dev) packages+=("$package") ;;  # runs here, or has only headers
        *) packages+=("$package:arm64") ;;
      esac
    done
    ;;
  --developer) packages+=("${testing[@]}" clang clang-format clang-tidy parallel chromium chromium-driver python3-selenium) ;;
  *) packages+=("${testing[@]}") ;;
esac

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi
if [ "${!#}" = "--check" ]; then
  echo "missing packages: ${missing[*]}"
  exit 1
fi

sudo=""
if [ "$(id -u)" -ne 0 ]; then
  sudo="sudo"
fi
echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
if [ "${1:-}" = --aarch64 ]; then
  $sudo dpkg --add-architecture arm64
fi
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}"
