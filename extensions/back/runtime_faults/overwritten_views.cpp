#include <algorithm>
#include <array>

#include "core/graph/values.hpp"
#include "extensions/back/support/computed_values.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "extensions/back/support/views.hpp"
#include "ops/shuffle_channels.hpp"

namespace mo::back {
namespace {

/// Ops other than elementwise ones whose result may take the place of input 0.
constexpr std::array<std::string_view, 5> kOverwriting{"LogSoftmax", "MVN", "NormalizeL2", "PReLU", "SoftMax"};

bool overwrites(const InPort& reader) {
  const Node node = reader.node();
  if (node.op_type().traits.elementwise) return true;
  return reader.index() == 0 && std::find(kOverwriting.begin(), kOverwriting.end(), node.type()) != kOverwriting.end();
}

/// Gather of one place along the first dimension that has several: its elements are neighbours in memory.
bool takes_neighbours(const Node& gather) {
  const PartialShape& shape = gather.input_type(0).shape;
  const auto number = single_integer_of(gather.input(2));
  const auto axis =
      shape.has_rank() && number ? normalize_axis(*number, static_cast<std::int64_t>(shape.size())) : std::nullopt;
  return axis && has_one_element(gather.input(1)) &&
         std::all_of(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(*axis),
                     [](const Dimension& size) { return size == Dimension(1); });
}

bool leaves_in_place(const Node& node) {
  return is_view(node) || moves_only_ones(node) || (node.is("Gather") && takes_neighbours(node));
}

/// The tensor in whose memory a view, a view of a view … is.
Value memory_of(const Node& view) {
  Value source = view.input(0);
  while (source.has_one_destination()) {
    const Node node = source.node();
    if (!leaves_in_place(node) && !node.is("Split") && !node.is("VariadicSplit")) break;
    source = node.input(0);
  }
  return source;
}

/// The view and ops other than Results read the numbers of the tensor.
bool is_shared(const Value& source) {
  const std::vector<InPort> readers = source.get_destinations();
  const auto reads_numbers = [](const InPort& reader) {
    return !reader.node().is<Result>() && !reader.node().op_type().traits.shape_of;
  };
  return std::count_if(readers.begin(), readers.end(), reads_numbers) > 1;
}

/// op(view(x)) -> op(ShuffleChannels(view(x))) in one group, where something else reads x: a copy that no release takes
/// away or into a kernel.
Replacement copied_view(const Match& m, Rewriter& rw, PassContext&) {
  const Node view = m.root().node();
  if (!leaves_in_place(view)) return declined("the elements move");
  if (!view.output_type().shape.is_static() || view.output_type().rank() == 0)
    return declined("a size is unknown, or it is a scalar");
  const std::vector<InPort> readers = view.output().get_destinations();
  if (readers.empty() || !std::all_of(readers.begin(), readers.end(), overwrites))
    return declined("no op takes its memory");
  if (!is_shared(memory_of(view))) return declined("nothing else reads the data");
  if (!is_computed(view.output()))
    return declined("runtimes fold it, and the release 2021.4 cannot fold ShuffleChannels of two dimensions");
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < view.in_port_count(); ++i) inputs.push_back(view.input(i));
  return rw.create(ops::ShuffleChannels{.axis = 0, .group = 1}, rw.copy_with_new_inputs(view, inputs).output());
}

}  // namespace

void register_overwritten_views(PassRegistry& passes) {
  passes.add(
      avoid_fault(
          "OverwrittenViews",
          {.form =
               "Reshape, Squeeze, Unsqueeze, Transpose of dimensions of size 1, or Gather of one place, of data that "
               "another op reads, too, before an elementwise op, MVN, NormalizeL2, PReLU, SoftMax or LogSoftmax",
           .symptom = "the other op gets values that the op after the view has overwritten",
           .first = "2023.3",
           .last = "2023.3",
           .replacement = "the view, ShuffleChannels of one group"})
          .run_after({"ViewsOfSharedViews"})
          .add(RewriteRule("CopyOfView", {"Reshape", "Squeeze", "Unsqueeze", "Transpose", "Gather"}, std::nullopt,
                           copied_view)));
}

}  // namespace mo::back
