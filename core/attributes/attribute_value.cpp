#include "core/attributes/attribute_value.hpp"

#include <algorithm>
#include <array>

namespace mo {
namespace {

bool same_content(const Tensor& a, const Tensor& b) {
  if (a.empty() || b.empty()) return a.empty() == b.empty();
  if (a.element_type() != b.element_type() || a.shape() != b.shape()) return false;
  if (a.buffer() == b.buffer() && a.offset() == b.offset()) return true;
  const auto x = a.load();
  const auto y = b.load();
  return x && y && std::ranges::equal(x->bytes(), y->bytes());
}

bool owns_graph(const AttributeValue& value) {
  if (value.holds<Body>()) return true;
  const auto* list = value.get_if<AttributeList>();
  return list && std::any_of(list->begin(), list->end(), owns_graph);
}

}  // namespace

AttributeValue::AttributeValue() = default;
AttributeValue::AttributeValue(AttributeValue&& other) noexcept = default;
AttributeValue& AttributeValue::operator=(AttributeValue&& other) noexcept = default;
AttributeValue::~AttributeValue() = default;
AttributeValue& AttributeValue::operator=(const AttributeValue& other) { return *this = AttributeValue(other); }
AttributeValue::AttributeValue(const AttributeValue& other)
    : value_(std::visit(
          [](const auto& value) -> Variant {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, Body>)
              return value.clone();
            else if constexpr (std::is_same_v<T, Shared<AttributeList>>)
              // Graphs in it belong to one node each.
              return std::any_of(value.get()->begin(), value.get()->end(), owns_graph) ? T(AttributeList(*value.get()))
                                                                                       : value;
            else
              return value;
          },
          other.value_)) {}

AttributeValue::AttributeValue(bool v) : value_(v) {}
AttributeValue::AttributeValue(std::int64_t v) : value_(v) {}
AttributeValue::AttributeValue(int v) : value_(std::int64_t{v}) {}
AttributeValue::AttributeValue(double v) : value_(v) {}
AttributeValue::AttributeValue(std::string v) : value_(std::move(v)) {}
AttributeValue::AttributeValue(std::string_view v) : value_(std::string(v)) {}
AttributeValue::AttributeValue(const char* v) : value_(std::string(v)) {}
AttributeValue::AttributeValue(ElementType v) : value_(v) {}
AttributeValue::AttributeValue(PartialShape v) : value_(std::move(v)) {}
AttributeValue::AttributeValue(std::vector<std::int64_t> v) : value_(std::move(v)) {}
AttributeValue::AttributeValue(std::vector<double> v) : value_(std::move(v)) {}
AttributeValue::AttributeValue(std::vector<std::string> v) : value_(std::move(v)) {}
AttributeValue::AttributeValue(Tensor v) : value_(std::move(v)) {}
AttributeValue::AttributeValue(Body v) : value_(std::move(v)) {}
AttributeValue::AttributeValue(AttributeList v) : value_(std::move(v)) {}
AttributeValue::AttributeValue(AttributeMap v) : value_(std::make_shared<const AttributeMap>(std::move(v))) {}

const AttributeMap* AttributeValue::map() const {
  const auto* pointer = get_if<std::shared_ptr<const AttributeMap>>();
  return pointer ? pointer->get() : nullptr;
}

std::string_view AttributeValue::kind_name() const {
  static constexpr std::array<std::string_view, std::variant_size_v<Variant>> kNames = {"nothing",
                                                                                        "a boolean",
                                                                                        "an integer",
                                                                                        "a number",
                                                                                        "a string",
                                                                                        "an element type",
                                                                                        "a shape",
                                                                                        "a list of integers",
                                                                                        "a list of numbers",
                                                                                        "a list of strings",
                                                                                        "a tensor",
                                                                                        "a graph",
                                                                                        "a list",
                                                                                        "a record"};
  return kNames[value_.index()];
}

bool AttributeValue::operator==(const AttributeValue& other) const {
  if (const auto* tensor = get_if<Tensor>()) {
    const auto* b = other.get_if<Tensor>();
    return b && same_content(*tensor, *b);
  }
  if (const AttributeMap* a = map()) {
    const AttributeMap* b = other.map();
    return b && *a == *b;
  }
  if (value_.index() != other.value_.index()) return false;
  return std::visit(
      [&](const auto& a) -> bool {
        using T = std::decay_t<decltype(a)>;
        if constexpr (std::is_same_v<T, Shared<Tensor>> || std::is_same_v<T, std::shared_ptr<const AttributeMap>>)
          return false;  // handled above
        else
          return a == *std::get_if<T>(&other.value_);
      },
      value_);
}

AttributeMap::AttributeMap() = default;
AttributeMap::AttributeMap(std::initializer_list<Item> items) : items_(std::make_shared<Items>(items)) {}
AttributeMap::AttributeMap(const AttributeMap& other)
    : items_(std::any_of(other.begin(), other.end(), [](const Item& item) { return owns_graph(item.value); })
                 ? std::make_shared<Items>(*other.items_)
                 : other.items_) {}
AttributeMap::AttributeMap(AttributeMap&& other) noexcept = default;
AttributeMap& AttributeMap::operator=(const AttributeMap& other) { return *this = AttributeMap(other); }
AttributeMap& AttributeMap::operator=(AttributeMap&& other) noexcept = default;
AttributeMap::~AttributeMap() = default;

AttributeMap::Items& AttributeMap::own() {
  if (!items_)
    items_ = std::make_shared<Items>();
  else if (items_.use_count() > 1)
    items_ = std::make_shared<Items>(*items_);
  return *items_;
}

const AttributeValue* AttributeMap::find(std::string_view name) const {
  const Item* const it = std::find_if(begin(), end(), [&](const Item& item) { return item.name == name; });
  return it == end() ? nullptr : &it->value;
}

AttributeValue* AttributeMap::find(std::string_view name) {
  if (!std::as_const(*this).find(name)) return nullptr;
  own();
  return const_cast<AttributeValue*>(std::as_const(*this).find(name));
}

void AttributeMap::set(std::string_view name, AttributeValue value) {
  if (AttributeValue* old = find(name))
    *old = std::move(value);
  else
    own().push_back({std::string(name), std::move(value)});
}

bool AttributeMap::erase(std::string_view name) {
  if (!contains(name)) return false;
  std::erase_if(own(), [&](const Item& item) { return item.name == name; });
  return true;
}

bool AttributeMap::operator==(const AttributeMap& other) const {
  if (items_ == other.items_) return true;
  return size() == other.size() && std::all_of(begin(), end(), [&](const Item& item) {
           const AttributeValue* value = other.find(item.name);
           return value && *value == item.value;
         });
}

}  // namespace mo
