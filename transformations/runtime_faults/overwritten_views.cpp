#include <algorithm>
#include <array>

#include "core/graph/values.hpp"
#include "ops/group_normalization.hpp"
#include "ops/shuffle_channels.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/readers.hpp"
#include "transformations/runtime_faults/support/views.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Ops other than elementwise ones whose result may take the place of input 0.
constexpr std::array<std::string_view, 5> kOverwriting{"LogSoftmax", "MVN", "NormalizeL2", "PReLU", "SoftMax"};

bool overwrites(const InPort& reader) {
  const Node node = reader.node();
  if (node.op_type().traits.elementwise) return true;
  return reader.index() == 0 && std::find(kOverwriting.begin(), kOverwriting.end(), node.type()) != kOverwriting.end();
}

/// Gather of one place along the first dimension that has several, or along one that has no other: its elements are
/// neighbours in memory.
bool takes_neighbours(const Node& gather) {
  const PartialShape& shape = gather.input_type(0).shape;
  const auto number = single_integer_of(gather.input(2));
  const auto axis =
      shape.has_rank() && number ? normalize_axis(*number, static_cast<std::int64_t>(shape.size())) : std::nullopt;
  if (!axis || !has_one_element(gather.input(1))) return false;
  return shape[static_cast<std::size_t>(*axis)] == Dimension(1) ||
         std::all_of(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(*axis),
                     [](const Dimension& size) { return size == Dimension(1); });
}

bool leaves_in_place(const Node& node) {
  return is_view(node) || moves_only_ones(node) || (node.is("Gather") && takes_neighbours(node));
}

/// The tensor in whose memory a view, a view of a view … is.
Value memory_of(const Node& view) {
  Value source = view.input(0);
  while (readers_of_elements(source).size() == 1) {
    const Node node = source.node();
    if (!leaves_in_place(node) && !node.is("Split") && !node.is("VariadicSplit")) break;
    source = node.input(0);
  }
  return source;
}

/// MatMul of a Reshape with a constant: the runtime may take what the Reshape is of, and reads it later then.
bool looks_through(const InPort& reader) {
  const Node node = reader.node();
  return reader.index() == 0 && node.is("MatMul") && reader.get_source().node().is("Reshape") &&
         !is_computed(node.input(1));
}

/// The view and ops other than Results read the numbers of the tensor.
bool is_shared(const Value& source) {
  const std::vector<InPort> readers = readers_of_elements(source);
  return std::count_if(readers.begin(), readers.end(),
                       [](const InPort& reader) { return !reader.node().is<Result>(); }) > 1;
}

/// op(view(x)) -> op(ShuffleChannels(view(x))) in one group, where something else reads x: a copy that no release takes
/// away or into a kernel. A scalar has no channels: op(view(ShuffleChannels(x))).
Replacement copied_view(const Match& m, Rewriter& rw, PassContext&) {
  const Node view = m.root().node();
  if (!leaves_in_place(view)) return declined("the elements move");
  const bool is_scalar = view.output_type().rank() == 0;
  if (!view.output_type().shape.is_static() || (is_scalar && view.input_type(0).rank() == 0))
    return declined("a size is unknown, or it is a scalar, as before");
  const std::vector<InPort> readers = readers_of_elements(view.output());
  const bool has_two_sides = std::any_of(readers.begin(), readers.end(), looks_through);
  if (std::none_of(readers.begin(), readers.end(), overwrites) ||
      !std::all_of(readers.begin(), readers.end(), [](const InPort& r) { return overwrites(r) || looks_through(r); }))
    return declined("no op takes its memory");
  if (!has_two_sides && !is_shared(memory_of(view))) return declined("nothing else reads the data");
  if (!is_computed(view.output()))
    return declined("runtimes fold it, and the release 2021.4 cannot fold ShuffleChannels of two dimensions");
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < view.in_port_count(); ++i) inputs.push_back(view.input(i));
  const ops::ShuffleChannels copy{.axis = 0, .group = 1};
  if (is_scalar) {
    inputs[0] = rw.create(copy, inputs[0]);
    return rw.copy_with_new_inputs(view, inputs).output();
  }
  return rw.create(copy, rw.copy_with_new_inputs(view, inputs).output());
}

/// GroupNormalization, which runtimes compute as MVN of a Reshape of the data, which something else reads -> the same
/// of ShuffleChannels of the data.
Replacement copied_data(const Node& node, Rewriter& rw) {
  const Value data = node.input(0);
  const auto* shuffle = data.node().as<ops::ShuffleChannels>();
  if ((shuffle != nullptr && shuffle->group == 1) || !is_shared(data)) return declined("nothing else reads the data");
  const Value copy = rw.create(ops::ShuffleChannels{.axis = 0, .group = 1}, data);
  return rw.create(*node.as<ops::GroupNormalization>(), copy, node.input(1), node.input(2));
}

}  // namespace

void register_overwritten_views(PassRegistry& passes) {
  passes.add(
      avoid_fault("OverwrittenViews",
                  {.form = "Reshape, Squeeze, Unsqueeze, Transpose of dimensions of size 1, or Gather of one place, of "
                           "data that another op reads, too, before an elementwise op, MVN, NormalizeL2, PReLU, "
                           "SoftMax or LogSoftmax; the other op may be a MatMul of a Reshape with a constant; "
                           "GroupNormalization of data that another op reads",
                   .symptom = "the other op gets values that the op after the view has overwritten",
                   .first = "2023.3",
                   .last = "2023.3",
                   .replacement = "the view, ShuffleChannels of one group"})
          .run_after({"ViewsOfSharedViews"})
          .add(RewriteRule("CopyOfView", {"Reshape", "Squeeze", "Unsqueeze", "Transpose", "Gather"}, std::nullopt,
                           copied_view))
          .add(lowering<ops::GroupNormalization>("CopyOfGroups", copied_data)));
}

}  // namespace mo::transformations
