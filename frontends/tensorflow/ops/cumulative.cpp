#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "ops/cum_sum.hpp"

namespace mo::tensorflow {
namespace {

Extractor cumulative(std::string_view kind) {
  return [kind](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const ElementType type, number_type(node));
    return front_op("TfCumulative",
                    {{"T", type}, {"kind", kind}, {"exclusive", node.attr("exclusive", false)}, {"reverse", node.attr("reverse", false)}});
  };
}

}  // namespace

/// Results of all elements up to each place along an axis, which is input 1.
void register_cumulative(OperatorTable& table) {
  table.extract("Cumsum", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(number_type(node));
    return ops::CumSum{.exclusive = node.attr("exclusive", false), .reverse = node.attr("reverse", false)};
  });
  table.extract("Cumprod", cumulative("product"));
  table.extract("CumulativeLogsumexp", cumulative("log_sum_exp"));
}

}  // namespace mo::tensorflow
