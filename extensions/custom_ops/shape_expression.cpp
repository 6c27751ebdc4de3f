#include "extensions/custom_ops/shape_expression.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mo::custom_ops {
namespace {

using Kind = ShapeExpression::Kind;

/// An integer of which something may be known; nothing: any integer, also a negative one. An interval is never
/// negative.
using Number = std::optional<Dimension>;
/// Unset: of unknown length.
using List = std::optional<std::vector<Number>>;

struct Result {
  bool is_list = false;
  Number number;
  List list;
};

Result of(Number number) { return {false, number, {}}; }
Result of(List list) { return {true, {}, std::move(list)}; }

bool known(const Number& n) { return n && n->is_known(); }
/// Never negative.
bool natural(const Number& n) { return n && n->min() >= 0; }

Diagnostic fail(const std::string& what) {
  return error("MO-CONFIG-0106", "{}", what)
      .hint("correct the shape in the description of the custom op, or check the model's inputs");
}

Expected<Number> arithmetic(Kind kind, const Number& a, const Number& b) {
  if (known(b) && b->value() == 0 && (kind == Kind::divide || kind == Kind::modulo || kind == Kind::ceil_divide))
    return fail("division by zero");
  if (known(a) && known(b)) {
    const std::int64_t x = a->value();
    const std::int64_t y = b->value();
    std::int64_t made = 0;
    bool overflow = false;
    switch (kind) {
      case Kind::add: overflow = __builtin_add_overflow(x, y, &made); break;
      case Kind::subtract: overflow = __builtin_sub_overflow(x, y, &made); break;
      case Kind::multiply: overflow = __builtin_mul_overflow(x, y, &made); break;
      case Kind::minimum: made = std::min(x, y); break;
      case Kind::maximum: made = std::max(x, y); break;
      default: {  // divisions round towards minus infinity, ceil_div towards infinity
        if (y == -1) {
          overflow = __builtin_sub_overflow(std::int64_t{0}, x, &made);
          if (kind == Kind::modulo) made = 0, overflow = false;
          break;
        }
        const std::int64_t quotient = x / y;
        const std::int64_t rest = x % y;
        const bool below = rest != 0 && ((rest < 0) != (y < 0));
        if (kind == Kind::divide) made = quotient - (below ? 1 : 0);
        if (kind == Kind::modulo) made = below ? rest + y : rest;
        if (kind == Kind::ceil_divide) made = quotient + (rest != 0 && !below ? 1 : 0);
      }
    }
    if (overflow) return fail("a number is too large");
    return Number(Dimension(made));
  }
  if (!natural(a) || !natural(b)) return Number();
  switch (kind) {
    case Kind::add: return Number(*a + *b);
    case Kind::multiply: return Number(*a * *b);
    case Kind::subtract: return a->min() >= b->max() ? Number(*a - *b) : Number();
    case Kind::divide: return known(b) ? Number(a->floor_div(b->value())) : Number();
    case Kind::ceil_divide: return known(b) ? Number(a->ceil_div(b->value())) : Number();
    case Kind::minimum: return Number(Dimension(std::min(a->min(), b->min()), std::min(a->max(), b->max())));
    case Kind::maximum: return Number(Dimension(std::max(a->min(), b->min()), std::max(a->max(), b->max())));
    case Kind::modulo: return known(b) ? Number(Dimension(0, b->value() - 1)) : Number();
    default: return Number();
  }
}

List numbers_of(const PartialShape& shape) {
  if (!shape.has_rank()) return std::nullopt;
  return std::vector<Number>(shape.begin(), shape.end());
}

PartialShape shape_of(const List& list) {
  if (!list) return PartialShape::unknown_rank();
  std::vector<Dimension> dims;
  for (const Number& n : *list) dims.push_back(n.value_or(Dimension::unknown()));
  return PartialShape(std::move(dims));
}

/// The depth of the tree is limited by the length of the text.
class Evaluation {
 public:
  Evaluation(const std::vector<ShapeExpression::Term>& terms, const InferContext& ctx, const AttributeMap& attributes)
      : terms_(terms), ctx_(ctx), attributes_(attributes) {}

