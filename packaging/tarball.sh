#!/usr/bin/env bash
# Packs the static program with its documents: unpack it anywhere, no installation, no libraries.
#   tarball.sh BUILD [FOLDER]       writes FOLDER (default: BUILD/packages)/mo-VERSION-linux-ARCHITECTURE.tar.gz
set -euo pipefail
build=$1
folder=${2:-$build/packages}
here=$(cd "$(dirname "$0")/.." && pwd)
version=$("$build/static/mo" --version | sed -n 's/^Version of Model Optimizer is: //p')
name="mo-$version-linux-$(uname -m)"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root="$scratch/$name"
mkdir -p "$root"/{bin,share/man/man1,share/bash-completion/completions,share/zsh/vendor-completions,share/fish/vendor_completions.d,share/mo} "$folder"
cp "$build/static/mo" "$root/bin/mo"
cp "$build/packaging/mo.1" "$root/share/man/man1/"
cp "$build/packaging/mo.bash" "$root/share/bash-completion/completions/mo"
cp "$build/packaging/_mo" "$root/share/zsh/vendor-completions/"
cp "$build/packaging/mo.fish" "$root/share/fish/vendor_completions.d/"
cp -r "$here/docs/schemas" "$here/extensions/configs" "$here/examples" "$root/share/mo/"
cp -r "$here/docs" "$root/docs"
rm -rf "$root/docs/errors.d"
cp "$here/README.md" "$here/CHANGELOG.md" "$here/LICENSE" "$root/"
# The same bytes from the same tree: no owner, one time, sorted names.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C "$scratch" -cf - "$name" | gzip -n >"$folder/$name.tar.gz"
echo "$folder/$name.tar.gz"
