#!/usr/bin/env bash
# Tries the packages of a build as their users do, and prints sizes, start-up and libraries.
#   packages.sh BUILD [ROOT]     BUILD: after `make package static`; ROOT: a Debian made by debootstrap to use instead of a new one (it is changed)
#   packages.sh BUILD --unpacked makes them itself and tries what is in them, without installing: what `make test` does
# With root's rights and debootstrap: in a chroot of Debian 12 with nothing else in it. Otherwise only the tarball is tried.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
packages=$build/packages
scratch=$(mktemp -d)
root=${2:-}
unpacked=
mounted=
cleanup() {
  [ -z "$mounted" ] || umount "$mounted"
  umount "$scratch/root/proc" 2>/dev/null || true  # by debootstrap
  rm -rf "$scratch"
}
trap cleanup EXIT
failed=0
check() {  # check TITLE COMMAND…: what must succeed
  if "${@:2}" >"$scratch/log" 2>&1; then echo "ok      $1"; else echo "FAILED  $1"; sed 's/^/        /' "$scratch/log"; failed=1; fi
}
says() {  # says PATTERN COMMAND…: whatever its exit code
  local text
  text=$("${@:2}" 2>&1 || true)
  grep -q -- "$1" <<<"$text"
}

lint() {  # lint FILE COMMAND…: lintian, called by COMMAND
  check "lintian accepts $(basename "$1")" "${@:2}" --allow-root --fail-on error,warning --tag-display-limit 0 "$1"
}

model() {  # a model for whoever has no generator: y = Relu(x)
  printf 'ir_version: 8\nopset_import { version: 13 }\ngraph { name: "g" node { input: "x" output: "y" op_type: "Relu" }\n'
  printf 'input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 4 } } } } }\n'
  printf 'output { name: "y" type { tensor_type { elem_type: 1 shape { dim { dim_value: 4 } } } } } }\n'
}

if [ "$root" = --unpacked ]; then
  unpacked=$scratch/unpacked
  root=
  packages=$scratch/packages
  check "the static program links" cmake --build "$build" --target mo_static mo_package_documents
  check "the tarball is made" "$here/tarball.sh" "$build" "$packages"
  check "what is in a wheel links" cmake --build "$build" --target mo_wheel
  check "the packages are made" cpack --config "$build/CPackConfig.cmake" -G DEB -B "$packages"
  [ "$failed" -eq 0 ] || exit 1
fi

echo "== static tarball, in a folder with nothing else"
archive=$(ls "$packages"/mo-*-linux-*.tar.gz)
mkdir -p "$scratch/empty"
tar -C "$scratch/empty" --strip-components=1 -xzf "$archive"
model >"$scratch/empty/model.onnxtxt"
check "it needs no library" says 'not a dynamic executable\|statically linked' ldd "$scratch/empty/bin/mo"
printf 'graph(%%x: f32[2]) {\n  %%y = ReLU(%%x)\n  return %%y\n}\n' >"$scratch/relu.mo"
check "its subcommands work" says 'ReLU' "$scratch/empty/bin/mo" opt "$scratch/relu.mo" --passes moc
check "it says that it cannot draw" says 'MO-DRAW-0001' "$scratch/empty/bin/mo" draw "$scratch/relu.mo" -o "$scratch/relu.svg"
if [ "$(id -u)" -eq 0 ]; then inside=(chroot "$scratch/empty" /bin/mo); else inside=(env -C "$scratch/empty" bin/mo); fi
check "it converts in an empty chroot" "${inside[@]}" model.onnxtxt
check "it wrote an IR" test -s "$scratch/empty/model.xml"
check "it explains errors" says 'axis is out of range' "${inside[@]}" explain MO-OPS-0012
check "it says where plugins are" says 'model-optimizer' "${inside[@]}" model.onnxtxt --extensions x.so

# The image is this tarball: what the Dockerfile copies from it must be in it.
copied=$(sed -n 's|^COPY --from=build /out/\([^ ]*\) .*|\1|p' "$here/Dockerfile")
check "the Dockerfile copies something" test -n "$copied"
for file in $copied; do check "the Dockerfile finds $file" test -s "$scratch/empty/$file"; done

