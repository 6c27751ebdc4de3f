#include "core/pass/library.hpp"
#include "extensions/back/older_classes.hpp"
#include "extensions/library/support/op_rules.hpp"

namespace mo::library::op_versions {

void register_convert_deformable_conv8_to1(PassLibrary& library) {
  library.add(rewrite("ConvertDeformableConv8To1")
                  .described("DeformableConvolution.v8", "DeformableConvolution.v1",
                             "no mask, and bilinear_interpolation_pad is not set")
                  .match(pattern::op<ops::v8::DeformableConvolution>())
                  .replace(of_op<ops::v8::DeformableConvolution>(back::deformable_convolution_of_opset1)));
}

}  // namespace mo::library::op_versions
