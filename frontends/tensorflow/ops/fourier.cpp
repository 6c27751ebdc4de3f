#include "ops/fourier.hpp"

#include "frontends/tensorflow/ops/support/translate.hpp"

namespace mo::tensorflow {
namespace {

/// Inputs: the signal, and for RFFT and IRFFT the lengths of the (real) signal along the transformed axes: TensorFlow
/// cuts or fills up with zeros, as the IR does. Axes count from the back; the IR does not count the dimension of the
/// parts of complex numbers.
template <class T>
Translator fourier(std::int64_t axis_count, bool has_lengths) {
  std::vector<std::int64_t> axes;
  for (std::int64_t axis = -axis_count; axis < 0; ++axis) axes.push_back(axis);
  return [=](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    node.ignore({"Tcomplex", "Treal"}, "types of input and result, which follow from each other");
    MO_TRY(node.expect_inputs(has_lengths ? 2 : 1));
    if (!has_lengths) return rw.create(T{}, node.input(0), rw.integers(axes));
    return rw.create(T{}, node.input(0), rw.integers(axes), as_i64(rw, node.input(1)));
  };
}

}  // namespace

/// Transforms along the last one, two or three axes. "Batch…" are older names of the same ops.
void register_fourier(OperatorTable& table) {
  constexpr const char* kDimensions[] = {"", "2D", "3D"};
  for (std::int64_t axes = 1; axes <= 3; ++axes) {
    const std::string dimensions = kDimensions[axes - 1];
    for (const char* prefix : {"", "Batch"}) {
      table.translate(prefix + ("FFT" + dimensions), fourier<ops::DFT>(axes, false));
      table.translate(prefix + ("IFFT" + dimensions), fourier<ops::IDFT>(axes, false));
    }
    table.translate("RFFT" + dimensions, fourier<ops::RDFT>(axes, true));
    table.translate("IRFFT" + dimensions, fourier<ops::IRDFT>(axes, true));
  }
}

}  // namespace mo::tensorflow
