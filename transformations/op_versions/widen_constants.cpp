#include "ops/convert.hpp"
#include "transformations/op_versions/lowering.hpp"

namespace mo::transformations {
namespace {

/// The smallest element type that holds every value of `type` and that all runtimes read.
ElementType wider_type(ElementType type, bool reads_four_bits) {
  switch (type) {
    case ElementType::u2:
    case ElementType::u3: return reads_four_bits ? ElementType::u4 : ElementType::u8;
    case ElementType::u6: return ElementType::u8;
    case ElementType::f4e2m1:
    case ElementType::f8e4m3:
    case ElementType::f8e5m2: return ElementType::f16;
    default: return ElementType::f32;
  }
}

/// Returns true if the target does not read constants of `type`.
bool lacks_constants_of(ElementType type, const Settings& settings) {
  const ElementTypeReleases* const releases = is_small_real(type) || is_integral(type) ? releases_with(type) : nullptr;
  return releases && (settings.ir_version == 10 || is_older(settings.release, releases->constants));
}

}  // namespace

/// Convert(constant) -> Convert(constant of a wider type), where the target does not read constants of its type.
void register_widen_constants(PassRegistry& passes) {
  passes.add(front_replacement_op("Convert")
                 .named("WidenConstants")
                 .phase(Phase::back)
                 .run_after({"DecompressWeights"})
                 .replace_op([](const Node& node, Rewriter& rw, PassContext& context) -> Replacement {
                   const Value x = node.input(0);
                   if (!x || !x.node().is<Const>()) return declined("not of a constant");
                   const ElementType type = x.type().element_type;
                   if (!lacks_constants_of(type, context.settings)) return declined("the target reads the type");
                   const ElementType wide = wider_type(type, context.settings.ir_version != 10);
                   const Value widened = rw.fold(ops::Convert{.destination_type = wide}, x);
                   const ElementType target = node.as<ops::Convert>()->destination_type;
                   return target == wide ? widened : rw.create(ops::Convert{.destination_type = target}, widened);
                 }));
}

}  // namespace mo::transformations
