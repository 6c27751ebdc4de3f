#include "frontends/tensorflow/call_sizes.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <utility>

#include "frontends/common/fields.hpp"
#include "frontends/tensorflow/call_ops.hpp"
#include "frontends/tensorflow/fields.hpp"

namespace mo::tensorflow {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

namespace {

constexpr std::uint64_t kNameLength = 64 * 1024;
constexpr std::uint64_t kTooMany = limits::kInlinedNodes + 1;

using Path = std::span<const std::uint32_t>;

/// Gives each text at the end of a path of field numbers.
Expected<void> each_text(WireSource& source, const WireField& message, Path path,
                         const std::function<void(std::string)>& give) {
  MO_ASSIGN(WireReader reader, message_of(source, message));
  return reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != path.front()) return {};
    if (path.size() > 1) return each_text(source, field, path.subspan(1), give);
    MO_ASSIGN(std::string text, text_of(source, field, kNameLength));
    give(std::move(text));
    return {};
  });
}

Expected<std::string> text_at(WireSource& source, const WireField& message, std::uint32_t number) {
  std::string found;
  MO_TRY(each_text(source, message, std::array{number}, [&](std::string text) { found = std::move(text); }));
  return found;
}

/// The attributes of an op that name the functions whose nodes it gets; none when it calls nothing.
std::vector<std::string_view> attributes_of_calls(std::string_view op) {
  for (const CallOp& row : kCallOps)
    if (row.op == op) return {row.attribute};
  for (const BodyOp& row : kBodyOps)
    if (row.op == op) return {row.attributes.begin(), row.attributes.end()};
  return {};
}

/// The functions that one entry of NodeDef.attr names, those of a list included.
Expected<void> each_function(WireSource& source, const WireField& entry, const std::function<void(std::string)>& give) {
  constexpr std::array<std::uint32_t, 3> kOne = {frontends::entry_field::kValue, attribute_field::kFunction,
                                                 function_value_field::kName};
  constexpr std::array<std::uint32_t, 4> kList = {frontends::entry_field::kValue, attribute_field::kList,
                                                  attribute_field::kListFunction, function_value_field::kName};
  MO_TRY(each_text(source, entry, kOne, give));
  return each_text(source, entry, kList, give);
}

}  // namespace

Expected<void> CallSizes::read_node(const WireField& message, Size& size) const {
  ++size.nodes;
  MO_ASSIGN(std::string op, text_at(model_.source, message, node_field::kOp));
  const std::vector<std::string_view> attributes = attributes_of_calls(op);
  if (attributes.empty()) {
    if (model_.functions.contains(op)) size.calls.push_back(std::move(op));
    return {};
  }
  MO_ASSIGN(WireReader reader, message_of(model_.source, message));
  return reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != node_field::kAttribute) return {};
    MO_ASSIGN(const std::string key, text_at(model_.source, field, frontends::entry_field::kKey));
    if (std::find(attributes.begin(), attributes.end(), key) == attributes.end()) return {};
    return each_function(model_.source, field,
                         [&](std::string function) { size.calls.push_back(std::move(function)); });
  });
}

Expected<CallSizes::Size> CallSizes::read(const Function& function) const {
  Size size;
  MO_ASSIGN(WireReader reader, message_of(model_.source, function.message));
  MO_TRY(reader.each([&](const WireField& field) {
    return field.number == function_field::kNode ? read_node(field, size) : Expected<void>();
  }));
  return size;
}

Expected<std::uint64_t> CallSizes::nodes_of(const std::string& function) {
  // A stack of our own: functions may call each other as deep as the library is long.
  std::vector<std::string> open;
  const auto enter = [&](const std::string& name) -> Expected<void> {
    const auto found = model_.functions.find(name);
    if (found == model_.functions.end() || sizes_.contains(name)) return {};
    MO_ASSIGN(Size size, read(found->second));
    sizes_.emplace(name, std::move(size));
    open.push_back(name);
    return {};
  };
  MO_TRY(enter(function));
  while (!open.empty()) {
    Size& size = sizes_.at(open.back());
    if (size.next == size.calls.size()) {
      open.pop_back();
      continue;
    }
    const std::size_t before = open.size();
    const std::string callee = size.calls[size.next];
    MO_TRY(enter(callee));
    if (open.size() > before) continue;  // its own calls first
    // A function that is still open calls itself: it counts its own nodes, and inlining reports the cycle.
    Size& caller = sizes_.at(open.back());
    if (const auto found = sizes_.find(callee); found != sizes_.end())
      caller.nodes = std::min(caller.nodes + found->second.nodes, kTooMany);
    ++caller.next;
  }
  const auto found = sizes_.find(function);
  return found == sizes_.end() ? 0 : found->second.nodes;
}

}  // namespace mo::tensorflow
