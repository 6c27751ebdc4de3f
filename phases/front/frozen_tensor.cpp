#include "phases/front/frozen_tensor.hpp"

#include <charconv>
#include <utility>

#include "core/tensor/convert.hpp"

namespace mo::phases {
namespace {

/// `shape` with its only unknown size as the number of elements tells it.
std::optional<Shape> completed(const PartialShape& shape, std::int64_t count) {
  if (!shape.has_rank()) return std::nullopt;
  Shape full;
  std::optional<std::size_t> unknown;
  std::int64_t known = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!shape[i].is_known() && std::exchange(unknown, i)) return std::nullopt;
    full.push_back(shape[i].is_known() ? shape[i].value() : 1);
    if (full.back() < 1 || full.back() > count / known) return std::nullopt;
    known *= full.back();
  }
  if (!unknown || count % known != 0) return std::nullopt;
  full[*unknown] = count / known;
  return full;
}

}  // namespace

Expected<Tensor> frozen_tensor(const Node& parameter, const std::vector<std::string>& items, bool is_list) {
  const auto& declared = *parameter.as<Parameter>();
  const ElementType type = declared.element_type == ElementType::dynamic ? ElementType::f32 : declared.element_type;
  std::vector<double> reals;
  std::vector<std::int64_t> integers;
  bool all_integers = true;
  for (const std::string& item : items) {
    std::string text = item == "True" || item == "true" ? "1" : item == "False" || item == "false" ? "0" : item;
    double real = 0;
    std::int64_t integer = 0;
    const char* end = text.data() + text.size();
    const bool is_integer = std::from_chars(text.data(), end, integer).ptr == end && !text.empty();
    const auto parsed = std::from_chars(text.data(), end, real);
    if (parsed.ptr != end || parsed.ec != std::errc() || text.empty())
      return parameter.error("MO-CUT-0005", "'{}' is not a number", item)
          .hint("freeze an input as name->5 or name->[1 2 3]");
    all_integers = all_integers && is_integer;
    reals.push_back(real);
    integers.push_back(is_integer ? integer : static_cast<std::int64_t>(real));
  }
  Shape shape = is_list ? Shape{static_cast<std::int64_t>(items.size())} : Shape{};
  if (const auto full = declared.shape.to_shape()) {
    const auto count = element_count(*full);
    if (!is_list && count && *count > 1 && *count <= 1'000'000) {  // one number fills the input
      reals.assign(static_cast<std::size_t>(*count), reals.front());
      integers.assign(static_cast<std::size_t>(*count), integers.front());
      shape = *full;
    } else if (count && *count == static_cast<std::int64_t>(items.size())) {
      shape = *full;
    }
  } else if (is_list) {
    shape = completed(declared.shape, static_cast<std::int64_t>(items.size())).value_or(shape);
  }
  if (declared.shape.has_rank() && !declared.shape.compatible(PartialShape(shape)))
    return parameter
        .error("MO-CUT-0005", "{} value{} for input '{}' of shape {}", items.size(), items.size() == 1 ? "" : "s",
               parameter.name(), declared.shape.to_string())
        .hint("give one number, or as many as the shape has elements");
  return all_integers ? from_integers(type, shape, integers) : from_reals(type, shape, reals);
}

}  // namespace mo::phases
