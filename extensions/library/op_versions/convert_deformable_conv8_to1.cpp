#include "core/pass/library.hpp"
#include "extensions/back/same_inputs.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/deformable_convolution.hpp"

namespace mo::library::op_versions {

void register_convert_deformable_conv8_to1(PassLibrary& library) {
  library.add(
      rewrite("ConvertDeformableConv8To1")
          .described("DeformableConvolution.v8", "DeformableConvolution.v1", "no mask, and bilinear_interpolation_pad is not set")
          .match(pattern::op<ops::v8::DeformableConvolution>())
          .replace(of_op<ops::v8::DeformableConvolution>([](const Node& node, const ops::v8::DeformableConvolution& op, Rewriter& rw) -> Replacement {
            if (node.input(3)) return declined("there is a mask");
            if (op.bilinear_interpolation_pad) return declined("samples at the border are interpolated");
            return back::on_same_inputs(node, rw, ops::v1::DeformableConvolution(op));
          })));
}

}  // namespace mo::library::op_versions