if [ -n "$unpacked" ]; then
  echo "== what is in the packages"
  for package in "$packages"/*.deb; do check "$(basename "$package") unpacks" dpkg-deb -x "$package" "$unpacked"; done
  installed=$unpacked/usr
  check "mo of the package converts" "$installed/bin/mo" "$scratch/empty/model.onnxtxt" --output_dir "$scratch/from_package"
  check "it writes what the static program writes" cmp "$scratch/from_package/model.bin" "$scratch/empty/model.bin"
  check "mo_run of the package runs it" says 'y' "$installed/bin/mo_run" "$scratch/from_package/model.xml" --input random --output_dir "$scratch/results"
  check "man pages, completions, licence, documentation, configurations, schemas, examples and engines are in it" \
    test -s "$installed/share/man/man1/mo.1.gz" -a -s "$installed/share/man/man1/transform_graph.1.gz" -a -s "$installed/share/bash-completion/completions/mo" -a -s "$installed/share/doc/model-optimizer/copyright" \
    -a -s "$installed/share/doc/model-optimizer/docs/cli.md" -a -s "$installed/share/mo/configs/ssd_v2_support.json" -a -d "$installed/share/mo/schemas" \
    -a -d "$installed/share/mo/examples" -a -s "$installed/share/mo/engines/onnxruntime_worker.py"
  check "the Python package finds libmo and mo of the packages" env PYTHONPATH="$installed/lib/python3/dist-packages" /usr/bin/python3 -c \
    'import subprocess, sys, mo, mo_openvino; assert mo.__version__ in subprocess.check_output([sys.executable, "-m", "mo_openvino", "--version"], text=True)
mo.convert_model(sys.argv[1])' "$scratch/empty/model.onnxtxt"

  if command -v lintian >/dev/null; then
    for package in "$packages"/*.deb; do lint "$package" lintian; done
  else
    echo "skipped lintian: it is not installed"
  fi

  echo "== what pip unpacks of a wheel"
  prefix=$scratch/prefix
  check "it is installed" cmake --install "$build" --component wheel --prefix "$prefix" --strip
  check "the Python package is" cmake --install "$build" --component python --prefix "$prefix"
  check "program and library need only the C and the C++ library" sh -c \
    'for file; do ! ldd "$file" | grep -v "libmo\.so\|libc\.so\|libm\.so\|libstdc++\|libgcc_s\|linux-vdso\|/ld-linux"; done' _ "$prefix/bin/mo" "$prefix/libexec/mo/libmo.so.1"
  ln -s "$prefix/bin/mo" "$scratch/mo_by_link"
  check "mo converts, called by a link" "$scratch/mo_by_link" "$scratch/empty/model.onnxtxt" --output_dir "$scratch/from_wheel"
  check "it writes what the static program writes" cmp "$scratch/from_wheel/model.bin" "$scratch/empty/model.bin"
  check "mo-ovc converts" "$prefix/bin/mo-ovc" "$scratch/empty/model.onnxtxt" --output_model "$scratch/from_ovc/model.xml"
  check "its subcommands work" says 'ReLU' "$prefix/bin/mo" opt "$scratch/relu.mo" --passes moc
  check "it loads a plugin" says 'faulty' "$prefix/bin/mo" --extensions "$build/tests/libmo_faulty.so" --list-extensions
  check "the Python package finds libmo and mo of the wheel" env PYTHONPATH="$prefix/lib/python3/dist-packages" /usr/bin/python3 -c \
    'import subprocess, sys, mo_openvino as mo; assert mo.__version__ in subprocess.check_output([sys.executable, "-m", "mo_openvino", "--version"], text=True)
maps = open("/proc/self/maps").read(); assert sys.argv[2] + "/libexec/mo/libmo.so.1" in maps, maps
mo.convert_model(sys.argv[1])' "$scratch/empty/model.onnxtxt" "$prefix"
  exit $failed
fi

if [ -z "$root" ] && [ "$(id -u)" -eq 0 ] && command -v debootstrap >/dev/null; then
  root=$scratch/root
  echo "== a fresh Debian"
  debootstrap --variant=minbase --include=man-db,bash-completion,fish,zsh bookworm "$root" >"$scratch/debootstrap.log" 2>&1 || {
    tail -5 "$scratch/debootstrap.log"
    echo "no Debian could be made: the packages are not tried"
    root=
  }
fi
if [ -n "$root" ]; then
  echo "== packages in $root"
  if ! mountpoint -q "$root/proc" && mount -t proc proc "$root/proc"; then mounted=$root/proc; fi  # models in memory have their paths there
  rm -f "$root"/etc/dpkg/dpkg.cfg.d/*docker* 2>/dev/null || true
  cp "$packages"/model-optimizer_*.deb "$packages"/model-optimizer-dev_*.deb "$root/tmp/"
  model >"$root/tmp/model.onnxtxt"
  run() { LC_ALL=C.UTF-8 chroot "$root" bash -c "$1"; }
  check "apt installs it with what it needs" run 'cd /tmp && apt-get update -qq && apt-get install -y --no-install-recommends ./model-optimizer_*.deb'
  check "dpkg installs it again" run 'dpkg -i /tmp/model-optimizer_*.deb'
  check "mo converts" run 'cd /tmp && mo model.onnxtxt && test -s model.xml'
  check "mo_run runs" run 'mo_run --help'
  check "man mo" run 'MANPAGER=cat man mo | grep -q -- "--input_shape"'
  check "man mo_run" run 'MANPAGER=cat man mo_run | grep -q weights'
  check "bash completes" run 'source /usr/share/bash-completion/bash_completion; source /usr/share/bash-completion/completions/mo; COMP_WORDS=(mo --input_sh); COMP_CWORD=1; _mo; [ "${COMPREPLY[*]}" = --input_shape ]'
  check "fish completes" run 'fish -c "complete -C\"mo --input_sh\"" | grep -q -- --input_shape'
  check "zsh finds the completion" run 'zsh -fc "autoload -Uz compinit; compinit -u; [[ \$_comps[mo] = _mo ]]"'
  check "licence, documentation, configurations, schemas and examples are there" run \
    'test -s /usr/share/doc/model-optimizer/copyright -a -s /usr/share/doc/model-optimizer/docs/cli.md -a -s /usr/share/mo/configs/ssd_v2_support.json -a -d /usr/share/mo/schemas -a -d /usr/share/mo/examples'
  python=$(ls "$packages"/python3-mo_*.deb 2>/dev/null || true)
  if [ -n "$python" ]; then
    cp "$python" "$root/tmp/"
    convert_and_run='cd /tmp && python3 -c "import mo, mo_openvino; print(mo.convert_model(\"model.onnxtxt\").run([[1.0, -1.0, 2.0, 0.0]]), mo_openvino.__file__)"'
    check "the Python package converts and runs" run "cd /tmp && apt-get install -y ./python3-mo_*.deb && $convert_and_run | grep /usr/lib/python3/dist-packages/"
    check "dpkg removes the Python package, and what Python compiled of it" run \
      'dpkg -r python3-mo && ! test -e /usr/lib/python3/dist-packages/mo_openvino -o -e /usr/lib/python3/dist-packages/mo'
    # What `make install` does, with this Debian as DESTDIR.
    check "make install puts the Python package where Debian's python3 looks" env PATH=/usr/bin:/bin DESTDIR="$root" cmake --install "$build" --strip --prefix /usr/local
    check "it is noted what was installed" "$here/manifest.sh" write "$build" "$root" /usr/local
    check "it converts and runs" run "$convert_and_run | grep /usr/local/lib/"
    check "make uninstall removes it" "$here/manifest.sh" remove "$root" /usr/local
    check "no file stays in /usr/local" run '! find /usr/local -type f | grep .'
  fi
  check "dpkg removes it" run 'dpkg -r model-optimizer && ! command -v mo'
  check "nothing stays" run '! find /usr -path "*model-optimizer*" -o -name "mo.1*" -o -name libmo_accelerated.so | grep -q .'
  cp "$packages"/*.deb "$root/tmp/"
  if run 'apt-get install -y -qq --no-install-recommends lintian' >/dev/null 2>&1; then
    for package in "$packages"/*.deb; do lint "/tmp/$(basename "$package")" chroot "$root" lintian; done
  else
    echo "skipped lintian: it cannot be installed in $root"
  fi
elif command -v lintian >/dev/null; then
  for package in "$packages"/*.deb; do lint "$package" lintian; done
else
  echo "skipped lintian: it is not installed"
fi

echo "== sizes, start-up, libraries"
tiny=$scratch/tiny.onnxtxt
model >"$tiny"
for program in "$build/bin/mo" "$build/static/mo"; do
  [ -x "$program" ] || continue
  best=$( (for _ in $(seq 20); do perf_start=$(date +%s%N); "$program" "$tiny" --output_dir "$scratch/out" --silent >/dev/null; echo $((($(date +%s%N) - perf_start) / 1000)); done) | sort -n | head -1)
  libraries=$(ldd "$program" 2>/dev/null | grep -c '=>' || true)
  echo "$(basename "$(dirname "$program")")/mo: $(stat -c %s "$program") bytes, a tiny model in $best us, $libraries shared libraries"
done
ls -l "$packages" | awk 'NR > 1 { print $5 " bytes  " $9 }'
exit $failed
