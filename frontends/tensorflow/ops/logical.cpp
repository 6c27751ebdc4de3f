#include "ops/logical.hpp"

#include "core/registry/operator_table.hpp"
#include "ops/reduce.hpp"

namespace mo::tensorflow {
namespace {

template <class T>
void add_plain(OperatorTable& table, std::string op) {
  table.extract(std::move(op), [](const FrameworkNode&) -> Expected<Op> { return T{}; });
}

template <class T>
void add_logical_reduction(OperatorTable& table, std::string op) {
  table.extract(std::move(op), [](const FrameworkNode& node) -> Expected<Op> {
    return T{.keep_dims = node.attr("keep_dims", false)};
  });
}

}  // namespace

void register_logical(OperatorTable& table) {
  add_plain<ops::LogicalAnd>(table, "LogicalAnd");
  add_plain<ops::LogicalOr>(table, "LogicalOr");
  add_plain<ops::LogicalXor>(table, "LogicalXor");
  add_logical_reduction<ops::ReduceLogicalAnd>(table, "All");
  add_logical_reduction<ops::ReduceLogicalOr>(table, "Any");
}

}  // namespace mo::tensorflow
