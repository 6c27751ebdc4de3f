#pragma once

#include <memory>
#include <string>

#include "core/graph/graph.hpp"
#include "core/op/op_registry.hpp"

namespace mo::ir {

struct ReadOptions {
  /// Reads the whole .bin to see whether it is the one that the .xml was written with, where the .xml says so. Error
  /// MO-IR-0014.
  bool check_weights = false;
  /// Ops that are not known become nodes that are known by name only: with the attributes as texts, the types that the
  /// file states, and what core/op/carried_op.hpp says. Element types that are not known are known by name only. Both
  /// are written as they were.
  bool carries_unknown_ops = false;
};

/// Reads Intermediate Representation v10 or v11. `bin_path` empty: beside the .xml, with the extension .bin; opened
/// only when a constant needs it. Constants stay stretches of that file.
///
/// Types that the file states are put on the output ports; they are informative (a scalar and an unknown rank look
/// alike in an IR), so the caller infers the graph anew. `<rt_info>` and `<meta_data>` of the net go to
/// `Graph::properties` ("rt_info", "meta_data"), the version to "ir_version".
///
/// Errors MO-IR-0001 … 0017, up to 20 at once; operations that are not known are listed completely. Attributes that an
/// op does not have are ignored with the warning MO-IR-0020.
Expected<std::unique_ptr<Graph>> read_ir(const std::string& xml_path, const std::string& bin_path,
                                         const OpRegistry& registry, DiagnosticSink& sink,
                                         const ReadOptions& options = {});

}  // namespace mo::ir
