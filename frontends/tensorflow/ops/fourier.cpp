#include "core/registry/operator_table.hpp"

namespace mo::tensorflow {

/// Transforms along the last one, two or three axes. "Batch…" are older names of the same ops.
void register_fourier(OperatorTable& table) {
  constexpr const char* kDimensions[] = {"", "2D", "3D"};
  for (std::int64_t axes = 1; axes <= 3; ++axes)
    for (const char* kind : {"FFT", "IFFT", "RFFT", "IRFFT"}) {
      const std::string name = std::string(kind) + kDimensions[axes - 1];
      const auto extract = [kind, axes](const FrameworkNode& node) -> Expected<Op> {
        node.ignore({"Tcomplex", "Treal"});
        return front_op("TfFourier", {{"kind", kind}, {"axes", axes}});
      };
      table.extract(name, extract);
      if (name.front() != 'R' && !name.starts_with("IR")) table.extract("Batch" + name, extract);
    }
}

}  // namespace mo::tensorflow
