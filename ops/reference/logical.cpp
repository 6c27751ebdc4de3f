#include "ops/reference/logical.hpp"

#include "ops/reference/broadcast.hpp"
#include "ops/reference/number.hpp"

namespace mo::ops::reference {

void logical_binary(LogicalKind kind, const Tensor& a, const Tensor& b, Tensor& out) {
  const auto walk = [&](auto fn) {
    broadcast_binary(boolean_bytes(a), a.shape(), boolean_bytes(b), b.shape(), mutable_boolean_bytes(out), out.shape(),
                     [fn](std::uint8_t x, std::uint8_t y) { return static_cast<std::uint8_t>(fn(x != 0, y != 0)); });
  };
  switch (kind) {
    case LogicalKind::and_: return walk([](bool x, bool y) { return x && y; });
    case LogicalKind::or_: return walk([](bool x, bool y) { return x || y; });
    case LogicalKind::xor_: return walk([](bool x, bool y) { return x != y; });
  }
}

void logical_not(const Tensor& in, Tensor& out) {
  const std::uint8_t* from = boolean_bytes(in);
  std::uint8_t* to = mutable_boolean_bytes(out);
  for (std::int64_t i = 0; i < in.element_count(); ++i) to[i] = from[i] == 0 ? 1 : 0;
}

}  // namespace mo::ops::reference
