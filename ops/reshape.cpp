#include "ops/reshape.hpp"

#include "core/op/define_op.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/reinterpret.hpp"

namespace mo::ops {
namespace {

/// A product of dimensions, known factors apart from unknown ones.
struct Product {
  std::int64_t known = 1;
  std::vector<Dimension> unknown;
  std::vector<Dimension> factors;  ///< all of them
  bool overflow = false;

  void multiply(const Dimension& d) {
    factors.push_back(d);
    if (d.is_known())
      overflow = __builtin_mul_overflow(known, d.value(), &known) || overflow;
    else
      unknown.push_back(d);
  }
};

/// Finds the target shape from the pattern; `dims` is the result as far as it is known.
class ReshapePattern {
 public:
  ReshapePattern(const InferContext& ctx, const PartialShape& data, const std::vector<Dimension>& pattern)
      : ctx_(ctx),
        data_(data),
        pattern_(pattern),
        dims_(pattern),
        cancelled_(data.has_rank() ? data.size() : 0),
        copied_(pattern.size()) {}

  Expected<PartialShape> solve(bool special_zero) {
    MO_TRY(read(special_zero));
    if (data_.has_rank()) {
      cancel_symbols();
      MO_TRY(find_rest());
    }
    const PartialShape shape(dims_);
    if (data_.is_static() && shape.is_static() && shape.element_count() != data_.element_count()) return mismatch();
    return shape;
  }

 private:
  /// Literal dimensions, copies of input dimensions and the place of -1.
  Expected<void> read(bool special_zero) {
    for (std::size_t i = 0; i < pattern_.size(); ++i) {
      if (!pattern_[i].is_known()) continue;
      const std::int64_t value = pattern_[i].value();
      if (value < -1 || (value == -1 && rest_))
        return ctx_
            .error("MO-OPS-0202", "the shape to give has {} at index {}",
                   value == -1 ? "a second -1" : std::to_string(value), i)
            .hint("at most one dimension may be -1, the others count elements");
      if (value == -1) {
        rest_ = i;
        dims_[i] = Dimension();
      } else if (value == 0 && special_zero) {
        if (data_.has_rank() && i >= data_.size())
          return ctx_
              .error("MO-OPS-0202", "0 at index {} copies a dimension that {} does not have", i, data_.to_string())
              .hint("check the rank of the input");
        dims_[i] = data_.has_rank() ? data_[i] : Dimension();
        copied_[i] = true;
        if (data_.has_rank()) cancelled_[i] = true;
        copies_zero_ = copies_zero_ || dims_[i] == Dimension(0);
      }
    }
    return {};
  }

  /// An unknown dimension that is in the input and in the target does not determine the others.
  void cancel_symbols() {
    for (std::size_t i = 0; i < dims_.size(); ++i) {
      if (copied_[i] || dims_[i].symbol() == 0) continue;
      for (std::size_t j = 0; j < cancelled_.size(); ++j)
        if (!cancelled_[j] && dims_[i].same_value(data_[j])) {
          cancelled_[j] = copied_[i] = true;
          break;
        }
    }
  }

  /// The -1, or the only dimension that is not known, from the number of elements.
  Expected<void> find_rest() {
    Product from;
    for (std::size_t j = 0; j < cancelled_.size(); ++j)
      if (!cancelled_[j]) from.multiply(data_[j]);
    Product to;
    std::optional<std::size_t> open = rest_;
    for (std::size_t i = 0; i < dims_.size(); ++i) {
      if (copied_[i] || rest_ == i) continue;
      to.multiply(dims_[i]);
      if (!dims_[i].is_known() && !open) open = i;
    }
    if (from.overflow || to.overflow) return {};
    const std::size_t open_count = to.unknown.size() + (rest_ ? 1 : 0);
    if (open_count == 0) {
      const bool fits = from.unknown.empty() ? from.known == to.known
                        : from.known == 0    ? to.known == 0
                                             : to.known % from.known == 0;
      return fits || copies_zero_ ? Expected<void>() : mismatch();
    }
    // A product of unknown dimensions may cancel others.
    if (rest_) dims_[*rest_] = ctx_.quotient(from.factors, to.factors, Dimension());
    if (open_count > 1 || (rest_ && dims_[*rest_].is_known())) return {};
    if (to.known == 0) {
      // Nothing is left to distribute: the runtime takes 0 for -1.
      if (rest_ && from.unknown.empty() && from.known != 0) return mismatch();
      if (rest_) dims_[*rest_] = 0;
      return {};
    }
    const bool whole = from.known % to.known == 0;
    if (from.unknown.empty() && !whole) return rest_ ? mismatch() : Expected<void>();
    Dimension quotient = whole ? from.known / to.known : from.known;
    for (const Dimension& d : from.unknown) quotient = quotient * d;
    if (!whole) quotient = quotient.floor_div(to.known);
    dims_[*open] = dims_[*open].merge(quotient).value_or(quotient);
    return {};
  }

  Diagnostic mismatch() const {
    return ctx_
        .error("MO-OPS-0201", "{} cannot be reshaped to {}", data_.to_string(), PartialShape(pattern_).to_string())
        .hint("the number of elements must stay the same; check --input_shape and batch");
  }

  const InferContext& ctx_;
  const PartialShape& data_;
  const std::vector<Dimension>& pattern_;
  std::vector<Dimension> dims_;
  std::vector<bool> cancelled_;  ///< by input dimension
  std::vector<bool> copied_;     ///< by target dimension
  std::optional<std::size_t> rest_;
  bool copies_zero_ = false;
};

}  // namespace

Expected<void> Reshape::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_integers(ctx, {1}));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  const TensorType& data = ctx.input(0);
  const auto pattern = list_elements(ctx, 1);
  if (!pattern) {
    ctx.output(0, data.element_type, PartialShape::unknown_rank());
    return {};
  }
  MO_ASSIGN(PartialShape shape, ReshapePattern(ctx, data.shape, *pattern).solve(special_zero));
  ctx.output(0, data.element_type, std::move(shape));
  return {};
}

Expected<void> Reshape::evaluate(EvalContext& ctx) const { return share_input(ctx); }

void register_reshape(OpRegistry& registry) { registry.add<Reshape>(); }

}  // namespace mo::ops
