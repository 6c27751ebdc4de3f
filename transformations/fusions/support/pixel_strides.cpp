#include "transformations/fusions/support/pixel_strides.hpp"

#include <algorithm>
#include <numeric>

#include "ops/convolution.hpp"
#include "ops/pooling.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/precision.hpp"
#include "transformations/support/sliding_window.hpp"

namespace mo::transformations {
namespace {

constexpr std::string_view kMoving = "strides_propagation";

bool are_all(const Strides& numbers, std::int64_t value) {
  return std::all_of(numbers.begin(), numbers.end(), [&](std::int64_t n) { return n == value; });
}

/// Its window is one pixel. (Pads that follow from the size are none then.)
bool takes_single_pixels(const Node& node, const ops::Convolution& op) {
  const auto kernel = kernel_of(node.input(1), false);
  const bool has_pads =
      op.auto_pad == ops::AutoPad::explicit_pads && (!are_all(op.pads_begin, 0) || !are_all(op.pads_end, 0));
  return kernel && are_all(*kernel, 1) && !has_pads;
}

/// The stride with which this reader takes single pixels; null when it needs all of them.
const Strides* stride_of(const InPort& reader) {
  const Node node = reader.node();
  if (is_moving_pool(node)) return &node.as<ops::v1::MaxPool>()->strides;
  if (reader.index() != 0 || !is_channels_first_convolution(node)) return nullptr;
  const auto* const convolution = node.as<ops::Convolution>();
  return !are_all(convolution->strides, 1) && takes_single_pixels(node, *convolution) ? &convolution->strides : nullptr;
}

}  // namespace

bool is_channels_first_convolution(const Node& node) {
  const auto* const convolution = node.as<ops::Convolution>();
  return convolution && convolution->layout == DataLayout::channels_first;
}

std::optional<Strides> stride_of_readers(const Node& node) {
  if (node.out_port_count() != 1) return std::nullopt;
  const Strides* common = nullptr;
  for (const InPort& reader : node.output().get_destinations()) {
    const Strides* const wanted = stride_of(reader);
    if (!wanted || (common && *common != *wanted)) return std::nullopt;
    common = wanted;
  }
  return common ? std::optional<Strides>(*common) : std::nullopt;
}

void relieve_readers(Rewriter& rw, const Node& node) {
  for (const InPort& port : node.output().get_destinations()) {
    const Node reader = port.node();
    if (auto* const convolution = reader.as<ops::Convolution>()) {
      convolution->strides.assign(convolution->strides.size(), 1);
      rw.changed(reader);
    } else {
      rw.replace_uses(reader.output(), node.output());
      rw.erase(reader);
    }
  }
}

Expected<void> add_moving_pool(Rewriter& rw, const InPort& port, const Strides& strides) {
  ops::v1::MaxPool op;
  op.kernel.assign(strides.size(), 1);
  op.strides = strides;
  op.pads_begin.assign(strides.size(), 0);
  op.pads_end = op.pads_begin;
  const Value source = port.get_source();
  // The pool wants a batch and channels, which the op adds itself when it broadcasts.
  std::vector<std::int64_t> missing(strides.size() + 2 - source.type().shape.size());
  std::iota(missing.begin(), missing.end(), 0);
  const Value whole = missing.empty() ? source : rw.create(ops::Unsqueeze{}, source, rw.integers(missing));
  const Value pool = rw.create(std::move(op), whole);
  pool.node().set_rt_info(kMoving);
  return port.connect(missing.empty() ? pool : rw.create(ops::Squeeze{}, pool, rw.integers(missing)));
}

bool is_moving_pool(const Node& node) { return node.is<ops::v1::MaxPool>() && has_mark(node, kMoving); }

void settle_pool(const Node& pool) { pool.erase_rt_info(kMoving); }

}  // namespace mo::transformations
