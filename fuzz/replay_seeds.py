#!/usr/bin/env python3
"""Runs every seed of every fuzz target once: thousands of small models, converted, compared in other orders, versions and without single passes.

usage: replay_seeds.py BUILD_DIR
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = sys.argv[1]
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, os.path.join(HERE, "make_seeds.py"), build, folder], check=True)
        for target in sorted(name for name in os.listdir(folder) if os.path.isdir(os.path.join(folder, name))):
            done = subprocess.run([os.path.join(build, "bin/mo_fuzz_replay"), target, os.path.join(folder, target)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            last = done.stdout.decode().splitlines()[-1] if done.stdout else "nothing"
            print(f"{target}: {last}")
            if done.returncode != 0:
                failed.append(target)
                print(f"  ended with {done.returncode}\n{done.stderr.decode(errors='replace')}")
    if failed:
        sys.exit(f"findings: {', '.join(failed)}")


if __name__ == "__main__":
    main()
