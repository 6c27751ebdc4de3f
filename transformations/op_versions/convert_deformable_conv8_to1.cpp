#include "core/registry/pass_registry.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_deformable_conv8_to1(PassRegistry& passes) {
  passes.offer(rewrite("ConvertDeformableConv8To1")
                   .described("DeformableConvolution.v8", "DeformableConvolution.v1",
                              "no mask, and bilinear_interpolation_pad is not set")
                   .match(pattern::op<ops::v8::DeformableConvolution>())
                   .replace(of_op<ops::v8::DeformableConvolution>(deformable_convolution_of_opset1)));
}

}  // namespace mo::transformations
