#include <array>

#include "core/registry/operator_table.hpp"

namespace mo::tensorflow {

void register_segment(OperatorTable& table) {
  constexpr std::array<const char*, 5> kReductions{"Sum", "Mean", "Max", "Min", "Prod"};
  for (const std::string reduction : kReductions) {
    const auto extract = [reduction](const FrameworkNode& node, bool sorted) -> Expected<Op> {
      return front_op(sorted ? "TfSegment" : "TfUnsortedSegment",
                      {{"reduction", reduction}, {"type", node.required<ElementType>("T")}, {"ids", node.attr("Tindices", ElementType::i32)}});
    };
    table.extract("Segment" + reduction, [extract](const FrameworkNode& node) { return extract(node, true); });
    if (reduction != "Mean") table.extract("UnsortedSegment" + reduction, [extract](const FrameworkNode& node) { return extract(node, false); });
  }
  for (const std::string reduction : {"Sum", "Mean", "SqrtN"}) {
    const auto extract = [reduction](const FrameworkNode& node, bool counted) -> Expected<Op> {
      node.ignore({"sparse_gradient"});
      return front_op("TfSparseSegment", {{"reduction", reduction},
                                          {"type", node.required<ElementType>("T")},
                                          {"index_type", node.attr("Tidx", ElementType::i32)},
                                          {"ids_type", node.attr("Tsegmentids", ElementType::i32)},
                                          {"counted", counted}});
    };
    table.extract("SparseSegment" + reduction, [extract](const FrameworkNode& node) { return extract(node, false); });
    table.extract("SparseSegment" + reduction + "WithNumSegments", [extract](const FrameworkNode& node) { return extract(node, true); });
  }
}

}  // namespace mo::tensorflow
