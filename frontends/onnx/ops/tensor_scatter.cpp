#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/term.hpp"
#include "ops/concat.hpp"

namespace mo::onnx {
namespace {

/// TensorScatter-24(cache, update, places): the update of each batch takes the place of the elements from
/// `places[batch]` on along the axis; with mode circular it wraps around at the end. As one Gather of cache and update,
/// side by side.
Replacement tensor_scatter(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value cache = node.input(0);
  const Value update = node.input(1);
  const std::string mode = node.attr("mode", "linear");
  if (mode != "linear" && mode != "circular")
    return node.error("MO-ONNX-0449", "mode is \"{}\"", mode).hint("mode is linear or circular");
  const auto given = node.attr<std::int64_t>("axis", -2);
  const auto rank = cache.type().rank();
  if (!rank)
    return node
        .error("MO-ONNX-0441",
               "the number of dimensions of input 0 is not known, and where the batch lies depends on it")
        .hint("give the shapes of the model's inputs with --input_shape");
  const auto axis = normalize_axis(given, *rank);
  if (!axis || *axis == 0)
    return node.error("MO-ONNX-0112", "axis {} is not an axis after the batch", given)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  const Term room(rw, dimension_of(rw, cache, *axis), ElementType::i64);
  const Term length(rw, dimension_of(rw, update, *axis), ElementType::i64);
  const Term place = count_up(rw, room, ElementType::i64).unsqueezed({0});
  const Value first =
      node.input(2) ? as_i64(rw, node.input(2)) : repeat(rw, rw.scalar<std::int64_t>(0), length_along(rw, cache, 0));
  // Place j holds element j - first of the update, if there is one.
  Term element = place - Term(rw, first, ElementType::i64).unsqueezed({1});
  if (mode == "circular") element = element.apply(ops::FloorMod{}, room);
  const Term is_new = both(greater_equal(element, 0), less(element, length));
  const Value source = choose(is_new, element + room, place).value();
  const Value both_tensors = rw.create(ops::Concat{.axis = *axis}, cache, update);
  return rw.create(ops::Gather{.batch_dims = 1}, both_tensors, source, rw.scalar(*axis));
}

}  // namespace

void register_tensor_scatter(OperatorTable& table) { table.translate("TensorScatter", since(24), tensor_scatter); }

}  // namespace mo::onnx