  Expected<Result> run(int index) const {
    const ShapeExpression::Term& term = terms_[static_cast<std::size_t>(index)];
    switch (term.kind) {
      case Kind::number: return of(Number(Dimension(term.number)));
      case Kind::unknown: return of(Number(Dimension::unknown()));
      case Kind::unknown_list: return of(List());
      case Kind::list: return list(term);
      case Kind::spread: return run(term.children[0]);
      case Kind::input:
      case Kind::input_value: return input(term);
      case Kind::attribute: return attribute(term.name);
      case Kind::length: {
        MO_ASSIGN(const List elements, as_list(term.children[0], ".rank and .size"));
        return of(elements ? Number(Dimension(static_cast<std::int64_t>(elements->size())))
                           : Number(Dimension::unknown()));
      }
      case Kind::product: return product(term);
      case Kind::index: return element(term);
      case Kind::slice: return slice(term);
      case Kind::negate: {
        MO_ASSIGN(const Number n, as_number(term.children[0]));
        MO_ASSIGN(const Number made, arithmetic(Kind::subtract, Dimension(0), n));
        return of(made);
      }
      case Kind::broadcast: return broadcast_of(term);
      default: break;
    }
    MO_ASSIGN(const Number a, as_number(term.children[0]));
    MO_ASSIGN(const Number b, as_number(term.children[1]));
    MO_ASSIGN(const Number made, arithmetic(term.kind, a, b));
    return of(made);
  }

 private:
  Expected<Number> as_number(int index) const {
    MO_ASSIGN(Result result, run(index));
    if (!result.is_list) return result.number;
    if (result.list && result.list->size() == 1) return result.list->front();
    return fail("expected a number, got a list");
  }

  Expected<List> as_list(int index, std::string_view what) const {
    MO_ASSIGN(Result result, run(index));
    if (!result.is_list) return fail(fmt::format("{} expects a list, not a number", what));
    return std::move(result.list);
  }

  Expected<Result> list(const ShapeExpression::Term& term) const {
    std::vector<Number> made;
    bool unknown_length = false;
    for (const int child : term.children) {
      if (terms_[static_cast<std::size_t>(child)].kind == Kind::spread) {
        MO_ASSIGN(const List part, as_list(child, "..."));
        unknown_length = unknown_length || !part;
        if (part) made.insert(made.end(), part->begin(), part->end());
      } else {
        MO_ASSIGN(const Number element, as_number(child));
        made.push_back(element);
      }
    }
    return unknown_length ? of(List()) : of(List(std::move(made)));
  }

  Expected<Result> input(const ShapeExpression::Term& term) const {
    const auto i = static_cast<std::size_t>(term.number);
    if (!ctx_.has_input(i))
      return fail(fmt::format("there is no input {}, the op has {}", term.number, ctx_.input_count()));
    if (term.kind == Kind::input) return of(numbers_of(ctx_.input_shape(i)));
    const auto value = ctx_.partial(i);
    const PartialShape& shape = ctx_.input_shape(i);
    if (value) {
      std::vector<Number> elements;
      // Not completely known elements may still be negative.
      for (const Dimension& d : value->elements)
        elements.push_back(d.is_known() || d.symbol() != 0 ? Number(d) : Number());
      return of(List(std::move(elements)));
    }
    const auto count = shape.element_count();
    if (!count || *count > kMaxPartialElements) return of(List());
    return of(List(std::vector<Number>(static_cast<std::size_t>(*count))));
  }

  Expected<Result> attribute(const std::string& name) const {
    const AttributeValue* value = attributes_.find(name);
    if (!value) value = attributes_.find("@" + name);  // one that the IR does not show
    if (!value || value->is_none()) return fail(fmt::format("the op has no attribute {}", name));
    if (const auto* integer = value->get_if<std::int64_t>()) return of(Number(Dimension(*integer)));
    if (const auto* boolean = value->get_if<bool>()) return of(Number(Dimension(*boolean ? 1 : 0)));
    if (const auto* shape = value->get_if<PartialShape>()) return of(numbers_of(*shape));
    if (const auto* integers = value->get_if<std::vector<std::int64_t>>()) {
      std::vector<Number> elements;
      for (const std::int64_t i : *integers) elements.emplace_back(Dimension(i));
      return of(List(std::move(elements)));
    }
    return fail(fmt::format("attribute {} is {}, and shapes consist of integers", name, value->kind_name()));
  }

