#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/reshape.hpp"

namespace mo::tensorflow {
namespace {

/// The target of a Reshape that gives `x` the sizes of `wanted` that inference has not found: 0 copies a size. Nothing
/// when there is none of them, or when both contradict each other: an IR has no check that could end the run, and who
/// gives the model other sizes wants them.
std::optional<std::vector<std::int64_t>> unknown_sizes(const PartialShape& x, const PartialShape& wanted) {
  if (!wanted.has_rank() || !x.compatible(wanted)) return std::nullopt;
  bool adds = !x.has_rank();
  std::vector<std::int64_t> target;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool is_new = wanted[i].is_known() && !(x.has_rank() && x[i].is_known());
    target.push_back(is_new ? wanted[i].value() : 0);
    adds = adds || (is_new && wanted[i].value() != 0);
  }
  return adds ? std::optional(std::move(target)) : std::nullopt;
}

/// EnsureShape(x): x, which has this shape, or the run ends.
Replacement ensure_shape(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"T"}, "the type of the input");
  const auto wanted = node.optional_attr<PartialShape>("shape");
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const auto target = wanted && !is_complex(node) ? unknown_sizes(x.type().shape, *wanted) : std::nullopt;
  return target ? rw.create(ops::Reshape{.special_zero = true}, x, rw.integers(*target)) : x;
}

}  // namespace

void register_ensure_shape(OperatorTable& table) { table.translate("EnsureShape", ensure_shape); }

}  // namespace mo::tensorflow
