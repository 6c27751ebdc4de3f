#!/usr/bin/env bash
# Makes the wheel as `pip wheel .` does, names in its tag the oldest glibc that it runs with, and checks it.
#   make.sh FOLDER     writes FOLDER/mo_openvino-*.whl and FOLDER/mo_openvino-*.tar.gz; PYTHON chooses the interpreter (python3)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
folder=$1
limit=8000000  # bytes
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
tools=$root/build/wheel_tools
stamp=$tools/$(sha256sum "$here/requirements.txt" | cut -c1-16)
if [ ! -e "$stamp" ]; then
  rm -rf "$tools"
  "${PYTHON:-python3}" -m venv "$tools"
  "$tools/bin/python" -m pip install --quiet --disable-pip-version-check --require-virtualenv -r "$here/requirements.txt"
  touch "$stamp"
fi
export PATH=$tools/bin:$PATH

rm -f "$folder"/mo_openvino-*
python -m build --sdist --wheel --outdir "$folder" "$root"  # both from here: a wheel made of the sdist would compile everything anew
wheel=$(ls "$folder"/mo_openvino-*.whl)
auditwheel show "$wheel" | tee "$folder/auditwheel.txt"
# What auditwheel found is only written down: its `repair` would replace the program by a script of Python.
platform=$(grep -o 'manylinux_[0-9]*_[0-9]*_[a-z0-9_]*' "$folder/auditwheel.txt" | head -1)
if [ -z "$platform" ]; then
  echo "$wheel needs libraries of this distribution: it keeps its tag" >&2
else
  wheel=$folder/$(wheel tags --remove --platform-tag "$platform" "$wheel" | tail -1)
fi
twine check --strict "$folder"/mo_openvino-*.whl "$folder"/mo_openvino-*.tar.gz
size=$(stat -c %s "$wheel")
echo "$wheel: $size bytes"
[ "$size" -le "$limit" ] || { echo "the wheel has more than $limit bytes" >&2; exit 1; }
