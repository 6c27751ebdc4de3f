#include "frontends/tensorflow/ops/support/movement_attributes.hpp"

namespace mo::tensorflow {
namespace {

Extractor unique(const char* name, std::size_t outputs) {
  return [name, outputs](const FrameworkNode& node) -> Expected<Op> {
    node.declare_outputs(outputs);
    return real_movement_op(node, name, {{"out_idx", node.attr("out_idx", ElementType::i32)}});
  };
}

Extractor bound(bool upper) {
  return [upper](const FrameworkNode& node) {
    return real_movement_op(node, "TfBound", {{"upper", upper}, {"out_type", node.attr("out_type", ElementType::i32)}});
  };
}

}  // namespace

/// Where elements are among others.
void register_search(OperatorTable& table) {
  table.extract("Unique", unique("TfUnique", 2));
  table.extract("UniqueV2", unique("TfUnique", 2));
  table.extract("UniqueWithCounts", unique("TfUnique", 3));
  table.extract("UniqueWithCountsV2", unique("TfUnique", 3));
  table.extract("ListDiff", [](const FrameworkNode& node) -> Expected<Op> {
    node.declare_outputs(2);
    return real_movement_op(node, "TfListDiff", {{"out_idx", node.attr("out_idx", ElementType::i32)}});
  });
  table.extract("LowerBound", bound(false));
  table.extract("UpperBound", bound(true));
}

}  // namespace mo::tensorflow
