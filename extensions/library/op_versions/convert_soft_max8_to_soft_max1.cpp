#include "core/pass/library.hpp"
#include "extensions/back/older_classes.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/soft_max.hpp"

namespace mo::library::op_versions {

void register_convert_soft_max8_to_soft_max1(PassLibrary& library) {
  library.add(rewrite("ConvertSoftMax8ToSoftMax1")
                  .described("SoftMax.v8", "SoftMax.v1 with an axis counted from the front", "the rank is known")
                  .match(pattern::op<ops::v8::SoftMax>())
                  .replace(of_op<ops::v8::SoftMax>(
                      [](const Node& node, const ops::v8::SoftMax& op, Rewriter& rw) -> Replacement {
                        const auto rank = node.input_type(0).rank();
                        const auto axis = rank ? normalize_axis(op.axis, *rank) : std::nullopt;
                        if (!axis) return declined("the rank is unknown");
                        return back::on_same_inputs(node, rw, ops::v1::SoftMax{.axis = *axis});
                      })));
}

}  // namespace mo::library::op_versions