  Expected<Result> product(const ShapeExpression::Term& term) const {
    MO_ASSIGN(const List elements, as_list(term.children[0], ".product"));
    if (!elements) return of(Number(Dimension::unknown()));
    Number made = Dimension(1);
    for (const Number& n : *elements) { MO_ASSIGN(made, arithmetic(Kind::multiply, made, n)); }
    return of(made);
  }

  Expected<Result> element(const ShapeExpression::Term& term) const {
    MO_ASSIGN(const List elements, as_list(term.children[0], "[index]"));
    MO_ASSIGN(const Number index, as_number(term.children[1]));
    if (!elements || !known(index)) return of(Number());
    const auto size = static_cast<std::int64_t>(elements->size());
    const auto place = normalize_axis(index->value(), size);
    if (!place) return fail(fmt::format("index {} is outside of a list of {}", index->value(), size));
    return of((*elements)[static_cast<std::size_t>(*place)]);
  }

  /// As in Python: negative bounds count from the end, bounds outside stop at the ends.
  Expected<Result> slice(const ShapeExpression::Term& term) const {
    MO_ASSIGN(const List elements, as_list(term.children[0], "[from:to]"));
    std::optional<std::int64_t> bounds[2];
    const auto size = elements ? static_cast<std::int64_t>(elements->size()) : 0;
    for (std::size_t k = 0; k < 2; ++k) {
      if (term.children[k + 1] < 0) {
        bounds[k] = k == 0 ? 0 : size;
        continue;
      }
      MO_ASSIGN(const Number bound, as_number(term.children[k + 1]));
      if (!known(bound)) return of(List());
      const std::int64_t b = bound->value();
      bounds[k] = b >= size ? size : b >= 0 ? b : b >= -size ? b + size : 0;
    }
    if (!elements) return of(List());
    std::vector<Number> made;
    for (std::int64_t i = *bounds[0]; i < *bounds[1]; ++i) made.push_back((*elements)[static_cast<std::size_t>(i)]);
    return of(List(std::move(made)));
  }

  Expected<Result> broadcast_of(const ShapeExpression::Term& term) const {
    MO_ASSIGN(const List a, as_list(term.children[0], "broadcast"));
    MO_ASSIGN(const List b, as_list(term.children[1], "broadcast"));
    const auto made = broadcast(shape_of(a), shape_of(b));
    if (!made) return fail(fmt::format("{} and {} do not broadcast", shape_of(a).to_string(), shape_of(b).to_string()));
    return of(numbers_of(*made));
  }

  const std::vector<ShapeExpression::Term>& terms_;
  const InferContext& ctx_;
  const AttributeMap& attributes_;
};

}  // namespace

Expected<PartialShape> ShapeExpression::evaluate(const InferContext& ctx, const AttributeMap& attributes) const {
  auto result = Evaluation(terms_, ctx, attributes).run(root_);
  if (!result) {
    for (Diagnostic& d : result.error().items()) d.message = fmt::format("shape \"{}\": {}", text_, d.message);
    return std::move(result).error();
  }
  List list = result->is_list ? std::move(result->list) : List(std::vector<Number>{result->number});
  if (list)
    for (const Number& n : *list)
      if (known(n) && n->value() < 0) return fail(fmt::format("shape \"{}\": a dimension is {}", text_, n->value()));
  return shape_of(list);
}

std::vector<std::string> ShapeExpression::attributes() const {
  std::vector<std::string> names;
  for (const Term& term : terms_)
    if (term.kind == Kind::attribute && std::find(names.begin(), names.end(), term.name) == names.end())
      names.push_back(term.name);
  return names;
}

}  // namespace mo::custom_ops
