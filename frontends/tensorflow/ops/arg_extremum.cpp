#include "frontends/tensorflow/ops/support/number_type.hpp"

namespace mo::tensorflow {
namespace {

Extractor arg_extremum(std::string_view mode) {
  return [mode](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const ElementType type, number_type(node));
    MO_ASSIGN(const ElementType index_type, number_type(node, "output_type", ElementType::i64));
    return front_op("TfArgExtremum", {{"T", type}, {"mode", mode}, {"output_type", index_type}});
  };
}

}  // namespace

void register_arg_extremum(OperatorTable& table) {
  table.extract("ArgMax", arg_extremum("max"));
  table.extract("ArgMin", arg_extremum("min"));
}

}  // namespace mo::tensorflow
