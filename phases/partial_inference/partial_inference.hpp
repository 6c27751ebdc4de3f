#pragma once

#include <memory>

#include "core/pass/pass.hpp"
#include "core/registry/operator_table.hpp"
#include "phases/front/unknown_attributes.hpp"
#include "phases/partial_inference/inference_watch.hpp"

namespace mo::phases {

/// Pass "PartialInference": types and values in topological order, in the model's own layout. On the way framework
/// nodes ("onnx::Slice") become what their translator in `operators` gives, and what is constant is folded. After it
/// the graph holds known ops only and has types; control edges are gone.
///
/// A body of an If is translated where it stands. A body that is inferred several times (a loop whose carried types
/// widen) is translated as a copy each time, and the last copy stays: a translator never sees types that hold for some
/// iterations only.
///
/// An If whose condition is known disappears: its branch takes its place, and the other one is ignored.
///
/// Where inputs have other sizes than in the exported model (has_changed_sizes), a copy of the graph is inferred with
/// the exported sizes first, and constants that hold them are repaired during the walk (ChangedSizes).
///
/// `replacers` are passes that look for an op by name (Pass::run_at). An operator that became one op, beside constants,
/// ops that only move elements, and elementwise ones (its bias), is offered to those that look for that op and did not
/// see the operator under its framework's name before.
///
/// Errors of all nodes that can be looked at are collected: those of ops and translators (as errors of the framework's
/// node), MO-FRONT-0003 and MO-FRONT-0004 (attributes), MO-FRONT-0005 for attributes that a translator does not know
/// and `ignored` does not list, MO-FRONT-0021 for inputs that it does not look at, MO-GRAPH-0010 for a cycle. Warning
/// MO-CLI-0034 for entries of `ignored` that no node needed.
Pass partial_inference(const OperatorTable& operators, std::string framework,
                       std::shared_ptr<IgnoredAttributes> ignored = {}, std::vector<Pass> replacers = {});

/// Infers as much of a framework's model as is possible, for those who ask what its tensors are; errors and warnings
/// are dropped. What fails, and what reads it, stays without types. `watch` follows the walk.
void infer_what_is_possible(Graph& graph, const OperatorTable& operators, std::string_view framework,
                            const Settings& settings, InferenceWatch* watch = nullptr);

}  // namespace mo::phases
