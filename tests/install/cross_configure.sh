#!/usr/bin/env bash
# Configures the preset aarch64 and checks that libraries are those of arm64 and that programs which run while building are those of this machine.
# Exit code 77: the packages for it are not installed.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
native=$(dpkg-architecture -qDEB_BUILD_MULTIARCH) || {
  echo "skipped: this is not a Debian with dpkg-dev"
  exit 77
}
if [ "$native" = aarch64-linux-gnu ]; then
  echo "skipped: this machine is a 64-bit ARM"
  exit 77
fi
missing=$("$root/scripts/install_dependencies.sh" --aarch64 --check) || {
  echo "skipped: $missing (scripts/install_dependencies.sh --aarch64 installs them)"
  exit 77
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root"
cmake --preset aarch64 -B "$scratch" >"$scratch/configure.log" 2>&1 || { cat "$scratch/configure.log"; exit 1; }

fail() {
  echo "$1"
  exit 1
}
cached() { sed -n "s/^$1:[A-Z]*=//p" "$scratch/CMakeCache.txt"; }
"$(cached Protobuf_PROTOC_EXECUTABLE)" --version | grep -q libprotoc || fail "protoc does not run"
[[ $(cached ZLIB_LIBRARY_RELEASE) = */aarch64-linux-gnu/* ]] || fail "zlib is not the one of arm64: $(cached ZLIB_LIBRARY_RELEASE)"
[ -n "$(cached MO_DNNL)" ] && [[ $(cached MO_DNNL) = */aarch64-linux-gnu/* ]] || fail "oneDNN is not the one of arm64: $(cached MO_DNNL)"
if grep -n "/$native/" "$scratch/build.ninja" >"$scratch/native.log"; then
  head -5 "$scratch/native.log"
  fail "libraries of $native are linked"
fi
grep -q /aarch64-linux-gnu-g++ "$scratch/CMakeFiles/rules.ninja" || fail "the cross compiler is not used"
grep -q 'qemu-aarch64[^ ]* [^ ]*/bin/mo_run --help' "$scratch/build.ninja" || fail "man pages are not written in the emulator"
grep -q 'CPACK_DEBIAN_PACKAGE_ARCHITECTURE "arm64"' "$scratch/CPackConfig.cmake" || fail "packages are not for arm64"
echo "configured for aarch64"
