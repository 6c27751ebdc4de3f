#!/usr/bin/env python3
"""Checks that dependencies point down only: which folder may include what (DESIGN.md, "Folders"), that no file holds two subjects: none has more
than MOST_LINES lines, and that releases of OpenVINO are named in their tables only (RELEASE_TABLES).

usage: layering.py [ROOT]        checks the repository at ROOT (default: this one); exit code 1 when a rule is broken
       layering.py --self-test   checks that each rule can fail
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ("core", "ops", "frontends", "phases", "transformations", "extensions", "graph_transforms", "ir_emitter", "onnx_emitter", "plugins", "driver", "cli", "tools", "api", "benchmarks")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

MOST_LINES = 400
TABLES = {"graph_transforms/support/op_table.cpp"}  # which may be as long as they need to be

# Folder of the including file -> folders that it may include. The first row whose folder is a prefix of the path counts.
# `ops/register_all.hpp` and the like are generated for the code that assembles the program: driver and tools.
MAY_INCLUDE = [
    ("core", ["core"]),
    ("ops", ["core", "ops"]),
    ("frontends/common", ["core", "ops", "frontends/common"]),
    ("frontends/onnx", ["core", "ops", "frontends/common", "frontends/onnx"]),
    ("frontends/tensorflow", ["core", "ops", "frontends/common", "frontends/tensorflow"]),
    ("frontends/caffe", ["core", "ops", "frontends/common", "frontends/caffe"]),
    ("frontends/ir", ["core", "ops", "frontends/common", "frontends/ir"]),
    # names of passes with settings, nothing else
    ("phases/pipelines", ["core/pass", "core/registry", "core/inference", "core/rewrite.hpp", "phases/pipelines"]),
    ("phases", ["core", "ops", "phases"]),
    ("transformations", ["core", "ops", "transformations"]),
    ("extensions", ["core", "ops", "extensions"]),
    ("graph_transforms", ["core", "ops", "graph_transforms"]),
    ("ir_emitter", ["core", "ops", "ir_emitter"]),
    ("onnx_emitter", ["core", "ops", "onnx_emitter"]),
    ("plugins/examples", ["mo"]),
    ("plugins/sdk", ["core", "ops", "extensions/config", "extensions/object_detection", "graph_transforms/engine", "onnx_emitter", "plugins/sdk"]),
    ("plugins", ["core", "ops", "plugins"]),
    ("driver", ["core", "ops", "frontends", "phases", "transformations", "extensions", "ir_emitter", "onnx_emitter", "plugins", "driver"]),
    ("cli", ["core", "driver", "cli", "tools/common/subcommand.hpp", "tools/report"]),
    ("tools", ["core", "ops", "frontends", "phases", "transformations", "extensions", "graph_transforms", "ir_emitter", "plugins", "driver", "tools"]),
    ("api", ["core", "driver", "cli/command_line.hpp", "tools", "api"]),
    ("benchmarks", ["core", "ops", "benchmarks"]),
]

# The floors of core, from the ground up: a folder may include itself and what stands before it. What lies in core/ itself is for whoever uses core as a
# whole: no folder of core includes it.
CORE_FLOORS = [
    "diagnostics", "support", "command_line", "types", "files", "tensor", "attributes", "op", "graph", "inference", "execution", "text", "comparison", "pattern", "pass",
    "registry", "proto_text",
]

# Third-party headers -> the only places that may include them.
ONLY_IN = [
    ("protobuf", re.compile(r"^google/protobuf/|\.pb\.h$"), ["frontends/"]),
    ("nlohmann-json", re.compile(r"^nlohmann/"), ["extensions/", "driver/", "cli/", "tools/", "api/"]),
    ("pugixml", re.compile(r"^pugi(xml|config)\.hpp$"), ["frontends/ir/", "extensions/front/caffe/custom_layers_mapping"]),
    ("spdlog", re.compile(r"^spdlog/"), ["core/support/log.cpp"]),
    ("oneDNN", re.compile(r"^(oneapi/)?dnnl"), ["ops/accelerated/"]),
    # mo and its subcommands have one parser, core/command_line; these are programs of their own.
    ("CLI11", re.compile(r"^CLI/"), ["tools/conformance/", "benchmarks/"]),
    ("ONNX", re.compile(r"^onnx/"), ["frontends/onnx/", "tools/"]),
    # Their tables free what is not theirs when std::bad_alloc ends their growth: core/support/index_table.hpp, frontends/common/hash_map.hpp.
    ("Abseil's hash tables", re.compile(r"^absl/container/(flat|node)_hash_"), []),
    # Inputs go through File, which knows what no output may replace, outputs through OutputSet.
    ("<fstream>", re.compile(r"^fstream$"), ["tools/conformance/", "tools/test/"]),
]

# String literals name a release of OpenVINO in these places only: the tables that say what releases do, and texts of examples and of pass lists that
# are named after a release.
RELEASE_TABLES = ["core/op/runtimes.hpp", "core/op/runtimes.cpp", "transformations/runtime_faults/", "phases/pipelines/", "cli/options/", "tools/verify/", "tools/ovc/"]
RELEASE = re.compile(r'"(?:[^"\\]|\\.)*?\b20[2-9][0-9]\.[0-9]\b')


def is_in(path, folder):
    return path == folder or path.startswith(folder + "/")


def check_include(path, header, quoted):
    """The broken rule in words, or None."""
    for library, pattern, places in ONLY_IN:
        if pattern.search(header):
            if not any(path.startswith(place) for place in places):
                return f"{library} is for {', '.join(places)} only" if places else f"{library} are for no place"
            return None
    if not quoted:
        return None
    row = next((row for row in MAY_INCLUDE if is_in(path, row[0])), None)
    if row is not None and row[0] == "plugins/examples" and "/" not in header:
        return None  # a project of its own: its own headers lie beside the file
    if row is None:
        return f"no rule for this folder: add one to {os.path.basename(__file__)}"
    if not any(is_in(header, folder) for folder in row[1]):
        return f"{row[0]} may include {', '.join(row[1])} only (and by the path from the root)"
    return check_floors(path, header) if row[0] == "core" else None


def check_floors(path, header):
    """The broken order of the folders of core in words, or None."""
    here, there = path.split("/")[1:-1], header.split("/")[1:-1]
    if not here:
        return None
    if not there:
        return "what lies in core/ itself is for users of core"
    for name in (here[0], there[0]):
        if name not in CORE_FLOORS:
            return f"core/{name} has no floor: add it to CORE_FLOORS in {os.path.basename(__file__)}"
    if CORE_FLOORS.index(there[0]) > CORE_FLOORS.index(here[0]):
        return f"core/{there[0]} stands above core/{here[0]}"
    return None


def check_text(path, text):
    problems = []
    lines = text.splitlines()
    if len(lines) > MOST_LINES and path not in TABLES:
        problems.append(f"{path}: {len(lines)} lines, where at most {MOST_LINES} are allowed: split it by subject")
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match:
            broken = check_include(path, match[2], match[1] == '"')
            if broken:
                problems.append(f"{path}:{number}: includes {match[2]}: {broken}")
        if RELEASE.search(line.split("//")[0]) and not any(path.startswith(place) for place in RELEASE_TABLES):
            problems.append(f"{path}:{number}: names a release of OpenVINO: give what it can do a name in core/op/runtimes.hpp")
    return problems


def check_repository(root):
    problems = []
    for folder in FOLDERS:
        for place, _, files in os.walk(os.path.join(root, folder)):
            for name in sorted(files):
                if name.endswith((".cpp", ".hpp", ".h", ".cc")):
                    full = os.path.join(place, name)
                    with open(full, encoding="utf-8") as file:
                        problems += check_text(os.path.relpath(full, root), file.read())
    return problems


BROKEN = [  # one for each rule
    ("core/graph/graph.cpp", '#include "ops/soft_max.hpp"'),
    ("core/graph/graph.cpp", '#include "graph.hpp"'),
    ("core/graph/graph.cpp", '#include "core/pass/pass.hpp"'),
    ("core/graph/graph.cpp", '#include "core/op.hpp"'),
    ("core/graph/graph.cpp", '#include "core/elsewhere/file.hpp"'),
    ("core/elsewhere/file.cpp", '#include "core/graph/graph.hpp"'),
    ("ops/soft_max.cpp", '#include "phases/pipeline.hpp"'),
    ("frontends/common/wire.cpp", '#include "frontends/onnx/reader.hpp"'),
    ("frontends/onnx/reader.cpp", '#include "frontends/tensorflow/reader.hpp"'),
    ("frontends/tensorflow/reader.cpp", '#include "frontends/onnx/reader.hpp"'),
    ("frontends/caffe/reader.cpp", '#include "phases/pipeline.hpp"'),
    ("frontends/ir/read_ir.cpp", '#include "ir_emitter/emit.hpp"'),
    ("phases/middle/folding.cpp", '#include "transformations/fusions/fusion.hpp"'),
    ("phases/pipelines/moc.cpp", '#include "ops/soft_max.hpp"'),
    ("transformations/fusions/fusion.cpp", '#include "frontends/onnx/reader.hpp"'),
    ("onnx_emitter/ops/shapes.cpp", '#include "frontends/onnx/encoding.hpp"'),
    ("transformations/fusions/fusion.cpp", '#include "phases/pipeline.hpp"'),
    ("graph_transforms/rename_op.cpp", '#include "frontends/tensorflow/graph_def/graph_def.hpp"'),
    ("ir_emitter/emit.cpp", '#include "driver/options.hpp"'),
    ("plugins/examples/fancy_norm/plugin.cpp", '#include "core/op.hpp"'),
    ("plugins/loader/load.cpp", '#include "driver/convert.hpp"'),
    ("plugins/sdk/plugin.hpp", '#include "transformations/fusions/fusion.hpp"'),
    ("driver/convert.cpp", '#include "cli/console.hpp"'),
    ("driver/convert.cpp", '#include "tools/common/npy.hpp"'),
    ("cli/main.cpp", '#include "ops/soft_max.hpp"'),
    ("tools/run/main.cpp", '#include "cli/exit_code.hpp"'),
    ("benchmarks/graph_store.cpp", '#include "driver/convert.hpp"'),
    ("api/run.cpp", '#include "ops/soft_max.hpp"'),
    ("api/c/mo.cpp", '#include "cli/console.hpp"'),
    ("elsewhere/file.cpp", '#include "core/op.hpp"'),
    ("driver/convert.cpp", "#include <google/protobuf/message.h>"),
    ("extensions/front/common/x.cpp", '#include "frontends/onnx/onnx.pb.h"'),
    ("core/graph/graph.cpp", "#include <nlohmann/json.hpp>"),
    ("frontends/onnx/reader.cpp", "  #  include <pugixml.hpp>"),
    ("ir_emitter/emitter.cpp", "#include <pugixml.hpp>"),
    ("core/graph/name_sets.cpp", "#include <absl/container/flat_hash_set.h>"),
    ("driver/convert.cpp", "#include <spdlog/spdlog.h>"),
    ("ops/mat_mul.cpp", "#include <dnnl.hpp>"),
    ("driver/options.cpp", "#include <CLI/CLI.hpp>"),
    ("tools/run/subcommand.cpp", "#include <CLI/CLI.hpp>"),
    ("core/op/op.cpp", "#include <onnx/defs/schema.h>"),
    ("extensions/config/json_document.cpp", "#include <fstream>"),
    ("core/graph/graph.cpp", "\n" * (MOST_LINES + 1)),
    ("driver/options.cpp", 'if (is_older(release, "2023.3")) return;'),
    ("driver/options.cpp", '.hint("runtimes up to 2022.1 differ")'),
]
ALLOWED = [
    ("core/graph/graph.cpp", '#include "core/op/op.hpp"'),
    ("core/graph/graph.cpp", '#include "core/graph/node.hpp"'),
    ("core/op.hpp", '#include "core/registry/registry.hpp"'),
    ("core/support/log.cpp", "#include <spdlog/spdlog.h>"),
    ("ops/accelerated/kernels.cpp", "#include <dnnl.hpp>"),
    ("frontends/onnx/reader.cpp", '#include "frontends/onnx/onnx.pb.h"'),
    ("frontends/ir/read_ir.cpp", "#include <pugixml.hpp>"),
    ("tools/run/main.cpp", '#include "frontends/ir/reader.hpp"'),
    ("tools/conformance/main.cpp", "#include <CLI/CLI.hpp>"),
    ("api/options.cpp", '#include "cli/command_line.hpp"'),
    ("core/graph/name_sets.cpp", "#include <absl/container/inlined_vector.h>"),
    ("core/graph/graph.cpp", '// #include "ops/soft_max.hpp"'),
    ("core/graph/graph.cpp", "\n" * MOST_LINES),
    ("core/op/runtimes.cpp", '{"2023.3", 13},'),
    ("driver/options.hpp", 'std::string target_runtime;  ///< "2021.4", "latest"'),
]


def self_test():
    failures = [f"must be refused: {path}: {line[:60]!r}" for path, line in BROKEN if not check_text(path, line)]
    failures += [f"must be allowed: {path}: {line[:60]!r}" for path, line in ALLOWED if check_text(path, line)]
    tested = {row[0] for row in MAY_INCLUDE for path, _ in BROKEN if next((r for r in MAY_INCLUDE if is_in(path, r[0])), None) is row}
    failures += [f"no self-test for {row[0]}" for row in MAY_INCLUDE if row[0] not in tested]
    return failures


def main():
    testing = sys.argv[1:] == ["--self-test"]
    problems = self_test() if testing else check_repository(sys.argv[1] if len(sys.argv) > 1 else ROOT)
    for problem in problems:
        print(problem)
    print(f"{'self-test' if testing else 'layering'}: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
