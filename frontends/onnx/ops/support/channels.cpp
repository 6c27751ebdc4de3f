#include "frontends/onnx/ops/support/channels.hpp"

#include "ops/transpose.hpp"

namespace mo::onnx {

Value channels_to_last(Rewriter& rw, const Value& x, std::size_t rank) {
  std::vector<std::int64_t> order = {0};
  for (std::size_t i = 2; i < rank; ++i) order.push_back(static_cast<std::int64_t>(i));
  order.push_back(1);
  return rw.create(ops::Transpose{}, x, rw.integers(order));
}

Value channels_to_first(Rewriter& rw, const Value& x, std::size_t rank) {
  std::vector<std::int64_t> order = {0, static_cast<std::int64_t>(rank) - 1};
  for (std::size_t i = 2; i < rank; ++i) order.push_back(static_cast<std::int64_t>(i) - 1);
  return rw.create(ops::Transpose{}, x, rw.integers(order));
}

}  // namespace mo::onnx
