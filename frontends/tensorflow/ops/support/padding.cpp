#include "frontends/tensorflow/ops/support/padding.hpp"

#include <algorithm>

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/gather.hpp"
#include "ops/pad.hpp"

namespace mo::tensorflow {

Expected<Margins> margins_of(const FrameworkNode& node, Rewriter& rw, const Value& paddings) {
  const PartialShape& shape = paddings.type().shape;
  if (shape.has_rank() && (shape.size() != 2 || !shape[1].compatible(Dimension(2))))
    return node.error("MO-TF-0556", "paddings have shape {}", shape.to_string())
        .hint("they are a matrix [dimensions of the data, 2]");
  const auto numbers = integers_of(paddings);
  if (numbers && std::any_of(numbers->begin(), numbers->end(), [](std::int64_t v) { return v < 0; }))
    return node.error("MO-TF-0556", "a padding is negative")
        .hint("use a Slice to cut off elements, and save the model again");
  const auto column = [&](std::int64_t i) {
    return with_hidden(rw, node,
                       as_i64(rw, rw.create(ops::Gather{}, paddings, rw.scalar(i), rw.scalar<std::int64_t>(1))), 0);
  };
  return Margins{column(0), column(1)};
}

Expected<Value> mirror_padded(const FrameworkNode& node, Rewriter& rw, const Value& x, const Value& paddings) {
  const auto mode = node.required<std::string>("mode");
  if (node.failure()) return *node.failure();
  if (mode != "REFLECT" && mode != "SYMMETRIC")
    return node.error("MO-TF-0553", "mode is \"{}\"", mode).hint("mode is REFLECT or SYMMETRIC");
  MO_ASSIGN(const Margins margins, margins_of(node, rw, paddings));
  const auto pad_mode = mode == "REFLECT" ? ops::PadMode::reflect : ops::PadMode::symmetric;
  return rw.create(ops::v1::Pad{{.pad_mode = pad_mode}}, x, margins.begin, margins.end);
}

}  // namespace mo::tensorflow
