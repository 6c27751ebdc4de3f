#include <fmt/format.h>

#include "core/graph/runtime_info.hpp"
#include "core/rewrite.hpp"
#include "ops/build/half_precision.hpp"
#include "ops/convert.hpp"
#include "transformations/support/precision.hpp"

namespace mo::transformations {
namespace {

Replacement compress(const Node& node, Rewriter& rw, PassContext& context) {
  const Tensor& tensor = node.as<Const>()->value;
  const ElementType type = tensor.element_type();
  if (type != ElementType::f32 && type != ElementType::f64) return declined("it is neither f32 nor f64");
  if (has_mark(node, kNoHalfCompression)) return declined("its values need full precision");
  auto half = build::compressed_to_f16(node, tensor, context.diagnostics);
  if (!half) return std::move(half).error();
  const Value compressed = rw.constant(std::move(half->tensor));
  if (half->clipped > 0) compressed.node().set_rt_info(kClippedAttribute, {{"elements", half->clipped}});
  if (!node.name().empty()) rw.rename(compressed.node(), fmt::format("{}_compressed", node.name()));
  const Value back = rw.create(ops::Convert{.destination_type = type}, compressed);
  back.node().set_rt_info(kDecompression);
  return back;
}

}  // namespace

void register_compress_float_constants_impl(PassRegistry& passes) {
  passes.offer(
      front_replacement_op("Const")
          .named("CompressFloatConstantsImpl")
          .phase(Phase::middle)
          .described("Const of type f32 or f64", "Convert(Const of type f16), marked decompression",
                     "not marked by MarkPrecisionSensitiveSubgraphs; what is beyond the range of f16 is clipped")
          .replace_op(compress));
}

}  // namespace mo::transformations
