#include "core/registry/operator_table.hpp"

namespace mo::tensorflow {

/// Complex tensors are real ones with a last dimension of 2: real and imaginary part.
void register_complex(OperatorTable& table) {
  for (const char* op : {"Complex", "Real", "Imag", "ComplexAbs", "Conj", "Angle"})
    table.extract(op, [name = std::string("Tf") + op](const FrameworkNode& node) -> Expected<Op> {
      node.ignore({"T", "Tout"});
      return front_op(name);
    });
}

}  // namespace mo::tensorflow
