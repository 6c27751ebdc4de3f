#!/bin/sh
# Fuzzes one target, or one after the other: fuzz.sh BUILD_DIR SECONDS [TARGET…]      (make fuzz TARGET=… TIME=…)
# Seeds and what was found worth keeping lie in BUILD_DIR/corpus, inputs that end the process in BUILD_DIR/findings; exit code 1 when there are any.
set -eu
build=$1 seconds=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
[ -d "$build/corpus/seeds" ] || python3 "$root/fuzz/make_seeds.py" "$build" "$build/corpus/seeds"
[ $# -gt 0 ] || set -- $(ls "$root/fuzz/targets" | sed 's/\.cpp$//')
status=0
for target; do
  found="$build/findings/$target"
  mkdir -p "$build/corpus/$target" "$found"
  # A model may make much of few bytes and reads many small files: memory and time are limited as docs/fuzzing.md says, findings do not end the run.
  UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0:detect_odr_violation=1 \
    "$build/bin/mo_fuzz" --target="$target" -fork=1 -ignore_crashes=1 -ignore_ooms=1 -ignore_timeouts=1 -max_total_time="$seconds" \
    -rss_limit_mb=1024 -timeout=10 -max_len=65536 -dict="$build/corpus/seeds/$target.dict" -artifact_prefix="$found/" -print_final_stats=1 \
    "$build/corpus/$target" "$build/corpus/seeds/$target" > "$build/corpus/$target.log" 2>&1 || true
  tail -n 1 "$build/corpus/$target.log" | sed "s/^/$target: /"
  if [ -n "$(ls "$found")" ]; then
    echo "$target: findings in $found:"
    ls "$found"
    status=1
  fi
done
exit $status
