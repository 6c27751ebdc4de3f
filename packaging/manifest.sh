#!/usr/bin/env bash
# Remembers what `make install` put where, so that `make uninstall` removes that and nothing else.
#   manifest.sh write BUILD DESTDIR PREFIX     after an installation
#   manifest.sh remove DESTDIR PREFIX
set -euo pipefail
list=share/mo/installed_files.txt

if [ "$1" = write ]; then
  build=$2 destination=$3 prefix=$4
  mkdir -p "$destination$prefix/share/mo"
  # CMake's list, which has no DESTDIR in it.
  { cat "$build/install_manifest.txt"; echo; echo "$prefix/$list"; } | sed '/^$/d' >"$destination$prefix/$list"
  echo "installed into $destination$prefix; 'make uninstall PREFIX=$prefix' removes it"
else
  destination=$2 prefix=$3
  if [ ! -f "$destination$prefix/$list" ]; then
    echo "there is no installation in $destination$prefix (no $list)" >&2
    exit 1
  fi
  mapfile -t files <"$destination$prefix/$list"
  count=0
  folders=()
  for file in "${files[@]}"; do
    # Only below the prefix, whatever the list says.
    case "$file" in "$prefix"/*) ;; *) continue ;; esac
    case "$file" in */../*) continue ;; esac
    rm -f -- "$destination$file" && count=$((count + 1))
    folder=$(dirname "$file")
    case "$file" in *.py)  # and what Python has compiled of it
      rm -f -- "$destination$folder/__pycache__/$(basename "$file" .py)".*.pyc
      folder=$folder/__pycache__ ;;
    esac
    while [ "$folder" != "$prefix" ] && [ "$folder" != / ]; do
      case "$folder" in */python3.*/*-packages) break ;; esac  # Python's own, even when it is empty
      folders+=("$destination$folder")
      folder=$(dirname "$folder")
    done
  done
  # Folders that are empty now, the inner ones first.
  if [ ${#folders[@]} -gt 0 ]; then
    printf '%s\n' "${folders[@]}" | sort -ru | while read -r folder; do rmdir --ignore-fail-on-non-empty -- "$folder" 2>/dev/null || true; done
  fi
  echo "removed $count files from $destination$prefix"
fi
